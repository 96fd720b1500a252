//! `render`.

use super::backend::Device;
use super::{parameters, place, refuse, report, room, software, starter};
use crate::args::{self, Samples, Source, TextFormat, Which};
use crate::io::{self, Input};
use crate::output::{self, Output};
use crate::session::{Session, Stop};
use gpuzoo::codes::BAD_ARGUMENT;
use gpuzoo::computer::{Computer, ScreenOptions, Wanted};
use gpuzoo::diag::{Diagnostic, json};
use gpuzoo::isa::list;
use gpuzoo::machine::options::arguments::Verb;
use gpuzoo::machine::unit::job::JobOptions;
use gpuzoo::raster::{Image, View};
use gpuzoo::render::{self as facade_render, Compression, Failure, Format, Shown};
use gpuzoo::report::{self as facade_report, Page};
use gpuzoo::scene::{NO_SUCH_VIEW, Scene, Texts};
use gpuzoo::{Arguments, Gpu, job, read, registry};
use indicatif::ProgressBar;
use std::io::Write;
use std::ops::Range;
use std::path::Path;

/// Reads a scene and every file that it names, and reports what is wrong with it.
pub fn scene(file: Option<&Path>, stdin_name: Option<&str>, session: &mut Session) -> Result<Scene, Stop> {
    scene_of(io::read(file, stdin_name)?, session)
}

/// As [`scene`], of a file that was read.
pub fn scene_of(input: Input, session: &mut Session) -> Result<Scene, Stop> {
    let scene = any_scene(input, session)?;
    parameters::check_scene(scene.gpu, session)?;
    Ok(scene)
}

/// As [`scene`], of a file that was read, and whether or not its machine has the options that were given.
pub fn any_scene(input: Input, session: &mut Session) -> Result<Scene, Stop> {
    let Input { path, bytes, .. } = input;
    let given = parameters::of_scene(session)?;
    let folders = io::reach(&path, &given.folders);
    // The scene itself was read: it may have come through a pipe.
    let read =
        |wanted: &Path| if wanted == path { Ok(bytes.clone()) } else { io::named_file(&folders, wanted) };
    let defines: Vec<&str> = given.defines.iter().map(String::as_str).collect();
    let texts = Texts { folders: &given.folders, defines: &defines, ..Texts::default() };
    let (scene, problems) = facade_render::load(
        &session.registry,
        &mut session.sources,
        &path,
        &read,
        texts,
        session.budget.clone(),
    );
    session.require(problems)?;
    scene.ok_or(Stop::Reported)
}

/// The frames that are wanted: one, or all.
pub fn frames(scene: &Scene, only: Option<u32>, session: &mut Session) -> Result<Range<u32>, Stop> {
    facade_render::frames(scene, only).map_err(|problem| {
        let file = session.argument("--frame", &only.unwrap_or_default().to_string());
        problem.at(session.sources.get(file).whole()).into()
    })
}

/// A job to a picture.
fn job(args: &args::Render, format: Format, input: Input, session: &mut Session) -> Result<(), Stop> {
    let Input { name, bytes, .. } = input;
    room(&bytes, session)?;
    let file = read::text(&mut session.sources, &name, &bytes)?;
    let gpu = job::machine(&session.registry, args.reading.gpu.as_deref())?;
    let profile = args.profile.as_deref().map(|name| registry::profile(gpu, Some(name))).transpose()?;
    let options = JobOptions {
        profile,
        no_limits: args.no_limits,
        notes: args.view.is_some() || args.page.report.is_some(),
        waves: args.waves.is_some(),
        timeline: args.page.report.is_some(),
        budget: session.budget.clone(),
    };
    let (done, problems) = job::run(gpu, session.sources.get(file), &options)?;
    session.require(problems)?;
    let Some(done) = done else { return Err(Stop::Reported) };
    let shown = job::picture(gpu, &done, view(args.view.as_deref())?);
    let shown = shown.map_err(|problem| of_view(vec![problem], args, session))?;
    match args.stats {
        Some(TextFormat::Text) => session.remark(&job::statistics(&done)),
        Some(TextFormat::Json) => session.remark(&(json::text(&job::JobFigures::from(&done)) + "\n")),
        None => {}
    }
    if let (Some(path), Some(waves)) = (&args.waves, &done.waves) {
        output::write(Some(path), true, waves)?;
    }
    if let Some(mut output) = output(args)? {
        picture(shown, format, &mut output, session)?;
        output.finish()?;
    }
    report::write(
        &args.page,
        || page(args, gpu.about().name),
        session,
        |page, session| {
            let command = &trace_command(args, 0);
            Ok(facade_report::Job { done: &done, gpu, command, budget: &session.budget }.page(page)?)
        },
    )
}

/// The file of pictures. A page alone will do.
fn output(args: &args::Render) -> Result<Option<Output>, Stop> {
    match (&args.output, &args.page.report) {
        (None, Some(_)) => Ok(None),
        (path, _) => Output::open(path.as_deref(), true).map(Some),
    }
}

fn page(args: &args::Render, machine: &str) -> Page {
    let name = io::name(args.scene.as_deref(), args.reading.stdin_name.as_deref());
    facade_report::page("render", &name, Some(machine))
}

/// Writes one picture.
pub fn picture(image: Image, format: Format, output: &mut Output, session: &mut Session) -> Result<(), Stop> {
    let written = facade_render::picture(image, format, &session.budget, output.sink());
    written.map_err(|failure| stop(failure, Some(output), session))
}

/// Why a verb ends that could not write a picture: it is reported, or is an output's.
fn stop(failure: Failure, output: Option<&Output>, session: &mut Session) -> Stop {
    match failure {
        Failure::Problems(problems) => {
            session.report(problems);
            Stop::Reported
        }
        Failure::Unwritten(error) => output.map_or(Stop::Reported, |output| output.stop(&error)),
    }
}

/// What to show of a scene or a job.
fn view(name: Option<&str>) -> Result<Option<View>, Stop> {
    let Some(name) = name else { return Ok(None) };
    let found = View::ALL.iter().find(|(known, ..)| *known == name).map(|(_, view, _)| Some(*view));
    found.ok_or_else(|| {
        let problem = Diagnostic::error(&BAD_ARGUMENT, format!("a scene has no view `{name}`"));
        problem.help(format!("it has {}", list(View::ALL.iter().map(|(name, ..)| *name)))).into()
    })
}

/// Reports what went wrong with a picture; that the machine does not have the view is the argument's fault.
fn of_view(problems: Vec<Diagnostic>, args: &args::Render, session: &mut Session) -> Stop {
    let file = session.argument("--view", args.view.as_deref().unwrap_or_default());
    session.report(place(problems, &NO_SUCH_VIEW, session.sources.get(file).whole()));
    Stop::Reported
}

/// The machine that makes pictures by running a program: the one that is named, or that the extension says.
fn computer(args: &args::Render, session: &Session) -> Result<Option<&'static dyn Gpu>, Stop> {
    let name = io::name(args.scene.as_deref(), args.reading.stdin_name.as_deref());
    let registry = &session.registry;
    if let Some(gpu) = parameters::started(args.reading.gpu.as_deref(), args.scene.as_deref(), session) {
        return Ok(Some(gpu));
    }
    if args.reading.gpu.is_none() && registry.by_extension(&name).is_empty() {
        return Ok(None);
    }
    let gpu = registry.choose(args.reading.gpu.as_deref(), &name)?;
    Ok(Some(gpu).filter(|gpu| gpu.shader_unit().is_none() && gpu.computer().is_some()))
}

/// The machine's parameter for a file of sound.
const SOUND: &str = "sound";

/// True if the output is sound by its extension, and not a picture by what the user says.
fn is_sound(args: &args::Render) -> bool {
    let path = args.output.as_deref().filter(|_| args.format.is_none());
    path.and_then(Path::extension).is_some_and(|extension| extension.eq_ignore_ascii_case("wav"))
}

/// The pictures of a program, or its sound alone.
fn program(
    gpu: &'static dyn Gpu,
    args: &args::Render,
    format: Option<Format>,
    session: &mut Session,
) -> Result<(), Stop> {
    let of_pictures = [(args.view.is_some(), "--view"), (args.compression.is_some(), "--compression")];
    refuse(
        &of_pictures.map(|(given, name)| (given && format.is_none(), name)),
        "is for pictures, and this is sound",
    )?;
    refuse(
        &[
            (args.no_limits, "--no-limits"),
            (args.waves.is_some(), "--waves"),
            (args.size.is_some(), "--size"),
            (args.stats.is_some(), "--stats"),
            (args.save_scene.is_some(), "--save-scene"),
            (args.save_job.is_some(), "--save-job"),
            (args.samples != Samples::One, "--samples"),
            (args.backend.backend != Which::default(), "--backend"),
        ],
        "is not for a CPU's program",
    )?;
    let own = parameters::own(gpu, Verb::Render, args.profile.as_deref(), args.scene.as_deref(), session)?;
    let form = args.reading.read.from.as_deref();
    let source = Source { input: args.scene.clone(), reading: args.reading.clone() };
    let program = software(Computer::of(gpu)?, &source, form, &own, session)?;
    let wanted = match format {
        None => Wanted::Sound,
        Some(_) if own.writes(SOUND) => Wanted::Both,
        Some(_) => Wanted::Pictures,
    };
    let options =
        ScreenOptions { frame: args.frame, view: args.view.as_deref(), wanted, ..ScreenOptions::default() };
    let mut screen = program.screen(&own.arguments, &options)?;
    let mut output = output(args)?;
    let bar = progress(screen.count() as usize, session);
    let shown = |done: u32| bar.set_position(done.into());
    let (mut nowhere, budget) = (std::io::sink(), session.budget.clone());
    let sink = output.as_mut().map_or(&mut nowhere as &mut dyn Write, Output::sink);
    let written = match format {
        Some(format) => facade_render::screen(&mut *screen, format, &budget, sink, shown),
        None => facade_render::sound(&mut *screen, shown)
            .map_err(Failure::from)
            .and_then(|sound| Ok(sink.write_all(&sound)?)),
    };
    bar.finish_and_clear();
    written.map_err(|failure| stop(failure, output.as_ref(), session))?;
    own.write(|wanted| match wanted {
        SOUND => facade_render::heard(&*screen),
        _ => parameters::named(&screen.files()?, wanted),
    })?;
    session.report_about(program.sources(), screen.remarks());
    let changes = screen.changes();
    own.put(&changes)?;
    session.remark(&changes.iter().map(|change| format!("{change}\n")).collect::<String>());
    if let Some(output) = output {
        output.finish()?;
    }
    report::write(
        &args.page,
        || page(args, gpu.about().name),
        session,
        |page, session| {
            report::screen(page, gpu, &program, &own.arguments, args.frame, session)?;
            if let Ok(checked) = program.check(&Arguments::new(&own.arguments.profile)) {
                page.section("The program", |html| facade_report::printed(html, &checked.text));
            }
            Ok(())
        },
    )
}

/// The format of the output: as the user says, or as its extension does.
fn format(args: &args::Render) -> Result<Format, Stop> {
    let format = match (args.format, &args.output) {
        (Some(args::PictureFormat::Png), _) => Format::Png { compression: None },
        (Some(args::PictureFormat::Gif), _) => Format::Gif,
        (Some(args::PictureFormat::Raw), _) => Format::Raw,
        (None, Some(path)) if !io::is_standard(path) => Format::of_file(&path.to_string_lossy())?,
        (None, _) => Format::Png { compression: None },
    };
    let compression = args.compression.map(|compression| match compression {
        args::Compression::Fast => Compression::Fast,
        args::Compression::Balanced => Compression::Balanced,
        args::Compression::Best => Compression::Best,
    });
    Ok(compression.map_or(Ok(format), |compression| format.compressed(compression))?)
}

/// A scene, a job or a program to a picture.
pub fn render(args: &args::Render, session: &mut Session) -> Result<(), Stop> {
    report::begin(&args.page, false, session)?;
    let to_file = args.output.as_deref().is_some_and(|path| !io::is_standard(path));
    let to_file = to_file || args.output.is_none() && args.page.report.is_some();
    refuse(
        &[(args.watch && !to_file, "--watch")],
        "draws to a file again and again: give it with `-o FILE`",
    )?;
    if let Some(gpu) = computer(args, session)? {
        let format = if is_sound(args) { None } else { Some(format(args)?) };
        return program(gpu, args, format, session);
    }
    let format = format(args)?;
    let input = io::read(args.scene.as_deref(), args.reading.stdin_name.as_deref())?;
    if let Some(unit) = starter::unit(args, &input, session)? {
        return match starter::scene(unit, args, input, session)? {
            Some((scene, note)) => pictures(args, format, scene, note, session),
            None => Ok(()),
        };
    }
    let of_programs = [
        (args.save_scene.is_some(), "--save-scene"),
        (args.reading.read.entry.is_some(), "--entry"),
        (args.reading.read.host_constants, "--host-constants"),
    ];
    refuse(&of_programs, "is for a shader program that has no scene")?;
    refuse(
        &[(args.reading.read.from.is_some(), "--from")],
        "is for a program, and this is a scene or a job",
    )?;
    // No scene begins with a brace.
    if input.bytes.trim_ascii_start().starts_with(b"{") {
        refuse(
            &[
                (args.frame.is_some(), "--frame"),
                (args.size.is_some(), "--size"),
                (args.save_job.is_some(), "--save-job"),
                (args.samples != Samples::One, "--samples"),
                (args.backend.backend != Which::default(), "--backend"),
            ],
            "is for scenes, and this is a job",
        )?;
        if let Some(given) = session.given.first() {
            refuse(
                &[(true, &format!("--{}", given.name))],
                "is for a program or a scene, and this is a job",
            )?;
        }
        return job(args, format, input, session);
    }
    refuse(
        &[(args.no_limits, "--no-limits"), (args.reading.gpu.is_some(), "--gpu")],
        "is for jobs, and this is a scene",
    )?;
    if args.waves.is_some() {
        let problem = Diagnostic::error(&BAD_ARGUMENT, "`--waves` is for jobs, and this is a scene");
        let help = "`--save-job FILE.json --frame N` writes a frame as a job, on machines that have jobs";
        return Err(problem.help(help).into());
    }
    let scene = scene_of(input, session)?;
    pictures(args, format, scene, None, session)
}

/// The pictures of a scene. `note` is reported once the arguments are known to be right.
fn pictures(
    args: &args::Render,
    format: Format,
    mut scene: Scene,
    note: Option<Diagnostic>,
    session: &mut Session,
) -> Result<(), Stop> {
    if args.profile.is_some() {
        scene.profile = registry::profile(scene.gpu, args.profile.as_deref())?;
    }
    if let Some(text) = &args.size {
        let file = session.argument("--size", text);
        facade_render::resize(&mut scene, session.sources.get(file))?;
    }
    let shown = match view(args.view.as_deref())? {
        Some(view) => Shown::View(view),
        None => Shown::Colors(match args.samples {
            Samples::One => facade_render::Samples::One,
            Samples::Four => facade_render::Samples::Four,
            Samples::Sixteen => facade_render::Samples::Sixteen,
        }),
    };
    let frames = frames(&scene, args.frame, session)?;
    if let Some(device) = Device::of(&args.backend)? {
        return on_device(&device, args, format, (&scene, frames, note), session);
    }
    if let Some(to) = &args.save_job {
        refuse(&[(frames.len() > 1, "--save-job")], "is for one frame: choose it with `--frame`")?;
        let image = image_beside(to, args, &frames);
        let job = job::of_scene(&scene, frames.start, image).map_err(|problems| {
            session.report(problems);
            Stop::Reported
        })?;
        output::write(Some(to), false, job.as_bytes())?;
        if args.output.is_none() && args.page.report.is_none() {
            let of_picture = [(args.stats.is_some(), "--stats"), (args.view.is_some(), "--view")];
            return refuse(&of_picture, "is for the picture: give its file with `-o`");
        }
    }
    let first = frames.start;
    // What is wrong with the output is reported before an hour of rendering, not after.
    let mut output = output(args)?;
    session.report(note.into_iter().collect());
    let bar = progress(frames.len(), session);
    let progress = |done: u32| bar.set_position(done.into());
    let mut nowhere = std::io::sink();
    let sink = output.as_mut().map_or(&mut nowhere as &mut dyn Write, Output::sink);
    let rendered = facade_render::render(&scene, frames, format, shown, sink, progress);
    bar.finish_and_clear();
    let rendered = match rendered {
        Ok(rendered) => rendered,
        Err(Failure::Problems(problems)) => return Err(of_view(problems, args, session)),
        Err(failure) => return Err(stop(failure, output.as_ref(), session)),
    };
    session.require(rendered.warnings.clone())?;
    match args.stats {
        Some(TextFormat::Text) => session.remark(&rendered.statistics()),
        Some(TextFormat::Json) => session.remark(&(json::text(&rendered.json()) + "\n")),
        None => {}
    }
    if let Some(output) = output {
        output.finish()?;
    }
    report::write(
        &args.page,
        || page(args, scene.gpu.about().name),
        session,
        |page, session| {
            let command = trace_command(args, first);
            let shown = match shown {
                Shown::Colors(_) => shown,
                Shown::View(_) => Shown::default(),
            };
            facade_report::rendered(page, &scene, first, shown, &rendered, &command).map_err(|problems| {
                session.report(problems);
                Stop::Reported
            })
        },
    )
}

/// The pictures of a scene as the host's GPU draws them.
#[cfg(feature = "wgpu")]
fn on_device(
    device: &Device,
    args: &args::Render,
    format: Format,
    (scene, frames, note): (&Scene, Range<u32>, Option<Diagnostic>),
    session: &mut Session,
) -> Result<(), Stop> {
    refuse(
        &[
            (args.view.is_some(), "--view"),
            (args.samples != Samples::One, "--samples"),
            (args.save_job.is_some(), "--save-job"),
            (args.page.report.is_some(), "--report"),
        ],
        "is for what gpuzoo draws, and not for `--backend wgpu`",
    )?;
    let mut output = Output::open(args.output.as_deref(), true)?;
    session.report(note.into_iter().collect());
    let bar = progress(frames.len(), session);
    let shown = |done: u32| bar.set_position(done.into());
    let (painter, compare) = (device.device.painter(device.fidelity), args.stats.is_some());
    let rendered =
        gpuzoo::host::render::render(&painter, scene, frames, format, compare, output.sink(), shown);
    bar.finish_and_clear();
    let rendered = rendered.map_err(|failure| stop(failure, Some(&output), session))?;
    session.report(rendered.remarks.clone());
    match args.stats {
        Some(TextFormat::Text) => session.remark(&rendered.statistics()),
        Some(TextFormat::Json) => session.remark(&(json::text(&rendered.json()) + "\n")),
        None => {}
    }
    output.finish()
}

/// There is no device in this build, as [`Device::of`] has said.
#[cfg(not(feature = "wgpu"))]
fn on_device(
    _: &Device,
    _: &args::Render,
    _: Format,
    _: (&Scene, Range<u32>, Option<Diagnostic>),
    _: &mut Session,
) -> Result<(), Stop> {
    Ok(())
}

/// The command that traces a pixel of a frame, with `X,Y` for its place.
fn trace_command(args: &args::Render, frame: u32) -> String {
    let name = io::name(args.scene.as_deref(), args.reading.stdin_name.as_deref());
    let is_plain = |letter: char| letter.is_ascii_alphanumeric() || "/._-".contains(letter);
    let name = if name.chars().all(is_plain) { name } else { format!("'{}'", name.replace('\'', "'\\''")) };
    let mut command = format!("gpuzoo trace {name} --pixel X,Y");
    if frame > 0 {
        command += &format!(" --frame {frame}");
    }
    if let Some(profile) = &args.profile {
        command += &format!(" --profile {profile}");
    }
    command
}

/// The name of the picture that a job's record names: one PNG in the job's folder that shows what is drawn.
fn image_beside(job: &Path, args: &args::Render, frames: &Range<u32>) -> Option<String> {
    let path = args.output.as_deref().filter(|path| io::folder(path) == io::folder(job))?;
    let is_png = matches!(args.format, None | Some(args::PictureFormat::Png))
        && path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("png"));
    let shows_it = is_png && frames.len() == 1 && args.view.is_none() && args.samples == Samples::One;
    path.file_name().filter(|_| shows_it).map(|name| name.to_string_lossy().into_owned())
}

/// A bar for several frames.
fn progress(frames: usize, session: &Session) -> ProgressBar {
    match frames {
        0 | 1 => ProgressBar::hidden(),
        _ => session.bar(frames as u64, "frame {pos} of {len} [{bar:30}] {eta}"),
    }
}
