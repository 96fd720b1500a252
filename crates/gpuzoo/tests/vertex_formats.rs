//! Vertex formats of every machine: many vertices at once are as one after the other.

use gpuzoo::machine::unit::layout::{Attribute, Column, Layout};
use gpuzoo::shader_units;

#[test]
fn columns_are_what_fetch_reads() {
    // Bytes of all kinds: multiples of the golden ratio spread evenly.
    let buffer: Vec<u8> =
        (1..=4_003u64).map(|i| (i.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 56) as u8).collect();
    for gpu in shader_units() {
        for format in gpu.about().vertex_formats {
            for (stride, offset) in [(16, 0), (23, 5), (4, 1), (0, 3), (u32::MAX, 2)] {
                let attribute = Attribute { input: 0, offset, format };
                let layout = Layout { stride, attributes: vec![attribute] };
                let column = Column { buffer: &buffer, start: offset as usize, stride: stride as usize };
                let mut got = [[7; 300]; 4];
                (format.decode_column)(column, got.each_mut().map(|column| &mut column[..]));
                for lane in 0..300 {
                    let mut expected = [[9; 4]];
                    layout.fetch(&buffer, lane, &mut expected);
                    let name = (gpu.about().id, format.name, stride, lane);
                    assert_eq!(got.map(|column| column[lane]), expected[0], "{name:?}");
                }
                // Components that are not needed are left out.
                let mut third = [7; 3];
                (format.decode_column)(column, [&mut [], &mut [], &mut third, &mut []]);
                assert_eq!(third[..], got[2][..3]);
            }
        }
    }
}
