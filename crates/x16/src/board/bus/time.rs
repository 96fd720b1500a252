//! When things happen: VERA's time advances only when that can be observed, at an access, and at the start of each line, where
//! interrupts begin.

use super::Bus;
use crate::board::via::Via;
use crate::ending::Ending;
use crate::input::Event;

impl Bus {
    /// Lets VERA catch up.
    #[inline]
    pub(crate) fn sync(&mut self) {
        let behind = self.cycles - self.vera_cycles;
        self.vera_cycles = self.cycles;
        // The event is at most a line away, and an instruction is short: there are never many.
        self.vera.advance_cycles(behind as u32);
    }

    pub(super) fn sync_vias(&mut self) {
        let cycles = self.cycles;
        self.vias.iter_mut().for_each(|via| via.advance(cycles));
        self.board.sound.advance(cycles);
    }

    pub(crate) fn follow_irq(&mut self, since: u64) {
        let irq = self.vera.irq() || self.vias.iter().any(Via::irq) || self.board.sound.irq();
        if irq != self.irq {
            self.irq = irq;
            self.irq_changed = since;
        }
    }

    /// Meets the event if it is due: a line begins, or a limit is reached.
    #[inline]
    pub(crate) fn meet(&mut self) {
        if self.cycles < self.event {
            return;
        }
        self.sync();
        self.sync_vias();
        self.follow_irq(self.event);
        while let Some(event) = self.user.due(self.cycles) {
            self.receive(event);
        }
        if self.vera.frames() >= self.frame_limit {
            self.end(Ending::Frames { frames: 0, pc: 0, idle: false, returned: false });
        }
        if self.cycles >= self.cycle_limit {
            self.end(Ending::Cycles { cycles: 0, pc: 0 });
        }
        self.plan();
    }

    /// What the user does reaches those who listen.
    pub(super) fn receive(&mut self, event: Event) {
        self.board.receive(event, self.cycles);
        self.board.follow(&mut self.vias[0], self.cycles);
        if !self.has_rom() {
            self.kernal.receive(event);
        }
    }

    /// Sets the event and the deadline. AFLOW may come at any time within a line; the other events come at its start.
    pub(crate) fn plan(&mut self) {
        let wait = if self.vera.waits_for_audio() { 1 } else { u64::from(self.vera.cycles_to_line()) };
        let mut next = self.cycles + wait;
        let irqs = [self.vias[0].next_irq(), self.vias[1].next_irq(), self.board.sound.next_irq()];
        // What is due already was met.
        next = irqs.into_iter().flatten().filter(|irq| *irq > self.cycles).fold(next, u64::min);
        next = self.user.when().map_or(next, |when| next.min(when.max(self.cycles)));
        self.event = if self.cycles < self.cycle_limit { next.min(self.cycle_limit) } else { next };
        self.arm();
    }

    /// Sets the deadline.
    pub(crate) fn arm(&mut self) {
        // A request that has just ended still counts for the instruction in which it did.
        let is_up = self.irq_is_near()
            || self.is_halted
            || self.trap.is_some()
            || self.ending.is_some()
            || self.request.is_some();
        self.deadline = if is_up { 0 } else { self.event };
    }

    /// The line asks for an interrupt, or has just ceased to.
    pub(crate) fn irq_is_near(&self) -> bool {
        self.irq || self.irq_changed == self.cycles
    }

    /// After a run or a step: VERA is where the CPU is.
    pub(crate) fn catch_up(&mut self) {
        // An event that is due keeps its own time.
        self.meet();
        self.sync();
        self.sync_vias();
    }

    /// Before a run or a step: the caller may have used VERA without the bus.
    pub(crate) fn begin(&mut self) {
        self.follow_irq(self.cycles);
        self.plan();
    }

    /// Lets cycles pass in which the CPU waits: up to the one before the next event, unless there is a request already.
    pub(crate) fn skip(&mut self) {
        if !self.irq {
            self.cycles = self.cycles.max(self.event.saturating_sub(1));
        }
    }

    /// True if no event can change the interrupt line while the CPU waits.
    pub(crate) fn is_quiet(&self) -> bool {
        !self.irq
            && self.vera.peek(0x06) & 0x0f == 0
            && self.vias.iter().all(Via::is_quiet)
            && self.board.sound.next_irq().is_none()
    }
}
