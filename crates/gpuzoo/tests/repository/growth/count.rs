//! What counts as work: bytes that are allocated, and what readers and messages say that they examine.
//!
//! Copies, concatenations, lists of candidates and their sorting allocate; passes over a text, over names and over an
//! expression's nodes are counted by [`gpuzoo_diag::work`]. Both are exact, so that a faster or busier machine changes nothing.

use gpuzoo_diag::work::spent;
use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;

thread_local! {
    static ALLOCATED: Cell<u64> = const { Cell::new(0) };
}

/// The system's allocator, which counts the bytes that a thread asks for.
struct Counting;

#[global_allocator]
static ALLOCATOR: Counting = Counting;

fn count(bytes: usize) {
    // A thread that ends frees what it holds when its counter is gone.
    let _ = ALLOCATED.try_with(|allocated| allocated.set(allocated.get() + bytes as u64));
}

// SAFETY: every call goes to the system's allocator as it is.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        count(layout.size());
        // SAFETY: the caller's promise.
        unsafe { System.alloc(layout) }
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        count(layout.size());
        // SAFETY: the caller's promise.
        unsafe { System.alloc_zeroed(layout) }
    }

    unsafe fn realloc(&self, at: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        count(size.saturating_sub(layout.size()));
        // SAFETY: the caller's promise.
        unsafe { System.realloc(at, layout, size) }
    }

    unsafe fn dealloc(&self, at: *mut u8, layout: Layout) {
        // SAFETY: the caller's promise.
        unsafe { System.dealloc(at, layout) }
    }
}

/// The work of this thread in a function, and what it gives.
pub fn work<T>(function: impl FnOnce() -> T) -> (u64, T) {
    let before = ALLOCATED.get() + spent();
    let result = function();
    (ALLOCATED.get() + spent() - before, result)
}
