//! What makes a function well formed.

use crate::function::{Function, Inst, Pick, Value};
use std::fmt::{self, Display, Formatter};

/// A rule that a function breaks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Problem {
    /// An operand is not defined before the instruction that reads it.
    Operand {
        /// The instruction.
        inst: Value,
        /// What it reads.
        operand: Value,
    },
    /// A shuffle picks a component above 3.
    Pick {
        /// The shuffle.
        inst: Value,
        /// The component that it picks.
        component: u8,
    },
    /// There is not one origin for each instruction.
    Origins {
        /// Number of instructions.
        insts: usize,
        /// Number of origins.
        origins: usize,
    },
    /// An output's value does not exist.
    OutputValue {
        /// Number of the output.
        output: u16,
        /// Its value.
        value: Value,
    },
    /// The outputs' numbers do not rise: this one is not above the one before it.
    OutputOrder {
        /// Number of the output.
        output: u16,
    },
}

impl Display for Problem {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Problem::Operand { inst, operand } => {
                write!(f, "{inst} reads {operand}, which is not defined above it")
            }
            Problem::Pick { inst, component } => {
                write!(f, "{inst} picks component {component}; components are 0 to 3")
            }
            Problem::Origins { insts, origins } => write!(f, "{insts} instructions have {origins} origins"),
            Problem::OutputValue { output, value } => {
                write!(f, "output {output} is {value}, which does not exist")
            }
            Problem::OutputOrder { output } => write!(f, "output {output} does not follow a lower one"),
        }
    }
}

impl std::error::Error for Problem {}

/// Checks the rules that the fields of [`Function`] cannot express; on failure, gives every breach.
///
/// What the [`Builder`](crate::Builder) builds from its own values, what the parser reads without errors and what the
/// passes make of a verified function is always well formed. Evaluator and passes rely on it: they may panic on a
/// function that is not.
///
/// ```
/// use gpuzoo_ir::{Function, Inst, Op1, Value, verify::{Problem, verify}};
///
/// let selfish = Function { insts: vec![Inst::Map1(Op1::FNeg, Value(0))], origins: vec![None], outputs: vec![] };
/// assert_eq!(verify(&selfish), Err(vec![Problem::Operand { inst: Value(0), operand: Value(0) }]));
/// ```
pub fn verify(function: &Function) -> Result<(), Vec<Problem>> {
    let Function { insts, origins, outputs } = function;
    let mut problems = Vec::new();
    if insts.len() != origins.len() {
        problems.push(Problem::Origins { insts: insts.len(), origins: origins.len() });
    }
    for (index, inst) in insts.iter().enumerate() {
        let at = Value(index as u32);
        let late = inst.operands().filter(|&operand| operand >= at);
        problems.extend(late.map(|operand| Problem::Operand { inst: at, operand }));
        if let Inst::Shuffle(_, picks) = inst {
            problems.extend(picks.iter().filter_map(|pick| match *pick {
                Pick::A(component) | Pick::B(component) if component > 3 => {
                    Some(Problem::Pick { inst: at, component })
                }
                _ => None,
            }));
        }
    }
    for (position, &(output, value)) in outputs.iter().enumerate() {
        if value.index() >= insts.len() {
            problems.push(Problem::OutputValue { output, value });
        }
        if position > 0 && outputs[position - 1].0 >= output {
            problems.push(Problem::OutputOrder { output });
        }
    }
    if problems.is_empty() { Ok(()) } else { Err(problems) }
}
