//! What can go wrong between a tool and a broker.

use thiserror::Error;

use super::java_name::{default_message, exception_name};
use crate::protocol::ErrorCode;
use crate::protocol::wire::{DecodeError, EncodeError};

/// An error of the client; every text is one line.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum ClientError {
    /// A setting that cannot be used.
    #[error("{0}")]
    Config(String),
    /// A name without an address.
    #[error("Cannot resolve {address}: {reason}")]
    Resolve {
        /// Host and port.
        address: String,
        /// What the resolver says.
        reason: String,
    },
    /// A connection could not be made, or broke.
    #[error("Connection to {peer} failed: {reason}")]
    Disconnected {
        /// Whom it led to.
        peer: String,
        /// What the system says.
        reason: String,
    },
    /// An answer, or a whole operation, took longer than allowed.
    #[error("{what}")]
    Timeout {
        /// What did not happen, as a sentence.
        what: String,
    },
    /// The broker has no version of a request in common with us.
    #[error("{peer} does not support {api} in the versions {min} to {max}")]
    Unsupported {
        /// Who was asked.
        peer: String,
        /// Name of the API.
        api: &'static str,
        /// Smallest version that we could send.
        min: i16,
        /// Greatest version that we could send.
        max: i16,
    },
    /// The operator wants the tool to end.
    #[error("Interrupted")]
    Interrupted,
    /// An answer that cannot be read.
    #[error("Cannot read the answer: {0}")]
    Decode(#[from] DecodeError),
    /// A request that cannot be written.
    #[error("Cannot write the request: {0}")]
    Encode(#[from] EncodeError),
    /// The broker answered an error.
    #[error("{}", message.as_deref().unwrap_or(default_message(*code)))]
    Broker {
        /// Kafka's code.
        code: ErrorCode,
        /// What the broker says about it, or what it is about.
        message: Option<String>,
    },
}

impl ClientError {
    /// The error for a code, unless it says that there is none.
    ///
    /// # Errors
    /// [`ClientError::Broker`].
    pub fn check(code: i16, message: Option<&str>) -> Result<(), Self> {
        let code = ErrorCode(code);
        if code.is_none() {
            return Ok(());
        }
        Err(Self::Broker { code, message: message.filter(|text| !text.is_empty()).map(str::to_owned) })
    }

    /// Whether trying again may help.
    pub fn is_retriable(&self) -> bool {
        match self {
            Self::Disconnected { .. } | Self::Timeout { .. } => true,
            Self::Broker { code, .. } => code.is_retriable(),
            _ => false,
        }
    }

    /// The broker's code, if it is one.
    pub fn code(&self) -> Option<ErrorCode> {
        match self {
            Self::Broker { code, .. } => Some(*code),
            _ => None,
        }
    }

    /// The text with the name that Kafka's tools give the error in front.
    pub fn with_java_name(&self) -> String {
        let name = match self {
            Self::Config(_) | Self::Resolve { .. } => {
                "org.apache.kafka.common.config.ConfigException".to_owned()
            }
            Self::Disconnected { .. } => "org.apache.kafka.common.errors.DisconnectException".to_owned(),
            Self::Timeout { .. } => "org.apache.kafka.common.errors.TimeoutException".to_owned(),
            Self::Unsupported { .. } => {
                "org.apache.kafka.common.errors.UnsupportedVersionException".to_owned()
            }
            Self::Interrupted => "org.apache.kafka.common.errors.WakeupException".to_owned(),
            Self::Decode(_) | Self::Encode(_) => "org.apache.kafka.common.KafkaException".to_owned(),
            Self::Broker { code, .. } => exception_name(*code),
        };
        format!("{name}: {self}")
    }
}
