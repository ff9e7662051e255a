//! How a topic command says that it failed: the two lines that Kafka's tool gives.

use crate::tools::admin::Failure;
use crate::tools::client::ClientError;
use crate::tools::log;
use crate::tools::options::Stop;
use crate::tools::output::say;

/// Says it; what is left decides on the exit code.
pub(super) fn report(failure: Failure) -> Stop {
    let (text, named) = match failure {
        Failure::Stop(stop) => return stop,
        // A setting is at fault before anything was asked of a broker.
        Failure::Client(ClientError::Config(text)) => return Stop::Line(text),
        Failure::Client(error) => (error.to_string(), error.with_java_name()),
        Failure::Plain(text) => {
            let named = format!("java.lang.IllegalArgumentException: {text}");
            (text, named)
        }
    };
    say!("Error while executing topic command : {text}");
    log::error(&format!("{named}\n (org.apache.kafka.tools.TopicCommand)"));
    Stop::Exit(std::process::ExitCode::FAILURE)
}
