//! VERA's data ports and FX against a plain model of them.

use crate::bytes::Bytes;
use crate::model::{Model, WINDOWS};
use gpuzoo_vera::{Item, Vera};

/// Any accesses: the same bytes are read and stored.
pub(crate) fn model(bytes: &[u8]) {
    let mut bytes = Bytes::new(bytes);
    let mut vera = Vera::default();
    let seed = usize::from(bytes.byte()) | 1;
    for (at, byte) in vera.vram_mut().iter_mut().enumerate() {
        *byte = ((at * seed) ^ (at >> 7)) as u8;
    }
    let mut model = Model::new(vera.vram().to_vec());
    // The latches are filled, and the accumulator, which nothing resets but software, is reset.
    for (register, value) in [(5, 1), (0, 0), (5, 0), (0, 0), (5, 4), (0xc, 0x80)] {
        vera.write(register, value);
        model.write(register, value);
    }
    while !bytes.is_empty() {
        let kind = bytes.below(16);
        let (register, value) = match kind {
            0..3 => (kind as u8, bytes.byte()),
            3..6 => (3 + (kind & 1) as u8, bytes.byte()),
            6 => (5, (bytes.below(8) << 1) as u8 | bytes.byte() & 1),
            7 => (5, bytes.byte() & 0x7f),
            8..12 => (9 + (kind & 3) as u8, bytes.byte()),
            _ => {
                let register = [0, 1, 2, 3, 4, 3, 4, 5, 9, 0xa, 0xb, 0xc][bytes.below(12)];
                // The registers of banks 0 and 1 are those of pictures.
                if register < 9 || model.dcsel > 1 {
                    assert_eq!(Some(vera.read(register)), model.read(register), "register {register}");
                }
                continue;
            }
        };
        vera.write(register, value);
        model.write(register, value);
    }
    let state = |name| Item::find(name).map(|item| (item.get)(&vera));
    for (index, port) in model.ports.iter().enumerate() {
        assert_eq!(state(["ADDR0", "ADDR1"][index]), Some(port.address as u32));
        assert_eq!(state(["addr0_nibble", "addr1_nibble"][index]), Some(port.nibble.into()));
        assert_eq!(state(["latch0", "latch1"][index]), Some(port.latch.into()));
    }
    assert_eq!([state("FX_X_POS"), state("FX_Y_POS")], model.positions.map(Some));
    assert_eq!(state("cache"), Some(u32::from_le_bytes(model.cache)));
    assert_eq!(state("accumulator"), Some(model.accumulator));
    assert!(vera.vram()[..] == model.vram[..]);
    let shadows = [vera.psg(), &vera.palette()[..], vera.sprite_attributes()].concat();
    for (at, (own, stored)) in shadows.iter().zip(&model.shadow).enumerate() {
        assert!(stored.is_none_or(|stored| stored == *own), "{:#x}", WINDOWS + at);
    }
}
