//! Reports: what a verb found, as one file of HTML with everything in it.
//!
//! A report shows what the verb's text says and what a terminal cannot: pictures with their views, the graph of a number's
//! ancestry, slots, bars and timelines. It loads nothing from elsewhere, can be read without its script, and is the same for
//! the same input.

mod messages;
mod program;
mod results;
#[cfg(feature = "render")]
mod scene;
mod steps;

pub use gpuzoo_report::{Html, Page};
pub use messages::{MOST_LINES, messages};
pub use program::{MOST_SLOTS, program};
pub use results::{MOST_RECORDS, MOST_ROWS, Summary, checked, conform, printed};
#[cfg(feature = "render")]
pub use scene::{Job, MOST_SIDE, Screen, pixel, rendered};
pub use steps::{MOST_NODES, MOST_STEPS, svg, trace, trace_page};

use gpuzoo_diag::Diagnostic;
use gpuzoo_machine::limits::budget::{Budget, Resource};

/// A report of a verb about a file.
///
/// ```
/// let page = gpuzoo::report::page("check", "light.vsh", Some("NV2A vertex shader"));
/// assert!(page.finish().contains("<h1>check light.vsh</h1>"));
/// ```
pub fn page(verb: &str, name: &str, machine: Option<&str>) -> Page {
    let mut page = Page::new(&format!("{verb} {name}"));
    if let Some(machine) = machine {
        page.fact("machine", machine);
    }
    page.fact("made by", concat!("gpuzoo ", env!("CARGO_PKG_VERSION")));
    page
}

/// The file of a report, if there is memory for it.
///
/// # Errors
/// `R0703` if it would take more than the budget has left.
pub fn finish(page: &Page, budget: &Budget) -> Result<String, Diagnostic> {
    let bytes = page.len() as u64;
    // The sections, and the file that they become.
    budget.ask(Resource::Memory, bytes.saturating_mul(2)).map_err(|refusal| refusal.problem())?;
    Ok(page.finish())
}
