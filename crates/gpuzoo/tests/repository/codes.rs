//! Every diagnostic code is shown by a golden file, or by a test that a list names.

use gpuzoo_golden::codes::{Shown, shown};
use std::collections::BTreeSet;
use std::path::Path;

/// The codes that the tests of all crates show.
fn all() -> BTreeSet<String> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let mut all = BTreeSet::new();
    for kind in ["crates", "gpus", "apps"] {
        for entry in std::fs::read_dir(root.join(kind)).unwrap() {
            let folder = entry.unwrap().path();
            let shown = shown(&folder).unwrap_or_else(|problem| panic!("{}: {problem}", folder.display()));
            let shown = shown.into_iter().filter(|(_, how)| matches!(how, Shown::File | Shown::Test));
            all.extend(shown.map(|(code, _)| code));
        }
    }
    all
}

#[test]
fn every_code_is_shown_and_what_is_shown_is_a_code() {
    let (shown, codes) =
        (all(), gpuzoo::Registry::default().codes().into_iter().map(|code| code.id.to_owned()).collect());
    assert_eq!(BTreeSet::difference(&codes, &shown).collect::<Vec<_>>(), [""; 0], "shown by nothing");
    assert_eq!(BTreeSet::difference(&shown, &codes).collect::<Vec<_>>(), [""; 0], "no such codes");
    assert!(codes.len() > 270);
}
