//! What may be done on all threads: with the feature `threads` rayon does it, without it the calling thread, one thing
//! after the other. The results are the same.

pub(crate) use chosen::{inside, join, map};

#[cfg(feature = "threads")]
mod chosen {
    use rayon::prelude::*;

    pub(crate) use rayon::join;

    /// Does work of many steps on one of the threads: called from another, each step would wake them and wait for them.
    pub(crate) fn inside<R: Send>(work: impl FnOnce() -> R + Send) -> R {
        rayon::scope(|_| work())
    }

    /// What becomes of each item, in their order. `room` is made for a few items at a time.
    pub(crate) fn map<T: Send, W, R: Send>(
        items: Vec<T>,
        room: impl Fn() -> W + Sync + Send,
        each: impl Fn(&mut W, T) -> R + Sync + Send,
    ) -> Vec<R> {
        items.into_par_iter().map_init(room, each).collect()
    }
}

#[cfg(not(feature = "threads"))]
mod chosen {
    /// Does work of many steps.
    pub(crate) fn inside<R>(work: impl FnOnce() -> R) -> R {
        work()
    }

    /// Does both.
    pub(crate) fn join<A, B>(first: impl FnOnce() -> A, second: impl FnOnce() -> B) -> (A, B) {
        (first(), second())
    }

    /// What becomes of each item, in their order.
    pub(crate) fn map<T, W, R>(items: Vec<T>, room: impl Fn() -> W, each: impl Fn(&mut W, T) -> R) -> Vec<R> {
        let mut room = room();
        items.into_iter().map(|item| each(&mut room, item)).collect()
    }
}
