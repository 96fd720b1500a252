//! An object becomes a source of the program: its bytes go into the segments, its names are imported and exported.

use super::{Fragment, Node, Object, Wrong};
use crate::assembler::Called;
use crate::assembler::{self, Assembler, Field, Fixup};
use crate::expr::Piece;
use crate::expr::Sym;
use crate::expr::{Binary, Expr};
use crate::rules::{OBJECT, TOO_LONG};
use crate::section::MAX_SEGMENTS;
use crate::symbols::Owner;
use gpuzoo_diag::{Diagnostic, FileId, Severity, Span};
use std::collections::HashSet;

/// What the numbers of an object stand for.
struct Known {
    imports: Vec<Sym>,
    sections: Vec<Option<Expr>>,
}

impl Known {
    fn expr(&self, node: &Node) -> Result<Expr, Wrong> {
        let place = |number: &usize| self.sections.get(*number).and_then(Option::as_ref);
        Ok(match node {
            Node::Number(number) => Expr::Number(*number),
            Node::Import(number) => {
                let symbol = self.imports.get(*number);
                Expr::Symbol(*symbol.ok_or_else(|| format!("it has no import {number}"))?)
            }
            Node::Section(number) => {
                place(number).cloned().ok_or_else(|| format!("it has no section {number}"))?
            }
            Node::Unary(op, operand) => Expr::unary(*op, self.expr(operand)?),
            Node::Binary(op, both) => Expr::binary(*op, self.expr(&both.0)?, self.expr(&both.1)?),
        })
    }
}

impl Object {
    /// The sections that are meant by a value: a place in one is needed, even if it has no bytes.
    fn meant(&self) -> HashSet<usize> {
        fn note(node: &Node, meant: &mut HashSet<usize>) {
            match node {
                Node::Section(section) => drop(meant.insert(*section)),
                Node::Unary(_, operand) => note(operand, meant),
                Node::Binary(_, both) => {
                    note(&both.0, meant);
                    note(&both.1, meant);
                }
                Node::Number(_) | Node::Import(_) => {}
            }
        }
        let exports = self.exports.iter().map(|export| &export.value);
        let fragments = self.sections.iter().flat_map(|section| &section.fragments);
        let values = fragments.filter_map(|fragment| match fragment {
            Fragment::Value(_, node) | Fragment::Distance(node) => Some(node),
            Fragment::Bytes(_) | Fragment::Fill(_) => None,
        });
        let mut meant = HashSet::new();
        exports.chain(values).for_each(|node| note(node, &mut meant));
        meant
    }
}

impl Assembler<'_> {
    /// Reads an object file of the program, or a library. One that cannot be used is reported.
    pub fn object(&mut self, file: FileId, bytes: &[u8]) {
        let span = Span { file, start: 0, end: 0 };
        let added = if super::is_library(bytes) {
            self.link_library(file, bytes)
        } else if bytes.starts_with(&super::O65) {
            Err("it is in the format o65".to_owned())
        } else {
            self.begin_unit();
            Object::read(bytes).and_then(|object| self.add_object(&object, span))
        };
        if let Err(wrong) = added {
            // Names that it has are not to be missed.
            self.incomplete = true;
            let problem = Diagnostic::error(&OBJECT, format!("the object file cannot be linked: {wrong}"));
            let help = "objects are those of ca65 of cc65 2.19: `ca65 -t cx16 -o lib.o lib.s`, and libraries those of its ar65";
            self.report_in(problem.label(span, "").help(help), 0);
        }
    }

    pub(super) fn add_object(&mut self, object: &Object, span: Span) -> Result<(), Wrong> {
        let owner = Owner::Scope(self.symbols.root);
        let mut known = Known { imports: Vec::new(), sections: Vec::new() };
        for import in &object.imports {
            let name = self.names.intern(&import.name);
            let symbol = self.symbols.entry(owner, name, span, 0);
            let entry = self.symbols.get_mut(symbol);
            (entry.import, entry.is_used, entry.is_own) = (Some(span), true, true);
            entry.is_zp |= import.is_zero_page;
            known.imports.push(symbol);
        }
        let meant = object.meant();
        let mut begins: Vec<(Piece, usize)> = Vec::new();
        for (number, section) in object.sections.iter().enumerate() {
            // ca65 lists all segments that it knows.
            if section.size == 0 && !meant.contains(&number) {
                begins.push(self.sections.end());
                known.sections.push(None);
                continue;
            }
            if self.sections.segments.len() >= MAX_SEGMENTS {
                return Err(format!("a program may have {MAX_SEGMENTS} segments"));
            }
            self.sections.enter(&section.segment, section.is_zero_page, span);
            if section.align > 1 {
                self.sections.align(section.align, 0);
            }
            begins.push(self.sections.end());
            known.sections.push(Some(self.sections.here()));
            for fragment in &section.fragments {
                let has_room = match fragment {
                    Fragment::Bytes(bytes) => self.sections.emit(bytes),
                    Fragment::Fill(count) => self.sections.reserve(*count, 0),
                    Fragment::Value(length, _) => self.sections.reserve(*length, 0),
                    Fragment::Distance(_) => self.sections.reserve(1, 0),
                };
                if !has_room {
                    let message = format!("there is no room for this in {}", section.segment);
                    self.report_in(Diagnostic::error(&TOO_LONG, message).label(span, ""), 0);
                    return Ok(());
                }
            }
        }
        for (section, (piece, begin)) in object.sections.iter().zip(begins) {
            self.add_values(&section.fragments, piece, begin, &known, span)?;
        }
        for export in &object.exports {
            let value = known.expr(&export.value)?;
            let symbol = self.export(&export.name, value, export.is_label, span);
            self.symbols.get_mut(symbol).is_zp |= export.is_zero_page;
            let called = export.called.iter().map(|&(table, priority)| Called { table, priority, symbol });
            self.called.extend(called);
        }
        for assertion in &object.assertions {
            let severity = if assertion.is_error { Severity::Error } else { Severity::Warning };
            let expr = known.expr(&assertion.value)?;
            let message = assertion.message.to_string();
            self.assertions.push(assembler::Assertion { expr, span, context: 0, message, severity });
        }
        Ok(())
    }

    /// The values in a section, which are stored when everything is known.
    fn add_values(
        &mut self,
        fragments: &[Fragment],
        piece: Piece,
        begin: usize,
        known: &Known,
        span: Span,
    ) -> Result<(), Wrong> {
        let mut offset = begin;
        for fragment in fragments {
            let (length, value) = match fragment {
                Fragment::Bytes(bytes) => (bytes.len(), None),
                Fragment::Fill(count) => (*count, None),
                Fragment::Value(length, node) => {
                    let field = [Field::Byte, Field::Word, Field::Far, Field::Long][(length - 1) % 4];
                    (*length, Some((field, known.expr(node)?)))
                }
                Fragment::Distance(node) => {
                    // A branch is stored by where it leads to.
                    let next = self.sections.place(piece, offset as i64 + 1);
                    (1, Some((Field::Branch, Expr::binary(Binary::Add, known.expr(node)?, next))))
                }
            };
            if let Some((field, expr)) = value {
                self.fixups.push(Fixup { piece, offset, field, expr, span, context: 0 });
            }
            offset += length;
        }
        Ok(())
    }
}
