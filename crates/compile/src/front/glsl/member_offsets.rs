//! `layout(offset = N)` of members of GLSL's uniform blocks, which naga does not read: it is taken out, and a block whose members say
//! where they are is laid out anew once naga has read it.

use crate::front::SYNTAX;
use crate::front::glsl::{Edit, Tokens};
use crate::front::source_map::Moved;
use gpuzoo_diag::{Diagnostic, File};
use naga::{Handle, Module, Type, TypeInner};
use std::ops::Range;

/// The bytes of a register, to a multiple of which blocks are filled up. What is moved by that is aligned as it was.
const REGISTER: u32 = 16;

/// What a member says of its place.
#[derive(Debug)]
pub struct Offset {
    block: String,
    member: String,
    byte: u32,
    /// Where the source says it.
    place: Range<usize>,
}

impl Offset {
    /// Moves its place to the source of a text that was changed.
    pub fn move_back(&mut self, moved: &Moved) {
        self.place = moved.range(self.place.clone());
    }
}

/// Takes the offsets out.
pub fn edits(tokens: &Tokens) -> (Vec<Edit>, Vec<Offset>) {
    let (mut edits, mut offsets) = (Vec::new(), Vec::new());
    for open in 2..tokens.len() {
        if tokens.word(open - 2) != "uniform" || tokens.word(open) != "{" {
            continue;
        }
        let end = tokens.behind(open, tokens.len());
        for own in (open + 1..end).filter(|own| tokens.word(*own) == "layout") {
            let behind = tokens.behind(own + 1, end);
            if let Some((member, byte)) = offset(tokens, own..behind, end) {
                let place = tokens.range(own).start..tokens.range(behind - 1).end;
                edits.push(Edit { range: place.clone(), text: String::new() });
                offsets.push(Offset { block: tokens.word(open - 1).to_owned(), member, byte, place });
            }
        }
    }
    (edits, offsets)
}

/// The member behind a `layout` that says its offset alone, as a number.
fn offset(tokens: &Tokens, layout: Range<usize>, end: usize) -> Option<(String, u32)> {
    let at = layout.start;
    if layout.len() != 6 || tokens.word(at + 2) != "offset" || tokens.word(at + 3) != "=" {
        return None;
    }
    let byte = tokens.word(at + 4).parse().ok()?;
    let precision = usize::from(matches!(tokens.word(layout.end), "lowp" | "mediump" | "highp"));
    let mut name = layout.end + precision + 1;
    if tokens.word(name) == "[" {
        name = tokens.behind(name, end);
    }
    tokens.is_word(name).then(|| (tokens.word(name).to_owned(), byte))
}

/// Moves members to where they say that they are. A member behind one keeps its distance from it.
///
/// # Errors
/// A diagnostic, where what the members say does not fit.
pub fn place(module: &mut Module, offsets: &[Offset], file: &File) -> Result<(), Diagnostic> {
    let blocks: Vec<Handle<Type>> = module.types.iter().map(|(handle, _)| handle).collect();
    for handle in blocks {
        let mut ty = module.types[handle].clone();
        let TypeInner::Struct { members, span } = &mut ty.inner else { continue };
        let own: Vec<&Offset> = offsets.iter().filter(|own| ty.name.as_ref() == Some(&own.block)).collect();
        let Some(mut last) = own.first().copied() else { continue };
        let refused = |own: &Offset, message: String, help: &str| {
            Diagnostic::error(&SYNTAX, message).at(file.span(own.place.clone())).help(help)
        };
        let (mut shift, mut end) = (0, 0);
        for member in members {
            let name = member.name.as_deref().unwrap_or("?");
            let mut said = own.iter().filter(|own| own.member == name);
            if let Some(first) = said.next() {
                if said.any(|other| other.byte != first.byte) {
                    let message = format!("`{name}` has two offsets");
                    return Err(refused(first, message, "give each block a name of its own"));
                }
                (last, shift) = (first, i64::from(first.byte) - i64::from(member.offset));
            } else if shift % i64::from(REGISTER) != 0 {
                let message = format!("`{name}` does not say its offset behind a member that does");
                return Err(refused(
                    last,
                    message,
                    "write `layout(offset = …)` before each member of the block",
                ));
            }
            let moved = u32::try_from(i64::from(member.offset) + shift).ok().filter(|moved| *moved >= end);
            let Some(moved) = moved else {
                let message = format!("`{name}` would begin at a byte that another member has");
                return Err(refused(
                    last,
                    message,
                    "members of a block lie behind each other: give it a larger offset",
                ));
            };
            member.offset = moved;
            let size = module.types[member.ty].inner.try_size(module.to_ctx());
            end = moved.saturating_add(size.unwrap_or(u32::MAX));
        }
        *span = end.div_ceil(REGISTER).saturating_mul(REGISTER);
        match module.types.get(&ty) {
            None => module.types.replace(handle, ty),
            Some(known) if known == handle => {}
            Some(_) => {
                let message = format!("there are two blocks `{}`", last.block);
                return Err(refused(last, message, "give each block a name of its own"));
            }
        }
    }
    Ok(())
}
