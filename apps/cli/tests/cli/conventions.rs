//! Exit codes, streams, colours, messages, help.

use crate::common::{command, done, gpuzoo, scratch, text, with_input};

#[test]
fn exit_codes() {
    for (args, code) in [
        (&["check", "default.vu"][..], 0),
        (&["--version"], 0),
        (&["--help"], 0),
        (&["assemble", "-h"], 0),
        (&["check", "--gpu", "dreambox", "run.jsonl"], 1),
        (&["conform", "--gpu", "dreambox", "default.vu"], 1),
        (&["check", "nosuch.vu"], 2),
        (&["check", "--gpu", "dreambox", "."], 2),
        (&["check", "--gpu", "dremabox", "default.vu"], 2),
        (&["check", "default.vu", "--frobnicate"], 2),
        (&["frobnicate"], 2),
        (&[], 2),
        (&["assemble", "default.vu", "-o", "no/such/folder.bin"], 2),
        (&["assemble", "default.vu", "--profile", "nosuch"], 2),
        (&["check", "default.vu", "--deny", "X9999"], 2),
        (&["explain", "frobnicate"], 2),
        (&["generate", "man", "frobnicate"], 2),
        (&["run", "-", "-"], 2),
        (&["render", "nosuch.toml"], 2),
        (&["render", "scene.toml", "-o", "picture.bmp"], 2),
        (&["render", "scene.toml", "--profile", "nosuch"], 2),
        (&["conform", "--gpu", "dreambox", "nosuch.jsonl"], 2),
        // What is wrong with an argument is usage, even where only the data tell.
        (&["run", "scale.vu", "-c", "c900=1"], 2),
        (&["run", "scale.vu", "-c", "c1=1,2"], 2),
        (&["run", "scale.vu", "--mode", "x=y"], 2),
        (&["run", "default.vu", "--layout", "0:0:Float4"], 2),
        (&["trace", "default.vu", "--vertex", "99"], 2),
        (&["trace", "scene.toml", "--pixel", "9999,0"], 2),
        (&["trace", "scene.toml", "--pixel", "0,0", "--frame", "99"], 2),
        (&["render", "scene.toml", "--frame", "99"], 2),
        (&["render", "scene.toml", "--size", "0x4"], 2),
        (&["render", "scene.toml", "--view", "batch", "-o", "-"], 2),
    ] {
        let done = gpuzoo(args);
        assert_eq!(done.code, code, "{args:?}: {}", done.err);
        assert_eq!(code == 0, done.err.is_empty(), "{args:?}: {}", done.err);
    }
}

/// Errors in the command line are diagnostics like all others.
#[test]
fn usage_errors_are_diagnostics() {
    let told = |args: &[&str]| {
        let done = gpuzoo(args);
        assert_eq!((done.code, done.out.as_str()), (2, ""), "{args:?}");
        done.err
    };
    let human = told(&["check", "default.vu", "--frobnicate"]);
    assert!(human.starts_with("error[G0121]: unexpected argument '--frobnicate' found\n"), "{human}");
    assert!(human.contains("= note: usage: gpuzoo check"), "{human}");
    let short = told(&["check", "default.vu", "--message-format", "short", "--format", "loud"]);
    assert_eq!(short, "error[G0121]: invalid value 'loud' for '--format <FORM>'\n");
    for args in
        [&[][..], &["chekc"], &["explain"], &["run", "x.vu", "--stride", "x"], &["render", "-c", "c0=1"]]
    {
        let json = told(&[args, &["--message-format=json"]].concat());
        let json: serde_json::Value = serde_json::from_str(json.trim_end()).unwrap();
        assert_eq!((&json["code"], &json["severity"]), (&"G0121".into(), &"error".into()), "{args:?}");
    }
}

/// Options that a verb never takes are hidden from its help and refused.
#[test]
fn what_a_verb_never_takes_is_refused() {
    for (args, option) in [
        (
            &["compile", "lit.wgsl", "--gpu", "nv2a", "--dialect", "vp"][..],
            "`--dialect` does not apply to `compile`",
        ),
        (&["assemble", "default.vu", "--from", "bin"], "`--from` does not apply to `assemble`"),
        (&["render", "teapot.toml", "--position", "clip"], "`--position` does not apply to `render`"),
    ] {
        let done = gpuzoo(args);
        assert_eq!((done.code, done.err.starts_with("error[G0142]")), (2, true), "{args:?}: {}", done.err);
        assert!(done.err.contains(option), "{}", done.err);
        let help = gpuzoo(&[args[0], "--help"]).out;
        assert!(!help.contains(&format!("{} ", args.iter().rev().nth(1).unwrap())), "{help}");
    }
}

/// Options that a binding or an editor passes by name: unknown ones, and values of another type.
#[test]
fn options_by_name_are_checked() {
    use gpuzoo::options::{CompileOptions, OptionMap};
    let problem = |json: serde_json::Value| {
        let mut options = OptionMap::from_json(json).unwrap();
        let problem = options.take::<CompileOptions>().err().or(options.finish().err()).unwrap();
        (problem.code.id, problem.message, problem.help.join(" "))
    };
    let unknown = problem(serde_json::json!({ "fastMaths": true }));
    assert_eq!(
        unknown,
        ("G0141", "there is no option `fast_maths` here".into(), "did you mean `fast_math`?".into())
    );
    let (code, message, _) = problem(serde_json::json!({ "level": "fastest" }));
    assert_eq!(
        (code, message.starts_with("`level`: there is no level `fastest`")),
        ("G0140", true),
        "{message}"
    );
    let (code, message, _) = problem(serde_json::json!({ "constantsAt": "many" }));
    assert_eq!(
        (code, message.as_str()),
        ("G0140", "`constants_at` is a number from 0 to 65535, not \"many\"")
    );
}

/// A mistyped level does not mean the fastest.
#[test]
fn levels_of_the_engine_must_exist() {
    for (level, code) in [("portable", 0), ("", 0), ("AVX2", 2), ("sse9", 2)] {
        let output = command(&["check", "default.vu"]).env("GPUZOO_SIMD", level).output().unwrap();
        let done = done(&output);
        assert_eq!(done.code, code, "{level}: {}", done.err);
        assert_eq!(
            code != 0,
            done.err.contains("error[G0114]: no instruction set is called"),
            "{}",
            done.err
        );
        assert_eq!(code != 0, done.err.contains("there are portable"), "{}", done.err);
    }
}

#[test]
fn the_machine_must_be_clear() {
    let done = with_input(&["check", "-"], "end");
    assert_eq!(done.code, 2);
    assert!(done.err.contains("error[G0101]: which GPU is meant?"), "{}", done.err);
    assert!(done.err.contains("`dreambox`"), "{}", done.err);
    assert!(
        gpuzoo(&["check", "--gpu", "dremabox", "default.vu"])
            .err
            .contains("a similar value exists: 'dreambox'")
    );
    assert!(gpuzoo(&["chekc"]).err.contains("'check'"));
    assert_eq!(with_input(&["check", "--stdin-name", "x.vu"], "end").code, 0);
}

#[test]
fn files_that_are_not_there_are_reported() {
    let done = gpuzoo(&["check", "nosuch.vu"]);
    assert_eq!((done.code, done.out.as_str()), (2, ""));
    assert!(done.err.contains("error[G0104]: cannot read `nosuch.vu`: "), "{}", done.err);
}

/// A closed pipe is not an error, whatever is written to it and when.
#[test]
fn a_closed_pipe_is_quiet() {
    for args in [
        &["--help"][..],
        &["--version"],
        &["asm", "default.vu"],
        &["asm", "default.vu", "--emit", "ir", "-o", "-"],
        &["dis", "default.vu"],
        &["check", "default.vu"],
        &["run", "default.vu", "--allow", "warnings"],
        &["trace", "default.vu", "--allow", "warnings"],
        &["explain", "D0102"],
        &["render", "scene.toml"],
        &["render", "scene.toml", "-o", "-"],
        &["list", "codes"],
        &["conform", "--gpu", "dreambox", "."],
        &["generate", "man"],
        &["generate", "complete-zsh"],
    ] {
        let (reader, writer) = std::io::pipe().unwrap();
        drop(reader);
        let done = done(&command(args).stdout(writer).output().unwrap());
        assert_eq!((done.code, done.err.as_str()), (0, ""), "{args:?}");
    }
}

/// The reader goes away in the middle of a long output.
#[test]
fn a_pipe_that_closes_later_is_quiet() {
    use std::io::Read;
    let folder = scratch("pipe");
    let path = folder.join("many.csv");
    std::fs::write(&path, format!("in0.x\n{}", "1\n".repeat(100_000))).unwrap();
    let mut child = command(&["run", "default.vu", text(&path), "--allow", "warnings"]).spawn().unwrap();
    let mut pipe = child.stdout.take().unwrap();
    pipe.read_exact(&mut [0; 100]).unwrap();
    drop(pipe);
    let output = child.wait_with_output().unwrap();
    assert_eq!((output.status.code(), output.stderr.as_slice()), (Some(0), &b""[..]));
}

/// Messages that cannot be written leave the exit code as it is.
#[test]
fn a_closed_pipe_of_messages_changes_nothing() {
    let (reader, writer) = std::io::pipe().unwrap();
    drop(reader);
    let output = command(&["check", "nosuch.vu"]).stderr(writer).output().unwrap();
    assert_eq!(output.status.code(), Some(2));
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_is_reported() {
    for args in [&["list", "codes"][..], &["--help"], &["check", "--help"], &["--version"]] {
        let full = std::fs::OpenOptions::new().write(true).open("/dev/full").unwrap();
        let done = done(&command(args).stdout(full).output().unwrap());
        assert_eq!(done.code, 2, "{args:?}");
        assert!(done.err.contains("error[G0105]: cannot write `standard output`"), "{}", done.err);
    }
}

/// Nobody makes files there. The file beside the output, which is tried first, is not the user's concern.
#[cfg(target_os = "linux")]
#[test]
fn the_name_of_a_temporary_file_is_not_shown() {
    let done = gpuzoo(&["assemble", "default.vu", "-o", "/sys/out.bin"]);
    assert_eq!(done.code, 2);
    assert!(done.err.contains("error[G0105]: cannot write `/sys/out.bin`: "), "{}", done.err);
    assert!(!done.err.contains(".gpuzoo-"), "{}", done.err);
}

#[test]
fn colors_follow_the_flag_then_the_environment() {
    let colored = |args: &[&str], variables: &[(&str, &str)]| {
        let mut command = command(&[&["check", "nosuch.vu"], args].concat());
        command.envs(variables.iter().copied());
        done(&command.output().unwrap()).err.contains('\u{1b}')
    };
    // Neither stream is a terminal here.
    assert!(!colored(&[], &[]));
    assert!(colored(&[], &[("FORCE_COLOR", "1")]));
    assert!(!colored(&[], &[("FORCE_COLOR", "0")]));
    assert!(!colored(&[], &[("FORCE_COLOR", "1"), ("NO_COLOR", "1")]));
    assert!(colored(&["--color", "always"], &[("NO_COLOR", "1")]));
    assert!(!colored(&["--color", "never"], &[("FORCE_COLOR", "1")]));
}

#[test]
fn messages_come_in_three_forms() {
    let message =
        |form: &str| with_input(&["check", "--stdin-name", "x.vu", "--message-format", form], "\n ned\n").err;
    assert!(message("human").starts_with("error[A0101]: there is no instruction `ned`\n --> x.vu:2:2\n"));
    assert_eq!(message("short"), "x.vu:2:2: error[A0101]: there is no instruction `ned`\n");
    let json = message("json");
    let json: serde_json::Value = serde_json::from_str(json.trim_end()).unwrap();
    assert_eq!((&json["code"], &json["severity"]), (&"A0101".into(), &"error".into()));
    let label = &json["labels"][0];
    assert_eq!((&label["file"], &label["line"], &label["column"]), (&"x.vu".into(), &2.into(), &2.into()));
    assert_eq!((&label["start"], &label["end"]), (&2.into(), &5.into()));
    assert_eq!(json["fixes"][0]["edits"][0]["replacement"], "end");
}

#[test]
fn levels_change_what_counts() {
    // Three outputs are never stored: D0103, three times.
    let source = "ld r0 0 st pos r0";
    let check = |args: &[&str]| {
        let common = ["check", "--stdin-name", "x.vu", "--message-format", "short"];
        with_input(&[&common, args].concat(), source)
    };
    let count = |text: &str, what: &str| text.matches(what).count();
    let plain = check(&[]);
    assert_eq!((plain.code, count(&plain.err, "warning[D0103]")), (0, 3));
    assert_eq!(check(&["--allow", "D0103"]).err, "");
    assert_eq!(check(&["--allow", "warnings"]).err, "");
    for args in [
        &["--deny", "D0103"][..],
        &["--deny", "warnings"],
        &["--deny=warnings"],
        &["--deny", "d0103", "--allow", "D0103"],
    ] {
        let denied = check(args);
        assert_eq!((denied.code, count(&denied.err, "error[D0103]")), (1, 3), "{args:?}");
    }
    let excepted = check(&["--deny", "warnings", "--warn", "D0103"]);
    assert_eq!((excepted.code, count(&excepted.err, "warning[D0103]")), (0, 3));
    assert!(check(&["--deny", "D0193"]).err.contains("error[G0109]"));
}

#[test]
fn results_are_text_on_standard_output_and_messages_on_the_other() {
    let done = with_input(&["check", "--stdin-name", "x.vu"], "st pos r0");
    // Two instructions and the budget of 1,200,000, which must not be reached: 599,999 vertices.
    assert!(done.out.starts_with("2 of 64 slots\n"), "{}", done.out);
    assert!(done.out.contains("cycles billed by the runtime: 2; 599,999 vertices a frame"), "{}", done.out);
    assert!(done.err.contains("warning[D0102]") && !done.out.contains("D0102"));
    let json = with_input(&["check", "--stdin-name", "x.vu", "--format", "json"], "st pos r0");
    let json: serde_json::Value = serde_json::from_str(&json.out).unwrap();
    assert_eq!((&json["slots"], &json["costs"][1]["runs_per_frame"]), (&2.into(), &599_999.into()));
}

#[test]
fn help_has_one_screen_and_a_long_form() {
    let short = gpuzoo(&["-h"]).out;
    assert_eq!(short, include_str!("../data/help.txt"));
    for verb in [
        "assemble",
        "disassemble",
        "check",
        "run",
        "trace",
        "render",
        "explain",
        "vectors",
        "conform",
        "bench",
        "list",
        "generate",
    ] {
        let short = gpuzoo(&[verb, "-h"]);
        assert_eq!(short.code, 0);
        assert!(short.out.lines().count() <= 42, "{verb}: {} lines", short.out.lines().count());
        let long = gpuzoo(&[verb, "--help"]).out;
        assert!(long.lines().count() > short.out.lines().count(), "{verb}");
        assert!(long.starts_with("Examples:\n  gpuzoo "), "{verb}: {long}");
        assert!(long.lines().all(|line| line.chars().count() <= 100), "{verb}: {long}");
    }
    assert!(gpuzoo(&["--help"]).out.starts_with("Examples:\n  gpuzoo "));
}

#[test]
fn man_page_and_completions_know_every_verb() {
    let verbs = gpuzoo(&["-h"]).out;
    let verbs =
        verbs.lines().skip_while(|line| *line != "Commands:").skip(1).take_while(|line| !line.is_empty());
    let verbs: Vec<&str> = verbs.filter_map(|line| line.split_whitespace().next()).collect();
    assert!(verbs.len() >= 9, "{verbs:?}");
    for what in
        ["man", "complete-bash", "complete-zsh", "complete-fish", "complete-powershell", "complete-elvish"]
    {
        let page = gpuzoo(&["generate", what]);
        assert_eq!((page.code, page.err.as_str()), (0, ""), "{what}");
        for verb in &verbs {
            assert!(page.out.contains(verb), "{what} lacks {verb}");
        }
    }
    let page = gpuzoo(&["generate", "man", "run"]).out;
    assert!(page.contains("gpuzoo\\-run") && page.contains("\\-\\-vertices\\-from"), "{page}");
    // The short help leaves this out.
    assert!(page.contains("Bytes of a raw vertex"), "{page}");
}

/// Every page has the examples of the verb's help, and says what else a manual says.
#[test]
fn man_pages_are_complete() {
    let folder = scratch("man");
    let pages = folder.join("share/man1");
    let done = gpuzoo(&["generate", "man", "-o", text(&pages)]);
    assert_eq!((done.code, done.out.as_str(), done.err.as_str()), (0, "", ""));
    let mut files: Vec<_> = std::fs::read_dir(&pages).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.sort();
    assert!(files.len() >= 14, "{files:?}");
    for file in &files {
        let page = std::fs::read_to_string(file).unwrap();
        let name = file.file_stem().unwrap().to_string_lossy().into_owned();
        let verb = name.strip_prefix("gpuzoo-");
        let sections = [
            "NAME",
            "SYNOPSIS",
            "DESCRIPTION",
            "OPTIONS",
            "EXAMPLES",
            "EXIT STATUS",
            "ENVIRONMENT",
            "SEE ALSO",
        ];
        let starts: Vec<Option<usize>> = sections
            .iter()
            .map(|title| {
                page.find(&format!("\n.SH {title}\n")).or(page.find(&format!("\n.SH \"{title}\"\n")))
            })
            .collect();
        assert!(starts.iter().all(Option::is_some) && starts.is_sorted(), "{name}: {starts:?}");
        assert_eq!(page.contains("\n.SH FILES\n"), verb.is_none(), "{name}");
        let help = gpuzoo(&[verb.as_slice(), &["--help"]].concat()).out;
        let examples: Vec<&str> =
            help.lines().skip(1).take_while(|line| !line.is_empty()).map(str::trim).collect();
        assert!(!examples.is_empty());
        for example in examples {
            let example = example.replace('\\', "\\\\").replace('-', "\\-").replace('\'', "\\*(Aq");
            assert!(page.contains(&example), "{name} lacks {example}");
        }
        assert_eq!(gpuzoo(&[&["generate", "man"], verb.as_slice()].concat()).out, page, "{name}");
    }
    // Files of any number are one argument.
    let check = std::fs::read_to_string(pages.join("gpuzoo-check.1")).unwrap();
    assert_eq!(check.matches("\n[\\fIFILE\\fR]\n").count(), 1, "{check}");
    for args in [&["complete-bash", "-o", "x"][..], &["complete-bash", "run"], &["man", "run", "-o", "x"]] {
        let done = gpuzoo(&[&["generate"], args].concat());
        assert_eq!((done.code, done.err.contains("error[G0108]")), (2, true), "{args:?}");
    }
}

#[test]
fn the_same_twice() {
    for args in [&["list", "codes"][..], &["asm", "default.vu", "--emit", "json"], &["explain", "dreambox"]] {
        assert_eq!(gpuzoo(args).out, gpuzoo(args).out);
    }
}

/// A near name is a guess, and is said of slips alone; what is accepted is said of the others.
#[test]
fn near_names_are_guesses() {
    let problems = |text: &str| {
        let done = with_input(&["check", "--gpu", "nv2a", "-", "--message-format", "json"], text);
        let lines = done.err.lines().chain(done.out.lines());
        let problems: Vec<serde_json::Value> =
            lines.filter_map(|line| serde_json::from_str(line).ok()).collect();
        problems.into_iter().next().unwrap()
    };
    let slip = problems("mvo oPos, v0\n");
    let fix = &slip["fixes"][0];
    assert_eq!(
        (&fix["applicability"], &fix["edits"][0]["replacement"]),
        (&"maybe-incorrect".into(), &"MOV".into()),
        "{slip}"
    );
    let comma = problems("mov oPos v0\n");
    assert_eq!(comma["fixes"][0]["applicability"], "machine-applicable", "{comma}");
    for (text, accepted) in
        [("mov oCol, v0\n", "oD0"), ("lrp r0, v0, v1, v2\n", "MAD"), ("foo r0, v0\n", "MOV")]
    {
        let problem = problems(text);
        assert_eq!(problem["fixes"], serde_json::json!([]), "{problem}");
        assert!(problem["help"][0].as_str().unwrap().contains(accepted), "{problem}");
    }
}
