//! What the debugger shows.

use super::command::{Cast, Watch};
use super::{Console, Refused};
use crate::paint::Ink;
use crate::value;
use crate::why::{base, named};
use gpuzoo_debug::{Component, Quantity};
use gpuzoo_isa::Mask;
use gpuzoo_machine::session::{Cell, Change, Condition, Event, EventKind, Place, Value};
use std::fmt::Write;

/// The most reads and changes of a step that are shown.
const MOST_CHANGES: usize = 16;
/// Columns of a line of registers.
const COLUMNS: usize = 96;

impl Console {
    /// Where the run is, and what is watched.
    pub(super) fn here(&mut self) -> String {
        let mut text = self.place();
        for watch in self.watches.clone() {
            let shown = self.shown(&watch);
            text += &shown.unwrap_or_else(|Refused(_, message)| format!("{}: {message}\n", watch.text));
        }
        text
    }

    /// `step 4 of 11  slot 4  light.vsh:5  MUL R0.xyz, v2, R1.x`
    pub(super) fn place(&mut self) -> String {
        let session = self.session();
        let (position, total) = (session.position(), session.total());
        let mut text = match total {
            Some(total) => format!("step {position} of {total}"),
            None => format!("step {position}"),
        };
        let killed = session.shader().is_some_and(|shader| shader.killed());
        let is_memory = !session.spaces().is_empty();
        let Some(place) = session.place(position) else {
            text += if killed { "  the end: killed\n" } else { "  the end\n" };
            return text;
        };
        text += "  ";
        text += &if is_memory { self.address(place.at) } else { format!("slot {}", place.at) };
        if let Some(line) = self.line(&place) {
            text += &format!("  {line}");
        }
        let _ = writeln!(text, "  {}", self.paint.ink(Ink::Head, &place.text));
        text
    }

    /// `$0825 fill`, or without a label `$0826`
    fn address(&mut self, at: u64) -> String {
        match self.session().label(at) {
            Some(label) => format!("${at:04X} {label}"),
            None => format!("${at:04X}"),
        }
    }

    /// `light.vsh:5`
    fn line(&self, place: &Place) -> Option<String> {
        let span = place.span?;
        let file =
            self.sources.find(span.file).filter(|file| !file.is_binary() && !file.text().is_empty())?;
        Some(format!("{}:{}", base(file.name()), file.place(span.start).line))
    }

    /// What the step before read, changed, and what was remarkable about it.
    pub fn last(&mut self) -> String {
        let session = self.session();
        let Some(step) = session.position().checked_sub(1) else { return "no step is before\n".to_owned() };
        let reads = session.reads(step).unwrap_or_default();
        let changes = session.changes(step).unwrap_or_default();
        let mut lines: Vec<String> = Vec::new();
        for read in &reads {
            lines.push(format!("   reads {}", self.held(&read.cell, read.components, read.value)));
        }
        for Change { cell, components, before, after } in &changes {
            let now = self.paint.ink(Ink::New, self.held(cell, *components, *after));
            let was = self.held(cell, *components, *before);
            let was = was.split_once(" = ").map_or("", |(_, value)| value);
            lines.push(match before == after {
                true => format!("  writes {now}, as before"),
                false => format!("  writes {now}, before {was}"),
            });
        }
        let more = lines.len().saturating_sub(MOST_CHANGES);
        lines.truncate(MOST_CHANGES);
        let mut text: String = lines.into_iter().map(|line| line + "\n").collect();
        if more > 0 {
            let _ = writeln!(text, "         and {more} more");
        }
        for told in self.remarks() {
            let _ = writeln!(text, "         {}", self.paint.ink(Ink::Odd, told));
        }
        text
    }

    /// What was remarkable about the step before, a sentence each.
    pub fn remarks(&mut self) -> Vec<String> {
        let session = self.session();
        let events = session.position().checked_sub(1).and_then(|step| session.events(step));
        events.unwrap_or_default().iter().filter_map(sentence).collect()
    }

    /// `R0.xy = (1, 2)`, `A = $2A`, `vram[$00100] = $FF`
    fn held(&mut self, cell: &Cell, components: Mask, value: Value) -> String {
        let name = match cell {
            Cell::Register(name) => name.to_string(),
            Cell::Memory(address) => {
                // Labels are addresses of what the CPU reaches.
                let session = self.session();
                let is_first = session.spaces().first().is_some_and(|first| first.name == address.space);
                let label = session.label(address.at.into()).filter(|_| is_first);
                let label = label.map(|label| format!(" {label}")).unwrap_or_default();
                format!("{}[${:04X}]{label}", address.space, address.at)
            }
        };
        match value {
            Value::Vec4(bits, integers) => named(&name, components, (bits, integers), self.bits),
            Value::Integer { value, bits } => format!("{name} = {}", integer(value, bits)),
        }
    }

    /// The registers that were written, or all; integers that are not 0, or all.
    pub(super) fn registers(&mut self, all: bool) -> String {
        let session = self.session();
        let position = session.position();
        let (mut text, mut line) = (String::new(), String::new());
        for register in session.state(position).unwrap_or_default() {
            match register.value {
                Value::Vec4(bits, integers) if all || !register.written.is_empty() => {
                    let has = (0..4u8).filter(|at| register.components.has(*at));
                    let shown: Vec<String> = has
                        .map(|at| match all || register.written.has(at) {
                            true => value::typed(bits[usize::from(at)], integers.has(at), self.bits),
                            false => "_".to_owned(),
                        })
                        .collect();
                    let _ = match &shown[..] {
                        [one] => writeln!(text, "{} = {one}", register.name),
                        _ => writeln!(text, "{} = ({})", register.name, shown.join(", ")),
                    };
                }
                Value::Integer { value, bits } if all || value != 0 => {
                    let one = format!("{} = {}", register.name, integer(value, bits));
                    if !line.is_empty() && line.len() + one.len() + 2 > COLUMNS {
                        text += &(std::mem::take(&mut line) + "\n");
                    }
                    line += if line.is_empty() { "" } else { "  " };
                    line += &one;
                }
                _ => {}
            }
        }
        if !line.is_empty() {
            text += &(line + "\n");
        }
        if text.is_empty() { "no register was written yet\n".to_owned() } else { text }
    }

    /// The instructions around here, of a shader's run; else the lines of the text.
    pub(super) fn list(&mut self, around: u64) -> String {
        let session = self.session();
        let position = session.position();
        let around = usize::try_from(around).unwrap_or(usize::MAX);
        let mut text = String::new();
        if let Some(shader) = session.shader() {
            let position = position as usize;
            let first = position.saturating_sub(around);
            let end = position.saturating_add(around);
            for (number, place) in
                shader.places().enumerate().skip(first).take_while(|(number, _)| *number <= end)
            {
                let mark = if number == position { '>' } else { ' ' };
                let _ = writeln!(text, "{mark}{:>4}  {}", place.at, place.text);
            }
            if position == shader.steps().len() {
                text += ">     the end\n";
            }
            return text;
        }
        let span = session.place(position).and_then(|place| place.span);
        let file = span.and_then(|span| self.sources.find(span.file)).filter(|file| !file.is_binary());
        let Some((span, file)) = span.zip(file) else { return self.place() };
        let here = file.place(span.start).line;
        let last = file.text().lines().count();
        for line in here.saturating_sub(around).max(1)..=here.saturating_add(around).min(last) {
            let mark = if line == here { '>' } else { ' ' };
            let _ = writeln!(text, "{mark}{line:>4}  {}", file.line(line).trim_end());
        }
        text
    }

    /// The breakpoints and watches.
    pub(super) fn breaks(&mut self) -> String {
        let mut text = String::new();
        let is_memory = !self.session().spaces().is_empty();
        let breakpoints = self.run().map(|run| run.debugger.breakpoints().to_vec()).unwrap_or_default();
        for breakpoint in breakpoints {
            let what = match &breakpoint.condition {
                Condition::At(at) if is_memory => self.address(*at),
                Condition::At(at) => format!("slot {at}"),
                Condition::Register(name, mask) if *mask == Mask::ALL => format!("write {name}"),
                Condition::Register(name, mask) => format!("write {name}.{mask}"),
                Condition::Memory { space, range } => {
                    format!("write {space}[${:04X}..${:04X}]", range.start(), range.end())
                }
                Condition::Event(kind) => word(*kind).to_owned(),
                Condition::Step(step) => format!("step {step}"),
                Condition::Unwound(depth) => format!("less than {depth} on the stack"),
            };
            let only_if =
                breakpoint.only_if.as_ref().map_or_else(String::new, |only_if| format!(" if {only_if}"));
            let _ = writeln!(text, "breakpoint {}: {what}{only_if}", breakpoint.number);
        }
        for watch in &self.watches {
            let _ = writeln!(text, "watch {}", watch.text);
        }
        if text.is_empty() { "there are none\n".to_owned() } else { text }
    }

    /// `r0.x = 1`, `r0.x == 2.5 is true`
    pub(super) fn shown(&mut self, watch: &Watch) -> Result<String, Refused> {
        let quantity = watch.expression.value(self.session())?;
        Ok(told(watch, quantity, self.bits))
    }

    /// A value as text: `1`, `(1, 2)`, `$2A`, `true`; bytes in rows of 16, one below the other.
    pub fn text_of(&self, quantity: &Quantity, cast: Cast) -> String {
        text_of(quantity, cast, self.bits)
    }
}

/// The value of an expression, with its text.
pub(super) fn told(watch: &Watch, quantity: Quantity, bits: bool) -> String {
    let (text, value) = (&watch.text, text_of(&quantity, watch.cast, bits));
    match quantity {
        Quantity::Truth(_) => format!("{text} is {value}\n"),
        _ if value.contains('\n') => format!("{text} =\n {}\n", value.replace('\n', "\n ")),
        _ => format!("{text} = {value}\n"),
    }
}

fn text_of(quantity: &Quantity, cast: Cast, bits: bool) -> String {
    match quantity {
        Quantity::Truth(holds) => holds.to_string(),
        Quantity::Components(all) => components(all, cast, bits),
        Quantity::Integer(value, size) => cast_integer(*value, *size, cast),
        Quantity::Number(float, _) => {
            components(&[Component { bits: float.to_bits(), is_integer: false }], cast, bits)
        }
        Quantity::Bytes(bytes) if cast == Cast::Color => {
            format!("#{}", bytes.iter().map(|byte| format!("{byte:02x}")).collect::<String>())
        }
        Quantity::Bytes(bytes) => {
            let row = |row: &[u8]| {
                let row = row.iter().map(|byte| match cast {
                    Cast::Usual | Cast::Bits => format!("{byte:02X}"),
                    cast => cast_integer((*byte).into(), 8, cast),
                });
                row.collect::<Vec<_>>().join(" ")
            };
            bytes.chunks(16).map(row).collect::<Vec<_>>().join("\n")
        }
    }
}

fn integer(value: u64, bits: u8) -> String {
    match bits {
        0..=32 => format!("${value:0width$X}", width = usize::from(bits.div_ceil(4))),
        // What counts: cycles and pictures.
        _ => value.to_string(),
    }
}

fn cast_integer(value: u64, bits: u8, cast: Cast) -> String {
    let bits = bits.clamp(1, 64);
    match cast {
        Cast::Usual | Cast::Bits | Cast::Color => integer(value, bits),
        Cast::Unsigned => value.to_string(),
        Cast::Float => crate::value::show(value as u32),
        Cast::Signed => ((value << (64 - bits)) as i64 >> (64 - bits)).to_string(),
        Cast::Binary => format!("%{value:0width$b}", width = usize::from(bits)),
    }
}

fn components(all: &[Component], cast: Cast, bits: bool) -> String {
    if cast == Cast::Color {
        // As a picture has them: 0 to 255, the nearest.
        let byte = |own: &Component| (f32::from_bits(own.bits).clamp(0.0, 1.0) * 255.0 + 0.5) as u8;
        return format!("#{}", all.iter().map(|bits| format!("{:02x}", byte(bits))).collect::<String>());
    }
    let one = |own: &Component| match cast {
        Cast::Usual => value::typed(own.bits, own.is_integer, bits),
        Cast::Float => value::show(own.bits),
        Cast::Bits => value::pattern(own.bits),
        cast => cast_integer(own.bits.into(), 32, cast),
    };
    let shown: Vec<String> = all.iter().map(one).collect();
    match &shown[..] {
        [one] => one.clone(),
        _ => format!("({})", shown.join(", ")),
    }
}

/// What happened in a step, if it is worth a sentence.
fn sentence(event: &Event) -> Option<String> {
    Some(match event {
        Event::NotANumber { register, components } => format!("{register}.{components} becomes NaN"),
        Event::Infinite { register, components } => format!("{register}.{components} becomes infinite"),
        Event::UndefinedRead { register, components } => {
            format!("{register}.{components} is read, and nothing has written it")
        }
        Event::OutOfReach { register, number } => {
            format!("number {number} is read from {register} on, which is not there")
        }
        Event::Killed => "the fragment is killed".to_owned(),
        Event::Interrupt => "an interrupt is entered".to_owned(),
        Event::Frame => "a picture is complete".to_owned(),
        _ => return None,
    })
}

/// The word for an event.
fn word(kind: EventKind) -> &'static str {
    let known = super::EVENTS.iter().find(|(_, known, _)| *known == [kind]);
    known.map_or("write", |(name, ..)| name)
}
