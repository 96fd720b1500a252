//! VERA's bus, as exports of their own: a CPU of the host's calls them for each access.

use crate::with;

/// What a CPU reads from VERA, side effects included; -1 if there is no device of that number. Of `register` the low five bits count.
#[unsafe(no_mangle)]
pub extern "C" fn vera_read(id: u32, register: u32) -> i32 {
    with(|module| module.objects.vera(id).map_or(-1, |vera| vera.read(register as u8).into()))
}

/// The same without side effects.
#[unsafe(no_mangle)]
pub extern "C" fn vera_peek(id: u32, register: u32) -> i32 {
    with(|module| module.objects.vera(id).map_or(-1, |vera| vera.peek(register as u8).into()))
}

/// Writes a register as a CPU does; -1 if there is no device of that number, else 0.
#[unsafe(no_mangle)]
pub extern "C" fn vera_write(id: u32, register: u32, value: u32) -> i32 {
    with(|module| {
        let vera = module.objects.vera(id)?;
        vera.write(register as u8, value as u8);
        Some(0)
    })
    .unwrap_or(-1)
}

/// Lets cycles of the 8 MHz CPU pass; 1 if VERA then asks for an interrupt, 0 if not, -1 if there is no device of that number.
#[unsafe(no_mangle)]
pub extern "C" fn vera_advance(id: u32, cycles: u32) -> i32 {
    with(|module| {
        let vera = module.objects.vera(id)?;
        vera.advance_cycles(cycles);
        Some(vera.irq().into())
    })
    .unwrap_or(-1)
}
