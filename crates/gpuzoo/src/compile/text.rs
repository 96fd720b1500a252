//! What a compiled program is written as.

use super::Compiled;
use crate::emit::{Contents, contents};
use crate::host_constants::{self, HostConstant};
use gpuzoo_diag::{FileId, Sources, Span};
use gpuzoo_isa::{Constant, Interface, Mask, Reg};
use gpuzoo_machine::TextOptions;
use gpuzoo_machine::target::conventions::Port;
use serde::Serialize;
use std::fmt::Write;

impl Compiled {
    /// Assembly text that assembles to the same words. Comments say which constants the uniforms are and which hold numbers of the source,
    /// which texture units the textures, and which place of the source each slot comes from.
    pub fn text(&self, sources: &Sources) -> String {
        let (gpu, code) = (self.program.gpu(), self.program.code());
        let (plain, _) = gpu.disassemble(code, &TextOptions { exact: true, ..TextOptions::default() });
        let mark = gpu.isa().syntax.comment();
        let mut slots = code.slots.iter();
        let mut text = self.constants_text(sources, mark, &plain);
        for (unit, name) in self.shader().textures.iter().enumerate() {
            let _ = writeln!(text, "{mark} texture unit {unit}: {name}");
        }
        for line in plain.lines() {
            let is_slot = !line.trim().is_empty() && !line.trim_start().starts_with(['#', '.', ';', '/']);
            let place = if is_slot { slots.next().and_then(|slot| place(sources, slot.span)) } else { None };
            let _ = match place {
                Some(place) => writeln!(text, "{line:<48} {mark} {place}"),
                None => writeln!(text, "{line}"),
            };
        }
        text
    }

    /// Comments about constants; those that the machine's own text has are left out.
    fn constants_text(&self, sources: &Sources, mark: &str, plain: &str) -> String {
        let (isa, code) = (self.program.isa(), self.program.code());
        let mut text = String::new();
        // The first values of uniforms have no name of their own.
        let is_uniform = |reg: Reg| {
            let distance = |own: &Constant| reg.index.wrapping_sub(own.reg.index);
            code.uniforms().any(|(_, own)| own.reg.file == reg.file && distance(own) < own.count)
        };
        for constant in &code.constants {
            let reg = |at: u16| Reg { index: constant.reg.index + at, ..constant.reg };
            if let Some(name) = &constant.name {
                let first = isa.reg_name(reg(0));
                let all = match constant.count {
                    1 if constant.mask == Mask::ALL => first,
                    1 => format!("{first}.{}", constant.mask),
                    count => format!("{first} to {}", isa.reg_name(reg(count - 1))),
                };
                let computed =
                    self.program.host_constants().into_iter().find(|own| own.register == constant.reg);
                let _ = match computed {
                    Some(own) => writeln!(
                        text,
                        "{mark} {all}: {name}, which the host computes{}",
                        source_text(&own, sources)
                    ),
                    None => writeln!(text, "{mark} {all}: {name}"),
                };
            }
            for (at, value) in (0..).zip(&constant.values) {
                let name = isa.reg_name(reg(at));
                let head = format!("{mark} {name}");
                if !plain.lines().any(|line| line.starts_with(&format!("{head},"))) {
                    let [x, y, z, w] = value.map(f32::from_bits);
                    let holds = if is_uniform(reg(at)) { "is at first" } else { "must hold" };
                    let _ = writeln!(text, "{head} {holds} {x:?}, {y:?}, {z:?}, {w:?}");
                }
            }
        }
        text
    }

    /// The register of an input or output. Programs that declare theirs number them in the order of the usual ones.
    fn register(&self, port: Port, is_input: bool) -> Option<Reg> {
        let (gpu, shader) = (self.program.gpu(), self.shader());
        let conventions = gpu.conventions()?;
        let usual = |port| match is_input {
            true => conventions.input(shader.stage, port),
            false => self.options.output(conventions, shader.stage, port),
        };
        let own = usual(port)?;
        if gpu.sequence().and_then(|own| own.declared()).is_none() {
            return Some(own);
        }
        let Interface { inputs, outputs, .. } = self.program.code().interface.as_ref()?;
        let before = shader
            .outputs
            .iter()
            .filter_map(|other| usual(other.port))
            .filter(|other| other.index < own.index);
        let declared =
            if is_input { inputs.get(usize::from(own.index)) } else { outputs.get(before.count()) };
        declared.map(|declared| declared.reg)
    }

    /// All that is known of the program, for other tools: its words, what goes in and out, and where each slot comes from.
    pub fn json<'a>(&'a self, sources: &'a Sources) -> CompiledContents<'a> {
        let (isa, code, shader) = (self.program.isa(), self.program.code(), self.shader());
        let variable = |own: &'a super::Variable, is_input: bool| CompiledVariable {
            name: &own.name,
            port: port(own.port),
            components: own.mask.0.count_ones(),
            register: self.register(own.port, is_input).map(|register| isa.reg_name(register)),
        };
        let uniform = |own: &'a super::Uniform| {
            let mut constants = code.constants.iter();
            let constant = constants.find(|constant| constant.name.as_deref() == Some(&own.name));
            CompiledUniform {
                name: &own.name,
                ty: &own.ty,
                register: constant.map(|constant| isa.reg_name(constant.reg)),
                count: own.count,
                components: own.mask.to_string(),
            }
        };
        let texture = |(unit, name): (usize, &'a String)| CompiledTexture { name, unit };
        let line = |own: &'a super::Line| CompiledSlot {
            slot: own.slot,
            half: own.half,
            place: place(sources, own.span),
            variable: own.variable.as_deref(),
            bytes: [own.span.start, own.span.end],
        };
        let home = |own: &'a gpuzoo_isa::Home| {
            let letter = |component: &Option<u8>| {
                component.map_or('_', |component| char::from(b"xyzw"[usize::from(component & 3)]))
            };
            let components: String = own.components.iter().map(letter).collect();
            VariableHome {
                variable: &own.variable,
                register: isa.reg_name(own.reg),
                components: components.trim_end_matches('_').to_owned(),
                from: own.from,
                to: own.to,
            }
        };
        let host = code.host.as_ref().map(|host| {
            let constant = |own: HostConstant| ComputedConstant {
                register: isa.reg_name(own.register),
                count: own.count,
                components: own.components.to_string(),
                source: sources.find(own.span.file).map(|file| file.slice(own.span)),
                place: place(sources, own.span),
                name: own.name,
            };
            ComputedConstants {
                constants: self.program.host_constants().into_iter().map(constant).collect(),
                c: host_constants::c(host, "host_constants").trim_start().to_owned(),
            }
        });
        CompiledContents {
            contents: contents(&self.program),
            stage: format!("{:?}", shader.stage).to_lowercase(),
            inputs: shader.inputs.iter().map(|own| variable(own, true)).collect(),
            outputs: shader.outputs.iter().map(|own| variable(own, false)).collect(),
            uniforms: shader.uniforms.iter().map(uniform).collect(),
            textures: shader.textures.iter().enumerate().map(texture).collect(),
            lines: self.lines().iter().map(line).collect(),
            host,
            variables: code.homes.iter().map(home).collect(),
        }
    }
}

/// All that is known of a compiled program, for other tools.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct CompiledContents<'a> {
    /// Its words and constants.
    #[serde(flatten)]
    pub contents: Contents<'a>,
    /// `vertex` or `fragment`.
    pub stage: String,
    /// Inputs that it reads.
    pub inputs: Vec<CompiledVariable<'a>>,
    /// Outputs that it writes.
    pub outputs: Vec<CompiledVariable<'a>>,
    /// Uniforms.
    pub uniforms: Vec<CompiledUniform<'a>>,
    /// Textures.
    pub textures: Vec<CompiledTexture<'a>>,
    /// The place in the source of each instruction.
    pub lines: Vec<CompiledSlot<'a>>,
    /// Constants that the host computes from others, if there are any.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub host: Option<ComputedConstants<'a>>,
    /// The registers of the source's variables.
    pub variables: Vec<VariableHome<'a>>,
}

/// An input or an output of a compiled program.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct CompiledVariable<'a> {
    /// Its name in the source.
    pub name: &'a str,
    /// `position`, `location 2`, `point size` or `depth`.
    pub port: String,
    /// The number of its components, 1 to 4.
    pub components: u32,
    /// Its register, if the machine has one for it.
    pub register: Option<String>,
}

/// A uniform of a compiled program.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct CompiledUniform<'a> {
    /// Its name in the source.
    pub name: &'a str,
    /// Its type in the source.
    #[serde(rename = "type")]
    pub ty: &'a str,
    /// Its first register; none if the program does not read it.
    pub register: Option<String>,
    /// The number of its registers.
    pub count: u16,
    /// The letters of the components that are its own in each register.
    pub components: String,
}

/// A texture of a compiled program.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct CompiledTexture<'a> {
    /// Its name in the source.
    pub name: &'a str,
    /// The number of its unit, from 0.
    pub unit: usize,
}

/// The place in the source that an instruction comes from.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct CompiledSlot<'a> {
    /// The slot, from 0.
    pub slot: usize,
    /// The half of the slot, from 0.
    pub half: usize,
    /// File and line: `lit.wgsl:12`.
    pub place: Option<String>,
    /// The variable that it writes, if it has a name.
    pub variable: Option<&'a str>,
    /// The first byte of the place, and the byte behind it.
    pub bytes: [u32; 2],
}

/// Constants that the host computes from others.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct ComputedConstants<'a> {
    /// The constants, in the order of their registers.
    pub constants: Vec<ComputedConstant<'a>>,
    /// A function in C that computes them.
    pub c: String,
}

/// A constant that the host computes.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct ComputedConstant<'a> {
    /// The variable of the source, or a name that the compiler gave.
    pub name: String,
    /// The first register.
    pub register: String,
    /// The number of registers.
    pub count: u16,
    /// The letters of the components that are its own in each register.
    pub components: String,
    /// The expression in the source.
    pub source: Option<&'a str>,
    /// File and line of the expression.
    pub place: Option<String>,
}

/// A register that holds a variable of the source.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct VariableHome<'a> {
    /// The variable.
    pub variable: &'a str,
    /// The register.
    pub register: String,
    /// For each component of the variable the letter of the register's; `_` for one that is elsewhere.
    pub components: String,
    /// The first slot that sees it there.
    pub from: usize,
    /// The last slot that does.
    pub to: usize,
}

/// What a port is called in lists.
fn port(port: Port) -> String {
    match port {
        Port::Position => "position".to_owned(),
        Port::Location(number) => format!("location {number}"),
        Port::PointSize => "point size".to_owned(),
        Port::Depth => "depth".to_owned(),
    }
}

/// A place as editors take it: `lit.wgsl:12`.
fn place(sources: &Sources, span: Span) -> Option<String> {
    let file = sources.find(span.file)?;
    if file.is_binary() || span == Span::default() && span.file == FileId::default() && file.text().is_empty()
    {
        return None;
    }
    Some(format!("{}:{}", file.name(), file.place(span.start).line))
}

/// The line of the expression that a constant is computed by, and its text where that fits into a line.
pub(super) fn source_text(own: &HostConstant, sources: &Sources) -> String {
    let text = sources.find(own.span.file).map_or("", |file| file.slice(own.span)).trim();
    let place = place(sources, own.span);
    match place {
        Some(place) if text.is_empty() || text.contains('\n') => format!(" ({place})"),
        Some(place) => format!(": {text} ({place})"),
        None => String::new(),
    }
}
