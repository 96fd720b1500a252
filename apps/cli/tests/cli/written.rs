//! Only the command line names what is written: linker configurations, scenes and sources write where it allows that.

use crate::common::{Done, command, done, scratch};
use std::fs::{create_dir_all, read, read_to_string, write};
use std::path::{Path, PathBuf};

pub fn folder(name: &str, files: &[(&str, &str)]) -> PathBuf {
    let folder = scratch(name);
    for (name, text) in files {
        let path = folder.join(name);
        create_dir_all(path.parent().unwrap()).unwrap();
        write(path, text).unwrap();
    }
    folder
}

pub fn in_folder(folder: &Path, args: &[&str]) -> Done {
    done(&command(args).current_dir(folder).output().unwrap())
}

/// All files below a folder, with their bytes; links are not followed.
pub fn tree(folder: &Path) -> Vec<(PathBuf, Vec<u8>)> {
    let mut all = Vec::new();
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        match path.symlink_metadata().unwrap() {
            about if about.is_dir() => {
                all.push((path.clone(), vec![]));
                all.extend(tree(&path));
            }
            about if about.is_symlink() => {
                let to = std::fs::read_link(&path).unwrap();
                all.push((path, to.to_string_lossy().into_owned().into_bytes()));
            }
            _ => all.push((path.clone(), read(path).unwrap())),
        }
    }
    all.sort();
    all
}

/// `.code` in the program's own file, `BANKED` in one of this name.
fn configuration(file: &str) -> String {
    format!(
        "MEMORY {{
    MAIN: file = %O, start = $1000, size = $100;
    BANK: file = {file}, start = $A000, size = 4;
}}
SEGMENTS {{
    CODE: load = MAIN;
    BANKED: load = BANK;
}}
"
    )
}

const SOURCE: &str = " .code\n rts\n .segment \"BANKED\"\n .byte \"[alias]\"\n";

/// Assembles with a configuration that names a file; `-o out/game.bin` and other options.
fn assemble(folder: &Path, file: &str, options: &[&str]) -> Done {
    let text = configuration(file).replace("size = 4", "size = 16");
    write(folder.join("own.cfg"), text).unwrap();
    let first = ["assemble", "main.s", "--config", "own.cfg", "-o", "out/game.bin"];
    in_folder(folder, &[&first, options].concat())
}

#[test]
fn a_configuration_names_its_own_file_with_a_suffix() {
    let folder = folder("written-suffix", &[("main.s", SOURCE), ("out/x", "")]);
    for (file, name) in
        [("\"%O.bank1\"", "game.bin.bank1"), ("\"%O%%1\"", "game.bin%1"), ("\"%O-b\"", "game.bin-b")]
    {
        let done = assemble(&folder, file, &[]);
        assert_eq!((done.code, &*done.err), (0, ""), "{file}");
        assert_eq!(read(folder.join("out/game.bin")).unwrap(), [0x60]);
        assert_eq!(read(folder.join("out").join(name)).unwrap(), b"[ALIAS]");
    }
    // Two areas of one name are one file, as with ld65.
    let both = "MEMORY { A: file = \"%O.b\", start = 0, size = 4; B: file = \"%O.b\", start = 9, size = 16; }\n\
                SEGMENTS { CODE: load = A; BANKED: load = B; }\n";
    write(folder.join("both.cfg"), both).unwrap();
    let done = in_folder(&folder, &["assemble", "main.s", "--config", "both.cfg", "-o", "out/game.bin"]);
    assert_eq!(done.code, 0, "{}", done.err);
    assert_eq!(read(folder.join("out/game.bin.b")).unwrap(), b"\x60[ALIAS]");
    // The program's own file may have a name that begins with a dot: the command line says it.
    let hidden = ["assemble", "main.s", "--config", "own.cfg", "-o", "out/.game.bin"];
    assert_eq!(in_folder(&folder, &hidden).code, 0);
    assert_eq!(read(folder.join("out/.game.bin-b")).unwrap(), b"[ALIAS]");
}

/// Each name is refused where it stands, with the option that allows it, and nothing is written.
#[test]
fn a_configuration_names_nothing_else() {
    let folder = folder("written-names", &[("main.s", SOURCE), ("out/.git/config", "old"), ("out/d/x", "")]);
    let out = folder.join("out").display().to_string();
    let before = tree(&folder);
    let names: &[(&str, &str)] = &[
        ("\"x.prg\"", "help: `--allow-write out` allows it"),
        ("\"d/x.prg\"", "help: `--allow-write out` allows it"),
        ("\"x%O\"", "help: `--allow-write out` allows it"),
        ("\"%O/x\"", "help: `--allow-write out` allows it"),
        ("\"d/%O\"", "help: `--allow-write out` allows it"),
        ("\"%O%O\"", "help: `--allow-write out` allows it"),
        ("\"../main.s\"", &format!("help: `--allow-write {}` allows it", folder.display())),
        ("\"../%O\"", &format!("help: `--allow-write {}` allows it", folder.display())),
        ("\"/x.prg\"", "help: `--allow-write /` allows it"),
        ("\"$(id)/../../a b/x\"", &format!("help: `--allow-write '{}/a b'` allows it", folder.display())),
        ("\".git/config\"", "help: it cannot be allowed: a part of it begins with a dot"),
        ("\"%O/../.git/config\"", "help: it cannot be allowed: a part of it begins with a dot"),
        ("\"d/../.gitx\"", "help: it cannot be allowed: a part of it begins with a dot"),
        ("\"\u{200c}.git/config\"", "help: it cannot be allowed: a part of it begins with a dot"),
        ("\"GIT~1/config\"", "help: it cannot be allowed: a part of it has `~` and a digit"),
        ("\"%O.~1\"", "help: it cannot be allowed: a part of it has `~` and a digit"),
        ("\"c:x\"", "help: it cannot be allowed: a part of it has `/`, `\\` or `:`"),
        ("\"%O\\..\\x\"", "help: it cannot be allowed: a part of it has `/`, `\\` or `:`"),
        ("\"%O:x\"", "help: it cannot be allowed: a part of it has `/`, `\\` or `:`"),
        ("\"a\u{1b}[2J\"", "help: it cannot be allowed: it has a control character"),
        ("\"%O\u{202e}\"", "help: it cannot be allowed: it has a control character"),
        ("\"%O\u{200b}\"", "help: it cannot be allowed: it has a character that some systems skip"),
        ("\"%O*\"", "help: it cannot be allowed: it has one of"),
    ];
    for (file, help) in names {
        let done = assemble(&folder, file, &[]);
        let message = done.err.replace(&out, "out");
        let help = help.replace(&out, "out");
        assert!(
            done.code == 2 && message.contains("error[G0139]: the configuration names"),
            "{file}: {message}"
        );
        assert!(message.contains(" own.cfg:3:18") && message.contains(&help), "{file}: {message}");
        std::fs::remove_file(folder.join("own.cfg")).unwrap();
        assert_eq!(tree(&folder), before, "{file}");
    }
    // NUL cannot be a part of any name, allowed or not.
    for options in [&[][..], &["--allow-write", "out"]] {
        let done = assemble(&folder, "\"x\0y\"", options);
        assert!(done.code != 0 && !done.err.contains("panic") && done.err.contains("error["), "{}", done.err);
    }
    // Without `-o` the name of the program's file is not known.
    let done = in_folder(&folder, &["assemble", "main.s", "--config", "own.cfg", "--emit", "bin"]);
    assert!(done.code == 2, "{}", done.err);
    write(folder.join("own.cfg"), configuration("\"%O.b\"").replace("size = 4", "size = 16")).unwrap();
    for output in [&["--emit", "bin"][..], &["--emit", "bin", "-o", "-"]] {
        let done = in_folder(&folder, &[&["assemble", "main.s", "--config", "own.cfg"], output].concat());
        assert!(done.code == 2 && done.err.contains("`-o FILE` says it"), "{}", done.err);
    }
}

#[test]
fn a_configuration_writes_below_the_folders_of_allow_write() {
    let files = [("main.s", SOURCE), ("out/d/x", ""), ("out/.git/config", "old"), ("lib/y", "")];
    let folder = folder("written-allowed", &files);
    let wrote = |file: &str, allowed: &[&str], name: &str| {
        let done = assemble(&folder, file, allowed);
        assert_eq!((done.code, &*done.err), (0, ""), "{file}");
        assert_eq!(read(folder.join(name)).unwrap(), b"[ALIAS]");
    };
    wrote("\"x.prg\"", &["--allow-write", "out"], "out/x.prg");
    wrote("\"d/%O\"", &["--allow-write", "out"], "out/d/game.bin");
    wrote("\"d/y.prg\"", &["--allow-write", "lib", "--allow-write", "out/d"], "out/d/y.prg");
    wrote("\"../lib/x%O\"", &["--allow-write", "./lib"], "lib/xgame.bin");
    let absolute = folder.join("lib/z");
    wrote(&format!("\"{}\"", absolute.display()), &["--allow-write", "lib"], "lib/z");
    // That one folder is allowed does not allow another one, nor what is hidden below it, nor the folder itself.
    for (file, allowed, message) in [
        ("\"x2.prg\"", "lib", "`--allow-write out` allows it"),
        ("\"../x2.prg\"", "out", "allows it"),
        ("\"../lib\"", "lib", "allows it"),
        ("\".git/config\"", "out", "`.git/config` is not written: a part of it begins with a dot"),
        ("\"d/../.git/config\"", "out", "a part of it begins with a dot"),
        ("\"GIT~1/config\"", "out", "a part of it has `~` and a digit"),
        ("\"d\\x\"", "out", "a part of it has `/`, `\\` or `:`"),
    ] {
        let done = assemble(&folder, file, &["--allow-write", allowed]);
        assert!(done.code == 2 && done.err.contains("error[G0139]"), "{file}: {}", done.err);
        assert!(done.err.contains(message), "{file}: {}", done.err);
    }
    assert_eq!(read(folder.join("out/.git/config")).unwrap(), b"old");
    let done = assemble(&folder, "\"x.prg\"", &["--allow-write", "none"]);
    assert!(done.code == 2 && done.err.contains("error[G0108]: `--allow-write none`"), "{}", done.err);
    // Two names of one file, also where only some systems take them for one.
    for file in ["\"d/../GAME.bin\"", "\"./Game.Bin\""] {
        let done = assemble(&folder, file, &["--allow-write", "out"]);
        assert!(done.code == 2 && done.err.contains("error[G0108]"), "{file}: {}", done.err);
    }
    let symbols = ["--allow-write", "out", "--symbols", "out/game.lbl"];
    let done = assemble(&folder, "\"game.LBL\"", &symbols);
    assert!(done.code == 2 && done.err.contains("error[G0108]"), "{}", done.err);
}

/// Neither a link to a folder nor one to a file leads out, whether or not its end exists.
#[cfg(unix)]
#[test]
fn a_configuration_does_not_follow_links_out() {
    use std::os::unix::fs::symlink;
    let files =
        [("in/main.s", SOURCE), ("in/out/.git/config", "old"), ("in/out/d/x", ""), ("outside/x", "old")];
    let outer = folder("written-links", &files);
    let folder = outer.join("in");
    for (to, at) in [
        ("../../outside", "out"),
        ("../../outside/new", "new.txt"),
        ("../../outside/x", "link.txt"),
        ("../../outside/y", "game.bin.bank"),
        ("../../outside", "game.bin.dir"),
        (".git", "hidden"),
        (".git/config", "game.bin.git"),
        (".", "self"),
        ("loop", "loop"),
    ] {
        symlink(to, folder.join("out").join(at)).unwrap();
    }
    let before = tree(&outer);
    for (file, allowed) in [
        ("\"out/new.txt\"", &["--allow-write", "out"][..]),
        ("\"new.txt\"", &["--allow-write", "out"]),
        ("\"link.txt\"", &["--allow-write", "out"]),
        ("\"hidden/config\"", &["--allow-write", "out"]),
        ("\"self\"", &["--allow-write", "out"]),
        ("\"loop/x\"", &["--allow-write", "out"]),
        ("\"%O.bank\"", &[]),
        ("\"%O.dir\"", &[]),
        ("\"%O.git\"", &[]),
    ] {
        let done = assemble(&folder, file, allowed);
        assert!(done.code == 2, "{file}: {}", done.err);
        assert!(done.err.contains("error[G0139]") || file.contains("loop"), "{file}: {}", done.err);
        std::fs::remove_file(folder.join("own.cfg")).unwrap();
        assert_eq!(tree(&outer), before, "{file}");
    }
    // A link that stays within is where the file goes, below an allowed folder alone.
    symlink("d", folder.join("out/inner")).unwrap();
    symlink("d/x", folder.join("out/game.bin.x")).unwrap();
    let done = assemble(&folder, "\"%O.x\"", &[]);
    assert!(done.code == 2 && done.err.contains("a link stands in its place"), "{}", done.err);
    assert_eq!(read(folder.join("out/d/x")).unwrap(), b"");
    for (file, name) in [("\"inner/new\"", "new"), ("\"%O.x\"", "x")] {
        let done = assemble(&folder, file, &["--allow-write", "out"]);
        assert_eq!((done.code, &*done.err), (0, ""));
        assert_eq!(read(folder.join("out/d").join(name)).unwrap(), b"[ALIAS]");
    }
}

/// Neither by its name nor by another link to it.
#[test]
fn a_configuration_replaces_no_input() {
    let source = format!("{SOURCE} .include \"b.inc\"\n");
    let folder =
        folder("written-inputs", &[("main.s", &source), ("b.inc", ""), ("out/x", ""), ("unread", "old")]);
    for (from, to) in [("main.s", "out/hard"), ("b.inc", "out/game.bin.inc"), ("unread", "out/free")] {
        std::fs::hard_link(folder.join(from), folder.join(to)).unwrap();
    }
    for file in ["\"../main.s\"", "\"../own.cfg\"", "\"../b.inc\"", "\"hard\"", "\"%O.inc\""] {
        let done = assemble(&folder, file, &["--allow-write", "."]);
        assert!(done.code == 2 && done.err.contains("error[G0131]"), "{file}: {}", done.err);
        assert_eq!(read_to_string(folder.join("main.s")).unwrap(), source);
        assert!(!folder.join("out/game.bin").exists());
    }
    // Another file of that name is not touched where it has a second one.
    assert_eq!(assemble(&folder, "\"free\"", &["--allow-write", "."]).code, 0);
    assert_eq!(read(folder.join("unread")).unwrap(), b"old");
    assert_eq!(read(folder.join("out/free")).unwrap(), b"[ALIAS]");
}

/// The bytes of a file are what the configuration says, as those of ld65 are; so is the name, under the permission.
#[test]
fn a_configuration_says_what_is_written() {
    let source = ".org $07FF\n.byte 1, 8\n lda #5\n rts\n";
    let area = |file: &str| {
        format!(
            "MEMORY {{ CODE: start = $07FF, size = $8000, type = ro{file}; }}\nSEGMENTS {{ CODE: load = CODE, type = ro; }}\n"
        )
    };
    let named = area(", file = \"tennis.prg\"");
    let folder =
        folder("written-bytes", &[("a.s", source), ("n.cfg", &named), ("o.cfg", &area(", file = %O"))]);
    let expected = [1, 8, 0xa9, 5, 0x60];
    let allowed = ["assemble", "--gpu", "vera", "a.s", "--config", "n.cfg", "--allow-write", "."];
    let done = in_folder(&folder, &allowed);
    assert_eq!((done.code, &*done.out, &*done.err), (0, "", ""));
    assert_eq!(read(folder.join("tennis.prg")).unwrap(), expected);
    // A file of `-o` that is none of the configuration's is not written, which is not silent.
    let done = in_folder(&folder, &[&allowed[..], &["-o", "o.prg"]].concat());
    assert!(done.code == 0 && done.err.contains("warning[G0139]: `o.prg` is not written"), "{}", done.err);
    assert!(!folder.join("o.prg").exists());
    let done = in_folder(&folder, &["assemble", "a.s", "--config", "n.cfg"]);
    assert!(done.code == 2 && done.err.contains("`--allow-write .` allows it"), "{}", done.err);
    // The name that `-o` says needs no permission.
    std::fs::remove_file(folder.join("tennis.prg")).unwrap();
    let done = in_folder(&folder, &["assemble", "a.s", "--config", "n.cfg", "-o", "./tennis.prg"]);
    assert_eq!((done.code, &*done.err), (0, ""));
    assert_eq!(read(folder.join("tennis.prg")).unwrap(), expected);
    for output in ["o.prg", "o.bin", "o.any"] {
        let args = ["assemble", "a.s", "--config", "o.cfg", "--emit", "prg", "-o", output];
        let args = if output.ends_with("any") { &args[..] } else { &[&args[..4], &args[6..]].concat() };
        let done = in_folder(&folder, args);
        assert_eq!((done.code, &*done.err), (0, ""));
        assert_eq!(read(folder.join(output)).unwrap(), expected, "{output}");
    }
    // It is a program with its load address in front, and runs.
    for config in ["n.cfg", "o.cfg"] {
        let done = in_folder(&folder, &["run", "a.s", "--config", config]);
        assert!(done.code == 0, "{}", done.err);
    }
}

/// No text but the command line gives a permission.
#[test]
fn permissions_are_given_on_the_command_line_only() {
    let folder = folder("written-permission", &[("a.s", " rts\n")]);
    for option in ["allow-write", "allow_write", "output"] {
        write(folder.join("p.toml"), format!("sources = \"a.s\"\n{option} = \"out\"\n")).unwrap();
        let done = in_folder(&folder, &["assemble", "p.toml", "-o", "a.prg"]);
        assert!(done.code == 2 && done.err.contains("error[G0136]"), "{option}: {}", done.err);
        assert!(done.err.contains(&format!("`{option}` does not belong to a project")), "{}", done.err);
    }
}

/// The files that a run reads, as a saved session of the debugger lists them.
#[test]
fn a_configuration_reads_nothing() {
    let folder = folder("written-reads", &[("main.s", SOURCE), ("secret", "x")]);
    let text = configuration("\"secret\"").replace("size = 4", "size = 16")
        + "FILES { \"secret\": format = bin; %O: format = bin; }\nSYMBOLS { secret: type = weak, value = 1; }\n";
    write(folder.join("own.cfg"), text).unwrap();
    write(folder.join("script"), "save saved\n").unwrap();
    let done = in_folder(&folder, &["debug", "main.s", "--config", "own.cfg", "--script", "script"]);
    assert_eq!(done.code, 0, "{}", done.err);
    let saved: serde_json::Value = serde_json::from_slice(&read(folder.join("saved")).unwrap()).unwrap();
    let files = saved["files"].to_string();
    assert!(files.contains("main.s") && files.contains("own.cfg") && !files.contains("secret"), "{files}");
}

#[test]
fn the_command_line_reads_and_writes_anywhere() {
    let outer = folder(
        "written-user",
        &[("src/a.s", " .include \"b.inc\"\n rts\n"), (".lib/b.inc", ""), ("in/x", "")],
    );
    let out = outer.join(".out.prg");
    let args =
        ["assemble", "../src/a.s", "-I", "../.lib", "-o", crate::common::text(&out), "--symbols", "../.s"];
    let done = in_folder(&outer.join("in"), &args);
    assert_eq!((done.code, &*done.err), (0, ""));
    assert!(out.is_file() && outer.join(".s").is_file());
}

/// A scene has no setting for it, and a source no directive.
#[test]
fn scenes_and_sources_write_nothing() {
    let scene = "gpu = \"dreambox\"\nsize = [8, 8]\n[program.p]\nsource = \"ld r0 0 st pos r0\"\n[mesh.m]\nposition = [[0, 0, 0], [1, 0, 0], [0, 1, 0]]\n[[draw]]\nprogram = \"p\"\nmesh = \"m\"\n";
    let source = " .out \"new.txt\"\n .fopt compiler, \"new.txt\"\n .dbg file, \"new.txt\", 1, 1\n rts\n";
    let folder = folder("written-texts", &[("a.s", source), ("x", "")]);
    for setting in ["output", "file", "save", "-o", "picture", "write"] {
        write(folder.join("s.toml"), format!("\"{setting}\" = \"new.png\"\n{scene}")).unwrap();
        let before = tree(&folder);
        let done = in_folder(&folder, &["render", "s.toml", "-o", "-"]);
        assert!(done.code == 1 && done.err.contains("error[R0101]"), "{setting}: {}", done.err);
        assert_eq!(tree(&folder), before, "{setting}");
    }
    let before = tree(&folder);
    let done = in_folder(&folder, &["assemble", "a.s", "--emit", "listing"]);
    assert!(done.code == 0 && done.out.contains(".out"), "{}", done.err);
    assert_eq!(in_folder(&folder, &["run", "a.s"]).code, 0);
    assert_eq!(tree(&folder), before);
}
