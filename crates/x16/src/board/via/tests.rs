//! A VIA's timers, ports, lines and shift register, cycle by cycle.

use super::*;

/// A VIA at a cycle, and accesses that are each one cycle later than the last.
struct Bench {
    via: Via,
    cycle: u64,
}

impl Bench {
    fn new() -> Bench {
        Bench { via: Via::default(), cycle: 0 }
    }

    fn write(&mut self, register: usize, value: u8) {
        self.cycle += 1;
        self.via.advance(self.cycle);
        self.via.write(register, value);
    }

    fn read(&mut self, register: usize) -> u8 {
        self.cycle += 1;
        self.via.advance(self.cycle);
        self.via.read(register)
    }

    /// Lets cycles pass.
    fn wait(&mut self, cycles: u64) {
        self.cycle += cycles;
        self.via.advance(self.cycle);
    }

    fn counts(&self) -> [u16; 2] {
        let of = |low: usize| u16::from_le_bytes([self.via.peek(low), self.via.peek(low + 1)]);
        [of(4), of(8)]
    }
}

/// The data sheet's figures of the timers: after the write N, N - 1 ... 0, $FFFF with the interrupt; timer 1 then N again, timer 2
/// goes on.
#[test]
fn timers_count_down_and_ask_once() {
    let mut bench = Bench::new();
    bench.write(14, 0x80 | TIMER_1 | TIMER_2);
    bench.write(4, 3);
    bench.write(8, 2);
    bench.write(5, 0);
    assert_eq!(bench.via.next_irq(), Some(bench.cycle + 5));
    let seen: Vec<(u16, u8)> = (0..12)
        .map(|_| {
            bench.wait(1);
            (bench.counts()[0], bench.via.peek(13))
        })
        .collect();
    let flag = 0x80 | TIMER_1;
    let expected = [3, 2, 1, 0].map(|count| (count, 0)).into_iter();
    let again = [0xffff, 3, 2, 1, 0, 0xffff, 3, 2].map(|count| (count, flag));
    assert_eq!(seen, expected.chain(again).collect::<Vec<_>>());
    assert!(bench.via.irq());
    assert_eq!(bench.read(4), 1, "a read of the low count ends the interrupt");
    assert_eq!((bench.via.peek(13), bench.via.next_irq()), (0, None), "once");
    bench.write(9, 0);
    let seen: Vec<(u16, u8)> = (0..5)
        .map(|_| {
            bench.wait(1);
            (bench.counts()[1], bench.via.peek(13) & TIMER_2)
        })
        .collect();
    let flag = TIMER_2;
    assert_eq!(seen, [(2, 0), (1, 0), (0, 0), (0xffff, flag), (0xfffe, flag)]);
    bench.read(8);
    bench.wait(200_000);
    assert_eq!(bench.via.peek(13), 0, "once");
}

/// In steps of any length the same comes out as in one: free running every N + 2 cycles, PB7 turning each time.
#[test]
fn steps_do_not_matter() {
    for latch in [0, 1, 5, 700] {
        let mut one = Bench::new();
        one.write(DIRECTION_B, 0x80);
        one.write(ACR, 0xc0 | 0x10);
        one.write(10, 0b1011_0001);
        one.write(14, 0xff);
        one.write(4, latch as u8);
        one.write(5, (latch >> 8) as u8);
        let mut other = Bench { via: one.via.clone(), cycle: one.cycle };
        let start = one.cycle;
        for step in [1, 2, 3, 1, 50, 1, 1, 703, 4, 100_000, 7] {
            one.wait(step);
            (0..step).for_each(|_| other.wait(1));
            assert_eq!(one.via, other.via, "latch {latch}");
            let timeouts = (one.cycle - start) / (latch + 2);
            assert_eq!(one.via.peek(PORT_B) >> 7, u8::from(timeouts % 2 == 1), "PB7");
            assert_eq!(one.via.peek(13) & TIMER_1 != 0, timeouts > 0);
        }
    }
}

#[test]
fn interrupts_are_enabled_one_by_one() {
    let mut bench = Bench::new();
    bench.write(14, 0xa0);
    bench.write(14, 0xc0);
    assert_eq!(bench.via.peek(14), 0xe0);
    bench.write(14, 0x20);
    assert_eq!(bench.via.peek(14), 0xc0);
    bench.write(5, 0);
    bench.wait(3);
    assert_eq!((bench.via.peek(13), bench.via.irq()), (0x80 | TIMER_1, true));
    bench.write(13, TIMER_1);
    assert_eq!((bench.via.peek(13), bench.via.irq()), (0, false));
    assert!(bench.via.is_quiet());
}

/// Timer 1 runs freely by bit 6 of ACR, whatever the others are.
#[test]
fn one_bit_lets_timer_1_run_freely() {
    for bit in 0..8 {
        let mut bench = Bench::new();
        bench.write(ACR, 1 << bit);
        bench.write(4, 3);
        bench.write(5, 0);
        bench.wait(5);
        bench.write(13, TIMER_1);
        bench.wait(100);
        assert_eq!(bench.via.peek(13) & TIMER_1 != 0, bit == 6, "bit {bit}");
    }
}

#[test]
fn ports_and_their_lines() {
    let mut bench = Bench::new();
    assert_eq!([bench.read(PORT_A), bench.read(PORT_B)], [0xff; 2], "pull-ups");
    bench.write(DIRECTION_A, 0x0f);
    bench.write(PORT_A, 0x05);
    bench.via.set_inputs(0, 0xa0);
    assert_eq!(bench.read(PORT_A), 0xa5);
    // CA1 rises, CA2 shakes hands; the port is latched.
    bench.write(PCR, 0b1001);
    bench.write(ACR, 1);
    bench.write(PORT_A, 0x03);
    assert!(!bench.via.c2(0), "data is there");
    bench.via.set_c1(0, false);
    assert_eq!(bench.via.peek(13), 0, "the other edge");
    bench.via.set_c1(0, true);
    assert!(bench.via.c2(0), "data is taken");
    bench.via.set_inputs(0, 0x50);
    assert_eq!((bench.via.peek(13), bench.read(15)), (CA1, 0xa3), "without handshake, and latched");
    assert_eq!((bench.read(PORT_A), bench.via.peek(13), bench.via.c2(0)), (0xa3, 0, false));
    assert_eq!(bench.read(15), 0x53);
    // CB2 as an input of its own: an access of the port leaves its flag.
    bench.write(PCR, 0b0010_0000);
    bench.via.set_c2(1, false);
    bench.read(PORT_B);
    assert_eq!(bench.via.peek(13), CB2);
    bench.write(PCR, 0b0000_0000);
    bench.read(PORT_B);
    assert_eq!(bench.via.peek(13), 0);
}

/// C2 is an input in modes 0 to 3, and its active edge is the rising one in modes 2 and 3.
#[test]
fn the_active_edge_of_c2_is_that_of_its_mode() {
    for (port, flag) in [(0, CA2), (1, CB2)] {
        for (mode, [from, to]) in (0..8).flat_map(|mode| {
            [[false, false], [false, true], [true, false], [true, true]].map(|levels| (mode, levels))
        }) {
            let mut bench = Bench::new();
            bench.write(PCR, mode << (4 * port + 1));
            bench.via.set_c2(port, from);
            bench.write(13, 0x7f);
            bench.via.set_c2(port, to);
            let is_active = from != to
                && match mode {
                    0 | 1 => !to,
                    2 | 3 => to,
                    _ => false,
                };
            assert_eq!(bench.via.peek(13) & flag != 0, is_active, "port {port}, mode {mode}, {from} to {to}");
        }
    }
}

#[test]
fn eight_bits_are_shifted() {
    let mut bench = Bench::new();
    // In, with the CPU's clock: 16 cycles.
    bench.write(ACR, 2 << 2);
    bench.write(14, 0x84);
    bench.write(10, 0);
    assert_eq!(bench.via.next_irq(), Some(bench.cycle + 16));
    bench.wait(15);
    assert_eq!((bench.via.peek(10), bench.via.irq()), (0x7f, false));
    bench.wait(1);
    assert_eq!((bench.via.peek(10), bench.via.irq()), (0xff, true));
    // Out by timer 2: a bit takes 2 (N + 2) cycles, and what goes out comes in again.
    bench.write(ACR, 5 << 2);
    bench.write(8, 1);
    bench.write(10, 0x81);
    bench.wait(6);
    assert_eq!((bench.via.peek(10), bench.via.irq()), (0x03, false));
    bench.wait(42);
    assert_eq!((bench.via.peek(10), bench.via.irq()), (0x81, true));
    bench.write(ACR, 0);
    bench.write(10, 0x42);
    bench.wait(1000);
    assert_eq!((bench.via.peek(10), bench.via.irq()), (0x42, false), "off");
}

/// Register 7 is the high byte of timer 1's latch alone. Register 14 enables the interrupts of a byte with bit 7, and disables
/// those of one without.
#[test]
fn a_half_of_the_latch_and_single_interrupts() {
    let mut bench = Bench::new();
    bench.write(4, 0x34);
    bench.write(7, 0x12);
    assert_eq!([bench.read(6), bench.read(7)], [0x34, 0x12]);
    bench.write(14, 0xff);
    bench.write(14, 0x01);
    assert_eq!(bench.read(14), 0xfe);
    bench.write(14, 0x81);
    assert_eq!(bench.read(14), 0xff);
}

/// A timer is seen with its value in the cycle after the write, and timer 2 keeps it while it counts pulses, of which there are none.
#[test]
fn timer_2_stands_still_while_it_counts_pulses() {
    let mut bench = Bench::new();
    bench.write(11, 0x20);
    bench.write(8, 0xff);
    bench.write(9, 0x10);
    bench.wait(1);
    assert_eq!(bench.counts()[1], 0x10ff);
    bench.wait(70_000);
    assert_eq!((bench.counts()[1], bench.via.peek(13)), (0x10ff, 0));
}
