//! Programs of several sources: `--link`, `--stub`, `--config`, and project files.

use crate::common::{Done, gpuzoo, scratch, text};
use std::path::{Path, PathBuf};

const MAIN: &str = "        .import wait
        .export pause = 3
start:  ldx #pause
        jsr wait
        rts
";
const WAIT: &str = "        .export wait
wait:   dex
        bne wait
        rts
";
/// `ldx #3`, `jsr $0807`, `rts`; `dex`, `bne $0807`, `rts`.
const BYTES: [u8; 12] = [1, 8, 0xa2, 3, 0x20, 6 + 1, 8, 0x60, 0xca, 0xd0, 0xfd, 0x60];
const CONFIG: &str = "MEMORY {
    MAIN: file = %O, start = $1000, size = $100;
    BANK: file = \"%O.bank\", start = $A000, size = 4, fill = yes;
}
SEGMENTS {
    CODE: load = MAIN;
    BANKED: load = BANK, optional = yes;
}
";

fn folder(name: &str, files: &[(&str, &str)]) -> PathBuf {
    let folder = scratch(name);
    for (name, text) in files {
        let path = folder.join(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text).unwrap();
    }
    folder
}

fn in_folder(folder: &Path, args: &[&str]) -> Done {
    let output = crate::common::command(args).current_dir(folder).output().unwrap();
    crate::common::done(&output)
}

fn ok(done: &Done) {
    assert_eq!((done.code, done.err.as_str()), (0, ""), "{}", done.out);
}

#[test]
fn sources_are_linked_by_all_verbs() {
    let folder = folder("link", &[("main.s", MAIN), ("wait.s", WAIT)]);
    for args in [&["assemble", "main.s", "wait.s"][..], &["assemble", "main.s", "--link", "wait.s"]] {
        ok(&in_folder(&folder, &[args, &["-o", "a.prg"]].concat()));
        assert_eq!(std::fs::read(folder.join("a.prg")).unwrap(), BYTES);
    }
    for args in [
        &["check", "main.s", "--run"][..],
        &["run", "main.s"],
        &["trace", "main.s", "--steps", "4"],
        &["record", "main.s", "-o", "a.trace"],
    ] {
        ok(&in_folder(&folder, &[args, &["--link", "wait.s"]].concat()));
    }
    let done = in_folder(&folder, &["debug", "main.s", "--link", "wait.s", "--script", "-"]);
    assert_eq!(done.code, 0, "{}", done.err);
}

#[test]
fn what_cannot_be_linked_is_said_where_it_stands() {
    let second = "        .export wait\nwait:   nop\n";
    let files = [
        ("main.s", MAIN),
        ("wait.s", WAIT),
        ("again.s", second),
        ("round.s", " .include \"round.s\"\n"),
        ("far.s", " .segment \"BANKRAM01\"\n nop\n"),
        ("code.prg", "12"),
    ];
    let folder = folder("link-errors", &files);
    let errors = |args: &[&str]| {
        let done = in_folder(&folder, &[&["check", "--message-format", "short"], args].concat());
        assert_eq!(done.code, 1, "{}", done.err);
        done.err.lines().find(|line| line.contains("error")).unwrap_or_default().to_owned()
    };
    // A name that nobody exports, and one that two do.
    assert_eq!(errors(&["main.s"]), "main.s:1:17: error[V0204]: `wait` is not defined");
    assert_eq!(
        errors(&["main.s", "--link", "wait.s", "--link", "again.s"]),
        "again.s:1:17: error[V0205]: `wait` is exported already"
    );
    // A segment for which there is no memory, with a configuration and without.
    assert_eq!(errors(&["far.s"]), "far.s:1:11: error[V0220]: the segment `BANKRAM01` cannot be made");
    std::fs::write(folder.join("own.cfg"), CONFIG).unwrap();
    let message = errors(&["far.s", "--config", "own.cfg"]);
    assert_eq!(message, "far.s:1:11: error[V0220]: the configuration has no segment BANKRAM01");
    // A file that includes itself, and one that is not there.
    assert!(errors(&["main.s", "--link", "wait.s", "--link", "round.s"]).contains("error[V0214]"));
    let done = in_folder(&folder, &["check", "main.s", "--link", "wat.s"]);
    assert!(
        done.code == 2 && done.err.contains("wat.s") && done.err.contains("did you mean `wait.s`?"),
        "{}",
        done.err
    );
    let done = in_folder(&folder, &["check", "main.s", "--link", "wait.s", "--config", "no.cfg"]);
    assert_eq!(done.code, 2, "{}", done.err);
    // Texts only have these.
    for (option, value) in
        [("--link", "wait.s"), ("--stub", "yes"), ("--config", "own.cfg"), ("--define", "A")]
    {
        let done = in_folder(&folder, &["run", "code.prg", option, value]);
        assert!(done.code == 2 && done.err.contains("is for assembly texts"), "{}", done.err);
    }
    let done = in_folder(&folder, &["check", "main.s", "--define", "5=6"]);
    assert!(done.err.contains("G0108") && done.err.contains("NAME=VALUE"), "{}", done.err);
}

#[test]
fn the_basic_line_is_there_or_not() {
    let folder = folder("stub", &[("plain.s", " rts\n"), ("whole.s", " .segment \"ONCE\"\n .code\n rts\n")]);
    let length = |args: &[&str]| {
        ok(&in_folder(&folder, &[&["assemble"], args, &["-o", "a.prg"]].concat()));
        std::fs::read(folder.join("a.prg")).unwrap().len()
    };
    assert_eq!((length(&["plain.s"]), length(&["whole.s"])), (3, 15));
    assert_eq!((length(&["plain.s", "--stub", "yes"]), length(&["whole.s", "--stub", "no"])), (15, 3));
    let done = in_folder(&folder, &["assemble", "plain.s", "--stub", "maybe"]);
    assert!(done.code == 2 && done.err.contains("choices are `yes` and `no`"), "{}", done.err);
}

#[test]
fn configurations_write_all_their_files() {
    let main = " .code\n rts\n .segment \"BANKED\"\n nop\n";
    let evil = CONFIG.replace("%O.bank", "../evil");
    let folder = folder("config", &[("main.s", main), ("own.cfg", CONFIG), ("evil.cfg", &evil)]);
    ok(&in_folder(&folder, &["assemble", "main.s", "--config", "own.cfg", "-o", "game.bin"]));
    assert_eq!(std::fs::read(folder.join("game.bin")).unwrap(), [0x60]);
    assert_eq!(std::fs::read(folder.join("game.bin.bank")).unwrap(), [0xea, 0, 0, 0]);
    // Nothing goes elsewhere, and nothing is lost.
    let done = in_folder(&folder, &["assemble", "main.s", "--config", "evil.cfg", "-o", "evil.bin"]);
    assert!(done.code == 2 && !folder.join("evil.bin").exists(), "{}", done.err);
    let done = in_folder(&folder, &["assemble", "main.s", "--config", "own.cfg", "--emit", "bin"]);
    assert!(done.code == 2 && done.err.contains("`-o FILE` says it"), "{}", done.err);
    let done =
        in_folder(&folder, &["check", "main.s", "--config", "own.cfg", "--define", "A=$10", "--define", "B"]);
    assert_eq!(done.code, 0, "{}", done.err);
}

#[test]
fn a_project_is_a_program_to_all_verbs() {
    let project =
        "sources = [\"src/main.s\", \"src/wait.s\"]\ndefine = [\"SPEED=3\"]\nstub = \"yes\"\nframes = 5\n";
    let main = MAIN.replace("= 3", "= SPEED").replace("rts", ".include \"lib/end.inc\"");
    let files =
        [("gpuzoo.toml", project), ("src/main.s", &main), ("src/wait.s", WAIT), ("lib/end.inc", " rts\n")];
    let folder = folder("project", &files);
    let path = folder.join("gpuzoo.toml");
    // From its own folder, and from elsewhere.
    ok(&in_folder(&folder, &["assemble", "gpuzoo.toml", "-o", "a.prg"]));
    ok(&gpuzoo(&["assemble", text(&path), "-o", text(&folder.join("b.prg"))]));
    let made = std::fs::read(folder.join("a.prg")).unwrap();
    assert_eq!((made.len(), made[14..16].to_vec()), (BYTES.len() + 12, vec![0xa2, 3]));
    assert_eq!(std::fs::read(folder.join("b.prg")).unwrap(), made);
    // What the command line says counts more.
    ok(&in_folder(&folder, &["assemble", "gpuzoo.toml", "--stub", "no", "-o", "c.prg"]));
    assert_eq!(std::fs::read(folder.join("c.prg")).unwrap().len(), BYTES.len());
    for args in [
        &["check", "gpuzoo.toml", "--run"][..],
        &["run", "gpuzoo.toml"],
        &["trace", "gpuzoo.toml", "--steps", "4"],
        &["record", "gpuzoo.toml", "-o", "a.trace"],
        &["disassemble", "gpuzoo.toml"],
    ] {
        ok(&in_folder(&folder, args));
    }
    assert_eq!(in_folder(&folder, &["debug", "gpuzoo.toml", "--script", "-"]).code, 0);
    let done = in_folder(&folder, &["render", "gpuzoo.toml", "-o", "a.png"]);
    assert!(done.code == 0 && folder.join("a.png").exists(), "{}", done.err);
    // A folder's project is checked by itself, and its sources not alone.
    let done = in_folder(&folder, &["check", "src"]);
    assert_eq!(done.code, 1, "without its project the source's import is not known: {}", done.err);
}

#[test]
fn a_wrong_project_says_what_is_wrong() {
    let folder = folder("project-errors", &[("a.s", " rts\n"), ("p.toml", "")]);
    let wrong = |text: &str, args: &[&str]| {
        std::fs::write(folder.join("p.toml"), text).unwrap();
        let done = in_folder(&folder, &[&["check", "--message-format", "short", "p.toml"], args].concat());
        assert!(done.code != 0, "{}", done.err);
        done.err
    };
    let message = wrong("sources = \"a.s\"\nstup = \"yes\"\n", &[]);
    assert!(message.contains("p.toml:2:1: error[G0136]: `stup` does not belong to a project"), "{message}");
    assert!(wrong("sources = [\"b.s\"]\n", &[]).contains("b.s"));
    assert!(wrong("sources = [\"a.s\", \"c.s\"]\n", &[]).contains("c.s"));
    assert!(wrong("sources = \"a.s\"\n", &["--gpu", "nv2a"]).contains("is not the machine of"));
    assert!(wrong("sources = \"a.s\"\nconfig = \"none.cfg\"\n", &[]).contains("none.cfg"));
}

/// A project may come from a stranger: neither its sources nor its options lead out of its folder.
#[test]
fn a_project_stays_in_its_folder() {
    let secret = "secret: .byte \"secret\"\n rts\n";
    let files = [("own/a.s", " .include \"b.s\"\n"), ("own/lib/b.s", " rts\n"), ("other/b.s", secret)];
    let outer = folder("project-within", &files);
    let own = outer.join("own");
    let check = |text: &str, args: &[&str]| {
        std::fs::write(own.join("p.toml"), text).unwrap();
        in_folder(&own, &[&["check", "--message-format", "short", "p.toml"], args].concat())
    };
    assert_eq!(check("sources = \"a.s\"\ninclude = \"lib\"\n", &[]).code, 0);
    let other = outer.join("other");
    let other = other.to_str().unwrap();
    for text in [
        "sources = [\"../other/b.s\"]\n".to_owned(),
        format!("sources = [\"{other}/b.s\"]\n"),
        "sources = \"a.s\"\ninclude = [\"lib\", \"../other\"]\n".to_owned(),
        "sources = \"a.s\"\ninclude = \"/\"\n".to_owned(),
        "sources = \"a.s\"\ninclude = \"lib\"\nfiles = \"..\"\n".to_owned(),
        "sources = \"a.s\"\ninclude = \"lib\"\nrom = \"/etc/passwd\"\n".to_owned(),
        "sources = \"a.s\"\ninclude = \"lib\"\nsdcard = \"../other\"\n".to_owned(),
    ] {
        let done = check(&text, &[]);
        assert!(done.code != 0 && done.err.contains("error[G0136]"), "{text}{}", done.err);
        assert!(done.err.contains("outside") && !done.err.contains("secret"), "{text}{}", done.err);
    }
    let allowed = check("sources = [\"../other/b.s\"]\n", &["--allow-read", other]);
    assert_eq!(allowed.code, 0, "{}", allowed.err);
    #[cfg(unix)]
    {
        std::os::unix::fs::symlink(other, own.join("link")).unwrap();
        let done = check("sources = \"link/b.s\"\n", &[]);
        assert!(done.err.contains("outside"), "{}", done.err);
    }
}
