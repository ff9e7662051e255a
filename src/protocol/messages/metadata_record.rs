//! All metadata records as one type.
// Written by src/protocol/generate.py from Kafka's message schemas; do not edit.

use bytes::BytesMut;

use crate::protocol::stored_record::encode_metadata_record;
use crate::protocol::wire::{DecodeError, EncodeError, Message, MetadataMessage, Reader};

use super::{
    BrokerRegistrationChangeRecord, ClientQuotaRecord, ConfigRecord, FeatureLevelRecord, NoOpRecord,
    PartitionChangeRecord, PartitionRecord, ProducerIdsRecord, RegisterBrokerRecord, RemoveTopicRecord,
    TopicRecord, UnregisterBrokerRecord,
};

/// A record of the metadata log, of a type known here.
#[derive(Clone, Debug, PartialEq)]
pub enum MetadataRecord<'a> {
    /// [`RegisterBrokerRecord`]
    RegisterBroker(RegisterBrokerRecord<'a>),
    /// [`UnregisterBrokerRecord`]
    UnregisterBroker(UnregisterBrokerRecord),
    /// [`TopicRecord`]
    Topic(TopicRecord<'a>),
    /// [`PartitionRecord`]
    Partition(PartitionRecord),
    /// [`ConfigRecord`]
    Config(ConfigRecord<'a>),
    /// [`PartitionChangeRecord`]
    PartitionChange(PartitionChangeRecord),
    /// [`RemoveTopicRecord`]
    RemoveTopic(RemoveTopicRecord),
    /// [`FeatureLevelRecord`]
    FeatureLevel(FeatureLevelRecord<'a>),
    /// [`BrokerRegistrationChangeRecord`]
    BrokerRegistrationChange(BrokerRegistrationChangeRecord),
    /// [`ProducerIdsRecord`]
    ProducerIds(ProducerIdsRecord),
    /// [`NoOpRecord`]
    NoOp(NoOpRecord),
    /// [`ClientQuotaRecord`]
    ClientQuota(ClientQuotaRecord<'a>),
}

impl<'a> MetadataRecord<'a> {
    /// The number that names the type.
    pub fn record_type(&self) -> i16 {
        match self {
            Self::RegisterBroker(_) => RegisterBrokerRecord::RECORD_TYPE,
            Self::UnregisterBroker(_) => UnregisterBrokerRecord::RECORD_TYPE,
            Self::Topic(_) => TopicRecord::RECORD_TYPE,
            Self::Partition(_) => PartitionRecord::RECORD_TYPE,
            Self::Config(_) => ConfigRecord::RECORD_TYPE,
            Self::PartitionChange(_) => PartitionChangeRecord::RECORD_TYPE,
            Self::RemoveTopic(_) => RemoveTopicRecord::RECORD_TYPE,
            Self::FeatureLevel(_) => FeatureLevelRecord::RECORD_TYPE,
            Self::BrokerRegistrationChange(_) => BrokerRegistrationChangeRecord::RECORD_TYPE,
            Self::ProducerIds(_) => ProducerIdsRecord::RECORD_TYPE,
            Self::NoOp(_) => NoOpRecord::RECORD_TYPE,
            Self::ClientQuota(_) => ClientQuotaRecord::RECORD_TYPE,
        }
    }

    /// The newest version of the type.
    pub fn max_version(&self) -> i16 {
        match self {
            Self::RegisterBroker(_) => RegisterBrokerRecord::MAX_VERSION,
            Self::UnregisterBroker(_) => UnregisterBrokerRecord::MAX_VERSION,
            Self::Topic(_) => TopicRecord::MAX_VERSION,
            Self::Partition(_) => PartitionRecord::MAX_VERSION,
            Self::Config(_) => ConfigRecord::MAX_VERSION,
            Self::PartitionChange(_) => PartitionChangeRecord::MAX_VERSION,
            Self::RemoveTopic(_) => RemoveTopicRecord::MAX_VERSION,
            Self::FeatureLevel(_) => FeatureLevelRecord::MAX_VERSION,
            Self::BrokerRegistrationChange(_) => BrokerRegistrationChangeRecord::MAX_VERSION,
            Self::ProducerIds(_) => ProducerIdsRecord::MAX_VERSION,
            Self::NoOp(_) => NoOpRecord::MAX_VERSION,
            Self::ClientQuota(_) => ClientQuotaRecord::MAX_VERSION,
        }
    }

    /// The record as the value of a log record, frame included.
    ///
    /// # Errors
    /// [`EncodeError`] if the version cannot carry it.
    pub fn encode(&self, version: i16) -> Result<BytesMut, EncodeError> {
        match self {
            Self::RegisterBroker(record) => encode_metadata_record(record, version),
            Self::UnregisterBroker(record) => encode_metadata_record(record, version),
            Self::Topic(record) => encode_metadata_record(record, version),
            Self::Partition(record) => encode_metadata_record(record, version),
            Self::Config(record) => encode_metadata_record(record, version),
            Self::PartitionChange(record) => encode_metadata_record(record, version),
            Self::RemoveTopic(record) => encode_metadata_record(record, version),
            Self::FeatureLevel(record) => encode_metadata_record(record, version),
            Self::BrokerRegistrationChange(record) => encode_metadata_record(record, version),
            Self::ProducerIds(record) => encode_metadata_record(record, version),
            Self::NoOp(record) => encode_metadata_record(record, version),
            Self::ClientQuota(record) => encode_metadata_record(record, version),
        }
    }

    /// Reads the message behind a frame that named its type and version.
    pub(crate) fn read(reader: &mut Reader<'a>, record_type: i16, version: i16) -> Result<Self, DecodeError> {
        match record_type {
            RegisterBrokerRecord::RECORD_TYPE => {
                RegisterBrokerRecord::decode(reader, version).map(Self::RegisterBroker)
            }
            UnregisterBrokerRecord::RECORD_TYPE => {
                UnregisterBrokerRecord::decode(reader, version).map(Self::UnregisterBroker)
            }
            TopicRecord::RECORD_TYPE => TopicRecord::decode(reader, version).map(Self::Topic),
            PartitionRecord::RECORD_TYPE => PartitionRecord::decode(reader, version).map(Self::Partition),
            ConfigRecord::RECORD_TYPE => ConfigRecord::decode(reader, version).map(Self::Config),
            PartitionChangeRecord::RECORD_TYPE => {
                PartitionChangeRecord::decode(reader, version).map(Self::PartitionChange)
            }
            RemoveTopicRecord::RECORD_TYPE => {
                RemoveTopicRecord::decode(reader, version).map(Self::RemoveTopic)
            }
            FeatureLevelRecord::RECORD_TYPE => {
                FeatureLevelRecord::decode(reader, version).map(Self::FeatureLevel)
            }
            BrokerRegistrationChangeRecord::RECORD_TYPE => {
                BrokerRegistrationChangeRecord::decode(reader, version).map(Self::BrokerRegistrationChange)
            }
            ProducerIdsRecord::RECORD_TYPE => {
                ProducerIdsRecord::decode(reader, version).map(Self::ProducerIds)
            }
            NoOpRecord::RECORD_TYPE => NoOpRecord::decode(reader, version).map(Self::NoOp),
            ClientQuotaRecord::RECORD_TYPE => {
                ClientQuotaRecord::decode(reader, version).map(Self::ClientQuota)
            }
            other => Err(DecodeError::UnexpectedRecordType(i64::from(other))),
        }
    }
}

impl<'a> From<RegisterBrokerRecord<'a>> for MetadataRecord<'a> {
    fn from(record: RegisterBrokerRecord<'a>) -> Self {
        Self::RegisterBroker(record)
    }
}

impl From<UnregisterBrokerRecord> for MetadataRecord<'_> {
    fn from(record: UnregisterBrokerRecord) -> Self {
        Self::UnregisterBroker(record)
    }
}

impl<'a> From<TopicRecord<'a>> for MetadataRecord<'a> {
    fn from(record: TopicRecord<'a>) -> Self {
        Self::Topic(record)
    }
}

impl From<PartitionRecord> for MetadataRecord<'_> {
    fn from(record: PartitionRecord) -> Self {
        Self::Partition(record)
    }
}

impl<'a> From<ConfigRecord<'a>> for MetadataRecord<'a> {
    fn from(record: ConfigRecord<'a>) -> Self {
        Self::Config(record)
    }
}

impl From<PartitionChangeRecord> for MetadataRecord<'_> {
    fn from(record: PartitionChangeRecord) -> Self {
        Self::PartitionChange(record)
    }
}

impl From<RemoveTopicRecord> for MetadataRecord<'_> {
    fn from(record: RemoveTopicRecord) -> Self {
        Self::RemoveTopic(record)
    }
}

impl<'a> From<FeatureLevelRecord<'a>> for MetadataRecord<'a> {
    fn from(record: FeatureLevelRecord<'a>) -> Self {
        Self::FeatureLevel(record)
    }
}

impl From<BrokerRegistrationChangeRecord> for MetadataRecord<'_> {
    fn from(record: BrokerRegistrationChangeRecord) -> Self {
        Self::BrokerRegistrationChange(record)
    }
}

impl From<ProducerIdsRecord> for MetadataRecord<'_> {
    fn from(record: ProducerIdsRecord) -> Self {
        Self::ProducerIds(record)
    }
}

impl From<NoOpRecord> for MetadataRecord<'_> {
    fn from(record: NoOpRecord) -> Self {
        Self::NoOp(record)
    }
}

impl<'a> From<ClientQuotaRecord<'a>> for MetadataRecord<'a> {
    fn from(record: ClientQuotaRecord<'a>) -> Self {
        Self::ClientQuota(record)
    }
}
