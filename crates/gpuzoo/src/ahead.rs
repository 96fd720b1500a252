//! Work that other threads do meanwhile. Its results come in the order in which it was given.

use std::collections::VecDeque;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::thread;

/// Work that was given, and of which no result was taken yet.
pub(crate) struct Ahead<T> {
    given: VecDeque<Receiver<thread::Result<T>>>,
    most: usize,
}

impl<T: Send + 'static> Ahead<T> {
    /// At most so much work is given at a time, and no more than there are threads; on a single thread each is done when it is
    /// given.
    pub fn new(most: usize) -> Ahead<T> {
        Ahead { given: VecDeque::new(), most: most.min(threads()) }
    }

    /// Gives work. Its results, and those before it, are to be taken with [`next`](Ahead::next).
    pub fn give(&mut self, work: impl FnOnce() -> T + Send + 'static) {
        let (sender, receiver) = sync_channel(1);
        self.given.push_back(receiver);
        if self.most == 0 { run(work, &sender) } else { spawn(move || run(work, &sender)) }
    }

    /// The next result, if it is there; it is waited for if as much work is given as may be.
    pub fn next(&mut self) -> Option<T> {
        if self.given.len() >= self.most.max(1) {
            return self.wait();
        }
        let done = self.given.front()?.try_recv().ok()?;
        self.given.pop_front();
        Some(result(done))
    }

    /// The next result, if any work was given of which none was taken yet.
    pub fn wait(&mut self) -> Option<T> {
        let receiver = self.given.pop_front()?;
        // As long as work waits for a thread, this one does it.
        loop {
            if let Ok(done) = receiver.try_recv() {
                return Some(result(done));
            }
            if !helps() {
                return Some(result(receiver.recv().unwrap_or_else(|lost| Err(Box::new(lost)))));
            }
        }
    }
}

fn run<T>(work: impl FnOnce() -> T, sender: &SyncSender<thread::Result<T>>) {
    // Nobody may want it any more.
    let _ = sender.send(catch_unwind(AssertUnwindSafe(work)));
}

/// What was done; if the work panicked, so does this thread.
fn result<T>(done: thread::Result<T>) -> T {
    done.unwrap_or_else(|panic| resume_unwind(panic))
}

/// How many results may be waited for: none where a single thread would do it all.
#[cfg(feature = "threads")]
fn threads() -> usize {
    match rayon::current_num_threads() {
        1 => 0,
        threads => threads,
    }
}

#[cfg(feature = "threads")]
fn spawn(work: impl FnOnce() + Send + 'static) {
    rayon::spawn(work);
}

/// Does something that waits for a thread, if there is anything and this is one of the threads.
#[cfg(feature = "threads")]
fn helps() -> bool {
    rayon::yield_now() == Some(rayon::Yield::Executed)
}

#[cfg(not(feature = "threads"))]
fn threads() -> usize {
    0
}

#[cfg(not(feature = "threads"))]
fn spawn(work: impl FnOnce()) {
    work();
}

#[cfg(not(feature = "threads"))]
fn helps() -> bool {
    false
}

#[cfg(all(test, feature = "threads"))]
mod tests {
    use super::*;
    use crate::threads::on_pool;
    use std::sync::atomic::{AtomicUsize, Ordering};

    /// Gives some work after the other, and takes results as soon as they are there.
    fn all(most: usize, work: impl Fn(usize) -> usize + Copy + Send + 'static) -> Vec<usize> {
        let mut ahead = Ahead::new(most);
        let mut results = Vec::new();
        for n in 0..100 {
            ahead.give(move || work(n));
            results.extend(std::iter::from_fn(|| ahead.next()));
            assert!(ahead.given.len() < most.max(1));
        }
        results.extend(std::iter::from_fn(|| ahead.wait()));
        results
    }

    #[test]
    fn results_come_in_order() {
        for threads in [1, 2, 4] {
            for most in [0, 1, 2, 16] {
                // The first of every few takes longest.
                let slow =
                    |n: usize| (0..10_000 * (7 - n % 7)).fold(n, |sum, i| std::hint::black_box(sum ^ i) ^ i);
                let found = on_pool(Some(threads), || all(most, slow));
                assert!(found.into_iter().eq(0..100), "{threads} {most}");
            }
        }
        // Of a thread that is in no pool.
        assert!(all(3, |n| n).into_iter().eq(0..100));
    }

    #[test]
    fn a_single_thread_does_it_at_once() {
        static DONE: AtomicUsize = AtomicUsize::new(0);
        on_pool(Some(1), || {
            let mut ahead = Ahead::new(16);
            ahead.give(|| DONE.fetch_add(1, Ordering::Relaxed));
            assert_eq!((DONE.load(Ordering::Relaxed), ahead.next(), ahead.next()), (1, Some(0), None));
        });
    }

    #[test]
    fn a_panic_comes_back() {
        for threads in [1, 2] {
            let caught = catch_unwind(|| {
                on_pool(Some(threads), || all(2, |n| if n == 7 { panic!("seven") } else { n }))
            });
            assert_eq!(caught.unwrap_err().downcast_ref(), Some(&"seven"), "{threads}");
        }
    }
}
