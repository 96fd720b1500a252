//! The pairing rule: what one slot can express, and where each instruction goes in it (spec sections 2, 4 and 9).
//!
//! A slot has a MAC and an ILU half, one input number, one constant number, one address bit, one source C for both
//! halves, a temporary for each half (r1 for an ILU half beside a MAC half), and one output port.

use crate::vertex::encoding::{FIRST_SOURCE, PORT, TEMP, reads_c, sources, target};
use crate::vertex::ops::rows;
use crate::vertex::regs::{A, C, R, R1, V};
use crate::vertex::rules::{
    BOTH_WRITE_R1, HALF_TAKEN, ILU_WRITES_R1, PORT_TAKEN, REFERENCE_REFUSES, SHARED_C, TWO_CONSTANTS,
    TWO_INPUTS, TWO_TEMPORARIES,
};
use gpuzoo_diag::{Code, Diagnostic, Severity, Span};
use gpuzoo_isa::{Inst, Mask, Op, Operand, Written};

/// A value with the one or two places that it goes to: [`TEMP`] and [`PORT`].
struct Value<'a> {
    written: &'a Written,
    to: [Option<(Operand, Span)>; 2],
}

impl Value<'_> {
    fn name(&self) -> &'static str {
        self.written.inst.op.name
    }

    fn rows(&self) -> [Option<&'static Op>; 2] {
        rows(self.name())
    }

    /// The instruction in a half.
    fn inst(&self, half: usize) -> Option<Inst> {
        let mut inst = Inst::new(self.rows()[half]?);
        let nothing = Operand { mask: Mask(0), ..Operand::default() };
        let targets = self.to.map(|to| to.map_or(nothing, |(operand, _)| operand));
        let all = targets.iter().chain(sources(&self.written.inst));
        inst.operands.iter_mut().zip(all).for_each(|(operand, given)| *operand = *given);
        Some(inst)
    }
}

/// The sources of an instruction with their places.
pub fn places(written: &Written) -> impl Iterator<Item = (Operand, Span)> {
    let reads = written.inst.reads();
    reads.map(|(part, operand)| (*operand, written.spans[part.operand as usize]))
}

/// Puts instructions into a slot, the MAC's first; what cannot be is added to `problems`.
pub fn pair(group: &[Written], problems: &mut Vec<Diagnostic>) -> Option<Vec<Inst>> {
    let before = problems.len();
    if let [first, _, .., last] = group
        && group.iter().all(|written| written.inst.op.name == "mov")
    {
        problems.push(refused(first.span.to(last.span), "three `mov` in a slot"));
    }
    let values = merge(group);
    let halves = place(&values).map_err(|problem| problems.push(problem)).ok()?;
    problems.extend(one_port(&values));
    problems.extend(shared_numbers(group));
    if let [Some(mac), Some(ilu)] = halves {
        problems.extend(shared_c(mac, ilu));
        problems.extend(temporaries(mac, ilu));
    }
    // Two inputs are an error, but one for which nv2a_vsh_asm has words; they are kept for comparison with it.
    let fatal = |problem: &Diagnostic| problem.severity == Severity::Error && problem.code != &TWO_INPUTS;
    if problems[before..].iter().any(fatal) {
        return None;
    }
    let [mac, mut ilu] = [0, 1].map(|half| halves[half].and_then(|value| value.inst(half)));
    if let (Some(mac), Some(ilu)) = (&mac, &mut ilu) {
        // The machine writes r1 in any case (spec section 4).
        ilu.operands[TEMP].reg = R1;
        // A scalar ILU operation takes the MAC's C; only the first component matters to it.
        if reads_c(mac.op) {
            ilu.operands[FIRST_SOURCE] = *sources(mac).last()?;
        }
    }
    let mut insts: Vec<Inst> = mac.into_iter().chain(ilu).collect();
    // The slot has one input number: the last one written is what every V source reads.
    let inputs = group.iter().flat_map(places).map(|(operand, _)| operand.reg).filter(|reg| reg.file == V);
    if let Some(last) = inputs.last() {
        let operands = insts.iter_mut().flat_map(|inst| &mut inst.operands[FIRST_SOURCE..]);
        operands.filter(|operand| operand.reg.file == V).for_each(|operand| operand.reg = last);
    }
    Some(insts)
}

/// Instructions that compute the same value become one with two destinations.
fn merge(group: &[Written]) -> Vec<Value<'_>> {
    let mut values: Vec<Value> = Vec::new();
    for written in group {
        // No slot has room for three, whatever follows; to stop here keeps long groups from taking quadratic time.
        if values.len() > 2 {
            break;
        }
        let inst = &written.inst;
        let operand = *target(inst);
        let at = if [R, A].contains(&operand.reg.file) { TEMP } else { PORT };
        let is_address = operand.reg.file == A;
        let same = |value: &&mut Value| {
            let other = &value.written.inst;
            let free = !is_address && value.to[at].is_none();
            free && other.op.name == inst.op.name && sources(other).eq(sources(inst))
        };
        // ARL writes neither a temporary nor the port.
        let here = Some((operand, written.spans[at])).filter(|_| !is_address);
        match values.iter_mut().find(same) {
            Some(value) => value.to[at] = here,
            None => {
                let mut to = [None; 2];
                to[at] = here;
                values.push(Value { written, to });
            }
        }
    }
    values
}

/// Which value is the MAC's and which the ILU's. A `mov` takes what the other leaves.
fn place<'a, 'b>(values: &'b [Value<'a>]) -> Result<[Option<&'b Value<'a>>; 2], Diagnostic> {
    let (first, second) = match values {
        [] => return Ok([None, None]),
        [only] if only.rows()[0].is_some() => return Ok([Some(only), None]),
        [only] => return Ok([None, Some(only)]),
        [first, second] => (first, second),
        [first, second, third, ..] => {
            let problem = Diagnostic::error(&HALF_TAKEN, "a slot has room for two operations")
                .label(third.written.span, "this is the third")
                .label(first.written.span, "first")
                .label(second.written.span, "second");
            return Err(problem.help("leave out the `+` before it: it then gets a slot of its own"));
        }
    };
    let can = |value: &Value| value.rows().map(|row| row.is_some());
    let swap = match (can(first), can(second)) {
        ([true, true], [true, true]) => {
            // Two MOVs: the one that the ILU cannot do, writing a temporary other than r1, is the MAC's; else the one
            // that writes the port alone is.
            let needs_mac = |value: &Value| value.to[TEMP].is_some_and(|(operand, _)| operand.reg != R1);
            if needs_mac(first) && needs_mac(second) {
                return Err(two_temporaries(second.written.span, first.written.span));
            }
            needs_mac(second) || !needs_mac(first) && first.to[TEMP].is_some() && second.to[TEMP].is_none()
        }
        ([true, _], [_, true]) => false,
        ([_, true], [true, _]) => true,
        ([is_mac, _], _) => {
            let half = if is_mac { "MAC" } else { "ILU" };
            let message = format!("`{}` and `{}` are both {half} operations", first.name(), second.name());
            let problem = Diagnostic::error(&HALF_TAKEN, message)
                .label(second.written.span, "needs the half that is taken")
                .label(first.written.span, "takes it");
            return Err(problem.help("leave out the `+` between them"));
        }
    };
    Ok(if swap { [Some(second), Some(first)] } else { [Some(first), Some(second)] })
}

fn two_temporaries(ilu: Span, mac: Span) -> Diagnostic {
    let problem = Diagnostic::error(&TWO_TEMPORARIES, "a slot writes one temporary other than r1")
        .label(ilu, "this `mov` would be done by the ILU, which writes r1")
        .label(mac, "this is done by the MAC");
    problem.help("write r1, or leave out the `+`")
}

/// One of two things that a slot has room for once.
fn one_too_many(code: &'static Code, message: String, first: Span, second: Span) -> Diagnostic {
    Diagnostic::error(code, message).label(second, "the second one").label(first, "the first one")
}

fn one_port(values: &[Value]) -> Option<Diagnostic> {
    let mut ports = values.iter().filter_map(|value| value.to[PORT]);
    let ((_, first), (_, second)) = (ports.next()?, ports.next()?);
    let problem = one_too_many(&PORT_TAKEN, "a slot writes one output or constant".to_owned(), first, second);
    Some(problem.note("nv2a_vsh_asm drops the second write silently").help("leave out the `+`"))
}

/// One input, one constant, one address bit.
fn shared_numbers(group: &[Written]) -> Option<Diagnostic> {
    [V, C].into_iter().find_map(|file| {
        let mut reads = group.iter().flat_map(places).filter(|(operand, _)| operand.reg.file == file);
        let (one, first) = reads.next()?;
        let differs = |other: &Operand| (one.reg, one.relative) != (other.reg, other.relative);
        let (other, second) = reads.find(|(other, _)| differs(other))?;
        let (code, what, field) = match file {
            V => (&TWO_INPUTS, "input registers", "one 4-bit input number"),
            _ if one.relative == other.relative => (&TWO_CONSTANTS, "constants", "one 8-bit constant number"),
            _ => {
                let what = "constants, one with A0 and one without";
                (&TWO_CONSTANTS, what, "one constant number and one address bit")
            }
        };
        let problem = one_too_many(code, format!("the slot reads two different {what}"), first, second);
        let help = "copy one to a temporary first, with a `mov` in a slot of its own";
        Some(problem.note(format!("a slot has {field}")).help(help))
    })
}

/// Both halves read the same C.
fn shared_c(mac: &Value, ilu: &Value) -> Option<Diagnostic> {
    let [mac_row, ilu_row] = [mac.rows()[0]?, ilu.rows()[1]?];
    let ((one, c), (other, place)) = (places(mac.written).last()?, places(ilu.written).next()?);
    if !reads_c(mac_row) {
        return None;
    }
    let same_register = (one.reg, one.relative, one.negate) == (other.reg, other.relative, other.negate);
    let scalar = ilu_row.parts.iter().any(|part| part.scalar);
    let same_order = one.swizzle == other.swizzle;
    let enough = same_order || scalar && one.swizzle.components()[0] == other.swizzle.components()[0];
    if !(same_register && enough) {
        let (mac, ilu) = (mac.name(), ilu.name());
        let message = format!("`{mac}` and `{ilu}` need different values of the slot's source C");
        let problem = Diagnostic::error(&SHARED_C, message)
            .label(place, "C of the ILU half")
            .label(c, "C of the MAC half")
            .note("both halves read the same C: register, sign and swizzle are in the slot once");
        return Some(problem.help("leave out the `+`"));
    }
    let refuses = mac.name() == "add" || !same_order;
    refuses.then(|| refused(ilu.written.span, "a shared C of these forms"))
}

/// A warning that nv2a_vsh_asm does not take what gpuzoo takes.
pub fn refused(span: Span, what: &str) -> Diagnostic {
    let problem = Diagnostic::warning(&REFERENCE_REFUSES, format!("nv2a_vsh_asm refuses {what}"));
    problem.label(span, "the machine can do it, the reference assembler cannot")
}

/// The temporaries of both halves: the ILU's is r1.
fn temporaries(mac: &Value, ilu: &Value) -> Vec<Diagnostic> {
    let Some((temp, place)) = ilu.to[TEMP] else { return Vec::new() };
    if temp.reg != R1 && ilu.name() == "mov" {
        return vec![two_temporaries(ilu.written.span, mac.written.span)];
    }
    let other = (temp.reg != R1).then(|| {
        let message = format!("a paired `{}` writes r1, not r{}", ilu.name(), temp.reg.index);
        let problem = Diagnostic::warning(&ILU_WRITES_R1, message)
            .label(place, "the machine writes r1 here")
            .label(mac.written.span, "because of this");
        let suffix = if temp.mask == Mask::ALL { String::new() } else { format!(".{}", temp.mask) };
        problem.fix("write what happens", place, format!("r1{suffix}"))
    });
    let both = mac.to[TEMP].filter(|(temp, _)| temp.reg == R1).map(|(_, mac)| {
        let problem = Diagnostic::warning(&BOTH_WRITE_R1, "both halves write r1")
            .label(place, "the ILU half")
            .label(mac, "the MAC half")
            .note("emulators disagree on what remains, and no console has been asked");
        problem.help("write another temporary from the MAC")
    });
    other.into_iter().chain(both).collect()
}
