//! What a compiled program is written as.

use super::Compiled;
use crate::host_constants::{self, HostConstant};
use gpuzoo_diag::{FileId, Sources, Span};
use gpuzoo_isa::{Constant, Interface, Mask, Reg};
use gpuzoo_machine::TextOptions;
use gpuzoo_machine::target::conventions::Port;
use serde_json::{Value, json};
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
    pub fn json(&self, sources: &Sources) -> Value {
        let isa = self.program.isa();
        let options = crate::emit::Options { name: "", profile: Default::default(), optimize: false };
        let words = crate::emit::emit(&self.program, crate::emit::Emit::Json, &options).unwrap_or_default();
        let mut object: Value = serde_json::from_slice(&words).unwrap_or_default();
        let shader = self.shader();
        let stage = shader.stage;
        let variable = |own: &super::Variable, is_input: bool| {
            let register = self.register(own.port, is_input);
            json!({
                "name": own.name, "port": port(own.port), "components": own.mask.0.count_ones(),
                "register": register.map(|register| isa.reg_name(register)),
            })
        };
        object["stage"] = json!(format!("{stage:?}").to_lowercase());
        object["inputs"] = shader.inputs.iter().map(|own| variable(own, true)).collect();
        object["outputs"] = shader.outputs.iter().map(|own| variable(own, false)).collect();
        let uniform = |own: &super::Uniform| {
            let constant = self
                .program
                .code()
                .constants
                .iter()
                .find(|constant| constant.name.as_deref() == Some(&own.name));
            let register = constant.map(|constant| isa.reg_name(constant.reg));
            json!({
                "name": own.name, "type": own.ty, "register": register, "count": own.count,
                "components": own.mask.to_string(),
            })
        };
        object["uniforms"] = shader.uniforms.iter().map(uniform).collect();
        let texture = |(unit, name): (usize, &String)| json!({ "name": name, "unit": unit });
        object["textures"] = shader.textures.iter().enumerate().map(texture).collect();
        let line = |own: &super::Line| {
            json!({
                "slot": own.slot, "half": own.half, "place": place(sources, own.span), "variable": own.variable,
                "bytes": [own.span.start, own.span.end],
            })
        };
        object["lines"] = self.lines().iter().map(line).collect();
        let home = |own: &gpuzoo_isa::Home| {
            // Of a component that is elsewhere, `_`.
            let letter = |component: &Option<u8>| {
                component.map_or('_', |component| char::from(b"xyzw"[usize::from(component & 3)]))
            };
            let components: String = own.components.iter().map(letter).collect();
            let components = components.trim_end_matches('_');
            json!({
                "variable": own.variable, "register": isa.reg_name(own.reg), "components": components,
                "from": own.from, "to": own.to,
            })
        };
        if let Some(host) = &self.program.code().host {
            let constant = |own: HostConstant| {
                json!({
                    "name": own.name, "register": isa.reg_name(own.register), "count": own.count, "components": own.components.to_string(),
                    "source": sources.find(own.span.file).map(|file| file.slice(own.span)), "place": place(sources, own.span),
                })
            };
            let constants: Vec<Value> = self.program.host_constants().into_iter().map(constant).collect();
            object["host"] = json!({ "constants": constants, "c": host_constants::c(host, "host_constants").trim_start() });
        }
        object["variables"] = self.program.code().homes.iter().map(home).collect();
        object
    }
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
