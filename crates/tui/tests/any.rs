//! Anything that is typed, clicked or resized, over runs of all machines: nothing panics, and the run stays one.

use crate::common::{MACHINES, drawn, with};
use gpuzoo_tui::Colors;
use proptest::prelude::*;
use ratatui::crossterm::event::{KeyCode, KeyModifiers, MouseButton, MouseEvent, MouseEventKind};
use ratatui::layout::Rect;

#[derive(Clone, Debug)]
enum Happens {
    Key(KeyCode, bool),
    /// A command, or a part of one.
    Typed(&'static str),
    Mouse(u8, u16, u16),
    Resize(u16, u16),
    Work(u64),
}

const TYPED: [&str; 16] = [
    ":run odd",
    ":break write r0",
    ":break 1",
    ":poke r0.x = nan",
    ":poke A = 7",
    ":watch r0,x",
    ":watch ram[0..99]",
    ":use 1",
    ":why r0",
    ":goto 99999",
    ":delete 1",
    ":rback",
    ":step 5000",
    "/$1fa00",
    "/r",
    ":registers all",
];

fn happens() -> impl Strategy<Value = Happens> {
    let codes = prop::sample::select(vec![
        KeyCode::Left,
        KeyCode::Right,
        KeyCode::Right,
        KeyCode::Up,
        KeyCode::Down,
        KeyCode::PageUp,
        KeyCode::PageDown,
        KeyCode::Home,
        KeyCode::End,
        KeyCode::Enter,
        KeyCode::Enter,
        KeyCode::Esc,
        KeyCode::Tab,
        KeyCode::BackTab,
        KeyCode::Backspace,
        KeyCode::Delete,
        KeyCode::F(1),
        KeyCode::Null,
    ]);
    let letters = prop::sample::select("?noabrRNfl mugGxyzw=+:/é0.\u{7f}".chars().collect::<Vec<char>>());
    let code = prop_oneof![codes, letters.prop_map(KeyCode::Char)];
    prop_oneof![
        6 => (code, prop::bool::weighted(0.1)).prop_map(|(code, control)| Happens::Key(code, control)),
        2 => prop::sample::select(TYPED.to_vec()).prop_map(Happens::Typed),
        2 => (0..4u8, 0..100u16, 0..40u16).prop_map(|(kind, x, y)| Happens::Mouse(kind, x, y)),
        1 => (0..160u16, 0..50u16).prop_map(|(width, height)| Happens::Resize(width, height)),
        1 => (0..3_000u64).prop_map(Happens::Work),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 60, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn nothing_upsets_the_face(machine in 0..5usize, all in prop::collection::vec(happens(), 1..60)) {
        with(MACHINES[machine], Colors::Indexed, (80, 24), |app| {
            for one in all {
                match one {
                    Happens::Key(code, control) => {
                        let modifiers = if control { KeyModifiers::CONTROL } else { KeyModifiers::NONE };
                        app.key(code, modifiers);
                    }
                    Happens::Typed(text) => {
                        for letter in text.chars() {
                            app.key(KeyCode::Char(letter), KeyModifiers::NONE);
                        }
                        app.key(KeyCode::Enter, KeyModifiers::NONE);
                    }
                    Happens::Mouse(kind, column, row) => {
                        let kind = match kind {
                            0 | 1 => MouseEventKind::Down(MouseButton::Left),
                            2 => MouseEventKind::ScrollDown,
                            _ => MouseEventKind::ScrollUp,
                        };
                        app.mouse(MouseEvent { kind, column, row, modifiers: KeyModifiers::NONE });
                    }
                    Happens::Resize(width, height) => app.resize(Rect::new(0, 0, width, height)),
                    Happens::Work(steps) => app.work(steps),
                }
                // As often as there is time for on a terminal; and with the size that it has.
                let buffer = drawn(app);
                prop_assert_eq!(buffer.area, app.area());
                if app.is_done() {
                    break;
                }
            }
            Ok(())
        })?;
    }
}
