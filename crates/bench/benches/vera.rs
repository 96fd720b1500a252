//! Register operations and frames per second: `cargo bench -p gpuzoo-bench --bench vera`. The device lives in real time: four CPU cycles pass
//! with each operation, with a layer on.

use divan::counter::ItemsCount;
use divan::{Bencher, black_box};
use gpuzoo_vera::Vera;

fn main() {
    divan::main();
}

/// Register and value of a write; `None` reads.
type Operation = (u8, Option<u8>);

fn writes(vera: &mut Vera, banks: &[(u8, u8, u8)]) {
    for &(dcsel, register, value) in banks {
        vera.write(5, dcsel << 1);
        vera.write(register, value);
    }
}

/// A device with an 8 bpp bitmap of 320 columns on layer 0, shown twice as large.
fn bitmap() -> Vera {
    let mut vera = Vera::default();
    for (at, byte) in vera.vram_mut()[..320 * 240].iter_mut().enumerate() {
        *byte = (at * 7 / 8) as u8;
    }
    writes(&mut vera, &[(0, 0x0a, 64), (0, 0x0b, 64), (0, 0x09, 0x11)]);
    vera.write(0x0d, 7);
    vera
}

fn run(bencher: Bencher, mut vera: Vera, operations: &[Operation]) {
    const ROUNDS: usize = 1000;
    bencher.counter(ItemsCount::new(operations.len() * ROUNDS)).bench_local(|| {
        for _ in 0..ROUNDS {
            for &(register, value) in operations {
                match value {
                    Some(value) => vera.write(register, value),
                    None => {
                        black_box(vera.read(register));
                    }
                }
                vera.advance_cycles(4);
            }
        }
    });
}

#[divan::bench]
fn polygon_with_cache_writes(bencher: Bencher) {
    let mut vera = bitmap();
    writes(&mut vera, &[(2, 9, 0x42), (3, 9, 0x10), (3, 11, 0x30), (4, 9, 50), (4, 11, 90), (0, 2, 0xe0)]);
    vera.write(5, 1);
    vera.write(2, 0x30);
    vera.write(5, 5 << 1);
    let mut line = vec![(4, None), (11, None), (12, None)];
    line.extend([(4, Some(0)); 10]);
    line.push((3, None));
    run(bencher, vera, &line);
}

#[divan::bench]
fn affine_with_cache(bencher: Bencher) {
    let mut vera = bitmap();
    writes(&mut vera, &[(2, 9, 0x63), (2, 10, 0x80), (2, 11, 0xc2), (3, 9, 0x80), (3, 11, 0x40), (4, 9, 3)]);
    vera.write(2, 0x30);
    run(bencher, vera, &[(4, None), (4, None), (4, None), (4, None), (3, Some(0))]);
}

#[divan::bench]
fn multiply_accumulate(bencher: Bencher) {
    let mut vera = bitmap();
    writes(&mut vera, &[(2, 12, 0x10), (2, 9, 0x40), (6, 9, 5)]);
    let term = [(9, Some(0x12)), (10, Some(0x34)), (11, Some(0x56)), (12, Some(0x78)), (10, None)];
    let mut operations = term.repeat(3);
    operations.extend([(3, Some(0)), (9, None)]);
    run(bencher, vera, &operations);
}

#[divan::bench]
fn plain_writes(bencher: Bencher) {
    let mut vera = bitmap();
    vera.write(2, 0x10);
    run(bencher, vera, &[(3, Some(0x5a)); 8]);
}

fn frames(bencher: Bencher, mut vera: Vera) {
    bencher.counter(ItemsCount::new(1u32)).bench_local(|| vera.advance_frame());
}

#[divan::bench]
fn frames_of_a_bitmap_scaled(bencher: Bencher) {
    frames(bencher, bitmap());
}

#[divan::bench]
fn frames_of_a_bitmap_640(bencher: Bencher) {
    let mut vera = bitmap();
    writes(&mut vera, &[(0, 0x0a, 128), (0, 0x0b, 128)]);
    vera.write(0x0f, 1);
    frames(bencher, vera);
}

#[divan::bench]
fn frames_of_two_tile_layers_and_64_sprites(bencher: Bencher) {
    let mut vera = bitmap();
    writes(&mut vera, &[(0, 0x0a, 128), (0, 0x0b, 128), (0, 0x09, 0x71)]);
    for (register, value) in [(0x0d, 2), (0x0e, 0x80), (0x14, 0x52), (0x15, 0xa0), (0x17, 5)] {
        vera.write(register, value);
    }
    for (register, value) in [(0, 0), (1, 0xfc), (2, 0x11)] {
        vera.write(register, value);
    }
    for sprite in 0..64u16 {
        let (x, y) = (sprite * 37 % 620, sprite * 53 % 460);
        for byte in [sprite as u8, 0, x as u8, (x >> 8) as u8, y as u8, (y >> 8) as u8, 0x1c, 0x52] {
            vera.write(3, byte);
        }
    }
    frames(bencher, vera);
}
