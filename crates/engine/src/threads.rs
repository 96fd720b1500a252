//! Two things at once: on two threads of rayon's pool with the feature `threads`, one after the other without it.

#[cfg(feature = "threads")]
pub(crate) use rayon::join;

#[cfg(not(feature = "threads"))]
pub(crate) fn join<A, B>(first: impl FnOnce() -> A, second: impl FnOnce() -> B) -> (A, B) {
    (first(), second())
}
