//! Conditions, and going forward and back to where one is met.

use gpuzoo_isa::Mask;
use gpuzoo_machine::session::{
    Address, Change, Condition, Event, EventKind, History, Place, Read, Register, Session, Stop,
};

/// A run in which step n is at n modulo 700, and writes component n modulo 4 of r0.
struct Counter {
    position: u64,
    total: u64,
    oldest: u64,
    rerun: u64,
}

const PERIOD: u64 = 700;

impl Session for Counter {
    fn position(&self) -> u64 {
        self.position
    }

    fn total(&self) -> Option<u64> {
        Some(self.total)
    }

    fn history(&self) -> History {
        History { oldest: self.oldest, rerun: self.rerun, bytes: 0 }
    }

    fn step(&mut self) -> bool {
        let goes = self.position < self.total;
        self.position += u64::from(goes);
        goes
    }

    fn back(&mut self) -> bool {
        let goes = self.position > self.oldest;
        self.position -= u64::from(goes);
        goes
    }

    fn seek(&mut self, position: u64) -> u64 {
        self.position = position.clamp(self.oldest, self.total);
        self.position
    }

    fn place(&mut self, step: u64) -> Option<Place> {
        let place = Place { at: step % PERIOD, part: 0, span: None, text: String::new() };
        (step < self.total).then_some(place)
    }

    fn state(&mut self, _: u64) -> Option<Vec<Register>> {
        None
    }

    fn changes(&mut self, _: u64) -> Option<Vec<Change>> {
        None
    }

    fn reads(&mut self, _: u64) -> Option<Vec<Read>> {
        None
    }

    fn events(&mut self, step: u64) -> Option<Vec<Event>> {
        let components = Mask(1 << (step % 4));
        (step < self.total).then(|| vec![Event::RegisterWrite { register: "r0".into(), components }])
    }
}

#[test]
fn what_was_waited_for() {
    let write = |components| Event::RegisterWrite { register: "r0".into(), components: Mask(components) };
    let byte = |space, at| Event::MemoryWrite(Address { space, bank: None, at });
    let register = |name: &'static str, components| Condition::Register(name.into(), Mask(components));
    // One of the components is enough; no other register is.
    assert!(register("r0", 0b0011).is_met_by(&write(0b0010)));
    assert!(register("r0", 0b1111).is_met_by(&write(0b1000)));
    assert!(!register("r0", 0b0011).is_met_by(&write(0b1100)));
    assert!(!register("r1", 0b1111).is_met_by(&write(0b1111)));
    assert!(!register("ram", 0b1111).is_met_by(&byte("ram", 0)));
    // Both ends of a range are in it; another space has the same addresses.
    let memory = Condition::Memory { space: "ram".into(), range: 16..=32 };
    let met = [15, 16, 20, 32, 33].map(|at| memory.is_met_by(&byte("ram", at)));
    assert_eq!(met, [false, true, true, true, false]);
    assert!(!memory.is_met_by(&byte("rom", 20)) && !memory.is_met_by(&write(0b1111)));
    // Events by their kind.
    let kind = Condition::Event(EventKind::Killed);
    assert!(kind.is_met_by(&Event::Killed) && !kind.is_met_by(&Event::Frame));
    assert!(Condition::Event(EventKind::MemoryWrite).is_met_by(&byte("ram", 1)));
    // These are no events.
    for condition in [Condition::At(0), Condition::Step(0), Condition::Unwound(1)] {
        assert!(!condition.is_met_by(&Event::Killed));
    }
}

#[test]
fn a_run_goes_forward_to_the_next_place_where_a_condition_is_met() {
    let mut counter = Counter { position: 10, total: 2000, oldest: 0, rerun: 0 };
    let wanted = [Condition::At(5), Condition::Step(900)];
    // 705 is at 5; then step 900; then 1405.
    assert_eq!((counter.run_until(&wanted, 5000), counter.position), (Stop::Met(0), 705));
    assert_eq!((counter.run_until(&wanted, 5000), counter.position), (Stop::Met(1), 900));
    assert_eq!((counter.run_until(&wanted, 100), counter.position), (Stop::Limit, 1000));
    assert_eq!((counter.run_until(&wanted, 5000), counter.position), (Stop::Met(0), 1405));
    assert_eq!((counter.run_until(&wanted, 5000), counter.position), (Stop::Ended, 2000));
    // The step before is what has written.
    counter.seek(8);
    let written = [Condition::Register("r0".into(), Mask(0b0100))];
    assert_eq!((counter.run_until(&written, 100), counter.position), (Stop::Met(0), 11));
}

#[test]
fn a_run_goes_back_to_the_last_place_where_a_condition_was_met() {
    // Stretches are 1024 steps, or what is run again to go back.
    for rerun in [0, 1500] {
        let mut counter = Counter { position: 5000, total: 6000, oldest: 0, rerun };
        let wanted = [Condition::At(5), Condition::Step(4500)];
        let mut back = |limit| (counter.back_until(&wanted, limit), counter.position);
        // At 5 are 5, 705, 1405, 2105, 2805, 3505, 4205, 4905; the place where it stands does not count.
        assert_eq!(back(u64::MAX), (Stop::Met(0), 4905));
        assert_eq!(back(u64::MAX), (Stop::Met(1), 4500));
        assert_eq!(back(295), (Stop::Met(0), 4205), "as far as the limit");
        assert_eq!(back(699), (Stop::Limit, 3506), "no further than that");
        assert_eq!(back(1), (Stop::Met(0), 3505));
        for place in [2805, 2105, 1405, 705, 5] {
            assert_eq!(back(u64::MAX), (Stop::Met(0), place));
        }
        assert_eq!(back(u64::MAX), (Stop::Ended, 0));
        assert_eq!(back(u64::MAX), (Stop::Ended, 0));
    }
}

#[test]
fn a_run_goes_back_no_further_than_what_is_kept() {
    let mut counter = Counter { position: 5000, total: 6000, oldest: 4000, rerun: 0 };
    assert_eq!((counter.back_until(&[Condition::At(50)], u64::MAX), counter.position), (Stop::Met(0), 4950));
    assert_eq!((counter.back_until(&[Condition::At(50)], u64::MAX), counter.position), (Stop::Met(0), 4250));
    // The one before is 3550.
    assert_eq!((counter.back_until(&[Condition::At(50)], u64::MAX), counter.position), (Stop::Ended, 4000));
    // The oldest place of all counts.
    counter.seek(4100);
    assert_eq!(
        (counter.back_until(&[Condition::Step(4000)], u64::MAX), counter.position),
        (Stop::Met(0), 4000)
    );
    // From the end of the run, where nothing comes next.
    counter.seek(6000);
    assert_eq!((counter.back_until(&[Condition::Step(5999)], 1), counter.position), (Stop::Met(0), 5999));
}
