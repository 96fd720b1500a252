//! Where the slots of a compiled program go.

use super::Compiled;
use super::text::source_text;
use gpuzoo_diag::{Sources, counted};
use std::collections::BTreeMap;
use std::fmt::Write;

impl Compiled {
    /// How many instructions each line of the source became, and what keeps the program from being shorter.
    pub fn explain(&self, sources: &Sources) -> String {
        let mut by_line: BTreeMap<(u32, usize), usize> = BTreeMap::new();
        for line in self.lines() {
            let Some(file) = sources.find(line.span.file) else { continue };
            *by_line.entry((line.span.file.0, file.place(line.span.start).line)).or_default() += 1;
        }
        let slots = self.program().code().slots.len();
        let mut text =
            format!("{} in {}\n", counted(self.lines().len(), "instruction"), counted(slots, "slot"));
        for ((file, line), count) in &by_line {
            let Some(file) = sources.iter().find(|own| own.id().0 == *file) else { continue };
            // SPIR-V has no lines.
            let _ = match file.is_binary() {
                true => writeln!(text, "{count:>5}  {}", file.name()),
                false => writeln!(text, "{count:>5}  {}:{line}  {}", file.name(), file.line(*line).trim()),
            };
        }
        for own in self.program().host_constants() {
            let name = self.program().isa().reg_name(own.register);
            let _ = writeln!(text, "the host computes {name}, `{}`{}", own.name, source_text(&own, sources));
        }
        let bound = match self.bound() {
            Some((bound, why)) if bound >= slots => format!("no order needs fewer slots: {why}\n"),
            Some((bound, why)) => format!("at least {} are needed: {why}\n", counted(bound, "slot")),
            None => String::new(),
        };
        text += &bound;
        text
    }
}
