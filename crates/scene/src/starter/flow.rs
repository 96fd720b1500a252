//! What a program does with its inputs and constants, as far as a guess at their meaning needs it.

use gpuzoo_ir::{Function, Inst, Pick, Value, passes};
use gpuzoo_isa::Output;
use std::collections::{BTreeMap, BTreeSet};

/// What a value comes from, by numbers.
#[derive(Clone, Debug, Default)]
pub struct Origin {
    pub inputs: BTreeSet<u16>,
    pub constants: BTreeSet<u16>,
}

impl Origin {
    fn add(&mut self, other: &Origin) {
        self.inputs.extend(&other.inputs);
        self.constants.extend(&other.constants);
    }
}

/// What a constant meets in arithmetic.
#[derive(Clone, Debug, Default)]
pub struct Met {
    /// In a dot product, as a matrix's row does.
    pub dotted: bool,
    /// What the other operands come from.
    pub with: Origin,
}

/// The way of values through a program.
#[derive(Debug, Default)]
pub struct Flow {
    /// What is read of inputs, constants and textures.
    pub inputs: BTreeSet<u16>,
    pub constants: BTreeSet<u16>,
    pub textures: BTreeSet<u8>,
    /// Constants are read at computed places, too.
    pub any_constant: bool,
    /// What outputs come from, by number.
    pub outputs: BTreeMap<u16, Origin>,
    /// What constants meet.
    pub met: BTreeMap<u16, Met>,
    /// How many constants an input meets as it is, and whether in a dot product.
    pub touched: BTreeMap<u16, (BTreeSet<u16>, bool)>,
}

impl Flow {
    pub fn of(function: &Function) -> Flow {
        let function = passes::optimize(function);
        let mut flow = Flow::default();
        let mut all: Vec<Origin> = Vec::with_capacity(function.insts.len());
        for inst in &function.insts {
            let mut from = Origin::default();
            for operand in inst.operands() {
                from.add(&all[operand.index()]);
            }
            match inst {
                Inst::Input(index) => {
                    flow.inputs.insert(*index);
                    from.inputs.insert(*index);
                }
                Inst::Uniform(index) => {
                    flow.constants.insert(*index);
                    from.constants.insert(*index);
                }
                Inst::UniformAt { .. } => flow.any_constant = true,
                Inst::Sample(unit, _) => drop(flow.textures.insert(*unit)),
                Inst::Map2(..) | Inst::Map3(..) | Inst::Dot(..) => flow.meeting(&function, inst, &all),
                _ => {}
            }
            all.push(from);
        }
        for (number, value) in &function.outputs {
            if let Output::Register(index) = Output::of(*number) {
                flow.outputs.insert(index, all[value.index()].clone());
            }
        }
        flow
    }

    /// Notes which constants and inputs are operands of one instruction.
    fn meeting(&mut self, function: &Function, inst: &Inst, all: &[Origin]) {
        let dotted = matches!(inst, Inst::Dot(..));
        let operands: Vec<Value> = inst.operands().collect();
        let bare: Vec<Inst> =
            operands.iter().map(|operand| function.insts[bare(function, *operand).index()]).collect();
        for (at, operand) in bare.iter().enumerate() {
            let Inst::Uniform(constant) = operand else { continue };
            let met = self.met.entry(*constant).or_default();
            met.dotted |= dotted;
            for (other, value) in operands.iter().enumerate().filter(|(other, _)| *other != at) {
                met.with.add(&all[value.index()]);
                if let Inst::Input(input) = bare[other] {
                    let touched = self.touched.entry(input).or_default();
                    touched.0.insert(*constant);
                    touched.1 |= dotted;
                }
            }
        }
    }
}

/// The value that another one has the components of, in whatever order and with whatever sign.
fn bare(function: &Function, mut value: Value) -> Value {
    loop {
        value = match &function.insts[value.index()] {
            Inst::Map1(_, of) => *of,
            Inst::Shuffle([a, b], picks) => {
                let from = |wanted: fn(&Pick) -> bool| picks.iter().any(wanted);
                match (from(|pick| matches!(pick, Pick::A(_))), from(|pick| matches!(pick, Pick::B(_)))) {
                    (true, false) => *a,
                    (false, true) => *b,
                    _ => return value,
                }
            }
            _ => return value,
        };
    }
}
