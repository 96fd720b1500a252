//! The caller's memory: what comes in, and where results go.

use crate::status::{Failure, gpuzoo_status::*};

/// The largest structure that any version has.
const LARGEST_STRUCT: usize = 4096;

/// A structure of options, which begins with its size: the same code takes those of older and newer headers. All bits are values of
/// it, and all zeros mean what is usual.
///
/// # Safety
/// `#[repr(C)]`, the first field is a `usize`, and every sequence of bytes is a value.
pub(crate) unsafe trait Options: Copy {}

/// A structure of the caller; that of all zeros where there is none.
///
/// # Safety
/// The pointer is null, or there are as many bytes as its first field says.
pub(crate) unsafe fn options<T: Options>(from: *const T) -> Result<T, Failure> {
    // SAFETY: zeros are a value, as the trait says.
    let mut own: T = unsafe { std::mem::zeroed() };
    if from.is_null() {
        return Ok(own);
    }
    // SAFETY: a structure begins with its size.
    let size = unsafe { from.cast::<usize>().read_unaligned() };
    if !(size_of::<usize>()..=LARGEST_STRUCT).contains(&size) {
        return Err(Failure::argument(format!(
            "a structure says that its size is {size}: set struct_size to sizeof it"
        )));
    }
    // SAFETY: so many bytes are there, and `own` has room for those that are known.
    unsafe {
        std::ptr::copy_nonoverlapping(from.cast::<u8>(), (&raw mut own).cast(), size.min(size_of::<T>()));
        let beyond = (size_of::<T>()..size).any(|at| from.cast::<u8>().add(at).read() != 0);
        match beyond {
            true => Err(Failure::argument(
                "a structure of a newer version asks for what this library does not know",
            )),
            false => Ok(own),
        }
    }
}

/// Writes a structure that begins with its size, as much of it as the caller has room for.
///
/// # Safety
/// The pointer is null, or there are as many bytes as its first field says.
pub(crate) unsafe fn store_sized<T: Options>(to: *mut T, value: T) -> Result<(), Failure> {
    if to.is_null() {
        return Err(null());
    }
    // SAFETY: a structure begins with its size.
    let size = unsafe { to.cast::<usize>().read_unaligned() };
    if !(size_of::<usize>()..=LARGEST_STRUCT).contains(&size) {
        return Err(Failure::argument(format!(
            "a structure says that its size is {size}: set struct_size to sizeof it"
        )));
    }
    let (head, from) = (size_of::<usize>(), (&raw const value).cast::<u8>());
    // SAFETY: so many bytes are there; the size itself stays.
    unsafe {
        std::ptr::copy_nonoverlapping(
            from.add(head),
            to.cast::<u8>().add(head),
            size.min(size_of::<T>()) - head,
        )
    };
    Ok(())
}

#[cold]
fn null() -> Failure {
    Failure::argument("a pointer is NULL")
}

/// Writes a result.
///
/// # Safety
/// The pointer is null, or one to a place for it.
#[inline]
pub(crate) unsafe fn store<T>(to: *mut T, value: T) -> Result<(), Failure> {
    if to.is_null() {
        return Err(null());
    }
    // SAFETY: the caller's place.
    unsafe { to.write_unaligned(value) };
    Ok(())
}

/// That there is a place for a result, before anything is done for it.
pub(crate) fn place<T>(to: *mut T) -> Result<(), Failure> {
    if to.is_null() { Err(null()) } else { Ok(()) }
}

/// The elements at a pointer; none at all at a null pointer with a count of 0.
///
/// # Safety
/// There are so many elements, which nobody changes meanwhile, or the pointer is null.
pub(crate) unsafe fn elements<'a, T>(at: *const T, count: usize) -> Result<&'a [T], Failure> {
    if count == 0 {
        return Ok(&[]);
    }
    sized::<T>(at.addr(), count)?;
    // SAFETY: the caller's, not null, aligned, and no larger than memory can be.
    Ok(unsafe { std::slice::from_raw_parts(at, count) })
}

/// The same for a place to write to.
///
/// # Safety
/// There are so many elements, which nobody else uses meanwhile, or the pointer is null.
pub(crate) unsafe fn elements_mut<'a, T>(at: *mut T, count: usize) -> Result<&'a mut [T], Failure> {
    if count == 0 {
        return Ok(&mut []);
    }
    sized::<T>(at.addr(), count)?;
    // SAFETY: as above.
    Ok(unsafe { std::slice::from_raw_parts_mut(at, count) })
}

fn sized<T>(address: usize, count: usize) -> Result<(), Failure> {
    if address == 0 {
        return Err(null());
    }
    if !address.is_multiple_of(align_of::<T>()) {
        return Err(Failure::argument(format!("a pointer is not a multiple of {}", align_of::<T>())));
    }
    let bytes = count.checked_mul(size_of::<T>()).filter(|bytes| *bytes <= isize::MAX as usize);
    let ends = bytes.and_then(|bytes| address.checked_add(bytes));
    ends.map(drop)
        .ok_or_else(|| Failure::argument(format!("a count of {count} is more than memory can hold")))
}

/// Copies a result to a buffer of the caller's, and says how long it is. Without a buffer it only says that.
///
/// # Safety
/// As for [`elements_mut`] and [`store`].
pub(crate) unsafe fn fill<T: Copy>(
    result: &[T],
    buffer: *mut T,
    capacity: usize,
    length: *mut usize,
) -> Result<(), Failure> {
    // SAFETY: the caller's.
    unsafe {
        store(length, result.len())?;
        if buffer.is_null() && capacity == 0 {
            return Ok(());
        }
        if capacity < result.len() {
            let message = format!("the buffer has room for {capacity}, and {} are needed", result.len());
            return Err(Failure::new(GPUZOO_ERR_SPACE, message));
        }
        elements_mut(buffer, result.len())?.copy_from_slice(result);
    }
    Ok(())
}
