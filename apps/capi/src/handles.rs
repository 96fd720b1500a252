//! The objects that C has handles of.
//!
//! A handle looks like a pointer and is a number: a place in a table, and how often that place was used before. So a null pointer,
//! an object of another kind, one that was freed and a number that was never given out are all noticed, without a look at memory
//! that may not be there. The table also knows who uses an object: several threads at a time may, if it never changes, and else one.

use crate::status::{Failure, gpuzoo_status::*};
use std::collections::VecDeque;
use std::marker::PhantomData;
use std::ops::{Deref, DerefMut};
use std::sync::atomic::{AtomicPtr, AtomicU64, Ordering};
use std::sync::{Mutex, MutexGuard, OnceLock, PoisonError};

/// What handles can be of.
///
/// # Safety
/// No two types have the same number.
pub unsafe trait Object: Send + 'static {
    /// Its number among the kinds of objects.
    const KIND: u16;
}

/// A place of the table. Its state has the generation in the upper half, then the kind of object, then how many use it.
struct Slot {
    state: AtomicU64,
    object: AtomicPtr<()>,
}

impl Slot {
    const fn new() -> Slot {
        Slot { state: AtomicU64::new(1 << 32 | EMPTY), object: AtomicPtr::new(std::ptr::null_mut()) }
    }
}

const USERS: u64 = 0xffff;
/// One has the object alone.
const ALONE: u64 = USERS;
/// A place that holds nothing looks used, so that nobody gets in.
const EMPTY: u64 = ALONE - 1;
/// Bits of a handle that say the place; the others say the generation.
const PLACE_BITS: u32 = usize::BITS / 2;
const GENERATIONS: u64 = 1 << PLACE_BITS;
/// Slots of the first piece of the table; each piece has twice as many as the one before.
const FIRST: usize = 64;

/// The first piece is always there: most programs need no other.
static SLOTS: [Slot; FIRST] = [const { Slot::new() }; FIRST];
static PIECES: [OnceLock<Box<[Slot]>>; PLACE_BITS as usize - 5] = [const { OnceLock::new() }; _];

/// Which places are free. One that became free is used again late, so that old handles are noticed for longer.
struct Places {
    free: VecDeque<usize>,
    next: usize,
}

static PLACES: Mutex<Places> = Mutex::new(Places { free: VecDeque::new(), next: 0 });

/// A place is used again when so many others are free.
const LEAST_FREE: usize = FIRST / 2;

fn places() -> MutexGuard<'static, Places> {
    // Nothing that is done under the lock can leave it half done.
    PLACES.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The piece of a place, and where in it.
fn piece(place: usize) -> (usize, usize) {
    let number = (place / FIRST + 1).ilog2() as usize;
    (number, place - FIRST * ((1 << number) - 1))
}

#[inline]
fn slot(place: usize) -> Option<&'static Slot> {
    SLOTS.get(place).or_else(|| slot_of_piece(place))
}

#[cold]
fn slot_of_piece(place: usize) -> Option<&'static Slot> {
    let (piece, at) = piece(place);
    PIECES.get(piece)?.get()?.get(at)
}

/// How many objects there are.
pub fn count() -> usize {
    let places = places();
    places.next - places.free.len()
}

/// The state of an object that nobody uses.
#[inline]
fn unused<T: Object>(generation: u64) -> u64 {
    generation << 32 | u64::from(T::KIND) << 16
}

/// Gives an object to the table.
pub fn give<T: Object>(object: T) -> Result<*mut T, Failure> {
    let too_many = || Failure::new(GPUZOO_ERR_MEMORY, "there are too many objects");
    let mut places = places();
    let place = if places.free.len() > LEAST_FREE { places.free.pop_front() } else { None };
    let place = place.unwrap_or(places.next);
    let (number, _) = piece(place);
    if number > 0 {
        let piece = PIECES.get(number).filter(|_| (place as u64) < GENERATIONS).ok_or_else(too_many)?;
        piece.get_or_init(|| (0..FIRST << number).map(|_| Slot::new()).collect());
    }
    let slot = slot(place).ok_or_else(too_many)?;
    places.next += usize::from(place == places.next);
    drop(places);
    // The place was free: nobody has a handle of this generation, and nobody gets in before the state changes.
    slot.object.store(Box::into_raw(Box::new(object)).cast(), Ordering::Relaxed);
    let generation = slot.state.load(Ordering::Acquire) >> 32;
    slot.state.store(unused::<T>(generation), Ordering::Release);
    Ok(std::ptr::without_provenance_mut(place | (generation as usize) << PLACE_BITS))
}

/// The place and the generation of a handle.
#[inline]
fn parts(handle: usize) -> (usize, u64) {
    (handle & ((1 << PLACE_BITS) - 1), (handle >> PLACE_BITS) as u64)
}

/// Why an object cannot be had that is not in the state that it should have.
#[cold]
fn refused(handle: usize, state: Option<u64>, wanted: u64) -> Failure {
    let message = match state {
        _ if handle == 0 => "a handle is NULL",
        Some(state) if state >> 32 == wanted >> 32 && state & USERS != EMPTY => {
            if state >> 16 == wanted >> 16 {
                return Failure::new(GPUZOO_ERR_BUSY, "another thread uses the object");
            }
            "a handle is of an object of another kind"
        }
        _ => "a handle is none of an object that is there: it was freed, or never was one",
    };
    Failure::new(GPUZOO_ERR_HANDLE, message)
}

/// An object that several may use at a time.
pub struct Shared<T> {
    slot: &'static Slot,
    object: *const T,
}

/// Looks an object up that does not change.
pub fn shared<T: Object + Sync>(handle: *const T) -> Result<Shared<T>, Failure> {
    let (place, generation) = parts(handle.addr());
    let wanted = unused::<T>(generation);
    let slot = slot(place).ok_or_else(|| refused(handle.addr(), None, wanted))?;
    let mut state = slot.state.load(Ordering::Acquire);
    loop {
        if state >> 16 != wanted >> 16 || state & USERS >= EMPTY - 1 {
            return Err(refused(handle.addr(), Some(state), wanted));
        }
        match slot.state.compare_exchange_weak(state, state + 1, Ordering::Acquire, Ordering::Acquire) {
            Ok(_) => return Ok(Shared { slot, object: slot.object.load(Ordering::Relaxed).cast() }),
            Err(now) => state = now,
        }
    }
}

impl<T> Deref for Shared<T> {
    type Target = T;

    fn deref(&self) -> &T {
        // SAFETY: its state says that it is of this kind, and counts this user, so that nobody changes or frees it; it is `Sync`.
        unsafe { &*self.object }
    }
}

impl<T> Drop for Shared<T> {
    fn drop(&mut self) {
        self.slot.state.fetch_sub(1, Ordering::Release);
    }
}

/// An object that one has alone.
pub struct Alone<T> {
    slot: &'static Slot,
    unused: u64,
    object: *mut T,
    kind: PhantomData<T>,
}

/// Looks an object up that may change.
#[inline]
pub fn alone<T: Object>(handle: *mut T) -> Result<Alone<T>, Failure> {
    let (place, generation) = parts(handle.addr());
    let unused = unused::<T>(generation);
    let Some(slot) = slot(place) else { return Err(refused(handle.addr(), None, unused)) };
    match slot.state.compare_exchange(unused, unused | ALONE, Ordering::Acquire, Ordering::Relaxed) {
        Ok(_) => {
            let object = slot.object.load(Ordering::Relaxed).cast();
            Ok(Alone { slot, unused, object, kind: PhantomData })
        }
        Err(state) => Err(refused(handle.addr(), Some(state), unused)),
    }
}

impl<T> Deref for Alone<T> {
    type Target = T;

    #[inline]
    fn deref(&self) -> &T {
        // SAFETY: its state says that it is of this kind, and that nobody else has it.
        unsafe { &*self.object }
    }
}

impl<T> DerefMut for Alone<T> {
    #[inline]
    fn deref_mut(&mut self) -> &mut T {
        // SAFETY: as above; the borrow of `self` is the only one.
        unsafe { &mut *self.object }
    }
}

impl<T> Drop for Alone<T> {
    #[inline]
    fn drop(&mut self) {
        // What a panic left behind may be half changed: its handle is one of nothing from now on, and its place is lost.
        let gone = || next(self.unused >> 32) << 32 | EMPTY;
        let state = if std::thread::panicking() { gone() } else { self.unused };
        self.slot.state.store(state, Ordering::Release);
    }
}

/// The generation after another one. None is 0, so that no handle is.
fn next(generation: u64) -> u64 {
    ((generation + 1) % GENERATIONS).max(1)
}

/// Takes an object out of the table; of NULL there is nothing to take.
pub fn free<T: Object>(handle: *mut T) -> Result<(), Failure> {
    if handle.is_null() {
        return Ok(());
    }
    let alone = alone(handle)?;
    let (slot, object) = (alone.slot, alone.object);
    // From here the place is this function's, without an end that lets others in.
    std::mem::forget(alone);
    let (place, generation) = parts(handle.addr());
    slot.state.store(next(generation) << 32 | EMPTY, Ordering::Release);
    places().free.push_back(place);
    // SAFETY: `give` made it of a box of this kind; it was had alone, and no state leads to it any more.
    drop(unsafe { Box::from_raw(object) });
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::status::gpuzoo_status;

    // SAFETY: nothing else has these numbers.
    unsafe impl Object for u32 {
        const KIND: u16 = 100;
    }
    // SAFETY: as above.
    unsafe impl Object for u64 {
        const KIND: u16 = 101;
    }

    fn status_of<T>(result: Result<T, Failure>) -> gpuzoo_status {
        result.map_or_else(|failure| failure.status(), |_| GPUZOO_OK)
    }

    #[test]
    fn places_have_slots_of_their_own() {
        let mut seen = std::collections::HashSet::new();
        for place in 0..10_000 {
            let (number, at) = piece(place);
            assert!(at < FIRST << number && seen.insert((number, at)), "{place}");
        }
    }

    #[test]
    fn what_is_no_handle_is_noticed() {
        let handle = give(7u32).ok().unwrap();
        assert_eq!(*shared(handle).ok().unwrap(), 7);
        *alone(handle).ok().unwrap() = 8;
        assert_eq!(status_of(shared(handle.cast::<u64>())), GPUZOO_ERR_HANDLE);
        assert_eq!(status_of(free(handle.cast::<u64>())), GPUZOO_ERR_HANDLE);
        assert_eq!(*shared(handle).ok().unwrap(), 8);
        assert_eq!(status_of(free(handle)), GPUZOO_OK);
        assert_eq!(status_of(shared(handle)), GPUZOO_ERR_HANDLE);
        assert_eq!(status_of(free(handle)), GPUZOO_ERR_HANDLE);
        assert_eq!(status_of(free(std::ptr::null_mut::<u32>())), GPUZOO_OK);
        for wild in
            [1, 3 << PLACE_BITS | 5, 0x1234, usize::MAX, usize::MAX - 1, handle.addr() ^ 1 << PLACE_BITS]
        {
            assert_eq!(
                status_of(alone::<u32>(std::ptr::without_provenance_mut(wild))),
                GPUZOO_ERR_HANDLE,
                "{wild:x}"
            );
        }
    }

    #[test]
    fn who_is_busy_is_not_disturbed() {
        let handle = give(1u32).ok().unwrap();
        let one = alone(handle).ok().unwrap();
        assert_eq!(status_of(alone(handle)), GPUZOO_ERR_BUSY);
        assert_eq!(status_of(shared(handle)), GPUZOO_ERR_BUSY);
        assert_eq!(status_of(free(handle)), GPUZOO_ERR_BUSY);
        drop(one);
        let (one, other) = (shared(handle), shared(handle));
        assert_eq!((status_of(free(handle)), status_of(alone(handle))), (GPUZOO_ERR_BUSY, GPUZOO_ERR_BUSY));
        drop((one, other));
        assert_eq!(status_of(free(handle)), GPUZOO_OK);
    }

    /// A handle that was freed is noticed even after its place was used again.
    #[test]
    fn places_are_used_again_under_other_numbers() {
        let first = give(0u32).ok().unwrap();
        free(first).ok().unwrap();
        let others: Vec<*mut u32> = (0..FIRST as u32 * 9)
            .map(|number| {
                let handle = give(number).ok().unwrap();
                assert_eq!(*shared(handle).ok().unwrap(), number);
                free(handle).ok().unwrap();
                handle
            })
            .collect();
        let place = |handle: &*mut u32| handle.addr() & ((1 << PLACE_BITS) - 1);
        assert!(others.iter().any(|other| place(other) == place(&first)));
        assert!(others.iter().chain([&first]).all(|handle| status_of(shared(*handle)) == GPUZOO_ERR_HANDLE));
    }

    #[test]
    fn what_a_panic_left_is_gone() {
        let handle = give(1u32).ok().unwrap();
        let panics = std::panic::catch_unwind(|| {
            let _alone = alone(handle).ok().unwrap();
            std::panic::resume_unwind(Box::new(()));
        });
        assert!(panics.is_err());
        assert_eq!(status_of(alone(handle)), GPUZOO_ERR_HANDLE);
    }
}
