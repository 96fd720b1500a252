//! The system management controller, as its firmware's documentation (X16Community/x16-smc, README) has it: power, reset, NMI, the activity
//! light, and a keyboard and a mouse at their PS/2 connectors.
//!
//! A message writes a command and its data, which take effect when the message ends; a read gives the answer of the command
//! that was written last, or of the one that a program has made the usual one. The keyboard and the mouse are always there.
//! There is no boot loader, and no flash memory to look at.

use crate::CYCLES_PER_SECOND;
use gpuzoo_stored::stored;
use std::collections::VecDeque;

/// The firmware's version.
const VERSION: [u8; 3] = [48, 0, 0];
/// Bytes that its buffers for the keyboard and the mouse hold.
const BUFFER: usize = 15;
/// The usual command of reads, until a program chooses another.
const KEY_CODE_FAST: u8 = 0x41;
/// What a command of the keyboard can have come to.
const NO_COMMAND: u8 = 0;
const PENDING: u8 = 1;
const DONE: u8 = 0xfa;
const FAILED: u8 = 0xfe;
/// Cycles that a byte to the keyboard and its answer take at some 12 kHz.
const BYTE: u64 = CYCLES_PER_SECOND / 500;
const MILLISECOND: u64 = CYCLES_PER_SECOND / 1000;

/// What the controller does to the machine.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Request {
    PowerOff,
    Reset,
    Nmi,
}

stored! { enum Request { PowerOff, Reset, Nmi } }

/// The keyboard: what it repeats, and what it was sent.
#[derive(Clone, PartialEq)]
struct Keyboard {
    is_enabled: bool,
    /// Bits scroll lock, num lock, caps lock.
    leds: u8,
    /// Cycles until a key that is held repeats, and from then on.
    delay: u64,
    period: u64,
    /// The key that was pressed last and is held, and the cycle in which it repeats.
    held: Option<(u8, u64)>,
    status: u8,
    /// The cycle in which the answer to the last command comes.
    answered: u64,
}

stored! {
    Keyboard { is_enabled, leds, delay, period, held, status, answered }
    if |own: &Keyboard| (1..CYCLES_PER_SECOND).contains(&own.period) && own.delay <= CYCLES_PER_SECOND
}

impl Default for Keyboard {
    fn default() -> Keyboard {
        let [delay, period] = typematic(0x2b);
        Keyboard { is_enabled: true, leds: 0, delay, period, held: None, status: NO_COMMAND, answered: 0 }
    }
}

/// Delay and period that the argument of command $F3 means.
fn typematic(argument: u8) -> [u64; 2] {
    let delay = (u64::from(argument >> 5 & 3) + 1) * 250;
    let period = (8 + u64::from(argument & 7)) << (argument >> 3 & 3);
    // A unit of the period is a 240th of a second.
    [delay * MILLISECOND, period * CYCLES_PER_SECOND / 240]
}

/// The mouse: a wheel and three buttons.
#[derive(Clone, Default, PartialEq)]
struct Mouse {
    /// Movement and turns that are not yet sent: right, up, towards the user.
    moved: [i32; 3],
    /// Bits left, right, middle.
    buttons: u8,
    /// There is something to send.
    is_due: bool,
}

stored! { Mouse { moved, buttons, is_due } }

/// The controller.
#[derive(Clone, PartialEq)]
pub(crate) struct Smc {
    /// What the CPU has written in this message, and how many bytes.
    written: [u8; 3],
    count: u8,
    /// The command that a read is about.
    command: u8,
    usual: u8,
    answer: VecDeque<u8>,
    keys: VecDeque<u8>,
    /// Keys were lost; the buffer takes none until it is empty.
    overrun: bool,
    packets: VecDeque<u8>,
    keyboard: Keyboard,
    mouse: Mouse,
    mouse_id: u8,
    echo: u8,
    /// The activity light.
    pub light: bool,
    /// What it wants to do.
    pub request: Option<Request>,
}

stored! {
    Smc {
        written, count, command, usual, answer, keys, overrun, packets, keyboard, mouse, mouse_id, echo, light, request,
    } if |own: &Smc| own.answer.len().max(own.keys.len()).max(own.packets.len()) <= 2 * BUFFER
}

impl Default for Smc {
    fn default() -> Smc {
        Smc {
            written: [0; 3],
            count: 0,
            command: KEY_CODE_FAST,
            usual: KEY_CODE_FAST,
            answer: VecDeque::new(),
            keys: VecDeque::new(),
            overrun: false,
            packets: VecDeque::new(),
            keyboard: Keyboard::default(),
            mouse: Mouse::default(),
            mouse_id: 3,
            echo: 0,
            light: false,
            request: None,
        }
    }
}

/// The bus.
impl Smc {
    /// A byte of a message; only the first three count. It takes 32.
    pub fn write(&mut self, byte: u8) -> bool {
        if let Some(place) = self.written.get_mut(usize::from(self.count)) {
            *place = byte;
        }
        self.count = self.count.saturating_add(1);
        self.count <= 32
    }

    /// The end of a message.
    pub fn end(&mut self, now: u64) {
        let [command, first, second] = self.written;
        match std::mem::take(&mut self.count) {
            0 => {}
            1 => self.command = command,
            count => {
                self.carry_out(command, first, (count > 2).then_some(second), now);
                self.command = self.usual;
            }
        }
    }

    fn carry_out(&mut self, command: u8, value: u8, more: Option<u8>, now: u64) {
        match (command, value) {
            (0x01, 0) => self.request = Some(Request::PowerOff),
            // A hard reboot: power off and on.
            (0x01, 1) | (0x02, 0) => self.request = Some(Request::Reset),
            (0x03, 0) => self.request = Some(Request::Nmi),
            (0x05, _) => self.light = value & 0x80 != 0,
            (0x08, _) => self.echo = value,
            (0x19, _) => self.tell_keyboard(value, None, now),
            (0x1a, _) if more.is_some() => self.tell_keyboard(value, more, now),
            (0x20, _) => {
                self.mouse_id = if matches!(value, 3 | 4) { 3 } else { 0 };
                self.packets.clear();
            }
            (0x40, _) => self.usual = value,
            _ => {}
        }
    }

    /// Makes the answer to a read; false if there is none.
    pub fn begin_read(&mut self, now: u64) -> bool {
        self.repeat(now);
        self.answer.clear();
        let command = std::mem::replace(&mut self.command, self.usual);
        let answers = match command {
            0x07 => {
                self.send_key();
                true
            }
            0x21 => {
                self.send_packet();
                true
            }
            KEY_CODE_FAST => self.send_key(),
            0x42 => self.send_packet(),
            0x43 => {
                // Both, whatever there is of the first.
                let key = self.send_key();
                self.send_packet() || key
            }
            _ => {
                self.answer.extend(self.byte(command, now));
                !self.answer.is_empty()
            }
        };
        if !answers {
            self.answer.clear();
        }
        answers
    }

    /// The answer of a command that has one byte.
    fn byte(&self, command: u8, now: u64) -> Option<u8> {
        Some(match command {
            0x08 => self.echo,
            // It was not switched on by a long press.
            0x09 => 0,
            // Fuses.
            0x0a => 0xf1,
            0x0b => 0xff,
            0x0c => 0xfe,
            0x0d => 0xd4,
            0x18 if now < self.keyboard.answered => PENDING,
            0x18 => self.keyboard.status,
            // The keyboard is ready.
            0x1b => 1,
            0x22 => self.mouse_id,
            0x30..=0x32 => VERSION[usize::from(command - 0x30)],
            // No boot loader, and erased flash memory that cannot be written.
            0x8e | 0x91 => 0xff,
            0x93 => 0,
            _ => return None,
        })
    }

    /// The next byte of the answer.
    pub fn read(&mut self) -> u8 {
        self.answer.pop_front().unwrap_or(0xff)
    }

    fn send_key(&mut self) -> bool {
        let key = self.keys.pop_front();
        self.overrun &= !self.keys.is_empty();
        self.answer.push_back(key.unwrap_or(0));
        key.is_some()
    }

    fn send_packet(&mut self) -> bool {
        let bytes = self.packet_bytes();
        let is_there = self.packets.len() >= bytes;
        match is_there {
            true => self.answer.extend(self.packets.drain(..bytes)),
            false => self.answer.push_back(0),
        }
        self.send_movement();
        is_there
    }
}

/// The keyboard and the mouse.
impl Smc {
    /// A key goes down or up, by its number on IBM's keyboards.
    pub fn key(&mut self, number: u8, is_down: bool, now: u64) {
        self.repeat(now);
        if !self.keyboard.is_enabled {
            return;
        }
        let number = number & 0x7f;
        let delay = now + self.keyboard.delay;
        self.keyboard.held = match self.keyboard.held {
            _ if is_down => Some((number, delay)),
            Some((held, _)) if held == number => None,
            other => other,
        };
        self.push_key(number | if is_down { 0 } else { 0x80 });
    }

    fn push_key(&mut self, code: u8) {
        self.overrun |= self.keys.len() >= BUFFER;
        if !self.overrun {
            self.keys.push_back(code);
        }
    }

    /// What a key that is held has sent up to now.
    fn repeat(&mut self, now: u64) {
        while let Some((number, at)) = self.keyboard.held.filter(|(_, at)| *at <= now) {
            self.push_key(number);
            // With the buffer full nothing can be seen of the rest.
            let periods = if self.overrun { (now - at) / self.keyboard.period + 1 } else { 1 };
            self.keyboard.held = Some((number, at + periods * self.keyboard.period));
        }
    }

    /// The lights of the keyboard: scroll lock, num lock, caps lock.
    pub fn leds(&self) -> u8 {
        self.keyboard.leds
    }

    fn tell_keyboard(&mut self, command: u8, argument: Option<u8>, now: u64) {
        let keyboard = &mut self.keyboard;
        keyboard.status = DONE;
        match (command, argument) {
            (0xed, Some(leds)) => keyboard.leds = leds & 7,
            (0xf3, Some(argument)) => [keyboard.delay, keyboard.period] = typematic(argument),
            (0xf4, None) => keyboard.is_enabled = true,
            (0xf5, None) => (keyboard.is_enabled, keyboard.held) = (false, None),
            (0xf6 | 0xff, None) => *keyboard = Keyboard { status: DONE, ..Keyboard::default() },
            (0xee, None) => {}
            _ => keyboard.status = FAILED,
        }
        keyboard.answered = now + BYTE * if argument.is_some() { 2 } else { 1 };
    }

    /// The mouse moves to the right and down, its wheel turns towards the user, and these buttons are down: bits left, right, middle.
    pub fn mouse(&mut self, right: i32, down: i32, wheel: i32, buttons: u8) {
        let moved = [right, down.saturating_neg(), wheel];
        for (sum, more) in self.mouse.moved.iter_mut().zip(moved) {
            *sum = sum.saturating_add(more);
        }
        (self.mouse.buttons, self.mouse.is_due) = (buttons & 7, true);
        self.send_movement();
    }

    fn packet_bytes(&self) -> usize {
        if self.mouse_id == 0 { 3 } else { 4 }
    }

    /// Sends what the mouse has to say, for as long as there is room; the rest waits.
    fn send_movement(&mut self) {
        let bytes = self.packet_bytes();
        while self.mouse.is_due && self.packets.len() + bytes <= BUFFER {
            let [right, up, wheel] = self.mouse.moved;
            let (x, y, z) = (right.clamp(-256, 255), up.clamp(-256, 255), wheel.clamp(-8, 7));
            let signs = u8::from(x < 0) << 4 | u8::from(y < 0) << 5;
            self.packets.extend([8 | signs | self.mouse.buttons, x as u8, y as u8]);
            if bytes == 4 {
                self.packets.push_back(z as u8);
            }
            // Without a wheel its turns are lost.
            let wheel = if bytes == 4 { wheel - z } else { 0 };
            self.mouse.moved = [right - x, up - y, wheel];
            self.mouse.is_due = self.mouse.moved != [0; 3];
        }
    }

    /// The machine was reset: what waits in the buffers is gone.
    pub fn reset(&mut self) {
        let keyboard = Keyboard { leds: self.keyboard.leds, ..Keyboard::default() };
        *self = Smc {
            keyboard,
            mouse: Mouse { buttons: self.mouse.buttons, ..Mouse::default() },
            ..Smc::default()
        };
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::i2c::tests::Host;

    const HERE: u8 = 0x42;

    #[test]
    fn keys_are_read_one_by_one() {
        let mut host = Host::new();
        assert_eq!(host.read_at(HERE, 0x07, 1), Some(vec![0]));
        host.bus.smc.key(31, true, 0);
        host.bus.smc.key(31, false, 0);
        assert_eq!(host.read_at(HERE, 0x07, 1), Some(vec![31]));
        // The usual command needs no register, and has no answer without a key.
        assert_eq!(host.read(HERE, 1), Some(vec![0x9f]));
        assert_eq!(host.read(HERE, 1), None);
        assert_eq!(host.read_at(HERE, 0x30, 1), Some(vec![48]));
        host.write(HERE, &[0x40, 0x30]);
        assert_eq!(host.read(HERE, 2), Some(vec![48, 0xff]));
    }

    #[test]
    fn held_keys_repeat() {
        let mut host = Host::new();
        host.bus.smc.key(31, true, host.now);
        let mut keys = |milliseconds: u64| {
            host.now += milliseconds * MILLISECOND;
            std::iter::from_fn(|| host.read(HERE, 1)).count()
        };
        // 500 ms, then 10.9 a second: the second repetition is 92 ms later.
        assert_eq!((keys(499), keys(1), keys(91), keys(2)), (1, 1, 0, 1));
        // The buffer has room for 15.
        assert_eq!(keys(60_000), 15);
        host.bus.smc.key(31, false, host.now);
        assert_eq!(host.read(HERE, 1), Some(vec![0x9f]));
        host.now += 10_000 * MILLISECOND;
        assert_eq!(host.read(HERE, 1), None);
    }

    #[test]
    fn a_full_buffer_takes_no_keys_until_it_is_empty() {
        let mut smc = Smc::default();
        (1..=20).for_each(|key| smc.key(key, false, 0));
        assert!(smc.begin_read(0));
        smc.key(21, false, 0);
        let codes: Vec<u8> = std::iter::from_fn(|| smc.begin_read(0).then(|| smc.read())).collect();
        assert_eq!(codes, (2..=15).map(|key| key | 0x80).collect::<Vec<u8>>());
        smc.key(22, false, 0);
        assert!(smc.begin_read(0));
    }

    #[test]
    fn mouse_packets() {
        let mut host = Host::new();
        assert_eq!(host.read_at(HERE, 0x22, 1), Some(vec![3]));
        assert_eq!(host.read_at(HERE, 0x21, 1), Some(vec![0]));
        host.bus.smc.mouse(5, 3, -1, 1);
        assert_eq!(host.read_at(HERE, 0x21, 4), Some(vec![0x29, 5, 0xfd, 0xff]));
        // A long way takes several, and more than fit wait until there is room.
        host.bus.smc.mouse(-1300, 0, 0, 0);
        let mut sum = 0;
        let mut packets = 0;
        while let Some(packet) = host.read_at(HERE, 0x42, 4) {
            sum += i32::from(packet[1]) - if packet[0] & 0x10 != 0 { 256 } else { 0 };
            packets += 1;
        }
        assert_eq!((sum, packets), (-1300, 6));
        // Without a wheel a packet has three bytes.
        host.write(HERE, &[0x20, 0]);
        assert_eq!(host.read_at(HERE, 0x22, 1), Some(vec![0]));
        host.bus.smc.mouse(1, -2, 5, 4);
        assert_eq!(host.read_at(HERE, 0x42, 4), Some(vec![0x0c, 1, 2, 0xff]));
    }

    /// The packets for a movement to the right, up and of the wheel: all that the mouse sends.
    fn packets(right: i32, up: i32, wheel: i32) -> Vec<Vec<u8>> {
        let mut host = Host::new();
        host.bus.smc.mouse(right, -up, wheel, 0);
        std::iter::from_fn(|| host.read_at(HERE, 0x21, 4).filter(|packet| packet[0] != 0)).collect()
    }

    /// Distances have nine bits, of which the signs are in the first byte.
    #[test]
    fn a_packet_has_256_pixels_at_most() {
        assert_eq!(packets(255, 0, 0), [[0x08, 255, 0, 0]]);
        assert_eq!(packets(256, 0, 0), [[0x08, 255, 0, 0], [0x08, 1, 0, 0]]);
        assert_eq!(packets(-256, 0, 0), [[0x18, 0, 0, 0]]);
        assert_eq!(packets(-257, 0, 0), [[0x18, 0, 0, 0], [0x18, 255, 0, 0]]);
        assert_eq!(packets(0, 255, 0), [[0x08, 0, 255, 0]]);
        assert_eq!(packets(0, 256, 0), [[0x08, 0, 255, 0], [0x08, 0, 1, 0]]);
        assert_eq!(packets(0, -256, 0), [[0x28, 0, 0, 0]]);
        assert_eq!(packets(0, -257, 0), [[0x28, 0, 0, 0], [0x28, 0, 255, 0]]);
    }

    /// Turns of the wheel have four bits.
    #[test]
    fn a_packet_has_8_turns_at_most() {
        assert_eq!(packets(0, 0, 7), [[0x08, 0, 0, 7]]);
        assert_eq!(packets(0, 0, 8), [[0x08, 0, 0, 7], [0x08, 0, 0, 1]]);
        assert_eq!(packets(0, 0, -8), [[0x08, 0, 0, 0xf8]]);
        assert_eq!(packets(0, 0, -9), [[0x08, 0, 0, 0xf8], [0x08, 0, 0, 0xff]]);
    }

    #[test]
    fn keys_and_mouse_in_one_read() {
        let mut host = Host::new();
        host.write(HERE, &[0x40, 0x43]);
        assert_eq!(host.read(HERE, 5), None);
        host.bus.smc.key(1, true, 0);
        assert_eq!(host.read(HERE, 3), Some(vec![1, 0, 0xff]));
        host.bus.smc.mouse(1, 0, 0, 0);
        assert_eq!(host.read(HERE, 5), Some(vec![0, 8, 1, 0, 0]));
    }

    #[test]
    fn commands_of_the_keyboard() {
        let mut host = Host::new();
        assert_eq!(host.read_at(HERE, 0x18, 1), Some(vec![NO_COMMAND]));
        host.write(HERE, &[0x1a, 0xed, 0x04]);
        assert_eq!(host.read_at(HERE, 0x18, 1), Some(vec![PENDING]));
        host.now += 5 * MILLISECOND;
        assert_eq!(host.read_at(HERE, 0x18, 1), Some(vec![DONE]));
        assert_eq!(host.bus.smc.leds(), 4);
        // Switched off it sends nothing.
        host.write(HERE, &[0x19, 0xf5]);
        host.bus.smc.key(1, true, host.now);
        assert_eq!(host.read(HERE, 1), None);
        host.write(HERE, &[0x19, 0x55]);
        host.now += 5 * MILLISECOND;
        assert_eq!(host.read_at(HERE, 0x18, 1), Some(vec![FAILED]));
        // 250 ms, then 30 a second.
        host.write(HERE, &[0x1a, 0xf3, 0x00]);
        host.write(HERE, &[0x19, 0xf4]);
        host.bus.smc.key(1, true, host.now);
        host.now += 300 * MILLISECOND;
        assert_eq!(std::iter::from_fn(|| host.read(HERE, 1)).count(), 3);
    }

    /// The commands that can be read, by their numbers in the firmware's README, which has the fuses' values; all others are not acknowledged.
    #[test]
    fn each_command_has_its_answer() {
        let known = [
            (0x07, 0),
            (0x08, 0),
            (0x09, 0),
            (0x0a, 0xf1),
            (0x0b, 0xff),
            (0x0c, 0xfe),
            (0x0d, 0xd4),
            (0x18, 0),
            (0x1b, 1),
            (0x21, 0),
            (0x22, 3),
            (0x30, 48),
            (0x31, 0),
            (0x32, 0),
            (0x8e, 0xff),
            (0x91, 0xff),
            (0x93, 0),
        ];
        for command in 0..=0xff {
            let mut host = Host::new();
            let expected = known.iter().find(|(own, _)| *own == command).map(|(_, answer)| vec![*answer]);
            assert_eq!(host.read_at(HERE, command, 1), expected, "{command:02x}");
            // As the usual command the same.
            host.write(HERE, &[0x40, command]);
            assert_eq!(host.read(HERE, 1), expected, "{command:02x}");
        }
    }

    /// Only the values that the README has, do something.
    #[test]
    fn each_command_has_its_values() {
        for command in 0..=0xff {
            for value in [0u8, 1, 2, 0xff] {
                let mut host = Host::new();
                host.write(HERE, &[command, value]);
                let expected = match (command, value) {
                    (1, 0) => Some(Request::PowerOff),
                    (1, 1) | (2, 0) => Some(Request::Reset),
                    (3, 0) => Some(Request::Nmi),
                    _ => None,
                };
                assert_eq!(host.bus.smc.request, expected, "{command:02x} {value}");
                assert_eq!(host.bus.smc.light, (command, value) == (5, 0xff));
            }
        }
        // The kinds of mice: of those with five buttons there is none.
        for (asked, there) in [(0, 0), (3, 3), (4, 3), (1, 0)] {
            let mut host = Host::new();
            host.write(HERE, &[0x20, asked]);
            assert_eq!(host.read_at(HERE, 0x22, 1), Some(vec![there]), "{asked}");
        }
    }

    #[test]
    fn requests_echo_and_light() {
        let mut host = Host::new();
        for (message, request) in [
            (&[0x01, 0x00][..], Some(Request::PowerOff)),
            (&[0x01, 0x01], Some(Request::Reset)),
            (&[0x02, 0x00], Some(Request::Reset)),
            (&[0x03, 0x00], Some(Request::Nmi)),
            (&[0x02, 0x01], None),
            (&[0x02], None),
        ] {
            host.write(HERE, message);
            assert_eq!(host.bus.smc.request.take(), request, "{message:x?}");
        }
        host.write(HERE, &[0x08, 0x5a]);
        assert_eq!(host.read_at(HERE, 0x08, 1), Some(vec![0x5a]));
        host.write(HERE, &[0x05, 0xff]);
        assert!(host.bus.smc.light);
        // What there is not, is not acknowledged.
        assert_eq!(host.read_at(HERE, 0x77, 1), None);
        // The buffer has 32 bytes.
        assert_eq!(host.write(HERE, &[0; 33])[32..], [true, false]);
    }
}
