//! A stream of any bytes into a shader unit: answers or an error.
#![no_main]

use gpuzoo_picogpu::{DOCUMENT, UNIT, Unit};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    for profile in [DOCUMENT, UNIT] {
        let mut unit = Unit::new(profile);
        let answer = unit.stream(bytes);
        let out: u64 = unit.executions().iter().map(|execution| execution.dwords_out).sum();
        match answer {
            Ok(answer) => assert_eq!(answer.len() as u64, out * 4),
            Err(_) => assert!(unit.push(0).is_err()),
        }
    }
});
