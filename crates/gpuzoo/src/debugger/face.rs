//! What other faces than the typed one ask of a console, to draw it as they like.

use super::command::Watch;
use super::{Console, Refused};
use crate::trace::Trace;
use gpuzoo_debug::Breakpoint;
use gpuzoo_machine::session::{Picture, Session};
use std::sync::Arc;

impl Console {
    /// From now on a command goes through so many steps at most; what is left of one that needs more is in its
    /// [reply](super::Reply::rest). So a face stays awake while a program runs.
    pub fn limit(&mut self, most: u64) {
        self.most = most;
    }

    /// The session of the present run, to be looked at; commands change it.
    pub fn look(&mut self) -> Option<&mut dyn Session> {
        self.run().map(|run| run.debugger.session())
    }

    /// The present run as a trace, with what was poked; none of a program that a CPU runs.
    pub fn trace(&mut self) -> Option<Trace> {
        let run = self.run()?;
        let session = run.debugger.session().shader().cloned()?;
        Some(Trace { session, ..run.trace.clone()? })
    }

    /// The breakpoints of the present run, in the order of their numbers.
    pub fn breakpoints(&self) -> &[Breakpoint] {
        self.runs.get(self.current).map(|run| run.debugger.breakpoints()).unwrap_or_default()
    }

    /// What is watched, a text each: with its value, or with why it has none.
    pub fn watched(&mut self) -> Vec<String> {
        if self.run().is_none() {
            return Vec::new();
        }
        let watches = self.watches.clone().into_iter();
        let one = |watch: Watch| {
            let shown = self.shown(&watch);
            shown.unwrap_or_else(|Refused(_, message)| format!("{}: {message}", watch.text))
        };
        watches.map(one).collect()
    }

    /// True if components are shown as bits.
    pub fn shows_bits(&self) -> bool {
        self.bits
    }

    /// The picture that the run makes here, or that it has a part in.
    pub fn picture(&mut self) -> Option<Arc<Picture>> {
        let run = self.run()?;
        let own = || run.debugger.session().picture().map(Arc::new);
        run.picture.clone().or_else(own)
    }
}
