//! Where the cycles of a run go, counted by hand with the 65C02's tables (W65C02S data sheet).

use crate::machine::{machine, program};
use gpuzoo_x16::{CYCLES_PER_FRAME, Limits, Spent, X16};

/// Runs a program, and what is counted by label.
fn counted(text: &str, limits: &Limits) -> (X16, Spent, impl Fn(&str) -> u16 + use<>) {
    let mut machine = machine(text);
    let symbols = program(text).0.symbols;
    let mut spent = Spent::new(&machine);
    machine.run_counted(limits, &mut spent);
    let address = move |name: &str| {
        let symbol = symbols.iter().find(|symbol| symbol.name == name).expect("a label");
        u16::try_from(symbol.value).expect("an address")
    };
    (machine, spent, address)
}

#[test]
fn each_instruction_has_its_cycles() {
    let text = "start: ldx #10\nloop: inc $22\n  dex\nback: bne loop\nstore: sta $9f23\nend: stp";
    let (machine, spent, address) = counted(text, &Limits::default());
    let of = |name| (spent.cycles(address(name)), spent.times(address(name)));
    assert_eq!(of("start"), (2, 1));
    assert_eq!(of("loop"), (5 * 10, 10));
    assert_eq!(of("back"), (3 * 9 + 2, 10));
    assert_eq!(of("store"), (4, 1));
    assert_eq!([spent.waiting(), spent.entering()], [0, 0]);
    let dex = spent.cycles(address("loop") + 2);
    assert_eq!((dex, spent.total()), (2 * 10, machine.cycles()));
    // Operands are no instructions.
    assert_eq!(spent.addresses().count(), 6);
}

/// What is between instructions is told apart, and nothing is left out: waits end with an interrupt, whose entry takes 7 cycles.
#[test]
fn waits_and_interrupts_are_no_instructions() {
    let text = "  sei\n  lda #<h\n  sta $0314\n  lda #>h\n  sta $0315\n  cli\nwait: wai\nback: bra wait\n\
                h: lda #1\n  sta $9f27\n  ply\n  plx\n  pla\n  rti";
    let (machine, spent, address) = counted(text, &Limits::frames(5));
    assert_eq!(spent.total(), machine.cycles());
    let handled = spent.times(address("h"));
    assert!((4..=5).contains(&handled), "{handled}");
    assert_eq!(spent.entering(), 7 * handled);
    assert_eq!(spent.cycles(address("wait")), 3 * spent.times(address("wait")));
    assert_eq!(spent.cycles(address("back")), 3 * spent.times(address("back")));
    assert!(spent.waiting() > 4 * CYCLES_PER_FRAME * 99 / 100, "{}", spent.waiting());
}

/// The run is the same, whoever counts.
#[test]
fn counting_changes_nothing() {
    let text = "  lda #16\n  sta $9f22\nl: inc $22\n  lda $22\n  sta $9f23\n  bra l";
    let (counted, ..) = counted(text, &Limits::frames(3));
    let mut plain = machine(text);
    plain.run(&Limits::frames(3));
    assert!(counted == plain);
}
