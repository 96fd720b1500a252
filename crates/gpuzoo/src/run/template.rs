//! All that a program reads, as JSON that can be filled in and given back.

use super::constants::Constants;
use super::records::{CONSTANTS, VERTICES};
use super::{Kernel, Vertices};
use crate::value;
use gpuzoo_ir::{Inst, Vec4};
use gpuzoo_isa::{FileKind, Mask};
use serde_json::Value as Json;

impl Kernel {
    /// The inputs and constants that the program reads, by their names, as JSON that [`json_vertices`](super::json_vertices) and
    /// [`Constants::json`] read: one of some vertices, and zeros for what is not given. What the program's own text gives a value is left
    /// out, unless it is given another one. If constants are read at a computed number, all are there that the text has names for.
    ///
    /// ```
    /// use gpuzoo::run::Vertices;
    /// use gpuzoo::run::constants::Constants;
    /// let program = gpuzoo::dreambox().assemble("x", "ld r0 0  ldc r1 4  mul r0 r1  st pos r0")?;
    /// let template = program.kernel(gpuzoo::State::new())?.template(&Vertices::nothing(), 0, &Constants::default());
    /// let parts: Vec<&str> = template.split_whitespace().collect();
    /// let expected = r#"{ "vertices": { "in0": [[0, 0, 0, 0]] }, "constants": { "c4": [0, 0, 0, 0] } }"#;
    /// assert_eq!(parts.join(" "), expected);
    /// # Ok::<(), gpuzoo::Diagnostics>(())
    /// ```
    pub fn template(&self, vertices: &Vertices, vertex: usize, constants: &Constants) -> String {
        let count = self.inputs.iter().max().map_or(0, |last| usize::from(*last) + 1);
        let mut values = vec![[0; 4]; count];
        vertices.fetch(vertex, &mut values);
        let names = self.names_of(FileKind::Input, &self.inputs);
        let inputs = names.into_iter().zip(&self.inputs);
        let inputs =
            inputs.map(|(name, input)| (name, format!("[{}]", components(values[usize::from(*input)]))));
        let vertices = object(inputs.collect());
        let constants = object(self.constants_read(constants));
        format!("{{\n  \"{VERTICES}\": {vertices},\n  \"{CONSTANTS}\": {constants}\n}}\n")
    }

    /// The constants that it reads, by name; several of one name as a list.
    fn constants_read(&self, constants: &Constants) -> Vec<(String, String)> {
        let (code, isa) = (self.program().code(), self.program().isa());
        let own = self.program().constants();
        let value = |constants: &Constants, index: u16| constants.values.get(usize::from(index)).copied();
        let value = |index: u16| (value(constants, index).unwrap_or_default(), value(&own, index));
        let mut read = self.constants.clone();
        if self.function.insts.iter().any(|inst| matches!(inst, Inst::UniformAt { .. })) {
            let named =
                code.uniforms().flat_map(|(_, uniform)| uniform.reg.index..uniform.reg.index + uniform.count);
            read.extend(named.chain(constants.given.iter().copied()));
            read.sort_unstable();
            read.dedup();
        }
        read.retain(|index| {
            let (given, own_value) = value(*index);
            !own.given.contains(index) || constants.given.contains(index) && Some(given) != own_value
        });
        let mut rest = read.as_slice();
        let mut named = Vec::new();
        for name in self.names_of(FileKind::Constant, &read) {
            let count = match code.uniforms().find(|(known, _)| *known == name) {
                Some((_, uniform)) => usize::from(uniform.count),
                None => 1,
            };
            let (these, others) = rest.split_at(count.min(rest.len()));
            rest = others;
            let mut add = |name: String, indices: &mut dyn Iterator<Item = u16>| {
                let mask = code.constant_mask(&name);
                let rows: Vec<String> = indices.map(|index| part(value(index).0, mask)).collect();
                let is_matrix = code.constants_from(isa, &name, 0) > 1 && rows.len() > 1;
                named.push((name, if is_matrix { format!("[{}]", rows.join(", ")) } else { rows.concat() }));
            };
            // Several names may share a register, each with components of its own.
            let first = these.first().copied().unwrap_or_default();
            let beside =
                code.uniforms().filter(|(other, uniform)| *other != name && uniform.reg.index == first);
            let beside: Vec<_> =
                beside.map(|(other, own)| (other.to_owned(), first..first + own.count)).collect();
            add(name, &mut these.iter().copied());
            beside.into_iter().for_each(|(name, mut own)| add(name, &mut own));
        }
        named
    }
}

/// The components that are a name's own.
fn part(value: Vec4, mask: Mask) -> String {
    let own =
        (0..4u8).filter(|component| mask.has(*component)).map(|component| value[usize::from(component)]);
    format!("[{}]", own.map(number).collect::<Vec<_>>().join(", "))
}

/// An object with a line for each member.
fn object(members: Vec<(String, String)>) -> String {
    if members.is_empty() {
        return "{}".to_owned();
    }
    let lines: Vec<String> =
        members.into_iter().map(|(name, value)| format!("    {}: {value}", Json::from(name))).collect();
    format!("{{\n{}\n  }}", lines.join(",\n"))
}

/// `[1, 0.5, "inf", 0]`
fn components(value: Vec4) -> String {
    format!("[{}]", value.map(number).join(", "))
}

fn number(bits: u32) -> String {
    match f32::from_bits(bits).is_finite() {
        true => value::show(bits),
        false => Json::from(value::show(bits)).to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::registry::shader_units;
    use crate::run::{json_vertices, rows};
    use crate::{Machine, State};
    use gpuzoo_diag::File;

    /// Of each machine: what is filled in comes back, bit for bit, and what is empty runs like nothing.
    #[test]
    fn what_is_filled_in_comes_back() {
        for gpu in shader_units() {
            let (name, text) = gpu.about().sample[0];
            let program = Machine::new(gpu).assemble(name, text).unwrap();
            let kernel = program.kernel(State::new()).unwrap();
            let read = |text: &str| {
                let file = File::new("t", text);
                let mut constants = program.constants();
                constants.json(&program, &file).unwrap();
                (json_vertices(gpu.isa(), &file).unwrap(), constants)
            };
            let empty = kernel.template(&Vertices::nothing(), 0, &program.constants());
            let (vertices, constants) = read(&empty);
            let missing = |problem: &gpuzoo_diag::Diagnostic| ["G0207", "G0208"].contains(&problem.code.id);
            assert!(!kernel.remarks(&vertices, &constants.given).iter().any(missing), "{empty}");
            let ran = |vertices: &Vertices, constants: &Constants| {
                let mut all = Vec::new();
                let _ = kernel.stream(vertices, 0, &constants.values, |_, outputs| {
                    all.extend_from_slice(outputs.unwrap_or_default());
                    std::ops::ControlFlow::Continue(())
                });
                all
            };
            assert_eq!(ran(&vertices, &constants), ran(&Vertices::nothing(), &program.constants()));
            // Numbers of all kinds, each another one.
            let mut count = 0_u32;
            let mut number = || {
                count += 1;
                [0x3f80_0000, 0x7f80_0000, 0x8000_0000, 1, 0x7fc0_0001, 0x3dcc_cccd][count as usize % 6]
                    + count / 6
            };
            let parts: Vec<String> = empty.split("[0, 0, 0, 0]").map(str::to_owned).collect();
            let filled = parts
                .iter()
                .skip(1)
                .fold(parts[0].clone(), |text, part| text + &components([(); 4].map(|()| number())) + part);
            assert!(parts.len() > 2, "{empty}");
            let (vertices, constants) = read(&filled);
            assert_eq!(kernel.template(&vertices, 0, &constants), filled);
            assert_eq!(rows(&vertices).0, kernel.inputs);
        }
    }
}
