//! What a run goes to: as it is written, and as conditions of a session.

use super::command::{Target, whole_target};
use super::{NOT_IN_THE_RUN, Refused, mask, not_reported};
use gpuzoo_debug::Subject;
use gpuzoo_debug::expression::Place;
use gpuzoo_diag::{Diagnostic, File, Sources, suggest};
use gpuzoo_machine::session::{Condition, Session};

impl Target {
    /// Reads a text that is a target and nothing else, as the commands `run` and `break` take it: `main`, `$0810`, `line 12`,
    /// `write vram[$1000..$1fff]`, `frame`.
    ///
    /// # Errors
    /// `G0302` for another text.
    pub fn read(text: &File) -> Result<Target, Diagnostic> {
        whole_target(text)
    }

    /// Reads a text that is what `write` takes: a register, or places in memory.
    ///
    /// # Errors
    /// `G0302` for another text.
    pub fn read_written(text: &File) -> Result<Target, Diagnostic> {
        super::command::whole_expression(text).map(|expression| Target::Write(Box::new(expression)))
    }

    /// When a session is there: any of these. `sources` are the texts that its steps come from.
    ///
    /// # Errors
    /// `G0303` if the session has not got it.
    pub fn conditions(
        &self,
        session: &mut dyn Session,
        sources: &Sources,
    ) -> Result<Vec<Condition>, Refused> {
        let one = match self {
            Target::Events(kinds) => return Ok(kinds.iter().map(|kind| Condition::Event(*kind)).collect()),
            Target::Place(place) => {
                let address = place.address(session);
                address.map(Condition::At).ok_or_else(|| {
                    let name = match place {
                        Place::Name(name) => name.clone(),
                        Place::Number(number) => number.to_string(),
                    };
                    let lines = session.lines();
                    let labels: Vec<_> = lines.iter().filter_map(|(at, _)| session.label(*at)).collect();
                    let near = suggest::nearest(&name, labels.iter().map(|label| &**label));
                    let near = near.map(|near| format!("; did you mean `{near}`?")).unwrap_or_default();
                    Refused(&NOT_IN_THE_RUN, format!("there is neither an event nor a label `{name}`{near}"))
                })
            }
            Target::Line(name, line) => {
                let lines = session.lines();
                let found = lines.iter().find(|(_, span)| {
                    let file = sources.find(span.file).filter(|file| !file.is_binary());
                    file.is_some_and(|file| {
                        file.place(span.start).line == *line
                            && name.as_ref().is_none_or(|name| file.name().ends_with(name.as_str()))
                    })
                });
                let is_there =
                    |name: &String| sources.iter().any(|file| file.name().ends_with(name.as_str()));
                let none = || match name.as_ref().filter(|name| !is_there(name)) {
                    Some(name) => Refused(&NOT_IN_THE_RUN, format!("no source is called `{name}`")),
                    None => Refused(&NOT_IN_THE_RUN, format!("no instruction comes from line {line}")),
                };
                found.map(|(at, _)| Condition::At(*at)).ok_or_else(none)
            }
            Target::Write(expression) => Ok(match expression.subject(session)? {
                Subject::Register(name, _) if !session.reports(&name) => return Err(not_reported(&name)),
                Subject::Register(name, components) => Condition::Register(name, mask(&components)),
                Subject::Memory(space, range) => Condition::Memory { space: space.into(), range },
            }),
        };
        one.map(|condition| vec![condition])
    }
}
