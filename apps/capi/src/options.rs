//! Options by name.

use crate::memory::elements;
use crate::status::Failure;
use crate::text::gpuzoo_text;
use gpuzoo::options::OptionMap;

/// An option by name. A name that occurs several times is a list. The book's page on options has the names and the values; a flag is true
/// or false, and an assignment is NAME=VALUE.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct gpuzoo_option {
    /// The name, such as fast_math.
    pub name: gpuzoo_text,
    /// The value.
    pub value: gpuzoo_text,
}

/// The options at a pointer; none at a null pointer with a count of 0.
///
/// # Safety
/// Those of [`elements`], and the texts are valid for reads.
pub(crate) unsafe fn by_name(at: *const gpuzoo_option, count: usize) -> Result<OptionMap, Failure> {
    // SAFETY: the caller's pointers.
    unsafe {
        let pair = |option: &gpuzoo_option| Ok((option.name.text()?, option.value.text()?));
        let pairs: Vec<_> = elements(at, count)?.iter().map(pair).collect::<Result<_, Failure>>()?;
        Ok(OptionMap::from_pairs(pairs))
    }
}
