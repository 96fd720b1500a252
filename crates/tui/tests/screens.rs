//! What is drawn, on each machine: files in `screens`, which `GPUZOO_BLESS=1` writes, and things that hold of all of them.

use crate::common::{MACHINES, drawn, letters, press, with};
use gpuzoo_tui::{Colors, KEYS};
use ratatui::crossterm::event::{KeyModifiers, MouseButton, MouseEvent, MouseEventKind};
use ratatui::layout::Rect;
use ratatui::style::{Color, Modifier};
use std::path::Path;

/// Compares a screen with the file of its name.
fn golden(name: &str, screen: &str) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("tests/screens/{name}.txt"));
    if std::env::var_os("GPUZOO_BLESS").is_some() {
        std::fs::write(&path, screen).unwrap();
    }
    let expected = std::fs::read_to_string(&path).unwrap_or_default();
    assert_eq!(screen, expected, "{name} is another screen than {}", path.display());
}

const SMALL: (u16, u16) = (80, 24);

/// A screen after some keys, without colours.
fn screen(machine: &str, size: (u16, u16), keys: &[&str]) -> String {
    with(machine, Colors::None, size, |app| {
        press(app, keys);
        letters(&drawn(app))
    })
}

#[test]
fn each_machine_has_its_screens() {
    for (name, machine, size, keys) in [
        ("dreambox", "dreambox", SMALL, &["Right", "Right", "Right", "Right"][..]),
        ("dreambox_filter", "dreambox", SMALL, &["G", "Tab", "Tab", "Down", "y", "f"]),
        ("nv2a", "nv2a", SMALL, &["n"]),
        ("nv2a_why", "nv2a", SMALL, &["o"]),
        ("nv2a_steps", "nv2a", SMALL, &["l", "G", "+"]),
        ("picogpu", "picogpu", SMALL, &["n", "n", "Tab", "b"]),
        ("servaru", "servaru", SMALL, &["G"]),
        ("servaru_wide", "servaru", (140, 36), &["n"]),
        ("source", "source", SMALL, &["Right", "Right", "Right"]),
        ("vera", "vera", SMALL, &["Right", "Right", "Right", "Tab", "Tab", "Tab", "Tab"]),
        ("vera_wide", "vera", (130, 30), &["Down", "Down", "Down", "Down", "Down", "b", "r", "r"]),
        ("help", "vera", SMALL, &["?"]),
        ("keys", "nv2a", (100, 35), &["?"]),
        ("narrow", "nv2a", (40, 10), &["n"]),
    ] {
        golden(name, &screen(machine, size, keys));
    }
}

/// Colours add nothing that letters do not say, and without them there are none.
#[test]
fn without_colors_nothing_is_lost() {
    for machine in MACHINES {
        let [plain, colored] = [Colors::None, Colors::Indexed].map(|colors| {
            with(machine, colors, SMALL, |app| {
                press(app, &["n", "b", "Right", "Tab", "Tab", "Down"]);
                // The picture is one of colours, or of letters.
                press(app, &["Tab"]);
                drawn(app)
            })
        });
        assert_eq!(letters(&plain), letters(&colored), "{machine}");
        let has_color = |color: Color| color != Color::Reset;
        assert!(plain.content.iter().all(|cell| !has_color(cell.fg) && !has_color(cell.bg)), "{machine}");
        assert!(colored.content.iter().any(|cell| has_color(cell.fg)), "{machine}");
        // What is next is bold, too, and what has the keys is reversed.
        assert!(plain.content.iter().any(|cell| cell.modifier.contains(Modifier::REVERSED)), "{machine}");
    }
}

/// What is seen first says how to go on, on the smallest screen that is usual.
#[test]
fn keys_are_told_of() {
    for machine in MACHINES {
        let last = screen(machine, SMALL, &[]).lines().last().unwrap().to_owned();
        for key in ["? help", "q quit", "← → step", "b break", "r R run", "Tab pane"] {
            assert!(last.contains(key), "{machine}: {last}");
        }
    }
    let help = with("nv2a", Colors::None, (100, 60), |app| {
        press(app, &["?"]);
        letters(&drawn(app))
    });
    for key in &KEYS {
        assert!(help.contains(key.written), "{}", key.written);
    }
}

fn click(x: u16, y: u16) -> MouseEvent {
    let kind = MouseEventKind::Down(MouseButton::Left);
    MouseEvent { kind, column: x, row: y, modifiers: KeyModifiers::NONE }
}

/// Where a text is drawn.
fn find(screen: &str, text: &str) -> (u16, u16) {
    let (y, line) = screen.lines().enumerate().find(|(_, line)| line.contains(text)).expect(text);
    let before = line.split(text).next().unwrap_or_default();
    (before.chars().count() as u16, y as u16)
}

#[test]
fn the_mouse_selects_breaks_and_scrolls() {
    with("nv2a", Colors::None, SMALL, |app| {
        let (_, y) = find(&letters(&drawn(app)), "mov oD0, r0.x");
        app.mouse(click(0, y));
        assert!(letters(&drawn(app)).contains("●  7 mov oD0"), "{}", letters(&drawn(app)));
        press(app, &["r"]);
        let stopped = letters(&drawn(app));
        assert!(stopped.contains("●> 7 mov oD0") && stopped.contains("breakpoint 1"), "{stopped}");
        app.mouse(click(0, y));
        assert!(letters(&drawn(app)).contains(" > 7 mov oD0"));
        // A component by its column.
        let (x, y) = find(&stopped, " R1 ");
        app.mouse(click(x + 6, y));
        let chosen = letters(&drawn(app));
        assert!(chosen.contains("R1.x = inf  bits 7f800000"), "{chosen}");
        // Another pane by its name, and a key that closes a text.
        press(app, &["?"]);
        assert!(letters(&drawn(app)).contains("─ keys ─"));
        app.mouse(click(1, 1));
        assert!(!letters(&drawn(app)).contains("─ keys ─"));
    });
    with("vera", Colors::None, SMALL, |app| {
        let before = letters(&drawn(app));
        let (x, y) = find(&before, "memory");
        app.mouse(click(x + 1, y));
        assert!(letters(&drawn(app)).contains("$00000 "), "{}", letters(&drawn(app)));
        let wheel = |kind| MouseEvent { kind, ..click(x, y + 2) };
        app.mouse(wheel(MouseEventKind::ScrollDown));
        assert!(!letters(&drawn(app)).contains("$00000 "));
        app.mouse(wheel(MouseEventKind::ScrollUp));
        assert!(letters(&drawn(app)).contains("$00000 "));
    });
}

#[test]
fn commands_and_searches_are_typed() {
    with("nv2a", Colors::None, SMALL, |app| {
        press(app, &[":run line 5", "Enter", ":poke r0.z = 0.5", "Enter"]);
        let screen = letters(&drawn(app));
        assert!(screen.contains("step 3 of 7") && screen.contains("0.5"), "{screen}");
        press(app, &[":print r0.z", "Enter"]);
        assert!(letters(&drawn(app)).contains("r0.z = 0.5"));
        press(app, &[":prnt", "Enter"]);
        assert!(letters(&drawn(app)).contains("there is no command `prnt`; did you mean `print`?"));
        press(app, &[":registers all", "Enter"]);
        assert!(letters(&drawn(app)).contains("─ registers ─"));
        press(app, &["Esc", "/OD0", "Enter", "Enter"]);
        assert!(letters(&drawn(app)).contains("step 6 of 7"), "{}", letters(&drawn(app)));
        press(app, &[":quit", "Enter"]);
        assert!(app.is_done());
    });
    with("vera", Colors::None, SMALL, |app| {
        press(app, &["Tab", "Tab", "Tab", "Tab", "/$9f20", "Enter"]);
        assert!(letters(&drawn(app)).contains("$09F20 "), "{}", letters(&drawn(app)));
        press(app, &["/loop", "Enter", "/nowhere", "Enter"]);
        assert!(letters(&drawn(app)).contains("neither an address nor a label `nowhere`"));
    });
}

/// What is asked about can be kept while one goes elsewhere, and leads to where it began.
#[test]
fn what_is_wrong_leads_to_where_it_began() {
    with("picogpu", Colors::None, SMALL, |app| {
        assert!(letters(&drawn(app)).contains("at the end: press o to see why"));
        press(app, &["o"]);
        let answer = letters(&drawn(app));
        assert!(answer.contains("r5.x is nan") || answer.contains("is nan"), "{answer}");
        press(app, &["Enter"]);
        let there = letters(&drawn(app));
        assert!(there.contains("r2.x becomes NaN"), "{there}");
        press(app, &[" ", "g"]);
        assert!(letters(&drawn(app)).contains("• r2.x locked at 4"), "{}", letters(&drawn(app)));
        press(app, &[" "]);
        assert!(!letters(&drawn(app)).contains("locked"));
    });
}

/// A program without an end can be stopped, and goes as far as it is let.
#[test]
fn an_endless_run_is_stopped_by_a_key() {
    with("vera", Colors::None, SMALL, |app| {
        press(app, &["r"]);
        assert!(app.is_running());
        app.work(1_000);
        assert!(app.is_running() && letters(&drawn(app)).contains("running: Esc stops"));
        press(app, &["Esc"]);
        assert!(!app.is_running());
        let screen = letters(&drawn(app));
        assert!(screen.contains("stopped") && screen.contains("step 17384"), "{screen}");
        press(app, &["g"]);
        assert!(letters(&drawn(app)).contains("step 0 "));
        press(app, &[":step 100000", "Enter"]);
        while app.is_running() {
            app.work(1 << 14);
        }
        assert!(letters(&drawn(app)).contains("step 100000 "), "{}", letters(&drawn(app)));
    });
}

#[test]
fn a_screen_may_be_of_any_size() {
    for machine in MACHINES {
        with(machine, Colors::True, SMALL, |app| {
            press(app, &["n", "?"]);
            for (width, height) in
                [(0, 0), (1, 1), (2, 1), (1, 30), (3, 3), (20, 4), (56, 14), (300, 100), (1, 1)]
            {
                app.resize(Rect::new(0, 0, width, height));
                drawn(app);
                press(app, &["Esc", "Tab", "Right", "m", "Down", "o"]);
                drawn(app);
                app.mouse(click(width / 2, height / 2));
                drawn(app);
            }
        });
    }
}
