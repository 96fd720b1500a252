//! A count of work, for tests that hold that no reader and no message takes quadratic time.
//!
//! What goes through a text, through names, or through an expression says here how many bytes or nodes it examines. Only builds
//! with debug assertions count.

#[cfg(debug_assertions)]
thread_local! {
    static SPENT: std::cell::Cell<u64> = const { std::cell::Cell::new(0) };
}

/// Counts examined bytes (or names, or nodes) of this thread.
#[inline]
pub fn spend(examined: usize) {
    #[cfg(debug_assertions)]
    SPENT.set(SPENT.get() + examined as u64);
    #[cfg(not(debug_assertions))]
    let _ = examined;
}

/// What this thread has counted so far; 0 without debug assertions.
pub fn spent() -> u64 {
    #[cfg(debug_assertions)]
    return SPENT.get();
    #[cfg(not(debug_assertions))]
    0
}
