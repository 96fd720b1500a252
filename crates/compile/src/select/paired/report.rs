//! What is said of a program: where its slots come from, where variables are, and why it does not fit.

use super::Work;
use super::emit::Emitted;
use crate::codes::{TEMPORARIES, TOO_LONG};
use crate::options::Line;
use crate::schedule::Schedule;
use crate::schedule::search::Found;
use gpuzoo_diag::{Diagnostic, Span, counted};
use gpuzoo_isa::{Home, Mask, Program};
use rustc_hash::FxHashMap as HashMap;
use std::collections::BTreeMap;

/// The most lines that are named as costly.
const COSTLY: usize = 5;

impl Work<'_> {
    /// What each instruction comes from, and where variables are.
    pub(super) fn debug(&self, found: &Found, chosen: &Emitted, program: &Program) -> (Vec<Line>, Vec<Home>) {
        let mut lines = Vec::new();
        for (slot, nodes) in found.schedule.iter().enumerate() {
            for (half, node) in nodes.iter().flatten().enumerate() {
                let node = &chosen.code.nodes[*node];
                let label = node.results.iter().flatten().next().map(|value| chosen.labels[value.index()].0);
                let output = node.place.and_then(|place| {
                    let at = self.ports.outputs.iter().position(|reg| *reg == place.reg)?;
                    Some(self.shader.outputs.get(at)?.name.as_str())
                });
                let variable = label.and_then(|inst| self.variable(inst)).or(output).map(str::to_owned);
                lines.push(Line { slot, half, span: node.span, variable });
            }
        }
        (lines, self.homes(found, chosen, program.slots.len()))
    }

    fn homes(&self, found: &Found, chosen: &Emitted, slots: usize) -> Vec<Home> {
        let code = &chosen.code;
        // For each value the slot behind its write, and that of its last read.
        let mut spans: Vec<Option<(usize, usize)>> = vec![None; code.values.len()];
        for (slot, nodes) in found.schedule.iter().enumerate() {
            for node in nodes.iter().flatten() {
                for value in code.nodes[*node].results.iter().flatten() {
                    spans[value.index()] = Some((slot + 1, slot + 1));
                }
            }
        }
        for (slot, nodes) in found.schedule.iter().enumerate() {
            for value in nodes.iter().flatten().flat_map(|node| code.nodes[*node].reads()) {
                if let Some((_, to)) = &mut spans[value.index()] {
                    *to = (*to).max(slot);
                }
            }
        }
        let mut homes: Vec<Home> = Vec::new();
        for (at, home) in found.homes.iter().enumerate() {
            let (Some((reg, component)), Some((from, to))) = (*home, spans[at]) else { continue };
            let (inst, lane) = chosen.labels[at];
            let Some(variable) = self.variable(inst).filter(|_| from < slots) else { continue };
            let same =
                |own: &&mut Home| own.variable == variable && (own.reg, own.from, own.to) == (reg, from, to);
            let own = match homes.iter_mut().find(same) {
                Some(own) => own,
                None => {
                    let variable = variable.to_owned();
                    homes.push(Home { variable, reg, components: [None; 4], mask: Mask(0), from, to });
                    let Some(last) = homes.last_mut() else { continue };
                    last
                }
            };
            own.components[usize::from(lane & 3)] = Some(component);
            own.mask = Mask(own.mask.0 | 1 << component);
        }
        // Inputs stay where they are.
        let inputs = self.shader.inputs.iter().zip(&self.ports.inputs).map(|(input, reg)| Home {
            variable: input.name.clone(),
            reg: *reg,
            components: [0, 1, 2, 3].map(|place| input.mask.has(place).then_some(place)),
            mask: input.mask,
            from: 0,
            to: slots,
        });
        homes.extend(inputs);
        homes
    }

    /// The program has more slots than the machine.
    pub(super) fn too_long(&self, schedule: &Schedule, chosen: &Emitted) -> Diagnostic {
        let most = self.machine.isa.most_slots();
        let count = schedule.len();
        let message = format!("the program has {count} slots, {} too many", count - most.min(count));
        let mut costs: Vec<(Span, usize)> = Vec::new();
        for nodes in schedule {
            // A slot is billed to its first half.
            let node = nodes.iter().flatten().next();
            let Some(span) = node.map(|node| chosen.code.nodes[*node].span) else { continue };
            match costs.iter_mut().find(|(own, _)| *own == span) {
                Some((_, count)) => *count += 1,
                None => costs.push((span, 1)),
            }
        }
        costs.sort_by_key(|(_, count)| std::cmp::Reverse(*count));
        let problem = Diagnostic::error(&TOO_LONG, message);
        let problem = costs
            .iter()
            .take(COSTLY)
            .fold(problem, |problem, (span, count)| problem.label(*span, counted(*count, "slot")));
        let problem = problem.note(format!("the machine holds {most}"));
        problem.help("compute what depends on uniforms alone before the draw, or leave out what costs most")
    }

    /// The program has so many slots at least that nothing was scheduled.
    pub(super) fn far_too_long(&self, least: usize) -> Diagnostic {
        let most = self.machine.isa.most_slots();
        let mut costs: HashMap<Span, usize> = HashMap::default();
        for inst in 0..self.function.insts.len() as u32 {
            *costs.entry(self.span(inst)).or_default() += 1;
        }
        let message = format!("the program has at least {least} slots, {} too many", least - most.min(least));
        let problem = Diagnostic::error(&TOO_LONG, message);
        let mut costs: Vec<(Span, usize)> = costs.into_iter().collect();
        costs.sort_by_key(|(span, count)| (std::cmp::Reverse(*count), span.start));
        let problem = costs
            .iter()
            .take(COSTLY)
            .fold(problem, |problem, (span, count)| problem.label(*span, counted(*count, "operation")));
        let problem = problem.note(format!("the machine holds {most}"));
        problem.help("compute what depends on uniforms alone before the draw, or leave out what costs most")
    }

    /// No order of any candidate has room in the temporaries.
    pub(super) fn too_large(&self, candidates: &[Emitted]) -> Vec<Diagnostic> {
        let temporaries = "the numbers that are needed at once do not fit into the temporaries";
        let problem = Diagnostic::error(&TEMPORARIES, temporaries);
        let Some(first) = candidates.first() else { return vec![problem.at(self.shader.span)] };
        let code = &first.code;
        // In the order of the source.
        let mut last = vec![0; code.values.len()];
        for (at, node) in code.nodes.iter().enumerate() {
            node.reads().for_each(|value| last[value.index()] = at);
        }
        let mut live: Vec<usize> = Vec::new();
        let mut peak: (usize, Vec<usize>) = (0, Vec::new());
        for (at, node) in code.nodes.iter().enumerate() {
            live.retain(|value| last[*value] > at);
            live.extend(node.results.iter().flatten().map(|value| value.index()));
            if live.len() > peak.1.len() {
                peak = (at, live.clone());
            }
        }
        let mut names: BTreeMap<&str, usize> = BTreeMap::new();
        for value in &peak.1 {
            let name = self.variable(first.labels[*value].0).unwrap_or("values without a name");
            *names.entry(name).or_default() += 1;
        }
        let alive: Vec<String> = names.into_iter().map(|(name, count)| format!("{name} ({count})")).collect();
        let span = code.nodes.get(peak.0).map_or(self.shader.span, |node| node.span);
        let problem = problem.label(span, format!("{} are alive here", counted(peak.1.len(), "component")));
        vec![
            problem
                .note(format!("alive: {}", alive.join(", ")))
                .help("compute values nearer to where they are used"),
        ]
    }
}
