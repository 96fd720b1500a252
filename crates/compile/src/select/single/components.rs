//! The components of a function's values, each number under one name.

use crate::graph::lanes::{Lane, Lanes};
use gpuzoo_ir::{Function, Inst, Value};

/// What each component of each value really is: shuffles are seen through, and components that are computed from the same numbers are
/// one.
#[derive(Clone, Debug)]
pub struct Components {
    /// The function.
    pub function: Function,
    own: Vec<[Lane; 4]>,
}

impl Components {
    /// The components of a function.
    pub fn new(function: &Function) -> Components {
        let lanes = Lanes::new(function);
        let mut components =
            Components { function: function.clone(), own: Vec::with_capacity(function.insts.len()) };
        for (value, inst) in (0..).map(Value).zip(&function.insts) {
            let places = [0u8, 1, 2, 3];
            let own = match inst {
                Inst::Const(_) | Inst::Shuffle(..) => lanes.of(value).map(|lane| components.resolve(lane)),
                Inst::Kill(a) => components.of(*a),
                Inst::Dot(..) => [Lane::Of(value, 0); 4],
                Inst::Map1(..) | Inst::Map2(..) | Inst::Map3(..) => places.map(|place| {
                    let same = |other: &u8| {
                        inst.operands().all(|operand| {
                            let lanes = components.of(operand);
                            lanes[usize::from(*other)] == lanes[usize::from(place)]
                        })
                    };
                    Lane::Of(value, (0..place).find(same).unwrap_or(place))
                }),
                _ => places.map(|place| Lane::Of(value, place)),
            };
            components.own.push(own);
        }
        components
    }

    fn resolve(&self, lane: Lane) -> Lane {
        match lane {
            Lane::Of(value, component) => self.of(value)[usize::from(component & 3)],
            bits => bits,
        }
    }

    /// The components of a value.
    pub fn of(&self, value: Value) -> [Lane; 4] {
        self.own.get(value.index()).copied().unwrap_or([Lane::Bits(0); 4])
    }

    /// What computes a component.
    pub fn inst(&self, lane: Lane) -> Option<(Inst, u8)> {
        match lane {
            Lane::Of(value, component) => Some((*self.function.insts.get(value.index())?, component)),
            Lane::Bits(_) => None,
        }
    }

    /// The number whose sign is flipped, if a component is that.
    pub fn negated(&self, lane: Lane) -> Option<Lane> {
        match self.inst(lane)? {
            (Inst::Map1(gpuzoo_ir::Op1::FNeg, a), component) => Some(self.of(a)[usize::from(component)]),
            _ => None,
        }
    }

    /// True for what is there before anything is computed: inputs and uniforms.
    pub fn is_given(&self, lane: Lane) -> bool {
        matches!(self.inst(lane), Some((Inst::Input(_) | Inst::Uniform(_), _)))
    }
}
