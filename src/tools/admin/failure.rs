//! Why a tool of an administrator ends.

use crate::tools::client::ClientError;
use crate::tools::options::Stop;

/// See the module. How it is said is each tool's own.
#[derive(Debug)]
pub enum Failure {
    /// The options are at fault, or everything is said already.
    Stop(Stop),
    /// A broker, or the way to it.
    Client(ClientError),
    /// What was asked for cannot be: the text alone says it.
    Plain(String),
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
    /// A failure that its text says.
    pub fn plain(text: impl Into<String>) -> Self {
        Self::Plain(text.into())
    }

    /// The end of a tool that shows the message of what Java would have thrown, with `front` before it.
    pub fn report(self, front: &str) -> Stop {
        match self {
            Self::Stop(Stop::Line(text)) => Stop::Line(format!("{front}{text}")),
            Self::Stop(stop) => stop,
            // Before anything was asked of a broker, Java has no ExecutionException around it.
            Self::Client(ClientError::Config(text)) | Self::Plain(text) => {
                Stop::Line(format!("{front}{text}"))
            }
            Self::Client(error) => Stop::Line(format!("{front}{}", error.with_java_name())),
        }
    }
}

/// The error as Java shows it when it comes out of a future.
pub fn execution(error: &ClientError) -> String {
    format!("java.util.concurrent.ExecutionException: {}", error.with_java_name())
}
