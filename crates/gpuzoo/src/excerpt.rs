//! Which steps of a CPU's run a trace has.

use crate::debugger::command::Target;
use crate::debugger::{NOT_IN_THE_RUN, Refused};
use gpuzoo_diag::{Diagnostic, Sources, counted};
use gpuzoo_machine::session::{Condition, EventKind, Session, Stop};

/// So many steps are run in search of where a trace begins and ends.
pub const MOST_STEPS: u64 = 1 << 28;

/// The part of a run that is shown.
///
/// ```
/// use gpuzoo::debugger::command::Target;
/// use gpuzoo::diag::File;
/// use gpuzoo::excerpt::Excerpt;
/// # let computer = gpuzoo::Registry::default().computer(None, "count.s")?;
/// let program = computer.assemble("count.s", " ldx #9\nagain: dex\n bne again\nend: stx $9f23\n rts\n")?;
/// let from = Some(Target::read(&File::new("--from", "end"))?);
/// let excerpt = Excerpt { from, ..Excerpt::default() };
/// let steps: Vec<String> = program.trace(&Default::default(), &excerpt)?.collect();
/// assert!(steps[0].contains("stx VERA_DATA0"));
/// # Ok::<(), gpuzoo::Diagnostics>(())
/// ```
#[derive(Clone, Debug)]
pub struct Excerpt {
    /// Steps before the first one.
    pub skip: u64,
    /// Pictures that are complete before the first one.
    pub frame: u64,
    /// What the run comes to before the first one, behind those.
    pub from: Option<Target>,
    /// What ends it.
    pub until: Option<Target>,
    /// Only steps that write here, if there are any places.
    pub writes: Vec<Target>,
    /// How many steps at most.
    pub steps: u64,
    /// A line of JSON for each step, rather than text for people.
    pub json: bool,
}

impl Default for Excerpt {
    /// All of the run.
    fn default() -> Excerpt {
        Excerpt {
            skip: 0,
            frame: 0,
            from: None,
            until: None,
            writes: Vec::new(),
            steps: u64::MAX,
            json: false,
        }
    }
}

/// Where an excerpt lies in a run, and what of it is shown.
pub(crate) struct Found {
    /// Steps before it.
    pub skip: u64,
    /// Steps before its end, if it has one before the run's.
    pub until: Option<u64>,
    /// What is written by the steps that are shown.
    pub only: Vec<Condition>,
}

impl Excerpt {
    /// True if the run has to be gone through to know where it lies.
    pub(crate) fn is_searched(&self) -> bool {
        self.frame > 0 || self.from.is_some() || self.until.is_some() || !self.writes.is_empty()
    }

    /// Looks for it.
    ///
    /// # Errors
    /// `G0303` if the run does not come to its begin, or has not got a place.
    pub(crate) fn find(&self, session: &mut dyn Session, sources: &Sources) -> Result<Found, Diagnostic> {
        let mut conditions = |target: &Option<Target>| {
            target.as_ref().map(|target| target.conditions(session, sources)).transpose().map_err(absent)
        };
        let (from, until) = (conditions(&self.from)?, conditions(&self.until)?);
        let mut only = Vec::new();
        for target in &self.writes {
            only.extend(target.conditions(session, sources).map_err(absent)?);
        }
        let missed = |session: &dyn Session, stop: Stop, what: &str| {
            let steps = counted(usize::try_from(session.position()).unwrap_or(usize::MAX), "step");
            let why = match stop {
                Stop::Limit => format!("the run does not come to {what} in {steps}"),
                _ => format!("the run ends after {steps}, before {what}"),
            };
            absent(Refused(&NOT_IN_THE_RUN, why))
        };
        session.seek(self.skip);
        for frame in 1..=self.frame {
            let stop = session.run_until(&[Condition::Event(EventKind::Frame)], MOST_STEPS);
            if !matches!(stop, Stop::Met(_)) {
                return Err(missed(session, stop, &format!("the end of picture {}", frame - 1)));
            }
        }
        if let Some(from) = from
            && !from.iter().any(|condition| session.meets(condition))
        {
            let stop = session.run_until(&from, MOST_STEPS);
            if !matches!(stop, Stop::Met(_)) {
                return Err(missed(session, stop, "where the trace begins"));
            }
        }
        let skip = session.position();
        let until = until.and_then(|until| match session.run_until(&until, MOST_STEPS) {
            Stop::Met(_) => Some(session.position()),
            // The trace goes on to the end, and tells it.
            _ => None,
        });
        Ok(Found { skip, until, only })
    }
}

/// What a run has not got.
fn absent(Refused(code, message): Refused) -> Diagnostic {
    let problem = Diagnostic::error(code, message);
    problem.help("labels, addresses, lines of the source and places in memory are as in the commands of `gpuzoo debug`")
}
