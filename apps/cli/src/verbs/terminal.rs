//! The terminal for the debugger's screen: raw input, the alternate screen, and both as they were at whatever end.

use crate::output::standard_failed;
use crate::session::Stop;
use gpuzoo::debugger::Console;
use gpuzoo::machine::session::Picture;
use gpuzoo_tui::{App, Colors, Graphics, Save};
use ratatui::Terminal;
use ratatui::backend::CrosstermBackend;
use ratatui::crossterm::cursor::Show;
use ratatui::crossterm::event::{
    self, DisableMouseCapture, EnableMouseCapture, Event, KeyCode, KeyEvent, KeyEventKind, KeyModifiers,
};
use ratatui::crossterm::terminal::{
    BeginSynchronizedUpdate, Clear, ClearType, EndSynchronizedUpdate, EnterAlternateScreen,
    LeaveAlternateScreen, disable_raw_mode, enable_raw_mode, window_size,
};
use ratatui::crossterm::{execute, queue};
use ratatui::layout::Rect;
use std::io::{IsTerminal, Result, Stdout, Write, stdout};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Once};
use std::time::{Duration, Instant};

/// How long a program runs between two looks for keys, and how long is waited for them: a signal waits no longer.
const LOOK: Duration = Duration::from_millis(30);
const WAIT: Duration = Duration::from_millis(100);
/// How long a signal leaves the face to end by itself.
const GRACE: Duration = Duration::from_millis(500);
/// Steps at a time, between two looks at the clock.
const STEPS: u64 = 1 << 17;

/// The terminal is not as it was found.
static IS_OURS: AtomicBool = AtomicBool::new(false);
/// A signal asks for the end.
static IS_ENDED: AtomicBool = AtomicBool::new(false);

/// True if standard output is a terminal that has a screen; so must standard input be.
pub fn is_there() -> bool {
    stdout().is_terminal() && std::env::var_os("TERM").is_none_or(|name| name != "dumb")
}

/// Shows the debugger until the user leaves it; returns it as it is then.
pub fn show(
    console: Console,
    about: &str,
    save: Save,
    is_colored: bool,
) -> std::result::Result<Console, Stop> {
    let ended = with_screen(console, about, save, is_colored);
    // A signal says nothing more.
    if IS_ENDED.load(Ordering::Relaxed) {
        std::process::exit(130);
    }
    ended.map_err(|error| standard_failed(&error))
}

fn with_screen(console: Console, about: &str, save: Save, is_colored: bool) -> Result<Console> {
    prepare();
    let _screen = Screen::open()?;
    let mut terminal = Terminal::new(CrosstermBackend::new(stdout()))?;
    let size = terminal.size()?;
    let app = App::new(console, colors(is_colored), Rect::new(0, 0, size.width, size.height));
    let mut app = app.saying(about).saving(save);
    let mut pictures = Pictures { graphics: is_colored.then(graphics).flatten(), shown: None };
    if pictures.graphics.is_some() {
        app.leave_pictures();
    }
    let mut is_new = true;
    while !app.is_done() && !IS_ENDED.load(Ordering::Relaxed) {
        if is_new {
            draw(&mut terminal, &mut app)?;
            pictures.follow(&mut terminal, &mut app)?;
        }
        is_new = true;
        if !event::poll(if app.is_running() { Duration::ZERO } else { WAIT })? {
            is_new = app.is_running();
            let start = Instant::now();
            while app.is_running() && start.elapsed() < LOOK {
                app.work(STEPS);
            }
            continue;
        }
        // All keys that are there, then one picture of what they did.
        while !app.is_done() {
            if happened(event::read()?, &mut terminal, &mut app)? {
                pictures.shown = None;
            }
            if !event::poll(Duration::ZERO)? {
                break;
            }
        }
    }
    pictures.hide()?;
    Ok(app.into_console())
}

type Stage = Terminal<CrosstermBackend<Stdout>>;

/// Draws what has changed, on terminals that can wait for it all at once.
fn draw(terminal: &mut Stage, app: &mut App) -> Result<()> {
    queue!(stdout(), BeginSynchronizedUpdate)?;
    terminal.draw(|frame| {
        if frame.area() != app.area() {
            app.resize(frame.area());
        }
        app.draw(frame.buffer_mut());
    })?;
    execute!(stdout(), EndSynchronizedUpdate)
}

/// Empties the screen, so that all of it is drawn again. (The terminal's own way asks where the cursor is, and waits.)
fn clear(terminal: &mut Stage) -> Result<()> {
    execute!(stdout(), Clear(ClearType::All))?;
    // What was drawn last is forgotten.
    terminal.swap_buffers();
    Ok(())
}

/// The picture, on terminals that show such.
struct Pictures {
    graphics: Option<Graphics>,
    /// What is there, and where.
    shown: Option<(Arc<Picture>, Rect)>,
}

impl Pictures {
    /// Takes away what is there and is no letter.
    fn hide(&mut self) -> Result<()> {
        let text = self.graphics.filter(|_| self.shown.is_some()).and_then(Graphics::hide);
        self.shown = None;
        stdout().write_all(text.unwrap_or_default().as_bytes())
    }

    /// Shows what is to be seen, if it is not there yet.
    fn follow(&mut self, terminal: &mut Stage, app: &mut App) -> Result<()> {
        let Some(graphics) = self.graphics else { return Ok(()) };
        let wanted = app.picture();
        if self.shown == wanted {
            return Ok(());
        }
        let place = |shown: &Option<(Arc<Picture>, Rect)>| shown.as_ref().map(|(_, place)| *place);
        if place(&self.shown).is_some_and(|before| place(&wanted) != Some(before)) {
            self.hide()?;
            if graphics == Graphics::Sixel {
                // Letters that are as they were are not written again, so all are.
                clear(terminal)?;
                draw(terminal, app)?;
            }
        }
        if let Some((picture, place)) = &wanted {
            stdout().write_all(graphics.show(picture, *place, letter()).as_bytes())?;
        }
        self.shown = wanted;
        stdout().flush()
    }
}

/// Pixels of a letter; usual ones, if the terminal does not say.
fn letter() -> (u16, u16) {
    match window_size() {
        Ok(size) if size.width > 0 && size.height > 0 && size.columns > 0 && size.rows > 0 => {
            (size.width / size.columns, size.height / size.rows)
        }
        _ => (10, 20),
    }
}

/// How long a terminal's answer is waited for; those far away take some time.
#[cfg(unix)]
const ANSWER: Duration = Duration::from_millis(300);

/// Asks the terminal what it can show.
#[cfg(unix)]
fn graphics() -> Option<Graphics> {
    use rustix::event::{PollFd, PollFlags, Timespec, poll};
    let (input, mut output) = (std::io::stdin(), stdout());
    output.write_all(Graphics::QUESTION.as_bytes()).and_then(|()| output.flush()).ok()?;
    let (start, mut answer) = (Instant::now(), Vec::new());
    while !Graphics::is_answered(&answer) {
        let left = Timespec::try_from(ANSWER.checked_sub(start.elapsed())?).ok()?;
        if poll(&mut [PollFd::new(&input, PollFlags::IN)], Some(&left)).ok()? == 0 {
            return None;
        }
        let mut bytes = [0; 256];
        let count = rustix::io::read(&input, &mut bytes).ok().filter(|count| *count > 0)?;
        answer.extend_from_slice(&bytes[..count]);
    }
    Graphics::of_answer(&answer)
}

/// Nothing is known of terminals there.
#[cfg(not(unix))]
fn graphics() -> Option<Graphics> {
    None
}

/// Hands on what happened. True if the screen was emptied.
fn happened(event: Event, terminal: &mut Stage, app: &mut App) -> Result<bool> {
    match event {
        Event::Key(KeyEvent { kind: KeyEventKind::Release, .. }) => {}
        Event::Key(KeyEvent { code: KeyCode::Char('z'), modifiers: KeyModifiers::CONTROL, .. }) => {
            suspend()?;
            clear(terminal)?;
            return Ok(true);
        }
        Event::Key(KeyEvent { code: KeyCode::Char('l'), modifiers: KeyModifiers::CONTROL, .. }) => {
            clear(terminal)?;
            return Ok(true);
        }
        Event::Key(key) => app.key(key.code, key.modifiers),
        Event::Mouse(mouse) => app.mouse(mouse),
        Event::Resize(width, height) => app.resize(Rect::new(0, 0, width, height)),
        Event::FocusGained | Event::FocusLost | Event::Paste(_) => {}
    }
    Ok(false)
}

fn colors(is_colored: bool) -> Colors {
    let is_true = || std::env::var("COLORTERM").is_ok_and(|name| name == "truecolor" || name == "24bit");
    match is_colored {
        false => Colors::None,
        true if is_true() => Colors::True,
        true => Colors::Indexed,
    }
}

/// What there is to do once: a panic's message is for a terminal as it was found, and a signal asks for the end.
fn prepare() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        let before = std::panic::take_hook();
        std::panic::set_hook(Box::new(move |about| {
            drop(restore());
            before(about);
        }));
        // Without it a signal ends the process at once, and leaves the terminal as it is.
        drop(ctrlc::set_handler(|| {
            IS_ENDED.store(true, Ordering::Relaxed);
            std::thread::sleep(GRACE);
            // A read from a terminal that is gone does not return (crossterm 0.29).
            drop(restore());
            std::process::exit(130);
        }));
    });
}

/// The screen as it is needed, until this is dropped.
struct Screen;

impl Screen {
    fn open() -> Result<Screen> {
        // From here on: what fails half way is taken back, too.
        let screen = Screen;
        take()?;
        Ok(screen)
    }
}

impl Drop for Screen {
    fn drop(&mut self) {
        // A terminal that is gone needs nothing.
        drop(restore());
    }
}

fn take() -> Result<()> {
    IS_OURS.store(true, Ordering::Relaxed);
    enable_raw_mode()?;
    execute!(stdout(), EnterAlternateScreen, EnableMouseCapture)
}

fn restore() -> Result<()> {
    if !IS_OURS.swap(false, Ordering::Relaxed) {
        return Ok(());
    }
    let left = execute!(stdout(), DisableMouseCapture, LeaveAlternateScreen, Show);
    disable_raw_mode()?;
    left
}

/// Leaves the terminal to the shell until it says to go on.
#[cfg(unix)]
fn suspend() -> Result<()> {
    restore()?;
    rustix::process::kill_current_process_group(rustix::process::Signal::TSTP)?;
    // Another thread may take the signal, and this one go on for a moment: it has to stop before it takes the screen again.
    std::thread::sleep(WAIT);
    take()
}

/// There are no jobs to stop.
#[cfg(not(unix))]
fn suspend() -> Result<()> {
    Ok(())
}
