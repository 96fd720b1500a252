//! VERA alone, for somebody's emulator: exact to the source of the device on every access and every pixel.

use crate::handles::{alone, free, give};
use crate::memory::{Options, elements, elements_mut, fill, options, place, store};
use crate::problems::{call_with, gpuzoo_problems};
use crate::status::{Failure, call, gpuzoo_status, gpuzoo_status::*};
use crate::text::gpuzoo_text;
use gpuzoo::machines::vera::{Drawing, HEIGHT, Item, Profile, VRAM_BYTES, Vera, WIDTH};
use std::ffi::c_void;

/// A VERA. One thread at a time may use it.
pub struct gpuzoo_vera {
    pub(crate) vera: Vera,
}

/// Pixels of a line of the picture.
pub const GPUZOO_VERA_WIDTH: usize = 640;
/// Lines of the picture.
pub const GPUZOO_VERA_HEIGHT: usize = 480;
/// Bytes of video memory.
pub const GPUZOO_VERA_VRAM: usize = 0x20000;

const _: () =
    assert!(GPUZOO_VERA_WIDTH == WIDTH && GPUZOO_VERA_HEIGHT == HEIGHT && GPUZOO_VERA_VRAM == VRAM_BYTES);

/// How a VERA is made. All zeros, but for the size, are what is usual, and so is NULL in place of it.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct gpuzoo_vera_options {
    /// The size of this structure; the caller sets it.
    pub struct_size: usize,
    /// Whose behaviour: rtl (the device's source, and the usual one), documented or x16emu.
    pub profile: gpuzoo_text,
    /// 1 if there will be gpuzoo_vera_save, which needs voices that are followed from power-on.
    pub saves: u32,
    /// 1 if there will be gpuzoo_vera_samples.
    pub listens: u32,
}

// SAFETY: it begins with its size; texts and numbers may hold any bits.
unsafe impl Options for gpuzoo_vera_options {}

/// The profile of a name, or the usual one.
pub(crate) unsafe fn profile(name: gpuzoo_text) -> Result<Profile, Failure> {
    // SAFETY: the caller's text.
    let Some(name) = unsafe { name.name() }? else { return Ok(Profile::default()) };
    // The registry says what there is, and what was meant.
    gpuzoo::registry::profile(gpuzoo::vera().gpu(), Some(name))?;
    Profile::find(name).ok_or_else(|| Failure::argument(format!("there is no profile `{name}`")))
}

/// Powers a VERA on. `options` may be NULL, and so may `problems`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gpuzoo_vera_open(
    options: *const gpuzoo_vera_options,
    vera: *mut *mut gpuzoo_vera,
    problems: *mut *mut gpuzoo_problems,
) -> gpuzoo_status {
    // SAFETY: the caller's pointers.
    unsafe {
        call_with(problems, || {
            place(vera)?;
            let own = self::options(options)?;
            let mut made = Vera::new(profile(own.profile)?);
            if own.saves != 0 {
                made.expect_state();
            }
            if own.listens != 0 {
                made.listen();
            }
            store(vera, give(gpuzoo_vera { vera: made })?)
        })
    }
}

/// Makes another VERA in the same state: the fast way to save one, without a file.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gpuzoo_vera_copy(
    vera: *mut gpuzoo_vera,
    copy: *mut *mut gpuzoo_vera,
) -> gpuzoo_status {
    call(|| {
        place(copy)?;
        let other = alone(vera)?.vera.clone();
        // SAFETY: the caller's pointer.
        unsafe { store(copy, give(gpuzoo_vera { vera: other })?) }
    })
}

/// Frees a VERA. NULL is nothing to free.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gpuzoo_vera_free(vera: *mut gpuzoo_vera) -> gpuzoo_status {
    call(|| free(vera))
}

/// Reads a register as the CPU does, side effects included. Of `address` the low five bits count: 0 to 31, or $9F20 to $9F3F.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gpuzoo_vera_read(
    vera: *mut gpuzoo_vera,
    address: u32,
    value: *mut u8,
) -> gpuzoo_status {
    // SAFETY: the caller's pointers.
    call(|| unsafe {
        place(value)?;
        store(value, alone(vera)?.vera.read(address as u8))
    })
}

/// Writes a register as the CPU does.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gpuzoo_vera_write(vera: *mut gpuzoo_vera, address: u32, value: u8) -> gpuzoo_status {
    call(|| {
        alone(vera)?.vera.write(address as u8, value);
        Ok(())
    })
}

/// What a read would return, without its side effects: for debuggers.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gpuzoo_vera_peek(
    vera: *mut gpuzoo_vera,
    address: u32,
    value: *mut u8,
) -> gpuzoo_status {
    // SAFETY: the caller's pointers.
    call(|| unsafe { store(value, alone(vera)?.vera.peek(address as u8)) })
}

/// An access at a time.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct gpuzoo_vera_access {
    /// Cycles of the 8 MHz CPU that pass before it.
    pub cycles: u32,
    /// The register: the low five bits count.
    pub address: u16,
    /// 1 for a write, 0 for a read.
    pub is_write: u8,
    /// What is written, or what the read returned.
    pub value: u8,
}

/// Lets accesses happen one after the other: what an emulator has noted since it last needed an answer. Reads get their values.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gpuzoo_vera_play(
    vera: *mut gpuzoo_vera,
    accesses: *mut gpuzoo_vera_access,
    count: usize,
) -> gpuzoo_status {
    call(|| {
        // SAFETY: the caller's pointers.
        let accesses = unsafe { elements_mut(accesses, count) }?;
        let mut own = alone(vera)?;
        for access in accesses {
            if access.cycles > 0 {
                own.vera.advance_cycles(access.cycles);
            }
            match access.is_write {
                0 => access.value = own.vera.read(access.address as u8),
                _ => own.vera.write(access.address as u8, access.value),
            }
        }
        Ok(())
    })
}

/// Lets cycles of the 8 MHz CPU pass. `irq`, which may be NULL, gets 1 if VERA then asks for an interrupt, else 0.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gpuzoo_vera_advance(
    vera: *mut gpuzoo_vera,
    cycles: u32,
    irq: *mut u8,
) -> gpuzoo_status {
    call(|| {
        let mut own = alone(vera)?;
        own.vera.advance_cycles(cycles);
        match irq.is_null() {
            true => Ok(()),
            // SAFETY: the caller's pointer.
            false => unsafe { store(irq, own.vera.irq().into()) },
        }
    })
}

/// Lets clocks of 25 MHz pass, of which a CPU's cycle has 3 1/8.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gpuzoo_vera_advance_clocks(vera: *mut gpuzoo_vera, clocks: u32) -> gpuzoo_status {
    call(|| {
        alone(vera)?.vera.advance_clocks(clocks);
        Ok(())
    })
}

/// Lets time pass to the start of the next line.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gpuzoo_vera_advance_line(vera: *mut gpuzoo_vera) -> gpuzoo_status {
    call(|| {
        alone(vera)?.vera.advance_line();
        Ok(())
    })
}

/// Lets time pass until the picture is complete that the beam is in, or before.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gpuzoo_vera_advance_frame(vera: *mut gpuzoo_vera) -> gpuzoo_status {
    call(|| {
        alone(vera)?.vera.advance_frame();
        Ok(())
    })
}

/// The state of the interrupt line: 1 while VERA asks for one.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gpuzoo_vera_irq(vera: *mut gpuzoo_vera, irq: *mut u8) -> gpuzoo_status {
    // SAFETY: the caller's pointers.
    call(|| unsafe { store(irq, alone(vera)?.vera.irq().into()) })
}

/// Where the beam is: the line that is scanned out, 0 to 524, of which 480 and more are blank, the pictures that are complete, and the
/// clocks of 25 MHz, all since power-on. Each pointer may be NULL.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gpuzoo_vera_beam(
    vera: *mut gpuzoo_vera,
    line: *mut u32,
    frames: *mut u64,
    clocks: *mut u64,
) -> gpuzoo_status {
    call(|| {
        let own = alone(vera)?;
        // SAFETY: the caller's pointers.
        unsafe {
            if !line.is_null() {
                store(line, own.vera.line().into())?;
            }
            if !frames.is_null() {
                store(frames, own.vera.frames())?;
            }
            if !clocks.is_null() {
                store(clocks, own.vera.clock())?;
            }
        }
        Ok(())
    })
}

/// Copies lines of the picture as the beam has drawn them: bytes of red, green, blue and 255. `stride` is the bytes from one line to the
/// next in the buffer, `size` the buffer's.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gpuzoo_vera_picture(
    vera: *mut gpuzoo_vera,
    first_line: usize,
    lines: usize,
    rgba: *mut u8,
    size: usize,
    stride: usize,
) -> gpuzoo_status {
    call(|| {
        let own = alone(vera)?;
        // SAFETY: the caller's pointers.
        unsafe { picture(own.vera.picture(), (first_line, lines), (rgba, size), stride) }
    })
}

/// Copies lines of a picture.
pub(crate) unsafe fn picture(
    pixels: &[[u8; 4]],
    (first, lines): (usize, usize),
    (rgba, size): (*mut u8, usize),
    stride: usize,
) -> Result<(), Failure> {
    let each = WIDTH * 4;
    if first.checked_add(lines).is_none_or(|end| end > HEIGHT) {
        return Err(Failure::argument(format!("the picture has no {lines} lines from {first} on")));
    }
    if stride < each {
        return Err(Failure::argument(format!("lines of {each} bytes cannot be {stride} bytes apart")));
    }
    let needed = lines.checked_sub(1).map_or(Some(0), |last| last.checked_mul(stride)?.checked_add(each));
    if needed.is_none_or(|needed| needed > size) {
        return Err(Failure::new(GPUZOO_ERR_SPACE, format!("the buffer of {size} bytes is too small")));
    }
    // SAFETY: the caller's pointers; so many bytes were just seen to be there.
    let to = unsafe { elements_mut(rgba, needed.unwrap_or(0)) }?;
    for (to, line) in to.chunks_mut(stride).zip(pixels.chunks_exact(WIDTH).skip(first)) {
        to[..each].copy_from_slice(line.as_flattened());
    }
    Ok(())
}

/// From now on draws no more than this, which makes it faster: 0 is all, 1 the lines' buffers without the picture, which can be wanted
/// later, 2 nothing, after which there is no exact picture. Registers, memory, interrupts and time are the same in any case.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gpuzoo_vera_draw(vera: *mut gpuzoo_vera, drawing: u32) -> gpuzoo_status {
    call(|| {
        let drawing = match drawing {
            0 => Drawing::Picture,
            1 => Drawing::Lines,
            2 => Drawing::Nothing,
            _ => return Err(Failure::argument("a drawing is 0, 1 or 2")),
        };
        alone(vera)?.vera.draw(drawing);
        Ok(())
    })
}

/// The range of video memory that is meant.
fn range(address: u32, size: usize) -> Result<std::ops::Range<usize>, Failure> {
    let start = address as usize;
    let end = start.checked_add(size).filter(|end| *end <= VRAM_BYTES);
    let end = end
        .ok_or_else(|| Failure::argument(format!("video memory has no {size} bytes from {address:#x} on")))?;
    Ok(start..end)
}

/// Copies bytes of video memory, without the bus.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gpuzoo_vera_vram_read(
    vera: *mut gpuzoo_vera,
    address: u32,
    buffer: *mut u8,
    size: usize,
) -> gpuzoo_status {
    call(|| {
        let range = range(address, size)?;
        // SAFETY: the caller's pointers.
        unsafe { elements_mut(buffer, size) }?.copy_from_slice(&alone(vera)?.vera.vram()[range]);
        Ok(())
    })
}

/// Writes bytes of video memory, without the bus. What VERA keeps of it besides does not follow: the palette, sprites and voices at
/// 0x1f9c0 and above are set through the registers.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gpuzoo_vera_vram_write(
    vera: *mut gpuzoo_vera,
    address: u32,
    bytes: *const u8,
    size: usize,
) -> gpuzoo_status {
    call(|| {
        let range = range(address, size)?;
        // SAFETY: the caller's pointers.
        alone(vera)?.vera.vram_mut()[range].copy_from_slice(unsafe { elements(bytes, size) }?);
        Ok(())
    })
}

/// A state by its name, such as ADDR0, cache or FX_CTRL: those too that no register shows.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gpuzoo_vera_state(
    vera: *mut gpuzoo_vera,
    name: gpuzoo_text,
    value: *mut u32,
) -> gpuzoo_status {
    // SAFETY: the caller's pointers.
    call(|| unsafe {
        let name = name.text()?;
        let item = Item::find(name);
        let item =
            item.ok_or_else(|| Failure::new(GPUZOO_ERR_NOT_FOUND, format!("there is no state `{name}`")))?;
        store(value, (item.get)(&alone(vera)?.vera))
    })
}

/// What went to the DAC since the last call: for each sample left and right, numbers of 17 bits with a sign, 48,828.125 samples a second.
/// `count` gets how many there are; without a buffer only that is given, and they stay. `capacity` counts samples, of two numbers each.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gpuzoo_vera_samples(
    vera: *mut gpuzoo_vera,
    buffer: *mut i32,
    capacity: usize,
    count: *mut usize,
) -> gpuzoo_status {
    call(|| {
        let mut own = alone(vera)?;
        let own = &mut own.vera;
        let to = buffer.cast::<[i32; 2]>();
        // SAFETY: the caller's pointers.
        unsafe { fill(own.samples(), to, capacity, count) }?;
        if !buffer.is_null() {
            own.take_samples();
        }
        Ok(())
    })
}

/// All that VERA holds, as the bytes of a file. `length` gets how many; without a buffer only that is given. It takes a VERA that was
/// opened with `saves`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gpuzoo_vera_save(
    vera: *mut gpuzoo_vera,
    buffer: *mut c_void,
    capacity: usize,
    length: *mut usize,
) -> gpuzoo_status {
    // SAFETY: the caller's pointers.
    call(|| unsafe { fill(&alone(vera)?.vera.save_state()?, buffer.cast(), capacity, length) })
}

/// Goes on from what gpuzoo_vera_save gave, in this program or in another one with the same version. `problems` may be NULL.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gpuzoo_vera_restore(
    vera: *mut gpuzoo_vera,
    state: *const c_void,
    size: usize,
    problems: *mut *mut gpuzoo_problems,
) -> gpuzoo_status {
    // SAFETY: the caller's pointers.
    unsafe {
        call_with(problems, || {
            let bytes = elements(state.cast::<u8>(), size)?;
            alone(vera)?.vera.load_state(bytes)?;
            Ok(())
        })
    }
}
