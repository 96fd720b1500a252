//! The evaluator: what a function means, one run at a time, with no cleverness. Every engine must agree with it.

use crate::ONE;
use crate::function::{Function, Inst, Pick, Value};
use crate::vec4::Vec4;

/// What a texture read of a function asks for its texels.
pub trait Textures {
    /// The texel of `unit` at `coordinates`.
    fn sample(&self, unit: u8, coordinates: Vec4) -> Vec4;
}

/// No textures: every read gives zeros.
pub struct NoTextures;

impl Textures for NoTextures {
    fn sample(&self, _: u8, _: Vec4) -> Vec4 {
        [0; 4]
    }
}

/// All values of one run of a function, kept for a look at any of them.
///
/// Inputs and uniforms that are not supplied read as zeros.
#[derive(Clone, Debug, Default)]
pub struct Run {
    values: Vec<Vec4>,
    killed: Option<Value>,
}

impl Run {
    /// Runs `function`; the buffers of an earlier run are used again.
    ///
    /// # Panics
    /// If `function` is not well formed; [`verify`](crate::verify::verify) says so.
    pub fn run(&mut self, function: &Function, inputs: &[Vec4], uniforms: &[Vec4], textures: &dyn Textures) {
        self.values.clear();
        self.killed = None;
        for (index, inst) in function.insts.iter().enumerate() {
            let value = result(inst, |value| self.values[value.index()], inputs, uniforms, textures);
            if self.killed.is_none() && matches!(inst, Inst::Kill(_)) && kills(value) {
                self.killed = Some(Value(index as u32));
            }
            self.values.push(value);
        }
    }

    /// The value of an instruction; zeros for a value that the function does not have.
    pub fn value(&self, value: Value) -> Vec4 {
        self.values.get(value.index()).copied().unwrap_or_default()
    }

    /// The first kill that took effect. The values after it were computed all the same, for debuggers.
    pub fn killed(&self) -> Option<Value> {
        self.killed
    }
}

/// The result of one instruction; `get` gives the values of its operands. For code that runs several lanes in step.
#[inline]
pub fn result(
    inst: &Inst,
    get: impl Fn(Value) -> Vec4,
    inputs: &[Vec4],
    uniforms: &[Vec4],
    textures: &dyn Textures,
) -> Vec4 {
    match *inst {
        Inst::Const(bits) => bits,
        Inst::Input(index) => inputs.get(index as usize).copied().unwrap_or_default(),
        Inst::Uniform(index) => uniforms.get(index as usize).copied().unwrap_or_default(),
        Inst::UniformAt { index, base, count } => {
            let inside = uniform_index(get(index)[0], base, count);
            inside.and_then(|at| uniforms.get(at as usize)).copied().unwrap_or_default()
        }
        Inst::Map1(op, a) => get(a).map(|component| op.eval(component)),
        Inst::Map2(op, [a, b]) => {
            let (a, b) = (get(a), get(b));
            std::array::from_fn(|component| op.eval(a[component], b[component]))
        }
        Inst::Map3(op, [a, b, c]) => {
            let (a, b, c) = (get(a), get(b), get(c));
            std::array::from_fn(|component| op.eval(a[component], b[component], c[component]))
        }
        Inst::Dot(dot, [a, b]) => [dot.eval(get(a), get(b)); 4],
        Inst::Shuffle([a, b], picks) => {
            let (a, b) = (get(a), get(b));
            picks.map(|pick| match pick {
                Pick::A(component) => a[component as usize & 3],
                Pick::B(component) => b[component as usize & 3],
                Pick::Zero => 0,
                Pick::One => ONE,
            })
        }
        Inst::Sample(unit, at) => textures.sample(unit, get(at)),
        Inst::Kill(a) => get(a),
    }
}

/// What an instruction is if `constant` knows some of its operands: a constant, or a simpler instruction.
pub(crate) fn known(inst: Inst, constant: impl Fn(Value) -> Option<Vec4>) -> Option<Inst> {
    match inst {
        Inst::UniformAt { count: 0, .. } => Some(Inst::Const([0; 4])),
        Inst::UniformAt { index, base, count } => {
            let number = uniform_index(constant(index)?[0], base, count);
            Some(number.map_or(Inst::Const([0; 4]), Inst::Uniform))
        }
        Inst::Map1(..) | Inst::Map2(..) | Inst::Map3(..) | Inst::Dot(..) | Inst::Shuffle(..) => {
            let all = inst.operands().all(|operand| constant(operand).is_some());
            let get = |value| constant(value).unwrap_or_default();
            all.then(|| Inst::Const(result(&inst, get, &[], &[], &NoTextures)))
        }
        _ => None,
    }
}

/// The uniform that [`Inst::UniformAt`] reads for the bits `x` of its index's component x, if there is one.
#[inline]
pub(crate) fn uniform_index(x: u32, base: i32, count: u16) -> Option<u16> {
    // 64 bits, because the sum may not wrap.
    let at = i64::from(base) + i64::from(x as i32);
    u16::try_from(at).ok().filter(|&at| at < count)
}

/// True if a kill of this value takes effect: a component is below zero.
pub fn kills(value: Vec4) -> bool {
    value.iter().any(|&component| f32::from_bits(component) < 0.0)
}

/// The outputs of one run, in the order of [`Function::outputs`].
///
/// For many runs keep a [`Run`] instead: it reuses its buffers.
pub fn outputs(function: &Function, inputs: &[Vec4], uniforms: &[Vec4]) -> Vec<Vec4> {
    let mut run = Run::default();
    run.run(function, inputs, uniforms, &NoTextures);
    function.outputs.iter().map(|&(_, value)| run.value(value)).collect()
}
