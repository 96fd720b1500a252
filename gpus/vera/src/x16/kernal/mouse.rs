//! The mouse and its pointer, which is sprite 0.

use super::super::bus::Bus;
use super::screen::{aim, pour, undisturbed};
use super::sprites;
use gpuzoo_65c02::Cpu;

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

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Mouse {
    /// What has come since the last look.
    motion: (i32, i32),
    turned: i32,
    buttons: u8,
    has_news: bool,
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

impl Mouse {
    pub(super) fn receive(&mut self, dx: i16, dy: i16, wheel: i8, down: u8) {
        self.motion = (self.motion.0.saturating_add(dx.into()), self.motion.1.saturating_add(dy.into()));
        self.turned = self.turned.saturating_add(wheel.into());
        (self.buttons, self.has_news) = (down, true);
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
        let most = |eighths: u8, halves| i32::from(eighths) * if halves { 16 } else { 8 } - 1;
        mouse.most = (most(cpu.x, mouse.halves.0), most(cpu.y, mouse.halves.1).max(0));
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

/// MOUSE_SCAN: takes what the mouse has sent.
pub(super) fn scan(bus: &mut Bus, _: &mut Cpu) {
    let mouse = &mut bus.kernal.mouse;
    let (motion, turned) = (std::mem::take(&mut mouse.motion), std::mem::take(&mut mouse.turned));
    if !std::mem::take(&mut mouse.has_news) || !mouse.is_on {
        return;
    }
    mouse.at.0 = mouse.at.0.saturating_add(motion.0).clamp(0, mouse.most.0);
    mouse.at.1 = mouse.at.1.saturating_add(motion.1).clamp(0, mouse.most.1);
    mouse.told = mouse.buttons;
    mouse.wheel = i32::from(mouse.wheel).saturating_add(turned).clamp(-128, 127) as i8;
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
