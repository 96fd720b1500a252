//! Values that lie in the caller's memory with any distance from vertex to vertex, as an emulator has them.
//!
//! Inputs and outputs may lie between each other, in one array of records. So there are no slices of Rust's over them, which would
//! have to be apart: each word is read and written by its address.

use crate::status::Failure;
use gpuzoo::engine::{Inputs, Outputs};

/// Where one input or output of all vertices is.
#[derive(Clone, Copy)]
pub(crate) struct Column {
    at: *mut u8,
    /// Bytes from one vertex to the next.
    stride: usize,
    /// Floats of each vertex.
    components: usize,
}

/// What a component is that is not there: formats with fewer components read as (x, 0, 0, 1).
const UNSET: [u32; 4] = [0, 0, 0, 0x3f80_0000];

impl Column {
    /// `count` vertices within `size` bytes; `what` is what problems call it.
    pub fn new(
        what: &str,
        (at, size): (*mut u8, usize),
        stride: usize,
        components: usize,
        count: usize,
    ) -> Result<Column, Failure> {
        let wrong = |message: String| Err(Failure::argument(format!("{what}: {message}")));
        if !(1..=4).contains(&components) {
            return wrong(format!("there are 1 to 4 components, not {components}"));
        }
        let each = components * size_of::<u32>();
        if stride < each {
            return wrong(format!("vertices of {each} bytes cannot be {stride} bytes apart"));
        }
        let needed = count.checked_sub(1).map_or(Some(0), |last| last.checked_mul(stride)?.checked_add(each));
        match needed
            .filter(|needed| *needed <= isize::MAX as usize && at.addr().checked_add(*needed).is_some())
        {
            Some(needed) if needed > size => {
                wrong(format!("{count} vertices take {needed} bytes, and there are {size}"))
            }
            None => wrong(format!("{count} vertices, {stride} bytes apart, are more than memory can hold")),
            Some(1..) if at.is_null() => wrong("the pointer is NULL".to_owned()),
            Some(_) => Ok(Column { at, stride, components }),
        }
    }

    /// True if some of its bytes are the other one's, too, among so many vertices.
    pub fn overlaps(&self, other: &Column, count: usize) -> bool {
        let Some(last) = count.checked_sub(1) else { return false };
        let bytes = |column: &Column| column.components * size_of::<u32>();
        let end = |column: &Column| column.at.addr() + last * column.stride + bytes(column);
        if end(self) <= other.at.addr() || end(other) <= self.at.addr() {
            return false;
        }
        if self.stride != other.stride {
            return true;
        }
        let apart =
            (other.at.addr() as isize - self.at.addr() as isize).rem_euclid(self.stride as isize) as usize;
        apart < bytes(self) || apart + bytes(other) > self.stride
    }

    /// A component of a vertex.
    ///
    /// # Safety
    /// There are so many vertices, and the component is one of its own.
    #[inline]
    unsafe fn word(&self, vertex: usize, component: usize) -> *mut u32 {
        // SAFETY: it was seen that all vertices lie within the caller's bytes.
        unsafe { self.at.add(vertex * self.stride + component * size_of::<u32>()).cast() }
    }

    /// The value of a vertex.
    ///
    /// # Safety
    /// There are so many vertices, and nobody writes them meanwhile.
    pub unsafe fn value(&self, vertex: usize) -> [u32; 4] {
        let mut value = UNSET;
        for (component, to) in value.iter_mut().enumerate().take(self.components) {
            // SAFETY: the caller's vertex.
            *to = unsafe { self.word(vertex, component).read_unaligned() };
        }
        value
    }
}

/// The inputs of a run, by their numbers.
pub(crate) struct Given<'a>(pub &'a [(u16, Column)]);

// SAFETY: threads only read what the caller has said to stay as it is during the call.
unsafe impl Sync for Given<'_> {}

impl Inputs for Given<'_> {
    fn load(&self, input: u16, first: usize, columns: [&mut [u32]; 4]) {
        let column = self.0.iter().find(|(number, _)| *number == input).map(|(_, column)| column);
        for (component, to) in columns.into_iter().enumerate() {
            match column {
                None => to.fill(0),
                Some(column) if component >= column.components => to.fill(UNSET[component]),
                Some(column) => {
                    for (lane, to) in to.iter_mut().enumerate() {
                        // SAFETY: a run asks for its own vertices, of which there are so many.
                        *to = unsafe { column.word(first + lane, component).read_unaligned() };
                    }
                }
            }
        }
    }
}

/// Where the outputs of some vertices go: for each of a kernel's names its column, if it is wanted, and a byte for each vertex that
/// says whether it was killed.
#[derive(Clone)]
pub(crate) struct Taken<'a> {
    pub columns: &'a [Option<Column>],
    pub killed: *mut u8,
    /// The vertex that counts as the first one.
    pub first: usize,
}

// SAFETY: the parts of one that was split have different vertices, whose words do not overlap.
unsafe impl Send for Taken<'_> {}

impl Outputs for Taken<'_> {
    fn store(&mut self, output: usize, first: usize, columns: [&[u32]; 4]) {
        let Some(Some(column)) = self.columns.get(output) else { return };
        let first = self.first + first;
        if let ([x, y, z, w], 4) = (columns, column.components) {
            // The usual case, all at once: the rows may lie far from each other.
            for (lane, (((x, y), z), w)) in x.iter().zip(y).zip(z).zip(w).enumerate() {
                // SAFETY: a run has only its own vertices, of which there are so many; nobody else has their words.
                unsafe { column.word(first + lane, 0).cast::<[u32; 4]>().write_unaligned([*x, *y, *z, *w]) };
            }
            return;
        }
        for (component, from) in columns.into_iter().enumerate().take(column.components) {
            for (lane, from) in from.iter().enumerate() {
                // SAFETY: as above.
                unsafe { column.word(first + lane, component).write_unaligned(*from) };
            }
        }
    }

    fn killed(&mut self, first: usize, lanes: &[u32]) {
        if self.killed.is_null() {
            return;
        }
        for (lane, killed) in lanes.iter().enumerate() {
            // SAFETY: there is a byte for each vertex.
            unsafe { self.killed.add(self.first + first + lane).write(u8::from(*killed != 0)) };
        }
    }

    fn split(self, lanes: usize) -> (Self, Self) {
        let others = Taken { first: self.first + lanes, ..self.clone() };
        (self, others)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn column(at: usize, stride: usize, components: usize) -> Column {
        Column { at: std::ptr::without_provenance_mut(at), stride, components }
    }

    /// Against the bytes that each has.
    #[test]
    fn what_overlaps_is_found() {
        let bytes = |column: &Column, count: usize| -> Vec<usize> {
            let each = |vertex: usize| {
                let start = column.at.addr() + vertex * column.stride;
                start..start + 4 * column.components
            };
            (0..count).flat_map(each).collect()
        };
        let mut apart = 0;
        for (stride, components, others, count) in
            [(32, 4, 2, 3), (32, 4, 4, 3), (16, 4, 1, 5), (20, 1, 3, 1), (24, 2, 4, 4), (32, 4, 4, 0)]
        {
            let one = column(1000, stride, components);
            for at in 900..1200 {
                let other = column(at, stride, others);
                let of_both = bytes(&one, count).iter().any(|byte| bytes(&other, count).contains(byte));
                assert_eq!(
                    one.overlaps(&other, count),
                    of_both,
                    "{stride} {components} {others} {count} {at}"
                );
                apart += usize::from(!of_both && count > 1 && (1000..1000 + stride).contains(&at));
            }
        }
        assert!(apart > 8, "{apart}");
        assert!(
            column(1000, 16, 4).overlaps(&column(1008, 32, 1), 4),
            "other strides are refused as a whole"
        );
        assert!(!column(1000, 16, 4).overlaps(&column(1064, 32, 1), 4));
    }

    #[test]
    fn sizes_are_looked_at() {
        let mut memory = [0u8; 64];
        let at = memory.as_mut_ptr();
        let fails = |at, size, stride, components, count| {
            Column::new("x", (at, size), stride, components, count).is_err()
        };
        assert!(!fails(at, 64, 16, 4, 4) && !fails(at, 60, 16, 3, 4) && !fails(at, 16, usize::MAX, 4, 1));
        assert!(!fails(std::ptr::null_mut(), 0, 16, 4, 0));
        assert!(
            fails(at, 63, 16, 4, 4)
                && fails(at, 64, 12, 4, 1)
                && fails(at, 64, 0, 4, 1)
                && fails(at, 64, 16, 5, 1)
        );
        assert!(fails(at, 64, 16, 0, 1) && fails(std::ptr::null_mut(), 64, 16, 4, 1));
        assert!(fails(at, usize::MAX, usize::MAX / 2, 4, 3) && fails(at, usize::MAX, 16, 4, usize::MAX / 16));
    }
}
