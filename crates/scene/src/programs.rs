//! The programs of a scene, each read for the draws that name it.

use crate::fields::Fields;
use crate::reading::{Named, Reading};
use crate::toml;
use gpuzoo_diag::{Diagnostic, FileId, Span};
use gpuzoo_isa::{Assembled, Interface, Program, Stage};
use gpuzoo_machine::limits::budget::Resource;
use gpuzoo_machine::options::settings::{Setting, Table, Value};
use gpuzoo_machine::text::source;
use gpuzoo_machine::unit::PositionSpace;
use gpuzoo_machine::{ShaderUnit, TextOptions};
use std::collections::HashMap;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

gpuzoo_diag::codes! {
    NO_PROGRAM = "R0317", "program has no source",
        "A program has one source: a `file` or a `source` text.";
}

/// A program, as its draws want it: they may say different things of its positions.
#[derive(Clone)]
pub(crate) struct Variants(Vec<(Option<PositionSpace>, Arc<Program>)>);

impl Variants {
    /// The one for a draw with a state.
    pub fn of(&self, gpu: &dyn ShaderUnit, state: Option<&Table>) -> Option<Arc<Program>> {
        let position = position(gpu, state);
        self.0.iter().find(|(known, _)| *known == position).map(|(_, program)| program.clone())
    }
}

/// Space in which the state of a draw has its program leave positions, on machines that have a choice.
fn position(gpu: &dyn ShaderUnit, state: Option<&Table>) -> Option<PositionSpace> {
    let Value::Text(name) = &state?.get("positions").filter(|_| gpu.about().text_options.positions)?.value
    else {
        return None;
    };
    name.parse().ok()
}

/// What draws say of a program that they name.
#[derive(Default)]
struct Use {
    /// It is named for vertices, for fragments.
    of_vertices: bool,
    of_fragments: bool,
    positions: Vec<Option<PositionSpace>>,
}

impl Use {
    /// The stage that it is used for: vertices, unless all draws name it for fragments.
    fn stage(&self) -> Stage {
        if self.of_fragments && !self.of_vertices { Stage::Fragment } else { Stage::Vertex }
    }

    /// What draws say of its positions; of one that none names, nothing.
    fn positions(&self) -> &[Option<PositionSpace>] {
        if self.positions.is_empty() { &[None] } else { &self.positions }
    }
}

/// The programs that draws name: all draws at once, since there may be as many programs as draws.
fn uses<'a>(gpu: &dyn ShaderUnit, draws: &'a [Setting]) -> HashMap<&'a str, Use> {
    let mut uses: HashMap<&str, Use> = HashMap::new();
    for draw in draws {
        let Value::Table(draw) = &draw.value else { continue };
        let state = draw.get("state").and_then(|state| match &state.value {
            Value::Table(state) => Some(state),
            _ => None,
        });
        let position = position(gpu, state);
        for key in ["program", "fragment"] {
            let Some(Setting { value: Value::Text(name), .. }) = draw.get(key) else { continue };
            let own = uses.entry(name).or_default();
            *(if key == "program" { &mut own.of_vertices } else { &mut own.of_fragments }) = true;
            if !own.positions.contains(&position) {
                own.positions.push(position);
            }
        }
    }
    uses
}

impl Reading<'_, '_> {
    /// The section `[program]`, for the scene's draws.
    pub(crate) fn programs(
        &mut self,
        gpu: &'static dyn ShaderUnit,
        section: Option<&Table>,
        draws: &[Setting],
    ) -> Named<Variants> {
        let (uses, unused) = (uses(gpu, draws), Use::default());
        self.named(section, |reading, name, table| {
            let own = uses.get(name).unwrap_or(&unused);
            reading.program(gpu, name, table, own.positions(), own.stage())
        })
    }

    fn program(
        &mut self,
        gpu: &'static dyn ShaderUnit,
        name: &str,
        table: &Table,
        positions: &[Option<PositionSpace>],
        stage: Stage,
    ) -> Option<Variants> {
        let mut fields = Fields::new(table, self.file, &mut self.problems);
        let (file, inline) = (fields.text("file"), fields.text("source"));
        let (span, source_setting) = (fields.span("file"), fields.setting("source"));
        let dialects: Vec<_> =
            gpu.about().text_options.dialects.iter().map(|own| (own.name, own.name)).collect();
        let dialect = if dialects.is_empty() { None } else { fields.choice("dialect", &dialects) };
        let entry = fields.text("entry");
        let host_constants = fields.bool("host_constants").unwrap_or(false);
        fields.finish();
        let (stage, defines) = (Some(stage), self.loader.texts.defines);
        let options =
            TextOptions { dialect, defines, entry, stage, host_constants, ..TextOptions::default() };
        let (id, folder, inline) = match (file, inline, source_setting) {
            (Some(name), None, _) => {
                let bytes = self.read(name, span)?;
                let budget = &self.loader.budget;
                // The text is kept, so that messages can show its lines.
                let kept = budget.spend(Resource::Memory, bytes.len() as u64);
                let room = kept.and_then(|()| budget.ask_text(bytes.len()));
                self.keep(room.map_err(|refusal| refusal.at(span)))?;
                let path = self.folder.join(name);
                if let Some(compiled) = self.compiled(gpu, &path, &bytes, &options) {
                    return self.used(compiled).map(|program| {
                        Variants(positions.iter().map(|position| (*position, program.clone())).collect())
                    });
                }
                let syntax = gpu.syntax(&String::from_utf8_lossy(&bytes), &options);
                let text = source(self.loader.sources, &path.to_string_lossy(), &bytes, syntax);
                let id = self.keep(text.map_err(|problem| problem.label(span, "this file")))?;
                (id, path.parent().unwrap_or(Path::new("")).to_owned(), None)
            }
            (None, Some(text), Some(setting)) => {
                let name = format!("{}: program.{name}", self.file.name());
                // If the text is there letter by letter, its places are places of the scene file.
                let start = toml::verbatim(self.file, setting);
                (self.loader.sources.add(&name, text), self.folder.to_owned(), start)
            }
            _ => {
                let problem =
                    Diagnostic::error(&NO_PROGRAM, "a program is made of one of `file` and `source`");
                self.problems.push(problem.label(table.span, ""));
                return None;
            }
        };
        let mut variants = Vec::new();
        let mut reported = Vec::new();
        for position in positions {
            let options = TextOptions { position: *position, ..options };
            let mut assembled = self.assemble(gpu, id, &folder, &options);
            if let Some(start) = inline {
                self.move_to_scene(&mut assembled, id, start);
            }
            let ok = assembled.ok();
            let Assembled { program, mut diagnostics } = assembled;
            if ok {
                diagnostics.extend(gpu.check(&program));
                variants.push((*position, Arc::new(program)));
            }
            // What is wrong with the text is so for all of its draws.
            diagnostics.retain(|problem| !reported.contains(problem));
            reported.extend(diagnostics);
        }
        self.problems.extend(reported);
        (variants.len() == positions.len()).then_some(Variants(variants))
    }

    /// The program of a source in a shading language, if the file's name says that it is one.
    fn compiled(
        &mut self,
        gpu: &'static dyn ShaderUnit,
        path: &Path,
        bytes: &[u8],
        options: &TextOptions,
    ) -> Option<Assembled> {
        let compiler = self.loader.texts.compiler?;
        let folder = path.parent().unwrap_or(Path::new("")).to_owned();
        let include = including(self.loader.read, self.loader.texts.folders, &folder);
        let options = TextOptions { include: Some(&include), ..*options };
        compiler(gpu, self.loader.sources, &path.to_string_lossy(), bytes, &options)
    }

    /// A program that draws can use, once what is wrong with it is reported.
    fn used(&mut self, read: Assembled) -> Option<Arc<Program>> {
        let ok = read.ok();
        let Assembled { program, diagnostics } = read;
        self.problems.extend(diagnostics);
        ok.then(|| Arc::new(program))
    }

    /// Assembles a text; files that it includes are looked for in `folder`, then in those of the caller.
    fn assemble(
        &mut self,
        gpu: &'static dyn ShaderUnit,
        id: FileId,
        folder: &Path,
        options: &TextOptions,
    ) -> Assembled {
        let include = including(self.loader.read, self.loader.texts.folders, folder);
        gpu.assemble_in(self.loader.sources, id, &TextOptions { include: Some(&include), ..*options })
    }

    /// Moves the places of a program that stands in the scene file, from `start` on.
    fn move_to_scene(&self, assembled: &mut Assembled, id: FileId, start: u32) {
        let place = |span: &mut Span| {
            if span.file == id {
                *span = Span { file: self.file.id(), start: span.start + start, end: span.end + start }
            }
        };
        for diagnostic in &mut assembled.diagnostics {
            diagnostic.labels.iter_mut().for_each(|label| place(&mut label.span));
            diagnostic.fixes.iter_mut().flat_map(|fix| &mut fix.edits).for_each(|edit| place(&mut edit.span));
        }
        place(&mut assembled.program.span);
        assembled.program.slots.iter_mut().for_each(|slot| place(&mut slot.span));
        assembled.program.constants.iter_mut().for_each(|constant| place(&mut constant.span));
        if let Some(Interface { inputs, uniforms, outputs, .. }) = &mut assembled.program.interface {
            inputs.iter_mut().chain(uniforms).chain(outputs).for_each(|port| place(&mut port.span));
        }
    }
}

/// Reads files that a text names: in its own folder, then in others.
fn including<'a>(
    read: &'a dyn Fn(&Path) -> io::Result<Vec<u8>>,
    folders: &'a [PathBuf],
    own: &'a Path,
) -> impl Fn(&str) -> Result<Vec<u8>, String> + 'a {
    move |name: &str| {
        let all = std::iter::once(own).chain(folders.iter().map(PathBuf::as_path));
        let mut tried = all.map(|folder| read(&folder.join(name)));
        // Of several reasons the first one tells of the program's own folder.
        let first = tried.next().unwrap_or_else(|| Err(io::ErrorKind::NotFound.into()));
        first.or_else(|error| tried.find_map(Result::ok).ok_or(error)).map_err(|error| error.to_string())
    }
}
