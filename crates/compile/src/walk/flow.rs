//! Statements: what is known is followed, and what is not is walked both ways.
//!
//! A block is walked with the [state](super::memory::State) of one path. A path that leaves it early (by `return`, `break`, `continue`)
//! becomes an [`Exit`], with the condition under which it is taken, and waits there until the place it leaves for is reached. The
//! path that stays goes on with all it knows: a counter stays known after a `break` that depends on an input.

use super::emit::Emit;
use super::memory::{State, choose};
use super::number::{Number, Numbers};
use super::{Frame, Operand, Step, Walk, codes};
use gpuzoo_diag::Diagnostic;
use gpuzoo_ir::{Inst, Op1, Op2};
use naga::{Block, Expression, Handle, Statement, SwitchCase, SwitchValue};

/// The most turns of a loop.
pub const MOST_TURNS: usize = 1_024;

/// So many turns, each of which may be the last, are an unknown number.
const LONG_LOOP: usize = 32;

/// The most cases of a switch, and of one whose selector is not known: each is inside the one before.
const MOST_CASES: usize = 512;
const MOST_UNKNOWN_CASES: usize = 64;

/// So many exits are chosen between from the last one on: all that they leave is needed until then.
const FEW_EXITS: usize = 10;

/// The deepest nesting of blocks.
const MOST_NESTING: usize = 128;

/// Where a path leaves for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Target {
    /// Behind a loop or a switch.
    Break,
    /// The end of a turn of a loop.
    Continue,
    /// The caller.
    Return,
}

/// A path that has left the blocks it was in.
#[derive(Clone, Debug)]
pub struct Exit {
    target: Target,
    /// 1 where this path is taken, and not one that left before.
    condition: Number,
    state: State,
    /// What a `return` gives.
    value: Option<Numbers>,
}

impl<'a> Walk<'a> {
    /// Walks the statements of a block; the state behind it, if that is reached.
    pub(super) fn block(
        &mut self,
        frame: &mut Frame<'a>,
        block: &'a Block,
        state: State,
    ) -> Step<Option<State>> {
        self.depth += 1;
        if self.depth > MOST_NESTING {
            let help = format!("there may be {MOST_NESTING} at once");
            return self.stop(&codes::TOO_LARGE, "blocks are nested too deeply", help);
        }
        let mut state = Some(state);
        for (statement, span) in block.span_iter() {
            let Some(now) = state.take() else { break };
            self.step()?;
            self.at(*span);
            state = self.statement(frame, statement, *span, now)?;
        }
        self.depth -= 1;
        Ok(state)
    }

    fn statement(
        &mut self,
        frame: &mut Frame<'a>,
        statement: &'a Statement,
        span: naga::Span,
        mut state: State,
    ) -> Step<Option<State>> {
        match statement {
            Statement::Emit(range) => {
                for handle in range.clone() {
                    self.step()?;
                    self.at(span);
                    self.evaluate(frame, &state, handle)?;
                }
            }
            Statement::Block(block) => return self.block(frame, block, state),
            Statement::If { condition, accept, reject } => {
                let condition = self.number(frame, &state, *condition)?;
                let yes = |walk: &mut Self, frame: &mut Frame<'a>, state| walk.block(frame, accept, state);
                let no = |walk: &mut Self, frame: &mut Frame<'a>, state| walk.block(frame, reject, state);
                return self.branch(frame, condition, state, yes, no);
            }
            Statement::Switch { selector, cases } => {
                let selector = self.number(frame, &state, *selector)?;
                let first = self.exits.len();
                let path = self.path;
                let end = self.cases(frame, selector, cases, 0, state)?;
                let end = self.arrive(first, Target::Break, end);
                self.path = self.path_behind(path, first);
                return Ok(end);
            }
            Statement::Loop { body, continuing, break_if } => {
                return self.turns(frame, body, continuing, *break_if, span, state);
            }
            Statement::Break => return self.leave(Target::Break, state, None),
            Statement::Continue => return self.leave(Target::Continue, state, None),
            Statement::Return { value } => {
                let value = value.map(|value| self.numbers(frame, &state, value)).transpose()?;
                return self.leave(Target::Return, state, value);
            }
            Statement::Kill => {
                let path = self.emit.map1(Op1::FNeg, &[self.path]);
                let value = self.emit.gather(&path);
                self.emit.push(Inst::Kill(value));
                return Ok(None);
            }
            Statement::Store { pointer, value } => {
                let place = self.place(frame, &state, *pointer)?;
                let value = self.numbers(frame, &state, *value)?;
                if let Expression::LocalVariable(local) = frame.function.expressions[*pointer]
                    && let Some(name) = &frame.function.local_variables[local].name
                {
                    self.emit.name(&value, name);
                }
                self.store(&mut state, &place, &value)?;
            }
            Statement::Call { function, arguments, result } => {
                let arguments = arguments.iter().map(|argument| self.operand(frame, &state, *argument));
                let arguments = arguments.collect::<Step<_>>()?;
                let path = self.path;
                let (function, info) = (&self.module.functions[*function], &self.info[*function]);
                let (value, after) = self.call(function, info, arguments, state)?;
                self.path = path;
                if let Some(result) = result {
                    frame.values.insert(*result, Operand::Numbers(value.unwrap_or_default()));
                }
                return Ok(Some(after));
            }
            Statement::ControlBarrier(_) | Statement::MemoryBarrier(_) => {}
            _ => {
                let help = "programs read inputs, uniforms and textures and write outputs; there are no buffers and no groups";
                return self.stop(&codes::STATEMENT, "no shader unit can do this", help);
            }
        }
        Ok(Some(state))
    }

    fn leave(&mut self, target: Target, state: State, value: Option<Numbers>) -> Step<Option<State>> {
        self.exits.push(Exit { target, condition: Number::Bool(true), state, value });
        Ok(None)
    }

    /// Goes one of two ways, or both.
    fn branch(
        &mut self,
        frame: &mut Frame<'a>,
        condition: Number,
        state: State,
        yes: impl FnOnce(&mut Self, &mut Frame<'a>, State) -> Step<Option<State>>,
        no: impl FnOnce(&mut Self, &mut Frame<'a>, State) -> Step<Option<State>>,
    ) -> Step<Option<State>> {
        if let Some(known) = condition.known() {
            return if known == 0.0 { no(self, frame, state) } else { yes(self, frame, state) };
        }
        let (path, span) = (self.path, self.emit.span());
        let otherwise = self.not(condition);
        let first = self.exits.len();
        self.unknown += 1;
        self.path = self.and(path, condition);
        let one = yes(self, frame, state.clone())?;
        self.under(condition, first);
        let second = self.exits.len();
        self.path = self.and(path, otherwise);
        let other = no(self, frame, state)?;
        self.under(otherwise, second);
        self.unknown -= 1;
        self.emit.at(span);
        self.path = self.path_behind(path, first);
        Ok(match (one, other) {
            (Some(one), Some(other)) => Some(one.join(&mut self.emit, condition, &other)),
            (one, other) => one.or(other),
        })
    }

    /// True if it is not known whether the program gets here.
    pub(super) fn is_unsure(&self) -> bool {
        self.unknown > 0 || !self.exits.is_empty()
    }

    /// The exits from a number on are taken under one more condition.
    fn under(&mut self, condition: Number, first: usize) {
        for at in first..self.exits.len() {
            self.exits[at].condition = self.and(condition, self.exits[at].condition);
        }
    }

    /// Where the program is reached behind something that some paths have left. Only kills ask.
    fn path_behind(&mut self, path: Number, first: usize) -> Number {
        let mut path = path;
        let last = if self.kills { self.exits.len() } else { first };
        for at in first..last {
            let stays = self.not(self.exits[at].condition);
            path = self.and(path, stays);
        }
        path
    }

    /// The state where a target is, of the exits from a number on that leave for it and of the path that gets there by itself.
    fn arrive(&mut self, first: usize, target: Target, end: Option<State>) -> Option<State> {
        let mut left = Number::Bool(false);
        let mut arrived = Vec::new();
        for mut exit in self.exits.split_off(first) {
            if exit.target == target {
                left = self.or(left, exit.condition);
                arrived.push(exit);
            } else {
                let stayed = self.not(left);
                exit.condition = self.and(stayed, exit.condition);
                self.exits.push(exit);
            }
        }
        self.joined(end, arrived).1
    }

    /// What the first of some exits leaves whose condition holds, or else the path that none takes.
    fn joined(&mut self, end: Option<State>, exits: Vec<Exit>) -> (Option<Numbers>, Option<State>) {
        type Left = (Option<Numbers>, Option<State>);
        let either = |emit: &mut Emit, condition: Number, one: Left, other: Left| -> Left {
            let value = match (one.0, other.0) {
                (Some(own), Some(rest)) => Some(choose(emit, condition, &own, &rest)),
                (own, rest) => own.or(rest),
            };
            let state = match (one.1, other.1) {
                (Some(own), Some(rest)) => Some(own.join(emit, condition, &rest)),
                (own, rest) => own.or(rest),
            };
            (value, state)
        };
        let mut all = exits.into_iter();
        if all.len() <= FEW_EXITS {
            let end = (None, end);
            return all.rev().fold(end, |end, exit| {
                either(&mut self.emit, exit.condition, (exit.value, Some(exit.state)), end)
            });
        }
        // From the first on, so that what an exit leaves is needed no longer when the next one comes.
        let mut left = Number::Bool(false);
        let mut now = (None, None);
        for exit in all.by_ref() {
            now = either(&mut self.emit, left, now, (exit.value, Some(exit.state)));
            left = self.or(left, exit.condition);
        }
        match end {
            Some(_) => either(&mut self.emit, left, now, (None, end)),
            None => now,
        }
    }

    /// The result of a function and the state behind it.
    pub(super) fn returned(
        &mut self,
        end: Option<State>,
        exits: Vec<Exit>,
    ) -> Step<(Option<Numbers>, State)> {
        let (value, end) = self.joined(end, exits);
        // All paths may have been killed.
        Ok((value, end.unwrap_or_default()))
    }

    /// A switch from one of its cases on.
    fn cases(
        &mut self,
        frame: &mut Frame<'a>,
        selector: Number,
        cases: &'a [SwitchCase],
        mut at: usize,
        state: State,
    ) -> Step<Option<State>> {
        let value = |case: &SwitchCase| match case.value {
            SwitchValue::I32(value) => Some(Number::Int(value)),
            SwitchValue::U32(value) => Some(Number::Uint(value)),
            SwitchValue::Default => None,
        };
        let most = if selector.known().is_some() { MOST_CASES } else { MOST_UNKNOWN_CASES };
        if cases.len() > most {
            return self.stop(
                &codes::TOO_LARGE,
                format!("a switch has {} cases", cases.len()),
                format!("there may be {most}; elements of uniform arrays are found by the machine"),
            );
        }
        let (own, condition) = loop {
            if at >= cases.len() {
                let default = cases.iter().position(|case| value(case).is_none());
                return match default {
                    Some(default) => self.case(frame, cases, default, state),
                    None => Ok(Some(state)),
                };
            }
            // Labels without statements of their own belong to the next case.
            let labels =
                cases[at..].iter().take_while(|case| case.fall_through && case.body.is_empty()).count();
            let own = (at + labels).min(cases.len() - 1);
            let mut condition = Number::Bool(false);
            for case in &cases[at..=own] {
                // The default comes last, whatever else leads here.
                if let Some(value) = value(case) {
                    let is_it = self.equal(selector, value);
                    condition = self.or(condition, is_it);
                }
            }
            if condition.known() != Some(0.0) {
                break (own, condition);
            }
            at = own + 1;
        };
        let yes = |walk: &mut Self, frame: &mut Frame<'a>, state| walk.case(frame, cases, own, state);
        let no = |walk: &mut Self, frame: &mut Frame<'a>, state| {
            walk.cases(frame, selector, cases, own + 1, state)
        };
        self.branch(frame, condition, state, yes, no)
    }

    /// The statements of a case, and of those that it falls through to.
    fn case(
        &mut self,
        frame: &mut Frame<'a>,
        cases: &'a [SwitchCase],
        at: usize,
        state: State,
    ) -> Step<Option<State>> {
        let mut state = Some(state);
        for case in &cases[at..] {
            let Some(now) = state.take() else { break };
            state = self.block(frame, &case.body, now)?;
            if !case.fall_through {
                break;
            }
        }
        Ok(state)
    }

    /// A loop, turn by turn.
    fn turns(
        &mut self,
        frame: &mut Frame<'a>,
        body: &'a Block,
        continuing: &'a Block,
        break_if: Option<Handle<Expression>>,
        span: naga::Span,
        state: State,
    ) -> Step<Option<State>> {
        let (first, path) = (self.exits.len(), self.path);
        let mut now = Some(state);
        let mut turn = 0;
        while let Some(state) = now.take() {
            turn += 1;
            if turn > MOST_TURNS {
                self.at(span);
                return Err(Box::new(self.endless(first)));
            }
            let end = self.turn(frame, body, continuing, break_if, state);
            // A loop that may have ended long ago is what makes the program large.
            now = end.map_err(|problem| match self.exits.len().saturating_sub(first) {
                LONG_LOOP.. if problem.code == &codes::TOO_LARGE => Box::new(self.endless(first)),
                _ => problem,
            })?;
            self.path = self.path_behind(path, first);
        }
        let end = self.arrive(first, Target::Break, None);
        self.path = self.path_behind(path, first);
        Ok(end)
    }

    /// One turn of a loop; the state behind it, if there may be another one.
    fn turn(
        &mut self,
        frame: &mut Frame<'a>,
        body: &'a Block,
        continuing: &'a Block,
        break_if: Option<Handle<Expression>>,
        state: State,
    ) -> Step<Option<State>> {
        let begin = self.exits.len();
        let end = self.block(frame, body, state)?;
        let Some(end) = self.arrive(begin, Target::Continue, end) else { return Ok(None) };
        let Some(end) = self.block(frame, continuing, end)? else { return Ok(None) };
        let Some(condition) = break_if else { return Ok(Some(end)) };
        let condition = self.number(frame, &end, condition)?;
        let state = end.clone();
        let leaves = |walk: &mut Self, _: &mut Frame<'a>, state| walk.leave(Target::Break, state, None);
        self.branch(frame, condition, state, leaves, |_, _, _| Ok(Some(end)))
    }

    /// What is said of a loop that does not end.
    fn endless(&self, first: usize) -> Diagnostic {
        let unknown =
            self.exits[first..].iter().map(|exit| exit.condition).find(|number| number.known().is_none());
        let problem = match unknown.map(|number| self.why_unknown(number)) {
            Some(why) => Diagnostic::error(
                &codes::LOOP,
                "how often the loop runs is not known before the program does",
            )
            .note(format!("it depends on {why}")),
            None => Diagnostic::error(&codes::LOOP, format!("the loop runs more than {MOST_TURNS} times")),
        };
        problem.at(self.emit.span()).help(format!(
            "loops are unrolled: count to a constant of at most {MOST_TURNS}, and leave out the work of turns that are not wanted"
        ))
    }

    /// Not a condition.
    pub(super) fn not(&mut self, condition: Number) -> Number {
        self.emit.map2(Op2::FSub, &[Number::Float(1.0)], &[condition])[0]
    }

    /// Both conditions.
    pub(super) fn and(&mut self, one: Number, other: Number) -> Number {
        self.emit.map2(Op2::FMul, &[one], &[other])[0]
    }

    /// One condition or the other.
    pub(super) fn or(&mut self, one: Number, other: Number) -> Number {
        match (one.known(), other.known()) {
            (Some(0.0), _) => other,
            (_, Some(0.0)) => one,
            _ => self.emit.map2(Op2::FMax, &[one], &[other])[0],
        }
    }

    /// Whether two numbers are equal.
    pub(super) fn equal(&mut self, one: Number, other: Number) -> Number {
        let [below, above] =
            [(one, other), (other, one)].map(|(a, b)| self.emit.map2(Op2::FSge, &[a], &[b])[0]);
        self.and(below, above)
    }
}

/// True if a module has a kill.
pub(super) fn kills(module: &naga::Module) -> bool {
    fn in_block(block: &Block) -> bool {
        block.iter().any(|statement| match statement {
            Statement::Kill => true,
            Statement::Block(block) => in_block(block),
            Statement::If { accept, reject, .. } => in_block(accept) || in_block(reject),
            Statement::Switch { cases, .. } => cases.iter().any(|case| in_block(&case.body)),
            Statement::Loop { body, continuing, .. } => in_block(body) || in_block(continuing),
            _ => false,
        })
    }
    let functions = module.functions.iter().map(|(_, function)| function);
    functions
        .chain(module.entry_points.iter().map(|entry| &entry.function))
        .any(|function| in_block(&function.body))
}
