//! What one slot did to one register, in the IR: which register reads its result is computed from.

use gpuzoo_ir::{self as ir, Inst, Vec4, eval};
use gpuzoo_isa::{Mask, Reg};
use gpuzoo_machine::session::Dataflow;
use std::collections::BTreeMap;

/// A value from outside the slot that its result is computed from.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Boundary {
    pub value: ir::Value,
    /// The register that was read. None for a read at a computed number that found none.
    pub reg: Option<Reg>,
    pub components: Mask,
}

/// A computation within a slot: from what was read to some components of what was written.
#[derive(Debug, Default)]
pub(crate) struct Computation {
    pub boundaries: Vec<Boundary>,
    /// Inputs and uniforms that no register read stands for: what the machine itself reads.
    pub sources: Vec<(Inst, Mask)>,
    /// The texture reads among it.
    pub samples: Vec<u8>,
    /// The values between, in their order.
    inner: Vec<ir::Value>,
}

impl Computation {
    /// Of components of a value that a slot wrote.
    pub fn of(flow: &Dataflow, slot: usize, written: ir::Value, components: Mask) -> Computation {
        let function = &flow.lowered().function;
        let reads = flow.reads(slot);
        let mut done = Computation::default();
        // Operands come before what is computed from them, so each is met once, with all that is wanted of it.
        let mut wanted = BTreeMap::from([(written, components.0)]);
        while let Some((value, mask)) = wanted.pop_last() {
            let mut is_read = false;
            for read in reads.iter().filter(|read| read.value == value) {
                let components = Mask(mask & read.components.0);
                if components.is_empty() {
                    continue;
                }
                is_read = true;
                done.boundaries.push(Boundary { value, reg: flow.found(read), components });
                if let Some(index) = read.index {
                    *wanted.entry(index).or_default() |= 1;
                }
            }
            let Some(inst) = function.insts.get(value.index()).filter(|_| !is_read) else { continue };
            done.inner.push(value);
            match inst {
                Inst::Input(_) | Inst::Uniform(_) => done.sources.push((*inst, Mask(mask))),
                Inst::Sample(unit, _) => done.samples.push(*unit),
                _ => {}
            }
            inst.reads(mask, |operand, components| *wanted.entry(operand).or_default() |= components);
        }
        done.boundaries.sort_by_key(|boundary| (boundary.reg, boundary.value));
        done.inner.sort();
        done
    }

    /// What the written value would be if these components of what was read were 1. A texture gives what it gave.
    pub fn with_ones(&self, flow: &Dataflow, written: ir::Value, ones: &[(ir::Value, Mask)]) -> Vec4 {
        let mut values: BTreeMap<ir::Value, Vec4> = BTreeMap::new();
        for (value, components) in ones {
            let now = values.entry(*value).or_insert_with(|| flow.value(*value));
            for (component, bits) in now.iter_mut().enumerate() {
                if components.has(component as u8) {
                    *bits = ir::ONE;
                }
            }
        }
        for value in &self.inner {
            let Some(inst) = flow.lowered().function.insts.get(value.index()) else { continue };
            if let Inst::Input(_) | Inst::Uniform(_) | Inst::UniformAt { .. } | Inst::Sample(..) = inst {
                continue;
            }
            let get = |operand| values.get(&operand).copied().unwrap_or_else(|| flow.value(operand));
            let result = eval::result(inst, get, &[], &[], &eval::NoTextures);
            values.insert(*value, result);
        }
        values.get(&written).copied().unwrap_or_else(|| flow.value(written))
    }
}
