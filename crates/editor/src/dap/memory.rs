//! Memory, and programs as bytes and as instructions.
//!
//! A reference to memory is an address of an instruction (`0x0801`; of a shader's program in bytes from its start), the name of a
//! memory (`vram`), of a place in one (`vram:0x1f9c0`), or of a register (`R0`: sixteen bytes, the lowest of x first).

use crate::dap::debuggee::Debuggee;
use crate::dap::message::{Answer, Arguments, NOT_THERE, Problem, event};
use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;
use gpuzoo::isa::Mask;
use gpuzoo::machine::session::{Address, Cell, Condition, Instruction, Name, Place, Session, Value};
use serde_json::{Value as Json, json};

/// The most instructions, and the most bytes, that one answer has.
const MOST_INSTRUCTIONS: i64 = 1 << 14;

const MOST_BYTES: i64 = 1 << 20;
/// The largest address or slot that is asked for; no program has one.
const FARTHEST: u64 = 1 << 40;

/// What a reference means.
enum Memory {
    /// Bytes of a memory, which has so many.
    Space(&'static str, i64),
    /// The words of a shader's program.
    Program,
    Register(Name),
}

/// The bytes that a slot takes; 1 where programs lie in memory.
fn unit(session: &dyn Session) -> u64 {
    let first = session.shader().map(|shader| shader.listing(0..1, 0));
    let first = first.and_then(|all| all.first().map(|own| own.bytes.len() as u64));
    first.filter(|bytes| *bytes > 0).unwrap_or(1)
}

/// Where an instruction is, in bytes. The second one of a slot is in its middle.
fn address(unit: u64, place: &Place) -> u64 {
    place.at * unit + u64::from(place.part) * (unit / 2)
}

/// The reference to an instruction.
pub(crate) fn pointer(session: &dyn Session, place: &Place) -> String {
    format!("{:#06x}", address(unit(session), place))
}

fn number(text: &str) -> Option<i64> {
    match text.strip_prefix("0x") {
        Some(digits) => i64::from_str_radix(digits, 16).ok(),
        None => text.parse().ok(),
    }
}

/// Where a run stops for an instruction breakpoint.
pub(crate) fn instruction(
    session: &mut dyn Session,
    reference: &str,
    offset: i64,
) -> Result<Condition, Problem> {
    let none = || {
        let help = "`disassemble` has the addresses of instructions";
        Problem::new(&NOT_THERE, format!("there is no instruction at `{reference}`"), help)
    };
    let at = number(reference).and_then(|at| at.checked_add(offset)).and_then(|at| u64::try_from(at).ok());
    let at = at.ok_or_else(none)?;
    let Some(shader) = session.shader() else {
        let space = session.spaces().first();
        let is_there = space.is_some_and(|space| at < space.bytes.into());
        return is_there.then_some(Condition::At(at)).ok_or_else(none);
    };
    // The second instruction of a slot is one step, as all of a shader's are.
    let unit = unit(session);
    let step = shader.places().position(|place| address(unit, place) == at);
    step.map(|step| Condition::Step(step as u64)).ok_or_else(none)
}

/// What a reference means, and the byte of it.
fn meant(session: &mut dyn Session, reference: &str) -> Result<(Memory, i64), Problem> {
    if let Some(at) = number(reference) {
        return Ok(match session.spaces().first() {
            Some(space) => (Memory::Space(space.name, space.bytes.into()), at),
            None => (Memory::Program, at),
        });
    }
    let (name, at) = reference.split_once(':').unwrap_or((reference, "0"));
    let space = session.spaces().iter().find(|space| space.name == name);
    if let Some((space, at)) = space.zip(number(at)) {
        return Ok((Memory::Space(space.name, space.bytes.into()), at));
    }
    let position = session.position();
    let state = session.state(position).unwrap_or_default();
    let register = state.into_iter().find(|register| register.name == reference);
    let register = register.filter(|register| matches!(register.value, Value::Vec4(..)));
    let help = "references are those of variables and frames, or the name of a memory: `ram`, `vram:0x1f9c0`";
    let none = || Problem::new(&NOT_THERE, format!("there is no memory `{reference}`"), help);
    Ok((Memory::Register(register.ok_or_else(none)?.name), 0))
}

/// Bytes that there are, from the first one that is asked for on.
fn bytes(session: &mut dyn Session, memory: &Memory, start: i64, count: i64) -> Vec<u8> {
    let cut = |all: Vec<u8>| {
        let start = usize::try_from(start).unwrap_or(usize::MAX).min(all.len());
        let end = start.saturating_add(usize::try_from(count).unwrap_or(0)).min(all.len());
        all[start..end].to_vec()
    };
    match memory {
        Memory::Space(name, length) => {
            let end = start.saturating_add(count).min(*length);
            let range =
                u32::try_from(start).ok().zip(u32::try_from(end).ok()).filter(|(start, end)| start < end);
            range.and_then(|(start, end)| session.peek(name, start..end)).unwrap_or_default()
        }
        Memory::Program => {
            cut(session.listing(0..u64::MAX, 0).into_iter().flat_map(|own| own.bytes).collect())
        }
        Memory::Register(name) => {
            let position = session.position();
            let state = session.state(position).unwrap_or_default();
            match state.iter().find(|register| register.name == *name).map(|register| register.value) {
                Some(Value::Vec4(bits, _)) => cut(bits.iter().flat_map(|bits| bits.to_le_bytes()).collect()),
                _ => Vec::new(),
            }
        }
    }
}

fn chosen(debuggee: &mut Debuggee) -> Result<&mut dyn Session, Problem> {
    let run = debuggee.own.console.current();
    let debugger = debuggee.own.console.choose(run).ok_or_else(|| Problem::not_there("there is no run"))?;
    Ok(debugger.session())
}

/// `readMemory`.
pub(crate) fn read(debuggee: &mut Debuggee, arguments: Arguments) -> Answer {
    let reference = arguments.the_text("memoryReference")?;
    let count = arguments.the_number("count")?.clamp(0, MOST_BYTES);
    let session = chosen(debuggee)?;
    let (memory, base) = meant(session, reference)?;
    let start = base.saturating_add(arguments.number("offset").unwrap_or(0));
    // What is before the first byte cannot be read either.
    let before = start.min(0).saturating_neg().min(count);
    let found = match before {
        0 => bytes(session, &memory, start, count),
        _ => Vec::new(),
    };
    let mut own =
        json!({ "address": format!("{:#x}", start.max(0)), "data": BASE64_STANDARD.encode(&found) });
    let missing = count - found.len() as i64;
    if missing > 0 {
        own["unreadableBytes"] = if before > 0 { before } else { missing }.into();
    }
    Ok(own)
}

/// `writeMemory`: a poke for each byte, or for the components of a register.
pub(crate) fn write(debuggee: &mut Debuggee, arguments: Arguments) -> Answer {
    let reference = arguments.the_text("memoryReference")?;
    let data = BASE64_STANDARD.decode(arguments.the_text("data")?);
    let data = data.map_err(|error| Problem::bad(format!("`data` is not base64: {error}")))?;
    let session = chosen(debuggee)?;
    let (memory, base) = meant(session, reference)?;
    let start = base.saturating_add(arguments.number("offset").unwrap_or(0));
    let refused = |at: i64| {
        let message = format!("byte {at:#x} of `{reference}` cannot be set");
        Problem::new(
            &gpuzoo::debugger::CANNOT_POKE,
            message,
            "RAM, video memory and registers can be set, ROM and programs cannot",
        )
    };
    let written = match &memory {
        Memory::Program => return Err(refused(start)),
        Memory::Space(space, _) => {
            let mut written = 0;
            for byte in &data {
                let at = u32::try_from(start.saturating_add(written)).ok();
                let cell = at.map(|at| Cell::Memory(Address { space, bank: None, at }));
                if !cell.is_some_and(|cell| session.poke(&cell, Mask(1), Value::integer(*byte, 8))) {
                    if written == 0 || !arguments.is("allowPartial") {
                        return Err(refused(start.saturating_add(written)));
                    }
                    break;
                }
                written += 1;
            }
            written
        }
        Memory::Register(name) => {
            let mut all = bytes(session, &memory, 0, 16);
            let place =
                usize::try_from(start).ok().filter(|start| start.saturating_add(data.len()) <= all.len());
            let Some(place) = place.filter(|_| all.len() == 16) else { return Err(refused(start)) };
            all[place..place + data.len()].copy_from_slice(&data);
            let word = |at: usize| u32::from_le_bytes([0, 1, 2, 3].map(|byte| all[4 * at + byte]));
            let touched = (0..4).filter(|at| place < 4 * at + 4 && 4 * at < place + data.len());
            let mask = Mask(touched.fold(0, |mask, at| mask | 1 << at));
            let position = session.position();
            let state = session.state(position).unwrap_or_default();
            let integers = state.iter().find(|register| register.name == *name).map(|own| own.value);
            let integers = if let Some(Value::Vec4(_, integers)) = integers { integers } else { Mask(0) };
            let value = Value::Vec4([0, 1, 2, 3].map(word), integers);
            if !session.poke(&Cell::Register(name.clone()), mask, value) {
                return Err(refused(start));
            }
            data.len() as i64
        }
    };
    if debuggee.client.invalidated {
        debuggee.events.push(event("invalidated", json!({ "areas": ["variables", "stacks"] })));
    }
    Ok(json!({ "bytesWritten": written }))
}

/// `disassemble`: as many as are asked for, with invalid ones where there is no instruction.
pub(crate) fn disassemble(debuggee: &mut Debuggee, arguments: Arguments) -> Answer {
    let reference = arguments.the_text("memoryReference")?;
    let count = arguments.the_number("instructionCount")?.clamp(0, MOST_INSTRUCTIONS);
    let skipped =
        arguments.number("instructionOffset").unwrap_or(0).clamp(-MOST_INSTRUCTIONS, MOST_INSTRUCTIONS);
    let help = "the reference is the address of an instruction, as frames have it";
    let none = || Problem::new(&NOT_THERE, format!("there is no program at `{reference}`"), help);
    let at = number(reference).and_then(|at| at.checked_add(arguments.number("offset").unwrap_or(0)));
    let at = at.filter(|at| at.unsigned_abs() <= FARTHEST).ok_or_else(none)?;
    let session = chosen(debuggee)?;
    let unit = unit(session);
    let slot = u64::try_from(at).unwrap_or(0) / unit;
    // An instruction is at most three bytes, or one slot, and there is no program of more.
    let most = if session.shader().is_some() { 1 } else { 3 };
    let before = skipped.min(0).unsigned_abs() * most;
    let behind = (skipped + count).max(1).unsigned_abs() * most;
    let listing = session.listing(slot.saturating_sub(before)..slot.saturating_add(behind), slot);
    let wanted = u64::try_from(at).unwrap_or(0);
    let here = listing.partition_point(|own| address(unit, &own.place) < wanted) as i64;
    let mut all = Vec::new();
    for index in 0..count {
        let place = here + skipped + index;
        let own = usize::try_from(place).ok().and_then(|place| listing.get(place));
        all.push(match own {
            Some(own) => shown(debuggee, unit, own),
            None => {
                let past = |known: Option<&Instruction>| known.map_or(at, |own| address(unit, &own.place) as i64);
                let address = match place < 0 {
                    true => past(listing.first()) + place,
                    false => past(listing.last()) + place + 1 - listing.len() as i64,
                };
                json!({ "address": hex(address), "instruction": "no instruction", "presentationHint": "invalid" })
            }
        });
    }
    Ok(json!({ "instructions": all }))
}

/// An address; before the first one it is negative, which the protocol has in decimal alone.
fn hex(address: i64) -> String {
    if address < 0 { address.to_string() } else { format!("{address:#06x}") }
}

fn shown(debuggee: &Debuggee, unit: u64, own: &Instruction) -> Json {
    let address = hex(address(unit, &own.place) as i64);
    let mut shown = json!({ "address": address, "instruction": own.place.text });
    if !own.bytes.is_empty() {
        let bytes: Vec<String> = own.bytes.iter().map(|byte| format!("{byte:02X}")).collect();
        shown["instructionBytes"] = bytes.join(" ").into();
    }
    let file = own.place.span.and_then(|span| Some((span, debuggee.own.console.sources().find(span.file)?)));
    if let Some((span, file)) = file.filter(|(_, file)| !file.is_binary()) {
        shown["location"] = debuggee.source_of(file);
        shown["line"] = debuggee.client.line(file.place(span.start).line).into();
    }
    shown
}
