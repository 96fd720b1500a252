//! Every page of the book does what it says: its commands work as they are typed and print what the page shows, its pictures
//! are those that its commands write, and its Rust is that of programs which are compiled. Pages below `docs/tutorials` begin
//! in an empty folder, all others in a copy of the repository's examples and vectors.
//!
//! `GPUZOO_BLESS=1` writes pictures, and in place of the line `?` what a command prints; of `?9` nine lines and `…`.

#[cfg(unix)]
mod page;

#[cfg(not(unix))]
fn main() {}

#[cfg(unix)]
fn main() -> std::process::ExitCode {
    use libtest_mimic::{Arguments, Failed, Trial};
    let mut trials = vec![Trial::test("outputs_are_compared", || {
        run::outputs_are_compared();
        Ok(())
    })];
    trials.extend(
        run::pages()
            .into_iter()
            .map(|path| Trial::test(path.clone(), move || run::page(&path).map_err(Failed::from))),
    );
    libtest_mimic::run(&Arguments::from_args(), trials).exit_code()
}

#[cfg(unix)]
mod run {
    use crate::page::{ANY, Command, Part, parts, shows};
    use std::path::{Path, PathBuf};
    use std::process::Stdio;

    /// What a page shows of a command that ends with 1: an error, or that something differs.
    fn fails(Command { command, output, .. }: &Command) -> bool {
        const SHOWN: [&str; 3] = ["error[", "\"severity\":\"error\"", " failed"];
        let shown = |line: &String| SHOWN.iter().any(|shown| line.contains(shown));
        command.starts_with("gpuzoo diff ") || output.iter().any(shown)
    }

    /// Pages of measurements, whose commands take minutes.
    const MEASURED: [&str; 1] = ["docs/benchmarks.md"];

    /// Pictures that no command of a page writes: `cargo xtask gen` makes the first, and a test of it compares them; the others are of the studio.
    const GENERATED: [&str; 4] = ["machines.png", "studio.png", "studio-phone.png", "studio-costs.png"];

    /// What the reader has beside the pages.
    const CHECKOUT: [&str; 6] = [
        "examples",
        "gpus/dreambox/tests/vectors",
        "gpus/nv2a/tests/vectors",
        "gpus/picogpu/tests/vectors",
        "crates/x16/tests/cc65",
        "gpus/vera/tests/vectors",
    ];

    fn root() -> PathBuf {
        Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").components().collect()
    }

    /// The pages of the book, by their paths from the root.
    pub fn pages() -> Vec<String> {
        let summary =
            std::fs::read_to_string(root().join("docs/SUMMARY.md")).expect("the book has a summary");
        let targets = summary.split("](").skip(1).filter_map(|rest| rest.split_once(')'));
        let pages: Vec<String> = targets
            .map(|(target, _)| {
                target.strip_prefix("../").map_or_else(|| format!("docs/{target}"), str::to_owned)
            })
            .collect();
        assert!(pages.len() > 30, "{pages:?}");
        pages
    }

    /// Tries one page.
    pub fn page(path: &str) -> Result<(), String> {
        let file = root().join(path);
        let mut text = std::fs::read_to_string(&file).map_err(|error| format!("{path}: {error}"))?;
        let place = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("book").join(path.replace('/', "-"));
        let _ = std::fs::remove_dir_all(&place);
        std::fs::create_dir_all(&place).map_err(|error| error.to_string())?;
        if !path.starts_with("docs/tutorials/") {
            CHECKOUT.iter().for_each(|folder| copy(&root().join(folder), &place.join(folder)));
        }
        let bless = std::env::var_os("GPUZOO_BLESS").is_some();
        let problem = |what: String| format!("{path}: {what}");
        if MEASURED.contains(&path) {
            return Ok(());
        }
        for part in parts(&text).map_err(problem)? {
            match part {
                Part::File { name, text } => {
                    std::fs::write(place.join(name), text).map_err(|error| problem(error.to_string()))?;
                }
                Part::Command(shown)
                    if bless && shown.output.len() == 1 && shown.output[0].starts_with('?') =>
                {
                    let done = typed(&shown.command, &place);
                    let blessed = blessed(shown, &mut text, &done);
                    std::fs::write(&file, &text).map_err(|error| problem(error.to_string()))?;
                    judge(&blessed, &done).map_err(problem)?;
                }
                Part::Command(shown) => command(&shown, &place).map_err(problem)?,
                Part::Picture { name } if GENERATED.contains(&name.as_str()) => {}
                Part::Picture { name } => picture(&name, &place, bless).map_err(problem)?,
                Part::Rust { text } => rust(&text).map_err(problem)?,
            }
        }
        Ok(())
    }

    /// Writes what a command prints in place of its `?`.
    fn blessed(mut shown: Command, page: &mut String, done: &Done) -> Command {
        let printed = done.printed();
        let old = format!("$ {}\n{}\n", shown.command, shown.output[0]);
        let mut lines: Vec<String> = printed.trim_end().lines().map(str::to_owned).collect();
        if let Some(some) = shown.output[0][1..].parse().ok().filter(|some| *some < lines.len()) {
            lines.truncate(some);
            lines.push(ANY.to_owned());
        }
        let new: String = lines.iter().map(|line| format!("{line}\n")).collect();
        *page = page.replacen(&old, &format!("$ {}\n{new}", shown.command), 1);
        shown.output = lines;
        shown
    }

    struct Done {
        code: Option<i32>,
        out: String,
        err: String,
    }

    impl Done {
        /// What a terminal shows, without blanks at the ends of lines.
        fn printed(&self) -> String {
            format!("{}{}", self.out, self.err).lines().map(|line| format!("{}\n", line.trim_end())).collect()
        }
    }

    /// Runs a command as the reader types it; `cargo run --release --` is the program, too.
    fn typed(command: &str, place: &Path) -> Done {
        let program = Path::new(env!("CARGO_BIN_EXE_gpuzoo"));
        let folder = program.parent().expect("the program is in a folder");
        let path = format!("{}:{}", folder.display(), std::env::var("PATH").unwrap_or_default());
        let mut shell = std::process::Command::new("sh");
        shell.args(["-c", &command.replace("cargo run --release -- ", "gpuzoo ")]).current_dir(place);
        shell.env("PATH", path).env_remove("NO_COLOR").env_remove("FORCE_COLOR").stdin(Stdio::null());
        let done = shell.output().expect("there is a shell");
        let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        Done { code: done.status.code(), out: text(&done.stdout), err: text(&done.stderr) }
    }

    fn command(shown: &Command, place: &Path) -> Result<(), String> {
        // What compiles the repository or reads the network is for the reader alone.
        let is_cargo = shown.command.starts_with("cargo ");
        if is_cargo && !shown.command.starts_with("cargo run --release -- ") {
            return Ok(());
        }
        judge(shown, &typed(&shown.command, place))
    }

    /// Whether a command did what the page shows.
    fn judge(shown: &Command, done: &Done) -> Result<(), String> {
        let Command { line, command, output } = shown;
        let printed = done.printed();
        let problem = |what: &str| Err(format!("line {}: {command}: {what}\n{printed}", line + 1));
        let failing = fails(shown);
        if done.code != Some(i32::from(failing)) {
            return problem(&format!("exit code {:?}", done.code));
        }
        let has = |start: &str| printed.lines().any(|line| line.starts_with(start));
        if has("warning[") && !failing && !output.iter().any(|line| line.starts_with("warning[")) {
            return problem("a warning that the page does not show");
        }
        let lines: Vec<&str> = printed.lines().collect();
        if !shows(&lines, output) {
            return problem("the page shows something else");
        }
        Ok(())
    }

    fn picture(name: &str, place: &Path, bless: bool) -> Result<(), String> {
        let kept = root().join("docs/pictures").join(name);
        let drawn = std::fs::read(place.join(name)).map_err(|_| format!("no command writes {name}"))?;
        if std::fs::read(&kept).is_ok_and(|bytes| bytes == drawn) {
            return Ok(());
        }
        if bless {
            return std::fs::write(&kept, drawn).map_err(|error| error.to_string());
        }
        Err(format!("{} is not what the page's commands draw; GPUZOO_BLESS=1 writes it", kept.display()))
    }

    /// A whole program on a page is compiled elsewhere: it is one of the examples, or on the page of a crate.
    fn rust(text: &str) -> Result<(), String> {
        if !text.contains("fn main()") {
            return Ok(());
        }
        let root = root();
        let mut compiled =
            ["crates/gpuzoo/README.md", "apps/cli/README.md", "examples/own-machine/src/main.rs"]
                .map(|path| root.join(path))
                .to_vec();
        let examples = std::fs::read_dir(root.join("crates/gpuzoo/examples")).expect("there are examples");
        compiled.extend(examples.flatten().map(|entry| entry.path()));
        let mut texts = compiled.iter().map(|path| std::fs::read_to_string(path).unwrap_or_default());
        // The examples are modules of a test, too.
        let shown = |known: String| known.replace("/// Also run by a test.\npub fn main", "fn main");
        if texts.any(|known| shown(known).contains(text)) {
            Ok(())
        } else {
            Err(format!("is compiled nowhere:\n{text}"))
        }
    }

    fn copy(from: &Path, to: &Path) {
        if from.is_dir() {
            std::fs::create_dir_all(to).expect("a folder can be made");
            for entry in std::fs::read_dir(from).expect("a folder").flatten() {
                copy(&entry.path(), &to.join(entry.file_name()));
            }
        } else {
            std::fs::copy(from, to).expect("a file can be copied");
        }
    }

    pub fn outputs_are_compared() {
        let printed = ["a", "b", "c", "d"];
        let shown = |lines: &[&str]| lines.iter().map(|line| (*line).to_owned()).collect::<Vec<_>>();
        for (lines, expected) in [
            (&[][..], true),
            (&["b", "c"][..], true),
            (&["a", "…", "d"][..], true),
            (&["a", "c"][..], false),
            (&["c", "…", "b"][..], false),
            (&["d", "e"][..], false),
        ] {
            assert_eq!(shows(&printed, &shown(lines)), expected, "{lines:?}");
        }
    }
}
