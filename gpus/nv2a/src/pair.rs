//! The pairing rule: what one slot can express, and where each instruction goes in it (spec sections 2, 4 and 9).
//!
//! A slot has a MAC and an ILU half, one input number, one constant number, one address bit, one source C for both
//! halves, a temporary for each half (r1 for an ILU half beside a MAC half), and one output port.

use crate::encoding::{FIRST_SOURCE, PORT, TEMP, reads_c, sources};
use crate::ops::rows;
use crate::regs::{A, C, R1, V};
use crate::rules::{
    BOTH_WRITE_R1, HALF_TAKEN, ILU_WRITES_R1, PORT_TAKEN, REFERENCE_REFUSES, SHARED_C, TWO_CONSTANTS,
    TWO_INPUTS, TWO_TEMPORARIES,
};
use gpuzoo_diag::{Diagnostic, Severity, Span};
use gpuzoo_isa::{Inst, Mask, Op, Operand, Written};

/// A value with the one or two places that it goes to.
struct Value<'a> {
    written: &'a Written,
    temp: Option<(Operand, Span)>,
    port: Option<(Operand, Span)>,
}

impl Value<'_> {
    fn name(&self) -> &'static str {
        self.written.inst.op.name
    }

    fn rows(&self) -> [Option<&'static Op>; 2] {
        rows(self.name())
    }

    /// The instruction in the half of a row.
    fn inst(&self, op: &'static Op) -> Inst {
        let mut inst = Inst::new(op);
        let nothing = Operand { mask: Mask(0), ..Operand::default() };
        inst.operands[TEMP] = self.temp.map_or(nothing, |(operand, _)| operand);
        inst.operands[PORT] = self.port.map_or(nothing, |(operand, _)| operand);
        let targets = inst.operands[FIRST_SOURCE..].iter_mut();
        targets.zip(sources(&self.written.inst)).for_each(|(operand, source)| *operand = *source);
        inst
    }
}

/// What an instruction writes: a temporary, the address register among them, or what goes through the port.
fn target(written: &Written) -> (bool, Operand, Span) {
    let port = written.inst.operands[PORT];
    let is_port = written.inst.op.parts[0].operand as usize == PORT && !port.mask.is_empty();
    let index = if is_port { PORT } else { TEMP };
    (!is_port, written.inst.operands[index], written.spans[index])
}

/// The sources of an instruction with their places.
fn places(written: &Written) -> impl Iterator<Item = (Operand, Span)> {
    let reads = written.inst.reads();
    reads.map(|(part, operand)| (*operand, written.spans[part.operand as usize]))
}

/// Puts instructions into a slot, the MAC's first; what cannot be is added to `problems`.
pub fn pair(group: &[Written], problems: &mut Vec<Diagnostic>) -> Option<Vec<Inst>> {
    let before = problems.len();
    let values = merge(group, problems)?;
    let (mac, ilu) = place(&values, problems)?;
    one_port(&values, problems);
    shared_numbers(group, problems);
    if let (Some(mac), Some(ilu)) = (mac, ilu) {
        shared_c(mac, ilu, problems);
        temporaries(mac, ilu, problems);
    }
    // Two inputs are an error, but one for which nv2a_vsh_asm has words; they are kept for comparison with it.
    let fatal = |problem: &Diagnostic| problem.severity == Severity::Error && problem.code != &TWO_INPUTS;
    if problems[before..].iter().any(fatal) {
        return None;
    }
    let mac = mac.and_then(|value| Some(value.inst(value.rows()[0]?)));
    let mut ilu = ilu.and_then(|value| Some(value.inst(value.rows()[1]?)));
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
    if let Some(last) =
        group.iter().flat_map(places).map(|(operand, _)| operand.reg).filter(|reg| reg.file == V).last()
    {
        let operands = insts.iter_mut().flat_map(|inst| &mut inst.operands[FIRST_SOURCE..]);
        operands.filter(|operand| operand.reg.file == V).for_each(|operand| operand.reg = last);
    }
    Some(insts)
}

/// Instructions that compute the same value become one with two destinations.
fn merge<'a>(group: &'a [Written], problems: &mut Vec<Diagnostic>) -> Option<Vec<Value<'a>>> {
    let mut values: Vec<Value> = Vec::new();
    for written in group {
        // No slot has room for three, whatever follows; to stop here keeps long groups from taking quadratic time.
        if values.len() > 2 {
            break;
        }
        let (is_temp, operand, span) = target(written);
        let same = |value: &&mut Value| {
            let other = &value.written.inst;
            other.op.name == written.inst.op.name
                && operand.reg.file != A
                && sources(other).eq(sources(&written.inst))
                && if is_temp { value.temp.is_none() } else { value.port.is_none() }
        };
        // ARL writes neither a temporary nor the port.
        let here = (operand.reg.file != A).then_some((operand, span));
        let (temp, port) = if is_temp { (here, None) } else { (None, here) };
        match values.iter_mut().find(same) {
            Some(value) if is_temp => value.temp = here,
            Some(value) => value.port = here,
            None => values.push(Value { written, temp, port }),
        }
    }
    if let [first, _, .., last] = group
        && group.len() > 2
        && group.iter().all(|written| written.inst.op.name == "mov")
    {
        problems.push(refused(first.span.to(last.span), "three `mov` in a slot"));
    }
    if let [first, second, third, ..] = &values[..] {
        let problem = Diagnostic::error(&HALF_TAKEN, "a slot has room for two operations")
            .label(third.written.span, "this is the third")
            .label(first.written.span, "first")
            .label(second.written.span, "second");
        problems.push(problem.help("leave out the `+` before it: it then gets a slot of its own"));
        return None;
    }
    Some(values)
}

type Placed<'a, 'b> = (Option<&'b Value<'a>>, Option<&'b Value<'a>>);

/// Which value is the MAC's and which the ILU's. A `mov` takes what the other leaves.
fn place<'a, 'b>(values: &'b [Value<'a>], problems: &mut Vec<Diagnostic>) -> Option<Placed<'a, 'b>> {
    let (first, second) = match values {
        [] => return Some((None, None)),
        [only] if only.rows()[0].is_some() => return Some((Some(only), None)),
        [only] => return Some((None, Some(only))),
        [first, second, ..] => (first, second),
    };
    let can = |value: &Value| value.rows().map(|row| row.is_some());
    match (can(first), can(second)) {
        ([true, true], [true, true]) => {
            // Two MOVs: the one that the ILU cannot do, writing a temporary other than r1, is the MAC's; else the one
            // that writes the port alone is.
            let needs_mac = |value: &Value| value.temp.is_some_and(|(operand, _)| operand.reg != R1);
            let swap =
                needs_mac(second) || !needs_mac(first) && first.temp.is_some() && second.temp.is_none();
            if needs_mac(first) && needs_mac(second) {
                problems.push(two_temporaries(second.written.span, first.written.span));
                return None;
            }
            Some(if swap { (Some(second), Some(first)) } else { (Some(first), Some(second)) })
        }
        ([true, _], [_, true]) => Some((Some(first), Some(second))),
        ([_, true], [true, _]) => Some((Some(second), Some(first))),
        ([is_mac, _], _) => {
            let half = if is_mac { "MAC" } else { "ILU" };
            let message = format!("`{}` and `{}` are both {half} operations", first.name(), second.name());
            let problem = Diagnostic::error(&HALF_TAKEN, message)
                .label(second.written.span, "needs the half that is taken")
                .label(first.written.span, "takes it");
            problems.push(problem.help("leave out the `+` between them"));
            None
        }
    }
}

fn two_temporaries(ilu: Span, mac: Span) -> Diagnostic {
    let problem = Diagnostic::error(&TWO_TEMPORARIES, "a slot writes one temporary other than r1")
        .label(ilu, "this `mov` would be done by the ILU, which writes r1")
        .label(mac, "this is done by the MAC");
    problem.help("write r1, or leave out the `+`")
}

fn one_port(values: &[Value], problems: &mut Vec<Diagnostic>) {
    let mut ports = values.iter().filter_map(|value| value.port);
    if let (Some((_, first)), Some((_, second))) = (ports.next(), ports.next()) {
        let problem = Diagnostic::error(&PORT_TAKEN, "a slot writes one output or constant")
            .label(second, "the second one")
            .label(first, "the first one");
        problems.push(problem.note("nv2a_vsh_asm drops the second write silently").help("leave out the `+`"));
    }
}

/// One input, one constant, one address bit.
fn shared_numbers(group: &[Written], problems: &mut Vec<Diagnostic>) {
    for file in [V, C] {
        let mut reads = group.iter().flat_map(places).filter(|(operand, _)| operand.reg.file == file);
        let Some((one, first)) = reads.next() else { continue };
        let differs = |other: &Operand| (one.reg, one.relative) != (other.reg, other.relative);
        let Some((other, second)) = reads.find(|(other, _)| differs(other)) else { continue };
        let (code, what, field) = match file {
            V => (&TWO_INPUTS, "input registers", "one 4-bit input number"),
            _ if one.relative == other.relative => (&TWO_CONSTANTS, "constants", "one 8-bit constant number"),
            _ => {
                let what = "constants, one with A0 and one without";
                (&TWO_CONSTANTS, what, "one constant number and one address bit")
            }
        };
        let problem = Diagnostic::error(code, format!("the slot reads two different {what}"))
            .label(second, "the second one")
            .label(first, "the first one")
            .note(format!("a slot has {field}"));
        problems.push(problem.help("copy one to a temporary first, with a `mov` in a slot of its own"));
        return;
    }
}

/// Both halves read the same C.
fn shared_c(mac: &Value, ilu: &Value, problems: &mut Vec<Diagnostic>) {
    let Some(row) = mac.rows()[0].filter(|row| reads_c(row)) else { return };
    let (Some((one, c)), Some((other, place))) = (places(mac.written).last(), places(ilu.written).next())
    else {
        return;
    };
    let same_register = (one.reg, one.relative, one.negate) == (other.reg, other.relative, other.negate);
    let scalar = ilu.rows()[1].is_some_and(|row| row.parts.iter().any(|part| part.scalar));
    let same_order = one.swizzle == other.swizzle;
    let enough = same_order || scalar && one.swizzle.components()[0] == other.swizzle.components()[0];
    if !(same_register && enough) {
        let message =
            format!("`{}` and `{}` need different values of the slot's source C", row.name, ilu.name());
        let problem = Diagnostic::error(&SHARED_C, message)
            .label(place, "C of the ILU half")
            .label(c, "C of the MAC half")
            .note("both halves read the same C: register, sign and swizzle are in the slot once");
        problems.push(problem.help("leave out the `+`"));
    } else if row.name == "add" || !same_order {
        problems.push(refused(ilu.written.span, "a shared C of these forms"));
    }
}

/// A warning that nv2a_vsh_asm does not take what gpuzoo takes.
pub fn refused(span: Span, what: &str) -> Diagnostic {
    let problem = Diagnostic::warning(&REFERENCE_REFUSES, format!("nv2a_vsh_asm refuses {what}"));
    problem.label(span, "the machine can do it, the reference assembler cannot")
}

fn temporaries(mac: &Value, ilu: &Value, problems: &mut Vec<Diagnostic>) {
    let Some((temp, place)) = ilu.temp else { return };
    if temp.reg != R1 && ilu.name() == "mov" {
        problems.push(two_temporaries(ilu.written.span, mac.written.span));
        return;
    }
    if temp.reg != R1 {
        let message = format!("a paired `{}` writes r1, not r{}", ilu.name(), temp.reg.index);
        let problem = Diagnostic::warning(&ILU_WRITES_R1, message)
            .label(place, "the machine writes r1 here")
            .label(mac.written.span, "because of this");
        let suffix = if temp.mask == Mask::ALL { String::new() } else { format!(".{}", temp.mask) };
        problems.push(problem.fix("write what happens", place, format!("r1{suffix}")));
    }
    if let Some((other, mac_place)) = mac.temp
        && other.reg == R1
    {
        let problem = Diagnostic::warning(&BOTH_WRITE_R1, "both halves write r1")
            .label(place, "the ILU half")
            .label(mac_place, "the MAC half")
            .note("emulators disagree on what remains, and no console has been asked");
        problems.push(problem.help("write another temporary from the MAC"));
    }
}
