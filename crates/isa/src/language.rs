//! A language beside the rows of its instruction set: its statements and its own checks.

use crate::cursor::Failed;
use crate::item::{Named, Written};
use crate::operand::{Reg, Swizzle};
use crate::parser::Parser;
use gpuzoo_diag::{Diagnostic, Span};

/// What a language has beside instructions, and what it knows better than the kit.
pub trait Language {
    /// Reads a directive, a declaration or a macro; none if the token begins nothing of the kind.
    fn statement(&mut self, _parser: &mut Parser) -> Option<Result<(), Failed>> {
        None
    }

    /// Reads what follows a `+` and is not an instruction; none if the token begins nothing of the kind.
    fn joined(&mut self, _parser: &mut Parser) -> Option<Result<(), Failed>> {
        None
    }

    /// Checks an instruction that was read, beyond what its row says: whether its operands share bits.
    fn instruction(&mut self, parser: &mut Parser, written: &Written) -> Result<(), Failed> {
        parser.check_bits(written)
    }

    /// Checks the plus sign of a source.
    fn plus(&mut self, _: &mut Parser, _: Span) {}

    /// Reads a register that the kit has no way to write; none if the token begins none.
    fn register(&mut self, _: &mut Parser) -> Option<Result<Reg, Failed>> {
        None
    }

    /// The register of a number between brackets, in a language that counts a file's registers in its own way; none where
    /// it counts as the parser does.
    fn numbered(&mut self, _: &mut Parser, _file: u8, _number: i64, _: Span) -> Option<Result<Reg, Failed>> {
        None
    }

    /// Checks a register that was read.
    fn check(&mut self, _: &mut Parser, _: &Named) -> Result<(), Failed> {
        Ok(())
    }

    /// Checks the components that are written behind the address register as a destination; `whole` is its place.
    fn address(
        &mut self,
        parser: &mut Parser,
        letters: Option<(String, Span)>,
        _whole: Span,
    ) -> Result<(), Failed> {
        match letters {
            Some((_, span)) => parser.no_components("the address register", span),
            None => Ok(()),
        }
    }

    /// Adds to the message about a swizzle that the machine cannot say: of `reg`, whose text with the swizzle is at
    /// `whole`.
    fn swizzle(&mut self, _: &Parser, problem: Diagnostic, _: Reg, _: Swizzle, _whole: Span) -> Diagnostic {
        problem
    }
}

/// A language without statements of its own.
pub struct Plain;

impl Language for Plain {}
