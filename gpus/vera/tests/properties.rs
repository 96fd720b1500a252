//! Random bus operations: nothing panics, peeking changes nothing, a clone goes on as its original, and what the spec
//! says of every state holds.

use gpuzoo_diag::File;
use gpuzoo_vera::trace::{Recorder, Trace};
use gpuzoo_vera::vectors::check_trace;
use gpuzoo_vera::{Deviations, Item, Profile, STATE, Vera};
use proptest::prelude::*;

#[derive(Clone, Copy, Debug)]
enum Step {
    Write(u8, u8),
    Read(u8),
    Cycles(u32),
    Lines(u8),
}

/// Registers as programs use them: the data ports and the FX banks most.
fn step() -> impl Strategy<Value = Step> {
    let register = prop_oneof![0u8..5, Just(3), Just(4), 5u8..0x20, 9u8..13];
    let bank = (0u8..8, 0u8..2).prop_map(|(dcsel, port)| Step::Write(5, dcsel << 1 | port));
    prop_oneof![
        6 => (register.clone(), any::<u8>()).prop_map(|(register, value)| Step::Write(register, value)),
        4 => register.prop_map(Step::Read),
        3 => bank,
        1 => (0u32..600).prop_map(Step::Cycles),
        1 => (0u8..40).prop_map(Step::Lines),
        1 => (0x20u8..0x40, any::<u8>()).prop_map(|(register, value)| Step::Write(register, value)),
    ]
}

fn take(vera: &mut Vera, step: Step) -> Option<u8> {
    match step {
        Step::Write(register, value) => vera.write(register, value),
        Step::Read(register) => return Some(vera.read(register)),
        Step::Cycles(cycles) => vera.advance_cycles(cycles),
        Step::Lines(lines) => (0..lines).for_each(|_| vera.advance_line()),
    }
    None
}

/// Everything that can be seen without side effects.
fn snapshot(vera: &Vera) -> (Vec<u32>, Vec<u8>, Vec<u8>) {
    let state = STATE.iter().map(|item| (item.get)(vera)).collect();
    let mut memory = vera.vram().to_vec();
    memory.extend_from_slice(vera.palette());
    memory.extend_from_slice(vera.sprite_attributes());
    memory.extend_from_slice(vera.psg());
    (state, (0..32).map(|register| vera.peek(register)).collect(), memory)
}

fn profile() -> impl Strategy<Value = Profile> {
    prop_oneof![Just(Profile::Rtl), Just(Profile::Documented), Just(Profile::X16Emu)]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(96))]

    #[test]
    fn nothing_panics_and_states_keep_their_bits(profile in profile(), steps in prop::collection::vec(step(), 0..400)) {
        let mut vera = Vera::new(profile);
        for step in steps {
            take(&mut vera, step);
        }
        vera.advance_frame();
        if profile == Profile::Rtl {
            for item in STATE {
                prop_assert!(u64::from((item.get)(&vera)) < 1 << item.bits, "{}", item.name);
            }
        }
        prop_assert!(vera.picture().iter().all(|pixel| pixel[3] == 255 && pixel[0] % 17 == 0 && pixel[1] % 17 == 0 && pixel[2] % 17 == 0));
    }

    #[test]
    fn peeking_changes_nothing_and_foretells_reads(profile in profile(), steps in prop::collection::vec(step(), 0..200)) {
        let mut vera = Vera::new(profile);
        for step in steps {
            if let Step::Read(register) = step {
                let before = snapshot(&vera);
                let peeked = vera.peek(register);
                prop_assert!(before == snapshot(&vera));
                prop_assert_eq!(vera.read(register), peeked);
            } else {
                take(&mut vera, step);
            }
        }
    }

    #[test]
    fn a_clone_goes_on_as_its_original(
        profile in profile(),
        first in prop::collection::vec(step(), 0..200),
        then in prop::collection::vec(step(), 0..200),
    ) {
        let mut vera = Vera::new(profile);
        first.into_iter().for_each(|step| { take(&mut vera, step); });
        let mut saved = vera.clone();
        for step in then {
            prop_assert_eq!(take(&mut vera, step), take(&mut saved, step));
        }
        vera.advance_frame();
        saved.advance_frame();
        prop_assert!(snapshot(&vera) == snapshot(&saved));
        prop_assert!(vera.picture() == saved.picture());
    }

    /// A recorded run replays to the same reads and the same memory. Time differs, so no register that shows it is
    /// read.
    #[test]
    fn recordings_replay(profile in profile(), steps in prop::collection::vec(step(), 0..300)) {
        let mut recorder = Recorder::new(Vera::new(profile));
        let shows_time = |register: u8| matches!(register & 0x1f, 6..=9 | 0x1b..=0x1f);
        for step in steps {
            match step {
                Step::Write(register, value) if !shows_time(register) => recorder.write(register, value),
                Step::Read(register) if !shows_time(register) => { recorder.read(register); }
                _ => {}
            }
        }
        let text = recorder.finish();
        let (trace, problems) = Trace::parse(&File::new("recorded", &text));
        prop_assert!(problems.is_empty());
        let checked = check_trace(&trace, profile.deviations());
        prop_assert!(checked.is_same(), "{:?}", checked.differences);
    }

    /// Without FX a port is what it was before FX: it steps by its increment, 17 bits, and reads what its address held.
    #[test]
    fn ports_without_fx_step_and_fetch(start in 0u32..0x20000, code in 0u8..16, down in any::<bool>(), count in 1usize..20) {
        const STRIDES: [i64; 16] = [0, 1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 40, 80, 160, 320, 640];
        let mut vera = Vera::default();
        for (at, byte) in vera.vram_mut().iter_mut().enumerate() {
            *byte = (at ^ at >> 7) as u8;
        }
        vera.write(0, start as u8);
        vera.write(1, (start >> 8) as u8);
        vera.write(2, code << 4 | u8::from(down) << 3 | (start >> 16) as u8);
        let stride = STRIDES[usize::from(code)] * if down { -1 } else { 1 };
        for index in 0..count {
            let at = (i64::from(start) + stride * index as i64).rem_euclid(0x20000) as usize;
            prop_assert_eq!(vera.read(3), (at ^ at >> 7) as u8);
        }
        let end = (i64::from(start) + stride * count as i64).rem_euclid(0x20000) as u32;
        prop_assert_eq!(Item::find("ADDR0").map(|item| (item.get)(&vera)), Some(end));
    }

    /// Masks, not transparent: each nibble of the aligned word is the cache's or what was there, by its bit.
    #[test]
    fn cache_writes_follow_their_mask(cache in any::<u32>(), old in any::<u32>(), mask in any::<u8>(), at in 0u32..0x1f9c0) {
        let mut vera = Vera::default();
        let base = (at & !3) as usize;
        vera.vram_mut()[base..base + 4].copy_from_slice(&old.to_le_bytes());
        vera.write(5, 6 << 1);
        for (register, byte) in (9u8..13).zip(cache.to_le_bytes()) {
            vera.write(register, byte);
        }
        for (register, value) in [(5, 2 << 1), (9, 0x40), (0, at as u8), (1, (at >> 8) as u8), (2, (at >> 16) as u8), (3, mask)] {
            vera.write(register, value);
        }
        for nibble in 0..8 {
            let from = if mask >> nibble & 1 == 0 { cache } else { old };
            let stored = vera.vram()[base + nibble / 2] >> (nibble % 2 * 4) & 15;
            prop_assert_eq!(u32::from(stored), from >> (4 * nibble) & 15);
        }
    }
}

#[test]
fn a_set_of_no_deviations_is_the_default() {
    assert_eq!(Vera::default().deviations(), Deviations::default());
}
