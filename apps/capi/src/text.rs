//! Texts: a pointer and a length, in both directions.

use crate::memory::elements;
use crate::status::Failure;
use std::ffi::c_char;

/// A text in UTF-8: where it begins, and how many bytes it has. One that is given may have the length GPUZOO_TERMINATED, if a zero byte
/// ends it; NULL with a length of 0 is none. One that comes from the library always has a zero byte behind it, which the length does
/// not count, and belongs to the object that was asked: it stays until that is freed, or as long as the function says.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct gpuzoo_text {
    /// Its first byte.
    pub data: *const c_char,
    /// How many bytes.
    pub length: usize,
}

/// The length of a text that a zero byte ends.
pub const GPUZOO_TERMINATED: usize = usize::MAX;

/// The longest text that is looked through for its zero byte.
const LONGEST: usize = 64 << 20;

impl gpuzoo_text {
    /// Of bytes that a zero byte ends, which is not counted.
    pub(crate) fn of_terminated(bytes: &[u8]) -> gpuzoo_text {
        gpuzoo_text { data: bytes.as_ptr().cast(), length: bytes.len().saturating_sub(1) }
    }

    /// Its bytes.
    ///
    /// # Safety
    /// They are there, and nobody changes them meanwhile.
    pub(crate) unsafe fn bytes<'a>(self) -> Result<&'a [u8], Failure> {
        let at = self.data.cast::<u8>();
        if self.length != GPUZOO_TERMINATED {
            // SAFETY: the caller's.
            return unsafe { elements(at, self.length) };
        }
        if at.is_null() {
            return Err(Failure::argument("a text is NULL"));
        }
        // SAFETY: the caller says that a zero byte comes.
        let end = (0..LONGEST).find(|index| unsafe { at.add(*index).read() } == 0);
        let length = end.ok_or_else(|| Failure::argument("a text of more than 64 MiB has no zero byte"))?;
        // SAFETY: these bytes have just been read.
        unsafe { elements(at, length) }
    }

    /// It as a text.
    ///
    /// # Safety
    /// As for [`bytes`](gpuzoo_text::bytes).
    pub(crate) unsafe fn text<'a>(self) -> Result<&'a str, Failure> {
        // SAFETY: the caller's.
        let bytes = unsafe { self.bytes() }?;
        std::str::from_utf8(bytes).map_err(|error| Failure::argument(format!("a text is not UTF-8: {error}")))
    }

    /// The same; nothing for an empty one.
    ///
    /// # Safety
    /// As for [`bytes`](gpuzoo_text::bytes).
    pub(crate) unsafe fn name<'a>(self) -> Result<Option<&'a str>, Failure> {
        // SAFETY: the caller's.
        Ok(Some(unsafe { self.text() }?).filter(|text| !text.is_empty()))
    }
}

/// A text that an object keeps, to be looked at from C.
#[derive(Clone, Default)]
pub(crate) struct Kept(Box<[u8]>);

impl Kept {
    pub fn new(text: &str) -> Kept {
        Kept([text.as_bytes(), &[0]].concat().into())
    }

    pub fn view(&self) -> gpuzoo_text {
        match &*self.0 {
            [] => gpuzoo_text::of_terminated(&[0]),
            bytes => gpuzoo_text::of_terminated(bytes),
        }
    }
}
