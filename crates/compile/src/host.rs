//! What is computed from uniforms alone is the same for a whole draw: the host can compute it once and give it as further constants.

use crate::shader::{Shader, Uniform};
use gpuzoo_diag::Span;
use gpuzoo_ir::{Builder, Dot, Function, Inst, Op1, Op2, Op3, Pick, Value, passes};
use gpuzoo_isa::Mask;

/// A shader that reads what the host computes, and what the host computes: a function of the same uniforms, whose outputs are the
/// numbers of further registers. None if nothing is computed from uniforms alone.
///
/// ```
/// use gpuzoo_compile::host::split;
/// use gpuzoo_compile::shader::{Shader, Uniform};
/// use gpuzoo_diag::{File, Span};
/// use gpuzoo_ir::text::parse;
/// use gpuzoo_isa::Mask;
/// let text = "v0 = input 0\nv1 = uniform 0\nv2 = fsqrt v1\nv3 = fmul v0, v2\noutput 0 = v3\n";
/// let uniform = Uniform { name: "u".into(), first: 0, count: 1, ty: "vec4f".into(), mask: Mask::ALL, matrix: None, values: Vec::new(), span: Span::default() };
/// let shader = Shader { function: parse(&File::new("", text)).0, uniforms: vec![uniform], ..Shader::default() };
/// let (rest, host) = split(&shader).unwrap();
/// assert_eq!(rest.function.to_string(), "v0 = input 0\nv1 = uniform 1\nv2 = fmul v0, v1\noutput 0 = v2\n");
/// assert_eq!(host.to_string(), "v0 = uniform 0\nv1 = fsqrt v0\noutput 1 = v1\n");
/// assert_eq!(rest.uniforms[1].name, "host0");
/// ```
pub fn split(shader: &Shader) -> Option<(Shader, Function)> {
    let function = &shader.function;
    let is_host = of_uniforms(function);
    let wanted = wanted(function, &is_host);
    let mut places = Places { next: shader.uniform_registers(), free: None };
    let mut host = Builder::default();
    let mut on_host: Vec<Value> = Vec::new();
    let mut rest = Builder::default();
    let mut renamed: Vec<Value> = Vec::new();
    let mut made: Vec<(u16, Mask, Option<u32>)> = Vec::new();
    // What each further register holds: a value of the host and its component, for each of its own.
    let mut registers: Vec<(u16, Held)> = Vec::new();
    for (at, (inst, origin)) in function.insts.iter().zip(&function.origins).enumerate() {
        if is_host[at] {
            on_host.push(host.push(inst.map_operands(|operand| on_host[operand.index()])));
        } else {
            // No value of the host has it as an operand.
            on_host.push(Value(0));
        }
        rest.set_origin(*origin);
        let Some(mask) = Some(wanted[at]).filter(|mask| *mask != 0) else {
            renamed.push(rest.push(inst.map_operands(|operand| renamed[operand.index()])));
            continue;
        };
        // All components of a dot product are the same.
        let same = matches!(inst, Inst::Dot(..));
        let components: Vec<u8> =
            (0..4).filter(|own| mask >> own & 1 == 1).take(if same { 1 } else { 4 }).collect();
        let (register, first) = places.take(components.len() as u8)?;
        let mut picks = [Pick::Zero; 4];
        for (place, component) in (first..).zip(&components) {
            picks[usize::from(*component)] = Pick::A(place);
            let known = registers.iter_mut().find(|(own, _)| *own == register);
            let held = (on_host[at], *component);
            match known {
                Some((_, values)) => values[usize::from(place)] = Some(held),
                None => {
                    let mut values = [None; 4];
                    values[usize::from(place)] = Some(held);
                    registers.push((register, values));
                }
            }
        }
        if let (true, Some(own)) = (same, components.first()) {
            picks = [picks[usize::from(*own)]; 4];
        }
        let value = rest.uniform(register);
        let as_it_is = (0..4u8).all(|at| mask >> at & 1 == 0 || picks[usize::from(at)] == Pick::A(at));
        renamed.push(if as_it_is { value } else { rest.shuffle(value, value, picks) });
        let own = Mask(((1u8 << components.len()) - 1) << first);
        made.push((register, own, *origin));
    }
    if registers.is_empty() {
        return None;
    }
    for (number, value) in &function.outputs {
        rest.output(*number, renamed[value.index()]);
    }
    for (register, values) in registers {
        let mut all = host.constant([0; 4]);
        for (place, held) in (0u8..).zip(values) {
            let Some((value, component)) = held else { continue };
            let picks = [0, 1, 2, 3].map(|at| if at == place { Pick::B(component) } else { Pick::A(at) });
            all = host.shuffle(all, value, picks);
        }
        host.output(register, all);
    }
    let mut uniforms = shader.uniforms.clone();
    uniforms.extend(named(shader, &made));
    let function = passes::optimize(&rest.finish());
    Some((Shader { function, uniforms, ..shader.clone() }, passes::optimize(&host.finish())))
}

/// What the components of a register hold: a value of the host's function, and its component.
type Held = [Option<(Value, u8)>; 4];

/// The host's function with the numbers of constants, of which the first uniform has this one.
pub fn placed(host: &Function, first: u16) -> Function {
    let insts = host.insts.iter().map(|inst| match inst {
        Inst::Uniform(number) => Inst::Uniform(number.saturating_add(first)),
        inst => *inst,
    });
    let outputs = host.outputs.iter().map(|(number, value)| (number.saturating_add(first), *value));
    Function { insts: insts.collect(), outputs: outputs.collect(), origins: host.origins.clone() }
}

/// The values that nothing but uniforms and numbers go into.
fn of_uniforms(function: &Function) -> Vec<bool> {
    let mut plain: Vec<bool> = Vec::new();
    for inst in &function.insts {
        let own = match inst {
            Inst::Const(_) | Inst::Uniform(_) => true,
            Inst::Input(_) | Inst::UniformAt { .. } | Inst::Sample(..) | Inst::Kill(_) => false,
            inst => can(inst) && inst.operands().all(|operand| plain[operand.index()]),
        };
        plain.push(own);
    }
    plain
}

/// What programming languages have: all that floats are computed by. Indices are integers, which no constant holds.
fn can(inst: &Inst) -> bool {
    match inst {
        Inst::Map1(op, _) => {
            use Op1::{
                FAbs, FAcos, FAsin, FAtan, FCos, FExp, FExp2, FFloor, FLog, FLog2, FNeg, FSign, FSin, FSqrt,
                FTan,
            };
            matches!(
                op,
                FAbs | FNeg
                    | FSign
                    | FSqrt
                    | FExp
                    | FExp2
                    | FLog
                    | FLog2
                    | FSin
                    | FCos
                    | FTan
                    | FAsin
                    | FAcos
                    | FAtan
                    | FFloor
            )
        }
        Inst::Map2(op, _) => {
            use Op2::{FAdd, FAtan2, FDiv, FMax, FMin, FMul, FPow, FSge, FSlt, FSub};
            matches!(op, FAdd | FSub | FMul | FDiv | FMin | FMax | FPow | FAtan2 | FSlt | FSge)
        }
        Inst::Map3(op, _) => matches!(op, Op3::FMad | Op3::ISelect),
        Inst::Dot(dot, _) => matches!(dot, Dot::Dot3 | Dot::Dot4),
        Inst::Shuffle(..) => true,
        _ => false,
    }
}

/// The components of each value that the host should compute, because what it does not compute needs them. Moving components about and a
/// change of sign cost nothing where the result is read, and stay there.
fn wanted(function: &Function, is_host: &[bool]) -> Vec<u8> {
    let count = function.insts.len();
    let mut computes = vec![false; count];
    for (at, inst) in function.insts.iter().enumerate() {
        let below = inst.operands().any(|operand| computes[operand.index()]);
        let moves =
            matches!(inst, Inst::Const(_) | Inst::Uniform(_) | Inst::Shuffle(..) | Inst::Map1(Op1::FNeg, _));
        computes[at] = is_host[at] && (below || !moves);
    }
    let mut demands = vec![0u8; count];
    let mut wanted = vec![0u8; count];
    for (_, value) in &function.outputs {
        demands[value.index()] = 15;
    }
    for (at, inst) in function.insts.iter().enumerate().rev() {
        let mask = if inst.has_effect() { 15 } else { demands[at] };
        let moves = matches!(inst, Inst::Shuffle(..) | Inst::Map1(Op1::FNeg, _));
        if is_host[at] && computes[at] && !moves {
            wanted[at] = mask;
            continue;
        }
        inst.reads(mask, |operand, mask| demands[operand.index()] |= mask);
    }
    wanted
}

/// Registers behind those of the uniforms.
struct Places {
    next: u16,
    /// A register of which components are free, and the first of them.
    free: Option<(u16, u8)>,
}

impl Places {
    /// Room for so many components: a register, and the first of them.
    fn take(&mut self, count: u8) -> Option<(u16, u8)> {
        let (register, first) = match self.free {
            Some((register, first)) if first + count <= 4 => (register, first),
            _ => {
                let register = self.next;
                self.next = register.checked_add(1)?;
                (register, 0)
            }
        };
        if first + count < 4 {
            self.free = Some((register, first + count));
        } else if self.free.is_some_and(|(own, _)| own == register) {
            self.free = None;
        }
        Some((register, first))
    }
}

/// Names for further registers: those of variables where they have one. What comes from one place of the source is one uniform.
fn named(shader: &Shader, made: &[(u16, Mask, Option<u32>)]) -> Vec<Uniform> {
    let mut all: Vec<(Uniform, Option<u32>)> = Vec::new();
    for &(register, mask, origin) in made {
        if let Some((last, own)) = all.last_mut()
            && (last.first + last.count, last.mask) == (register, mask)
            && shader.origin(*own) == shader.origin(origin)
        {
            last.count += 1;
            continue;
        }
        let known = shader.origin(origin);
        let variable = known.and_then(|known| known.variable.clone());
        let is_free = |name: &String| {
            shader.uniforms.iter().chain(all.iter().map(|(own, _)| own)).all(|own| own.name != *name)
        };
        let name = variable.filter(is_free).unwrap_or_else(|| format!("host{}", all.len()));
        let span = known.map_or(Span::default(), |known| known.span);
        let ty = "f32".to_owned();
        let uniform =
            Uniform { name, first: register, count: 1, ty, mask, matrix: None, values: Vec::new(), span };
        all.push((uniform, origin));
    }
    for (own, _) in &mut all {
        own.ty = match own.mask.0.count_ones() {
            1 => "f32".to_owned(),
            many => format!("vec{many}<f32>"),
        };
        if own.count > 1 {
            own.ty = format!("array<{}, {}>", own.ty, own.count);
        }
    }
    all.into_iter().map(|(own, _)| own).collect()
}
