//! Libraries of ar65 (`.lib`): objects one behind the other, of which a program gets those that it needs.
//!
//! The format is that of cc65 2.19, version 13: `libdefs.h` of cc65's `src/common`, and the functions of ar65 that write it. Which objects are
//! taken, and in which order, is as in ld65's `library.c`.

use super::{Object, Wrong, read::Reader};
use crate::assembler::Assembler;
use gpuzoo_diag::{FileId, Span};

/// What a library begins with.
pub(super) const MAGIC: [u8; 4] = *b"naUz";
const VERSION: u16 = 13;

/// The objects of a library, in their order.
fn objects(bytes: &[u8]) -> Result<Vec<Object>, Wrong> {
    let mut header = Reader::at(bytes, MAGIC.len())?;
    let version = header.word()?;
    if version != VERSION {
        return Err(format!("its format is version {version}, and not {VERSION}"));
    }
    header.word()?;
    // Objects lie one behind the other.
    let mut left = bytes.len();
    Reader::at(bytes, header.long()? as usize)?.list(|index| {
        let length = index.number()?;
        let name = String::from_utf8_lossy(index.bytes(length)?).into_owned();
        // Flags, and when the object was made.
        index.word()?;
        index.long()?;
        let (start, size) = (index.long()? as usize, index.long()? as usize);
        let own = bytes.get(start..).and_then(|rest| rest.get(..size));
        let object = own.ok_or_else(|| "it lies outside of the library".to_owned());
        left = left.checked_sub(size).ok_or("its objects lie in one another")?;
        let object = object.and_then(Object::read);
        object.map_err(|wrong| format!("of its object {name}: {wrong}"))
    })
}

impl Assembler<'_> {
    /// Links the objects of a library that the sources before it need, and those that these need.
    pub(super) fn link_library(&mut self, file: FileId, bytes: &[u8]) -> Result<(), Wrong> {
        let objects = objects(bytes)?;
        let mut exported = self.exported_names();
        let mut needed = self.needed(&exported);
        let mut is_taken = vec![false; objects.len()];
        loop {
            let before = is_taken.iter().filter(|taken| **taken).count();
            for (object, is_taken) in objects.iter().zip(&mut is_taken) {
                if *is_taken || !object.exports.iter().any(|export| needed.contains(&*export.name)) {
                    continue;
                }
                *is_taken = true;
                exported.extend(object.exports.iter().map(|export| export.name.to_string()));
                needed.extend(object.imports.iter().map(|import| import.name.to_string()));
                let tables = object.exports.iter().flat_map(|export| &export.called);
                needed.extend(tables.filter_map(|(table, _)| self.needed_by_table(*table)));
                needed.retain(|name| !exported.contains(name));
            }
            if is_taken.iter().filter(|taken| **taken).count() == before {
                break;
            }
        }
        let span = Span { file, start: 0, end: 0 };
        for (object, _) in objects.iter().zip(is_taken).filter(|(_, is_taken)| *is_taken) {
            self.begin_unit();
            self.add_object(object, span)?;
        }
        Ok(())
    }
}
