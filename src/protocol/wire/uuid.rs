//! Kafka's 16-byte identifiers.

use std::fmt;
use std::str::FromStr;

use base64::Engine;
use base64::alphabet::URL_SAFE;
use base64::engine::{DecodePaddingMode, GeneralPurpose, GeneralPurposeConfig};
use thiserror::Error;

/// URL-safe, written without padding; read with or without, and with loose last bits, as Java's decoder does.
const ENGINE: GeneralPurpose = GeneralPurpose::new(
    &URL_SAFE,
    GeneralPurposeConfig::new()
        .with_encode_padding(false)
        .with_decode_padding_mode(DecodePaddingMode::Indifferent)
        .with_decode_allow_trailing_bits(true),
);

/// Identifiers below this number are reserved by Kafka.
const RESERVED: u128 = 100;

/// A topic id, a directory id, a member id of the consensus, or an incarnation.
///
/// Shown and parsed as Kafka does: URL-safe base64 without padding, 22 characters.
#[derive(Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Uuid(pub [u8; 16]);

impl Uuid {
    /// No identifier. As a directory: the partition is being moved.
    pub const ZERO: Self = Self([0; 16]);
    /// The id of the metadata topic. As a directory: not assigned yet.
    pub const ONE: Self = Self::from_u128(1);
    /// The id of the topic `__cluster_metadata` (KIP-500).
    pub const METADATA_TOPIC: Self = Self::ONE;
    /// The directory of a replica that is being moved (KIP-858).
    pub const DIRECTORY_MIGRATING: Self = Self::ZERO;
    /// The directory of a replica without one yet (KIP-858).
    pub const DIRECTORY_UNASSIGNED: Self = Self::ONE;
    /// The directory of a replica whose directory is gone (KIP-858).
    pub const DIRECTORY_LOST: Self = Self::from_u128(2);

    /// The identifier with this big-endian number.
    pub const fn from_u128(value: u128) -> Self {
        Self(value.to_be_bytes())
    }

    /// The identifier as a big-endian number.
    pub const fn to_u128(self) -> u128 {
        u128::from_be_bytes(self.0)
    }

    /// Whether this is [`Uuid::ZERO`].
    pub fn is_zero(self) -> bool {
        self == Self::ZERO
    }

    /// Whether Kafka keeps this number for itself (0 to 99).
    pub const fn is_reserved(self) -> bool {
        self.to_u128() < RESERVED
    }

    /// A version 4 identifier from 16 random bytes, or `None` if it is one that Kafka never hands out (reserved, or
    /// shown with a leading dash): then draw again.
    pub fn from_random(mut bits: [u8; 16]) -> Option<Self> {
        let [first, _, _, _, _, _, version, _, variant, ..] = &mut bits;
        *version = *version & 0x0f | 0x40;
        *variant = *variant & 0x3f | 0x80;
        // The first character is the first six bits; 62 is the dash.
        let dash = *first >> 2 == 62;
        let uuid = Self(bits);
        (!dash && !uuid.is_reserved()).then_some(uuid)
    }
}

impl fmt::Display for Uuid {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&ENGINE.encode(self.0))
    }
}

impl fmt::Debug for Uuid {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// A text that is no identifier.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error("not an identifier of 22 base64 characters")]
pub struct ParseUuidError;

impl FromStr for Uuid {
    type Err = ParseUuidError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        if text.len() > 24 {
            return Err(ParseUuidError);
        }
        let bytes = ENGINE.decode(text).map_err(|_| ParseUuidError)?;
        bytes.try_into().map(Self).map_err(|_| ParseUuidError)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shown_and_parsed_as_kafka_does() {
        assert_eq!(Uuid::ZERO.to_string(), "AAAAAAAAAAAAAAAAAAAAAA");
        assert_eq!(Uuid::METADATA_TOPIC.to_string(), "AAAAAAAAAAAAAAAAAAAAAQ");
        let id: Uuid = "9NuLeb5LRfSJMdFbR-_A8Q".parse().unwrap();
        assert_eq!(id.to_string(), "9NuLeb5LRfSJMdFbR-_A8Q");
        assert_eq!("9NuLeb5LRfSJMdFbR-_A8Q==".parse(), Ok(id));
        for bad in
            ["", "AAAA", "AAAAAAAAAAAAAAAAAAAAAAAAA", "!AAAAAAAAAAAAAAAAAAAAA", "9NuLeb5LRfSJMdFbR+/A8Q"]
        {
            assert!(bad.parse::<Uuid>().is_err(), "{bad}");
        }
    }

    #[test]
    fn random_ones_are_never_reserved_and_never_start_with_a_dash() {
        assert_eq!(Uuid::from_random([0xf8; 16]), None);
        let id = Uuid::from_random([0; 16]).unwrap();
        assert_eq!(id.to_string(), "AAAAAAAAQACAAAAAAAAAAA");
    }
}
