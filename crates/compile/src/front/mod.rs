//! Sources in shading languages: read by naga, checked, and walked.

pub(crate) mod catch_panic;
pub mod cg;
pub(crate) mod glsl;
mod nesting;
mod source_map;
mod spirv;
mod validation;

use crate::front::catch_panic::unbroken;
use crate::front::glsl::preprocessed::Expanded;
use crate::front::glsl::{
    Adapted, array_dimensions, diagnostics, global_initializers, member_offsets, side_effects,
};
use crate::front::source_map::Moved;
use crate::front::spirv::{branches, limits};
use crate::front::validation::invalid;
use crate::shader::Shader;
use crate::walk::codes::PORT;
use crate::walk::{Selection, Spans, walk};
use gpuzoo_diag::{Code, Diagnostic, File, FileId, Sources, Span};
use gpuzoo_isa::Stage;
use gpuzoo_machine::Include;
use naga::front::{glsl as naga_glsl, spv, wgsl};
use naga::valid::{Capabilities, ValidationFlags, Validator};
use naga::{Binding, Module, ShaderStage, TypeInner};

/// Every code of this module: K0001 to K0099.
pub static CODES: &[&Code] =
    &[&SYNTAX, &GLSL_STAGE, &GLSL_VERSION, &CG_STAGE, &BRANCHES, &EFFECTS, &DIMENSIONS];

/// The source does not follow its language.
pub static SYNTAX: Code = Code::new(
    "K0001",
    "the source does not follow its language",
    "WGSL, GLSL and SPIR-V are read by naga, whose message this is.",
);

/// GLSL does not say what a text is for.
pub static GLSL_STAGE: Code = Code::new(
    "K0002",
    "the stage is not known",
    "A GLSL text does not say whether it is for vertices or for fragments: its name does, `.vert` and `.frag`, or `--stage`.",
);

/// A version of GLSL that is not read.
pub static GLSL_VERSION: Code = Code::new(
    "K0003",
    "version of GLSL that is not read",
    "GLSL is read as versions 440, 450 and 460 have it. Texts of other versions, and those in HLSL and Slang, can be compiled to SPIR-V by their own \
     compilers (`glslangValidator -V -R --aml --amb shader.vert -o shader.spv`), and that is read.",
);

/// Cg has fragment programs, which are not read.
pub static CG_STAGE: Code = Code::new(
    "K0004",
    "Cg for fragments",
    "Of Cg the profile for vertex programs is read, which is what the Xbox's homebrew has it for: its pixels are made by register combiners.",
);

/// Branches that naga reads as other ones.
pub static BRANCHES: Code = Code::new(
    "K0011",
    "control flow of SPIR-V that is not read",
    "naga, which reads SPIR-V, has switches whose `default` is the last case, and no branch from a switch out of the loop around it. It would make another \
     program of such modules, so they are refused. End each case with `break`, put `default` last, and leave loops outside of switches. Optimisers \
     (`spirv-opt -O`, `glslc -O`) write such branches where a source returns from a switch in a loop.",
);

/// Side effects that naga has at another time, or another number of times.
pub static EFFECTS: Code = Code::new(
    "K0012",
    "side effects of GLSL that are not read",
    "naga, which reads GLSL, computes both sides of `&&` and `||` always, an index twice where `+=` and its like change an element, arguments again that are \
     `out` or `inout`, indices from the last to the first, and no condition of `do` after `continue`. Sources for which that matters are refused; the help says what to write. Expressions without \
     side effects may stand everywhere.",
);

/// Arrays of arrays that naga takes for others.
pub static DIMENSIONS: Code = Code::new(
    "K0013",
    "array of arrays of GLSL that is not read",
    "naga, which reads GLSL, exchanges the dimensions of `vec4 grid[2][3]` and `vec4[2][3]`. Dimensions that are equal are right, and so are arrays of \
     structs with arrays, and `vec4[3] grid[2]`; others are refused. One array of as many elements is the same to the machine.",
);

/// A shading language.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Language {
    /// WebGPU's.
    Wgsl,
    /// OpenGL's, of versions 440 to 460.
    Glsl,
    /// Vulkan's words.
    SpirV,
    /// NVIDIA's Cg, of the profile for vertex programs.
    Cg,
}

impl Language {
    /// All languages: the name, the language, and what it is.
    pub const ALL: &'static [(&'static str, Language, &'static str)] = &[
        ("wgsl", Language::Wgsl, "WebGPU's"),
        ("glsl", Language::Glsl, "OpenGL's and Vulkan's, versions 440 to 460"),
        ("spv", Language::SpirV, "SPIR-V, which other compilers write"),
        ("cg", Language::Cg, "NVIDIA's Cg, of the profile for vertex programs"),
    ];

    /// The language of a file, and the stage that its name says.
    ///
    /// ```
    /// use gpuzoo_compile::front::Language;
    /// use gpuzoo_isa::Stage;
    /// assert_eq!(Language::of("lit.wgsl"), Some((Language::Wgsl, None)));
    /// assert_eq!(Language::of("lit.vert"), Some((Language::Glsl, Some(Stage::Vertex))));
    /// assert_eq!(Language::of("lit.vsh"), None);
    /// ```
    pub fn of(name: &str) -> Option<(Language, Option<Stage>)> {
        let (stem, extension) = name.rsplit_once('.')?;
        let stage = |word: &str| match word {
            "vert" | "vs" => Some(Stage::Vertex),
            "frag" | "fs" => Some(Stage::Fragment),
            _ => None,
        };
        match extension.to_ascii_lowercase().as_str() {
            "wgsl" => Some((Language::Wgsl, None)),
            "spv" => Some((Language::SpirV, None)),
            "cg" => Some((Language::Cg, stem.rsplit_once('.').and_then(|(_, word)| stage(word)))),
            "glsl" => Some((Language::Glsl, stem.rsplit_once('.').and_then(|(_, word)| stage(word)))),
            word @ ("vert" | "frag") => Some((Language::Glsl, stage(word))),
            _ => None,
        }
    }
}

/// What is to be read, and how.
#[derive(Clone, Copy)]
pub struct Reading<'a> {
    /// The language.
    pub language: Language,
    /// The entry point's name, where there are several.
    pub entry: Option<&'a str>,
    /// The stage, where the source does not say it or has several.
    pub stage: Option<Stage>,
    /// Macros of GLSL and Cg: `NAME`, which is 1, or `NAME=VALUE`.
    pub defines: &'a [&'a str],
    /// Reads files that Cg includes; without it there are none.
    pub include: Option<&'a Include<'a>>,
}

impl<'a> Reading<'a> {
    /// A text of a language with one entry point.
    pub fn of(language: Language) -> Reading<'a> {
        Reading { language, entry: None, stage: None, defines: &[], include: None }
    }
}

/// A source as a straight line, with warnings.
///
/// ```
/// use gpuzoo_compile::front::{Language, Reading, read};
/// use gpuzoo_diag::Sources;
///
/// let mut sources = Sources::default();
/// let text = "@vertex fn vs(@location(0) p: vec4f) -> @builtin(position) vec4f { return p * 2.0; }";
/// let file = sources.add("twice.wgsl", text);
/// let reading = Reading::of(Language::Wgsl);
/// let (shader, warnings) = read(&mut sources, file, text.as_bytes(), &reading).unwrap();
/// assert_eq!(shader.function.to_string(), "\
/// v0 = input 0                         @0
/// v1 = const (2.0, 2.0, 2.0, 2.0)      @1
/// v2 = fmul v0, v1                     @1
/// output 0 = v2
/// ");
/// assert!(warnings.is_empty());
/// ```
///
/// # Errors
/// Diagnostics, if the source does not follow its language or has something that no machine can do.
pub fn read(
    sources: &mut Sources,
    file: FileId,
    bytes: &[u8],
    reading: &Reading,
) -> Result<(Shader, Vec<Diagnostic>), Vec<Diagnostic>> {
    read_on(Stack::Large, sources, file, bytes, reading)
}

/// The stack that a source is read on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stack {
    /// That of a thread of its own.
    Large,
    /// The caller's, of which 512 KiB are enough.
    Callers,
}

/// [`read`] on a chosen stack.
///
/// # Errors
/// As [`read`].
pub fn read_on(
    stack: Stack,
    sources: &mut Sources,
    file: FileId,
    bytes: &[u8],
    reading: &Reading,
) -> Result<(Shader, Vec<Diagnostic>), Vec<Diagnostic>> {
    if let Language::Cg = reading.language {
        let options = cg::Options { include: reading.include, defines: reading.defines };
        let whole = sources.get(file).whole();
        if reading.stage == Some(Stage::Fragment) {
            let problem = Diagnostic::error(&CG_STAGE, "Cg is read for vertices alone").at(whole);
            return Err(vec![problem.help("write fragment programs in WGSL or GLSL")]);
        }
        return cg::parse(sources, file, reading.entry.unwrap_or("main"), &options)?.shader(whole);
    }
    let (expanded, tokens) = match reading.language {
        Language::Glsl => Expanded::new(sources, file, reading.defines)?,
        _ => (Expanded::default(), Vec::new()),
    };
    let file = sources.get(file);
    let problem = match reading.language {
        Language::Wgsl => nesting::in_wgsl(file),
        Language::Glsl => nesting::in_glsl(&tokens, file),
        Language::SpirV | Language::Cg => limits::exceeded(bytes).map(|problem| problem.at(file.whole())),
    };
    if let Some(problem) = problem {
        return Err(vec![problem]);
    }
    let Reading { language, entry, stage, .. } = *reading;
    let run = || read_with_naga(file, bytes, &expanded, language, entry, stage);
    match stack {
        Stack::Large => on_large_stack(run),
        Stack::Callers => run(),
    }
}

/// The stack of that thread, in bytes.
const LARGE: usize = 64 << 20;

/// Runs something on a thread with more than enough stack for what is within the limits; on this one, if the system has no other.
fn on_large_stack<T: Send>(run: impl Fn() -> T + Sync) -> T {
    std::thread::scope(|scope| {
        let other = std::thread::Builder::new().stack_size(LARGE);
        match other.spawn_scoped(scope, &run).map(|other| other.join()) {
            Ok(Ok(done)) => done,
            Ok(Err(panic)) => std::panic::resume_unwind(panic),
            Err(_) => run(),
        }
    })
}

fn read_with_naga(
    file: &File,
    bytes: &[u8],
    expanded: &Expanded,
    language: Language,
    entry: Option<&str>,
    stage: Option<Stage>,
) -> Result<(Shader, Vec<Diagnostic>), Vec<Diagnostic>> {
    let (module, moved) = match language {
        Language::Wgsl => {
            let module = parsed(file, || wgsl::parse_str(file.text()))?;
            (module.map_err(|error| vec![wgsl_problem(file, &error)])?, Moved::default())
        }
        Language::Glsl => read_glsl(file, stage, expanded)?,
        // Cg has a reader of its own, above.
        Language::SpirV | Language::Cg => {
            let options = spv::Options { adjust_coordinate_space: false, ..spv::Options::default() };
            if let Some(problem) = branches::misread(file, bytes) {
                return Err(vec![problem]);
            }
            let own = spirv::Adapted::of(bytes);
            let module = parsed(file, || spv::parse_u8_slice(&own.bytes, &options))?;
            let module = module
                .map_err(|error| vec![Diagnostic::error(&SYNTAX, error.to_string()).at(file.whole())])?;
            (module, own.moved)
        }
    };
    let selection =
        Selection { entry: entry.map(str::to_owned), stage, clip_space: true, registers: Vec::new() };
    let spans = |span: naga::Span, name: Option<&str>| {
        let span = moved.span(span);
        match name {
            // Bytes have no words.
            _ if language == Language::SpirV => {
                span.to_range().map_or(file.whole(), |range| file.span(range))
            }
            Some(name) => word(file, place(file, span), name),
            None if language == Language::Glsl => with_base(file, place(file, span)),
            None => place(file, span),
        }
    };
    checked(&module, &selection, &spans, file.whole())
}

/// What a reader of naga's gives: some sources are too damaged for it.
fn parsed<T>(file: &File, read: impl FnOnce() -> T) -> Result<T, Vec<Diagnostic>> {
    const HELP: &str =
        "it may be damaged: `spirv-val`, `glslangValidator` or `naga` say what is wrong with it";
    unbroken(read).ok_or_else(|| {
        let problem = Diagnostic::error(&SYNTAX, "naga, which reads this source, fails at it");
        vec![problem.at(file.whole()).help(HELP)]
    })
}

/// The greatest location: naga's validator takes memory for all below one.
const MOST_LOCATION: u32 = 1_023;

/// The locations of inputs and outputs.
fn locations(module: &Module) -> impl Iterator<Item = u32> {
    let members = module.types.iter().flat_map(|(_, ty)| match &ty.inner {
        TypeInner::Struct { members, .. } => members.as_slice(),
        _ => &[],
    });
    let functions = module.entry_points.iter().map(|entry| &entry.function);
    let ports = functions.flat_map(|function| {
        let arguments = function.arguments.iter().map(|argument| &argument.binding);
        arguments.chain(function.result.as_ref().map(|result| &result.binding))
    });
    let bindings = members.map(|member| &member.binding).chain(ports);
    bindings.filter_map(|binding| match binding {
        Some(Binding::Location { location, .. }) => Some(*location),
        _ => None,
    })
}

/// A module as a straight line, once naga has found nothing wrong with it.
///
/// # Errors
/// As [`read`].
pub fn checked(
    module: &Module,
    selection: &Selection,
    spans: &Spans,
    whole: Span,
) -> Result<(Shader, Vec<Diagnostic>), Vec<Diagnostic>> {
    if let Some(location) = locations(module).find(|location| *location > MOST_LOCATION) {
        let message = format!("location {location} is more than any machine has");
        let problem = Diagnostic::error(&PORT, message).at(whole);
        return Err(vec![problem.help(format!("locations are numbers up to {MOST_LOCATION}"))]);
    }
    let mut validator = Validator::new(ValidationFlags::all(), Capabilities::all());
    let info = validator.validate(module).map_err(|error| vec![invalid(module, &error, spans, whole)])?;
    walk(module, &info, selection, spans, whole)
}

fn read_glsl(
    file: &File,
    stage: Option<Stage>,
    expanded: &Expanded,
) -> Result<(Module, Moved), Vec<Diagnostic>> {
    let Some(stage) = stage else {
        let problem =
            Diagnostic::error(&GLSL_STAGE, "it is not known whether this is for vertices or for fragments");
        return Err(vec![
            problem.at(file.whole()).help("name the file `.vert` or `.frag`, or say `--stage vertex`"),
        ]);
    };
    let stage = match stage {
        Stage::Vertex => ShaderStage::Vertex,
        Stage::Fragment => ShaderStage::Fragment,
    };
    if let Some(problem) =
        side_effects::misread(expanded, file).or_else(|| array_dimensions::misread(expanded, file))
    {
        return Err(vec![problem]);
    }
    let Adapted { text, defines, mut offsets, moved } = Adapted::of(&expanded.text);
    offsets.iter_mut().for_each(|offset| offset.move_back(&expanded.moved));
    let moved = moved.behind(expanded.moved.clone());
    let options = naga_glsl::Options { defines, ..naga_glsl::Options::from(stage) };
    let module = parsed(file, || naga_glsl::Frontend::default().parse(&options, &text))?;
    let mut module = module.map_err(|errors| {
        let problem =
            |error: &naga_glsl::Error| diagnostics::told(file, place(file, moved.span(error.meta)), error);
        errors.errors.iter().map(problem).collect::<Vec<_>>()
    })?;
    member_offsets::place(&mut module, &offsets, file).map_err(|problem| vec![problem])?;
    let lost = global_initializers::lost(&module, &text).map(|(name, span)| {
        let message =
            format!("the initial value of `{name}` is not known before a run, and is not read here");
        let problem = Diagnostic::error(&SYNTAX, message).at(place(file, moved.span(span)));
        problem.help("declare the variable by itself, with its size, before `main`, or set it in `main`")
    });
    let lost: Vec<Diagnostic> = lost.collect();
    if lost.is_empty() { Ok((module, moved)) } else { Err(lost) }
}

fn wgsl_problem(file: &File, error: &wgsl::ParseError) -> Diagnostic {
    let mut problem = Diagnostic::error(&SYNTAX, error.message());
    for (span, text) in error.labels() {
        problem = problem.label(place(file, span), text);
    }
    if problem.labels.is_empty() {
        problem = problem.at(file.whole());
    }
    error.notes().fold(problem, |problem, note| problem.note(note))
}

/// The place of a span of naga's in a file.
fn place(file: &File, span: naga::Span) -> Span {
    match span.to_range() {
        // Places in what a macro of ours stands for may be none in the file.
        Some(range) if file.text().get(range.clone()).is_some() => file.span(range),
        _ => file.whole(),
    }
}

/// With what a member or an element is of, where a span begins behind that, as those of naga's GLSL reader do.
fn with_base(file: &File, span: Span) -> Span {
    let text = file.text();
    let mut start = span.range().start;
    while text[start..].starts_with(['.', '[']) || text[..start].ends_with('.') {
        let before = text[..start].strip_suffix('.').unwrap_or(&text[..start]);
        let opened = if before.ends_with([')', ']']) { before_bracket(before) } else { before };
        let next = opened.trim_end_matches(|letter: char| letter.is_alphanumeric() || letter == '_').len();
        if next == start {
            break;
        }
        start = next;
    }
    // Nor is a bracket behind the last operand in it.
    let mut end = span.range().end.max(start);
    let open = |end: usize| text[start..end].matches('(').count() > text[start..end].matches(')').count();
    while open(end) && text[end..].starts_with(')') {
        end += 1;
    }
    file.span(start..end)
}

/// The text up to the bracket that its last one closes.
fn before_bracket(text: &str) -> &str {
    let mut depth = 0;
    for (at, letter) in text.char_indices().rev() {
        match letter {
            ')' | ']' => depth += 1,
            '(' | '[' => depth -= 1,
            _ => {}
        }
        if depth == 0 {
            return &text[..at];
        }
    }
    text
}

/// The place of a word in a piece of text; all of it if the word is not there.
fn word(file: &File, span: Span, word: &str) -> Span {
    let text = file.slice(span);
    let is_part = |letter: char| letter.is_alphanumeric() || letter == '_';
    let stands_alone =
        |at: &usize| !text[..*at].ends_with(is_part) && !text[at + word.len()..].starts_with(is_part);
    let found = text.match_indices(word).map(|(at, _)| at).find(stands_alone);
    let start = span.range().start;
    found.map_or(span, |at| file.span(start + at..start + at + word.len()))
}
