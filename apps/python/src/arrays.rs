//! Arrays of words as slices of Rust's, without a copy.

use gpuzoo::raster::Image;
use numpy::{Element, PyArray3, PyArrayMethods, PyReadonlyArray2, PyReadwriteArray2, PyUntypedArrayMethods};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

/// What a row of words that lie behind each other is.
#[derive(Clone, Copy)]
pub struct Rows {
    /// How many rows.
    pub count: usize,
    /// Words of each.
    pub width: usize,
    /// Words from one to the next.
    pub stride: usize,
}

impl Rows {
    /// How many words there are from the first to the last.
    fn words(self) -> usize {
        self.count.checked_sub(1).map_or(0, |last| last * self.stride + self.width)
    }
}

/// The rows of an array, if their words lie behind each other and no row lies in another one.
fn rows(shape: &[usize], strides: &[isize], address: usize) -> PyResult<Rows> {
    let wrong = || PyValueError::new_err("rows of 1 to 4 aligned words are expected, behind each other");
    let (&[count, width], &[row, word]) = (shape, strides) else { return Err(wrong()) };
    if count == 0 {
        return Ok(Rows { count, width, stride: width });
    }
    let size = size_of::<u32>() as isize;
    let is_packed = width == 1 || word == size;
    let stride = if count > 1 { row } else { width as isize * size };
    if !is_packed
        || stride % size != 0
        || !address.is_multiple_of(align_of::<u32>())
        || !(1..=4).contains(&width)
    {
        return Err(wrong());
    }
    let stride = usize::try_from(stride / size).map_err(|_| wrong())?;
    if stride < width {
        return Err(wrong());
    }
    Ok(Rows { count, width, stride })
}

/// The words that an array's rows lie in.
pub fn words<'a>(array: &'a PyReadonlyArray2<'_, u32>) -> PyResult<(&'a [u32], Rows)> {
    let data = array.data();
    let rows = rows(array.shape(), array.strides(), data.addr())?;
    if rows.count == 0 {
        return Ok((&[], rows));
    }
    // SAFETY: the array has these rows, in this order, so that all words from its first to its last one lie in the memory
    // that it borrows, and they are aligned. It is kept as long as the slice, and is not written to through numpy's
    // Rust interface; the package says that Python may not write to it during a run.
    Ok((unsafe { std::slice::from_raw_parts(data, rows.words()) }, rows))
}

/// The same to write to; rows without gaps, so that nobody else's words lie between.
pub fn words_mut<'a>(array: &'a mut PyReadwriteArray2<'_, u32>) -> PyResult<(&'a mut [u32], Rows)> {
    let data = array.data();
    let rows = rows(array.shape(), array.strides(), data.addr())?;
    if rows.stride != rows.width {
        return Err(PyValueError::new_err("rows without gaps are expected"));
    }
    if rows.count == 0 {
        return Ok((&mut [], rows));
    }
    // SAFETY: as above; and that nobody else has the words was checked when the array was borrowed to be written to.
    Ok((unsafe { std::slice::from_raw_parts_mut(data, rows.words()) }, rows))
}

/// A picture as an array of rows, columns and four bytes, which takes its memory over.
pub fn picture(py: Python<'_>, image: Image) -> PyResult<Bound<'_, PyArray3<u8>>> {
    let (width, height) = (image.width() as usize, image.height() as usize);
    shaped(py, image.into_bytes(), [height, width, 4])
}

/// Elements as an array of a shape, which takes their memory over.
fn shaped<T: Element>(
    py: Python<'_>,
    elements: Vec<T>,
    shape: [usize; 3],
) -> PyResult<Bound<'_, PyArray3<T>>> {
    numpy::PyArray1::from_vec(py, elements).reshape(shape)
}
