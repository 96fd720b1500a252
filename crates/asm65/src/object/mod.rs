//! Object files of ca65 (`ca65 -t cx16 -o lib.o lib.s`) and libraries of them, which are linked with texts.
//!
//! The format is that of cc65 2.19, version 17: `objdefs.h`, `exprdefs.h`, `fragdefs.h` and `symdefs.h` of cc65's `src/common`, and the functions of
//! ca65 that write them. What is only for debuggers is passed by.

mod library;
mod link;
mod read;

use crate::expr::{Binary, Unary};
use read::Reader;
use std::rc::Rc;

/// What an object file begins with.
const MAGIC: [u8; 4] = *b"Uzna";
const VERSION: u16 = 17;
/// Expressions are nested so deeply at most.
const DEEPEST: usize = 200;
/// Names and texts have so many bytes at most: a file names one again and again.
const LONGEST: usize = 1024;

/// What objects of the format o65 begin with, which are known in order to be refused.
const O65: [u8; 5] = *b"\x01\0o65";

/// True for the bytes of an object file or of a library: they are linked, and no text.
///
/// ```
/// assert!(gpuzoo_asm65::is_object(b"Uzna\x11\0"));
/// assert!(gpuzoo_asm65::is_object(b"naUz\x0d\0"));
/// assert!(!gpuzoo_asm65::is_object(b"  lda #1\n"));
/// ```
pub fn is_object(bytes: &[u8]) -> bool {
    bytes.starts_with(&MAGIC) || is_library(bytes) || bytes.starts_with(&O65)
}

/// True for the bytes of a library.
pub(crate) fn is_library(bytes: &[u8]) -> bool {
    bytes.starts_with(&library::MAGIC)
}

/// What an object file says.
#[derive(Debug, Default)]
struct Object {
    imports: Vec<Import>,
    exports: Vec<Export>,
    sections: Vec<Section>,
    assertions: Vec<Assertion>,
}

#[derive(Debug)]
struct Import {
    name: Rc<str>,
    is_zero_page: bool,
}

#[derive(Debug)]
struct Export {
    name: Rc<str>,
    value: Node,
    is_label: bool,
    is_zero_page: bool,
    /// The tables that have it, each with its priority there.
    called: Vec<(u8, u8)>,
}

/// What it adds to a segment.
#[derive(Debug)]
struct Section {
    segment: Rc<str>,
    is_zero_page: bool,
    size: usize,
    align: i64,
    fragments: Vec<Fragment>,
}

#[derive(Debug)]
enum Fragment {
    Bytes(Vec<u8>),
    Fill(usize),
    /// So many bytes of a value.
    Value(usize, Node),
    /// A byte with a sign, as branches have it.
    Distance(Node),
}

/// An expression: places are sections by their numbers, names are imports by theirs.
#[derive(Debug)]
enum Node {
    Number(i64),
    Import(usize),
    Section(usize),
    Unary(Unary, Box<Node>),
    Binary(Binary, Box<(Node, Node)>),
}

#[derive(Debug)]
struct Assertion {
    value: Node,
    is_error: bool,
    message: Rc<str>,
}

/// Why a file cannot be used.
type Wrong = String;

impl Object {
    fn read(bytes: &[u8]) -> Result<Object, Wrong> {
        let mut header = Reader::at(bytes, 4)?;
        let version = header.word()?;
        if version != VERSION {
            return Err(format!("its format is version {version}, and not {VERSION}"));
        }
        header.word()?;
        // Eleven parts, each with its place and its size.
        let mut parts = [0; 11];
        for part in &mut parts {
            *part = header.long()?;
            header.long()?;
        }
        let [_, _, sections, imports, exports, _, _, strings, assertions, ..] = parts;
        let part = |at: u32| Reader::at(bytes, at as usize);
        let strings = part(strings)?.list(|reader| {
            let length = reader.number()?;
            if length > LONGEST {
                return Err(format!("a name in it has {length} bytes, more than {LONGEST}"));
            }
            Ok(Rc::from(String::from_utf8_lossy(reader.bytes(length)?)))
        })?;
        let string = |reader: &mut Reader| -> Result<Rc<str>, Wrong> {
            let number = reader.number()?;
            strings.get(number).cloned().ok_or_else(|| format!("it has no string {number}"))
        };
        Ok(Object {
            imports: part(imports)?.list(|reader| {
                let is_zero_page = reader.byte()? == ZERO_PAGE;
                let name = string(reader)?;
                reader.lines(2)?;
                Ok(Import { name, is_zero_page })
            })?,
            exports: part(exports)?.list(|reader| export(reader, &string))?,
            sections: part(sections)?.list(|reader| section(reader, &string))?,
            assertions: part(assertions)?.list(|reader| {
                let value = reader.expression(DEEPEST)?;
                let is_error = matches!(reader.number()?, 1 | 3);
                let message = string(reader)?;
                reader.lines(1)?;
                Ok(Assertion { value, is_error, message })
            })?,
        })
    }
}

/// The size of addresses of the zero page.
const ZERO_PAGE: u8 = 1;

fn export(
    reader: &mut Reader,
    string: &dyn Fn(&mut Reader) -> Result<Rc<str>, Wrong>,
) -> Result<Export, Wrong> {
    let flags = reader.number()?;
    let is_zero_page = reader.byte()? == ZERO_PAGE;
    let called = reader.bytes(flags & 7)?.iter().map(|byte| (byte >> 5, (byte & 0x1f) + 1)).collect();
    let name = string(reader)?;
    let value = match flags & 0x10 {
        0 => Node::Number(reader.long()?.cast_signed().into()),
        _ => reader.expression(DEEPEST)?,
    };
    if flags & 0x08 != 0 {
        reader.number()?;
    }
    reader.lines(2)?;
    Ok(Export { name, value, is_label: flags & 0x20 != 0, is_zero_page, called })
}

fn section(
    reader: &mut Reader,
    string: &dyn Fn(&mut Reader) -> Result<Rc<str>, Wrong>,
) -> Result<Section, Wrong> {
    reader.long()?;
    let segment = string(reader)?;
    reader.number()?;
    let size = reader.number()?;
    let align = reader.number()?.clamp(1, 1 << 16) as i64;
    let is_zero_page = reader.byte()? == ZERO_PAGE;
    let fragments = reader.list(|reader| {
        let kind = reader.byte()?;
        let fragment = match (kind & 0x38, usize::from(kind & 7)) {
            (0x00, _) => {
                let length = reader.number()?;
                Fragment::Bytes(reader.bytes(length)?.to_vec())
            }
            (0x08, length @ 1..=4) => Fragment::Value(length, reader.expression(DEEPEST)?),
            (0x10, 1) => Fragment::Distance(reader.expression(DEEPEST)?),
            (0x20, _) => Fragment::Fill(reader.number()?),
            _ => {
                return Err(format!(
                    "what it puts into {segment} is of the kind ${kind:02X}, which the 65C02 has no use for"
                ));
            }
        };
        reader.lines(1)?;
        Ok(fragment)
    })?;
    Ok(Section { segment, is_zero_page, size, align, fragments })
}
