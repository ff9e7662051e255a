//! The replicated state machine: committed batches in, image and delta out.

use bytes::Bytes;
use std::sync::Arc;

use super::control::{Control, control_records};
use super::delta::{DeltaBuilder, MetadataDelta};
use super::image::{MetadataImage, VoterImage};
use super::raft_driver::Committed;
use super::replay::{ReplayError, replay};
use super::service::ControllerError;
use crate::protocol::record_batch::Batch;

/// Name under which the version of the consensus is shown among the features.
const KRAFT_VERSION_FEATURE: &str = "kraft.version";

/// The image as committed so far, and what changed since it was last taken.
#[derive(Default)]
pub struct Machine {
    image: MetadataImage,
    delta: DeltaBuilder,
}

impl Machine {
    /// The image.
    #[must_use]
    pub fn image(&self) -> &MetadataImage {
        &self.image
    }

    /// Applies a committed batch.
    ///
    /// # Errors
    /// [`ControllerError`] when a record cannot be read or does not fit: the machine must not be used again.
    pub fn apply(&mut self, committed: &Committed) -> Result<(), ControllerError> {
        let Committed { base_offset, epoch, batch: bytes } = committed;
        let batch = Batch::parse(bytes).map_err(ControllerError::damaged)?;
        if batch.header.attributes.is_control() {
            self.apply_control(*epoch, bytes, *base_offset)?;
        } else {
            let mut scratch = Vec::new();
            for record in batch.records(0, &mut scratch).map_err(ControllerError::damaged)? {
                let record = record.map_err(ControllerError::damaged)?;
                let offset = base_offset + i64::from(record.offset_delta);
                let value = record.value.unwrap_or_default();
                replay(&mut self.image, &mut self.delta, offset, value)
                    .map_err(|error| ControllerError::Replay { offset, error })?;
            }
        }
        self.image.offset = base_offset + i64::from(batch.header.last_offset_delta);
        self.image.epoch = *epoch;
        Ok(())
    }

    fn apply_control(&mut self, epoch: i32, bytes: &[u8], offset: i64) -> Result<(), ControllerError> {
        for control in control_records(bytes).map_err(ControllerError::Driver)? {
            match control {
                Control::Leader(id) => {
                    self.image.controller_id = id;
                    self.image.controller_epoch = epoch;
                }
                Control::Version(version) => {
                    let features = Arc::make_mut(&mut self.image.features);
                    features.insert(KRAFT_VERSION_FEATURE.to_owned(), version);
                    self.image.features_epoch = offset;
                    self.delta.features_changed();
                }
                Control::Voters(voters) => {
                    let voters = voters.into_iter();
                    self.image.voters = voters
                        .map(|(id, directory, endpoints)| VoterImage { id, directory, endpoints })
                        .collect();
                }
                Control::Other => {}
            }
        }
        Ok(())
    }

    /// What changed since the last call, with the image that it led to.
    pub fn take(&mut self) -> (Arc<MetadataImage>, Arc<MetadataDelta>) {
        let delta = self.delta.finish(&self.image);
        (Arc::new(self.image.clone()), Arc::new(delta))
    }
}

/// Applies records that are not committed yet to a copy of the image, so that the next decision sees them.
pub(super) fn foresee<'a>(
    image: &mut MetadataImage,
    records: impl Iterator<Item = &'a Bytes>,
) -> Result<(), ReplayError> {
    let mut unused = DeltaBuilder::default();
    for value in records {
        replay(image, &mut unused, image.offset, value)?;
    }
    Ok(())
}
