//! `switch`, which Cg has as C does.

use super::constants;
use super::writer::{Inside, Writer};
use crate::front::cg::codes::{CONSTANT, SYNTAX, TWICE, TYPE};
use crate::front::cg::tree::{Case, Expr};
use crate::front::cg::types::{Base, Numeric, Shape, Type};
use gpuzoo_diag::{Diagnostic, Span};
use gpuzoo_isa::Failed;
use naga::{Block, Statement, SwitchCase, SwitchValue};

impl Writer<'_, '_> {
    pub(super) fn switch(&mut self, on: &Expr, cases: &[Case], span: Span) -> Result<(), Failed> {
        let selector = self.selector(on)?;
        let mut all: Vec<SwitchCase> = Vec::new();
        let mut known: Vec<(SwitchValue, Span)> = Vec::new();
        self.inside.push(Inside::Switch(false));
        let mut is_failed = false;
        let mut ends = true;
        for (at, case) in cases.iter().enumerate() {
            let mut values = Vec::new();
            for (value, place) in &case.labels {
                match self.label(value.as_ref(), *place, &mut known) {
                    Ok(value) => values.push(value),
                    Err(Failed) => is_failed = true,
                }
            }
            let (body, never) = self.inner(|writer| {
                writer.statements(&case.body);
                Ok(())
            });
            // What does not leave goes on with the next case; behind the last one there is none.
            let is_last = at + 1 == cases.len();
            ends &= never || !is_last;
            let Some(last) = values.pop() else { continue };
            all.extend(values.into_iter().map(|value| SwitchCase {
                value,
                body: Block::new(),
                fall_through: true,
            }));
            all.push(SwitchCase { value: last, body, fall_through: !never && !is_last });
        }
        let left = matches!(self.inside.pop(), Some(Inside::Switch(true)));
        if is_failed {
            return Err(Failed);
        }
        let has_default = all.iter().any(|case| case.value == SwitchValue::Default);
        if !has_default {
            all.push(SwitchCase { value: SwitchValue::Default, body: Block::new(), fall_through: false });
        }
        self.push(Statement::Switch { selector, cases: all }, span);
        if has_default && ends && !left {
            self.kill();
        }
        Ok(())
    }

    /// What a switch asks: one integer.
    fn selector(&mut self, on: &Expr) -> Result<naga::Handle<naga::Expression>, Failed> {
        let value = self.value(on)?;
        let numeric = self.numeric(&value, "what `switch` asks", on.span)?;
        let int = Numeric { base: Base::Int, shape: Shape::Scalar };
        if numeric != int {
            let problem =
                Diagnostic::error(&TYPE, format!("`switch` asks for an integer, and this is `{numeric}`"));
            let problem = problem.label(on.span, "expected `int`");
            return self.fail(problem.help("write `(int)` before it"));
        }
        Ok(self.converted(&value, &Type::Numeric(int), true, on.span)?.expr)
    }

    /// The value of a label, which is the first one of its kind.
    fn label(
        &mut self,
        value: Option<&Expr>,
        place: Span,
        known: &mut Vec<(SwitchValue, Span)>,
    ) -> Result<SwitchValue, Failed> {
        let own = match value {
            None => SwitchValue::Default,
            Some(value) => {
                let constant = constants::integer(value, &|name| self.constant(name));
                let Some(own) = constant.and_then(|own| i32::try_from(own).ok()) else {
                    let problem =
                        Diagnostic::error(&CONSTANT, "the label is not a known integer").at(value.span);
                    return self.fail(
                        problem.help("labels are numbers, and `const int` variables that are made of such"),
                    );
                };
                SwitchValue::I32(own)
            }
        };
        if let Some((_, other)) = known.iter().find(|(other, _)| *other == own) {
            let problem = Diagnostic::error(&TWICE, "the `switch` has this label twice");
            let problem = problem.label(place, "again").label(*other, "first here");
            return self.fail(problem.help("leave one of them out"));
        }
        if known.len() >= MOST_LABELS {
            let problem =
                Diagnostic::error(&SYNTAX, format!("a `switch` has more than {MOST_LABELS} labels"));
            return self.fail(problem.at(place).help("index an array of uniforms"));
        }
        known.push((own, place));
        Ok(own)
    }
}

/// The most labels of a switch.
const MOST_LABELS: usize = 256;
