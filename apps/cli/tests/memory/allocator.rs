//! An allocator that refuses one large allocation, as a system without memory does.

use std::alloc::{GlobalAlloc, Layout, System};
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

/// Those of at most so many bytes are always given: the tables of the libraries that compress pictures are smaller, and so are
/// blocks of vertices and of output.
const LARGE: usize = 256 << 10;

/// How many large allocations there were.
static LARGE_ONES: AtomicU64 = AtomicU64::new(0);

/// The one of them, from 1, that is refused.
static REFUSED: AtomicU64 = AtomicU64::new(0);

/// The system's allocator, with a hole.
struct Refusing;

#[global_allocator]
static ALLOCATOR: Refusing = Refusing;

/// Refuses the n-th large allocation from here on.
pub fn refuse(n: u64) {
    LARGE_ONES.store(0, Relaxed);
    REFUSED.store(n, Relaxed);
}

/// How many large allocations there were.
pub fn large_ones() -> u64 {
    LARGE_ONES.load(Relaxed)
}

fn is_refused(bytes: usize) -> bool {
    bytes > LARGE && LARGE_ONES.fetch_add(1, Relaxed) + 1 == REFUSED.load(Relaxed)
}

// SAFETY: every call goes to the system's allocator as it is, or gives null, which says that there is no memory and leaves
// what there was before.
unsafe impl GlobalAlloc for Refusing {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        if is_refused(layout.size()) {
            return std::ptr::null_mut();
        }
        // SAFETY: the caller's promise.
        unsafe { System.alloc(layout) }
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        if is_refused(layout.size()) {
            return std::ptr::null_mut();
        }
        // SAFETY: the caller's promise.
        unsafe { System.alloc_zeroed(layout) }
    }

    unsafe fn realloc(&self, at: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        if size > layout.size() && is_refused(size) {
            return std::ptr::null_mut();
        }
        // SAFETY: the caller's promise.
        unsafe { System.realloc(at, layout, size) }
    }

    unsafe fn dealloc(&self, at: *mut u8, layout: Layout) {
        // SAFETY: the caller's promise.
        unsafe { System.dealloc(at, layout) }
    }
}
