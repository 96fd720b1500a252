//! What a program returns to, and whether anything of it goes on there.

use crate::board::bus::{Bus, Prompt};
use gpuzoo_65c02::Cpu;

impl Prompt {
    /// What is there now.
    pub fn of(bus: &Bus, cpu: Cpu) -> Prompt {
        Prompt {
            cpu,
            banks: [0, 1].map(|at| bus.peek(at)),
            vectors: HOOKS.map(|at| bus.word(at)),
            cycle: bus.cycles,
        }
    }
}

/// The vectors by which a program goes on that has returned: of interrupts and of keys.
const HOOKS: [u16; 2] = [0x0314, 0x032e];

impl Bus {
    /// A program that has returned has left a handler that interrupts or keys reach; or the user has yet to do something at a ROM's prompt.
    pub(super) fn goes_on(&self) -> bool {
        let Some(prompt) = &self.prompt else { return false };
        let [irq, keys] = HOOKS.map(|at| self.word(at));
        let awaits = self.user.when().is_some();
        let is_hooked = irq != prompt.vectors[0] || awaits && (keys != prompt.vectors[1] || self.has_rom());
        is_hooked && !self.is_quiet()
    }
}
