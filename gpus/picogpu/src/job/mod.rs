//! A job: programs, vertices and pins as raw words, in the JSON of the recorded scenes (docs/index.md of this crate has its keys).
//!
//! ```
//! use gpuzoo_diag::File;
//! use gpuzoo_picogpu::{Job, Part};
//!
//! let text = r##"{
//!   "width": 4, "height": 2, "clear_color": "ff000000",
//!   "draws": [{
//!     "vs": "#vertexShader #input r0.xyzw #output r0.xyzw  trap",
//!     "fs": "#fragmentShader #input r0.xyzw #output r1.xyzw  finit r1 1.0 0.5 0.0 1.0",
//!     "vertex_count": 3,
//!     "vertex_data": ["00000000", "00000000", "3f800000", "3f800000",
//!                     "40000000", "00000000", "3f800000", "3f800000",
//!                     "00000000", "3f800000", "3f800000", "3f800000"]
//!   }]
//! }"##;
//! let (job, problems) = Job::parse(&File::new("job.json", text));
//! assert!(problems.is_empty(), "{problems:?}");
//! let done = job.unwrap().run(None).unwrap();
//! // (0,0), (1,0) and (2,0); (0,1): all edges belong to the triangle.
//! assert_eq!(done.draws[0].triangles[0].fragments, 4);
//! assert_eq!(done.picture[0..5], [0xff00_7fff, 0xff00_7fff, 0xff00_7fff, 0xff00_0000, 0xff00_7fff]);
//! // Four fragments of one batch; the fill of 8 dwords is billed, too.
//! assert_eq!(done.breakdown.of(Part::Gather), 1 + 4 + 2);
//! ```

pub mod keys;
pub mod runs;
pub mod written;

use crate::device::{Device, DeviceError, Options};
use crate::draw::Drawn;
use crate::meaning::descriptors;
use crate::meaning::stored::dwords;
use crate::memory::{Faults, MAX_DWORDS_WITHOUT_LIMIT};
use crate::pins::{MAX_SIDE, Pins};
use crate::problems::{does_not_fit, odd_triangles, stopped, too_many_vertices};
use crate::profile::DOCUMENT;
use crate::regs::MAX_PORTS;
use crate::rules::{BAD_WORD, INTERFACE_MISMATCH, NOTHING_DRAWN, WRONG_COUNT};
use crate::timeline::Timeline;
use crate::timing::Breakdown;
use crate::vcd::{VcdOptions, write_vcd};
use crate::{ABOUT, assemble, check, check_pair, load, program_dwords};
use gpuzoo_diag::{Diagnostic, File, has_errors, noted};
use gpuzoo_ir::Vec4;
use gpuzoo_isa::{Interface, Profile, Program, Stage};
use gpuzoo_machine::json;
use gpuzoo_machine::limits::budget::{Budget, Refusal, Resource};
use gpuzoo_machine::limits::memory;
use gpuzoo_machine::options::keys::{Choice, Flag};
use gpuzoo_machine::options::settings::{Reader, Setting, Table, Value, wrong_type};
use gpuzoo_machine::unit::cache::Cache;
use gpuzoo_machine::unit::job::{JobDone, JobOptions};
use gpuzoo_raster::{Fill, Notes, Target};
use std::ops::Range;

/// A draw of a job.
#[derive(Clone, Debug)]
pub struct JobDraw {
    /// The vertex program's store command and code.
    pub vertex: Vec<u32>,
    /// The fragment program's store command and code.
    pub fragment: Vec<u32>,
    /// Vertices.
    pub vertex_count: u32,
    /// All components of all vertices, tightly packed.
    pub vertices: Vec<u32>,
    /// Words of the vertex program's uniforms.
    pub vertex_uniforms: [Vec4; MAX_PORTS],
    /// Words of the fragment program's uniforms.
    pub fragment_uniforms: [Vec4; MAX_PORTS],
    pub(crate) descriptors: [u8; 4],
}

impl JobDraw {
    /// What goes on the pins `GLOBAL.vsCustomInputComponents`, `GLOBAL.vsPsCustomComponents`, `VS.uniforms` and
    /// `FS.uniforms`.
    pub fn descriptors(&self) -> [u8; 4] {
        self.descriptors
    }

    /// Dwords of its programs and vertices.
    pub(crate) fn dwords(&self) -> usize {
        self.vertex.len() + self.fragment.len() + self.vertices.len()
    }

    /// Its pins, but for those of the picture, if its vertex program, fragment program and vertices are at these addresses.
    pub(crate) fn pins(&self, [vertex_shader, fragment_shader, vertices_address]: [u32; 3]) -> Pins {
        let [vertex_inputs, attributes, vertex_uniforms, fragment_uniforms] = self.descriptors;
        Pins {
            vertex_inputs,
            attributes,
            vertices_address,
            vertices_count: self.vertex_count,
            vertex_shader,
            fragment_shader,
            vertex_uniforms,
            fragment_uniforms,
            vertex_uniforms_data: self.vertex_uniforms,
            fragment_uniforms_data: self.fragment_uniforms,
            ..Pins::default()
        }
    }
}

/// What goes on the pins that describe programs: see [`JobDraw::descriptors`].
pub(crate) fn pin_descriptors(vertex: &Interface, fragment: &Interface) -> [u8; 4] {
    let ([inputs, passed, own], [_, _, other]) = (descriptors(vertex), descriptors(fragment));
    [inputs, passed, own, other]
}

/// A job, ready to run.
#[derive(Clone, Debug)]
pub struct Job {
    /// What it calls itself.
    pub title: String,
    /// Pixels in a row.
    pub width: u32,
    /// Rows.
    pub height: u32,
    /// What the picture is filled with: red in the lowest byte.
    pub clear_color: u32,
    /// What the depth buffer is filled with, if there is one.
    pub clear_depth: Option<u32>,
    /// The draws.
    pub draws: Vec<JobDraw>,
    /// Which source is followed where document and reference differ.
    pub profile: Profile,
    /// Which pixels on an edge belong to a triangle.
    pub fill: Fill,
    /// Lifts the limits of memory and vertices.
    pub no_limits: bool,
    /// What its runs compile, and others have compiled.
    cache: Cache,
    /// What its runs may use.
    budget: Budget,
}

/// What a job gave.
#[derive(Clone, Debug)]
pub struct Done {
    /// A word per pixel, rows from the first: red in the lowest byte.
    pub picture: Vec<u32>,
    /// Depths, if there are any.
    pub depths: Option<Vec<u32>>,
    /// What each draw did.
    pub draws: Vec<Drawn>,
    /// Of each draw the places in [`Notes::touches`] of the fragments at the pixel that the notes watch, if there is one.
    pub touches: Vec<Range<usize>>,
    /// Cycles of everything: fills, blits of programs and vertices, draws.
    pub cycles: u64,
    /// Where they went.
    pub breakdown: Breakdown,
    /// Accesses beyond the memory.
    pub faults: Faults,
    /// What the blocks did, if it was recorded.
    pub timeline: Option<Timeline>,
}

/// What to record while a job runs.
#[derive(Debug, Default)]
pub struct Recording<'a> {
    /// Notes which triangle, batch and lane pixels come from.
    pub notes: Option<&'a mut Notes>,
    /// True to record what the blocks do.
    pub timeline: bool,
}

impl Job {
    /// Reads a job. Without errors there is one; there may be warnings as well.
    ///
    /// Keys are `title`, `width`, `height`, `depth`, `clear_color`, `clear_depth`, `profile`, `fill` (`inclusive` or
    /// `top-left`), `no_limits` and `draws`; those of a draw `vs` and `fs` (texts) or `vs_dwords` and `fs_dwords`,
    /// which count if both are there, `vertex_count`, `vertex_data`, `vs_uniforms` and `fs_uniforms`. What recorded
    /// scenes say of their results is passed over.
    pub fn parse(file: &File) -> (Option<Job>, Vec<Diagnostic>) {
        Job::read(file, &JobOptions::default())
    }

    /// As [`parse`](Job::parse), where the options' profile and limits count more than the job's own.
    pub(crate) fn read(file: &File, options: &JobOptions) -> (Option<Job>, Vec<Diagnostic>) {
        let mut problems = Vec::new();
        let job = json::parse(file).and_then(|setting| match setting {
            Setting { value: Value::Table(table), .. } => Ok(job(&table, options, &mut problems)),
            other => Err(wrong_type("the job", "an object in braces", &other)),
        });
        let job = noted(job, &mut problems).flatten();
        (job.filter(|_| !has_errors(&problems)), problems)
    }

    /// With the programs that others have compiled.
    pub(crate) fn sharing(self, cache: &Cache) -> Job {
        Job { cache: cache.clone(), ..self }
    }

    fn pixels(&self) -> usize {
        self.width as usize * self.height as usize
    }

    /// Dwords that its largest draw needs.
    pub fn memory_dwords(&self) -> usize {
        let planes = if self.clear_depth.is_some() { 2 } else { 1 };
        planes * self.pixels() + self.draws.iter().map(JobDraw::dwords).max().unwrap_or(0)
    }

    /// Runs it: fills picture and depths, and for each draw copies programs and vertices to the memory, sets the pins
    /// and draws.
    ///
    /// # Errors
    /// What the machine cannot do.
    pub fn run(&self, recording: Option<Recording>) -> Result<Done, DeviceError> {
        let mut recording = recording.unwrap_or_default();
        let dwords = self.memory_dwords().min(MAX_DWORDS_WITHOUT_LIMIT);
        let Job { profile, fill, no_limits, .. } = *self;
        // The picture is there twice, in the machine's memory and as it is shown.
        self.budget.ask(Resource::Memory, 2 * 8 * self.pixels() as u64)?;
        self.budget.spend(Resource::Pixels, self.pixels() as u64)?;
        let options = Options { profile, fill, no_limits, memory: dwords, budget: self.budget.clone() };
        let mut device = Device::sharing(&options, self.cache.clone())?;
        if recording.timeline {
            device.record();
        }
        let mut end = 0;
        let mut place = |count: usize| {
            let start = end;
            end += count;
            start as u32 * 4
        };
        let framebuffer = place(self.pixels());
        device.fill(framebuffer, self.pixels(), self.clear_color)?;
        let mut depth_buffer = 0;
        if let Some(depth) = self.clear_depth {
            depth_buffer = place(self.pixels());
            device.fill(depth_buffer, self.pixels(), depth)?;
        }
        let free = end;
        let (mut draws, mut touches) = (Vec::new(), Vec::new());
        let mut touched = recording.notes.as_ref().map_or(0, |notes| notes.touches.len());
        for draw in &self.draws {
            self.budget.spend(Resource::Draws, 1)?;
            self.budget.spend(Resource::Vertices, draw.vertex_count.into())?;
            self.budget.spend(Resource::Primitives, u64::from(draw.vertex_count / 3))?;
            end = free;
            let mut place = |dwords: &[u32]| {
                let address = end as u32 * 4;
                end += dwords.len();
                device.write(address, dwords).map(|()| address)
            };
            let addresses = [place(&draw.vertex)?, place(&draw.fragment)?, place(&draw.vertices)?];
            device.pins = Pins {
                width: self.width,
                height: self.height,
                framebuffer,
                depth_enable: self.clear_depth.is_some(),
                depth_buffer,
                ..draw.pins(addresses)
            };
            draws.push(device.draw(recording.notes.as_deref_mut())?);
            let noted = recording.notes.as_ref().map_or(0, |notes| notes.touches.len());
            touches.push(touched..noted);
            touched = noted;
        }
        let count = self.pixels();
        let mut plane =
            |address: u32| memory::collect(count, device.memory.read_all(address as usize / 4, count));
        let picture = plane(framebuffer)?;
        let depths = self.clear_depth.map(|_| plane(depth_buffer)).transpose()?;
        Ok(Done {
            picture,
            depths,
            draws,
            touches,
            cycles: device.cycle(),
            breakdown: device.breakdown(),
            faults: device.memory.faults(),
            timeline: device.timeline().cloned(),
        })
    }
}

/// What a job draws on, with notes or without.
pub(crate) fn target(job: &Job, notes: bool, file: &File) -> Result<Target, Diagnostic> {
    let target = Target::new(job.width, job.height).and_then(|mut target| {
        if notes {
            target.take_notes()?;
        }
        Ok(target)
    });
    // Its sides are checked.
    target.map_err(|error| Refusal::from(error).at(file.whole()))
}

/// Reads a job and runs it, for the command line and the like. Of its programs, those that jobs before it had need not be
/// compiled again.
pub fn run(file: &File, options: &JobOptions, cache: &Cache) -> (Option<JobDone>, Vec<Diagnostic>) {
    let (job, mut problems) = Job::read(file, options);
    let Some(job) = job.map(|job| job.sharing(cache)) else { return (None, problems) };
    let mut target = match target(&job, options.notes, file) {
        Ok(target) => target,
        Err(problem) => {
            problems.push(problem);
            return (None, problems);
        }
    };
    match job.run(Some(Recording { notes: target.notes_mut(), timeline: options.waves || options.timeline }))
    {
        Ok(done) => {
            problems.extend(odd_triangles(&done.draws, file.whole()));
            (Some(finished(&job, done, target, options)), problems)
        }
        Err(error) => {
            problems.push(stopped(&error, file.whole()));
            (None, problems)
        }
    }
}

/// Puts words of the machine's memory into a picture and its depths.
pub fn show(target: &mut Target, picture: &[u32], depths: &[u32]) {
    for (pixel, word) in target.color_mut().pixels_mut().iter_mut().zip(picture) {
        *pixel = word.to_le_bytes();
    }
    for (depth, word) in target.depth_mut().values_mut().iter_mut().zip(depths) {
        *depth = f32::from_bits(*word);
    }
}

fn finished(job: &Job, done: Done, mut target: Target, options: &JobOptions) -> JobDone {
    show(&mut target, &done.picture, done.depths.as_deref().unwrap_or_default());
    let draws = done.draws.iter().zip(&job.draws);
    let waves = done.timeline.as_ref().filter(|_| options.waves).map(|timeline| {
        let mut waves = Vec::new();
        // A vector takes every byte.
        let _ = write_vcd(timeline, &VcdOptions::default(), &mut waves);
        waves
    });
    JobDone {
        target,
        reports: draws.map(|(drawn, draw)| drawn.report(draw.vertex_count.into())).collect(),
        programs: job.draws.iter().map(|draw| [draw.vertex.clone(), draw.fragment.clone()]).collect(),
        cost: done.cycles,
        breakdown: done.breakdown.named(),
        timeline: done.timeline.as_ref().filter(|_| options.timeline).map(|own| own.shown(done.cycles)),
        waves,
    }
}

/// Whether a JSON text is an object with keys that jobs have and other files hardly do: one of its own, or the size.
pub fn is_job(file: &File) -> bool {
    const OWN: [&[&str]; 4] = [&["draws"], &["clear_color"], &["clear_depth"], &["width", "height"]];
    match json::parse(file).map(|setting| setting.value) {
        Ok(Value::Table(table)) => OWN.iter().any(|keys| keys.iter().all(|key| table.get(key).is_some())),
        Ok(_) => false,
        // Its error is to be shown as that of a job.
        Err(_) => OWN.iter().any(|keys| keys.iter().all(|key| file.text().contains(&format!("\"{key}\"")))),
    }
}

/// What recorded scenes say of where they come from and what they gave.
const RESULTS: [&str; 6] =
    ["fragments", "cycles", "image", "depth_image", "extra_cycles_before_draw", "note"];

fn job(table: &Table, options: &JobOptions, problems: &mut Vec<Diagnostic>) -> Option<Job> {
    let mut reader = Reader::new(table, problems);
    for key in RESULTS {
        reader.setting(key);
    }
    let title = reader.text("title").unwrap_or("").to_owned();
    let mut size = |key| {
        reader.require(key, "width and height of the picture in pixels");
        reader.int(key, 1, MAX_SIDE.into()).map(|side| side as u32)
    };
    let (width, height) = (size("width"), size("height"));
    let depth = reader.bool("depth").unwrap_or(false);
    let profiles: Vec<_> = ABOUT.named_profiles().collect();
    let own = reader.choice("profile", &profiles).unwrap_or(DOCUMENT);
    let profile = options.profile.unwrap_or(own);
    let fill = FILL.read(&mut reader);
    let no_limits = NO_LIMITS.read(&mut reader) || options.no_limits;
    for key in ["clear_color", "clear_depth", "draws"] {
        reader.setting(key);
    }
    reader.finish();
    let mut clear = |key, default| {
        let word = table.get(key).and_then(|setting| noted(word(key, setting), problems));
        word.unwrap_or(default)
    };
    let clear_color = clear("clear_color", 0);
    let clear_depth = clear("clear_depth", f32::INFINITY.to_bits());
    let list =
        table.get("draws").and_then(|setting| noted(list("draws", "a list of draws", setting), problems));
    if table.get("draws").is_none() || list.is_some_and(<[Setting]>::is_empty) {
        let place = table.get("draws").map_or(table.span, |draws| draws.span);
        let problem = Diagnostic::warning(&NOTHING_DRAWN, "the job draws nothing").label(place, "");
        problems.push(
            problem.help("`draws` is a list of objects with `vs`, `fs`, `vertex_count` and `vertex_data`"),
        );
    }
    let draws = list.unwrap_or_default();
    if let Err(refusal) = options.budget.spend(Resource::Nodes, draws.len() as u64) {
        problems.push(refusal.at(table.get("draws").map_or(table.span, |draws| draws.span)));
        return None;
    }
    let mut linted = Vec::new();
    let draws =
        draws.iter().filter_map(|setting| draw(setting, profile, no_limits, &mut linted, problems)).collect();
    let job = Job {
        title,
        width: width?,
        height: height?,
        clear_color,
        clear_depth: depth.then_some(clear_depth),
        draws,
        profile,
        fill,
        no_limits,
        cache: Cache::default(),
        budget: options.budget.clone(),
    };
    problems.extend(does_not_fit(job.memory_dwords(), no_limits, table.span));
    Some(job)
}

/// The choices of the setting `fill`.
pub const FILLS: [(&str, Fill); 2] = [("inclusive", Fill::Inclusive), ("top-left", Fill::TopLeft)];

/// `fill`, of jobs and of scenes.
pub static FILL: Choice<Fill> =
    Choice::new("fill", &FILLS, Fill::Inclusive, "whether pixels on the edges of a triangle belong to it");

/// `no_limits`, of jobs and of scenes.
pub static NO_LIMITS: Flag =
    Flag::new("no_limits", false, "whether a draw may have more vertices and more memory than the machine");

fn word(key: &str, setting: &Setting) -> Result<u32, Diagnostic> {
    let Value::Text(text) = &setting.value else {
        return Err(wrong_type(key, "a word of hexadecimal digits in quotes", setting));
    };
    let digits = text.bytes().all(|byte| byte.is_ascii_hexdigit());
    let word = u32::from_str_radix(text, 16).ok().filter(|_| digits && text.len() == 8);
    word.ok_or_else(|| {
        let problem = Diagnostic::error(&BAD_WORD, format!("`{text}` is not a word")).at(setting.span);
        problem.help("a word is eight hexadecimal digits: `3f800000` are the bits of 1.0")
    })
}

fn list<'a>(key: &str, wanted: &str, setting: &'a Setting) -> Result<&'a [Setting], Diagnostic> {
    let Value::List(list) = &setting.value else { return Err(wrong_type(key, wanted, setting)) };
    Ok(list)
}

fn words(key: &str, setting: &Setting) -> Result<Vec<u32>, Diagnostic> {
    list(key, "a list of words", setting)?.iter().map(|item| word(key, item)).collect()
}

/// Reads a draw; `linted` are the programs about which everything has been said.
fn draw(
    setting: &Setting,
    profile: Profile,
    no_limits: bool,
    linted: &mut Vec<Vec<u32>>,
    problems: &mut Vec<Diagnostic>,
) -> Option<JobDraw> {
    let Value::Table(table) = &setting.value else {
        problems.push(wrong_type("draws", "a list of objects", setting));
        return None;
    };
    let mut reader = Reader::new(table, problems);
    for (text, dwords) in [("vs", "vs_dwords"), ("fs", "fs_dwords")] {
        reader.text(text);
        if reader.setting(dwords).is_none() {
            reader.require(text, "the text of the program, or its dwords");
        }
    }
    reader.require("vertex_count", "how many vertices there are");
    let vertex_count = reader.int("vertex_count", 0, u32::MAX.into()).map(|count| count as u32);
    reader.require("vertex_data", "the components of all vertices, as words");
    for key in ["vs_uniforms", "fs_uniforms"] {
        reader.setting(key);
    }
    reader.finish();
    let mut stored = |keys, stage| stored(table, keys, stage, profile, linted, problems);
    let vertex = stored(["vs", "vs_dwords"], Stage::Vertex);
    let fragment = stored(["fs", "fs_dwords"], Stage::Fragment);
    let data = table.get("vertex_data").and_then(|data| {
        let words = noted(words("vertex_data", data), problems)?;
        Some((words, data.span))
    });
    let (vertex, fragment, vertex_count, (vertices, data_span)) = (vertex?, fragment?, vertex_count?, data?);
    let (Some(taken), Some(given)) = (&vertex.interface, &fragment.interface) else { return None };
    // Its places are those of the programs' own texts.
    for problem in check_pair(&vertex, &fragment) {
        problems.push(Diagnostic { labels: Vec::new(), ..problem }.label(setting.span, "in this draw"));
    }
    let components = dwords(&taken.inputs);
    let wanted = u64::from(vertex_count) * components as u64;
    if wanted != vertices.len() as u64 {
        let found = vertices.len();
        let message = format!(
            "{vertex_count} vertices of {components} components are {wanted} words, these are {found}"
        );
        problems.push(Diagnostic::error(&WRONG_COUNT, message).at(data_span));
    }
    problems.extend(too_many_vertices(vertex_count, no_limits, data_span));
    let mut uniforms =
        |key, interface| noted(uniform_words(table, key, interface), problems).unwrap_or_default();
    let (vertex_uniforms, fragment_uniforms) =
        (uniforms("vs_uniforms", taken), uniforms("fs_uniforms", given));
    Some(JobDraw {
        vertex: program_dwords(&vertex),
        fragment: program_dwords(&fragment),
        vertex_count,
        vertices,
        vertex_uniforms,
        fragment_uniforms,
        descriptors: pin_descriptors(taken, given),
    })
}

/// A program from its text or its dwords, which count if both are there.
fn stored(
    table: &Table,
    [text, dwords]: [&str; 2],
    stage: Stage,
    profile: Profile,
    linted: &mut Vec<Vec<u32>>,
    problems: &mut Vec<Diagnostic>,
) -> Option<Program> {
    let (span, assembled) = match (table.get(dwords), table.get(text)) {
        (Some(setting), _) => {
            let words = noted(words(dwords, setting), problems)?;
            let bytes: Vec<u8> = words.iter().flat_map(|word| word.to_le_bytes()).collect();
            (setting.span, load(&bytes, setting.span))
        }
        // The problem of one that is not a text has been reported.
        (None, Some(Setting { value: Value::Text(text), span })) => {
            (*span, assemble(&File::new("program", text), profile))
        }
        _ => return None,
    };
    let ok = assembled.ok();
    let dwords = program_dwords(&assembled.program);
    let is_new = ok && !linted.contains(&dwords);
    let suspicious = if is_new { check(&assembled.program) } else { Vec::new() };
    linted.extend(is_new.then_some(dwords));
    // The text has escapes, so its places are not places of the file.
    problems.extend(assembled.diagnostics.into_iter().chain(suspicious).map(|problem| {
        let labels = Vec::new();
        Diagnostic { labels, fixes: Vec::new(), ..problem }.label(span, "in this program")
    }));
    let interface = assembled.program.interface.as_ref();
    if ok && interface.is_some_and(|interface| interface.stage != stage) {
        let problem = Diagnostic::error(&INTERFACE_MISMATCH, "the program is for the other stage");
        problems.push(problem.at(span));
        return None;
    }
    ok.then_some(assembled.program)
}

/// The words of a program's uniforms.
fn uniform_words(table: &Table, key: &str, interface: &Interface) -> Result<[Vec4; MAX_PORTS], Diagnostic> {
    let setting = table.get(key);
    let lists = setting.map(|setting| list(key, "a list of lists of words", setting)).transpose()?;
    let given = lists.into_iter().flatten().map(|item| words(key, item));
    let given: Vec<Vec<u32>> = given.collect::<Result<_, _>>()?;
    let wanted: Vec<usize> = interface.uniforms.iter().map(|port| port.components as usize).collect();
    let lengths: Vec<usize> = given.iter().map(Vec::len).collect();
    if wanted != lengths {
        let message = format!("the program's uniforms have {wanted:?} components, these have {lengths:?}");
        let span = setting.map_or(table.span, |setting| setting.span);
        return Err(Diagnostic::error(&WRONG_COUNT, message).at(span));
    }
    let mut data = [[0; 4]; MAX_PORTS];
    for (data, words) in data.iter_mut().zip(given) {
        data.iter_mut().zip(words).for_each(|(component, word)| *component = word);
    }
    Ok(data)
}
