//! The bytes of a glTF file: the binary container, buffers, and accessors, with every bound checked. The crate that
//! reads the JSON reads accessors as well, but trusts the file.

use super::Failure;
use crate::mesh::{MAX_INDICES, MAX_VERTICES};
use base64::engine::{DecodePaddingMode, GeneralPurpose, GeneralPurposeConfig};
use base64::{Engine as _, alphabet, decoded_len_estimate};
use gltf::json::accessor::{Accessor, ComponentType, Type};
use gltf::json::buffer::View;
use gltf::json::validation::Checked;
use gltf::json::{Index, Root};
use gpuzoo_diag::counted;
use gpuzoo_machine::limits::budget::{Budget, Refusal, Resource};
use std::io;

/// The JSON and the binary chunk of a file, `.glb` or `.gltf`.
pub(super) fn split(bytes: &[u8]) -> Result<(&[u8], Option<&[u8]>), String> {
    if !bytes.starts_with(b"glTF") {
        return Ok((bytes, None));
    }
    let word = |at: usize| {
        bytes.get(at..at + 4).map(|word| u32::from_le_bytes([word[0], word[1], word[2], word[3]]))
    };
    let cut = || format!("the file is cut off: it ends after {}", counted(bytes.len(), "byte"));
    let (version, length) = (word(4).ok_or_else(cut)?, word(8).ok_or_else(cut)? as usize);
    if version != 2 {
        return Err(format!("the file says that it is glTF {version}; only version 2 is read"));
    }
    if length > bytes.len() {
        return Err(format!("the file is cut off: it has {} of {}", bytes.len(), counted(length, "byte")));
    }
    // Chunks: length, kind, data.
    let (mut at, mut json, mut binary) = (12, None, None);
    while at < length {
        let (size, kind) = (word(at).ok_or_else(cut)? as usize, word(at + 4).ok_or_else(cut)?);
        let end = at.saturating_add(8).saturating_add(size);
        let data = bytes.get(at + 8..end).ok_or_else(cut)?;
        match &kind.to_le_bytes() {
            b"JSON" if json.is_none() => json = Some(data),
            b"BIN\0" if binary.is_none() => binary = Some(data),
            _ => {}
        }
        at = end;
    }
    Ok((json.ok_or("the file has no JSON chunk")?, binary))
}

/// The contents of all buffers.
pub(super) fn buffers(
    root: &Root,
    binary: Option<&[u8]>,
    read: &dyn Fn(&str) -> io::Result<Vec<u8>>,
    budget: &Budget,
) -> Result<Vec<Vec<u8>>, Failure> {
    let mut buffers = Vec::new();
    for (number, buffer) in root.buffers.iter().enumerate() {
        let bytes = match buffer.uri.as_deref() {
            None if number == 0 => {
                let none = || "buffer 0 has no data: there is no binary chunk".to_owned();
                let binary = binary.ok_or_else(none)?;
                budget.collect(binary.len(), binary.iter().copied())?
            }
            None => return Err(format!("buffer {number} has no data").into()),
            Some(uri) => match uri.strip_prefix("data:") {
                Some(data) => {
                    let text = data.split_once(";base64,").map(|(_, text)| text);
                    let most = text.map_or(0, |text| decoded_len_estimate(text.len()));
                    let room = budget.collect(most, std::iter::repeat_n(0, most))?;
                    text.and_then(|text| base64(text, room))
                        .ok_or_else(|| format!("the data of buffer {number} is not base64"))?
                }
                None => {
                    let name = percent_decoded(uri);
                    read(&name).map_err(|error| match Refusal::of(&error) {
                        Some(refusal) => refusal.into(),
                        None => Failure::Broken(format!("cannot read the buffer `{name}`: {error}")),
                    })?
                }
            },
        };
        if (bytes.len() as u64) < buffer.byte_length.0 {
            return Err(format!(
                "buffer {number} has {} of {}",
                bytes.len(),
                counted(buffer.byte_length.0, "byte")
            )
            .into());
        }
        budget.spend(Resource::Memory, bytes.len() as u64)?;
        buffers.push(bytes);
    }
    Ok(buffers)
}

/// As files have it: padding may be left out.
const BASE64: GeneralPurpose = GeneralPurpose::new(
    &alphabet::STANDARD,
    GeneralPurposeConfig::new()
        .with_decode_padding_mode(DecodePaddingMode::Indifferent)
        .with_decode_allow_trailing_bits(true),
);

/// The bytes of a text, in `room` zeros of which there are at least as many as the text may have bytes.
fn base64(text: &str, mut room: Vec<u8>) -> Option<Vec<u8>> {
    let length = BASE64.decode_slice(text, &mut room).ok()?;
    room.truncate(length);
    Some(room)
}

/// `%20` as a space. What is not two hexadecimal digits stays as it is.
fn percent_decoded(uri: &str) -> String {
    let mut bytes = Vec::with_capacity(uri.len());
    let mut rest = uri.as_bytes();
    while let [first, tail @ ..] = rest {
        let digit = |at: usize| tail.get(at).and_then(|&byte| char::from(byte).to_digit(16));
        if let (b'%', Some(high), Some(low)) = (*first, digit(0), digit(1)) {
            bytes.push((high * 16 + low) as u8);
            rest = &tail[2..];
        } else {
            bytes.push(*first);
            rest = tail;
        }
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

/// A file's JSON and its buffers.
pub(super) struct Data<'a> {
    pub root: &'a Root,
    pub buffers: Vec<Vec<u8>>,
    /// What its values may take.
    pub budget: &'a Budget,
}

impl Data<'_> {
    /// The values of an accessor, with the numbers of components that they may have; missing components are 0, 0, 0, 1.
    /// Integers keep their value unless they are normalized. Checks that there are no more than `most`.
    fn values(
        &self,
        index: Index<Accessor>,
        components: &[usize],
        most: usize,
    ) -> Result<Vec<[f64; 4]>, Failure> {
        let number = index.value();
        let wrong = |what: &str| Failure::Broken(format!("accessor {number} {what}"));
        let accessor = self.root.accessors.get(number).ok_or_else(|| wrong("is not there"))?;
        let (Checked::Valid(component), Checked::Valid(shape)) = (accessor.component_type, accessor.type_)
        else {
            return Err(wrong("has an unknown type"));
        };
        let width = match shape {
            Type::Scalar => 1,
            Type::Vec2 => 2,
            Type::Vec3 => 3,
            Type::Vec4 => 4,
            _ => 16,
        };
        if !components.contains(&width) {
            return Err(wrong("has the wrong number of components"));
        }
        let count = usize::try_from(accessor.count.0).unwrap_or(usize::MAX);
        if count > most {
            return Err(wrong(&format!("has {count} values, more than {most}")));
        }
        let element = Element { component: component.0, width, normalized: accessor.normalized };
        let offset = accessor.byte_offset.map_or(0, |offset| offset.0);
        let mut values = self.budget.room(count)?;
        values.resize(count, [0.0, 0.0, 0.0, 1.0]);
        match accessor.buffer_view {
            Some(view) => self.fill(&mut values, view, offset, element, true).map_err(|what| wrong(&what))?,
            // Zeros, which a sparse accessor then changes.
            None => values.fill(element.zero()),
        }
        if let Some(sparse) = &accessor.sparse {
            let Checked::Valid(component) = sparse.indices.component_type else {
                return Err(wrong("has sparse indices of an unknown type"));
            };
            let changes = usize::try_from(sparse.count.0).unwrap_or(usize::MAX);
            if changes > count {
                return Err(wrong("changes more values than it has"));
            }
            let (mut places, mut changed) = (self.budget.room(changes)?, self.budget.room(changes)?);
            places.resize(changes, [0.0; 4]);
            changed.resize(changes, [0.0, 0.0, 0.0, 1.0]);
            let index = Element { component: component.0, width: 1, normalized: false };
            let (indices, new) = (&sparse.indices, &sparse.values);
            self.fill(&mut places, indices.buffer_view, indices.byte_offset.0, index, false)
                .and_then(|()| self.fill(&mut changed, new.buffer_view, new.byte_offset.0, element, false))
                .map_err(|what| wrong(&what))?;
            for (place, value) in places.iter().zip(changed) {
                *values
                    .get_mut(place[0] as usize)
                    .ok_or_else(|| wrong("changes a value that it has not"))? = value;
            }
        }
        Ok(values)
    }

    /// Reads elements from a view.
    fn fill(
        &self,
        values: &mut [[f64; 4]],
        view: Index<View>,
        offset: u64,
        element: Element,
        strided: bool,
    ) -> Result<(), String> {
        let view = self.root.buffer_views.get(view.value()).ok_or("names a buffer view that is not there")?;
        let buffer = self.buffers.get(view.buffer.value()).ok_or("names a buffer that is not there")?;
        let start = usize::try_from(view.byte_offset.map_or(0, |offset| offset.0)).unwrap_or(usize::MAX);
        let length = usize::try_from(view.byte_length.0).unwrap_or(usize::MAX);
        let bytes = buffer.get(start..start.saturating_add(length)).ok_or("reaches beyond its buffer")?;
        let size = element.bytes();
        let stride = view.byte_stride.filter(|_| strided).map_or(size, |stride| stride.0);
        if stride < size {
            return Err(format!("has a stride of {stride} for values of {size} bytes"));
        }
        for (index, value) in values.iter_mut().enumerate() {
            let at =
                usize::try_from(offset).unwrap_or(usize::MAX).saturating_add(index.saturating_mul(stride));
            let bytes = bytes.get(at..at.saturating_add(size)).ok_or("reaches beyond its buffer view")?;
            element.read(bytes, value);
        }
        Ok(())
    }

    /// The values of an attribute.
    pub fn attribute(&self, index: Index<Accessor>, components: &[usize]) -> Result<Vec<[f32; 4]>, Failure> {
        let values = self.values(index, components, MAX_VERTICES)?;
        let singles = values.iter().map(|value| value.map(|component| component as f32));
        Ok(self.budget.collect(values.len(), singles)?)
    }

    /// Indices of vertices.
    pub fn indices(&self, index: Index<Accessor>) -> Result<Vec<u32>, Failure> {
        let values = self.values(index, &[1], MAX_INDICES)?;
        // Every u32 is exact in an f64; what is not an integer becomes one.
        Ok(self.budget.collect(values.len(), values.iter().map(|value| value[0] as u32))?)
    }
}

/// How a value is stored.
#[derive(Clone, Copy)]
struct Element {
    component: ComponentType,
    width: usize,
    normalized: bool,
}

impl Element {
    fn component_bytes(self) -> usize {
        match self.component {
            ComponentType::I8 | ComponentType::U8 => 1,
            ComponentType::I16 | ComponentType::U16 => 2,
            ComponentType::U32 | ComponentType::F32 => 4,
        }
    }

    fn bytes(self) -> usize {
        self.component_bytes() * self.width
    }

    fn zero(self) -> [f64; 4] {
        let mut value = [0.0, 0.0, 0.0, 1.0];
        value[..self.width.min(4)].fill(0.0);
        value
    }

    fn read(self, bytes: &[u8], value: &mut [f64; 4]) {
        for (component, bytes) in value.iter_mut().zip(bytes.chunks_exact(self.component_bytes())) {
            // The largest value means 1; the most negative one is beyond -1 and is brought back.
            let (number, top) = match (self.component, bytes) {
                (ComponentType::I8, &[a]) => (f64::from(a as i8), 127.0),
                (ComponentType::U8, &[a]) => (f64::from(a), 255.0),
                (ComponentType::I16, &[a, b]) => (f64::from(i16::from_le_bytes([a, b])), 32767.0),
                (ComponentType::U16, &[a, b]) => (f64::from(u16::from_le_bytes([a, b])), 65535.0),
                (ComponentType::U32, &[a, b, c, d]) => {
                    (f64::from(u32::from_le_bytes([a, b, c, d])), 4_294_967_295.0)
                }
                (_, &[a, b, c, d]) => (f64::from(f32::from_le_bytes([a, b, c, d])), 0.0),
                _ => (0.0, 0.0),
            };
            *component = if self.normalized && top > 0.0 { (number / top).max(-1.0) } else { number };
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn base64_by_hand() {
        let base64 = |text: &str| base64(text, vec![0; decoded_len_estimate(text.len())]);
        assert_eq!(base64("TWFu").unwrap(), b"Man");
        assert_eq!([base64("TWE="), base64("TWE")], [Some(b"Ma".to_vec()), Some(b"Ma".to_vec())]);
        assert_eq!(base64("TQ==").unwrap(), b"M");
        assert_eq!(base64("").unwrap(), b"");
        assert_eq!(base64("TW n"), None);
    }

    #[test]
    fn names_of_files_are_decoded() {
        assert_eq!(percent_decoded("a%20b%zz%4"), "a b%zz%4");
        assert_eq!(percent_decoded("%c3%a9"), "é");
    }

    #[test]
    fn components() {
        let read = |component, normalized, bytes: &[u8]| {
            let mut value = [0.0; 4];
            Element { component, width: 1, normalized }.read(bytes, &mut value);
            value[0]
        };
        assert_eq!(read(ComponentType::I8, true, &[0x80]), -1.0);
        assert_eq!(read(ComponentType::U8, true, &[51]), 0.2);
        assert_eq!(read(ComponentType::I16, false, &[0xfe, 0xff]), -2.0);
        assert_eq!(read(ComponentType::U16, true, &[0xff, 0xff]), 1.0);
        assert_eq!(read(ComponentType::U32, false, &[0xff; 4]), 4_294_967_295.0);
        assert_eq!(read(ComponentType::F32, true, &2.5f32.to_le_bytes()), 2.5);
    }
}
