//! Pages: `--report`, of the verbs that have it.

use crate::args::Reported;
use crate::io::is_standard;
use crate::output;
use crate::session::{Session, Stop};
use gpuzoo::codes::BAD_ARGUMENT;
use gpuzoo::diag::Diagnostic;
use gpuzoo::report::{self, Page};

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
