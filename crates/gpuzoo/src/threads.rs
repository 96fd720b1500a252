//! The threads that compute: one pool for a whole invocation. Without the feature `threads` there is one.

#[cfg(feature = "threads")]
use rayon::prelude::*;

/// How many compute here.
pub(crate) fn count() -> usize {
    #[cfg(feature = "threads")]
    return rayon::current_num_threads();
    #[cfg(not(feature = "threads"))]
    1
}

/// Does something with each of some things, which are numbered, on all threads.
pub(crate) fn for_each<T: Send>(all: &mut [T], work: impl Fn(usize, &mut T) + Send + Sync) {
    #[cfg(feature = "threads")]
    all.par_iter_mut().enumerate().for_each(|(number, one)| work(number, one));
    #[cfg(not(feature = "threads"))]
    all.iter_mut().enumerate().for_each(|(number, one)| work(number, one));
}

/// Does something on a pool of threads, one for each core that this process may use: of `wanted`, if it is fewer. More
/// threads than cores would compute nothing sooner. Where the system refuses threads, there are fewer; in the end the calling
/// thread does everything.
///
/// ```
/// let threads = |wanted| gpuzoo::threads::on_pool(wanted, rayon::current_num_threads);
/// assert_eq!(threads(Some(1)), 1);
/// assert!(threads(Some(20_000)) <= threads(None));
/// ```
#[cfg(feature = "threads")]
pub fn on_pool<T: Send>(wanted: Option<usize>, work: impl FnOnce() -> T + Send) -> T {
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let mut threads = wanted.unwrap_or(cores).clamp(1, cores);
    while threads > 1 {
        if let Ok(pool) = rayon::ThreadPoolBuilder::new().num_threads(threads).build() {
            return pool.install(work);
        }
        threads /= 2;
    }
    // The calling thread is the pool, so none is made.
    match rayon::ThreadPoolBuilder::new().num_threads(1).use_current_thread().build() {
        Ok(pool) => pool.install(work),
        // It is in a pool already, which is as good.
        Err(_) => work(),
    }
}
