//! Remarks about what a program reads: inputs and constants that are not given, and those that it never reads.

use super::Kernel;
use crate::codes::{
    GIVEN_NOT_READ, MISSING_CONSTANT, MISSING_INPUT, MISSING_TEXTURE, NO_VERTICES, UNDEFINED_COMPONENTS,
};
use crate::run::Vertices;
use crate::run::constants::Constants;
use gpuzoo_diag::{Diagnostic, Severity};
use gpuzoo_ir::Inst;
use gpuzoo_isa::{FileKind, list};
use std::collections::BTreeSet;
use std::ops::Range;

impl Kernel {
    /// Remarks to be read before its outputs are trusted: inputs and constants that were not given, and output
    /// components that depend on nothing written. `given` are the numbers of constants.
    pub fn remarks(&self, vertices: &Vertices, given: &[u16]) -> Vec<Diagnostic> {
        let mut remarks = self.forbidden.clone();
        if vertices.count() == 0 {
            remarks.push(Diagnostic::warning(&NO_VERTICES, "there are no vertices to run the program on"));
        }
        remarks.extend(self.missing_inputs(vertices).map(|remark| remark.note("read as zeros")));
        let constants = self.missing_constants(given).map(|remark| remark.note("read as zeros"));
        let constants = constants.map(|remark| match self.set_by_draws(given) {
            Some(names) => remark.note(format!("draws set {names} themselves; a run does not")),
            None => remark,
        });
        let first = self.constants.iter().find(|index| !given.contains(index));
        let name = first.map(|first| self.names_of(FileKind::Constant, &[*first]).concat());
        let help = format!(
            "give constants with `--const {}=1,0,0,1` or `--constant-file FILE`",
            name.unwrap_or_default()
        );
        remarks.extend(constants.map(|remark| remark.help(help)));
        remarks.extend(self.missing_textures());
        if !self.undefined.is_empty() {
            let components: Vec<String> =
                self.undefined.iter().map(|(name, components)| format!("{name}.{components}")).collect();
            let names = list(components.iter().map(String::as_str));
            let message = format!("nothing gives {names} a value");
            let remark = Diagnostic::new(Severity::Note, &UNDEFINED_COMPONENTS, message);
            let note = "the start values of the registers are shown; the machine itself may give anything";
            remarks.push(remark.note(note));
        }
        remarks
    }

    /// Errors about what it reads and is not given: inputs, and constants by number.
    ///
    /// ```
    /// use gpuzoo::run::Vertices;
    /// let kernel = gpuzoo::nv2a().assemble("p.vsh", "mov oPos, c0")?.kernel("hw")?;
    /// let missing = kernel.missing(&Vertices::nothing(), &[]);
    /// assert_eq!(missing[0].code.id, "G0208");
    /// assert!(kernel.missing(&Vertices::nothing(), kernel.constant_numbers()).is_empty());
    /// # Ok::<(), gpuzoo::Diagnostics>(())
    /// ```
    pub fn missing(&self, vertices: &Vertices, given: &[u16]) -> Vec<Diagnostic> {
        let missing = self.missing_inputs(vertices).into_iter().chain(self.missing_constants(given));
        let error = |problem: Diagnostic| {
            let problem = Diagnostic { severity: Severity::Error, ..problem };
            problem.help("give it, or ask for zeros in the place of what is missing (`zeros`)")
        };
        missing.map(error).collect()
    }

    /// A warning that names the inputs that it reads and `vertices` do not give.
    pub(super) fn missing_inputs(&self, vertices: &Vertices) -> Option<Diagnostic> {
        let missing: Vec<u16> = self.inputs.iter().copied().filter(|input| !vertices.gives(*input)).collect();
        let names = self.names_of(FileKind::Input, &missing);
        let names = list(names.iter().map(String::as_str));
        let message = format!("the program reads {names}, which the vertices do not give");
        let first = *missing.first()?;
        let name = self.names_of(FileKind::Input, &[first]).concat();
        Some(self.first_read(Diagnostic::warning(&MISSING_INPUT, message), &name, |inst| {
            *inst == Inst::Input(first)
        }))
    }

    /// A note that names the constants that it reads and that were not given.
    pub(super) fn missing_constants(&self, given: &[u16]) -> Option<Diagnostic> {
        let missing: Vec<u16> =
            self.constants.iter().copied().filter(|index| !given.contains(index)).collect();
        let names = self.names_of(FileKind::Constant, &missing);
        let names = list(names.iter().map(String::as_str));
        let were = if missing.len() == 1 { "was" } else { "were" };
        let message = format!("the program reads {names}, which {were} not given");
        let first = *missing.first()?;
        let name = self.names_of(FileKind::Constant, &[first]).concat();
        let problem = Diagnostic::new(Severity::Note, &MISSING_CONSTANT, message);
        Some(self.first_read(problem, &name, |inst| *inst == Inst::Uniform(first)))
    }

    /// A warning that it reads textures, which a run has none of.
    fn missing_textures(&self) -> Option<Diagnostic> {
        let unit = |inst: &Inst| if let Inst::Sample(unit, _) = inst { Some(*unit) } else { None };
        let units: BTreeSet<u8> = self.function.insts.iter().filter_map(unit).collect();
        let first = *units.first()?;
        let numbers: Vec<String> = units.iter().map(u8::to_string).collect();
        let names = match numbers.split_last() {
            Some((last, more)) if !more.is_empty() => format!("textures {} and {last}", more.join(", ")),
            _ => format!("texture {first}"),
        };
        let problem = Diagnostic::warning(
            &MISSING_TEXTURE,
            format!("the program reads {names}, and a run has no textures"),
        );
        let problem = self.first_read(problem, &format!("texture {first}"), |inst| unit(inst) == Some(first));
        Some(
            problem
                .note("read as zeros")
                .help("a scene gives textures: `gpuzoo render`, `gpuzoo why SCENE --pixel X,Y`"),
        )
    }

    /// The names of constants that it reads, that were not given, and that the machine's draws set.
    fn set_by_draws(&self, given: &[u16]) -> Option<String> {
        let (gpu, code) = (self.program.gpu(), self.program.code());
        let set = gpu.starter(code, gpu.about().screen).own_constants;
        let mine = self.constants.iter().filter(|index| set.contains(index) && !given.contains(index));
        let mine: Vec<u16> = mine.copied().collect();
        let names = self.names_of(FileKind::Constant, &mine);
        (!names.is_empty()).then(|| list(names.iter().map(String::as_str)))
    }

    /// Adds the line that reads an input, a constant or a texture first.
    fn first_read(&self, problem: Diagnostic, name: &str, what: impl Fn(&Inst) -> bool) -> Diagnostic {
        let slot = self.lowered.first_use(self.program.code(), what);
        let slot = slot.and_then(|slot| self.program.code().slots.get(slot));
        slot.map_or(problem.clone(), |slot| problem.label(slot.span, format!("{name} is read here")))
    }

    /// Notes about what is given by name and never read: columns of vertices, and constants.
    pub fn unread(&self, vertices: &Vertices, constants: &Constants) -> Vec<Diagnostic> {
        let note = |names: Vec<&str>| {
            let (are, them) = if names.len() == 1 { ("is", "it") } else { ("are", "them") };
            let names = list(names.iter().copied());
            let message = format!("{names} {are} given, and the program never reads {them}");
            Diagnostic::new(Severity::Note, &GIVEN_NOT_READ, message)
        };
        // A buffer is read as its layout says, whether a program reads all of it or not.
        let columns = match vertices {
            Vertices::Columns { columns, .. } => columns.as_slice(),
            Vertices::Buffer { .. } => &[],
        };
        let mut inputs: Vec<u16> = columns.iter().map(|column| column.input).collect();
        inputs.retain(|input| !self.inputs.contains(input));
        inputs.sort_unstable();
        inputs.dedup();
        let inputs = self.names_of(FileKind::Input, &inputs);
        // One that is given by name is read if one of its registers is.
        let any = self.function.insts.iter().any(|inst| matches!(inst, Inst::UniformAt { .. }));
        let read = |range: &Range<u16>| any || self.constants.iter().any(|index| range.contains(index));
        let mut constants: Vec<_> = constants.named.iter().filter(|(_, range)| !read(range)).collect();
        constants.sort_unstable_by_key(|(name, range)| (range.start, name));
        constants.dedup();
        let names = [
            inputs.iter().map(String::as_str).collect::<Vec<_>>(),
            constants.iter().map(|(name, _)| name.as_str()).collect(),
        ];
        names.into_iter().filter(|names| !names.is_empty()).map(note).collect()
    }
}
