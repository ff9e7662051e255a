//! API keys: their names, their versions, and the header that each version has.

use std::fmt;

use super::messages::API_TABLE;

/// The lowest Produce version that a broker lists; it refuses what is below the lowest it has (KAFKA-18659).
pub const PRODUCE_ADVERTISED_MIN_VERSION: i16 = 0;

/// The number of an API. Any number can be held; the known ones have constants.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ApiKey(pub i16);

/// What the schemas say about an API.
#[derive(Clone, Copy, Debug)]
pub struct ApiInfo {
    /// Its number.
    pub key: ApiKey,
    /// Its name, without "Request".
    pub name: &'static str,
    /// The oldest version; above `max_version` if the API is gone.
    pub min_version: i16,
    /// The newest version.
    pub max_version: i16,
    /// The first flexible version; `i16::MAX` if there is none.
    pub flexible_from: i16,
    /// Whether brokers serve it.
    pub broker: bool,
    /// Whether controllers serve it.
    pub controller: bool,
    /// Whether the newest version is not stable yet, thus not advertised.
    pub latest_unstable: bool,
}

impl ApiInfo {
    /// Whether this version exists.
    pub fn has_version(&self, version: i16) -> bool {
        (self.min_version..=self.max_version).contains(&version)
    }
}

impl ApiKey {
    /// What the schemas say about this key, or `None` for an unknown one.
    pub fn info(self) -> Option<&'static ApiInfo> {
        usize::try_from(self.0).ok().and_then(|index| API_TABLE.get(index))
    }

    /// The name, or "Unknown".
    pub fn name(self) -> &'static str {
        self.info().map_or("Unknown", |info| info.name)
    }

    fn is_flexible(self, version: i16) -> bool {
        self.info().is_some_and(|info| version >= info.flexible_from)
    }
}

impl From<i16> for ApiKey {
    fn from(key: i16) -> Self {
        Self(key)
    }
}

impl fmt::Debug for ApiKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}({})", self.name(), self.0)
    }
}

impl fmt::Display for ApiKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// The version of the header in front of a request: 2 in flexible versions (KIP-482), else 1.
///
/// For an unknown key or a version above the newest one the answer is the newest known format, so that an ApiVersions
/// request from the future can be answered.
pub fn request_header_version(key: ApiKey, version: i16) -> i16 {
    if key.is_flexible(version) { 2 } else { 1 }
}

/// The version of the header in front of a response: 1 in flexible versions (KIP-482), else 0.
///
/// Always 0 for ApiVersions, whose response is read before versions are agreed (KIP-511).
pub fn response_header_version(key: ApiKey, version: i16) -> i16 {
    i16::from(key != ApiKey::API_VERSIONS && key.is_flexible(version))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_is_ordered_and_knows_the_exceptions() {
        for (index, info) in API_TABLE.iter().enumerate() {
            assert_eq!(info.key.0 as usize, index);
        }
        assert_eq!(API_TABLE.len(), 95);
        assert_eq!(ApiKey(-1).info().map(|info| info.name), None);
        assert_eq!(ApiKey(95).name(), "Unknown");
        assert_eq!(format!("{:?}", ApiKey::PRODUCE), "Produce(0)");
        assert_eq!(
            (request_header_version(ApiKey::FETCH, 11), request_header_version(ApiKey::FETCH, 12)),
            (1, 2)
        );
        assert_eq!(
            (response_header_version(ApiKey::FETCH, 11), response_header_version(ApiKey::FETCH, 12)),
            (0, 1)
        );
        assert_eq!(request_header_version(ApiKey::API_VERSIONS, 3), 2);
        assert_eq!(response_header_version(ApiKey::API_VERSIONS, 3), 0);
        assert!(ApiKey::SASL_HANDSHAKE.info().is_some_and(|info| info.flexible_from == i16::MAX));
        assert!(ApiKey::LEADER_AND_ISR.info().is_some_and(|info| !info.has_version(0)));
        let offsets = ApiKey::LIST_OFFSETS.info().unwrap();
        assert_eq!((offsets.min_version, offsets.max_version), (0, 11));
        assert!(ApiKey::INIT_PRODUCER_ID.info().unwrap().latest_unstable);
    }
}
