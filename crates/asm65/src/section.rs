//! Segments, the bytes in them, and where they come to lie.
//!
//! Bytes go into pieces. A piece begins with a segment, at an `.org`, or at an `.align`; where it lies is known at once
//! after an `.org`, and otherwise when everything has been read. The order of the segments and their addresses are
//! those of cc65's `cx16-asm.cfg`; a program that names the segment STARTUP or ONCE, which that file does not have, is laid
//! out as by `cx16.cfg`, with the BASIC line in front.

use crate::Options;
use crate::config::{Config, Use};
use crate::expr::{Expr, Piece};
use gpuzoo_diag::Span;

/// What a segment may hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Class {
    /// Reserved bytes below $100.
    ZeroPage,
    /// Reserved bytes behind the program.
    Bss,
    /// The load address in front of a PRG, which is made anyway.
    Header,
    Bytes,
}

/// The segments in their order.
const KNOWN: &[(&str, Class)] = &[
    ("ZEROPAGE", Class::ZeroPage),
    ("EXTZP", Class::ZeroPage),
    ("LOADADDR", Class::Header),
    ("EXEHDR", Class::Bytes),
    ("STARTUP", Class::Bytes),
    ("LOWCODE", Class::Bytes),
    ("CODE", Class::Bytes),
    ("RODATA", Class::Bytes),
    ("DATA", Class::Bytes),
    ("INIT", Class::Bytes),
    ("ONCE", Class::Bytes),
];
const EXEHDR: usize = 3;
const CODE: usize = 6;
const ONCE: usize = 10;
/// Behind all others, those of the program's own names too; its index here.
const BSS: usize = 11;

/// The most bytes of the program, and the most that it may reserve besides.
pub(crate) const MAX_BYTES: usize = 1 << 16;
/// The same of a program with a configuration, which may have many files for banks of memory.
const MAX_CONFIGURED: usize = 1 << 22;
/// The most segments.
pub(crate) const MAX_SEGMENTS: usize = 256;
/// `10 SYS 2061` as cc65's library has it, with the line number 800.
pub(crate) const STUB: [u8; 12] = [0x0b, 0x08, 0x20, 0x03, 0x9e, b'2', b'0', b'6', b'1', 0, 0, 0];
/// Where the stub must lie to be right.
const STUB_ADDRESS: i64 = crate::basic::BASIC as i64;

pub(crate) struct Segment {
    pub name: String,
    pub class: Class,
    pieces: Vec<Piece>,
    /// True if the program names it.
    pub named: bool,
    /// Where it does so first.
    pub span: Option<Span>,
    /// Where it begins and ends, once known.
    pub range: (i64, i64),
}

struct Part {
    segment: usize,
    /// The address of an `.org`.
    org: Option<i64>,
    align: i64,
    /// What fills the gap that `align` leaves before it.
    fill: u8,
    data: Vec<u8>,
    base: Option<i64>,
    /// Where it went when `.reloc` came.
    moved: Option<(Piece, usize)>,
}

/// All segments.
pub(crate) struct Sections {
    pub segments: Vec<Segment>,
    parts: Vec<Part>,
    here: Piece,
    /// Parts since the last `.org`, if code is at a fixed place.
    fixed: Option<Vec<Piece>>,
    stack: Vec<usize>,
    /// Bytes of the program, and bytes that it only reserves.
    total: usize,
    reserved: usize,
    /// The most of each.
    most: usize,
    /// The segment in which a source begins.
    code: usize,
}

fn segment(name: &str, class: Class) -> Segment {
    Segment { name: name.to_owned(), class, pieces: Vec::new(), named: false, span: None, range: (0, 0) }
}

impl Sections {
    /// With the segments of a configuration, or else of the usual layout.
    pub fn new(config: Option<&Config>) -> Sections {
        let (mut segments, code): (Vec<Segment>, _) = match config {
            None => {
                let known = KNOWN.iter().map(|&(name, class)| segment(name, class));
                (known.chain([segment("BSS", Class::Bss)]).collect(), CODE)
            }
            Some(config) => {
                let class = |kind| match kind {
                    Use::Bytes => Class::Bytes,
                    Use::Bss => Class::Bss,
                    Use::ZeroPage => Class::ZeroPage,
                };
                let known = config.entries.iter().map(|entry| segment(&entry.name, class(entry.kind)));
                let code = config.entries.iter().position(|entry| entry.name == "CODE");
                (known.collect(), code.unwrap_or(config.entries.len()))
            }
        };
        if code == segments.len() {
            segments.push(segment("CODE", Class::Bytes));
        }
        let mut sections = Sections {
            segments,
            parts: Vec::new(),
            here: Piece(0),
            fixed: None,
            stack: Vec::new(),
            total: 0,
            reserved: 0,
            most: if config.is_some() { MAX_CONFIGURED } else { MAX_BYTES },
            code,
        };
        sections.here = sections.add(code, None);
        sections
    }

    fn add(&mut self, segment: usize, org: Option<i64>) -> Piece {
        let piece = Piece(self.parts.len() as u32);
        self.parts.push(Part { segment, org, align: 1, fill: 0, data: Vec::new(), base: org, moved: None });
        match (&mut self.fixed, org) {
            (Some(fixed), Some(_)) => fixed.push(piece),
            _ => self.segments[segment].pieces.push(piece),
        }
        piece
    }

    fn part(&self, piece: Piece) -> &Part {
        &self.parts[piece.0 as usize]
    }

    fn current(&mut self) -> &mut Part {
        &mut self.parts[self.here.0 as usize]
    }

    /// The piece that grows, and the offset of its end.
    pub fn end(&self) -> (Piece, usize) {
        (self.here, self.part(self.here).data.len())
    }

    /// The place of the next byte.
    pub fn here(&self) -> Expr {
        let (piece, offset) = self.end();
        self.place(piece, offset as i64)
    }

    /// A place in a piece.
    pub fn place(&self, piece: Piece, offset: i64) -> Expr {
        match self.part(piece).org {
            Some(org) => Expr::Number(org.wrapping_add(offset)),
            None => Expr::Place(piece, offset),
        }
    }

    /// The address of a piece, once known.
    pub fn base(&self, piece: Piece) -> Option<i64> {
        self.part(piece).base
    }

    pub fn is_zero_page(&self, piece: Piece) -> bool {
        self.segments[self.part(piece).segment].class == Class::ZeroPage
    }

    /// The segment that grows.
    pub fn segment(&self) -> &Segment {
        &self.segments[self.part(self.here).segment]
    }

    /// Adds bytes. False if there is no room for them.
    pub fn emit(&mut self, bytes: &[u8]) -> bool {
        let is_file = matches!(self.segment().class, Class::Bytes | Class::Header);
        let part = self.current();
        let limit = (0x1_0000 - part.org.unwrap_or(0)) as usize;
        let after = part.data.len() + bytes.len();
        let total = if is_file { &mut self.total } else { &mut self.reserved };
        if after > limit || *total + bytes.len() > self.most {
            return false;
        }
        *total += bytes.len();
        self.current().data.extend_from_slice(bytes);
        true
    }

    /// Adds a number of equal bytes. False if there is no room for them.
    pub fn reserve(&mut self, count: usize, fill: u8) -> bool {
        count <= MAX_BYTES && self.emit(&vec![fill; count])
    }

    /// What follows lies at an address.
    pub fn org(&mut self, address: i64) {
        let segment = self.part(self.here).segment;
        self.fixed.get_or_insert_default();
        self.here = self.add(segment, Some(address));
    }

    /// What follows lies in its segment again, and so do the bytes since the `.org`s before.
    pub fn reloc(&mut self) {
        let segment = self.part(self.here).segment;
        for piece in self.fixed.take().unwrap_or_default() {
            let home = self.part(piece).segment;
            let target = self.last(home);
            let data = std::mem::take(&mut self.parts[piece.0 as usize].data);
            let into = &mut self.parts[target.0 as usize].data;
            let at = into.len();
            into.extend_from_slice(&data);
            self.parts[piece.0 as usize].moved = Some((target, at));
        }
        self.here = self.last(segment);
    }

    /// Begins a source: in CODE, behind what is there, and with no segment remembered.
    pub fn begin(&mut self) {
        self.fixed = None;
        self.stack.clear();
        self.here = self.last(self.code);
    }

    /// The growing piece of a segment.
    fn last(&mut self, segment: usize) -> Piece {
        match self.segments[segment].pieces.last() {
            Some(&piece) => piece,
            None => self.add(segment, None),
        }
    }

    /// What follows goes into a segment. Code at a fixed place goes on there, but the zero page is always its own. A name that is
    /// new is a segment of bytes, or of the zero page.
    pub fn enter(&mut self, name: &str, is_zero_page: bool, span: Span) -> &Segment {
        let at = match self.segments.iter().position(|segment| segment.name == name) {
            Some(known) => known,
            None => {
                self.segments.push(segment(name, if is_zero_page { Class::ZeroPage } else { Class::Bytes }));
                self.segments.len() - 1
            }
        };
        self.segments[at].named = true;
        self.segments[at].span.get_or_insert(span);
        let address = self.address();
        self.go(at, address);
        &self.segments[at]
    }

    /// The address of the next byte of code at a fixed place.
    fn address(&self) -> Option<i64> {
        let last = self.fixed.as_ref().and_then(|fixed| fixed.last())?;
        let part = self.part(*last);
        part.org.map(|org| org + part.data.len() as i64)
    }

    fn go(&mut self, segment: usize, address: Option<i64>) {
        if segment == self.part(self.here).segment {
            return;
        }
        let floats = matches!(self.segments[segment].class, Class::ZeroPage | Class::Header);
        self.here = match address.filter(|_| !floats) {
            Some(address) => self.add(segment, Some(address)),
            None => self.last(segment),
        };
    }

    /// Remembers the segment. False if too many are.
    pub fn push(&mut self) -> bool {
        let segment = self.part(self.here).segment;
        self.stack.push(segment);
        self.stack.len() <= 256
    }

    /// Back to the segment remembered. False if none is.
    pub fn pop(&mut self) -> bool {
        let Some(segment) = self.stack.pop() else { return false };
        let address = self.address();
        self.go(segment, address);
        true
    }

    /// Fills up to a multiple of `align`. False if there is no room.
    pub fn align(&mut self, align: i64, fill: u8) -> bool {
        match self.here() {
            Expr::Number(address) => self.reserve((-address).rem_euclid(align) as usize, fill),
            _ => {
                let segment = self.part(self.here).segment;
                self.here = self.add(segment, None);
                let part = self.current();
                part.align = align;
                part.fill = fill;
                true
            }
        }
    }

    /// Whether a program is laid out as by `cl65 -t cx16`: it names a segment that only that layout has.
    pub fn is_whole(&self) -> bool {
        self.segments
            .iter()
            .any(|segment| segment.named && matches!(segment.name.as_str(), "STARTUP" | "ONCE"))
    }

    /// Gives every piece its address.
    pub fn lay_out(&mut self, options: &Options) {
        let origin = i64::from(options.origin);
        let is_whole = self.is_whole();
        let claims = |part: &Part| {
            let org = part.org.unwrap_or(-1);
            part.moved.is_none() && !part.data.is_empty() && (0..STUB_ADDRESS + 12).contains(&org)
        };
        let is_free = origin == STUB_ADDRESS
            && self.segments[EXEHDR].pieces.iter().all(|&piece| self.part(piece).data.is_empty())
            && !self.parts.iter().any(claims);
        if is_free && options.stub.unwrap_or(is_whole) {
            self.append(EXEHDR, &STUB);
        }
        let (zero, own): (Vec<usize>, Vec<usize>) =
            (BSS + 1..self.segments.len()).partition(|&at| self.segments[at].class == Class::ZeroPage);
        let order: Vec<usize> = (EXEHDR..=ONCE).chain(own).collect();
        let mut zero_page = i64::from(options.zero_page.0);
        for segment in [0, 1].into_iter().chain(zero) {
            zero_page = self.lay(segment, zero_page);
        }
        self.lay(2, origin - 2);
        let mut at = origin;
        let mut once = origin;
        for segment in order {
            if segment == ONCE {
                once = at;
            }
            at = self.lay(segment, at);
        }
        // cx16.cfg lets BSS begin where the code that runs once did.
        self.lay(BSS, if is_whole { once } else { at });
    }

    /// Gives the pieces of a segment their addresses, and returns its end.
    pub fn lay(&mut self, segment: usize, from: i64) -> i64 {
        let mut at = from;
        let mut before: Option<Piece> = None;
        for piece in self.segments[segment].pieces.clone() {
            let Part { align, fill, .. } = *self.part(piece);
            let gap = (-at).rem_euclid(align);
            // Beyond $FFFF nothing is filled: it is an error anyway.
            let filled = gap.min(0x1_0000 - at).max(0);
            if let Some(Piece(before)) = before {
                self.parts[before as usize].data.extend(std::iter::repeat_n(fill, filled as usize));
            }
            at += gap;
            let part = &mut self.parts[piece.0 as usize];
            part.base = Some(at);
            at += part.data.len() as i64;
            before = Some(piece);
        }
        self.segments[segment].range = (from, at);
        at
    }

    /// How many bytes a segment needs if it begins at an address.
    pub fn length(&self, segment: usize, from: i64) -> i64 {
        let pieces = self.segments[segment].pieces.iter().map(|&piece| self.part(piece));
        pieces.fold(from, |at, part| at + (-at).rem_euclid(part.align) + part.data.len() as i64) - from
    }

    /// Adds bytes to a segment.
    pub fn append(&mut self, segment: usize, bytes: &[u8]) -> Piece {
        let piece = self.last(segment);
        self.parts[piece.0 as usize].data.extend_from_slice(bytes);
        piece
    }

    /// The bytes of a segment that has its address.
    pub fn bytes(&self, segment: usize) -> Vec<u8> {
        let Segment { pieces, range, .. } = &self.segments[segment];
        let mut bytes = Vec::new();
        for part in pieces.iter().map(|&piece| self.part(piece)) {
            let before = usize::try_from(part.base.unwrap_or(range.0) - range.0).unwrap_or(0);
            bytes.resize(before.max(bytes.len()), part.fill);
            bytes.extend_from_slice(&part.data);
        }
        bytes
    }

    /// Where the reserved memory behind the program ends, if that is over the I/O or beyond $FFFF.
    pub fn bss_excess(&self, io: u16) -> Option<i64> {
        let (start, end) = self.segments[BSS].range;
        let io = i64::from(io);
        let limit = if start < io { io } else { 0x1_0000 };
        (end > limit && end > start).then_some(end)
    }

    /// Zero-page bytes behind the last one that there is.
    pub fn zero_page_excess(&self, last: u8) -> i64 {
        let used = self.segments.iter().filter(|segment| segment.class == Class::ZeroPage);
        used.map(|segment| segment.range.1).max().unwrap_or(0) - (i64::from(last) + 1)
    }

    /// The segment of a piece.
    pub fn segment_of(&self, piece: Piece) -> &Segment {
        &self.segments[self.place_of(piece)]
    }

    /// Which segment a piece is of.
    pub fn place_of(&self, piece: Piece) -> usize {
        self.part(piece).segment
    }

    /// The place for a byte, in the file that its piece went to.
    pub fn byte_mut(&mut self, piece: Piece, offset: usize) -> Option<&mut u8> {
        let (piece, at) = match self.part(piece).moved {
            Some((target, at)) => (target, at + offset),
            None => (piece, offset),
        };
        self.parts.get_mut(piece.0 as usize)?.data.get_mut(at)
    }

    /// The bytes of a PRG with their addresses, in the order of the addresses.
    pub fn output(&self) -> Vec<(i64, &[u8])> {
        let is_output = |part: &&Part| {
            part.moved.is_none() && !part.data.is_empty() && self.segments[part.segment].class == Class::Bytes
        };
        let mut parts: Vec<(i64, &[u8])> = self
            .parts
            .iter()
            .filter(is_output)
            .map(|part| (part.base.unwrap_or(0), part.data.as_slice()))
            .collect();
        parts.sort_by_key(|(address, _)| *address);
        parts
    }
}
