//! Starting threads.
//!
//! The system may refuse a thread: their number is limited, and each needs address
//! space for its stack. Some calls of the standard library panic then, and a thread
//! panics if it lacks memory to begin with. The functions here return an error instead;
//! a caller passes it on or uses fewer threads. Clippy rejects all other ways, see
//! `.clippy.toml`.

use std::fmt::Display;
use std::io;
use std::sync::Mutex;
use std::sync::mpsc::channel;
use std::thread::{self, Builder, JoinHandle, Scope, ScopedJoinHandle};

use crate::util::memory;
use crate::util::sync::lock;

/// The stack of a thread that calls nothing deep, in bytes.
pub const SMALL_STACK_BYTES: usize = 512 << 10;

/// How many threads can run at once; 1 where that is not known.
pub fn cores() -> usize {
    thread::available_parallelism().map_or(1, usize::from)
}

/// Starts a thread with a stack of `stack_bytes` bytes.
pub fn start<T: Send + 'static>(
    name: &str,
    stack_bytes: usize,
    work: impl FnOnce() -> T + Send + 'static,
) -> io::Result<JoinHandle<T>> {
    builder(name, stack_bytes)?.spawn(work)
}

/// As [`start`], for a thread that ends with `scope`.
pub fn start_scoped<'scope, T: Send + 'scope>(
    scope: &'scope Scope<'scope, '_>,
    name: &str,
    stack_bytes: usize,
    work: impl FnOnce() -> T + Send + 'scope,
) -> io::Result<ScopedJoinHandle<'scope, T>> {
    builder(name, stack_bytes)?.spawn_scoped(scope, work)
}

/// Starts `threads` threads, or as many as the system has room for. Each first calls `prepare`
/// with its number, from 0, then `work` with what that has made. Returns when all are prepared.
///
/// # Errors
///
/// That of the first thread or of its preparation. Those of others are a warning. After a stop
/// there are none.
pub fn start_prepared<'scope, P: 'scope, E: From<io::Error> + Display + Send + 'scope>(
    scope: &'scope Scope<'scope, '_>,
    threads: usize,
    name: &str,
    stack_bytes: usize,
    is_stopped: &dyn Fn() -> bool,
    prepare: impl Fn(usize) -> Result<P, E> + Clone + Send + 'scope,
    work: impl FnOnce(P) + Clone + Send + 'scope,
) -> Result<(), E> {
    for number in 0..threads {
        let (sender, answer) = channel();
        let (prepare, work) = (prepare.clone(), work.clone());
        let prepare_and_work = move || {
            let (made, result) = match prepare(number) {
                Ok(made) => (Some(made), Ok(())),
                Err(error) => (None, Err(error)),
            };
            // The caller waits for the answer.
            let _ = sender.send(result);
            if let Some(made) = made {
                work(made);
            }
        };
        let ended = |_| Err(io::Error::other("the thread ended at once").into());
        let started =
            start_scoped(scope, &format!("{name} {number}"), stack_bytes, prepare_and_work);
        match started.map_err(E::from).and_then(|_| answer.recv().unwrap_or_else(ended)) {
            Ok(()) => {}
            Err(_) if is_stopped() => break,
            Err(error) if number == 0 => return Err(error),
            Err(error) => {
                log::warn!("could not start {threads} threads; using {number}: {error}");
                break;
            }
        }
    }
    Ok(())
}

#[expect(clippy::disallowed_methods, reason = "this is the one place")]
fn builder(name: &str, stack_bytes: usize) -> io::Result<Builder> {
    memory::ensure_address_space(stack_bytes as u64)?;
    Ok(Builder::new().name(name.to_owned()).stack_size(stack_bytes))
}

/// The bytes that a thread fills or clears at a time: fewer take less time than starting a thread.
pub const PART_BYTES: usize = 16 << 20;

/// Calls `work` on parts of `items` of length `part`, the last one perhaps shorter, on
/// all cores or as many threads as the system allows, this one included.
pub fn for_each_part<T: Send>(items: &mut [T], part: usize, work: impl Fn(&mut [T]) + Sync) {
    if items.len() <= part {
        return work(items);
    }
    let threads = cores().min(items.len().div_ceil(part.max(1)));
    let parts = Mutex::new(items.chunks_mut(part.max(1)));
    let next = || lock(&parts).next();
    let share = || {
        while let Some(part) = next() {
            work(part);
        }
    };
    thread::scope(|scope| {
        // Without helpers this thread does everything.
        let _helpers: Vec<_> = (1..threads)
            .map_while(|_| start_scoped(scope, "part", SMALL_STACK_BYTES, share).ok())
            .collect();
        share();
    });
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_thread_has_its_name_and_returns_its_result() {
        let name = || thread::current().name().map(str::to_owned);
        let started = start("porter", SMALL_STACK_BYTES, name).unwrap();
        assert_eq!(started.join().unwrap().as_deref(), Some("porter"));
    }

    #[test]
    fn a_stack_that_is_too_large_is_an_error() {
        let started = start("giant", usize::MAX / 4, || ());
        assert!(started.is_err());
    }

    #[test]
    fn every_item_is_in_exactly_one_part() {
        for (length, part) in [(0, 4), (1, 4), (4, 4), (5, 4), (1000, 7), (10, 0), (64, 1)] {
            let mut items = vec![0; length];
            for_each_part(&mut items, part, |part| part.iter_mut().for_each(|item| *item += 1));
            assert!(items.iter().all(|&item| item == 1), "{length} in parts of {part}");
        }
    }
}
