//! Projects to begin with.

use super::common::{command, done, gpuzoo, scratch, text};

/// Every command of the page works as it is written, in every machine's project.
#[test]
fn projects_do_what_their_pages_say() {
    for gpu in ["dreambox", "nv2a", "picogpu", "servaru", "vera"] {
        let folder = scratch(&format!("new-{gpu}")).join("first");
        let made = gpuzoo(&["new", "--gpu", gpu, text(&folder)]);
        assert_eq!((made.code, made.err.as_str()), (0, ""));
        let mut verbs = Vec::new();
        let page = std::fs::read_to_string(folder.join("README.md")).unwrap();
        for line in page.lines().filter_map(|line| line.strip_prefix("    gpuzoo ")) {
            let args: Vec<&str> = line.split(' ').collect();
            let done = done(&command(&args).current_dir(&folder).output().unwrap());
            assert_eq!(done.code, 0, "{gpu}: {line}: {}", done.err);
            assert!(!done.err.contains("warning["), "{gpu}: {line}: {}", done.err);
            verbs.push(args[0].to_owned());
        }
        for verb in ["check", "run", "render", "trace"] {
            assert!(verbs.iter().any(|known| known == verb), "{gpu}: {verb}");
        }
        assert!(std::fs::metadata(folder.join("picture.png")).unwrap().len() > 1000, "{gpu}");
        // Each file that is made is one of those listed, and begins by saying what it is.
        for file in made.out.lines().filter(|file| !file.ends_with(".md")) {
            let content = std::fs::read_to_string(file).unwrap();
            assert!(content.starts_with(['#', '/', ';']), "{file}");
        }
    }
}

#[test]
fn nothing_is_replaced() {
    let folder = scratch("new-twice");
    std::fs::write(folder.join("scene.toml"), "mine").unwrap();
    let done = gpuzoo(&["new", text(&folder)]);
    assert_eq!((done.code, done.err.contains("error[G0130]")), (2, true), "{}", done.err);
    assert_eq!(std::fs::read_dir(&folder).unwrap().count(), 1);
    // Without a machine it says which there are.
    let done = gpuzoo(&["new", text(&folder.join("own"))]);
    assert_eq!(
        (done.code, done.err.starts_with("for dreambox; others: --gpu nv2a")),
        (0, true),
        "{}",
        done.err
    );
}

/// A file where a folder is to be made stays, whether it is the last part of the path or not.
#[test]
fn a_file_on_the_way_stays() {
    let folder = scratch("new-file");
    let file = folder.join("notes.txt");
    std::fs::write(&file, "mine").unwrap();
    for place in [file.clone(), file.join("first"), file.join("deep/first")] {
        let done = gpuzoo(&["new", "--gpu", "nv2a", text(&place)]);
        assert!(done.code == 2 && done.err.contains("error[G0105]"), "{}", done.err);
        assert_eq!(std::fs::read(&file).unwrap(), b"mine");
    }
    assert_eq!(gpuzoo(&["new", "--gpu", "nv2a", text(&folder.join("deep/first"))]).code, 0);
    assert!(folder.join("deep/first/README.md").is_file());
}
