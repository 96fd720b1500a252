//! What a text says beside its instructions: the shader's type, its inputs, outputs and uniforms (spec section 2.3).

use crate::ISA;
use crate::encoding::OP;
use crate::header::COMMAND_DWORDS;
use crate::ops::{FCROSS, FCROSS2, FMAD};
use crate::profile::UNIT;
use crate::regs::R;
use crate::rules::*;
use crate::syntax::{HEADER, REFERENCE};
use gpuzoo_diag::{Diagnostic, File, Span};
use gpuzoo_isa::{
    Bits, Choice, Failed, Inst, Interface, Item, Language, Operand, Parsed, Parser, Part, Port, Profile,
    Stage, Written, parse,
};
use std::fmt::Write;

/// A text, read.
#[derive(Debug, Default)]
pub struct Source {
    /// What it declares.
    pub interface: Interface,
    /// Where it says which shader it is.
    pub stage: Option<Span>,
    /// The store command, if it is given as it stands.
    pub header: Option<(Vec<u32>, Span)>,
    /// The words of its own instructions, each with the place of its statement.
    pub words: Vec<(u32, Span)>,
    /// Where its directives end.
    pub directives_end: Span,
    /// What is wrong.
    pub problems: Vec<Diagnostic>,
}

/// Reads a text; under profile `unit` as the reference assembler does.
pub fn read(file: &File, profile: Profile) -> Source {
    let reference = profile == UNIT;
    let syntax = if reference { &REFERENCE } else { ISA.syntax };
    let source = Source { directives_end: file.span(0..0), ..Source::default() };
    let mut declarations = Declarations { source, reference };
    let Parsed { items, diagnostics } = parse(&ISA, syntax, file, &mut declarations);
    let mut source = Source { problems: diagnostics, ..declarations.source };
    for item in items {
        let (words, span) = match item {
            Item::Inst(Written { inst, span, .. }) => {
                (ISA.slot(encode(&inst, reference), span).words(&ISA).to_vec(), span)
            }
            Item::Raw(words, span) => (words, span),
        };
        source.words.extend(words.into_iter().map(|word| (word, span)));
    }
    source
}

/// The reference assembler writes `fmad` with the opcode of `fcross2`. The layout is that of `fmad` all the same (spec
/// section 3, row 1).
fn encode(inst: &Inst, reference: bool) -> Bits {
    let mut bits = ISA.encode(inst);
    if reference && inst.op.code == FMAD {
        OP.set(&mut bits, u32::from(FCROSS2));
    }
    bits
}

struct Declarations {
    source: Source,
    reference: bool,
}

/// The register of a declaration.
static REGISTER: &[Part] = &[Part::read("port", 0, &[Choice::reg(R, 0, &[])])];

impl Language for Declarations {
    fn statement(&mut self, parser: &mut Parser) -> Option<Result<(), Failed>> {
        let result = match parser.text() {
            "#input" => self.port(parser, PortKind::Input),
            "#output" => self.port(parser, PortKind::Output),
            "#uniform" => self.port(parser, PortKind::Uniform),
            "#vertexShader" => self.stage(parser, Stage::Vertex),
            "#fragmentShader" => self.stage(parser, Stage::Fragment),
            "#undefinedRegs" => self.undefined_registers(parser),
            HEADER => return Some(self.header(parser)),
            _ => return None,
        };
        if parser.items.is_empty() {
            self.source.directives_end = parser.here();
        }
        Some(result)
    }

    fn instruction(&mut self, parser: &mut Parser, written: &Written) -> Result<(), Failed> {
        let Written { inst, span, form, .. } = *written;
        if !self.reference {
            return Ok(());
        }
        let sources = inst.reads().count();
        let values = inst.reads().map(|(_, operand)| operand.immediates.len()).max().unwrap_or(0);
        let what = match inst.op.code {
            _ if form.is_some() => "one source",
            FCROSS if parser.file.slice(span).contains('.') => "a mask of `fcross`",
            _ if sources > 1 && values > 1 => "more than one value here",
            _ => return Ok(()),
        };
        let message = format!("the reference assembler does not read {what}");
        parser.fail(Diagnostic::error(&REFERENCE_REFUSES, message).at(span))
    }
}

impl Declarations {
    /// Takes the directive, which must not be behind an instruction.
    fn directive(&mut self, parser: &mut Parser) -> Span {
        let (name, span) = (parser.text(), parser.span());
        if self.source.header.is_some() || !parser.items.is_empty() {
            let message = format!("`{name}` must stand before the instructions");
            let problem = Diagnostic::error(&LATE_DIRECTIVE, message).at(span);
            parser.report(problem.help("move it to the top"));
        }
        parser.advance();
        span
    }

    fn stage(&mut self, parser: &mut Parser, stage: Stage) -> Result<(), Failed> {
        let span = self.directive(parser);
        if let Some(first) = self.source.stage {
            let problem = Diagnostic::error(&SECOND_STAGE, "the shader type is given a second time");
            return parser.fail(problem.at(span).label(first, "first given here"));
        }
        (self.source.interface.stage, self.source.stage) = (stage, Some(span));
        Ok(())
    }

    fn undefined_registers(&mut self, parser: &mut Parser) -> Result<(), Failed> {
        let span = self.directive(parser);
        if std::mem::replace(&mut self.source.interface.undefined_registers, true) {
            let problem = Diagnostic::error(&SECOND_UNDEFINED, "`#undefinedRegs` is here a second time");
            return parser.fail(problem.at(span).fix("leave it out", span, ""));
        }
        Ok(())
    }

    /// `#input r0.xyzw`
    fn port(&mut self, parser: &mut Parser, kind: PortKind) -> Result<(), Failed> {
        let directive = parser.text();
        self.directive(parser);
        let (_, Operand { reg, .. }) = parser.register(directive, REGISTER, self)?;
        let here = parser.here();
        let Some((letters, place)) = parser.letters() else {
            let message = format!("the {} needs its components", kind.name());
            let problem = Diagnostic::error(&BAD_IO_MASK, message).label(here, "expected here");
            return parser.fail(problem.help(format!("for example `r{}.xyzw`", reg.index)));
        };
        let mask = parser.mask(&letters, place)?;
        let components = mask.0.count_ones() as u8;
        let gap = mask.0 & (mask.0 + 1) != 0;
        let in_order = letters == mask.to_string();
        if gap || !in_order && !self.reference {
            let right = &"xyzw"[..components as usize];
            let problem = Diagnostic::error(&BAD_IO_MASK, "components must be x, xy, xyz or xyzw");
            let problem = problem.label(place, if gap { "has a gap" } else { "not in order" });
            parser.report(problem.guess(format!("write `.{right}`"), place, format!(".{right}")));
            if gap {
                return Ok(());
            }
        }
        let port = Port { reg, components, span: parser.since(parser.statement) };
        declare(&mut self.source.interface, kind, port, self.reference, parser);
        Ok(())
    }

    /// `.header w0 w1 w2`: the store command as it stands.
    fn header(&mut self, parser: &mut Parser) -> Result<(), Failed> {
        let span = parser.span();
        let words = parser.words(0, usize::MAX)?;
        let empty = parser.items.is_empty() && self.source.interface == Interface::default();
        if !empty || self.source.stage.is_some() || self.source.header.is_some() {
            let problem =
                Diagnostic::error(&LATE_DIRECTIVE, format!("`{HEADER}` must be the first statement"));
            return parser.fail(problem.at(span).help("it is there in place of all directives"));
        }
        let (count, whole) = (words.len(), parser.since(parser.statement));
        // Whatever is wrong with it, nothing is added to the words that follow.
        self.source.header = Some((words, whole));
        parser.internal = true;
        if count != COMMAND_DWORDS {
            let message = format!("a store command has three dwords, not {count}");
            return parser.fail(Diagnostic::error(&STORE_COMMAND, message).at(whole));
        }
        Ok(())
    }
}

/// The outputs that a text declares: all but the depth of a fragment shader.
pub fn declared_outputs(interface: &Interface) -> &[Port] {
    match interface.stage {
        Stage::Vertex => &interface.outputs,
        Stage::Fragment => &interface.outputs[..interface.outputs.len().min(1)],
    }
}

/// Appends the directives of a program, a line each. The depth output of a fragment shader is not among them.
pub fn print(interface: &Interface, out: &mut String) {
    out.push_str(match interface.stage {
        Stage::Vertex => "#vertexShader\n",
        Stage::Fragment => "#fragmentShader\n",
    });
    let Interface { inputs, uniforms, .. } = interface;
    for (name, ports) in
        [("input", &inputs[..]), ("output", declared_outputs(interface)), ("uniform", uniforms)]
    {
        for port in ports {
            // Writing to a String cannot fail.
            let _ = writeln!(out, "#{name} r{}.{}", port.reg.index, port.mask());
        }
    }
    if interface.undefined_registers {
        out.push_str("#undefinedRegs\n");
    }
}
