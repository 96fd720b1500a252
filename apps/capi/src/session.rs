//! Sessions: one vertex's run, or that of a 65C02's program, step by step in both directions.

use crate::handles::{Alone, alone, free, give, shared};
use crate::kernel::{Resolved, gpuzoo_kernel, gpuzoo_run};
use crate::memory::{Options, elements, place, store, store_sized};
use crate::problems::{call_with, gpuzoo_problems};
use crate::status::{Failure, call, gpuzoo_status, gpuzoo_status::*};
use crate::text::{Kept, gpuzoo_text};
use gpuzoo::computer::Input;
use gpuzoo::debug::{Debugger, Expression, Halt, Unclear};
use gpuzoo::debugger::command::EVENTS;
use gpuzoo::diag::Sources;
use gpuzoo::isa::{FileKind, Mask, Reg};
use gpuzoo::session::{Cell, Condition, Register, Session, Value};
use gpuzoo::{Arguments, Inputs};
use std::ffi::c_void;
use std::sync::Arc;

/// A run that goes forward and back. One thread at a time may use it.
pub struct gpuzoo_session {
    debugger: Debugger,
    sources: Arc<Sources>,
    text: Kept,
    registers: Option<Vec<(Register, [Kept; 2])>>,
    changes: Option<Vec<gpuzoo_change>>,
    change_names: Vec<Kept>,
}

// SAFETY: what is not `Send` are the pointers of `changes`, which lead to texts that the session itself keeps.
unsafe impl Send for gpuzoo_session {}

impl gpuzoo_session {
    fn new(session: Box<dyn Session>, sources: Arc<Sources>) -> gpuzoo_session {
        let debugger = Debugger::new(session);
        let (text, change_names) = (Kept::default(), Vec::new());
        gpuzoo_session { debugger, sources, text, registers: None, changes: None, change_names }
    }

    fn session(&mut self) -> &mut dyn Session {
        self.debugger.session()
    }

    /// Forgets what was said of the place before.
    fn moved(&mut self) {
        (self.registers, self.changes) = (None, None);
        self.change_names.clear();
    }

    fn registers(&mut self) -> &[(Register, [Kept; 2])] {
        if self.registers.is_none() {
            let session = self.session();
            let position = session.position();
            let state = session.state(position).unwrap_or_default();
            let kept = |register: Register| {
                let texts = [&register.name, register.group].map(Kept::new);
                (register, texts)
            };
            self.registers = Some(state.into_iter().map(kept).collect());
        }
        self.registers.as_deref().unwrap_or_default()
    }

    fn changes(&mut self) -> &[gpuzoo_change] {
        if self.changes.is_none() {
            let session = self.session();
            let step = session.position().checked_sub(1);
            let changes = step.and_then(|step| session.changes(step)).unwrap_or_default();
            let name = |cell: &Cell| match cell {
                Cell::Register(name) => name.to_string(),
                Cell::Memory(address) => format!("{}[{:#x}]", address.space, address.at),
            };
            self.change_names = changes.iter().map(|change| Kept::new(&name(&change.cell))).collect();
            let change = |(change, name): (&gpuzoo::session::Change, &Kept)| gpuzoo_change {
                struct_size: 0,
                name: name.view(),
                components: change.components.0.into(),
                before: bits(change.before).0,
                after: bits(change.after).0,
                integers: integers(change.after),
            };
            self.changes = Some(changes.iter().zip(&self.change_names).map(change).collect());
        }
        self.changes.as_deref().unwrap_or_default()
    }
}

/// The words of a value, and how many bits it has.
fn bits(value: Value) -> ([u32; 4], u32) {
    match value {
        Value::Vec4(words, _) => (words, 128),
        Value::Integer { value, bits } => ([value as u32, (value >> 32) as u32, 0, 0], bits.into()),
    }
}

/// The components of a value that are integers, as the C library's masks have them.
fn integers(value: Value) -> u32 {
    if let Value::Vec4(_, integers) = value { integers.0.into() } else { 0 }
}

fn unclear(problem: Unclear) -> Failure {
    Failure::new(GPUZOO_ERR_INPUT, problem.message)
}

/// Begins the session of a vertex, counted from 0, of what `run` gives to a kernel; its outputs do not count. The values are copied.
/// `problems` may be NULL.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gpuzoo_session_open(
    kernel: *const gpuzoo_kernel,
    run: *const gpuzoo_run,
    vertex: usize,
    session: *mut *mut gpuzoo_session,
    problems: *mut *mut gpuzoo_problems,
) -> gpuzoo_status {
    // SAFETY: the caller's pointers.
    unsafe {
        call_with(problems, || {
            place(session)?;
            let own = shared(kernel)?;
            let Resolved { run, inputs, constants } = Resolved::new(&own, run)?;
            let program = own.kernel.program();
            let names = program.isa().files.iter().find(|file| file.kind == FileKind::Input);
            if vertex >= run.count {
                let message = format!("there is no vertex {vertex}: there are {}", run.count);
                return Err(Failure::argument(message));
            }
            // Vertices behind it have no say.
            let mut given = Inputs::new().zeros();
            for (number, column) in &inputs {
                let values: Vec<[u32; 4]> = (0..=vertex).map(|vertex| column.value(vertex)).collect();
                given = given.set(&names.map_or_else(String::new, |file| file.reg_name(*number)), &values)?;
            }
            let file = program.isa().constants().map_or(0, |(file, _)| file);
            for number in &constants.given {
                let name = program.code().reg_name(program.isa(), Reg { file, index: *number });
                given = given.constant(&name, constants.values[usize::from(*number)]);
            }
            let resolved = program.session(own.state.state(), &given, vertex)?;
            store(session, give(gpuzoo_session::new(Box::new(resolved), program.sources().clone()))?)
        })
    }
}

/// Begins the session of a program of the 65C02 around VERA: a text for the assembler or a PRG file, as the name or the bytes say.
/// `problems` may be NULL.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gpuzoo_session_open_program(
    name: gpuzoo_text,
    data: *const c_void,
    size: usize,
    session: *mut *mut gpuzoo_session,
    problems: *mut *mut gpuzoo_problems,
) -> gpuzoo_status {
    // SAFETY: the caller's pointers.
    unsafe {
        call_with(problems, || {
            place(session)?;
            let (name, bytes) = (name.text()?, elements(data.cast(), size)?);
            let mut include = |_: &str| Err("no files are given".to_owned());
            let input = Input { name, bytes, form: None, include: &mut include };
            let software = gpuzoo::vera().read(input, &Arguments::default())?;
            let run = software.session(&Arguments::default())?;
            store(session, give(gpuzoo_session::new(run, software.sources().clone()))?)
        })
    }
}

/// Ends a session. NULL is nothing to end.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gpuzoo_session_free(session: *mut gpuzoo_session) -> gpuzoo_status {
    call(|| free(session))
}

/// How many steps lead here from the start. `total`, which may be NULL, gets how many the run has, or UINT64_MAX if that is not known.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gpuzoo_session_position(
    session: *mut gpuzoo_session,
    position: *mut u64,
    total: *mut u64,
) -> gpuzoo_status {
    // SAFETY: the caller's pointers.
    call(|| unsafe {
        let mut own = alone(session)?;
        let session = own.session();
        store(position, session.position())?;
        if total.is_null() { Ok(()) } else { store(total, session.total().unwrap_or(u64::MAX)) }
    })
}

unsafe fn take(
    session: *mut gpuzoo_session,
    moved: *mut u8,
    step: fn(&mut dyn Session) -> bool,
) -> gpuzoo_status {
    call(|| {
        place(moved)?;
        let mut own = alone(session)?;
        own.moved();
        let done = step(own.session());
        // SAFETY: the caller's pointer.
        unsafe { store(moved, u8::from(done)) }
    })
}

/// Takes a step. `moved` gets 0 at the end, else 1.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gpuzoo_session_step(session: *mut gpuzoo_session, moved: *mut u8) -> gpuzoo_status {
    // SAFETY: the caller's pointers.
    unsafe { take(session, moved, |session| session.step()) }
}

/// Takes a step back. `moved` gets 0 at the start, or at the oldest step that is kept, else 1.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gpuzoo_session_back(session: *mut gpuzoo_session, moved: *mut u8) -> gpuzoo_status {
    // SAFETY: the caller's pointers.
    unsafe { take(session, moved, |session| session.back()) }
}

/// Goes to a position, or as near as the run allows; `reached` gets where that is.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gpuzoo_session_seek(
    session: *mut gpuzoo_session,
    position: u64,
    reached: *mut u64,
) -> gpuzoo_status {
    // SAFETY: the caller's pointers.
    call(|| unsafe {
        place(reached)?;
        let mut own = alone(session)?;
        own.moved();
        store(reached, own.session().seek(position))
    })
}

/// What comes next. The text stays until the session is asked again, or moves.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct gpuzoo_place {
    /// The size of this structure; the caller sets it.
    pub struct_size: usize,
    /// The slot of the program, or the address of the instruction.
    pub at: u64,
    /// Which of the slot's instructions: 0, or 1 for the second.
    pub part: u32,
    /// The instruction.
    pub text: gpuzoo_text,
    /// The line of the program's text, from 1; 0 if it has none.
    pub line: usize,
    /// The column in bytes, from 1; 0 if it has none.
    pub column: usize,
}

// SAFETY: it begins with its size; texts and numbers may hold any bits.
unsafe impl Options for gpuzoo_place {}

/// What comes next. At the end there is nothing: GPUZOO_ERR_NOT_FOUND.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gpuzoo_session_place(
    session: *mut gpuzoo_session,
    place: *mut gpuzoo_place,
) -> gpuzoo_status {
    call(|| {
        let mut own = alone(session)?;
        let session = own.session();
        let position = session.position();
        let next =
            session.place(position).ok_or_else(|| Failure::new(GPUZOO_ERR_NOT_FOUND, "the run has ended"))?;
        let file = next.span.and_then(|span| own.sources.find(span.file)).filter(|file| !file.is_binary());
        let found = file.zip(next.span).map(|(file, span)| file.place(span.start));
        let (line, column) = found.map_or((0, 0), |place| (place.line, place.column));
        own.text = Kept::new(&next.text);
        let text = own.text.view();
        let value = gpuzoo_place { struct_size: 0, at: next.at, part: next.part.into(), text, line, column };
        // SAFETY: the caller's pointer.
        unsafe { store_sized(place, value) }
    })
}

/// A register and what it holds. Its texts stay until the session moves.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct gpuzoo_register {
    /// The size of this structure; the caller sets it.
    pub struct_size: usize,
    /// Its name.
    pub name: gpuzoo_text,
    /// What it is among the machine's registers.
    pub group: gpuzoo_text,
    /// The bits of its four components, or of an integer, lowest first.
    pub words: [u32; 4],
    /// How many bits it has: 128 for four components.
    pub bits: u32,
    /// The components that the steps so far have written: 1 for x, 2 for y, 4 for z, 8 for w.
    pub written: u32,
    /// Of four components those that are signed integers; the others are floats.
    pub integers: u32,
}

// SAFETY: it begins with its size; texts and numbers may hold any bits.
unsafe impl Options for gpuzoo_register {}

unsafe fn give_register(
    found: Option<&(Register, [Kept; 2])>,
    to: *mut gpuzoo_register,
) -> Result<(), Failure> {
    let (register, [name, group]) =
        found.ok_or_else(|| Failure::new(GPUZOO_ERR_NOT_FOUND, "there is no such register"))?;
    let (words, bits) = bits(register.value);
    let (name, group, written) = (name.view(), group.view(), register.written.0.into());
    let integers = integers(register.value);
    // SAFETY: the caller's pointer.
    unsafe {
        store_sized(to, gpuzoo_register { struct_size: 0, name, group, words, bits, written, integers })
    }
}

/// A register here, counted from 0. GPUZOO_ERR_NOT_FOUND is behind the last one.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gpuzoo_session_register(
    session: *mut gpuzoo_session,
    index: usize,
    register: *mut gpuzoo_register,
) -> gpuzoo_status {
    // SAFETY: the caller's pointers.
    call(|| unsafe { give_register(alone(session)?.registers().get(index), register) })
}

/// The register of a name here.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gpuzoo_session_find(
    session: *mut gpuzoo_session,
    name: gpuzoo_text,
    register: *mut gpuzoo_register,
) -> gpuzoo_status {
    // SAFETY: the caller's pointers.
    call(|| unsafe {
        let name = name.text()?;
        let mut own = alone(session)?;
        let found = own.registers().iter().find(|(register, _)| register.name.eq_ignore_ascii_case(name));
        give_register(found, register)
    })
}

/// What the last step wrote. Its text stays until the session moves.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct gpuzoo_change {
    /// The size of this structure; the caller sets it.
    pub struct_size: usize,
    /// The register's name, or a byte of a memory, such as `vram[0x10]`.
    pub name: gpuzoo_text,
    /// The components that were written, as in gpuzoo_register.
    pub components: u32,
    /// The whole value before.
    pub before: [u32; 4],
    /// The whole value after.
    pub after: [u32; 4],
    /// Of four components those that are signed integers after the step; the others are floats.
    pub integers: u32,
}

// SAFETY: it begins with its size; texts and numbers may hold any bits.
unsafe impl Options for gpuzoo_change {}

/// What the step that led here wrote, counted from 0. GPUZOO_ERR_NOT_FOUND is behind the last one.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gpuzoo_session_change(
    session: *mut gpuzoo_session,
    index: usize,
    change: *mut gpuzoo_change,
) -> gpuzoo_status {
    call(|| {
        let mut own = alone(session)?;
        let found = own.changes().get(index).copied();
        let found =
            found.ok_or_else(|| Failure::new(GPUZOO_ERR_NOT_FOUND, format!("there is no change {index}")))?;
        // SAFETY: the caller's pointer.
        unsafe { store_sized(change, found) }
    })
}

unsafe fn add(
    session: *mut gpuzoo_session,
    only_if: gpuzoo_text,
    number: *mut u32,
    condition: impl FnOnce(&mut Alone<gpuzoo_session>) -> Result<Vec<Condition>, Failure>,
) -> gpuzoo_status {
    call(|| {
        place(number)?;
        // SAFETY: the caller's text.
        let only_if = unsafe { only_if.name() }?.map(Expression::read).transpose().map_err(unclear)?;
        let mut own = alone(session)?;
        let conditions = condition(&mut own)?;
        let mut last = 0;
        for condition in conditions {
            last = own.debugger.add(condition, only_if.clone());
        }
        // SAFETY: the caller's pointer.
        unsafe { store(number, last) }
    })
}

/// Adds a breakpoint before a slot or an address. `only_if` is empty, or what must hold there, such as r0.x > 1. `number` gets the
/// breakpoint's number, from 1.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gpuzoo_session_break_at(
    session: *mut gpuzoo_session,
    at: u64,
    only_if: gpuzoo_text,
    number: *mut u32,
) -> gpuzoo_status {
    // SAFETY: the caller's pointers.
    unsafe { add(session, only_if, number, |_| Ok(vec![Condition::At(at)])) }
}

/// Adds a breakpoint before what comes from a line of the program's text, counted from 1.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gpuzoo_session_break_at_line(
    session: *mut gpuzoo_session,
    line: usize,
    only_if: gpuzoo_text,
    number: *mut u32,
) -> gpuzoo_status {
    // SAFETY: the caller's pointers.
    unsafe {
        add(session, only_if, number, |own| {
            let lines = own.session().lines();
            let line_of =
                |span: &gpuzoo::diag::Span| Some(own.sources.find(span.file)?.place(span.start).line);
            let found = lines.iter().find(|(_, span)| line_of(span) == Some(line));
            let (at, _) = found.ok_or_else(|| {
                Failure::new(GPUZOO_ERR_NOT_FOUND, format!("nothing comes from line {line}"))
            })?;
            Ok(vec![Condition::At(*at)])
        })
    }
}

/// Adds a breakpoint behind steps that write some of a register's components: 1 for x, 2 for y, 4 for z, 8 for w; 15 for all.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gpuzoo_session_break_on_write(
    session: *mut gpuzoo_session,
    name: gpuzoo_text,
    components: u32,
    only_if: gpuzoo_text,
    number: *mut u32,
) -> gpuzoo_status {
    // SAFETY: the caller's pointers.
    unsafe {
        add(session, only_if, number, |own| {
            let name = name.text()?;
            if !(1..=15).contains(&components) {
                return Err(Failure::argument("components are 1 to 15"));
            }
            let found = own.registers().iter().find(|(register, _)| register.name.eq_ignore_ascii_case(name));
            let found = found.ok_or_else(|| {
                Failure::new(GPUZOO_ERR_NOT_FOUND, format!("there is no register `{name}`"))
            })?;
            Ok(vec![Condition::Register(found.0.name.clone(), Mask(components as u8))])
        })
    }
}

/// Adds a breakpoint behind steps in which something happens: nan, inf, undefined, range, odd (one of these four), texture, kill,
/// interrupt or frame. Of odd, the number is that of the last of four.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gpuzoo_session_break_on_event(
    session: *mut gpuzoo_session,
    event: gpuzoo_text,
    only_if: gpuzoo_text,
    number: *mut u32,
) -> gpuzoo_status {
    // SAFETY: the caller's pointers.
    unsafe {
        add(session, only_if, number, |_| {
            let name = event.text()?;
            let found = EVENTS.iter().find(|(known, ..)| *known == name);
            let (_, kinds, _) = found
                .ok_or_else(|| Failure::new(GPUZOO_ERR_NOT_FOUND, format!("there is no event `{name}`")))?;
            Ok(kinds.iter().map(|kind| Condition::Event(*kind)).collect())
        })
    }
}

/// Removes a breakpoint.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gpuzoo_session_unbreak(session: *mut gpuzoo_session, number: u32) -> gpuzoo_status {
    call(|| match alone(session)?.debugger.remove(number) {
        true => Ok(()),
        false => Err(Failure::new(GPUZOO_ERR_NOT_FOUND, format!("there is no breakpoint {number}"))),
    })
}

/// Why a run stopped.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum gpuzoo_halt {
    /// At a breakpoint.
    GPUZOO_HALT_BREAKPOINT = 0,
    /// At the end of the program.
    GPUZOO_HALT_END = 1,
    /// At the start, or the oldest step that is kept.
    GPUZOO_HALT_START = 2,
    /// After as many steps as were allowed.
    GPUZOO_HALT_LIMIT = 3,
}

unsafe fn go(
    session: *mut gpuzoo_session,
    limit: u64,
    halt: *mut gpuzoo_halt,
    number: *mut u32,
    forward: bool,
) -> gpuzoo_status {
    call(|| {
        place(halt)?;
        let mut own = alone(session)?;
        own.moved();
        let debugger = &mut own.debugger;
        let went = if forward { debugger.run(&[], limit) } else { debugger.run_back(&[], limit) };
        let (why, met) = match went.map_err(unclear)? {
            Halt::Breakpoint(met) => (gpuzoo_halt::GPUZOO_HALT_BREAKPOINT, met),
            Halt::End => (gpuzoo_halt::GPUZOO_HALT_END, 0),
            Halt::Start => (gpuzoo_halt::GPUZOO_HALT_START, 0),
            Halt::Met(_) | Halt::Limit => (gpuzoo_halt::GPUZOO_HALT_LIMIT, 0),
        };
        // SAFETY: the caller's pointers.
        unsafe {
            store(halt, why)?;
            if number.is_null() { Ok(()) } else { store(number, met) }
        }
    })
}

/// Goes on to the next breakpoint, by at least a step and at most `limit`. `number`, which may be NULL, gets the breakpoint's, or 0.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gpuzoo_session_run(
    session: *mut gpuzoo_session,
    limit: u64,
    halt: *mut gpuzoo_halt,
    number: *mut u32,
) -> gpuzoo_status {
    // SAFETY: the caller's pointers.
    unsafe { go(session, limit, halt, number, true) }
}

/// The same backward.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gpuzoo_session_run_back(
    session: *mut gpuzoo_session,
    limit: u64,
    halt: *mut gpuzoo_halt,
    number: *mut u32,
) -> gpuzoo_status {
    // SAFETY: the caller's pointers.
    unsafe { go(session, limit, halt, number, false) }
}

/// Gives components of a register other values here, whatever the program does; what comes after is run again from here. An integer has
/// its low word in x. GPUZOO_ERR_INPUT is for what cannot be set.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gpuzoo_session_poke(
    session: *mut gpuzoo_session,
    name: gpuzoo_text,
    components: u32,
    words: *const u32,
    count: usize,
) -> gpuzoo_status {
    call(|| {
        // SAFETY: the caller's pointers.
        let (name, words) = unsafe { (name.text()?, elements(words, count)?) };
        let Ok(words) = <[u32; 4]>::try_from(words) else {
            return Err(Failure::argument(format!("a value has 4 words, not {count}")));
        };
        if !(1..=15).contains(&components) {
            return Err(Failure::argument("components are 1 to 15"));
        }
        let mut own = alone(session)?;
        let found = own.registers().iter().find(|(register, _)| register.name.eq_ignore_ascii_case(name));
        let found = found
            .ok_or_else(|| Failure::new(GPUZOO_ERR_NOT_FOUND, format!("there is no register `{name}`")))?;
        let value = match found.0.value {
            Value::Vec4(_, integers) => Value::Vec4(words, integers),
            Value::Integer { bits, .. } => {
                Value::integer(u64::from(words[0]) | u64::from(words[1]) << 32, bits)
            }
        };
        let cell = Cell::Register(found.0.name.clone());
        own.moved();
        match own.session().poke(&cell, Mask(components as u8), value) {
            true => Ok(()),
            false => Err(Failure::new(GPUZOO_ERR_INPUT, format!("`{name}` cannot be set to this here"))),
        }
    })
}

/// Bytes of a memory here: ram or vram of the machine around VERA.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gpuzoo_session_peek(
    session: *mut gpuzoo_session,
    space: gpuzoo_text,
    address: u32,
    buffer: *mut u8,
    size: usize,
) -> gpuzoo_status {
    call(|| {
        // SAFETY: the caller's pointers.
        let (space, to) = unsafe { (space.text()?, crate::memory::elements_mut(buffer, size)?) };
        let none = || Failure::new(GPUZOO_ERR_NOT_FOUND, "there is no such memory, or not so much of it");
        let end = u32::try_from(size).ok().and_then(|size| address.checked_add(size)).ok_or_else(none)?;
        let bytes = alone(session)?.session().peek(space, address..end).filter(|bytes| bytes.len() == size);
        to.copy_from_slice(&bytes.ok_or_else(none)?);
        Ok(())
    })
}
