//! A mutant, and the verdict of the tests.

/// A change to the code.
#[derive(Clone, Debug)]
pub struct Mutant {
    /// `FILE:LINE:COLUMN: CHANGE`, as cargo-mutants names it.
    pub name: String,
    /// Its file's path from the root.
    pub file: String,
    /// Its first line, from 1.
    pub line: usize,
    /// Change, and the function that has it.
    pub change: String,
    /// The text of the line.
    pub code: String,
    /// A number for the code of its file, without the tests at the end.
    pub state: u64,
    /// Its number, from 0, among all of its package.
    pub place: (usize, usize),
}

/// Outcome of a mutant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// A test failed, or did not end.
    Killed,
    /// All tests passed.
    Survived,
    /// It does not compile.
    Unviable,
}

impl Verdict {
    /// All of them.
    pub const ALL: [Verdict; 3] = [Verdict::Killed, Verdict::Survived, Verdict::Unviable];

    /// The word that stands for it in the file of verdicts.
    pub fn name(self) -> &'static str {
        match self {
            Verdict::Killed => "killed",
            Verdict::Survived => "survived",
            Verdict::Unviable => "unviable",
        }
    }
}

/// A number for a text: FNV-1a, mixed so that near texts lie far from each other.
pub fn hash(text: &str) -> u64 {
    let step = |hash: u64, byte: u8| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
    let hash = text.bytes().fold(0xcbf2_9ce4_8422_2325, step);
    let hash = (hash ^ hash >> 32).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    hash ^ hash >> 29
}
