//! What a draw gives its programs, against what they read.

use crate::constants::Constants;
use crate::order;
use crate::scene::{DrawCall, Scene, Unit};
use gpuzoo_diag::{Diagnostic, Severity, Span};
use gpuzoo_ir::{Function, Inst, passes};
use gpuzoo_isa::{FileKind, Isa, Lowered, Mask, Program, Reg, list};
use gpuzoo_machine::{RunState, ShaderUnit};
use gpuzoo_raster::Target;
use std::collections::BTreeSet;

gpuzoo_diag::codes! {
    NOT_GIVEN = "R0323", "program reads what the draw does not give",
        "An input, a constant or a texture that the program reads, and that the draw says nothing about, is zeros on most machines: positions \
         and colours that are multiplied by it become 0, and the picture is black or empty. Give it in `[draw.input]`, \
         `[draw.constants]` or `textures`. What a fragment program reads and the vertex program never writes is zeros, too.";
    NOT_READ = "R0324", "given and never read",
        "The draw gives an input, a constant or a texture that its programs read nowhere: another number may be meant. A \
         texture that the machine reads at the program's coordinates is read at one point if the program writes none.";
}

/// A program of a draw and what it reads.
struct Reader<'a> {
    gpu: &'static dyn ShaderUnit,
    draw: &'a DrawCall,
    program: &'a Program,
    lowered: Lowered,
    used: Used,
}

/// What a function reads.
#[derive(Default)]
struct Used {
    inputs: BTreeSet<u16>,
    constants: BTreeSet<u16>,
    /// Samples, by their numbers in the IR.
    samples: BTreeSet<u8>,
    /// It reads constants at computed places, so that nobody knows which.
    any_constant: bool,
}

impl Used {
    fn of(function: &Function) -> Used {
        let mut used = Used::default();
        for inst in &passes::optimize(function).insts {
            match inst {
                Inst::Input(index) => drop(used.inputs.insert(*index)),
                Inst::Uniform(index) => drop(used.constants.insert(*index)),
                Inst::Sample(number, _) => drop(used.samples.insert(*number)),
                Inst::UniformAt { .. } => used.any_constant = true,
                _ => {}
            }
        }
        used
    }

    fn reads(&self, constant: u16) -> bool {
        self.any_constant || self.constants.contains(&constant)
    }
}

/// Reports what the programs of a scene's draws read and are not given, and what is given and not read.
pub(crate) fn check(scene: &Scene, problems: &mut Vec<Diagnostic>) {
    // The size does not matter to what is read; a machine may set some constants itself, and what it sets is not 0.
    let Ok(target) = Target::new(16, 16) else { return };
    for draw in scene.draws() {
        let gpu = scene.gpu;
        let reader = |program, lowered: Lowered| {
            let used = Used::of(&lowered.function);
            Reader { gpu, draw, program, lowered, used }
        };
        let (lowered, set) = scene.vertex_stage(draw, &target);
        let vertex = reader(&draw.program, lowered);
        let fragment = draw.fragment.as_ref();
        let fragment =
            fragment.map(|program| reader(program, gpu.lower(program, &RunState::from(scene.profile)).0));
        let is_set = |index: u16| set.get(usize::from(index)).is_some_and(|value| *value != [0; 4]);
        vertex.inputs(problems);
        vertex.matrices(&draw.constants, problems);
        vertex.constants(&draw.constants, is_set, problems);
        // A fragment program without constants of its own reads the same ones.
        let shared = fragment.as_ref().filter(|_| draw.fragment_constants.is_none());
        let reads = |index: &u16| {
            vertex.used.reads(*index) || shared.is_some_and(|fragment| fragment.used.reads(*index))
        };
        problems.extend(draw.constants.not_read(reads).map(|(name, span)| not_read(name, span)));
        if let Some(fragment) = &fragment {
            fragment.varyings(&vertex, problems);
            let own = draw.fragment_constants.as_ref();
            let is_set = |index| gpu.fragment_programs().is_some_and(|programs| programs.sets(index));
            fragment.constants(own.unwrap_or(&draw.constants), is_set, problems);
            fragment.matrices(own.unwrap_or(&draw.constants), problems);
            let unread = own.into_iter().flat_map(|own| own.not_read(|index| fragment.used.reads(*index)));
            problems.extend(unread.map(|(name, span)| not_read(name, span)));
        }
        vertex.coordinates(problems);
        textures(gpu, draw, fragment.as_ref(), problems);
    }
}

/// The textures that are missing, and those that nothing reads.
fn textures(
    gpu: &'static dyn ShaderUnit,
    draw: &DrawCall,
    fragment: Option<&Reader>,
    problems: &mut Vec<Diagnostic>,
) {
    let has = |unit: &usize| !matches!(draw.units.get(*unit), None | Some(Unit::Nothing));
    let Some(programs) = gpu.fragment_programs() else {
        for (unit, span) in draw.places.units.iter().enumerate() {
            if has(&unit) && !gpu.reads_texture(unit, &draw.state) {
                let message =
                    format!("texture {unit} is given, and with the draw's `state` nothing reads it");
                problems.push(Diagnostic::new(Severity::Note, &NOT_READ, message).label(*span, ""));
            }
        }
        return;
    };
    let samples = fragment.map(|fragment| &fragment.used.samples).into_iter().flatten();
    let read: BTreeSet<usize> = samples.map(|sample| programs.unit(*sample)).collect();
    let missing: Vec<usize> = read.iter().copied().filter(|unit| !has(unit)).collect();
    if let (Some(fragment), Some(first)) = (fragment, missing.first()) {
        let names: Vec<String> = missing.iter().map(|unit| format!("texture {unit}")).collect();
        let message =
            format!("the fragment program reads {}, which the draw does not give", names.join(", "));
        let of_first =
            |inst: &Inst| matches!(inst, Inst::Sample(sample, _) if programs.unit(*sample) == *first);
        let at = draw.places.textures.unwrap_or(draw.places.draw);
        problems.push(fragment.not_given(message, at, &names[0], of_first).note("it reads as zeros"));
    }
    for (unit, span) in draw.places.units.iter().enumerate() {
        if has(&unit) && !read.contains(&unit) {
            problems.push(not_read(&format!("texture {unit}"), *span));
        }
    }
}

impl Reader<'_> {
    fn isa(&self) -> &'static Isa {
        self.gpu.isa()
    }

    /// The names of inputs or, as its program's text calls them, of constants.
    fn names_of(&self, kind: FileKind, indices: &[u16]) -> Vec<String> {
        let file = self.isa().files.iter().find(|file| file.kind == kind);
        match kind {
            FileKind::Constant => self.program.constant_names(self.isa(), indices),
            _ => file.map_or(Vec::new(), |file| indices.iter().map(|index| file.reg_name(*index)).collect()),
        }
    }

    /// Matrices that are given by columns and read by rows, or the other way round.
    fn matrices(&self, from: &Constants, problems: &mut Vec<Diagnostic>) {
        let found = order::mistaken(from, &self.lowered.function);
        problems.extend(found.into_iter().map(|mistaken| {
            let first = |inst: &Inst| *inst == Inst::Uniform(mistaken.register);
            let slot = self.lowered.first_use(self.program, first);
            let slot = slot.and_then(|slot| self.program.slots.get(slot));
            mistaken.problem(slot.map(|slot| slot.span))
        }));
    }

    fn name(&self, kind: FileKind, index: u16) -> String {
        self.names_of(kind, &[index]).concat()
    }

    fn names(&self, kind: FileKind, indices: &[u16]) -> String {
        list(self.names_of(kind, indices).iter().map(String::as_str))
    }

    fn inputs(&self, problems: &mut Vec<Diagnostic>) {
        let layout = &self.draw.layout;
        let given = |index: &u16| layout.attributes.iter().any(|attribute| attribute.input == *index);
        let missing: Vec<u16> = self.used.inputs.iter().copied().filter(|index| !given(index)).collect();
        if let Some(&first) = missing.first() {
            let names = self.names(FileKind::Input, &missing);
            let message = format!("the program reads {names}, which the draw does not give");
            let name = self.name(FileKind::Input, first);
            let of_first = |inst: &Inst| *inst == Inst::Input(first);
            let problem = self.not_given(message, self.draw.places.input, &name, of_first);
            problems.push(problem.note(self.fetched(first)));
        }
        for (attribute, span) in layout.attributes.iter().zip(&self.draw.places.inputs) {
            if !self.used.inputs.contains(&attribute.input) {
                problems.push(not_read(&self.name(FileKind::Input, attribute.input), *span));
            }
        }
    }

    /// What an input reads that the draw does not give: some machines fetch something for every input.
    fn fetched(&self, input: u16) -> String {
        let complete = self.gpu.complete_layout(self.draw.layout.clone());
        match complete.attributes.iter().find(|attribute| attribute.input == input) {
            None => "what is not given reads as zeros".to_owned(),
            Some(own) if own.format.bytes == 0 => {
                let mut inputs = vec![[0; 4]; usize::from(input) + 1];
                complete.fetch(&self.draw.vertices, 0, &mut inputs);
                let value = inputs[usize::from(input)].map(|component| f32::from_bits(component).to_string());
                format!("what is not given reads as ({})", value.join(", "))
            }
            Some(own) => {
                format!("the machine reads {} at offset {} of the vertex for it", own.format.name, own.offset)
            }
        }
    }

    /// Textures that the fixed function reads at coordinates which the program never writes, at one point therefore.
    fn coordinates(&self, problems: &mut Vec<Diagnostic>) {
        for ((number, unit), span) in self.draw.units.iter().enumerate().zip(&self.draw.places.units) {
            let Some(output) = self.gpu.coordinates(number) else { continue };
            let unwritten = |(reg, mask): &&(Reg, Mask)| reg.index == output && *mask == Mask::ALL;
            let unwritten = self.lowered.unwritten_outputs.iter().find(unwritten);
            if let (Some((reg, _)), false) = (unwritten, matches!(unit, Unit::Nothing)) {
                let name = self.isa().reg_name(*reg);
                let message = format!(
                    "texture {number} is given, and the program never writes `{name}`, its coordinates"
                );
                let note = Diagnostic::new(Severity::Note, &NOT_READ, message).label(*span, "");
                problems.push(note.note("it is read at one point"));
            }
        }
    }

    /// Constants that it reads, that have no value in it, that the machine does not set, and that the draw does not give.
    fn constants(&self, from: &Constants, is_set: impl Fn(u16) -> bool, problems: &mut Vec<Diagnostic>) {
        // A declaration without a value is a name and no more.
        let defined = |index: u16| self.program.defined().any(|(own, _)| own == index);
        let given = |index: u16| from.gives(index) || is_set(index) || defined(index);
        self.arrays(from, given, problems);
        let missing: Vec<u16> = self.used.constants.iter().copied().filter(|index| !given(*index)).collect();
        let Some(&first) = missing.first() else { return };
        let names = self.names(FileKind::Constant, &missing);
        let message = format!("the program reads {names}, which the draw does not give");
        let at = from.span().or(self.draw.places.constants).unwrap_or(self.draw.places.draw);
        let name = self.name(FileKind::Constant, first);
        let problem = self.not_given(message, at, &name, |inst| *inst == Inst::Uniform(first));
        problems.push(problem.note("what is not given reads as zeros"));
    }

    /// Arrays that the program reads at computed places, so that nobody knows which of them, and of which the draw gives a part.
    fn arrays(&self, from: &Constants, given: impl Fn(u16) -> bool, problems: &mut Vec<Diagnostic>) {
        for (name, own) in self.program.uniforms().filter(|_| self.used.any_constant) {
            let registers = own.reg.index..own.reg.index + own.count;
            let absent: Vec<u16> = registers.clone().filter(|index| !given(*index)).collect();
            if let Some(first) = absent.first().filter(|_| registers.clone().any(|index| from.gives(index))) {
                let (all, next) = (registers.len(), first - registers.start);
                let present = all - absent.len();
                let message = format!("`{name}` has {all} constants, of which the draw gives {present}");
                let at = from.span().or(self.draw.places.constants).unwrap_or(self.draw.places.draw);
                let is_computed = |inst: &Inst| matches!(inst, Inst::UniformAt { .. });
                let problem = self.not_given(message, at, "one of them", is_computed);
                let note = format!("the others are zeros; `{name}[{next}]` is the name of the next");
                problems.push(problem.note(note));
            }
        }
    }

    /// What a fragment program reads of what the vertex program leaves, and the vertex program never writes.
    fn varyings(&self, vertex: &Reader, problems: &mut Vec<Diagnostic>) {
        let Some(programs) = self.gpu.fragment_programs() else { return };
        for &input in &self.used.inputs {
            let Some(output) = programs.interpolated(input) else { continue };
            let unwritten = |(reg, mask): &(Reg, Mask)| reg.index == output && *mask == Mask::ALL;
            if let Some((reg, _)) = vertex.lowered.unwritten_outputs.iter().find(|own| unwritten(own)) {
                let (name, from) = (self.name(FileKind::Input, input), self.isa().reg_name(*reg));
                let message = format!(
                    "the fragment program reads `{name}`, and the vertex program never writes `{from}`"
                );
                let problem =
                    self.not_given(message, self.draw.places.draw, &name, |inst| *inst == Inst::Input(input));
                problems.push(problem.note("it reads as zeros"));
            }
        }
    }

    /// The problem of something that is not given at a place of the scene, with the line that reads it first.
    fn not_given(&self, message: String, at: Span, name: &str, first: impl Fn(&Inst) -> bool) -> Diagnostic {
        let problem = Diagnostic::warning(&NOT_GIVEN, message).label(at, "not given here");
        let slot = self.lowered.first_use(self.program, &first);
        if let Some(slot) = slot.and_then(|slot| self.program.slots.get(slot)) {
            return problem.label(slot.span, format!("{name} is read here"));
        }
        // An input that is passed on as it is.
        let inputs = self.program.interface.iter().flat_map(|interface| (0..).zip(&interface.inputs));
        match inputs.into_iter().find(|(index, _)| first(&Inst::Input(*index))) {
            Some((_, port)) => problem.label(port.span, format!("{name} is declared here")),
            None => problem,
        }
    }
}

/// The problem of something that is given and not read.
fn not_read(name: &str, span: Span) -> Diagnostic {
    let message = format!("`{name}` is given, and the program never reads it");
    Diagnostic::new(Severity::Note, &NOT_READ, message).label(span, "")
}
