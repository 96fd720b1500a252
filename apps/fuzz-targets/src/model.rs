//! VERA's data ports and FX as sections 3 and 8 of its spec (`gpus/vera/docs/spec.md`) state them, as plainly as possible:
//! nothing is prepared, packed or left out, and a sentence there is a line here.

/// The first byte of the windows that are shadowed, and one past the last.
pub(crate) const WINDOWS: usize = 0x1_f9c0;
const END: usize = 0x2_0000;

/// Bytes of each increment code.
const STRIDES: [i64; 16] = [0, 1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 40, 80, 160, 320, 640];

#[derive(Clone, Copy, Default)]
pub(crate) struct Port {
    pub address: usize,
    pub nibble: bool,
    code: usize,
    down: bool,
    half: bool,
    pub latch: u8,
}

/// A device without time: what software sees that accesses it every four cycles or less often.
pub(crate) struct Model {
    pub vram: Vec<u8>,
    /// What was stored in the windows.
    pub shadow: Vec<Option<u8>>,
    pub ports: [Port; 2],
    addrsel: usize,
    pub dcsel: u8,
    control: u8,
    tile: u8,
    map: u8,
    subtract: bool,
    multiplier: bool,
    two_byte: bool,
    byte_index: usize,
    nibble_index: usize,
    /// X, Y: the registers as they were written.
    increments: [u32; 2],
    pub positions: [u32; 2],
    pub cache: [u8; 4],
    pub accumulator: u32,
    hop_start: usize,
    poke_armed: bool,
    aim_pending: bool,
}

impl Model {
    /// After a reset, with this memory.
    pub fn new(vram: Vec<u8>) -> Model {
        let latch = vram[0];
        Model {
            vram,
            shadow: vec![None; END - WINDOWS],
            ports: [Port { latch, ..Port::default() }; 2],
            addrsel: 0,
            dcsel: 0,
            control: 0,
            tile: 0,
            map: 0,
            subtract: false,
            multiplier: false,
            two_byte: false,
            byte_index: 0,
            nibble_index: 0,
            increments: [0; 2],
            positions: [256; 2],
            cache: [0; 4],
            accumulator: 0,
            hop_start: 0,
            poke_armed: false,
            aim_pending: false,
        }
    }

    fn mode(&self) -> u8 {
        self.control & 3
    }

    fn is(&self, bit: u8) -> bool {
        self.control >> bit & 1 != 0
    }

    fn four_bit(&self) -> bool {
        self.is(2)
    }

    /// Section 8.5.
    fn two_bit(&self) -> bool {
        self.mode() == 2 && self.four_bit() && self.tile & 1 != 0
    }

    /// A register that this model has; none for the others.
    pub fn read(&mut self, register: u8) -> Option<u8> {
        let port = self.ports[self.addrsel];
        Some(match (register, self.dcsel) {
            (0, _) => port.address as u8,
            (1, _) => (port.address >> 8) as u8,
            (2, _) => {
                let high = (port.code << 4) as u8 | u8::from(port.down) << 3 | u8::from(port.half) << 2;
                high | u8::from(port.nibble) << 1 | (port.address >> 16) as u8
            }
            (3, _) => self.read_data(0),
            (4, _) => self.read_data(1),
            (5, _) => self.dcsel << 1 | self.addrsel as u8,
            (9, 2) => self.control,
            (0xb, 5) => self.fill_length() as u8,
            (0xc, 5) => (self.fill_length() >> 8) as u8,
            (9..=0xc, 2..) => {
                match (register, self.dcsel) {
                    (9, 6) => self.accumulator = 0,
                    (0xa, 6) => self.accumulator = self.output(),
                    _ => {}
                }
                [b'V', 48, 0, 1][usize::from(register - 9)]
            }
            _ => return None,
        })
    }

    pub fn write(&mut self, register: u8, value: u8) {
        match (register, self.dcsel) {
            (0..=2, _) => self.write_address(register, value),
            (3, _) => self.write_data(0, value),
            (4, _) => self.write_data(1, value),
            (5, _) => {
                self.dcsel = value >> 1 & 0x3f;
                self.addrsel = usize::from(value & 1);
            }
            (9, 2) => {
                self.control = value;
                self.aim_if_pending();
            }
            (0xa, 2) => self.tile = value,
            (0xb, 2) => self.map = value,
            (0xc, 2) => {
                self.subtract = value & 0x20 != 0;
                self.multiplier = value & 0x10 != 0;
                self.byte_index = usize::from(value >> 2 & 3);
                self.nibble_index = usize::from(value >> 1 & 1);
                self.two_byte = value & 1 != 0;
                if value & 0x40 != 0 {
                    self.accumulator = self.output();
                }
                if value & 0x80 != 0 {
                    self.accumulator = 0;
                }
            }
            (9..=0xc, 3) => self.write_increment(usize::from(register - 9), value),
            (9..=0xc, 4) => {
                let axis = usize::from(register - 9) / 2;
                let value = u32::from(value);
                if register == 9 || register == 0xb {
                    self.set(axis, 16, 9, value);
                } else {
                    self.set(axis, 19, 17, value & 7);
                    self.set(axis, 0, 0, value >> 7);
                }
                self.aim_pending = true;
                self.aim_if_pending();
            }
            (9 | 0xa, 5) => self.set(usize::from(register - 9), 8, 1, value.into()),
            (9..=0xc, 6) => self.cache[usize::from(register - 9)] = value,
            _ => {}
        }
    }

    /// Sets bits `high` to `low` of a position.
    fn set(&mut self, axis: usize, high: u32, low: u32, value: u32) {
        let mask = ((1 << (high - low + 1)) - 1) << low;
        self.positions[axis] = self.positions[axis] & !mask | value << low & mask;
    }

    fn write_increment(&mut self, at: usize, value: u8) {
        let (axis, is_high) = (at / 2, at % 2 == 1);
        let old = self.increments[axis];
        self.increments[axis] =
            if is_high { old & 0xff | u32::from(value) << 8 } else { old & 0xff00 | u32::from(value) };
        if is_high && (self.mode() == 1 || self.mode() == 2) {
            self.set(axis, 8, 0, 256);
            if axis == 0 && self.mode() == 1 {
                self.set(0, 9, 9, 0);
            }
        }
    }

    fn write_address(&mut self, register: u8, value: u8) {
        let index = self.addrsel;
        let address = self.ports[index].address;
        let byte = usize::from(value);
        if register == 0 && index == 1 && self.is(3) {
            self.hop_start = byte & 3;
        }
        let port = &mut self.ports[index];
        match register {
            0 if index == 1 && self.control & 7 == 6 && self.tile & 1 != 0 => {
                port.address = address & !3 | byte & 3;
                self.poke_armed = true;
            }
            0 => port.address = address & !0xff | byte,
            1 => port.address = address & !0xff00 | byte << 8,
            _ => {
                port.address = address & 0xffff | (byte & 1) << 16;
                port.nibble = byte & 2 != 0;
                port.half = byte & 4 != 0;
                port.down = byte & 8 != 0;
                port.code = byte >> 4;
            }
        }
        self.refill(index);
    }

    fn refill(&mut self, index: usize) {
        self.ports[index].latch = self.vram[self.ports[index].address];
    }

    fn go(&mut self, index: usize, bytes: i64) {
        let port = &mut self.ports[index];
        port.address = (port.address as i64 + bytes).rem_euclid(END as i64) as usize;
    }

    /// Bytes of a port's own step, and whether its nibble bit flips.
    fn step(&self, index: usize) -> (i64, bool) {
        let port = self.ports[index];
        if port.code == 0 && port.half && self.four_bit() {
            let bytes = match (port.down, port.nibble) {
                (false, true) => 1,
                (true, false) => -1,
                _ => 0,
            };
            return (bytes, true);
        }
        let stride = STRIDES[port.code];
        if index == 1 && self.is(3) && !port.down && (port.code == 3 || port.code == 14) {
            return (if port.address & 3 == self.hop_start { 1 } else { stride - 1 }, false);
        }
        (if port.down { -stride } else { stride }, false)
    }

    fn take_step(&mut self, index: usize) {
        let (bytes, flips) = self.step(index);
        self.go(index, bytes);
        self.ports[index].nibble ^= flips;
        self.refill(index);
    }

    /// Section 8.2: both positions add their increments.
    fn advance(&mut self) {
        for axis in 0..2 {
            let register = self.increments[axis];
            let low = register & 0x7fff;
            let increment = match (register & 0x8000 != 0, low & 0x4000 != 0) {
                (true, _) => low << 5,
                (false, true) => low | 0xf_8000,
                (false, false) => low,
            };
            self.positions[axis] = (self.positions[axis] + increment) & 0xf_ffff;
        }
    }

    fn line_step(&mut self) {
        self.advance();
        let (always, flips) = self.step(1);
        let (sometimes, _) = self.step(0);
        self.go(1, always);
        self.ports[1].nibble ^= flips;
        if self.positions[0] >> 9 & 1 != 0 {
            self.go(1, sometimes);
            self.set(0, 9, 9, 0);
        }
        self.refill(1);
    }

    fn aim_if_pending(&mut self) {
        if self.aim_pending && self.mode() >= 2 {
            self.aim();
            self.aim_pending = false;
        }
    }

    fn aim(&mut self) {
        if self.mode() == 2 {
            self.aim_polygon()
        } else {
            self.aim_affine()
        }
        self.refill(1);
    }

    fn aim_polygon(&mut self) {
        let pixel = i64::from(self.positions[0] >> 9);
        let x = if pixel >= 1024 { pixel - 2048 } else { pixel };
        self.ports[1].address = self.ports[0].address;
        if self.four_bit() {
            self.go(1, x.div_euclid(2));
            self.ports[1].nibble = x.rem_euclid(2) == 1;
        } else {
            self.go(1, x);
            self.ports[1].nibble = false;
        }
    }

    fn aim_affine(&mut self) {
        let [x, y] = self.positions.map(|position| (position >> 9) as usize);
        let side = 2 << (2 * (self.map & 3));
        let (column, row) = (x / 8, y / 8);
        let clipped = self.tile & 2 != 0 && (column >= side || row >= side);
        let entry = (usize::from(self.map >> 2) << 11) + row % side * side + column % side;
        let tile = if clipped { 0 } else { usize::from(self.vram[entry % END]) };
        let base = usize::from(self.tile >> 2) << 11;
        let (offset, nibble) = if self.four_bit() {
            (tile * 32 + y % 8 * 4 + x % 8 / 2, x % 2 == 1)
        } else {
            (tile * 64 + y % 8 * 8 + x % 8, false)
        };
        self.ports[1].address = (base + offset) % END;
        self.ports[1].nibble = nibble;
    }

    /// Section 8.3.
    fn read_data(&mut self, index: usize) -> u8 {
        let Port { latch, nibble, .. } = self.ports[index];
        self.note_read(index, latch, nibble);
        match (self.mode(), index) {
            (1, 1) => self.line_step(),
            (2, 0) => {
                self.advance();
                self.take_step(0);
            }
            (2, 1) if self.poke_armed => {}
            (2 | 3, 1) => {
                self.advance();
                self.aim();
            }
            _ => self.take_step(index),
        }
        latch
    }

    /// Section 8.6.
    fn note_read(&mut self, index: usize, latch: u8, nibble: bool) {
        if self.is(5) && self.four_bit() {
            let value = if nibble { latch & 15 } else { latch >> 4 };
            let byte = &mut self.cache[self.byte_index];
            *byte = if self.nibble_index == 0 { *byte & 0x0f | value << 4 } else { *byte & 0xf0 | value };
            let next = (self.byte_index * 2 + self.nibble_index + 1) % 8;
            (self.byte_index, self.nibble_index) = (next / 2, next % 2);
        } else if self.is(5) {
            self.cache[self.byte_index] = latch;
            self.next_byte();
        } else if self.is(4) && self.mode() == 2 && index == 0 {
            self.next_byte();
        }
    }

    fn next_byte(&mut self) {
        self.byte_index = if self.two_byte { self.byte_index ^ 1 } else { (self.byte_index + 1) % 4 };
    }

    fn write_data(&mut self, index: usize, value: u8) {
        if index == 1 && self.poke_armed && self.mode() == 2 {
            let mask = 0xc0 >> (2 * (value >> 6));
            let byte = self.ports[1].latch & !mask | self.cache[self.byte_index] & mask;
            self.store_byte(self.ports[1].address, byte);
            self.poke_armed = false;
            return;
        }
        self.store(index, value);
        match (self.mode(), index) {
            (1, 1) => self.line_step(),
            (3, 1) => {
                self.advance();
                self.aim();
            }
            _ => self.take_step(index),
        }
    }

    fn store_byte(&mut self, address: usize, value: u8) {
        self.vram[address] = value;
        if address >= WINDOWS {
            self.shadow[address - WINDOWS] = Some(value);
        }
    }

    /// Section 8.7.
    fn store(&mut self, index: usize, value: u8) {
        let Port { address, nibble, .. } = self.ports[index];
        if address >= WINDOWS {
            return self.store_byte(address, value);
        }
        let (transparent, cache_write, cycling) = (self.is(7), self.is(6), self.is(4));
        let byte = if cycling { self.cache[self.byte_index] } else { value };
        if cache_write {
            let word = if cycling { [byte; 4] } else { self.output().to_le_bytes() };
            for (at, byte) in word.into_iter().enumerate() {
                for half in 0..2 {
                    let bits = if half == 0 { 0x0f } else { 0xf0 };
                    let zero = if self.four_bit() { byte & bits == 0 } else { byte == 0 };
                    let keep = if transparent { zero } else { value >> (2 * at + half) & 1 != 0 };
                    let place = &mut self.vram[(address & !3) + at];
                    if !keep {
                        *place = *place & !bits | byte & bits;
                    }
                }
            }
            return;
        }
        let bits = match (self.four_bit(), nibble) {
            (false, _) => 0xff,
            (true, false) => 0xf0,
            (true, true) => 0x0f,
        };
        if !(transparent && byte & bits == 0) {
            self.vram[address] = self.vram[address] & !bits | byte & bits;
        }
    }

    /// Section 8.8.
    fn output(&self) -> u32 {
        let [a, b, c, d] = self.cache;
        if !self.multiplier {
            return u32::from_le_bytes(self.cache);
        }
        let product = i32::from(i16::from_le_bytes([a, b])) * i32::from(i16::from_le_bytes([c, d]));
        if self.subtract {
            self.accumulator.wrapping_sub(product as u32)
        } else {
            self.accumulator.wrapping_add(product as u32)
        }
    }

    /// Section 8.4: FX_POLY_FILL_L, and FX_POLY_FILL_H above it.
    fn fill_length(&self) -> u16 {
        let [x, y] = self.positions;
        let n = (y >> 9).wrapping_sub(x >> 9) & 0x3ff;
        let bad = n >> 8 == 3;
        let two_bit = self.two_bit();
        let columns = x >> 9 & 3;
        let middle = if self.four_bit() {
            columns << 5 | (x >> 11 & 1) << 4 | (n & 7) << 1
        } else {
            columns << 5 | (n & 15) << 1
        };
        let top = match (two_bit, self.four_bit()) {
            (true, _) => y >> 8 & 1,
            (false, true) => u32::from(n >= 8 || bad),
            (false, false) => u32::from(n >= 16 || bad),
        };
        let bottom = if two_bit { x >> 8 & 1 } else { 0 };
        let low = top << 7 | if bad { 0 } else { middle } | bottom;
        (low | (n >> 3) << 9) as u16
    }
}
