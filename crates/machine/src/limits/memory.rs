//! Lists whose length follows from the input: the system may have no memory for them, which is an error and not the end of
//! the program.
//!
//! ```
//! use gpuzoo_machine::limits::memory;
//! assert_eq!(memory::collect(3, [1, 2, 3, 4])?, [1, 2, 3]);
//! assert!(memory::filled(0u64, usize::MAX / 16).is_err());
//! # Ok::<(), gpuzoo_machine::limits::budget::Refusal>(())
//! ```

use crate::limits::refusal::Refusal;

/// Room for so many values.
///
/// # Errors
/// [`Refusal::System`], as for all of these.
pub fn room<T>(count: usize) -> Result<Vec<T>, Refusal> {
    let mut room = Vec::new();
    reserve(&mut room, count)?;
    Ok(room)
}

/// That there is no memory for so many values, for what [`reserve`] is not for: maps and sets.
pub fn refused<T>(count: usize) -> Refusal {
    Refusal::System { bytes: (count as u64).saturating_mul(size_of::<T>() as u64) }
}

/// Makes room for so many values more in a list.
///
/// # Errors
/// [`Refusal::System`]; the list is what it was.
pub fn reserve<T>(list: &mut Vec<T>, more: usize) -> Result<(), Refusal> {
    list.try_reserve_exact(more).map_err(|_| refused::<T>(more))
}

/// Adds a value to a list.
///
/// # Errors
/// [`Refusal::System`]; the list is what it was.
pub fn push<T>(list: &mut Vec<T>, value: T) -> Result<(), Refusal> {
    // Not exactly: a list that grows by one at a time would be copied as often.
    list.try_reserve(1).map_err(|_| refused::<T>(list.len() + 1))?;
    list.push(value);
    Ok(())
}

/// The first `count` of some values.
///
/// # Errors
/// [`Refusal::System`]
pub fn collect<T>(count: usize, values: impl IntoIterator<Item = T>) -> Result<Vec<T>, Refusal> {
    let mut all = room(count)?;
    all.extend(values.into_iter().take(count));
    Ok(all)
}

/// So many times a value.
///
/// # Errors
/// [`Refusal::System`]
pub fn filled<T: Clone>(value: T, count: usize) -> Result<Vec<T>, Refusal> {
    collect(count, std::iter::repeat_n(value, count))
}
