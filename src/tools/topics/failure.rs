//! Why a topic command failed, with the two lines that Kafka's tool gives.

use crate::tools::client::ClientError;
use crate::tools::log;
use crate::tools::options::Stop;
use crate::tools::output::say;

/// See the module.
#[derive(Debug)]
pub(super) enum Failure {
    /// The options are at fault.
    Stop(Stop),
    /// A broker, or the way to it.
    Client(ClientError),
    /// What was asked for cannot be.
    Illegal(String),
}

impl From<Stop> for Failure {
    fn from(stop: Stop) -> Self {
        Self::Stop(stop)
    }
}

impl From<ClientError> for Failure {
    fn from(error: ClientError) -> Self {
        Self::Client(error)
    }
}

impl Failure {
    pub(super) fn illegal(text: impl Into<String>) -> Self {
        Self::Illegal(text.into())
    }

    /// Says it; what is left decides on the exit code.
    pub(super) fn report(self) -> Stop {
        let (text, named) = match self {
            Self::Stop(stop) => return stop,
            // A setting is at fault before anything was asked of a broker.
            Self::Client(ClientError::Config(text)) => return Stop::Line(text),
            Self::Client(error) => (error.to_string(), error.with_java_name()),
            Self::Illegal(text) => {
                let named = format!("java.lang.IllegalArgumentException: {text}");
                (text, named)
            }
        };
        say!("Error while executing topic command : {text}");
        log::error(&format!("{named}\n (org.apache.kafka.tools.TopicCommand)"));
        Stop::Exit(std::process::ExitCode::FAILURE)
    }
}
