//! Programs at run time, and the projects and states that start them, write below the folder of `--files` alone.

use crate::disk::MACROS;
use crate::written::{folder, in_folder, tree};
use std::fs::{read, write};

/// A program that saves and removes what the lines say.
fn program(lines: &str) -> String {
    format!("{MACROS}{lines}  rts\n")
}

#[test]
fn a_project_s_program_saves_below_the_project_s_folder() {
    let text = program("  save \"@:new\"\n");
    let files = [("mk.s", text.as_str()), ("disk/sub/x", ""), (".git/config", "old"), ("file", "")];
    let folder = folder("written-project", &files);
    let run = |files: &str| {
        write(folder.join("game.toml"), format!("sources = [\"mk.s\"]\nfiles = \"{files}\"\n")).unwrap();
        in_folder(&folder, &["run", "game.toml"])
    };
    let absolute = folder.join("disk").display().to_string();
    let before = tree(&folder);
    for files in [
        ".",
        "./",
        "disk/..",
        "disk/../",
        "disk/sub/../..",
        "..",
        "../disk",
        ".git",
        "disk/.x",
        "/",
        &absolute,
    ] {
        let done = run(files);
        assert!(
            done.code == 2 && done.err.contains("error[G0136]: `files` cannot be"),
            "{files}: {}",
            done.err
        );
        assert!(done.err.contains(" game.toml:2:9") && done.err.contains("`--files FOLDER`"), "{}", done.err);
        std::fs::remove_file(folder.join("game.toml")).unwrap();
        assert_eq!(tree(&folder), before, "{files}");
    }
    #[cfg(unix)]
    {
        use std::os::unix::fs::symlink;
        std::fs::create_dir(folder.join("outer")).unwrap();
        for (to, at) in [(".", "here"), ("..", "above"), (".git", "hidden"), ("disk/..", "back")] {
            symlink(to, folder.join(at)).unwrap();
            let done = run(at);
            assert!(done.code == 2 && done.err.contains("error[G0136]"), "{at}: {}", done.err);
            std::fs::remove_file(folder.join(at)).unwrap();
        }
    }
    for files in ["disk", "./disk/", "disk/sub"] {
        let done = run(files);
        assert!(
            done.code == 0 && done.out.contains("wrote NEW, 5 bytes"),
            "{files}: {}{}",
            done.out,
            done.err
        );
        assert!(folder.join(files).join("NEW").is_file());
    }
    assert!(run("none").err.contains("there is no such folder"));
    assert_eq!(run("file").code, 2);
    // The command line is the user's word.
    write(folder.join("game.toml"), "sources = [\"mk.s\"]\nfiles = \"disk\"\n").unwrap();
    assert_eq!(in_folder(&folder, &["run", "game.toml", "--files", "."]).code, 0);
    assert!(folder.join("NEW").is_file());
}

/// Not its source, not its project file, nothing that it includes, under no name; and no other change of the run is
/// kept then.
#[test]
fn a_program_changes_no_input() {
    let text = |lines: &str| program(&format!("  save \"@:fresh\"\n{lines}  .include \"b.inc\"\n"));
    let folder =
        folder("written-by-program", &[("mk.s", ""), ("b.inc", "\n"), ("d/game.toml", ""), ("keep", "old")]);
    std::fs::hard_link(folder.join("mk.s"), folder.join("hard")).unwrap();
    write(folder.join("names.lbl"), "al 000801 .start\n").unwrap();
    write(folder.join("keys.txt"), "").unwrap();
    for lines in [
        "  save \"@:mk.s\"\n",
        "  save \"@:b.inc\"\n",
        "  save \"@:hard\"\n",
        "  command \"s:mk.s\"\n",
        "  command \"r:other=mk.s\"\n",
        "  command \"s:mk.s\"\n  command \"md:mk.s\"\n",
        "  command \"s:b.inc\"\n  save \"b.inc\"\n",
    ] {
        let text = text(lines);
        // The same file, so that the hard link stays.
        write(folder.join("mk.s"), &text).unwrap();
        let before = tree(&folder);
        for verb in [&["run"][..], &["record", "-o", "a.trace"], &["render", "-o", "a.png"]] {
            let done = in_folder(&folder, &[verb, &["mk.s", "--files", "."]].concat());
            assert!(
                done.code == 2 && done.err.contains("error[G0131]: the program would change"),
                "{lines}{}",
                done.err
            );
            assert_eq!(tree(&folder), before, "{lines}");
        }
    }
    // Its project file, and a file of an option; what it has read itself it may replace.
    write(folder.join("mk.s"), program("  save \"@:game.toml\"\n")).unwrap();
    write(folder.join("game.toml"), "sources = [\"mk.s\"]\n").unwrap();
    let done = in_folder(&folder, &["run", "game.toml", "--files", "."]);
    assert!(done.code == 2 && done.err.contains("error[G0131]"), "{}", done.err);
    write(
        folder.join("mk.s"),
        program(
            "  file \"keys.txt\", 2\n  lda #0\n  ldx #0\n  ldy #$20\n  jsr $ffd5\n  save \"@:keys.txt\"\n",
        ),
    )
    .unwrap();
    let done = in_folder(&folder, &["run", "mk.s", "--files", ".", "--input", "keys.txt"]);
    assert!(done.code == 2 && done.err.contains("error[G0131]"), "{}", done.err);
    let done = in_folder(&folder, &["run", "mk.s", "--files", "."]);
    assert!(done.code == 0 && done.out.contains("wrote keys.txt, 5 bytes"), "{}{}", done.out, done.err);
    // Neither does an output replace what only the program has read.
    let done = in_folder(&folder, &["run", "mk.s", "--files", ".", "--vram", "keys.txt"]);
    assert!(done.code == 2 && done.err.contains("error[G01"), "{}", done.err);
    // A program in its own folder, as one is saved by its name.
    write(folder.join("d/a.s"), " rts\n").unwrap();
    assert_eq!(in_folder(&folder, &["assemble", "d/a.s", "-o", "d/A.PRG"]).code, 0);
}

/// Whatever is there, and in whatever case the program writes it.
#[test]
fn a_program_changes_nothing_hidden() {
    let hooks = ".git/hooks/pre-commit";
    for (name, lines) in [
        ("new", "  save \"@:.new\"\n"),
        ("config", "  save \"@:.git/config\"\n"),
        ("folder", "  command \"cd:.git\"\n  save \"@:config\"\n"),
        ("made", "  command \"md:.hidden\"\n"),
        ("removed", "  command \"s:.git/config\"\n"),
        ("renamed", "  command \"r:.git/other=.git/config\"\n"),
        ("deep", "  command \"cd:.git\"\n  command \"cd:hooks\"\n  save \"@:pre-commit\"\n"),
    ] {
        let files = [(".git/config", "old"), (hooks, "old"), ("x", "")];
        let disk = folder(&format!("written-hidden-{name}"), &files);
        let text = disk.with_extension("s");
        write(&text, program(lines)).unwrap();
        let before = tree(&disk);
        let done = in_folder(&disk, &["run", crate::common::text(&text), "--files", "."]);
        assert!(done.code == 2 && done.err.contains("error[G0139]"), "{name}: {}{}", done.out, done.err);
        assert_eq!(tree(&disk), before, "{name}");
    }
}

/// Neither files nor folders beyond a link, whether they exist or not.
#[cfg(unix)]
#[test]
fn a_program_changes_nothing_beyond_a_link() {
    use std::os::unix::fs::symlink;
    for (name, to, at, lines) in [
        ("file", "../outside/new", "LINK", "  save \"@:link\"\n"),
        ("hidden", ".git", "LINK", "  save \"@:link/config\"\n"),
        ("removed", ".git/config", "LINK", "  command \"s:link\"\n"),
        ("made", "../outside/made", "LINK", "  command \"md:link\"\n"),
    ] {
        let files = [("disk/.git/config", "old"), ("outside/x", "old")];
        let outer = folder(&format!("written-beyond-{name}"), &files);
        symlink(to, outer.join("disk").join(at)).unwrap();
        write(outer.join("a.s"), program(lines)).unwrap();
        let before = tree(&outer);
        let done = in_folder(&outer, &["run", "a.s", "--files", "disk"]);
        assert!(done.code == 2 && done.err.contains("error[G01"), "{name}: {}{}", done.out, done.err);
        assert_eq!(tree(&outer), before, "{name}");
    }
}

/// A folder that holds what the program does not see is not removed, nor anything in it; a link in a folder leads to nothing that is.
#[cfg(unix)]
#[test]
fn a_program_removes_no_folder_that_it_sees_a_part_of() {
    use std::os::unix::ffi::OsStrExt;
    use std::os::unix::fs::symlink;
    for kind in ["outside", "inside", "name"] {
        let files = [("disk/SUB/A", "old"), ("disk/OTHER/B", "old"), ("outside/x", "old")];
        let outer = folder(&format!("written-rest-{kind}"), &files);
        let sub = outer.join("disk/SUB");
        match kind {
            "outside" => symlink("../../outside", sub.join("L")).unwrap(),
            "inside" => symlink("../OTHER", sub.join("L")).unwrap(),
            _ => write(sub.join(std::ffi::OsStr::from_bytes(b"\xff")), "old").unwrap(),
        }
        write(outer.join("a.s"), program("  command \"r:new=sub\"\n")).unwrap();
        let before = tree(&outer);
        let done = in_folder(&outer, &["run", "a.s", "--files", "disk"]);
        assert!(done.code == 2 && done.err.contains("error[G0139]"), "{kind}: {}{}", done.out, done.err);
        assert_eq!(tree(&outer), before, "{kind}");
    }
}

/// A card's files are inputs, and so is what a program of a state would write.
#[test]
fn a_card_s_files_are_inputs() {
    let folder = folder("written-card", &[("d/DATA", "old"), ("a.s", &program("  save \"@:data\"\n"))]);
    let done = in_folder(&folder, &["run", "a.s", "--files", "d", "--sdcard", "d"]);
    assert!(done.code == 2, "{}{}", done.out, done.err);
    assert_eq!(read(folder.join("d/DATA")).unwrap(), b"old");
}

/// An output of the command line and a file of the program are two.
#[test]
fn an_output_is_not_the_program_s_file() {
    let folder = folder("written-twice", &[("d/x", ""), ("a.s", &program("  save \"@:out\"\n"))]);
    for output in ["d/OUT", "d/out"] {
        let done = in_folder(&folder, &["run", "a.s", "--files", "d", "--save-state", output]);
        assert!(done.code == 2 && done.err.contains("error[G0108]"), "{}", done.err);
        assert!(!folder.join("d/OUT").exists() && !folder.join("d/out").exists());
    }
}

/// A state has what its program wrote, which is looked at where it goes on.
#[test]
fn a_state_writes_as_its_program_does() {
    let text = |name: &str| program(&format!("  save \"@:{name}\"\nagain: jsr $ffe4\n  beq again\n"));
    for (name, code) in [("new", 0), (".hidden", 2), ("a.s", 2)] {
        let folder = folder(&format!("written-state{name}"), &[("d/x", ""), ("d/a.s", &text(name))]);
        // The run stops while the program waits; `check` keeps nothing of what it wrote.
        let saved = ["check", "--run", "a.s", "--files", ".", "--frames", "2", "--save-state", "../state"];
        in_folder(&folder.join("d"), &saved);
        assert!(folder.join("state").is_file(), "{name}");
        let before = tree(&folder.join("d"));
        let args = ["run", "a.s", "--files", ".", "--load-state", "../state", "--keys", "x"];
        let done = in_folder(&folder.join("d"), &args);
        assert_eq!(done.code, code, "{name}: {}{}", done.out, done.err);
        assert!(code == 0 || tree(&folder.join("d")) == before, "{name}");
        assert!(code == 2 || folder.join("d/NEW").is_file());
    }
}
