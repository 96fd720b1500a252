//! An evaluator of SPIR-V, written from its specification alone: what compiled modules are compared with. It knows
//! blocks and branches, not statements: control goes where the words say.

mod glsl;
mod module;
mod operations;

use module::{Function, Instruction};
pub use module::{Module, Type};
use std::collections::HashMap;

/// A value, or a part of one.
#[derive(Clone, Debug, PartialEq)]
pub enum Value {
    /// `OpUndef`, and what has not been written.
    Undefined,
    Bool(bool),
    /// An integer, or the bits of a float.
    Word(u32),
    /// A vector, matrix, array or struct.
    Parts(Vec<Value>),
    Pointer {
        variable: usize,
        path: Vec<u32>,
    },
}

impl Value {
    pub fn float(x: f32) -> Value {
        Value::Word(x.to_bits())
    }

    pub fn word(&self) -> Result<u32, Stop> {
        match self {
            Value::Word(word) => Ok(*word),
            other => Err(Stop::Unsupported(format!("{other:?} for a number"))),
        }
    }

    pub fn to_float(&self) -> Result<f32, Stop> {
        self.word().map(f32::from_bits)
    }

    fn bool(&self) -> Result<bool, Stop> {
        match self {
            Value::Bool(is_so) => Ok(*is_so),
            other => Err(Stop::Unsupported(format!("{other:?} for a condition"))),
        }
    }

    pub fn parts(&self) -> Result<&[Value], Stop> {
        match self {
            Value::Parts(parts) => Ok(parts),
            other => Err(Stop::Unsupported(format!("{other:?} for a composite"))),
        }
    }
}

/// Why there is no result.
#[derive(Clone, Debug, PartialEq)]
pub enum Stop {
    /// The invocation is killed.
    Killed,
    /// The module does something that has no result, or reads what is not defined.
    Undefined(&'static str),
    /// The evaluator does not know something.
    Unsupported(String),
}

/// The most instructions of a run.
const MOST_STEPS: usize = 1_000_000;

/// One run of an entry point.
pub struct Run<'a> {
    pub module: &'a Module,
    /// What variables hold.
    memory: Vec<Value>,
    /// Constants of the module, and pointers to its variables.
    globals: HashMap<u32, Value>,
    steps: usize,
}

impl<'a> Run<'a> {
    /// Before the first instruction: `initial` supplies inputs and uniforms, by the ids of their variables.
    pub fn new(module: &'a Module, initial: &HashMap<u32, Value>) -> Result<Run<'a>, Stop> {
        let mut run = Run { module, memory: Vec::new(), globals: HashMap::new(), steps: 0 };
        for constant in &module.constants {
            let [ty, id, ref rest @ ..] = constant.operands[..] else {
                return Err(Stop::Unsupported(format!("{constant:?}")));
            };
            let value = match (constant.op, rest) {
                (1, _) => Value::Undefined,
                (41 | 48, _) => Value::Bool(true),
                (42 | 49, _) => Value::Bool(false),
                (43 | 50, &[word]) => Value::Word(word),
                (44 | 51, ids) => Value::Parts(
                    ids.iter().map(|id| run.get(&HashMap::new(), *id)).collect::<Result<_, _>>()?,
                ),
                (46, _) => run.zero(ty),
                (52, &[op, ref operands @ ..]) => {
                    let operands = [&[ty, id], operands].concat();
                    run.compute(&HashMap::new(), &Instruction { op, operands })?
                }
                // Of types that nothing here reads.
                _ => Value::Undefined,
            };
            run.globals.insert(id, value);
        }
        for (ty, id, _, start) in &module.variables {
            let Type::Pointer { to, .. } = *module.ty(*ty) else { continue };
            let value = match (initial.get(id), start) {
                (Some(value), _) => value.clone(),
                (None, Some(start)) => run.get(&HashMap::new(), *start)?,
                (None, None) => run.undefined(to),
            };
            let pointer = run.variable(value);
            run.globals.insert(*id, pointer);
        }
        Ok(run)
    }

    fn variable(&mut self, value: Value) -> Value {
        self.memory.push(value);
        Value::Pointer { variable: self.memory.len() - 1, path: Vec::new() }
    }

    /// `OpConstantNull`.
    fn zero(&self, ty: u32) -> Value {
        match (self.module.parts(ty), self.module.ty(ty)) {
            (Some(count), _) => {
                Value::Parts((0..count).map(|at| self.zero(self.module.part(ty, at).unwrap_or(0))).collect())
            }
            (None, Type::Bool) => Value::Bool(false),
            _ => Value::Word(0),
        }
    }

    fn undefined(&self, ty: u32) -> Value {
        match self.module.parts(ty) {
            Some(count) => Value::Parts(
                (0..count).map(|at| self.undefined(self.module.part(ty, at).unwrap_or(0))).collect(),
            ),
            None => Value::Undefined,
        }
    }

    /// What a variable of the module holds.
    pub fn holds(&self, id: u32) -> Option<&Value> {
        match self.globals.get(&id)? {
            Value::Pointer { variable, .. } => self.memory.get(*variable),
            _ => None,
        }
    }

    fn get(&self, values: &HashMap<u32, Value>, id: u32) -> Result<Value, Stop> {
        let value = values.get(&id).or_else(|| self.globals.get(&id));
        value.cloned().ok_or_else(|| Stop::Unsupported(format!("no value %{id}")))
    }

    /// Calls a function.
    pub fn call(&mut self, id: u32, arguments: &[Value]) -> Result<Option<Value>, Stop> {
        let module = self.module;
        let Some(function) = module.functions.get(&id) else {
            return Err(Stop::Unsupported(format!("no function %{id}")));
        };
        let mut values: HashMap<u32, Value> =
            function.parameters.iter().copied().zip(arguments.iter().cloned()).collect();
        let (mut label, mut before) = (function.first, 0);
        loop {
            match self.block(function, &mut values, label, before)? {
                Next::Label(next) => (before, label) = (label, next),
                Next::Return(value) => return Ok(value),
            }
        }
    }

    fn block(
        &mut self,
        function: &Function,
        values: &mut HashMap<u32, Value>,
        label: u32,
        before: u32,
    ) -> Result<Next, Stop> {
        let Some(block) = function.blocks.get(&label) else {
            return Err(Stop::Unsupported(format!("no block %{label}")));
        };
        // All of a block at once: one may read what another one was.
        let mut phis = Vec::new();
        for phi in block.iter().take_while(|own| own.op == 245) {
            let pairs = phi.operands[2..].as_chunks().0.iter();
            let from = pairs.copied().find(|[_, from]| *from == before);
            let [value, _] = from.ok_or(Stop::Undefined("OpPhi without the block before"))?;
            phis.push((phi.operands[1], self.get(values, value)?));
        }
        values.extend(phis);
        for instruction in block.iter().skip_while(|own| own.op == 245) {
            self.steps += 1;
            if self.steps > MOST_STEPS {
                return Err(Stop::Undefined("an endless loop"));
            }
            let operands = &instruction.operands[..];
            match (instruction.op, operands) {
                (246 | 247, _) => {}
                (249, &[target]) => return Ok(Next::Label(target)),
                (250, &[condition, yes, no, ..]) => {
                    let condition = self.get(values, condition)?.bool()?;
                    return Ok(Next::Label(if condition { yes } else { no }));
                }
                (251, &[selector, default, ref cases @ ..]) => {
                    let selector = self.get(values, selector)?.word()?;
                    let case = cases.as_chunks().0.iter().find(|[literal, _]| *literal == selector);
                    return Ok(Next::Label(case.map_or(default, |[_, target]| *target)));
                }
                (252, _) => return Err(Stop::Killed),
                (253, _) => return Ok(Next::Return(None)),
                (254, &[value]) => return Ok(Next::Return(Some(self.get(values, value)?))),
                (255, _) => return Err(Stop::Undefined("OpUnreachable")),
                (57, &[_, id, function, ref arguments @ ..]) => {
                    let arguments: Vec<Value> =
                        arguments.iter().map(|id| self.get(values, *id)).collect::<Result<_, _>>()?;
                    let value = self.call(function, &arguments)?;
                    values.extend(value.map(|value| (id, value)));
                }
                (59, &[ty, id, _, ref start @ ..]) => {
                    let Type::Pointer { to, .. } = *self.module.ty(ty) else {
                        return Err(Stop::Unsupported("a variable without a pointer".to_owned()));
                    };
                    let value = match start.first() {
                        Some(start) => self.get(values, *start)?,
                        None => self.undefined(to),
                    };
                    let pointer = self.variable(value);
                    values.insert(id, pointer);
                }
                (62, &[pointer, value, ..]) => {
                    let (pointer, value) = (self.get(values, pointer)?, self.get(values, value)?);
                    *self.place(&pointer)? = value;
                }
                (63, &[to, from, ..]) => {
                    let (to, from) = (self.get(values, to)?, self.get(values, from)?);
                    let value = self.place(&from)?.clone();
                    *self.place(&to)? = value;
                }
                (12, &[_, id, set, op, ref operands @ ..]) if Some(set) == self.module.glsl => {
                    let operands: Vec<Value> =
                        operands.iter().map(|id| self.get(values, *id)).collect::<Result<_, _>>()?;
                    let value = self.extended(op, &operands)?;
                    values.insert(id, value);
                }
                (_, &[_, id, ..]) => {
                    let value = self.compute(values, instruction)?;
                    values.insert(id, value);
                }
                _ => return Err(Stop::Unsupported(format!("{instruction:?}"))),
            }
        }
        Err(Stop::Unsupported("a block without an end".to_owned()))
    }

    /// What a pointer points to.
    fn place(&mut self, pointer: &Value) -> Result<&mut Value, Stop> {
        let Value::Pointer { variable, path } = pointer else {
            return Err(Stop::Unsupported(format!("{pointer:?} for a pointer")));
        };
        let mut place = &mut self.memory[*variable];
        for at in path {
            let Value::Parts(parts) = place else {
                return Err(Stop::Unsupported("a part of a scalar".to_owned()));
            };
            place = parts.get_mut(*at as usize).ok_or(Stop::Undefined("an index out of range"))?;
        }
        Ok(place)
    }
}

enum Next {
    Label(u32),
    Return(Option<Value>),
}
