//! Pages: `--report`, of the verbs that have it.

use crate::args::Reported;
use crate::io::is_standard;
use crate::output;
use crate::session::{Session, Stop};
use gpuzoo::Gpu;
use gpuzoo::codes::BAD_ARGUMENT;
use gpuzoo::computer::{Arguments, ScreenOptions, Software, Verb};
use gpuzoo::diag::Diagnostic;
use gpuzoo::report::{self, Page, Screen};

/// Begins to keep what a page will show, if one is wanted; `whole` shows files with messages as a whole.
pub fn begin(args: &Reported, whole: bool, session: &mut Session) -> Result<(), Stop> {
    let Some(path) = &args.report else { return Ok(()) };
    if is_standard(path) {
        let problem = Diagnostic::error(&BAD_ARGUMENT, "a report is a file of its own");
        return Err(problem.help("for example `--report out.html`").into());
    }
    session.keep(whole);
    Ok(())
}

/// Writes the page, if one is wanted: what `fill` puts in it, and behind that the messages.
pub fn write(
    args: &Reported,
    page: impl FnOnce() -> Page,
    session: &mut Session,
    fill: impl FnOnce(&mut Page, &mut Session) -> Result<(), Stop>,
) -> Result<(), Stop> {
    let Some(path) = &args.report else { return Ok(()) };
    let mut page = page();
    fill(&mut page, session)?;
    page.section("Messages", |html| {
        for messages in session.kept() {
            html.append(messages);
        }
    });
    let text = report::finish(&page, &session.budget)?;
    output::write(Some(path), false, text.as_bytes())
}

/// What a CPU's program leaves to be seen: the picture, each view of the machine's memory, and what the machine was sent when.
/// Of the arguments those count that `render` takes, too.
pub fn screen(
    page: &mut Page,
    gpu: &dyn Gpu,
    program: &Software,
    arguments: &Arguments,
    frame: Option<u32>,
    session: &Session,
) -> Result<(), Stop> {
    let known = gpu.about().parameters.iter().filter(|known| known.verbs.contains(&Verb::Render));
    let shared = known.filter_map(|known| arguments.given().find(|(name, _)| *name == known.name));
    let arguments =
        shared.fold(Arguments::new(&arguments.profile), |all, (name, value)| all.set(name, value.clone()));
    // `run` goes further than `render`, which makes pictures of the way there.
    if let Err(problem) = program.screen(&arguments, &ScreenOptions { frame, ..ScreenOptions::default() }) {
        let text = format!("There are none: {}.", problem.message);
        page.section("Pictures", |html| {
            html.leaf("p", &[], &text);
        });
        return Ok(());
    }
    let mut timelines = Vec::new();
    let mut picture = |view: Option<&str>| {
        let options = ScreenOptions { frame, view, timelines: view.is_none(), ..ScreenOptions::default() };
        let mut screen = program.screen(&arguments, &options).map_err(|problem| problem.message)?;
        (0..screen.count()).for_each(|_| screen.advance());
        timelines.extend(screen.timelines());
        screen.image()
    };
    let mut pictures = vec![("screen", "the last picture", picture(None))];
    let views = gpu.about().views.iter();
    pictures.extend(views.map(|(name, about)| (*name, *about, picture(Some(name)))));
    Ok(Screen { pictures, timelines, budget: &session.budget }.page(page)?)
}
