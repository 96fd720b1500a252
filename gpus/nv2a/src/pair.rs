//! The pairing rule: what one slot can express, and where each statement goes in it (spec sections 2, 4 and 9).
//!
//! A slot has a MAC and an ILU half, one input number, one constant number, one address bit, one source C for both
//! halves, a temporary for each half (r1 for an ILU half beside a MAC half), and one output port.

use crate::encoding::{FIRST_SOURCE, PORT, TEMP, reads_c};
use crate::ops::{ILU, rows};
use crate::regs::{A, C, R, R1, V};
use crate::rules::{
    BOTH_WRITE_R1, HALF_TAKEN, ILU_WRITES_R1, PORT_TAKEN, REFERENCE_REFUSES, SHARED_C, TWO_CONSTANTS,
    TWO_INPUTS, TWO_TEMPORARIES,
};
use crate::statement::{Group, Source, Statement, Target, first_lane};
use gpuzoo_diag::{Diagnostic, Severity, Span};
use gpuzoo_isa::{Inst, MAX_OPERANDS, Mask, Op, Operand};

/// A value with the one or two places that it goes to.
struct Half<'a> {
    statement: &'a Statement,
    temp: Option<&'a Target>,
    port: Option<&'a Target>,
}

/// The two instructions of a slot.
pub struct Paired {
    /// The MAC half.
    pub mac: Option<Inst>,
    /// The ILU half.
    pub ilu: Option<Inst>,
}

/// Puts a group of statements into a slot; what cannot be is added to `problems`.
pub fn pair(group: &Group, problems: &mut Vec<Diagnostic>) -> Option<Paired> {
    let before = problems.len();
    let halves = merge(group, problems)?;
    let (mac, ilu) = place(&halves, problems)?;
    one_port(&halves, problems);
    shared_numbers(group, problems);
    shared_c(mac, ilu, problems);
    temporaries(mac, ilu, problems);
    // Two inputs are an error, but one for which nv2a_vsh_asm has words; they are kept for comparison with it.
    let fatal = |problem: &Diagnostic| problem.severity == Severity::Error && problem.code != &TWO_INPUTS;
    if problems[before..].iter().any(fatal) {
        return None;
    }
    let alone = mac.is_none() || ilu.is_none();
    let mac = mac.and_then(|half| Some(inst(half, rows(half.statement.name).0?)));
    let mut ilu = ilu.and_then(|half| Some(inst(half, rows(half.statement.name).1?)));
    if let (Some(ilu), false) = (&mut ilu, alone) {
        // The machine writes r1 in any case (spec section 4).
        ilu.operands[TEMP].reg = R1;
    }
    // A scalar ILU operation takes the MAC's C; only the first lane matters to it.
    if let (Some(ilu), Some(mac)) = (&mut ilu, &mac)
        && reads_c(mac.op)
    {
        let c = mac.operands[FIRST_SOURCE + mac.op.format.parts.len() - 2];
        ilu.operands[FIRST_SOURCE] = c;
    }
    let mut paired = Paired { mac, ilu };
    last_input_wins(group, &mut paired);
    Some(paired)
}

/// The slot has one input number: the last one written is what every V source reads.
fn last_input_wins(group: &Group, paired: &mut Paired) {
    let sources = group.iter().flat_map(|statement| &statement.sources);
    let Some(last) = sources.map(|source| source.operand.reg).rfind(|reg| reg.file == V) else {
        return;
    };
    let insts = paired.mac.iter_mut().chain(&mut paired.ilu);
    for operand in
        insts.flat_map(|inst| &mut inst.operands[FIRST_SOURCE..]).filter(|operand| operand.reg.file == V)
    {
        operand.reg = last;
    }
}

fn inst(half: &Half, op: &'static Op) -> Inst {
    let mut operands = [Operand::default(); MAX_OPERANDS];
    let nothing = Operand { mask: Mask(0), ..Operand::default() };
    operands[TEMP] = half.temp.map_or(nothing, |target| target.operand);
    operands[PORT] = half.port.map_or(nothing, |target| target.operand);
    for (operand, source) in operands[FIRST_SOURCE..].iter_mut().zip(&half.statement.sources) {
        *operand = source.operand;
    }
    Inst { op, operands }
}

/// Statements that compute the same value become one half with two destinations.
fn merge<'a>(group: &'a Group, problems: &mut Vec<Diagnostic>) -> Option<Vec<Half<'a>>> {
    let mut halves: Vec<Half> = Vec::new();
    for statement in group {
        // No slot has room for three, whatever follows; to stop here keeps long groups from taking quadratic time.
        if halves.len() > 2 {
            break;
        }
        let is_temp = statement.target.operand.reg.file == R;
        let free = halves.iter_mut().find(|half| {
            half.statement.same_value(statement)
                && statement.name != "arl"
                && if is_temp { half.temp.is_none() } else { half.port.is_none() }
        });
        // ARL writes neither a temporary nor the port.
        let target = Some(&statement.target).filter(|target| target.operand.reg.file != A);
        let (temp, port) = if is_temp { (target, None) } else { (None, target) };
        match free {
            Some(half) if is_temp => half.temp = target,
            Some(half) => half.port = target,
            None => halves.push(Half { statement, temp, port }),
        }
    }
    if let [first, .., last] = &group[..]
        && group.len() > 2
        && group.iter().all(|statement| statement.name == "mov")
    {
        problems.push(refused(first.span.to(last.span), "three `mov` in a slot"));
    }
    if let [first, second, third, ..] = &halves[..] {
        let problem = Diagnostic::error(&HALF_TAKEN, "a slot has room for two operations")
            .label(third.statement.span, "this is the third")
            .label(first.statement.span, "first")
            .label(second.statement.span, "second");
        problems.push(problem.help("leave out the `+` before it: it then gets a slot of its own"));
        return None;
    }
    Some(halves)
}

type Placed<'a, 'b> = (Option<&'b Half<'a>>, Option<&'b Half<'a>>);

/// Which half is the MAC's and which the ILU's. A `mov` takes what the other leaves.
fn place<'a, 'b>(halves: &'b [Half<'a>], problems: &mut Vec<Diagnostic>) -> Option<Placed<'a, 'b>> {
    let (first, second) = match halves {
        [] => return Some((None, None)),
        [only] => {
            return Some(if rows(only.statement.name).0.is_some() {
                (Some(only), None)
            } else {
                (None, Some(only))
            });
        }
        [first, second, ..] => (first, second),
    };
    let can = |half: &Half| {
        let (mac, ilu) = rows(half.statement.name);
        (mac.is_some(), ilu.is_some())
    };
    match (can(first), can(second)) {
        ((true, true), (true, true)) => {
            // Two MOVs: the one that the ILU cannot do, writing a temporary other than r1, is the MAC's; else the one
            // that writes the port alone is.
            let needs_mac = |half: &Half| half.temp.is_some_and(|target| target.operand.reg != R1);
            let swap =
                needs_mac(second) || !needs_mac(first) && first.temp.is_some() && second.temp.is_none();
            if needs_mac(first) && needs_mac(second) {
                problems.push(two_temporaries(second.statement.span, first.statement.span));
                return None;
            }
            Some(if swap { (Some(second), Some(first)) } else { (Some(first), Some(second)) })
        }
        ((true, _), (_, true)) => Some((Some(first), Some(second))),
        ((_, true), (true, _)) => Some((Some(second), Some(first))),
        _ => {
            let half = if can(first).0 { "MAC" } else { "ILU" };
            let message = format!(
                "`{}` and `{}` are both {half} operations",
                first.statement.name, second.statement.name
            );
            let problem = Diagnostic::error(&HALF_TAKEN, message)
                .label(second.statement.span, "needs the half that is taken")
                .label(first.statement.span, "takes it");
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

fn one_port(halves: &[Half], problems: &mut Vec<Diagnostic>) {
    let mut ports = halves.iter().filter_map(|half| half.port);
    if let (Some(first), Some(second)) = (ports.next(), ports.next()) {
        let problem = Diagnostic::error(&PORT_TAKEN, "a slot writes one output or constant")
            .label(second.span, "the second one")
            .label(first.span, "the first one");
        problems.push(problem.note("nv2a_vsh_asm drops the second write silently").help("leave out the `+`"));
    }
}

/// One input, one constant, one address bit.
fn shared_numbers(group: &Group, problems: &mut Vec<Diagnostic>) {
    let mut input: Option<&Source> = None;
    let mut constant: Option<&Source> = None;
    for source in group.iter().flat_map(|statement| &statement.sources) {
        let slot = match source.operand.reg.file {
            V => &mut input,
            C => &mut constant,
            _ => continue,
        };
        let Some(first) = *slot else {
            *slot = Some(source);
            continue;
        };
        let (one, other) = (first.operand, source.operand);
        if one.reg == other.reg && one.relative == other.relative {
            continue;
        }
        let (code, what, field) = if one.reg.file == V {
            (&TWO_INPUTS, "input registers", "one 4-bit input number")
        } else if one.relative != other.relative {
            (
                &TWO_CONSTANTS,
                "constants, one with A0 and one without",
                "one constant number and one address bit",
            )
        } else {
            (&TWO_CONSTANTS, "constants", "one 8-bit constant number")
        };
        let problem = Diagnostic::error(code, format!("the slot reads two different {what}"))
            .label(source.span, "the second one")
            .label(first.span, "the first one")
            .note(format!("a slot has {field}"));
        problems.push(problem.help("copy one to a temporary first, with a `mov` in a slot of its own"));
        return;
    }
}

/// Both halves read the same C.
fn shared_c(mac: Option<&Half>, ilu: Option<&Half>, problems: &mut Vec<Diagnostic>) {
    let (Some(mac), Some(ilu)) = (mac, ilu) else { return };
    let Some(row) = rows(mac.statement.name).0.filter(|row| reads_c(row)) else { return };
    let (Some(c), Some(source)) = (mac.statement.sources.last(), ilu.statement.sources.first()) else {
        return;
    };
    let (one, other) = (c.operand, source.operand);
    let same_register = one.reg == other.reg && one.relative == other.relative && one.negate == other.negate;
    let scalar = ILU.iter().any(|op| op.name == ilu.statement.name && !["mov", "lit"].contains(&op.name));
    let same_lanes = one.swizzle == other.swizzle;
    let enough = same_lanes || scalar && first_lane(one.swizzle) == first_lane(other.swizzle);
    if !(same_register && enough) {
        let message = format!(
            "`{}` and `{}` need different values of the slot's source C",
            row.name, ilu.statement.name
        );
        let problem = Diagnostic::error(&SHARED_C, message)
            .label(source.span, "C of the ILU half")
            .label(c.span, "C of the MAC half")
            .note("both halves read the same C: register, sign and swizzle are in the slot once");
        problems.push(problem.help("leave out the `+`"));
    } else if row.name == "add" || !same_lanes {
        problems.push(refused(ilu.statement.span, "a shared C of these forms"));
    }
}

/// A warning that nv2a_vsh_asm does not take what gpuzoo takes.
pub fn refused(span: Span, what: &str) -> Diagnostic {
    let problem = Diagnostic::warning(&REFERENCE_REFUSES, format!("nv2a_vsh_asm refuses {what}"));
    problem.label(span, "the machine can do it, the reference assembler cannot")
}

fn temporaries(mac: Option<&Half>, ilu: Option<&Half>, problems: &mut Vec<Diagnostic>) {
    let (Some(mac), Some(ilu)) = (mac, ilu) else { return };
    let Some(temp) = ilu.temp else { return };
    if temp.operand.reg != R1 && ilu.statement.name == "mov" {
        problems.push(two_temporaries(ilu.statement.span, mac.statement.span));
        return;
    }
    if temp.operand.reg != R1 {
        let message = format!("a paired `{}` writes r1, not r{}", ilu.statement.name, temp.operand.reg.index);
        let problem = Diagnostic::warning(&ILU_WRITES_R1, message)
            .label(temp.span, "the machine writes r1 here")
            .label(mac.statement.span, "because of this");
        problems.push(problem.fix(
            "write what happens",
            temp.span,
            format!("r1{}", suffix(temp.operand.mask)),
        ));
    }
    if let Some(other) = mac.temp
        && other.operand.reg == R1
    {
        let problem = Diagnostic::warning(&BOTH_WRITE_R1, "both halves write r1")
            .label(temp.span, "the ILU half")
            .label(other.span, "the MAC half")
            .note("emulators disagree on what remains, and no console has been asked");
        problems.push(problem.help("write another temporary from the MAC"));
    }
}

fn suffix(mask: Mask) -> String {
    if mask == Mask::ALL { String::new() } else { format!(".{mask}") }
}
