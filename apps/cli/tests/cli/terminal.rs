//! `debug` on a real terminal: tmux shows the program its keys, and us its screen. Files in `data/terminal` have what is seen;
//! `GPUZOO_BLESS=1` writes them.

use crate::common::{data, scratch, text};
use std::path::Path;
use std::process::Command;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::{Duration, Instant};

/// How long a machine that is busy may take for a key.
const PATIENCE: Duration = Duration::from_secs(120);

/// True if there is tmux. If not, that is said.
fn has_tmux() -> bool {
    let found = Command::new("tmux").arg("-V").output().is_ok_and(|output| output.status.success());
    if !found {
        gpuzoo_skipped::say("tmux is not installed: the debugger on a terminal");
    }
    found
}

/// A terminal with a program in it.
struct Terminal {
    socket: String,
}

impl Terminal {
    /// One of some columns and rows, in which a shell's command runs in the folder of the examples; it stays when that has ended.
    fn new((columns, rows): (u32, u32), command: &str) -> Terminal {
        static COUNT: AtomicU32 = AtomicU32::new(0);
        let number = COUNT.fetch_add(1, Ordering::Relaxed);
        let terminal = Terminal { socket: format!("gpuzoo-test-{}-{number}", std::process::id()) };
        let [columns, rows] = [columns, rows].map(|count| count.to_string());
        let command = format!("{command}; exec sleep 1000");
        let started = terminal
            .tmux()
            .args(["new-session", "-d", "-x", &columns, "-y", &rows, "sh", "-c", &command])
            .current_dir(Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/shipped"))
            .output()
            .unwrap();
        assert!(started.status.success(), "{}", String::from_utf8_lossy(&started.stderr));
        terminal
    }

    fn tmux(&self) -> Command {
        let mut tmux = Command::new("tmux");
        // No settings of the user's, letters beyond ASCII, and no terminal of the test's.
        tmux.args(["-u", "-L", &self.socket, "-f", "/dev/null"]).env_remove("TMUX").env_remove("COLORTERM");
        tmux.env("SHELL", "/bin/sh");
        tmux
    }

    fn ask(&self, args: &[&str]) -> String {
        let output = self.tmux().args(args).output().unwrap();
        assert!(output.status.success(), "{args:?}: {}", String::from_utf8_lossy(&output.stderr));
        String::from_utf8(output.stdout).unwrap()
    }

    fn press(&self, keys: &[&str]) {
        self.ask(&[&["send-keys"], keys].concat());
    }

    fn screen(&self) -> String {
        self.ask(&["capture-pane", "-p"])
    }

    /// Waits until the screen is as wanted, and the same twice.
    fn wait(&self, what: &str, is_wanted: impl Fn(&str) -> bool) -> String {
        let start = Instant::now();
        let mut before = String::new();
        loop {
            let screen = self.screen();
            if screen == before && is_wanted(&screen) {
                return screen;
            }
            assert!(start.elapsed() < PATIENCE, "{what} is not seen:\n{screen}");
            before = screen;
            std::thread::sleep(Duration::from_millis(30));
        }
    }

    /// Waits until a text is seen.
    fn see(&self, text: &str) -> String {
        self.wait(text, |screen| screen.contains(text))
    }
}

impl Drop for Terminal {
    fn drop(&mut self) {
        let _ = self.tmux().arg("kill-server").output();
    }
}

/// The command line of the program, without colours, so that pictures are letters.
fn debug(arguments: &str) -> String {
    format!("NO_COLOR=1 {} debug {arguments}", env!("CARGO_BIN_EXE_gpuzoo"))
}

/// Keys, and the text that they lead to.
type Keys<'a> = &'a [(&'a [&'a str], &'a str)];

/// On each machine: the start, a few keys, each with what it brings, and the whole screen at the end.
#[test]
fn each_machine_is_debugged_on_a_terminal() {
    if !has_tmux() {
        return;
    }
    let cases: [(&str, &str, Keys); 5] = [
        (
            "dreambox",
            "dreambox/teapot.toml --pixel 320,240",
            &[
                (&["Right"], "step 1 of"),
                (&["u"], "run 1 of 3"),
                (&["n"], "not met up to the end"),
                (&["g", "Right"], "step 1 of"),
            ],
        ),
        (
            "nv2a",
            "nv2a/light.toml --pixel 320,240",
            &[(&["G"], "the end"), (&["a"], "it comes from"), (&["Escape"], "? help"), (&["f"], "only what")],
        ),
        (
            "picogpu",
            "picogpu/octahedron.toml --pixel 50,50",
            &[(&["Right"], "step 1 of"), (&["Down", "b"], "breakpoint 1"), (&["r"], "●>")],
        ),
        (
            "servaru",
            "servaru/toon.toml --pixel 160,120",
            &[
                (&["o"], "P9.x is 0"),
                (&["Enter"], "writes P9"),
                (&[":", "print R2.w", "Enter"], "R2.w = -0.07"),
            ],
        ),
        (
            "vera",
            "vera/cube.s",
            &[
                (&["Right"], "step 1 "),
                (&["n"], "a picture is complete"),
                (&["Left"], "step 32549 "),
                (&["/", "show:", "Enter"], "show:"),
            ],
        ),
    ];
    for (name, arguments, keys) in cases {
        let terminal = Terminal::new((80, 24), &debug(arguments));
        let mut screen = terminal.see("? help");
        for (keys, seen) in keys {
            terminal.press(keys);
            screen = terminal.see(seen);
        }
        let path = data().join(format!("terminal/{name}.txt"));
        if std::env::var_os("GPUZOO_BLESS").is_some() {
            std::fs::write(&path, &screen).unwrap();
        }
        let expected = std::fs::read_to_string(&path).unwrap_or_default();
        assert_eq!(screen, expected, "{name} is another screen than {}", path.display());
        terminal.press(&["q"]);
        terminal.wait("an empty screen", |screen| !screen.contains("? help"));
    }
}

/// Whatever ends it, the terminal is as it was: its settings, and what was on it.
#[cfg(unix)]
#[test]
fn the_terminal_is_as_it_was() {
    if !has_tmux() {
        return;
    }
    let folder = scratch("terminal");
    let path = |name: &str| text(&folder.join(name)).to_owned();
    let (before, after, id) = (path("before"), path("after"), path("id"));
    let command = format!(
        "echo what was there; stty -a > '{before}'; sh -c 'echo $$ > \"{id}\"; NO_COLOR=1 exec {} debug nv2a/light.toml --vertex 0'; \
         code=$?; stty -a > '{after}'; echo ended with $code",
        env!("CARGO_BIN_EXE_gpuzoo")
    );
    type End<'a> = (&'a str, &'a dyn Fn(&Terminal));
    let ends: [End; 3] = [
        ("ended with 0", &|terminal| terminal.press(&["q"])),
        ("ended with 0", &|terminal| terminal.press(&["C-c"])),
        ("ended with 130", &|_| {
            let id = std::fs::read_to_string(&id).unwrap();
            assert!(Command::new("kill").args(["-TERM", id.trim()]).status().unwrap().success());
        }),
    ];
    for (seen, end) in ends {
        let terminal = Terminal::new((80, 24), &command);
        terminal.see("? help");
        // A size is taken over while it runs.
        terminal.ask(&["resize-window", "-x", "60", "-y", "18"]);
        terminal.wait("a smaller screen", |screen| {
            screen.lines().count() <= 18
                && screen.lines().last().is_some_and(|line| line.starts_with("? help"))
        });
        terminal.ask(&["resize-window", "-x", "80", "-y", "24"]);
        terminal.see("Tab pane");
        // All is drawn again where something else wrote.
        let drawn = terminal.see("Tab pane");
        terminal.press(&["C-l"]);
        terminal.wait("the same screen", |screen| screen == drawn);
        end(&terminal);
        let screen = terminal.see(seen);
        assert!(screen.contains("what was there") && !screen.contains("? help"), "{screen}");
        let [before, after] = [&before, &after].map(|path| std::fs::read_to_string(path).unwrap());
        assert_eq!(before, after);
        let mouse = terminal.ask(&["display-message", "-p", "#{alternate_on} #{mouse_any_flag}"]);
        assert_eq!(mouse.trim(), "0 0");
    }
}

/// A terminal that is closed takes the program with it.
#[cfg(unix)]
#[test]
fn nothing_is_left_behind_a_terminal() {
    if !has_tmux() {
        return;
    }
    let id = scratch("terminal-gone").join("id");
    let program = env!("CARGO_BIN_EXE_gpuzoo");
    let (path, arguments) = (text(&id), "nv2a/light.toml --vertex 0");
    let command = format!("sh -c 'echo $$ > \"{path}\"; NO_COLOR=1 exec {program} debug {arguments}'");
    let terminal = Terminal::new((80, 24), &command);
    terminal.see("? help");
    let id = std::fs::read_to_string(&id).unwrap();
    let is_there = || Command::new("kill").args(["-0", id.trim()]).output().unwrap().status.success();
    assert!(is_there());
    drop(terminal);
    let start = Instant::now();
    while is_there() {
        assert!(start.elapsed() < PATIENCE, "{id} goes on");
        std::thread::sleep(Duration::from_millis(50));
    }
}

/// Colours are there unless they are not wanted; and lines are typed where that is asked for.
#[test]
fn colors_and_the_screen_are_as_wanted() {
    if !has_tmux() {
        return;
    }
    let program = env!("CARGO_BIN_EXE_gpuzoo");
    let colored = Terminal::new((80, 24), &format!("{program} debug servaru/toon.toml --pixel 160,120"));
    colored.see("? help");
    assert!(colored.ask(&["capture-pane", "-p", "-e"]).contains("\u{1b}[38;5;"), "{}", colored.screen());
    let plain = Terminal::new((80, 24), &debug("servaru/toon.toml --pixel 160,120"));
    plain.see("? help");
    let screen = plain.ask(&["capture-pane", "-p", "-e"]);
    // Of the parameters that set colours none is there but those of the usual ones, 39 and 49.
    let parameters = screen.split("\u{1b}[").skip(1).filter_map(|rest| rest.split_once('m'));
    let parameters: Vec<&str> = parameters.flat_map(|(all, _)| all.split(';')).collect();
    let is_color = |one: &&str| one.parse().is_ok_and(|one: u32| one >= 30 && one != 39 && one != 49);
    assert!(!parameters.is_empty() && !parameters.iter().any(is_color), "{screen}");
    for arguments in ["--plain", "--script /dev/null", "-o -"] {
        let typed =
            Terminal::new((80, 24), &format!("{} {arguments}", debug("servaru/toon.toml --pixel 160,120")));
        let screen = typed.see("step 0 of 22");
        assert!(screen.starts_with("fragment (160, 120)"), "{arguments}: {screen}");
        if arguments != "--script /dev/null" {
            typed.press(&["step", "Enter"]);
            typed.see("step 1 of 22");
        }
    }
}

/// The mouse of a terminal: what a click at a place sends.
#[test]
fn clicks_come_from_the_terminal() {
    if !has_tmux() {
        return;
    }
    let terminal = Terminal::new((80, 24), &debug("servaru/toon.toml --pixel 160,120"));
    let screen = terminal.see("? help");
    let row = screen.lines().position(|line| line.contains("MUL R0.xyz, P1, R0.w;")).unwrap() + 1;
    // SGR: the left button goes down, and up again.
    terminal.press(&["-l", &format!("\u{1b}[<0;1;{row}M\u{1b}[<0;1;{row}m")]);
    terminal.see("breakpoint 1");
    terminal.press(&["r"]);
    terminal.see("●>");
}

/// Ctrl-Z gives the terminal to the shell as it was, and `fg` draws all again.
#[cfg(unix)]
#[test]
fn it_is_suspended_and_goes_on() {
    // Jobs are bash's.
    if !has_tmux() || Command::new("bash").arg("--version").output().is_err() {
        return;
    }
    let folder = scratch("terminal-jobs");
    let path = |name: &str| text(&folder.join(name)).to_owned();
    let (before, between) = (path("before"), path("between"));
    let terminal = Terminal::new((80, 24), "PS1='shell> ' exec bash --norc --noprofile -i");
    let enter = |line: &str| terminal.press(&[line, "Enter"]);
    terminal.see("shell>");
    enter(&format!("stty -a > '{before}'; {}", debug("nv2a/light.toml --vertex 0")));
    let drawn = terminal.see("Tab pane");
    for _ in 0..2 {
        terminal.press(&["C-z"]);
        let screen = terminal.see("Stopped");
        assert!(!screen.contains("Tab pane"), "{screen}");
        enter(&format!("stty -a > '{between}'; clear; echo typed here"));
        terminal.wait("what was typed", |screen| screen.starts_with("typed here"));
        enter("fg");
        terminal.wait("the same screen", |screen| screen == drawn);
    }
    terminal.press(&["Right"]);
    terminal.see("step 1 of");
    terminal.press(&["q"]);
    let screen = terminal.see("shell>");
    assert!(screen.contains("typed here") && !screen.contains("Tab pane"), "{screen}");
    // Readline has its own settings while it reads; what a command finds is what counts.
    let [before, between] = [&before, &between].map(|path| std::fs::read_to_string(path).unwrap());
    assert_eq!(before, between);
}
