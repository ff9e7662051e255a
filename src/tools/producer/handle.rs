//! What a tool holds of a producer.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::JoinHandle;
use std::time::Instant;

use super::batch::{Completion, RecordData};
use super::lookup;
use super::partitioner::for_key;
use super::sender::Sender;
use super::settings::ProducerSettings;
use super::state::{Shared, State};
use crate::protocol::ErrorCode;
use crate::tools::client::{Client, ClientError};

/// See the module `producer`. May be used from several threads.
pub struct Producer {
    shared: Arc<Shared>,
    sender: Mutex<Option<JoinHandle<()>>>,
}

impl Producer {
    /// Starts the threads. `on_done` is called on the sender's thread with every batch that is acknowledged or given up.
    ///
    /// # Errors
    /// [`ClientError::Config`] if the system gives no descriptor or thread.
    pub fn new(
        settings: ProducerSettings,
        topic: &str,
        on_done: impl FnMut(Completion) + Send + 'static,
    ) -> Result<Self, ClientError> {
        let client = Client::new(
            settings.bootstrap.clone(),
            settings.network.clone(),
            settings.max_block,
            settings.retry_backoff,
        );
        let shared = Arc::new(Shared::new(settings, topic)?);
        let thread = |name: &str| std::thread::Builder::new().name(name.to_owned());
        let no_thread = |error: std::io::Error| ClientError::Config(format!("no thread: {error}"));
        let sender = Sender::new(Arc::clone(&shared), Box::new(on_done));
        let sender = thread("producer-sender").spawn(move || sender.run()).map_err(no_thread)?;
        let looking = Arc::clone(&shared);
        // Not joined at the end: it may wait for a broker that does not answer.
        thread("producer-lookup").spawn(move || lookup::run(&looking, client)).map_err(no_thread)?;
        Ok(Self { shared, sender: Mutex::new(Some(sender)) })
    }

    /// Queues a record; `tag` comes back with its completion. Waits for metadata and for room, at most `max.block.ms`.
    ///
    /// # Errors
    /// [`ClientError::Timeout`] after that, [`ClientError::Broker`] if the record is too large or the topic cannot be
    /// had.
    pub fn send(&self, tag: u64, timestamp_ms: i64, record: &RecordData<'_>) -> Result<(), ClientError> {
        let settings = &self.shared.settings;
        let bytes = record.bytes();
        for (limit, key) in
            [(settings.request_bytes, "max.request.size"), (settings.buffer_bytes, "buffer.memory")]
        {
            if bytes > limit {
                let text = format!(
                    "The message is {bytes} bytes when serialized which is larger than {limit}, which is the value of \
                     the {key} configuration."
                );
                return Err(ClientError::Broker { code: ErrorCode::MESSAGE_TOO_LARGE, message: Some(text) });
            }
        }
        let mut state = self.shared.lock();
        if state.queues.is_empty()
            || state.used_bytes + bytes > settings.buffer_bytes
            || state.fatal.is_some()
        {
            state = self.wait_for_room(state, bytes)?;
        }
        let partition = match record.key {
            Some(key) => for_key(key, state.queues.len()),
            None => state.next_sticky(bytes).ok_or_else(|| ClientError::Timeout {
                what: "Timed out waiting for a partition".to_owned(),
            })?,
        };
        self.append(&mut state, partition, tag, timestamp_ms, record, bytes);
        Ok(())
    }

    fn append(
        &self,
        state: &mut State,
        partition: usize,
        tag: u64,
        timestamp_ms: i64,
        record: &RecordData<'_>,
        bytes: usize,
    ) {
        let settings = &self.shared.settings;
        let has_room = state
            .queues
            .get(partition)
            .and_then(|queue| queue.open.as_ref())
            .is_some_and(|open| open.bytes() + bytes <= settings.batch_bytes);
        let mut look = false;
        if !has_room {
            let batch = state.new_batch(settings, Instant::now());
            if let Some(queue) = state.queues.get_mut(partition) {
                queue.seal();
                queue.open = Some(batch);
            }
            look = true;
        }
        state.used_bytes += bytes;
        if let Some(queue) = state.queues.get_mut(partition)
            && let Some(open) = &mut queue.open
        {
            open.append(tag, timestamp_ms, record);
            if open.bytes() >= settings.batch_bytes {
                queue.seal();
                look = true;
            }
        }
        if look {
            self.shared.wake(state);
        }
    }

    fn wait_for_room<'a>(
        &'a self,
        mut state: MutexGuard<'a, State>,
        bytes: usize,
    ) -> Result<MutexGuard<'a, State>, ClientError> {
        let settings = &self.shared.settings;
        let deadline = Instant::now() + settings.max_block;
        state.starved += 1;
        let result = loop {
            if let Some(error) = &state.fatal {
                break Err(error.clone());
            }
            let known = !state.queues.is_empty();
            if known && state.used_bytes + bytes <= settings.buffer_bytes {
                break Ok(());
            }
            self.shared.wake(&mut state);
            let (again, in_time) = self.shared.wait(state, Some(deadline));
            state = again;
            if !in_time {
                let waited = settings.max_block.as_millis();
                let what = if known {
                    format!(
                        "Failed to allocate {bytes} bytes within the configured max blocking time {waited} ms."
                    )
                } else {
                    format!("Topic {} not present in metadata after {waited} ms.", self.shared.topic)
                };
                break Err(ClientError::Timeout { what });
            }
        };
        state.starved -= 1;
        result.map(|()| state)
    }

    /// Sends everything now, and waits until it is acknowledged or given up.
    pub fn flush(&self) {
        let mut state = self.shared.lock();
        state.flushing += 1;
        while state.outstanding > 0 {
            self.shared.wake(&mut state);
            state = self.shared.wait(state, None).0;
        }
        state.flushing -= 1;
    }

    /// Sends everything, waits for it, and ends the threads. Later calls do nothing.
    pub fn close(&self) {
        let mut state = self.shared.lock();
        state.closing = true;
        self.shared.wake(&mut state);
        self.shared.changed.notify_all();
        drop(state);
        let sender = self.sender.lock().unwrap_or_else(PoisonError::into_inner).take();
        if let Some(sender) = sender {
            // A sender that panicked has said so itself.
            let _ = sender.join();
        }
    }
}
