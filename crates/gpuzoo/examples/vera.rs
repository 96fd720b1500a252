//! A program of the Commander X16's 65C02, which writes to VERA, run and stepped through.
#![allow(clippy::disallowed_macros, reason = "it prints")]

use gpuzoo::session::{Condition, Stop};
use gpuzoo::{Arguments, Diagnostics};

/// Also run by a test.
pub fn main() -> Result<(), Diagnostics> {
    let text = " stz VERA_ADDRx_L\n stz VERA_ADDRx_M\n stz VERA_ADDRx_H\n ldx #3\nloop: stx VERA_DATA0\n dex\n bne loop\n rts\n";
    let program = gpuzoo::vera().assemble("count.s", text)?;
    let mut session = program.session(&Arguments::new("rtl"))?;
    let stored = Condition::Memory { space: "vram".into(), range: 0..=0x1ffff };
    assert_eq!(session.run_until(&[stored], 99), Stop::Met(0));
    assert_eq!(session.peek("vram", 0..1), Some(vec![3]));
    assert!(session.back());
    assert_eq!(session.peek("vram", 0..1), Some(vec![0]));
    println!("{}", program.run(&Arguments::new("rtl"))?.text);
    Ok(())
}
