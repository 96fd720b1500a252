//! Time: the beam of a 640×480 VGA picture, line by line, and what happens at the start of each line.
//!
//! Rendering runs one line ahead. At the start of a line the two line buffers of each layer and of the sprites change
//! places; then the next line is rendered into one while the beam shows the other.

use crate::Vera;
use crate::contention::Contention;
use crate::interrupts::{LINE, SPRCOL, VSYNC};
use crate::late::{LateLayer, Source};
use crate::layers::COLUMNS_RENDERED;
use crate::profile::Deviation;
use crate::sprites::{Line, Stray};
use gpuzoo_stored::{LATEST, stored};

/// Columns of the picture.
pub const WIDTH: usize = 640;
/// Lines of the picture.
pub const HEIGHT: usize = 480;
/// Columns that the composer can look up.
pub(crate) const COLUMNS: usize = 642;

/// Lines of a frame, and clocks of 25 MHz in a line.
pub const LINES: u16 = 525;
/// See [`LINES`].
pub const LINE_CLOCKS: u32 = 800;

/// Time is counted in 5 ns, so that both clocks are whole numbers: 25 MHz for VERA, 8 MHz for the CPU.
const UNITS_PER_CLOCK: u32 = 8;
const UNITS_PER_CPU_CYCLE: u32 = 25;
const LINE_UNITS: u64 = (LINE_CLOCKS * UNITS_PER_CLOCK) as u64;

/// How much of the picture is drawn. Registers, memory, interrupts, collisions and time are the same in any case.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Drawing {
    /// All of it.
    #[default]
    Picture,
    /// The renderers' line buffers, but not the picture: one that is wanted later is to be drawn from its first line on.
    Lines,
    /// The sprites, which can collide, and nothing else. Where a layer is switched on again, its line buffers still hold what it had
    /// drawn before; so there is no exact picture after this.
    Nothing,
}

/// Beam, counters, line buffers and the picture.
#[derive(Clone, PartialEq)]
pub(crate) struct Video {
    /// Units since the start of the current line.
    beam: u64,
    /// The line that is scanned out, 0 to 524.
    pub line: u16,
    /// The composer's line counters: the line that it shows, and the next one. In the frame after power-on they are one
    /// behind the beam, since they start with it at 0 and count at its next line.
    pub shown_line: u16,
    next_line: u16,
    /// Frames that are complete.
    pub frames: u64,
    /// The next pixel of this line to compose.
    pub shown: u16,
    /// The column counter, 10.7 fixed point.
    pub column: u32,
    /// The window has begun in this frame.
    started: bool,
    /// The render line, 9.7 fixed point.
    pub row: u32,
    /// Which of two buffers is rendered to.
    buffer: usize,
    pub layer_lines: [[[u8; COLUMNS_RENDERED]; 2]; 2],
    /// Who has the memory when, as of the last line with a layer.
    contention: Option<Contention>,
    /// Layer 1, while it is one that runs late.
    late: LateLayer,
    pub sprite_lines: [Line; 2],
    /// What the sprites' renderer writes at the last clock of its line, which is the first of the other buffer.
    stray: Option<Stray>,
    /// Collisions of this frame so far, and those latched at the last VSYNC.
    pub new_collisions: u8,
    pub collisions: u8,
    /// Bit 7 of DC_VIDEO.
    pub field: bool,
    pub drawing: Drawing,
    /// All of the picture has been drawn, always.
    pub is_whole: bool,
    pub frame: Box<[[u8; 4]]>,
}

stored! {
    Video {
        beam, line, shown_line, next_line, frames, shown, column, started, row, buffer, layer_lines, contention, late, sprite_lines, stray,
        new_collisions, collisions, field, frame,
    } without { drawing: Drawing::Picture, is_whole: true }
    if |own: &Video| {
        let is_line = |line: u16| line <= LINES;
        own.beam < LINE_UNITS
            && own.line < LINES
            && is_line(own.shown_line)
            && is_line(own.next_line)
            && own.frames < LATEST
            && own.column <= (COLUMNS as u32) << 7
            && own.row < 1 << 17
            && own.buffer < 2
            && own.frame.len() == WIDTH * HEIGHT
    }
}

impl Video {
    /// The beam at the start of a line, over what the picture shows.
    pub(crate) fn over(frame: Box<[[u8; 4]]>) -> Video {
        Video {
            beam: 0,
            line: 0,
            shown_line: 0,
            next_line: 0,
            frames: 0,
            shown: 0,
            column: 0,
            started: false,
            row: 0,
            buffer: 0,
            layer_lines: [[[0; COLUMNS_RENDERED]; 2]; 2],
            contention: None,
            late: LateLayer::default(),
            sprite_lines: [Line::new(), Line::new()],
            stray: None,
            new_collisions: 0,
            collisions: 0,
            field: false,
            drawing: Drawing::Picture,
            is_whole: true,
            frame,
        }
    }

    pub(crate) fn new() -> Video {
        Video::over(vec![[0, 0, 0, 255]; WIDTH * HEIGHT].into_boxed_slice())
    }

    /// The pixel that the beam is at; 640 to 799 are blank.
    #[inline]
    pub(crate) fn beam_x(&self) -> u16 {
        (self.beam / u64::from(UNITS_PER_CLOCK)) as u16
    }

    /// The buffer that the beam shows.
    pub(crate) fn shown_buffer(&self) -> usize {
        self.buffer ^ 1
    }

    /// The line to render next, as the renderers count it.
    pub(crate) fn render_line(&self) -> u16 {
        (self.row >> 7) as u16
    }
}

impl Vera {
    /// Lets clocks of 25 MHz pass.
    pub fn advance_clocks(&mut self, clocks: u32) {
        self.advance(u64::from(clocks) * u64::from(UNITS_PER_CLOCK));
    }

    /// Lets cycles of the 8 MHz CPU pass: 3 ⅛ clocks each.
    #[inline]
    pub fn advance_cycles(&mut self, cycles: u32) {
        self.advance(u64::from(cycles) * u64::from(UNITS_PER_CPU_CYCLE));
    }

    /// Lets time pass to the start of the next line.
    pub fn advance_line(&mut self) {
        self.advance(LINE_UNITS - self.video.beam);
    }

    /// CPU cycles until the next line has begun, 1 to 256.
    #[inline]
    pub fn cycles_to_line(&self) -> u32 {
        (LINE_UNITS - self.video.beam).div_ceil(u64::from(UNITS_PER_CPU_CYCLE)) as u32
    }

    /// Lets time pass until the picture that the beam is in, or before, is complete: to the start of line 480.
    pub fn advance_frame(&mut self) {
        let frames = self.video.frames;
        while self.video.frames == frames {
            self.advance_line();
        }
    }

    #[inline]
    fn advance(&mut self, units: u64) {
        self.now = self.now.wrapping_add(units);
        self.video.beam += units;
        let clock = self.clock();
        self.audio.run_to(clock);
        while self.video.beam >= LINE_UNITS {
            self.video.beam -= LINE_UNITS;
            self.next_line();
        }
    }

    /// Clocks of 25 MHz since power-on.
    #[inline]
    pub fn clock(&self) -> u64 {
        self.now / u64::from(UNITS_PER_CLOCK)
    }

    /// The line that is scanned out, 0 to 524; 480 and more are blank.
    pub fn line(&self) -> u16 {
        self.video.line
    }

    /// The pixel of the line that is scanned out, 0 to 799; 640 and more are blank.
    pub fn beam_x(&self) -> u16 {
        self.video.beam_x()
    }

    /// Exchanges the picture's pixels, 640 × 480, with others. A device whose picture is taken out must get it back before time goes
    /// on.
    pub fn swap_picture(&mut self, pixels: &mut Box<[[u8; 4]]>) {
        std::mem::swap(&mut self.video.frame, pixels);
    }

    /// How many pictures are complete since power-on.
    pub fn frames(&self) -> u64 {
        self.video.frames
    }

    /// The picture as the beam has drawn it: [`WIDTH`] × [`HEIGHT`] pixels, red, green, blue and 255.
    pub fn picture(&self) -> &[[u8; 4]] {
        &self.video.frame
    }

    /// From now on draws no more than this. It is what makes runs fast of which nobody wants to see the picture.
    ///
    /// ```
    /// use gpuzoo_vera::{Drawing, Vera};
    /// let mut vera = Vera::default();
    /// vera.write(0x09, 1);
    /// vera.draw(Drawing::Nothing);
    /// vera.advance_frame();
    /// assert_eq!((vera.frames(), vera.picture()[0]), (1, [0, 0, 0, 255]));
    /// ```
    pub fn draw(&mut self, drawing: Drawing) {
        self.video.drawing = drawing;
        self.video.is_whole &= drawing == Drawing::Picture;
    }

    /// SCANLINE as it reads: the RTL shows the counter of the next line, and pegs it by that of this one (co:127).
    pub fn scanline(&self) -> u16 {
        if self.deviates(Deviation::ScanlineIsLine) {
            self.video.line.min(0x1ff)
        } else if self.video.shown_line >= 512 {
            0x1ff
        } else {
            self.video.next_line & 0x1ff
        }
    }

    /// The start of a line: one buffer is finished, the other begins.
    fn next_line(&mut self) {
        self.show_to(WIDTH as u16);
        // The stray sees the other buffer at the composer's last column, which for 636 to 639 is not erased yet.
        let column = self.video.last_column(&self.composer);
        let shown = self.video.shown_buffer();
        let line = &mut self.video.sprite_lines[shown];
        let before = line.at(column);
        line.erase();
        let seen = if (636..640).contains(&column) { before } else { line.at(column) };
        let stray = self.video.stray.take();

        let video = &mut self.video;
        video.buffer ^= 1;
        video.shown = 0;
        video.column = 0;
        video.line = if video.line + 1 == LINES { 0 } else { video.line + 1 };
        let line = video.line;
        video.shown_line = video.next_line;
        video.next_line = if line == LINES - 1 { 0 } else { video.next_line + 1 };
        if line == HEIGHT as u16 {
            video.frames += 1;
            video.collisions = video.new_collisions;
            video.new_collisions = 0;
            let collided = if video.collisions != 0 { SPRCOL } else { 0 };
            self.interrupts.status |= VSYNC | collided;
        }
        if self.video.shown_line == self.interrupts.line {
            self.interrupts.status |= LINE;
        }
        if line == LINES - 1 {
            self.video.started = false;
            self.video.field = !self.composite_field();
        }
        if let Some(stray) = stray {
            let buffer = self.video.buffer;
            self.video.new_collisions |= stray.draw(&mut self.video.sprite_lines[buffer], seen);
        }
        let renders = self.next_row();
        let buffer = self.video.buffer;
        self.video.late.draw_strays(&mut self.video.layer_lines[1][buffer]);
        if renders {
            self.render();
        } else if self.video.late.is_running() && self.composer.shows_layer(1) {
            self.run_late(false);
        }
    }

    /// Moves the vertical counter; true if a line is to be rendered (co:149-163).
    fn next_row(&mut self) -> bool {
        let (video, composer) = (&mut self.video, &self.composer);
        if !video.started && video.next_line >= composer.vstart {
            video.started = true;
            let late = self.deviations.has(Deviation::WindowStartsLate) && composer.vstart > 0;
            video.row = if late { u32::from(composer.vscale) } else { 0 };
            return true;
        }
        if video.render_line() < HEIGHT as u16 && composer.shows_line(video.shown_line) {
            video.row += u32::from(composer.vscale);
            return true;
        }
        false
    }

    /// Renders layers and sprites into the buffer of the next line. A layer that is off loses only the bus: its buffers
    /// stay.
    fn render(&mut self) {
        let (row, buffer) = (self.video.render_line(), self.video.buffer);
        let enabled = [0, 1].map(|layer| self.composer.shows_layer(layer));
        if enabled != [false; 2] {
            let shapes = [0, 1].map(|layer| self.layers[layer].shape(enabled[layer]));
            if !self.video.contention.as_ref().is_some_and(|known| known.is_of(&shapes)) {
                self.video.contention = Some(Contention::new(shapes));
            }
        }
        let late = enabled[1]
            && !self.deviations.has(Deviation::LayersInTime)
            && self.video.contention.as_ref().is_some_and(Contention::is_late);
        let draws = self.video.drawing != Drawing::Nothing;
        for layer in (0..2).filter(|layer| draws && enabled[*layer] && !(late && *layer == 1)) {
            let line = &mut self.video.layer_lines[layer][buffer];
            self.layers[layer].render(&self.vram, row, line, self.deviations);
        }
        let own;
        let contention = if late {
            own = self.run_late(true);
            Some(&own)
        } else {
            self.video.late.stop();
            self.video.contention.as_ref().filter(|_| enabled != [false; 2])
        };
        if self.composer.shows_sprites() || !self.deviations.has(Deviation::HiddenSpritesAreOff) {
            let line = &mut self.video.sprite_lines[buffer];
            let drawn = self.sprites.render(&self.vram, row, line, contention, self.deviations);
            self.video.new_collisions |= drawn.collisions;
            self.video.stray = drawn.stray;
        }
    }

    /// The clocks of a line of a layer 1 that runs late; returns who had the memory.
    fn run_late(&mut self, restart: bool) -> Contention {
        let enabled = [0, 1].map(|layer| self.composer.shows_layer(layer));
        // Layer 0 is done before its line is over, so it asks only in lines that begin.
        let below = self.layers[0].shape(enabled[0] && restart);
        let mut contention = Contention::new([below, self.layers[1].shape(false)]);
        let (line, buffer) = (self.video.render_line(), self.video.buffer);
        let source = Source { layer: &self.layers[1], vram: &self.vram, line };
        let out = &mut self.video.layer_lines[1][buffer];
        self.video.late.run(&source, restart, &mut contention, out);
        contention
    }

    /// The composite side's field: it runs all the time, 525 half lines of 794 clocks to a field, one more in 240P.
    /// Read from the source, not measured.
    fn composite_field(&self) -> bool {
        let extra = u64::from(self.composer.video >> 3 & 1);
        let half_lines = self.clock() / 794;
        let total = 1050 + 2 * extra;
        // The field is sampled at half lines 42 and 568; it is 0 for the whole first frame.
        half_lines >= total && (42..568).contains(&(half_lines % total))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// After the first frame, when the counters are in step.
    fn at_line(line: u16) -> Vera {
        let mut vera = Vera::default();
        vera.advance_frame();
        vera.advance_frame();
        while vera.line() != line {
            vera.advance_line();
        }
        vera
    }

    #[test]
    fn scanline_is_one_ahead_and_pegged() {
        for (line, scanline) in [(0, 1), (1, 2), (510, 511), (511, 0), (512, 511), (524, 511)] {
            assert_eq!(at_line(line).scanline(), scanline, "line {line}");
        }
        let mut vera = at_line(300);
        assert_eq!((vera.read(0x08), vera.read(0x06)), (45, 0x40));
    }

    #[test]
    fn line_interrupts_come_at_the_first_clock_of_their_line() {
        for line in [0, 1, 100, 479, 480, 511] {
            let before = if line == 0 { 524 } else { line - 1 };
            let mut vera = at_line(before);
            vera.write(0x06, (line >> 8 << 7) as u8);
            vera.write(0x08, line as u8);
            vera.write(0x07, 7);
            vera.advance_clocks(LINE_CLOCKS - 1);
            assert_eq!(vera.read(0x07) & LINE, 0);
            vera.advance_clocks(1);
            assert_eq!(vera.read(0x07) & LINE, LINE, "line {line}");
        }
    }

    #[test]
    fn vsync_comes_at_line_480_and_a_frame_takes_525_lines() {
        let mut vera = at_line(479);
        vera.write(0x07, 7);
        assert_eq!(vera.read(0x07) & VSYNC, 0);
        vera.advance_line();
        assert_eq!((vera.read(0x07) & VSYNC, vera.frames()), (VSYNC, 3));
        let clock = vera.clock();
        vera.advance_frame();
        assert_eq!(vera.clock() - clock, 525 * 800);
    }

    #[test]
    fn the_counters_start_a_line_late() {
        let mut vera = Vera::default();
        assert_eq!((vera.scanline(), vera.video.shown_line), (0, 0));
        vera.advance_line();
        assert_eq!((vera.line(), vera.scanline(), vera.video.shown_line), (1, 1, 0));
        assert_eq!(vera.read(0x07) & LINE, LINE, "line 0 comes with the beam's line 1");
    }

    #[test]
    fn a_cpu_cycle_is_three_and_an_eighth_clocks() {
        let mut vera = Vera::default();
        vera.advance_cycles(256);
        assert_eq!((vera.clock(), vera.line()), (800, 1));
        vera.advance_cycles(7);
        assert_eq!(vera.clock(), 821);
    }

    #[test]
    fn border_changes_show_from_the_beam_on() {
        let mut vera = Vera::default();
        vera.write(0x09, 1);
        for (register, value) in [(0x0c, 1), (0x05, 2), (0x0a, 0), (0x05, 0)] {
            vera.write(register, value);
        }
        while vera.line() != 10 {
            vera.advance_line();
        }
        vera.advance_clocks(100);
        vera.write(0x0c, 2);
        vera.advance_line();
        let line = &vera.picture()[10 * WIDTH..11 * WIDTH];
        assert!(line[..100].iter().all(|pixel| *pixel == [255, 255, 255, 255]));
        assert!(line[100..].iter().all(|pixel| *pixel == [0x88, 0, 0, 255]));
    }

    #[test]
    fn without_an_output_the_picture_is_black_or_blue() {
        for (profile, blue) in [(crate::Profile::Rtl, 0), (crate::Profile::X16Emu, 255)] {
            let mut vera = Vera::new(profile);
            vera.advance_frame();
            assert!(vera.picture().iter().all(|pixel| *pixel == [0, 0, blue, 255]));
        }
    }
}
