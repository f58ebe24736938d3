//! Locks that ignore poisoning, and atomics for the model checker.
//!
//! A mutex is poisoned when a thread panics while holding it. The data behind our locks
//! are valid between any two statements, so other threads may go on and answer the
//! client.

use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Instant;

/// The atomics of the standard library or, with the feature `loom`, of a model checker
/// that tries every order in which threads can see them.
pub mod atomic {
    #[cfg(feature = "loom")]
    pub use loom::sync::atomic::{AtomicU8, AtomicU16, AtomicU32, AtomicU64, Ordering};
    #[cfg(not(feature = "loom"))]
    pub use std::sync::atomic::{AtomicU8, AtomicU16, AtomicU32, AtomicU64, Ordering};
}

/// Locks, poisoned or not.
pub fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Waits for a change, however long it takes.
pub fn wait<'a, T>(condition: &Condvar, guard: MutexGuard<'a, T>) -> MutexGuard<'a, T> {
    condition.wait(guard).unwrap_or_else(PoisonError::into_inner)
}

/// Waits for a change until `deadline` at most; `None` when that has passed.
pub fn wait_until<'a, T>(
    condition: &Condvar,
    guard: MutexGuard<'a, T>,
    deadline: Instant,
) -> Option<MutexGuard<'a, T>> {
    let left = deadline.checked_duration_since(Instant::now()).filter(|left| !left.is_zero())?;
    let (guard, _) = condition.wait_timeout(guard, left).unwrap_or_else(PoisonError::into_inner);
    Some(guard)
}
