//! What the board connects: VIA 1 to the I2C bus, the controllers and the serial bus; the SD card to VERA; the sound chip to the CPU.

pub(crate) mod bus;
mod controllers;
mod fat;
mod i2c;
mod image;
pub(crate) mod rtc;
pub(crate) mod sdcard;
pub(crate) mod smc;
pub(crate) mod via;
mod ym2151;

use crate::date::Date;
use crate::input::Event;
use controllers::Controllers;
use gpuzoo_stored::stored;
use gpuzoo_vera::Vera;
use i2c::I2c;
use rtc::Rtc;
use sdcard::SdCard;
use via::Via;
use ym2151::Ym2151;

/// Lines of port A.
const DATA: u8 = 0x01;
const CLOCK: u8 = 0x02;
const LATCH: u8 = 0x04;
const SHIFT: u8 = 0x08;
/// Lines of the serial bus at port B: outputs are inverted, so that a 1 pulls the line down, and the bus has no devices.
const SERIAL_OUT: u8 = 0x30;

/// The devices.
#[derive(Clone, PartialEq)]
pub(crate) struct Board {
    pub i2c: I2c,
    pub controllers: Controllers,
    pub card: Option<Box<SdCard>>,
    pub sound: Ym2151,
}

stored! { Board { i2c, controllers, card, sound } }

impl Board {
    pub fn new(date: Date, card: Option<SdCard>) -> Board {
        Board {
            i2c: I2c::new(Rtc::new(date)),
            controllers: Controllers::default(),
            card: card.map(Box::new),
            sound: Ym2151::default(),
        }
    }

    /// Takes the levels of VIA 1's pins in a cycle, and gives it those of the devices.
    pub fn follow(&mut self, via: &mut Via, now: u64) {
        let lines = via.driven(0);
        let data = self.i2c.set(lines & DATA != 0, lines & CLOCK != 0, now);
        self.controllers.set(lines & LATCH != 0, lines & SHIFT != 0);
        via.set_inputs(0, u8::from(data) | CLOCK | LATCH | SHIFT | self.controllers.lines());
        // An output that is not driven leaves its line alone.
        let serial = via.pins(1) & via.direction(1) & SERIAL_OUT;
        via.set_inputs(1, !(serial << 2));
    }

    /// What the user does reaches the socket that it is meant for.
    pub fn receive(&mut self, event: Event, now: u64) {
        let smc = &mut self.i2c.smc;
        match event {
            Event::Press(key) => smc.key(key.number(), true, now),
            Event::Release(key) => smc.key(key.number(), false, now),
            Event::Buttons { controller, down } => self.controllers.press(controller, down),
            Event::Mouse { dx, dy, wheel, down } => smc.mouse(dx.into(), dy.into(), wheel.into(), down),
        }
    }

    /// Carries a byte between VERA's controller and the card, if one was started.
    pub fn exchange(&mut self, vera: &mut Vera) {
        let Some(card) = &mut self.card else { return };
        card.select(vera.selects_card());
        if let Some(byte) = vera.take_sent() {
            vera.receive(card.exchange(byte));
        }
    }

    /// The reset line, which the clock and the card do not have.
    pub fn reset(&mut self) {
        self.i2c.smc.reset();
        self.sound.reset();
    }
}
