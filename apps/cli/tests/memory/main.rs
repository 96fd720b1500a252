//! Memory that is refused: each verb is run once for each of its large allocations, and that one fails. It must give the right
//! result or an error with a code, and leave an old output as it was. An allocation that cannot fail would abort, so each run
//! is a process of its own: this program, as `gpuzoo`.

mod allocator;
mod cases;

use cases::Case;
use libtest_mimic::{Arguments, Failed, Trial};
use std::path::Path;
use std::process::{Command, ExitCode};

/// The allocation to be refused, for a run as `gpuzoo`.
const REFUSED: &str = "GPUZOO_TEST_REFUSED";

/// The file for the number of large allocations.
const COUNTED: &str = "GPUZOO_TEST_COUNTED";

fn main() -> ExitCode {
    let Some(refused) = std::env::var(REFUSED).ok().and_then(|text| text.parse().ok()) else {
        let trials = cases::all().into_iter().map(|case| {
            let name = case.name;
            Trial::test(name, move || check(&case).map_err(Failed::from))
        });
        return libtest_mimic::run(&Arguments::from_args(), trials.collect()).exit_code();
    };
    allocator::refuse(refused);
    let code = gpuzoo_cli::run(gpuzoo::Registry::default());
    if let Some(path) = std::env::var_os(COUNTED) {
        std::fs::write(path, allocator::large_ones().to_string()).expect("the scratch folder can be written");
    }
    code
}

/// What a run left.
struct Left {
    code: Option<i32>,
    output: Vec<u8>,
    messages: String,
}

/// What the file of the output has before.
const OLD: &[u8] = b"old";

fn run(case: &Case, refused: u64, counted: &Path) -> std::io::Result<Left> {
    let output = case.folder.join(case.output);
    std::fs::write(&output, OLD)?;
    let mut gpuzoo = Command::new(std::env::current_exe()?);
    gpuzoo.args(&case.arguments).arg("-o").arg(&output).current_dir(&case.folder);
    // One thread, so that the n-th allocation is always the same.
    gpuzoo.env(REFUSED, refused.to_string()).env(COUNTED, counted).env("RAYON_NUM_THREADS", "1");
    let done = gpuzoo.output()?;
    let messages = String::from_utf8_lossy(&done.stderr).into_owned();
    Ok(Left { code: done.status.code(), output: std::fs::read(output)?, messages })
}

fn check(case: &Case) -> Result<(), String> {
    let counted = case.folder.join("counted");
    let run = |refused| run(case, refused, &counted).map_err(|error| error.to_string());
    let expected = run(0)?;
    if expected.code != Some(0) || expected.output == OLD {
        return Err(format!("nothing is refused, and yet: {}", expected.messages));
    }
    let count = std::fs::read_to_string(&counted).ok().and_then(|text| text.parse::<u64>().ok());
    let count = count.filter(|count| *count > 0).ok_or("it has no large allocations")?;
    let mut problems = String::new();
    for refused in 1..=count {
        let left = run(refused)?;
        let is_error = left.messages.contains("error[R0704]") && left.code != Some(0) && left.output == OLD;
        // A warning may say less where there is no memory to find out more.
        let is_right = (left.code, &left.output) == (expected.code, &expected.output);
        if !is_right && !is_error {
            let code = left.code.map_or("a signal".to_owned(), |code| code.to_string());
            let kept = if left.output == OLD { "kept" } else { "replaced" };
            problems += &format!(
                "allocation {refused} of {count}: {code}, the output is {kept}: {}\n",
                left.messages.trim()
            );
        }
    }
    if problems.is_empty() { Ok(()) } else { Err(problems) }
}
