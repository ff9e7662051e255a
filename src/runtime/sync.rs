//! Waiting between tasks of one shard: a notification, a one-time value, a counted budget. Nothing here is shared
//! between threads.

use std::cell::{Cell, RefCell};
use std::collections::VecDeque;
use std::future::{Future, poll_fn};
use std::pin::Pin;
use std::rc::Rc;
use std::task::{Context, Poll, Waker};

/// Wakes every task that waits at the moment of [`Notify::notify`]. Check the condition, then wait, in a loop.
#[derive(Default)]
pub struct Notify {
    generation: Cell<u64>,
    waiting: RefCell<Vec<Waker>>,
}

impl Notify {
    /// Wakes all who wait now.
    pub fn notify(&self) {
        self.generation.set(self.generation.get() + 1);
        for waker in self.waiting.take() {
            waker.wake();
        }
    }

    /// Ends at the next [`Notify::notify`] after this call (not after its first poll).
    pub fn wait(&self) -> impl Future<Output = ()> + '_ {
        let seen = self.generation.get();
        poll_fn(move |context| {
            if self.generation.get() != seen {
                return Poll::Ready(());
            }
            let mut waiting = self.waiting.borrow_mut();
            if !waiting.iter().any(|waker| waker.will_wake(context.waker())) {
                waiting.push(context.waker().clone());
            }
            Poll::Pending
        })
    }
}

struct OneshotSlot<T> {
    value: Option<T>,
    waker: Option<Waker>,
    sender_gone: bool,
}

/// Gives the value of a [`oneshot`].
pub struct Sender<T>(Rc<RefCell<OneshotSlot<T>>>);

/// Waits for the value of a [`oneshot`]: None when the sender was dropped without one.
pub struct Receiver<T>(Rc<RefCell<OneshotSlot<T>>>);

/// A value given once from one task of a shard to another.
#[must_use]
pub fn oneshot<T>() -> (Sender<T>, Receiver<T>) {
    let slot = Rc::new(RefCell::new(OneshotSlot { value: None, waker: None, sender_gone: false }));
    (Sender(slot.clone()), Receiver(slot))
}

impl<T> Sender<T> {
    /// Gives the value and wakes who waits.
    pub fn send(self, value: T) {
        self.0.borrow_mut().value = Some(value);
    }
}

impl<T> Drop for Sender<T> {
    fn drop(&mut self) {
        let waker = {
            let mut slot = self.0.borrow_mut();
            slot.sender_gone = true;
            slot.waker.take()
        };
        if let Some(waker) = waker {
            waker.wake();
        }
    }
}

impl<T> Future for Receiver<T> {
    type Output = Option<T>;
    fn poll(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<T>> {
        let mut slot = self.0.borrow_mut();
        if let Some(value) = slot.value.take() {
            return Poll::Ready(Some(value));
        }
        if slot.sender_gone {
            return Poll::Ready(None);
        }
        slot.waker = Some(context.waker().clone());
        Poll::Pending
    }
}

struct BudgetState {
    limit: u64,
    used: Cell<u64>,
    waiting: RefCell<VecDeque<(u64, Waker)>>,
}

/// A counted budget (bytes, slots) of one shard. Who waits is served in order.
#[derive(Clone)]
pub struct Budget(Rc<BudgetState>);

impl Budget {
    /// A budget of `limit` units.
    #[must_use]
    pub fn new(limit: u64) -> Self {
        Self(Rc::new(BudgetState { limit, used: Cell::new(0), waiting: RefCell::new(VecDeque::new()) }))
    }

    /// Units in use.
    #[must_use]
    pub fn used(&self) -> u64 {
        self.0.used.get()
    }

    /// The limit.
    #[must_use]
    pub fn limit(&self) -> u64 {
        self.0.limit
    }

    /// Takes `amount` at once, or None. An amount over the whole limit is granted when nothing else is in use, so
    /// that it can be served at all.
    #[must_use]
    pub fn try_acquire(&self, amount: u64) -> Option<Permit> {
        let used = self.0.used.get();
        if used == 0 || used.saturating_add(amount) <= self.0.limit {
            self.0.used.set(used + amount);
            Some(Permit { budget: self.clone(), amount })
        } else {
            None
        }
    }

    /// Takes `amount`, waiting until there is room.
    pub async fn acquire(&self, amount: u64) -> Permit {
        let mut queued = false;
        poll_fn(|context| {
            if (queued || self.0.waiting.borrow().is_empty())
                && let Some(permit) = self.try_acquire(amount)
            {
                return Poll::Ready(permit);
            }
            self.0.waiting.borrow_mut().push_back((amount, context.waker().clone()));
            queued = true;
            Poll::Pending
        })
        .await
    }

    fn release(&self, amount: u64) {
        let used = self.0.used.get();
        assert!(used >= amount, "a budget was given back more than was taken");
        self.0.used.set(used - amount);
        let woken: Vec<_> = self.0.waiting.borrow_mut().drain(..).collect();
        for (_, waker) in woken {
            waker.wake();
        }
    }
}

/// A part of a [`Budget`], given back when dropped.
pub struct Permit {
    budget: Budget,
    amount: u64,
}

impl Drop for Permit {
    fn drop(&mut self) {
        self.budget.release(self.amount);
    }
}
