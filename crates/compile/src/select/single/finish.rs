//! From a draft with registers to a program.

use super::allocate::Homes;
use super::draft::{Arg, Draft};
use super::live::Live;
use super::machine::Machine;
use crate::options::{Built, Line};
use gpuzoo_diag::Span;
use gpuzoo_ir::Vec4;
use gpuzoo_isa::{Constant, Home, Inst, Interface, Mask, Operand, Port, Reg, Slot, Stage};
use rustc_hash::FxHashSet as HashSet;

/// A body and what is around it.
#[derive(Clone, Debug, Default)]
pub struct Body {
    /// The program's own instructions, each with the step that it is.
    pub slots: Vec<(usize, Slot)>,
    /// Where its inputs are, by the number of the function's.
    pub inputs: Vec<(u16, Reg, Mask)>,
    /// Where its uniforms are, by the number of the function's.
    pub uniforms: Vec<(u16, Reg, Mask)>,
    /// The literals that it reads.
    pub literals: Vec<(Reg, Vec4)>,
    /// Where its outputs are, in the order of the function's.
    pub outputs: Vec<Reg>,
    /// What it declares.
    pub interface: Interface,
}

/// The operand of an argument.
fn operand(homes: &Homes, arg: &Arg) -> Option<Operand> {
    Some(match arg {
        Arg::Vreg { vreg, swizzle, negate, .. } => {
            Operand { swizzle: *swizzle, negate: *negate, ..Operand::of(homes.reg(*vreg)?) }
        }
        Arg::Values(values) => Operand::of_values(values.iter().copied()),
    })
}

impl Body {
    /// The instructions of a draft whose registers are known. None if one of them is in no register, or cannot be said.
    pub fn new(machine: &Machine, draft: &Draft, homes: &Homes) -> Option<Body> {
        let mut body = Body::default();
        let mut written: HashSet<Reg> = HashSet::default();
        for (number, step) in draft.steps.iter().enumerate() {
            let rule = machine.rules.get(step.rule)?;
            let mut inst = Inst::new(rule.op);
            for (operand, reg) in &rule.fixed {
                inst.operands[*operand] = Operand::of(*reg);
            }
            for (source, arg) in rule.sources.iter().zip(&step.args).filter(|(source, _)| source.offset == 0)
            {
                inst.operands[source.operand] = operand(homes, arg)?;
            }
            if let (Some((operand, _)), Some(target)) = (&rule.destination, step.target) {
                let operand = &mut inst.operands[*operand];
                operand.reg = homes.reg(target)?;
                // The other instructions of a machine without masks read whole registers: none is left half undefined.
                let is_first = written.insert(operand.reg) && rule.is_copy() && !machine.masks;
                operand.mask = if rule.masked && !is_first { step.mask } else { Mask::ALL };
                let stays = step.in_place_copy
                    && matches!(step.args.as_slice(), [Arg::Vreg { vreg, negate: false, .. }] if homes.reg(*vreg) == homes.reg(target));
                if stays {
                    continue;
                }
            }
            let span = machine.shader.origin(step.origin).map_or(Span::default(), |origin| origin.span);
            let slot = machine.isa.slot(machine.isa.encode(&inst), span);
            if !machine.isa.is_said(&slot) {
                return None;
            }
            body.slots.push((number, slot));
        }
        body.place(machine, draft, homes)?;
        Some(body)
    }

    fn place(&mut self, machine: &Machine, draft: &Draft, homes: &Homes) -> Option<()> {
        let declared = machine.declared();
        self.interface.stage = machine.shader.stage;
        for (list, uniform) in [(&draft.inputs, false), (&draft.uniforms, true)] {
            for (order, vreg) in list {
                let reg = homes.reg(*vreg)?;
                let given = declared.iter().find(|own| own.uniform == uniform && own.order == *order);
                if let Some(given) = given {
                    let port = Port { reg, components: given.components, span: Span::default() };
                    let whole =
                        !uniform && machine.sequence.kept(self.interface.stage, usize::from(*order)) != 0;
                    let port = if whole { Port { components: 4, ..port } } else { port };
                    if uniform {
                        self.interface.uniforms.push(port)
                    } else {
                        self.interface.inputs.push(port)
                    }
                }
                let mask = Mask(given.map_or(15, |own| 15 & !own.zeros));
                if uniform {
                    self.uniforms.push((*order, reg, mask));
                } else {
                    let known = machine.inputs.iter().position(|own| own.index == *order);
                    self.inputs.extend(known.map(|known| (known as u16, reg, mask)));
                }
            }
        }
        for (number, values) in draft.literals.iter().enumerate() {
            let index = machine.literal_constant(number)?;
            let reg = Reg { file: machine.sequence.constant_file(), index };
            self.literals.push((reg, values.map(|bits| bits.unwrap_or(0))));
        }
        let mut order: Vec<(u16, Port)> = Vec::new();
        for (number, vreg) in draft.outputs.iter().enumerate() {
            let reg = homes.reg(*vreg)?;
            self.outputs.push(reg);
            let (port, _) = machine.shader.function.outputs.get(number)?;
            let variable = machine.shader.outputs.get(usize::from(*port))?;
            let place = machine.outputs.get(usize::from(*port))?.index;
            let components = 8 - variable.mask.0.leading_zeros() as u8;
            // The first is a position or a colour, which have all four.
            let components = if place == 0 { 4 } else { components.clamp(1, 4) };
            order.push((place, Port { reg, components, span: variable.span }));
        }
        if !declared.is_empty() {
            order.sort_by_key(|(place, _)| *place);
            self.interface.outputs = order.into_iter().map(|(_, port)| port).collect();
        }
        Some(())
    }

    /// The program with everything that is known of it.
    pub fn finish(self, machine: &Machine, draft: &Draft, homes: &Homes, live: &Live) -> Built {
        let steps: Vec<usize> = self.slots.iter().map(|(step, _)| *step).collect();
        let slots: Vec<Slot> = self.slots.iter().map(|(_, slot)| *slot).collect();
        let (mut program, first) = machine.sequence.program(self.interface, slots);
        program.span = machine.shader.span;
        let file = machine.sequence.constant_file();
        let uniforms = machine.shader.uniforms.iter().flat_map(|own| {
            own.constants(Reg { file, index: machine.constants.start.saturating_add(own.first) })
        });
        let literals = self.literals.iter().map(|(reg, values)| Constant {
            name: None,
            reg: *reg,
            count: 1,
            mask: Mask::ALL,
            values: vec![*values],
            matrix: None,
            span: machine.shader.span,
        });
        program.constants = uniforms.chain(literals).collect();
        let origin = |step: usize| draft.steps.get(step).and_then(|step| machine.shader.origin(step.origin));
        let result = |step: usize| {
            let variable = origin(step).and_then(|origin| origin.variable.clone());
            variable.filter(|_| draft.steps.get(step).is_some_and(|step| step.is_result))
        };
        let line = |(at, step): (usize, &usize)| Line {
            slot: first + at,
            half: 0,
            span: origin(*step).map_or(Span::default(), |origin| origin.span),
            variable: result(*step),
        };
        let lines = steps.iter().enumerate().map(line).collect();
        // The first slot that runs behind a step, counted in the whole program.
        let slot_behind = |time: i32| first + steps.partition_point(|step| (*step as i32) <= time);
        let mut variables: Vec<Home> = Vec::new();
        for (at, step) in steps.iter().enumerate() {
            let Some(own) = draft.steps.get(*step) else { continue };
            let Some(variable) = result(*step) else { continue };
            let Some((vreg, reg)) = own.target.and_then(|vreg| Some((vreg, homes.reg(vreg)?))) else {
                continue;
            };
            let (from, last) = (first + at + 1, live.whole(vreg).1);
            let to = slot_behind(last - 1).min(first + steps.len()).max(from);
            let component = |place: u8| own.mask.has(place).then_some(place);
            let home =
                Home { variable, reg, components: [0, 1, 2, 3].map(component), mask: own.mask, from, to };
            variables.push(home);
        }
        // What is put before a fragment program interpolates its inputs first.
        let fragment = machine.shader.stage == Stage::Fragment;
        for (order, vreg) in &draft.inputs {
            let known = machine.inputs.iter().position(|own| own.index == *order);
            let variable = known.and_then(|known| machine.shader.inputs.get(known));
            let (Some(variable), Some(reg)) = (variable, homes.reg(*vreg)) else { continue };
            let component = |place: u8| variable.mask.has(place).then_some(place);
            variables.push(Home {
                variable: variable.name.clone(),
                reg,
                components: [0, 1, 2, 3].map(component),
                mask: variable.mask,
                from: if fragment { first } else { 0 },
                to: slot_behind(live.whole(*vreg).1 - 1).max(first),
            });
        }
        program.homes = variables;
        Built { program, lines, bound: None }
    }
}
