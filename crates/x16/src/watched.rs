//! A machine that is watched: by lints, and by a recorder of its bus.

use crate::lints::{Finding, Lints, Memory};
use crate::{Limits, Loaded, X16, kernal};
use gpuzoo_diag::Diagnostic;
use gpuzoo_vera::trace::Recording;
use gpuzoo_vera::{Drawing, Register};

impl X16 {
    /// Looks for misuse of VERA from now on, and in [`run`](X16::run) for reads of memory that nothing has written: for video memory of a
    /// machine with a ROM only if [`expect_lints`](X16::expect_lints) was called at power-on. `named` are the registers that the program's
    /// text names, by the address of the instruction ([`asm::registers`](crate::asm::registers)); none for programs without a text.
    pub fn lint(&mut self, named: Vec<(u16, &'static Register)>) {
        let mut written: Vec<u32> = self.bus.vera.take_stores().map(|store| store.address).collect();
        let is_known = !self.bus.has_rom() || self.bus.vera.watches_stores();
        if !self.bus.has_rom() {
            written.extend(self.bus.written_at_power_on());
        }
        let mut memory = Memory::new(&self.bus, is_known.then(|| written.into_iter()));
        if let Some(Loaded { address, length, .. }) = self.loaded {
            memory.loaded(&self.bus, address, length);
        }
        self.bus.vera.watch_stores(true);
        self.watch().lints = Some(Lints::new(named));
        self.memory = Some(memory);
    }

    /// Counts all memory as written, if there are lints: of a machine that goes on from a [state](X16::load_state) nobody knows what is.
    pub(crate) fn know_memory(&mut self) {
        if let Some(memory) = &mut self.memory {
            memory.know_all(&self.bus);
        }
    }

    /// Notes from now on what is written to video memory, for a later [`lint`](X16::lint).
    pub fn expect_lints(&mut self) {
        self.bus.vera.watch_stores(true);
    }

    /// Number of pixels of the next whole picture that depend on video memory that nothing has written, and the first one's
    /// column and line. None without lints.
    pub(crate) fn shows_unwritten(&self) -> Option<(usize, [usize; 2])> {
        let memory = self.memory.as_ref()?;
        let mut plain = self.clone();
        (plain.bus.watch, plain.memory) = (None, None);
        plain.bus.vera.watch_stores(false);
        plain.bus.vera.draw(Drawing::Picture);
        let mut other = plain.clone();
        memory.unwritten_vram().for_each(|at| other.bus.vera.vram_mut()[at] ^= 0xff);
        let [plain, other] = [&mut plain, &mut other].map(|machine| {
            machine.run(&Limits::frames(2));
            // A program that has ended leaves VERA on.
            if machine.ended.is_some() {
                machine.bus.vera.advance_frame();
                machine.bus.vera.advance_frame();
            }
            machine.bus.vera.picture()
        });
        let mut differing = plain.iter().zip(other).enumerate().filter(|(_, (plain, other))| plain != other);
        let (first, _) = differing.next()?;
        Some((differing.count() + 1, [first % gpuzoo_vera::WIDTH, first / gpuzoo_vera::WIDTH]))
    }

    /// Findings, by first occurrence.
    pub fn findings(&self) -> &[Finding] {
        self.bus.watch.as_ref().and_then(|watch| watch.lints.as_ref()).map_or(&[], Lints::findings)
    }

    /// Number of findings that are not among the [`findings`](X16::findings), of which there are only
    /// [so many](crate::lints::MAX_FINDINGS).
    pub fn findings_left_out(&self) -> u64 {
        self.bus.watch.as_ref().and_then(|watch| watch.lints.as_ref()).map_or(0, Lints::left_out)
    }

    /// Writes a bus trace from now on. For a trace that others can replay, call it before the program is loaded: it then begins with
    /// what the stand-ins for a ROM have set up, and a comment says where the program starts.
    pub fn record(&mut self) {
        self.watch().recording = Some(Recording::default());
        if self.bus.cycles == 0 && !self.bus.has_rom() {
            kernal::set_up(&mut self.bus);
        }
    }

    /// Ends the recording: the trace, if there was one, and a warning if it is not all.
    pub fn recorded(&mut self) -> Option<(String, Option<Diagnostic>)> {
        let recording = self.watch().recording.take();
        self.drop_idle_watch();
        let recording = recording?;
        let remark = recording.remark();
        Some((recording.finish(&self.bus.vera), remark))
    }

    /// Says in a recording that a program begins here: what comes before is what a ROM, or what stands in for it, has set up.
    pub(super) fn mark_start(&mut self) {
        if let Some(recording) = self.bus.watch.as_mut().and_then(|watch| watch.recording.as_mut()) {
            recording.mark_start();
        }
    }
}
