//! What `run` prints reads back.

use gpuzoo::diag::File;
use gpuzoo::paint::Paint;
use gpuzoo::run::output::{Format, Printer};
use gpuzoo::run::{Block, csv, json_vertices};
use gpuzoo::shader_units;
use proptest::collection::vec;
use proptest::prelude::*;

proptest! {
    #![proptest_config(ProptestConfig { cases: 2000, failure_persistence: None, ..ProptestConfig::default() })]

    /// What `run` prints as CSV or JSON reads back as the same bits.
    #[test]
    fn outputs_read_back(values in vec(any::<[u32; 4]>(), 1..5), bits in any::<bool>()) {
        let isa = shader_units().next().unwrap().isa();
        let names = ["in0".to_owned()];
        for format in [Format::Csv, Format::Json] {
            let printer = Printer { format, bits, kills: false, names: &names, paint: Paint::PLAIN };
            let mut text = Vec::new();
            printer.begin(&mut text);
            printer.block(&Block::new(0, values.len(), std::slice::from_ref(&values), &[]), &mut text);
            printer.end(&mut text);
            let file = File::new("out", std::str::from_utf8(&text).unwrap());
            let vertices = match format {
                Format::Csv => csv::vertices(isa, &file).0,
                _ => json_vertices(isa, &file).unwrap(),
            };
            prop_assert_eq!(vertices.count(), values.len());
            for (vertex, value) in values.iter().enumerate() {
                let mut read = [[0; 4]];
                vertices.fetch(vertex, &mut read);
                prop_assert_eq!(read[0], *value);
            }
        }
    }
}
