//! Requests from shard to shard, and their replies.
//!
//! For each ordered pair of shards there are two bounded queues: requests and replies. A shard has at most
//! `capacity` requests under way to another, so replies always have room, and a full queue makes the caller wait,
//! which pushes back to the sockets. Requests of a pair arrive in the order in which they were sent. The receiver
//! is woken by its bell, once for a batch.

use std::cell::RefCell;
use std::future::poll_fn;
use std::rc::Rc;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::task::Poll;

use ahash::AHashMap;
use crossbeam_queue::ArrayQueue;

use super::Runtime;
use super::platform::Bell;
use super::sync::{Budget, Permit, Sender, oneshot};

/// Number of a shard, from 0.
pub type ShardId = u16;

/// The queues of one ordered pair, from → to.
struct Pair<Q, A> {
    requests: ArrayQueue<(u64, Q)>,
    replies: ArrayQueue<(u64, A)>,
}

/// The queues between all shards of a process, made before they start. `Q` are requests, `A` replies.
pub struct Mesh<Q, A> {
    shards: u16,
    capacity: usize,
    pairs: Vec<Pair<Q, A>>,
    bells: Vec<std::sync::OnceLock<Arc<dyn Bell>>>,
    sent: AtomicU64,
}

impl<Q: Send + 'static, A: Send + 'static> Mesh<Q, A> {
    /// Queues for `shards` shards with at most `capacity` requests under way in each direction of each pair.
    #[must_use]
    pub fn new(shards: u16, capacity: usize) -> Arc<Self> {
        let pairs = (0..usize::from(shards) * usize::from(shards))
            .map(|_| Pair { requests: ArrayQueue::new(capacity), replies: ArrayQueue::new(capacity) })
            .collect();
        let bells = (0..shards).map(|_| std::sync::OnceLock::new()).collect();
        Arc::new(Self { shards, capacity, pairs, bells, sent: AtomicU64::new(0) })
    }

    fn pair(&self, from: ShardId, to: ShardId) -> &Pair<Q, A> {
        let index = usize::from(from) * usize::from(self.shards) + usize::from(to);
        match self.pairs.get(index) {
            Some(pair) => pair,
            None => panic!("shard {from} or {to} is not one of {}", self.shards),
        }
    }

    fn ring(&self, to: ShardId) {
        if let Some(bell) = self.bells.get(usize::from(to)).and_then(std::sync::OnceLock::get) {
            bell.ring();
        }
    }

    /// Requests sent since the start, by all shards.
    #[must_use]
    pub fn sent(&self) -> u64 {
        self.sent.load(Ordering::Relaxed)
    }
}

/// Who waits for a reply, and the place that the request takes.
type Caller<A> = (Sender<A>, Permit);

struct PortState<Q, A> {
    runtime: Runtime,
    mesh: Arc<Mesh<Q, A>>,
    id: ShardId,
    waiting: RefCell<AHashMap<(ShardId, u64), Caller<A>>>,
    next: std::cell::Cell<u64>,
    room: Vec<Budget>,
}

/// One shard's end of a [`Mesh`].
pub struct Port<Q, A>(Rc<PortState<Q, A>>);

impl<Q, A> Clone for Port<Q, A> {
    fn clone(&self) -> Self {
        Self(self.0.clone())
    }
}

/// A request that arrived, with the way back. It must be answered: a dropped one leaves its caller waiting for ever,
/// so dropping it is a panic outside of a shutdown.
pub struct ReplyTo {
    from: ShardId,
    token: u64,
}

impl<Q: Send + 'static, A: Send + 'static> Port<Q, A> {
    /// Opens the end of shard `id`, on that shard. Call [`Port::serve`] to receive.
    #[must_use]
    pub fn open(runtime: &Runtime, mesh: Arc<Mesh<Q, A>>, id: ShardId) -> Self {
        if let Some(bell) = mesh.bells.get(usize::from(id)) {
            let _ = bell.set(runtime.bell());
        }
        let room = (0..mesh.shards).map(|_| Budget::new(mesh.capacity as u64)).collect();
        Self(Rc::new(PortState {
            runtime: runtime.clone(),
            mesh,
            id,
            waiting: RefCell::new(AHashMap::new()),
            next: std::cell::Cell::new(0),
            room,
        }))
    }

    /// This shard.
    #[must_use]
    pub fn id(&self) -> ShardId {
        self.0.id
    }

    /// Number of shards.
    #[must_use]
    pub fn shards(&self) -> u16 {
        self.0.mesh.shards
    }

    /// Sends `request` to shard `to` and waits for its reply. The first await ends when the request is in the
    /// queue (so the order of calls is the order of arrival), the second with the reply; None when that shard is
    /// gone.
    pub async fn send(&self, to: ShardId, request: Q) -> super::sync::Receiver<A> {
        let permit = self.room(to).acquire(1).await;
        self.push(to, request, permit)
    }

    /// [`Port::send`] if the queue has room and nobody waits for it; else the request again.
    ///
    /// # Errors
    /// The request.
    pub fn try_send(&self, to: ShardId, request: Q) -> Result<super::sync::Receiver<A>, Q> {
        let room = self.room(to);
        let permit = if room.waiters() == 0 { room.try_acquire(1) } else { None };
        match permit {
            Some(permit) => Ok(self.push(to, request, permit)),
            None => Err(request),
        }
    }

    fn room(&self, to: ShardId) -> &Budget {
        match self.0.room.get(usize::from(to)) {
            Some(room) => room,
            None => panic!("no shard {to}"),
        }
    }

    fn push(&self, to: ShardId, request: Q, permit: Permit) -> super::sync::Receiver<A> {
        let token = self.0.next.get();
        self.0.next.set(token + 1);
        let (sender, receiver) = oneshot();
        self.0.waiting.borrow_mut().insert((to, token), (sender, permit));
        let pushed = self.0.mesh.pair(self.0.id, to).requests.push((token, request));
        assert!(pushed.is_ok(), "a message queue overflowed its budget");
        self.0.mesh.sent.fetch_add(1, Ordering::Relaxed);
        self.0.mesh.ring(to);
        receiver
    }

    /// Sends and waits for the reply.
    pub async fn call(&self, to: ShardId, request: Q) -> Option<A> {
        self.send(to, request).await.await
    }

    /// Answers a request that arrived here.
    pub fn reply(&self, to: ReplyTo, answer: A) {
        let pushed = self.0.mesh.pair(to.from, self.0.id).replies.push((to.token, answer));
        assert!(pushed.is_ok(), "a reply queue overflowed its budget");
        self.0.mesh.ring(to.from);
    }

    /// Receives for ever: gives each request to `handle` (which must not block: it spawns what takes long), and
    /// each reply to who waits for it. In one turn no more requests than a queue holds: what is answered at once makes
    /// room for the next while it is looked at.
    pub async fn serve(&self, mut handle: impl FnMut(Q, ReplyTo)) {
        poll_fn(|context| {
            // Registered before looking, so that what arrives while we look rings again.
            self.0.runtime.on_ring(context);
            let mut more = false;
            for other in 0..self.0.mesh.shards {
                while let Some((token, answer)) = self.0.mesh.pair(self.0.id, other).replies.pop() {
                    let waiting = self.0.waiting.borrow_mut().remove(&(other, token));
                    if let Some((sender, permit)) = waiting {
                        drop(permit);
                        sender.send(answer);
                    }
                }
                let mut left = self.0.mesh.capacity;
                while left > 0
                    && let Some((token, request)) = self.0.mesh.pair(other, self.0.id).requests.pop()
                {
                    handle(request, ReplyTo { from: other, token });
                    left -= 1;
                }
                more |= left == 0;
            }
            if more {
                context.waker().wake_by_ref();
            }
            Poll::<()>::Pending
        })
        .await;
    }
}
