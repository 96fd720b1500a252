//! Memory is taken for a draw and for thousands of its primitives, but not for each: a program of its own, since its allocator
//! counts.

use gpuzoo_raster::*;
use std::alloc::{GlobalAlloc, Layout, System};
use std::sync::atomic::{AtomicU64, Ordering};

struct Counting;

static ALLOCATIONS: AtomicU64 = AtomicU64::new(0);

// SAFETY: it does what the system's does.
#[allow(unsafe_code, reason = "there is no other way to count allocations")]
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        ALLOCATIONS.fetch_add(1, Ordering::Relaxed);
        // SAFETY: the caller keeps the system's rules, which are those of the trait.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, memory: *mut u8, layout: Layout) {
        // SAFETY: as above; the memory came from there.
        unsafe { System.dealloc(memory, layout) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

/// Allocations of a draw of so many triangles of three pixels, some of them beyond the border.
fn allocations(triangles: usize) -> u64 {
    let at = |number: usize| {
        let [x, y] = [number % 63, number / 63 % 31].map(|place| place as f32);
        [[x, y], [x + 2.5, y], [x, y + 2.5]].map(|[x, y]| [x - 1.0, y - 1.0, 0.5, 1.0])
    };
    let positions: Vec<[f32; 4]> = (0..triangles).flat_map(at).collect();
    let vertices = Vertices::new(&positions, &positions, 1).unwrap();
    let mut target = Target::new(64, 32).unwrap();
    let rules = Rules { placement: Placement::Divided, ..Rules::default() };
    let stage = PerFragment(|fragment: Fragment<'_>| Some(fragment.varying(0)));
    let (state, list) = (State::sized(64, 32), Primitives::all(Topology::TriangleList));
    let before = ALLOCATIONS.load(Ordering::Relaxed);
    let stats = draw(&mut target, &rules, &state, vertices, list, &stage);
    let count = ALLOCATIONS.load(Ordering::Relaxed) - before;
    assert_eq!(stats.primitives, triangles as u64);
    assert!(stats.drawn > triangles as u64 / 2 && stats.written > triangles as u64, "{stats:?}");
    count
}

#[test]
fn nothing_is_allocated_for_a_triangle() {
    let (few, many) = (allocations(100_000), allocations(300_000));
    // Some for each of 12 more chunks of 16,384 triangles; the first two chunks make room for all that follow.
    assert!(many < few + 12 * 100, "{few} allocations for 100,000 triangles, {many} for 300,000");
}
