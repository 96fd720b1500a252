//! Programs written by hand, and the same in WGSL: what is compiled is never longer.
#![cfg(feature = "sources")]

use super::{built, text};
use gpuzoo_compile::front::{Language, Reading, read};
use gpuzoo_diag::{File, Sources};
use gpuzoo_machine::{ShaderUnit, TextOptions};

/// Compiles a text.
fn compiled(unit: &dyn ShaderUnit, source: &str) -> (usize, String) {
    let mut sources = Sources::default();
    let file = sources.add("t.wgsl", source);
    let reading = Reading::of(Language::Wgsl);
    let (shader, _) = read(&mut sources, file, source.as_bytes(), &reading)
        .unwrap_or_else(|problems| panic!("{problems:#?}"));
    let built = built(unit, &shader);
    (built.program.slots.len(), text(unit, &built))
}

macro_rules! rows {
    ($unit:expr, $($source:literal $hand:literal $count:literal;)*) => {
        [$(($source, $unit as &dyn ShaderUnit, include_str!(concat!("programs/", $source, ".wgsl")), include_str!($hand), $count),)*]
    };
}

#[test]
fn never_longer_than_by_hand() {
    let dreambox = rows! { &gpuzoo_dreambox::GPU,
        "dreambox_teapot" "../../../../examples/dreambox/teapot.vu" 61;
    };
    let servaru = rows! { &gpuzoo_servaru::GPU,
        "servaru_lit" "../../../../examples/servaru/lit.svs" 12;
        "servaru_rivets" "../../../../examples/servaru/rivets.svs" 17;
        "servaru_transform" "../../../../gpus/servaru/tests/programs/transform.svs" 14;
        "servaru_light" "../../../../gpus/servaru/src/sample/light.svs" 8;
        "servaru_fence" "../../../../examples/servaru/fence.svs" 4;
        "servaru_bumped" "../../../../examples/servaru/bumped.svs" 22;
        "servaru_toon" "../../../../examples/servaru/toon.svs" 21;
    };
    let picogpu = rows! { &gpuzoo_picogpu::GPU,
        "picogpu_screen" "../../../../examples/picogpu/screen.pico" 7;
        "picogpu_lit" "../../../../examples/picogpu/lit.pico" 49;
        "picogpu_tiles" "../../../../examples/picogpu/tiles.pico" 60;
        "picogpu_light" "../../../../gpus/picogpu/src/sample/light.pico" 35;
    };
    let mut wrong = Vec::new();
    for (name, unit, source, hand, expected) in dreambox.into_iter().chain(servaru).chain(picogpu) {
        let hand = unit.assemble(&File::new("hand", hand), &TextOptions::default()).program.slots.len();
        let (count, text) = compiled(unit, source);
        if count != expected || count > hand {
            wrong.push(format!("{name}: {count}, not {expected}; by hand {hand}\n{text}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
