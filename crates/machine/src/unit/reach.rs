//! Reads at a computed number that reach beyond the registers that are there: who did it, and how often.

use gpuzoo_diag::Diagnostic;
use gpuzoo_ir::Function;
use gpuzoo_isa::{Isa, Lowered, Output, Program, Reg, RelativeRead};

gpuzoo_diag::codes! {
    OUT_OF_REACH = "R0702", "constant read beyond the constants",
        "A constant whose number is computed is not one of those that the program can reach. Zeros were read. Either \
         the index is wrong, or the mode of the machine hides the constant.";
}

/// Watches the reads at computed numbers of a program while it runs.
#[derive(Clone, Debug, Default)]
pub struct ReachWatch {
    reads: Vec<Seen>,
}

#[derive(Clone, Debug)]
struct Seen {
    read: RelativeRead,
    /// Vertices for which it was out of reach.
    times: u64,
    /// The first of them, and the number that it meant.
    first: Option<(usize, i64)>,
}

impl ReachWatch {
    /// The program's function, with what is watched among its outputs, and the watch.
    pub fn new(lowered: &Lowered) -> (Function, ReachWatch) {
        let mut function = lowered.function.clone();
        let reads = lowered.relative_reads.iter().take(usize::from(Output::MOST));
        let numbered = (0..).map(|index| Output::Watch(index).number()).zip(reads.clone());
        function.outputs.extend(numbered.map(|(number, read)| (number, read.index)));
        function.outputs.sort_by_key(|(number, _)| *number);
        let reads = reads.map(|read| Seen { read: read.clone(), times: 0, first: None });
        (function, ReachWatch { reads: reads.collect() })
    }

    /// Notes an output of a vertex, if it is a watched one: its number and its component x.
    pub fn see(&mut self, vertex: usize, output: u16, index: u32) {
        let Output::Watch(number) = Output::of(output) else { return };
        let Some(seen) = self.reads.get_mut(usize::from(number)) else { return };
        let meant = i64::from(seen.read.base.index) + i64::from(index as i32);
        let reach = &seen.read.reach;
        if !(i64::from(reach.start)..i64::from(reach.end)).contains(&meant) {
            seen.times += 1;
            seen.first.get_or_insert((vertex, meant));
        }
    }

    /// A warning for each read that was out of reach, at its place in the program.
    pub fn report(&self, isa: &Isa, program: &Program) -> Vec<Diagnostic> {
        let reached = self.reads.iter().filter_map(|seen| seen.first.map(|first| (seen, first)));
        let warning = |(seen, (vertex, meant)): (&Seen, (usize, i64))| {
            let RelativeRead { slot, base, reach, .. } = &seen.read;
            let file = isa.file(*base);
            let name = |index| program.reg_name(isa, Reg { index, ..*base });
            let (first, last) = (name(reach.start), name(reach.end.max(1) - 1));
            let meant = program.number(base.file, meant);
            let times = if seen.times == 1 { "once".to_owned() } else { format!("{} times", seen.times) };
            let message = format!("a {} beyond {first} to {last} was read {times}", file.name);
            let warning = Diagnostic::warning(&OUT_OF_REACH, message);
            let warning = match program.slots.get(*slot) {
                Some(slot) => warning.label(slot.span, format!("vertex {vertex} asked for number {meant}")),
                None => warning.note(format!("vertex {vertex} asked for number {meant}")),
            };
            warning.note("zeros were read")
        };
        reached.map(warning).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use gpuzoo_ir::Builder;
    use gpuzoo_isa::Reg;

    #[test]
    fn reads_out_of_reach_are_counted() {
        let mut b = Builder::default();
        let (index, position) = (b.input(0), b.input(1));
        b.output(0, position);
        let base = Reg { file: 2, index: 90 };
        let read = RelativeRead { slot: 0, base, index, reach: 0..100 };
        let watched = Output::Watch(0).number();
        let lowered = Lowered { function: b.finish(), relative_reads: vec![read], ..Lowered::default() };
        let (function, mut watch) = ReachWatch::new(&lowered);
        assert_eq!(function.outputs, [(0, position), (watched, index)]);
        let times = |watch: &ReachWatch| (watch.reads[0].times, watch.reads[0].first);
        // An output of the program's own, then both ends of the reach.
        for (output, index) in [(0, 1000), (watched, 9), (watched, (-90_i32) as u32)] {
            watch.see(3, output, index);
        }
        assert_eq!(times(&watch), (0, None));
        watch.see(4, watched, 10);
        watch.see(5, watched, (-91_i32) as u32);
        watch.see(6, watched, i32::MIN as u32);
        assert_eq!(times(&watch), (3, Some((4, 100))));
    }
}
