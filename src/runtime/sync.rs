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

/// Who waits for a part of a budget.
struct Waiter {
    ticket: u64,
    waker: Waker,
}

struct BudgetState {
    limit: u64,
    used: Cell<u64>,
    next_ticket: Cell<u64>,
    waiting: RefCell<VecDeque<Waiter>>,
}

/// A counted budget (bytes, slots) of one shard. Who waits is served in order, a large amount before a smaller one
/// that came later.
#[derive(Clone)]
pub struct Budget(Rc<BudgetState>);

impl Budget {
    /// A budget of `limit` units.
    #[must_use]
    pub fn new(limit: u64) -> Self {
        Self(Rc::new(BudgetState {
            limit,
            used: Cell::new(0),
            next_ticket: Cell::new(0),
            waiting: RefCell::new(VecDeque::new()),
        }))
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

    /// Who waits for a part.
    #[must_use]
    pub fn waiters(&self) -> usize {
        self.0.waiting.borrow().len()
    }

    /// Takes `amount` at once, or None. An amount over the whole limit is granted when nothing else is in use, so
    /// that it can be served at all. Does not ask who waits.
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
    pub fn acquire(&self, amount: u64) -> impl Future<Output = Permit> + use<> {
        Acquire { budget: self.clone(), amount, ticket: None }
    }

    fn release(&self, amount: u64) {
        let used = self.0.used.get();
        assert!(used >= amount, "a budget was given back more than was taken");
        self.0.used.set(used - amount);
        self.wake_first();
    }

    fn wake_first(&self) {
        let first = self.0.waiting.borrow().front().map(|waiter| waiter.waker.clone());
        if let Some(waker) = first {
            waker.wake();
        }
    }
}

struct Acquire {
    budget: Budget,
    amount: u64,
    ticket: Option<u64>,
}

impl Future for Acquire {
    type Output = Permit;
    fn poll(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Permit> {
        let first = self.budget.0.waiting.borrow().front().map(|waiter| waiter.ticket);
        if (first.is_none() || first == self.ticket)
            && let Some(permit) = self.budget.try_acquire(self.amount)
        {
            if self.ticket.take().is_some() {
                self.budget.0.waiting.borrow_mut().pop_front();
                // There may be room for the next one, too.
                self.budget.wake_first();
            }
            return Poll::Ready(permit);
        }
        let mut waiting = self.budget.0.waiting.borrow_mut();
        match self.ticket {
            Some(ticket) => {
                if let Some(waiter) = waiting.iter_mut().find(|waiter| waiter.ticket == ticket) {
                    waiter.waker.clone_from(context.waker());
                }
            }
            None => {
                let ticket = self.budget.0.next_ticket.get();
                self.budget.0.next_ticket.set(ticket + 1);
                waiting.push_back(Waiter { ticket, waker: context.waker().clone() });
                drop(waiting);
                self.ticket = Some(ticket);
            }
        }
        Poll::Pending
    }
}

impl Drop for Acquire {
    fn drop(&mut self) {
        let Some(ticket) = self.ticket else { return };
        let removed = {
            let mut waiting = self.budget.0.waiting.borrow_mut();
            let place = waiting.iter().position(|waiter| waiter.ticket == ticket);
            place.and_then(|place| waiting.remove(place).map(|waiter| (place, waiter)))
        };
        if let Some((0, _)) = removed {
            self.budget.wake_first();
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

#[cfg(test)]
mod tests {
    use super::super::executor::Executor;
    use super::*;

    fn run(executor: &Executor) {
        while executor.run_one() {}
    }

    #[test]
    fn a_budget_serves_in_order_and_forgets_who_left() {
        let executor = Executor::new(None);
        let budget = Budget::new(10);
        let order = Rc::new(RefCell::new(Vec::new()));
        let held = budget.try_acquire(8).unwrap();
        let mut tasks: Vec<_> = [(1, 9u64), (2, 2), (3, 5), (4, 20)]
            .into_iter()
            .map(|(number, amount)| {
                let (budget, order) = (budget.clone(), order.clone());
                Some(executor.spawn(async move {
                    let permit = budget.acquire(amount).await;
                    order.borrow_mut().push(number);
                    permit
                }))
            })
            .collect();
        run(&executor);
        assert!(order.borrow().is_empty(), "the second has room, but the first came before it");
        drop(tasks[0].take());
        run(&executor);
        assert_eq!(*order.borrow(), [2]);
        drop(held);
        run(&executor);
        assert_eq!(*order.borrow(), [2, 3]);
        assert_eq!(budget.used(), 7);
        let permits: Vec<_> =
            tasks.drain(1..3).map(|task| futures_lite::future::block_on(task.unwrap())).collect();
        run(&executor);
        assert_eq!(order.borrow().len(), 2, "more than the limit waits until nothing is in use");
        drop(permits);
        run(&executor);
        assert_eq!(*order.borrow(), [2, 3, 4]);
        drop(tasks);
        run(&executor);
        assert_eq!(budget.used(), 0);
    }

    #[test]
    fn a_notification_reaches_who_waited_before_it() {
        let notify = Notify::default();
        let before = notify.wait();
        notify.notify();
        assert!(futures_lite::future::block_on(futures_lite::future::poll_once(before)).is_some());
        let after = notify.wait();
        assert!(futures_lite::future::block_on(futures_lite::future::poll_once(after)).is_none());
    }
}
