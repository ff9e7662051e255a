//! The control batches of the metadata log, in Kafka's forms: who leads a term, the version of the consensus, the
//! voters (KIP-595, KIP-853).

use crate::protocol::codec::Codec;
use crate::protocol::messages::leader_change_message::Voter as LeaderChangeVoter;
use crate::protocol::messages::voters_record::{
    Endpoint as VoterEndpoint, KRaftVersionFeature, Voter as RecordedVoter,
};
use crate::protocol::messages::{KRaftVersionRecord, LeaderChangeMessage, VotersRecord};
use crate::protocol::record_batch::{Batch, BatchBuilder, ControlType};
use crate::protocol::{Message, Reader, Uuid, Writer};

use super::image::Endpoint;
use super::raft_driver::{DriverError, Voter};

/// The version of the consensus that has voters in the log, and the greatest.
const KRAFT_VERSION: i16 = 1;

/// What a control record says.
#[derive(Clone, Debug, PartialEq)]
pub enum Control {
    /// This node leads from here on.
    Leader(i32),
    /// The version of the consensus.
    Version(i16),
    /// The voters: node id, directory id, endpoints.
    Voters(Vec<(i32, Uuid, Vec<Endpoint>)>),
    /// Something else.
    Other,
}

/// The control records of a batch; none if it is a batch of data.
///
/// # Errors
/// [`DriverError`] if the batch is damaged.
pub fn control_records(bytes: &[u8]) -> Result<Vec<Control>, DriverError> {
    let batch = Batch::parse(bytes)?;
    if !batch.header.attributes.is_control() {
        return Ok(Vec::new());
    }
    let mut scratch = Vec::new();
    let mut controls = Vec::new();
    for record in batch.records(0, &mut scratch)? {
        let record = record?;
        let mut value = Reader::new(record.value.unwrap_or_default());
        controls.push(match ControlType::from_key(record.key.unwrap_or_default())? {
            ControlType::LeaderChange => {
                Control::Leader(LeaderChangeMessage::decode(&mut value, 0)?.leader_id)
            }
            ControlType::KraftVersion => {
                Control::Version(KRaftVersionRecord::decode(&mut value, 0)?.kraft_version)
            }
            ControlType::KraftVoters => {
                let voters = VotersRecord::decode(&mut value, 0)?.voters;
                Control::Voters(voters.iter().map(recorded).collect())
            }
            _ => Control::Other,
        });
    }
    Ok(controls)
}

fn recorded(voter: &RecordedVoter<'_>) -> (i32, Uuid, Vec<Endpoint>) {
    let endpoints = voter.endpoints.iter().map(|endpoint| Endpoint {
        name: endpoint.name.to_owned(),
        host: endpoint.host.to_owned(),
        port: endpoint.port,
        security_protocol: 0,
    });
    (voter.voter_id, voter.voter_directory_id, endpoints.collect())
}

/// What the log says of the consensus.
#[derive(Clone, Debug, Default)]
pub struct ControlRecords {
    voters: Vec<(i32, Uuid, Vec<Endpoint>)>,
}

impl ControlRecords {
    /// Takes in a batch of the log.
    ///
    /// # Errors
    /// [`DriverError`] if the batch is damaged.
    pub fn read(&mut self, batch: &[u8]) -> Result<(), DriverError> {
        for control in control_records(batch)? {
            if let Control::Voters(voters) = control {
                self.voters = voters;
            }
        }
        Ok(())
    }

    /// Whether nobody else has a vote.
    #[must_use]
    pub fn is_only_voter(&self, node_id: i32) -> bool {
        self.voters.iter().all(|(id, _, _)| *id == node_id)
    }

    /// Whether the log names this voter, with the directory and the endpoints that it has now.
    #[must_use]
    pub fn states(&self, voter: &Voter) -> bool {
        self.voters.iter().any(|(id, directory, endpoints)| {
            (*id, *directory) == (voter.node_id, voter.directory_id)
                && endpoints.iter().map(address).eq(voter.endpoints.iter().map(address))
        })
    }

    /// The directory id of a voter.
    #[must_use]
    pub fn directory_of(&self, node_id: i32) -> Uuid {
        self.voters
            .iter()
            .find(|(id, _, _)| *id == node_id)
            .map_or(Uuid::ZERO, |(_, directory, _)| *directory)
    }
}

fn address(endpoint: &Endpoint) -> (&str, &str, u16) {
    (&endpoint.name, &endpoint.host, endpoint.port)
}

/// The first batch of a term: who leads, and if `with_voters` also the version of the consensus and the voters.
///
/// # Errors
/// [`DriverError`] if a name is too long.
pub fn leader_batch(
    epoch: i32,
    timestamp_ms: i64,
    voter: &Voter,
    with_voters: bool,
) -> Result<Vec<u8>, DriverError> {
    let own = LeaderChangeVoter { voter_id: voter.node_id, ..LeaderChangeVoter::default() };
    let leader = LeaderChangeMessage {
        version: 0,
        leader_id: voter.node_id,
        voters: vec![own.clone()],
        granting_voters: vec![own],
    };
    let mut builder = BatchBuilder::new(Codec::None).leader_epoch(epoch).control(true);
    append(&mut builder, timestamp_ms, ControlType::LeaderChange, &leader)?;
    if with_voters {
        let version = KRaftVersionRecord { version: 0, kraft_version: KRAFT_VERSION };
        append(&mut builder, timestamp_ms, ControlType::KraftVersion, &version)?;
        let endpoints = voter.endpoints.iter().map(|endpoint| VoterEndpoint {
            name: &endpoint.name,
            host: &endpoint.host,
            port: endpoint.port,
        });
        let feature = KRaftVersionFeature { min_supported_version: 0, max_supported_version: KRAFT_VERSION };
        let recorded = RecordedVoter {
            voter_id: voter.node_id,
            voter_directory_id: voter.directory_id,
            endpoints: endpoints.collect(),
            kraft_version_feature: feature,
        };
        let voters = VotersRecord { version: 0, voters: vec![recorded] };
        append(&mut builder, timestamp_ms, ControlType::KraftVoters, &voters)?;
    }
    Ok(builder.build()?)
}

fn append<'a, M: Message<'a>>(
    builder: &mut BatchBuilder,
    timestamp_ms: i64,
    control_type: ControlType,
    message: &M,
) -> Result<(), DriverError> {
    let mut writer = Writer::with_capacity(message.encoded_len(0));
    message.encode(&mut writer, 0)?;
    builder.append(timestamp_ms, Some(&control_type.to_key()), Some(writer.as_slice()), &[]);
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_batch_of_a_log_names_the_voters() {
        let endpoint =
            Endpoint { name: "CONTROLLER".into(), host: "h".into(), port: 9093, security_protocol: 0 };
        let voter = Voter { node_id: 3, directory_id: Uuid::from_u128(500), endpoints: vec![endpoint] };
        let bytes = leader_batch(1, 77, &voter, true).unwrap();
        let controls = control_records(&bytes).unwrap();
        let voters = vec![(3, voter.directory_id, voter.endpoints.clone())];
        assert_eq!(controls, [Control::Leader(3), Control::Version(1), Control::Voters(voters)]);

        let mut known = ControlRecords::default();
        assert!(!known.states(&voter) && known.is_only_voter(3));
        known.read(&bytes).unwrap();
        assert!(known.states(&voter) && known.is_only_voter(3) && !known.is_only_voter(4));
        assert_eq!(known.directory_of(3), voter.directory_id);
        let moved = Voter { directory_id: Uuid::from_u128(501), ..voter.clone() };
        assert!(!known.states(&moved));
        assert_eq!(control_records(&leader_batch(2, 78, &voter, false).unwrap()).unwrap().len(), 1);
    }
}
