//! From a scene file to a [`Scene`].

use crate::camera::Camera;
use crate::constants::Constants;
use crate::fields::Fields;
use crate::given;
use crate::mesh::{self, Mesh};
use crate::programs::Variants;
use crate::reading::{CANNOT_READ, Loader, Named, Reading, cannot_read};
use crate::scene::{DrawCall, Places, Scene, Surface, TARGET_BYTES, Unit};
use crate::size::check_size;
use crate::transform::Transform;
use crate::{input, texture, toml};
use gpuzoo_diag::{Diagnostic, MAX_SOURCE_BYTES, Span, counted, has_errors, noted, suggest};
use gpuzoo_isa::{Program, list};
use gpuzoo_machine::limits::budget::Resource;
use gpuzoo_machine::options::settings::{Setting, Table, Value, choose, wrong_type};
use gpuzoo_machine::unit::cache::Cache;
use gpuzoo_machine::{Profile, ShaderUnit};
use gpuzoo_raster::Texture;
use std::collections::HashMap;
use std::path::Path;
use std::sync::Arc;

/// What draws call the picture itself.
const SCREEN: &str = "screen";

gpuzoo_diag::codes! {
    UNKNOWN_NAME = "R0312", "nothing of this name in the scene",
        "A draw names a program, a mesh, a texture or a target that the scene does not have. They are under headers \
         such as `[mesh.NAME]`.";
    TOO_MANY_TEXTURES = "R0315", "more textures than the machine has units",
        "The first texture of the list is for unit 0. The machine has fewer units than the list has textures.";
    OWN_TARGET = "R0316", "draw that reads what it draws on",
        "A target can be a texture of later draws, not of those that draw on it.";
    NOTHING_DRAWN = "R0318", "scene without draws",
        "The picture shows the clear colour alone. A draw is a table `[[draw]]` with a `program` and a `mesh`.";
    SAME_NAME = "R0319", "name of a target that is taken",
        "Draws name textures and targets alike, so their names must differ; and `target = \"screen\"` is the picture itself.";
    NO_SUCH_VIEW = "R0320", "machine does not have what the view shows",
        "Batches are shown for machines that shade fragments in batches, lanes for those that shade several side by \
         side, mip levels for those that choose one by themselves.";
    NO_SUCH_PIXEL = "R0322", "no such pixel",
        "Columns are counted from 0 at the left, rows from 0 at the top.";
    NO_SAMPLES = "R0326", "no picture of several samples",
        "Several samples for each pixel are drawn as a larger picture. Where a program computes positions in pixels itself, because the \
         machine has no viewport or the draw's state says so, the same scene would fill a part of that picture only.";
    NO_FRAGMENT_PROGRAM = "R0321", "machine without fragment programs",
        "The machine's fragments are shaded by fixed functions, so a draw names a vertex program alone, and has no \
         `fragment_constants`.";
}

/// The most frames of an animation.
pub const MAX_FRAMES: u32 = 100_000;

/// The bytes that an index takes while a mesh is made into its edges: in the list and in the set of those seen.
const SEEN_EDGE_BYTES: u64 = 32;

impl Loader<'_> {
    /// Reads a scene file and every file that it names. Without errors there is a scene; there may be warnings as well.
    pub fn load(&mut self, path: &Path) -> (Option<Scene>, Vec<Diagnostic>) {
        let text = match (self.read)(path)
            .map_err(|error| cannot_read(path, &error))
            .and_then(|bytes| text(path, bytes))
        {
            Ok(text) => text,
            Err(problem) => return (None, vec![problem]),
        };
        let id = self.sources.add(&path.to_string_lossy(), &text);
        // A copy, because more sources are added while it is read.
        let file = self.sources.get(id).clone();
        if let Err(refusal) = self.budget.ask_text(text.len()) {
            return (None, vec![refusal.at(file.whole())]);
        }
        let (table, problems) = toml::parse(&file);
        // What is missing in a broken file says nothing.
        if has_errors(&problems) {
            return (None, problems);
        }
        let folder = path.parent().unwrap_or(Path::new(""));
        let mut reading = Reading { loader: self, file: &file, folder, problems };
        let scene = reading.scene(&table);
        let mut problems = reading.problems;
        if let Some(scene) = &scene {
            scene.check_state(&mut problems);
        }
        (scene.filter(|_| !has_errors(&problems)), problems)
    }
}

fn text(path: &Path, bytes: Vec<u8>) -> Result<String, Diagnostic> {
    let wrong = |what: &str| Diagnostic::error(&CANNOT_READ, format!("`{}` {what}", path.display()));
    if bytes.len() > MAX_SOURCE_BYTES {
        return Err(wrong(&format!("has more than {MAX_SOURCE_BYTES} bytes")));
    }
    String::from_utf8(bytes).map_err(|error| {
        wrong(&format!("is not a UTF-8 text: see byte {}", error.utf8_error().valid_up_to()))
            .help("a scene is a text; a program in bytes needs `--gpu`, and the image of a machine's ROM is given with `--rom`")
    })
}

/// What draws name.
struct Parts {
    gpu: &'static dyn ShaderUnit,
    programs: Named<Variants>,
    meshes: Named<Arc<Mesh>>,
    textures: Named<Arc<Texture>>,
    surfaces: Vec<Surface>,
    /// Numbers of surfaces.
    targets: HashMap<String, usize>,
    camera: Camera,
    /// Frames of the animation.
    frames: u32,
}

impl Reading<'_, '_> {
    fn scene(&mut self, table: &Table) -> Option<Scene> {
        let file = self.file;
        let mut fields = Fields::new(table, file, &mut self.problems);
        fields.require("gpu", "say for which machine the scene is: `gpu = \"…\"`");
        let gpu_span = fields.span("gpu");
        let gpu = fields.text("gpu");
        let size = fields.size("size");
        let size_span = fields.span("size");
        let clear = fields.table("clear");
        let profile_span = fields.span("profile");
        let profile = fields.text("profile");
        let [programs, meshes, textures, targets] =
            ["program", "mesh", "texture", "target"].map(|key| fields.table(key));
        let camera = fields.table("camera");
        let animation = fields.table("animation");
        let draws = fields.list("draw").unwrap_or_default();
        fields.finish();

        let known: Vec<_> = self.loader.gpus.iter().map(|gpu| (gpu.about().id, *gpu)).collect();
        let gpu = self.keep(choose("gpu", gpu?, gpu_span, &known))?;
        let about = gpu.about();
        let profiles: Vec<_> = about.named_profiles().collect();
        let profile = match profile {
            Some(profile) => self.keep(choose("profile", profile, profile_span, &profiles)),
            None => Some(Profile::default()),
        };
        let (frames, fps) = self.animation(animation);
        let camera =
            camera.map(|table| Camera::read(table, file, frames, &mut self.problems)).unwrap_or_default();
        let screen = self.surface(size.unwrap_or(about.screen), size_span, clear);
        if let Some(kept) = &mut self.loader.kept {
            kept.begin();
        }
        let mut parts = Parts {
            gpu,
            programs: self.programs(gpu, programs, draws),
            meshes: self.meshes(gpu, meshes),
            textures: self.textures(gpu, textures),
            surfaces: vec![screen],
            targets: HashMap::new(),
            camera,
            frames,
        };
        if let Some(kept) = &mut self.loader.kept {
            kept.end();
        }
        self.targets(&mut parts, targets);
        let drawn = self.spend(Resource::Nodes, draws.len() as u64, table.span);
        let draws = drawn.map_or(&[][..], |()| draws);
        let draws: Vec<_> = draws.iter().filter_map(|draw| self.draw(&parts, draw)).collect();
        if draws.is_empty() && !has_errors(&self.problems) {
            let problem = Diagnostic::warning(&NOTHING_DRAWN, "the scene draws nothing");
            self.problems.push(problem.label(file.span(0..0), "").help("add a `[[draw]]`"));
        }
        let surfaces = parts.surfaces;
        let (cache, budget) = (Cache::default(), self.loader.budget.clone());
        let scene =
            Scene { gpu, profile: profile?, frames, fps, surfaces, draws, cache, budget, turn: [0.0; 2] };
        if !has_errors(&self.problems) {
            given::check(&scene, &mut self.problems);
        }
        (!has_errors(&self.problems)).then_some(scene)
    }

    /// Frames, and frames a second.
    fn animation(&mut self, table: Option<&Table>) -> (u32, u32) {
        let Some(table) = table else { return (1, 30) };
        let mut fields = Fields::new(table, self.file, &mut self.problems);
        fields.require("frames", "how many pictures the animation has");
        let (frames, fps) = (fields.count("frames", MAX_FRAMES), fields.count("fps", 1000));
        fields.finish();
        (frames.unwrap_or(1), fps.unwrap_or(30))
    }

    /// A surface of a size that is possible; a mistake gives one of 1 × 1.
    fn surface(&mut self, size: (u32, u32), span: Span, clear: Option<&Table>) -> Surface {
        let mut surface = Surface { size: (1, 1), span, color: [0.0, 0.0, 0.0, 1.0], depth: 1.0 };
        let possible = self.keep(check_size(size).map_err(|problem| problem.label(span, "")));
        let bytes = (u64::from(size.0) * u64::from(size.1)).saturating_mul(TARGET_BYTES);
        if possible.and_then(|()| self.spend(Resource::Memory, bytes, span)).is_some() {
            surface.size = size;
        }
        if let Some(table) = clear {
            let mut fields = Fields::new(table, self.file, &mut self.problems);
            surface.color = fields.color("color").unwrap_or(surface.color);
            surface.depth = fields.float("depth").map_or(surface.depth, |depth| depth as f32);
            fields.finish();
        }
        surface
    }

    fn meshes(&mut self, gpu: &'static dyn ShaderUnit, section: Option<&Table>) -> Named<Arc<Mesh>> {
        self.named(section, |reading, _, table| {
            reading.made(gpu, table, |reading, read| {
                let mut context = mesh::read::Context {
                    file: reading.file,
                    folder: reading.folder,
                    read,
                    sources: reading.loader.sources,
                    budget: &reading.loader.budget,
                    cannot_read: &|path, error, span| cannot_read(path, error).label(span, ""),
                };
                mesh::read::read(table, &mut context, &mut reading.problems)
            })
        })
    }

    fn textures(&mut self, gpu: &'static dyn ShaderUnit, section: Option<&Table>) -> Named<Arc<Texture>> {
        self.named(section, |reading, _, table| {
            reading.made(gpu, table, |reading, read| {
                let folder = reading.folder;
                let mut read_file = |name: &str, span: Span, problems: &mut Vec<Diagnostic>| {
                    let path = folder.join(name);
                    let bytes = read(&path).map_err(|error| cannot_read(&path, &error).label(span, ""));
                    noted(bytes, problems)
                };
                let budget = &reading.loader.budget;
                let context = texture::Context { about: gpu.about(), file: reading.file, budget };
                texture::read(&context, table, &mut read_file, &mut reading.problems)
            })
        })
    }

    fn targets(&mut self, parts: &mut Parts, section: Option<&Table>) {
        let (count, span) =
            section.map_or((0, self.file.whole()), |section| (section.entries.len(), section.span));
        if self.spend(Resource::Nodes, count as u64, span).is_none() {
            return;
        }
        for (name, name_span, setting) in section.iter().flat_map(|section| &section.entries) {
            let Value::Table(table) = &setting.value else {
                self.problems.push(wrong_type(name, "a table", setting));
                continue;
            };
            if parts.textures.contains_key(name) {
                let problem = Diagnostic::error(&SAME_NAME, format!("there is a texture `{name}` already"));
                self.problems.push(problem.label(*name_span, ""));
            }
            if name == SCREEN {
                let problem = Diagnostic::error(&SAME_NAME, format!("`{SCREEN}` is the picture itself"));
                self.problems.push(problem.label(*name_span, "").help("give the target another name"));
            }
            let mut fields = Fields::new(table, self.file, &mut self.problems);
            fields.require("size", "width and height in pixels");
            let (size, span, clear) = (fields.size("size"), fields.span("size"), fields.table("clear"));
            fields.finish();
            let surface = self.surface(size.unwrap_or((1, 1)), span, clear);
            parts.targets.insert(name.clone(), parts.surfaces.len());
            parts.surfaces.push(surface);
        }
    }

    fn draw(&mut self, parts: &Parts, setting: &Setting) -> Option<DrawCall> {
        let Value::Table(table) = &setting.value else {
            self.problems.push(wrong_type("draw", "a table under `[[draw]]`", setting));
            return None;
        };
        let file = self.file;
        let mut fields = Fields::new(table, file, &mut self.problems);
        for (key, why) in [
            ("program", "the name of a `[program.NAME]`"),
            ("mesh", "the name of a `[mesh.NAME]`"),
            ("input", "say which attribute goes to which input: `input = { in0 = \"position\" }`"),
        ] {
            fields.require(key, why);
        }
        let has_fragments = parts.gpu.fragment_programs().is_some();
        if has_fragments && fields.setting("fragment_constants").is_some() {
            fields.require("fragment", "`fragment_constants` are those of a fragment program");
        }
        let (program, program_span) = (fields.text("program"), fields.span("program"));
        let (fragment, fragment_span) = (fields.text("fragment"), fields.span("fragment"));
        let (mesh, mesh_span) = (fields.text("mesh"), fields.span("mesh"));
        let (target, target_span) = (fields.text("target"), fields.span("target"));
        let [inputs, constants, fragment_constants, state] =
            ["input", "constants", "fragment_constants", "state"].map(|key| fields.table(key));
        let (textures, textures_span) =
            (fields.list("textures").unwrap_or_default(), fields.span("textures"));
        let (model, camera) = (fields.list("model").unwrap_or_default(), fields.table("camera"));
        let wireframe = fields.bool("wireframe").unwrap_or(false);
        fields.finish();
        let places = Places {
            draw: table.span,
            input: inputs.map_or(table.span, |inputs| inputs.span),
            constants: constants.map(|constants| constants.span),
            textures: (!textures.is_empty()).then_some(textures_span),
            units: textures.iter().map(|name| name.span).collect(),
            inputs: Vec::new(),
        };

        let program = program.and_then(|name| self.find(name, program_span, "program", &parts.programs));
        let for_this = |found: Option<Variants>| found?.of(parts.gpu, state);
        let program = program.and_then(for_this);
        if !has_fragments {
            let named = fragment.map(|_| fragment_span);
            for span in named.into_iter().chain(fragment_constants.map(|constants| constants.span)) {
                let message = format!("{} has no fragment programs", parts.gpu.about().name);
                self.problems.push(Diagnostic::error(&NO_FRAGMENT_PROGRAM, message).label(span, ""));
            }
        }
        let fragment = match fragment.filter(|_| has_fragments) {
            Some(name) => self.find(name, fragment_span, "program", &parts.programs).and_then(for_this),
            None => None,
        };
        let mesh = mesh.and_then(|name| self.find(name, mesh_span, "mesh", &parts.meshes)).flatten();
        let surface = match target {
            None | Some(SCREEN) => Some(0),
            Some(name) => self.find(name, target_span, "target", &parts.targets),
        };
        let units = self.units(parts, textures, textures_span, surface);
        let isa = parts.gpu.isa();
        // What constants are called is not known of a program that could not be read.
        let mut read = |program: &Option<Arc<Program>>, table: Option<&Table>| {
            Some(Constants::read(isa, program.as_deref()?, table?, file, &mut self.problems))
        };
        let constants = read(&program, constants).unwrap_or_else(|| Constants::none(isa));
        let fragment_constants = read(&fragment, fragment_constants);
        let camera = camera.map(|table| Camera::read(table, file, parts.frames, &mut self.problems));
        let model = Transform::read_steps(file, model, &mut self.problems);
        let mesh = mesh?;
        let budget = &self.loader.budget;
        // The buffer, the order of use, and of edges those that were seen.
        let seen = if wireframe { mesh.indices().len() as u64 * SEEN_EDGE_BYTES } else { 0 };
        let room = budget.ask(Resource::Memory, seen).map_err(|refusal| refusal.at(mesh_span));
        self.keep(room)?;
        let edges = wireframe.then(|| mesh.edges()).transpose();
        let edges =
            edges.map_err(|error| Diagnostic::error(error.code(), error.to_string()).label(mesh_span, ""));
        let mesh = self.keep(edges)?.map_or(mesh, Arc::new);
        let budget = self.loader.budget.clone();
        let vertices = input::read(parts.gpu, inputs?, &mesh, file, &budget, &mut self.problems)?;
        Some(DrawCall {
            program: program?,
            fragment,
            vertices: vertices.welded.buffer,
            indices: vertices.welded.indices,
            layout: vertices.layout,
            topology: mesh.topology(),
            state: state.cloned().unwrap_or_else(|| Table { span: table.span, entries: Vec::new() }),
            constants,
            fragment_constants,
            camera: camera.unwrap_or_else(|| parts.camera.clone()),
            model,
            units,
            surface: surface?,
            places: Places { inputs: vertices.places, ..places },
        })
    }

    /// What a name refers to; an error if nothing has it.
    fn find<T: Clone>(
        &mut self,
        name: &str,
        span: Span,
        kind: &str,
        named: &HashMap<String, T>,
    ) -> Option<T> {
        if let Some(found) = named.get(name) {
            return Some(found.clone());
        }
        unknown(name, span, kind, named.keys(), &mut self.problems);
        None
    }

    /// The textures of a draw, by unit; the name `none` leaves a unit empty.
    fn units(&mut self, parts: &Parts, names: &[Setting], span: Span, surface: Option<usize>) -> Vec<Unit> {
        let about = parts.gpu.about();
        if names.len() > about.texture_units {
            let message = format!(
                "{} has {}, not {}",
                about.name,
                counted(about.texture_units, "texture unit"),
                names.len()
            );
            self.problems.push(Diagnostic::error(&TOO_MANY_TEXTURES, message).label(span, ""));
        }
        let mut units = Vec::new();
        // Those that no unit takes are reported as a whole.
        for setting in names.iter().take(about.texture_units) {
            let Value::Text(name) = &setting.value else {
                self.problems.push(wrong_type("textures", "a list of names", setting));
                continue;
            };
            units.push(if name == "none" {
                Unit::Nothing
            } else if let Some(texture) = parts.textures.get(name) {
                texture.clone().map_or(Unit::Nothing, Unit::Texture)
            } else if let Some(&target) = parts.targets.get(name) {
                if Some(target) == surface {
                    let message = format!("this draws on `{name}` and reads it");
                    self.problems.push(Diagnostic::error(&OWN_TARGET, message).label(setting.span, ""));
                }
                let surface = &parts.surfaces[target];
                texture::check_target(about, surface.size, setting.span, &mut self.problems);
                // What was drawn there is copied for the draw.
                let copied = self.loader.budget.ask(Resource::Memory, surface.pixels() * 4);
                self.keep(copied.map_err(|refusal| refusal.at(setting.span)));
                Unit::Surface(target)
            } else {
                let names = parts.textures.keys().chain(parts.targets.keys());
                unknown(name, setting.span, "texture or target", names, &mut self.problems);
                Unit::Nothing
            });
        }
        units
    }
}

fn unknown<'n>(
    name: &str,
    span: Span,
    kind: &str,
    known: impl Iterator<Item = &'n String>,
    problems: &mut Vec<Diagnostic>,
) {
    let problem = Diagnostic::error(&UNKNOWN_NAME, format!("there is no {kind} `{name}`")).label(span, "");
    if problems.len() >= suggest::MAX_SEARCHES {
        return problems.push(problem);
    }
    // In the order of the alphabet, so that messages do not change from run to run.
    let mut known: Vec<&str> = known.map(String::as_str).collect();
    known.sort_unstable();
    problems.push(match suggest::nearest(name, known.iter().copied()) {
        Some(near) => problem.did_you_mean(near, span, format!("\"{near}\"")),
        None if known.is_empty() => problem.help(format!("the scene has no {kind}")),
        None => problem.help(format!("the scene has {}", list(known.into_iter()))),
    });
}
