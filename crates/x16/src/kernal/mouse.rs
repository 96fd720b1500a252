//! The mouse and its pointer, which is sprite 0.

use super::sprites;
use super::video::{aim, pour, undisturbed};
use crate::board::bus::Bus;
use gpuzoo_65c02::Cpu;
use gpuzoo_stored::stored;
use std::collections::VecDeque;

/// The pointer, 16 by 16 pixels: `#` is black, `o` white.
static POINTER: [&str; 16] = [
    "##..............",
    "#o#.............",
    "#oo#............",
    "#ooo#...........",
    "#oooo#..........",
    "#ooooo#.........",
    "#oooooo#........",
    "#ooooooo#.......",
    "#oooooooo#......",
    "#ooooo####......",
    "#oo#oo#.........",
    "#o#.#oo#........",
    "##..#oo#........",
    ".....#oo#.......",
    ".....#oo#.......",
    "......##........",
];

const BLACK: u8 = 16;
const WHITE: u8 = 1;

/// Packets that wait in the system management controller, which has room for 15 bytes, at four each.
const PACKETS: usize = 3;

/// What the mouse sends at once: a look takes one packet, so that a long way takes several frames.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Packet {
    right: i32,
    up: i32,
    wheel: i32,
    buttons: u8,
}

stored! {
    Packet { right, up, wheel, buttons }
    if |own: &Packet| [own.right, own.up].iter().all(|way| (-256..256).contains(way)) && (-8..8).contains(&own.wheel)
}

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Mouse {
    packets: VecDeque<Packet>,
    /// To the right, up and of the wheel: what is in no packet yet.
    moved: [i32; 3],
    buttons: u8,
    is_due: bool,
    /// The pointer is on.
    is_on: bool,
    /// Which of both coordinates are halved when a program reads them.
    halves: (bool, bool),
    /// The largest coordinates, and the present ones.
    most: (i32, i32),
    at: (i32, i32),
    /// What MOUSE_GET tells.
    told: u8,
    wheel: i8,
}

stored! {
    Mouse { packets, moved, buttons, is_due, is_on, halves, most, at, told, wheel }
    if |own: &Mouse| [own.most.0, own.most.1, own.at.0, own.at.1].iter().all(|place| (0..0x1_0000).contains(place))
}

impl Mouse {
    pub(super) fn receive(&mut self, dx: i16, dy: i16, wheel: i8, down: u8) {
        let more = [i32::from(dx), -i32::from(dy), wheel.into()];
        for (sum, more) in self.moved.iter_mut().zip(more) {
            *sum = sum.saturating_add(more);
        }
        (self.buttons, self.is_due) = (down, true);
        self.send();
    }

    /// Makes packets of what has come, for as long as there is room; the ranges are those of the mouse's protocol.
    fn send(&mut self) {
        while self.is_due && self.packets.len() < PACKETS {
            let [right, up, wheel] = self.moved;
            let packet = Packet {
                right: right.clamp(-256, 255),
                up: up.clamp(-256, 255),
                wheel: wheel.clamp(-8, 7),
                buttons: self.buttons,
            };
            self.moved = [right - packet.right, up - packet.up, wheel - packet.wheel];
            self.is_due = self.moved != [0; 3];
            self.packets.push_back(packet);
        }
    }

    /// The place that programs read.
    fn place(&self) -> (u16, u16) {
        let of = |at: i32, halves| (if halves { at / 2 } else { at }) as u16;
        (of(self.at.0, self.halves.0), of(self.at.1, self.halves.1))
    }
}

/// MOUSE_CONFIG: A is 0 for no pointer, $FF for one that the program has drawn, else ours; X and Y are the size of the screen in 8 pixels, or 0.
pub(super) fn config(bus: &mut Bus, cpu: &mut Cpu) {
    let mouse = &mut bus.kernal.mouse;
    mouse.wheel = 0;
    if cpu.x != 0 {
        mouse.halves = (cpu.x <= 40, cpu.y <= 30);
        // In 16 bits: a height of 0 leaves all of them.
        let most = |eighths: u8, halves| (i32::from(eighths) * if halves { 16 } else { 8 } - 1) & 0xffff;
        mouse.most = (most(cpu.x, mouse.halves.0), most(cpu.y, mouse.halves.1));
        mouse.at = (mouse.most.0 / 2, mouse.most.1 / 2);
    }
    mouse.is_on = cpu.a != 0;
    match cpu.a {
        0 => return sprites::hide(bus, 0),
        0xff => {}
        _ => {
            aim(bus, sprites::IMAGES);
            let color = |pixel| match pixel {
                '#' => BLACK,
                'o' => WHITE,
                _ => 0,
            };
            pour(bus, POINTER.iter().flat_map(|row| row.chars().map(color)));
            sprites::describe(bus, 0);
        }
    }
    point(bus);
}

/// Puts the sprite where the mouse is.
fn point(bus: &mut Bus) {
    let (x, y) = bus.kernal.mouse.place();
    undisturbed(bus, |bus| sprites::show(bus, 0, x & 0x3ff, y & 0x3ff));
}

/// MOUSE_SCAN: takes a packet, if the mouse has sent one.
pub(super) fn scan(bus: &mut Bus, _: &mut Cpu) {
    let mouse = &mut bus.kernal.mouse;
    let packet = mouse.packets.pop_front();
    mouse.send();
    let Some(packet) = packet.filter(|_| mouse.is_on) else { return };
    mouse.at.0 = (mouse.at.0 + packet.right).clamp(0, mouse.most.0);
    mouse.at.1 = (mouse.at.1 - packet.up).clamp(0, mouse.most.1);
    mouse.told = packet.buttons;
    // A turn that is too much is lost as a whole.
    mouse.wheel = mouse.wheel.checked_add(packet.wheel as i8).unwrap_or(mouse.wheel);
    point(bus);
}

/// MOUSE_GET: the place goes to four bytes from X on; A has the buttons, X the wheel.
pub(super) fn get(bus: &mut Bus, cpu: &mut Cpu) {
    let mouse = &mut bus.kernal.mouse;
    let (x, y) = mouse.place();
    (cpu.a, cpu.x) = (mouse.told, {
        let at = cpu.x;
        let wheel = std::mem::take(&mut mouse.wheel) as u8;
        let bytes = [x.to_le_bytes(), y.to_le_bytes()].concat();
        for (offset, byte) in (0..).zip(bytes) {
            bus.poke(at.wrapping_add(offset).into(), byte);
        }
        wheel
    });
}
