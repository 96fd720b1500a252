//! Tables of Arrow, through its C interface: streams of batches that come from any library, and one that goes to any.
//!
//! The layouts are those of the [C data interface](https://arrow.apache.org/docs/format/CDataInterface.html), and of streams;
//! capsules are named as its PyCapsule interface says. Whatever comes is copied, and so is what goes, so that no memory has two
//! owners.

use numpy::{PyArray1, PyReadonlyArray2};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::PyCapsule;
use std::ffi::{CStr, CString, c_char, c_int, c_void};
use std::ptr::{null, null_mut};

/// What a column is.
#[repr(C)]
struct Schema {
    format: *const c_char,
    name: *const c_char,
    metadata: *const c_char,
    flags: i64,
    children_count: i64,
    children: *mut *mut Schema,
    dictionary: *mut Schema,
    release: Option<unsafe extern "C" fn(*mut Schema)>,
    private: *mut c_void,
}

/// What is in it.
#[repr(C)]
struct Array {
    length: i64,
    null_count: i64,
    offset: i64,
    buffers_count: i64,
    children_count: i64,
    buffers: *mut *const c_void,
    children: *mut *mut Array,
    dictionary: *mut Array,
    release: Option<unsafe extern "C" fn(*mut Array)>,
    private: *mut c_void,
}

/// Batches of columns, one after the other.
#[repr(C)]
struct Stream {
    get_schema: Option<unsafe extern "C" fn(*mut Stream, *mut Schema) -> c_int>,
    get_next: Option<unsafe extern "C" fn(*mut Stream, *mut Array) -> c_int>,
    get_last_error: Option<unsafe extern "C" fn(*mut Stream) -> *const c_char>,
    release: Option<unsafe extern "C" fn(*mut Stream)>,
    private: *mut c_void,
}

/// A structure of these that is to be filled, or was released.
macro_rules! owned {
    ($type:ident) => {
        impl $type {
            fn none() -> $type {
                // SAFETY: it consists of pointers, optional functions and integers, of all of which zeros are values.
                unsafe { std::mem::zeroed() }
            }
        }

        impl Drop for $type {
            fn drop(&mut self) {
                if let Some(release) = self.release {
                    // SAFETY: who made it said that this releases it, and it was not released.
                    unsafe { release(self) }
                }
            }
        }

        // SAFETY: the interface lets another thread use and release it.
        unsafe impl Send for $type {}
    };
}

owned!(Schema);
owned!(Array);
owned!(Stream);

const STREAM: &CStr = c"arrow_array_stream";

/// A column of a table: its name, the format of its elements, how many there are in a row, and their bytes.
type Column<'py> = (String, String, usize, Bound<'py, PyArray1<u8>>);

/// A column while its batches come.
struct Coming {
    name: String,
    format: String,
    width: usize,
    /// True if the elements are those of lists.
    is_list: bool,
    bytes: Vec<u8>,
}

fn wrong(what: impl Into<String>) -> PyErr {
    PyTypeError::new_err(what.into())
}

/// The text of a C string.
///
/// # Safety
/// It is null, or ends with a zero.
unsafe fn text(text: *const c_char) -> String {
    match text.is_null() {
        true => String::new(),
        // SAFETY: as the caller says.
        false => unsafe { CStr::from_ptr(text) }.to_string_lossy().into_owned(),
    }
}

/// Bytes of an element of a format.
fn size(format: &str) -> Option<usize> {
    match format {
        "c" | "C" => Some(1),
        "e" | "s" | "S" => Some(2),
        "f" | "i" | "I" => Some(4),
        "g" | "l" | "L" => Some(8),
        _ => None,
    }
}

/// What a column of a table is.
fn coming(schema: &Schema) -> PyResult<Coming> {
    // SAFETY: the texts of a schema that is not released are C strings.
    let (name, format) = unsafe { (text(schema.name), text(schema.format)) };
    if size(&format).is_some() {
        return Ok(Coming { name, format, width: 1, is_list: false, bytes: Vec::new() });
    }
    let width = format
        .strip_prefix("+w:")
        .and_then(|width| width.parse().ok())
        .filter(|_| schema.children_count == 1);
    let Some(width) = width else {
        return Err(wrong(format!(
            "the column {name:?} is neither of numbers nor of lists of a fixed length (its format is {format:?})"
        )));
    };
    // SAFETY: a list's schema has one child, which is not null.
    let own = unsafe { text((**schema.children).format) };
    match size(&own) {
        Some(_) => Ok(Coming { name, format: own, width, is_list: true, bytes: Vec::new() }),
        None => Err(wrong(format!(
            "the lists of the column {name:?} are not of numbers (their format is {own:?})"
        ))),
    }
}

/// True if none of some elements is null.
///
/// # Safety
/// The array is one that a stream gave, and has so many elements from there on.
unsafe fn is_whole(array: &Array, first: usize, count: usize) -> bool {
    if array.null_count == 0 || array.buffers_count < 1 {
        return true;
    }
    // SAFETY: its first buffer is null, or has a bit for each element.
    unsafe {
        let valid = (*array.buffers).cast::<u8>();
        valid.is_null() || (first..first + count).all(|at| *valid.add(at / 8) >> (at % 8) & 1 != 0)
    }
}

impl Coming {
    /// Takes rows of a batch.
    ///
    /// # Safety
    /// The array is a column of this schema that a stream gave, and has so many rows from there on.
    unsafe fn take(&mut self, array: &Array, first: usize, rows: usize) -> PyResult<()> {
        let nulls = || PyValueError::new_err(format!("the column {:?} has nulls", self.name));
        let bytes = size(&self.format).unwrap_or(0);
        // SAFETY: a list of a fixed length has one child with as many elements for each row; both begin at their offsets. The second
        // buffer of numbers has them all.
        unsafe {
            let first = first + array.offset as usize;
            if !is_whole(array, first, rows) {
                return Err(nulls());
            }
            let (numbers, first, count) = match self.is_list {
                false => (array, first, rows),
                true => {
                    let child = &**array.children;
                    (child, first * self.width + child.offset as usize, rows * self.width)
                }
            };
            if self.is_list && !is_whole(numbers, first, count) {
                return Err(nulls());
            }
            let data = (*numbers.buffers.add(1)).cast::<u8>();
            if count > 0 {
                self.bytes
                    .extend_from_slice(std::slice::from_raw_parts(data.add(first * bytes), count * bytes));
            }
        }
        Ok(())
    }
}

/// The columns of a stream, all batches together.
#[pyfunction]
pub fn table<'py>(py: Python<'py>, capsule: &Bound<'py, PyCapsule>) -> PyResult<Vec<Column<'py>>> {
    let stream = capsule.pointer_checked(Some(STREAM))?.cast::<Stream>();
    // SAFETY: a capsule of this name has a stream, and its consumer takes it: what is left there is one that was released.
    let mut stream = unsafe { std::ptr::replace(stream.as_ptr(), Stream::none()) };
    let (Some(get_schema), Some(get_next)) = (stream.get_schema, stream.get_next) else {
        return Err(PyValueError::new_err("the stream was taken already"));
    };
    let mut schema = Schema::none();
    // SAFETY: the stream was not released, and the schema is to be filled.
    if unsafe { get_schema(&raw mut stream, &raw mut schema) } != 0 {
        return Err(PyValueError::new_err(failure(&mut stream)));
    }
    // SAFETY: the format of a schema is a C string.
    if unsafe { text(schema.format) } != "+s" {
        return Err(wrong("the stream has no columns"));
    }
    let children = usize::try_from(schema.children_count).unwrap_or(0);
    // SAFETY: it has so many children.
    let schemas = (0..children).map(|at| unsafe { &**schema.children.add(at) });
    let mut columns = schemas.map(coming).collect::<PyResult<Vec<_>>>()?;
    loop {
        let mut batch = Array::none();
        // SAFETY: as above.
        if unsafe { get_next(&raw mut stream, &raw mut batch) } != 0 {
            return Err(PyValueError::new_err(failure(&mut stream)));
        }
        if batch.release.is_none() {
            break;
        }
        let (first, rows) = (batch.offset as usize, batch.length as usize);
        // SAFETY: a batch has the columns of the schema, with its rows from its offset on.
        unsafe {
            if !is_whole(&batch, first, rows) {
                return Err(PyValueError::new_err("the table has rows that are null"));
            }
            for (at, column) in columns.iter_mut().enumerate() {
                column.take(&**batch.children.add(at), first, rows)?;
            }
        }
    }
    let column = |own: Coming| (own.name, own.format, own.width, PyArray1::from_vec(py, own.bytes));
    Ok(columns.into_iter().map(column).collect())
}

fn failure(stream: &mut Stream) -> String {
    // SAFETY: the text is null or a C string, up to the next call.
    let said = stream.get_last_error.map(|last| unsafe { text(last(&raw mut *stream)) });
    said.filter(|said| !said.is_empty()).unwrap_or_else(|| "the stream failed".to_owned())
}

/// A table that is to go: names, what the elements are, and rows of four of them.
struct Going {
    columns: Vec<(CString, &'static CStr, Vec<u32>)>,
    rows: usize,
    is_taken: bool,
}

/// What a schema or an array keeps until it is released: its children, and what it points to.
struct Kept<T> {
    pointers: Vec<*mut T>,
    buffers: Vec<*const c_void>,
    _name: CString,
    _words: Vec<u32>,
}

/// Releases what [`filled`] keeps.
macro_rules! release {
    ($name:ident, $type:ident) => {
        unsafe extern "C" fn $name(own: *mut $type) {
            // SAFETY: the consumer gives one that was made below and not released. A child that it took away has no release function
            // any more, and its box is still ours.
            unsafe {
                let kept = Box::from_raw((*own).private.cast::<Kept<$type>>());
                kept.pointers.iter().for_each(|child| drop(Box::from_raw(*child)));
                (*own).release = None;
            }
        }
    };
}

release!(release_schema, Schema);
release!(release_array, Array);

fn kept<T>(children: Vec<T>, buffers: Vec<*const c_void>, name: CString, words: Vec<u32>) -> Box<Kept<T>> {
    let pointers = children.into_iter().map(|child| Box::into_raw(Box::new(child))).collect();
    Box::new(Kept { pointers, buffers, _name: name, _words: words })
}

fn schema(format: &'static CStr, name: CString, children: Vec<Schema>) -> Schema {
    let mut kept = kept(children, Vec::new(), name, Vec::new());
    Schema {
        format: format.as_ptr(),
        name: kept._name.as_ptr(),
        metadata: null(),
        flags: 0,
        children_count: kept.pointers.len() as i64,
        children: kept.pointers.as_mut_ptr(),
        dictionary: null_mut(),
        release: Some(release_schema),
        private: Box::into_raw(kept).cast(),
    }
}

fn array(length: usize, words: Option<Vec<u32>>, children: Vec<Array>) -> Array {
    let words = words.map(|words| (words.as_ptr().cast::<c_void>(), words));
    let (buffers, words) = match words {
        Some((data, words)) => (vec![null(), data], words),
        None => (vec![null()], Vec::new()),
    };
    let mut kept = kept(children, buffers, CString::default(), words);
    Array {
        length: length as i64,
        null_count: 0,
        offset: 0,
        buffers_count: kept.buffers.len() as i64,
        children_count: kept.pointers.len() as i64,
        buffers: kept.buffers.as_mut_ptr(),
        children: kept.pointers.as_mut_ptr(),
        dictionary: null_mut(),
        release: Some(release_array),
        private: Box::into_raw(kept).cast(),
    }
}

unsafe extern "C" fn get_schema(own: *mut Stream, out: *mut Schema) -> c_int {
    // SAFETY: the consumer gives a stream that was made below and not released, and room for a schema.
    unsafe {
        let going = &*(*own).private.cast::<Going>();
        let column = |(name, element, _): &(CString, &'static CStr, Vec<u32>)| {
            schema(c"+w:4", name.clone(), vec![schema(element, c"item".to_owned(), Vec::new())])
        };
        out.write(schema(c"+s", CString::default(), going.columns.iter().map(column).collect()));
    }
    0
}

unsafe extern "C" fn get_next(own: *mut Stream, out: *mut Array) -> c_int {
    // SAFETY: as above.
    unsafe {
        let going = &mut *(*own).private.cast::<Going>();
        if std::mem::replace(&mut going.is_taken, true) {
            out.write(Array::none());
            return 0;
        }
        let rows = going.rows;
        let column = |(_, _, words): &mut (CString, &'static CStr, Vec<u32>)| {
            let words = std::mem::take(words);
            array(rows, None, vec![array(4 * rows, Some(words), Vec::new())])
        };
        let columns = going.columns.iter_mut().map(column).collect();
        out.write(array(rows, None, columns));
    }
    0
}

unsafe extern "C" fn get_last_error(_: *mut Stream) -> *const c_char {
    null()
}

unsafe extern "C" fn release_stream(own: *mut Stream) {
    // SAFETY: as above.
    unsafe {
        drop(Box::from_raw((*own).private.cast::<Going>()));
        (*own).release = None;
    }
}

/// A stream with one batch: columns of lists of four, of floats or of words.
#[pyfunction]
pub fn stream<'py>(
    py: Python<'py>,
    columns: Vec<(String, bool, PyReadonlyArray2<'py, u32>)>,
) -> PyResult<Bound<'py, PyCapsule>> {
    let mut going = Going { columns: Vec::new(), rows: 0, is_taken: false };
    for (number, (name, is_float, words)) in columns.into_iter().enumerate() {
        let (words, rows) = crate::arrays::words(&words)?;
        if rows.width != 4 || rows.stride != 4 || (number > 0 && rows.count != going.rows) {
            return Err(PyValueError::new_err("columns of as many rows of four words are expected"));
        }
        going.rows = rows.count;
        let name = CString::new(name).map_err(|error| PyValueError::new_err(error.to_string()))?;
        going.columns.push((name, if is_float { c"f" } else { c"I" }, words.to_vec()));
    }
    let stream = Stream {
        get_schema: Some(get_schema),
        get_next: Some(get_next),
        get_last_error: Some(get_last_error),
        release: Some(release_stream),
        private: Box::into_raw(Box::new(going)).cast(),
    };
    PyCapsule::new_with_value(py, stream, STREAM)
}
