//! The Commander X16 around VERA: programs of the 65C02, run as they are.

use crate::handles::{alone, free, give};
use crate::memory::{Options, elements, elements_mut, fill, options, place, store, store_sized};
use crate::problems::{call_with, gpuzoo_problems};
use crate::status::{Failure, call, gpuzoo_status};
use crate::text::{Kept, gpuzoo_text};
use crate::vera;
use gpuzoo::Arguments;
use gpuzoo::computer::Input;
use gpuzoo::machines::x16::{Config, Limits, X16};
use std::ffi::{c_char, c_void};

/// A Commander X16. One thread at a time may use it.
pub struct gpuzoo_x16 {
    machine: X16,
    ending: Kept,
}

/// What a machine is made of. All zeros, but for the size, are what is usual, and so is NULL in place of it.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct gpuzoo_x16_options {
    /// The size of this structure; the caller sets it.
    pub struct_size: usize,
    /// VERA's profile, as in gpuzoo_vera_options.
    pub profile: gpuzoo_text,
    /// Banks of RAM, 8 KB each, 1 to 256; 0 for 64.
    pub ram_banks: usize,
    /// An image of the ROM, bank 0 first; NULL for stand-ins for its usual routines.
    pub rom: *const c_void,
    /// Its bytes.
    pub rom_size: usize,
    /// 1 if there will be gpuzoo_x16_save.
    pub saves: u32,
    /// 1 if there will be gpuzoo_x16_samples.
    pub listens: u32,
}

// SAFETY: it begins with its size; texts, numbers and pointers may hold any bits.
unsafe impl Options for gpuzoo_x16_options {}

/// Switches a machine on. `options` may be NULL, and so may `problems`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gpuzoo_x16_open(
    options: *const gpuzoo_x16_options,
    x16: *mut *mut gpuzoo_x16,
    problems: *mut *mut gpuzoo_problems,
) -> gpuzoo_status {
    // SAFETY: the caller's pointers.
    unsafe {
        call_with(problems, || {
            place(x16)?;
            let own = self::options(options)?;
            let mut config =
                Config { deviations: vera::profile(own.profile)?.deviations(), ..Config::default() };
            if own.ram_banks != 0 {
                config.ram_banks = own.ram_banks;
            }
            config.rom =
                Some(elements(own.rom.cast::<u8>(), own.rom_size)?.to_vec()).filter(|rom| !rom.is_empty());
            let mut machine = X16::new(config)?;
            if own.saves != 0 {
                machine.expect_state();
            }
            if own.listens != 0 {
                machine.vera_mut().listen();
            }
            store(x16, give(gpuzoo_x16 { machine, ending: Kept::default() })?)
        })
    }
}

/// Frees a machine. NULL is nothing to free.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gpuzoo_x16_free(x16: *mut gpuzoo_x16) -> gpuzoo_status {
    call(|| free(x16))
}

/// Loads a program and makes it the one that runs next: a text for the assembler or a PRG file, as the name or the bytes say. `problems`
/// may be NULL.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gpuzoo_x16_load_program(
    x16: *mut gpuzoo_x16,
    name: gpuzoo_text,
    data: *const c_void,
    size: usize,
    problems: *mut *mut gpuzoo_problems,
) -> gpuzoo_status {
    // SAFETY: the caller's pointers.
    unsafe {
        call_with(problems, || {
            let (name, bytes) = (name.text()?, elements(data.cast(), size)?);
            let mut own = alone(x16)?;
            let mut include = |_: &str| Err("no files are given".to_owned());
            let input = Input { name, bytes, form: None, include: &mut include };
            let prg = gpuzoo::vera().read(input, &Arguments::default())?.emit("prg")?;
            own.machine.load_prg(&prg)?;
            Ok(())
        })
    }
}

/// Runs until so many frames are complete, so many cycles have passed, or the program ends; 0 is no limit, but one of the two is needed.
/// `ended` gets 1 if the program cannot go on, else 0, and `ending`, which may be NULL, in a few words why the run is over, until the
/// next call.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gpuzoo_x16_run(
    x16: *mut gpuzoo_x16,
    frames: u64,
    cycles: u64,
    ended: *mut u8,
    ending: *mut gpuzoo_text,
) -> gpuzoo_status {
    call(|| {
        place(ended)?;
        if frames == 0 && cycles == 0 {
            return Err(Failure::argument("a run needs a limit of frames or of cycles"));
        }
        let mut own = alone(x16)?;
        let limit = |count: u64| Some(count).filter(|count| *count > 0);
        let over = own.machine.run(&Limits { frames: limit(frames), cycles: limit(cycles) });
        own.ending = Kept::new(&over.text());
        // SAFETY: the caller's pointers.
        unsafe {
            store(ended, over.is_final().into())?;
            if ending.is_null() { Ok(()) } else { store(ending, own.ending.view()) }
        }
    })
}

/// The CPU's registers.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct gpuzoo_cpu {
    /// The size of this structure; the caller sets it.
    pub struct_size: usize,
    /// Cycles since power-on; it cannot be set.
    pub cycles: u64,
    /// The program counter.
    pub pc: u16,
    /// The accumulator.
    pub a: u8,
    /// X.
    pub x: u8,
    /// Y.
    pub y: u8,
    /// The stack pointer.
    pub s: u8,
    /// The status.
    pub p: u8,
}

// SAFETY: it begins with its size; numbers may hold any bits.
unsafe impl Options for gpuzoo_cpu {}

/// The CPU's registers as they are.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gpuzoo_x16_cpu(x16: *mut gpuzoo_x16, cpu: *mut gpuzoo_cpu) -> gpuzoo_status {
    call(|| {
        let own = alone(x16)?;
        let (now, cycles) = (own.machine.cpu(), own.machine.cycles());
        let value = gpuzoo_cpu {
            struct_size: 0,
            cycles,
            pc: now.pc,
            a: now.a,
            x: now.x,
            y: now.y,
            s: now.s,
            p: now.p,
        };
        // SAFETY: the caller's pointer.
        unsafe { store_sized(cpu, value) }
    })
}

/// Copies bytes of memory as the CPU would read them, without side effects.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gpuzoo_x16_peek(
    x16: *mut gpuzoo_x16,
    address: u16,
    buffer: *mut u8,
    size: usize,
) -> gpuzoo_status {
    call(|| {
        let last = size.checked_sub(1).is_none_or(|last| last <= usize::from(u16::MAX - address));
        if !last {
            return Err(Failure::argument("memory ends at 0xffff"));
        }
        // SAFETY: the caller's pointers.
        let to = unsafe { elements_mut(buffer, size) }?;
        let own = alone(x16)?;
        to.iter_mut().zip(address..=u16::MAX).for_each(|(to, address)| *to = own.machine.peek(address));
        Ok(())
    })
}

/// Writes a byte of RAM; other places stay as they are.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gpuzoo_x16_poke(x16: *mut gpuzoo_x16, address: u16, value: u8) -> gpuzoo_status {
    call(|| {
        alone(x16)?.machine.poke(address, value);
        Ok(())
    })
}

/// What the program has printed. `length` gets its bytes; without a buffer only that is given.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gpuzoo_x16_output(
    x16: *mut gpuzoo_x16,
    buffer: *mut c_char,
    capacity: usize,
    length: *mut usize,
) -> gpuzoo_status {
    // SAFETY: the caller's pointers.
    call(|| unsafe { fill(alone(x16)?.machine.output().as_bytes(), buffer.cast(), capacity, length) })
}

/// Copies lines of the picture, as gpuzoo_vera_picture does.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gpuzoo_x16_picture(
    x16: *mut gpuzoo_x16,
    first_line: usize,
    lines: usize,
    rgba: *mut u8,
    size: usize,
    stride: usize,
) -> gpuzoo_status {
    call(|| {
        let own = alone(x16)?;
        // SAFETY: the caller's pointers.
        unsafe { vera::picture(own.machine.vera().picture(), (first_line, lines), (rgba, size), stride) }
    })
}

/// The machine's VERA as it is, copied: what becomes of the copy does not change the machine.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gpuzoo_x16_vera(
    x16: *mut gpuzoo_x16,
    vera: *mut *mut vera::gpuzoo_vera,
) -> gpuzoo_status {
    call(|| {
        place(vera)?;
        let copy = alone(x16)?.machine.vera().clone();
        // SAFETY: the caller's pointer.
        unsafe { store(vera, give(vera::gpuzoo_vera { vera: copy })?) }
    })
}

/// What went to the DAC since the last call, as gpuzoo_vera_samples.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gpuzoo_x16_samples(
    x16: *mut gpuzoo_x16,
    buffer: *mut i32,
    capacity: usize,
    count: *mut usize,
) -> gpuzoo_status {
    call(|| {
        let mut own = alone(x16)?;
        let device = own.machine.vera_mut();
        // SAFETY: the caller's pointers.
        unsafe { fill(device.samples(), buffer.cast::<[i32; 2]>(), capacity, count) }?;
        if !buffer.is_null() {
            device.take_samples();
        }
        Ok(())
    })
}

/// All that the machine holds, as gpuzoo_vera_save does for VERA.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gpuzoo_x16_save(
    x16: *mut gpuzoo_x16,
    buffer: *mut c_void,
    capacity: usize,
    length: *mut usize,
) -> gpuzoo_status {
    // SAFETY: the caller's pointers.
    call(|| unsafe { fill(&alone(x16)?.machine.save_state()?, buffer.cast(), capacity, length) })
}

/// Goes on from what gpuzoo_x16_save gave, in a machine with the same ROM and the same program. `problems` may be NULL.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gpuzoo_x16_restore(
    x16: *mut gpuzoo_x16,
    state: *const c_void,
    size: usize,
    problems: *mut *mut gpuzoo_problems,
) -> gpuzoo_status {
    // SAFETY: the caller's pointers.
    unsafe {
        call_with(problems, || {
            let bytes = elements(state.cast::<u8>(), size)?;
            alone(x16)?.machine.load_state(bytes)?;
            Ok(())
        })
    }
}
