//! Which register a semantic is, by the numbers of the Xbox: its texture coordinates are v9 to v12, where other machines of the
//! family have v8 to v15, since the back's colours are v7 and v8. (vp20compiler of nxdk turns the one's names into the other's.)

/// What a vertex program gives.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Output {
    /// The position.
    Position,
    /// The size of points.
    PointSize,
    /// Location 0 and 1: colours; 2 to 5: texture coordinates 0 to 3; 6: fog; 7 and 8: colours of the back; 9 to 12: texture
    /// coordinates 4 to 7, which the Xbox does not have.
    Location(u32),
}

/// A semantic's word in capitals, and the number behind it.
pub fn parts(semantic: &str) -> (String, Option<u32>) {
    let stem = semantic.trim_end_matches(|letter: char| letter.is_ascii_digit());
    let number = semantic.get(stem.len()..).unwrap_or("");
    (stem.to_ascii_uppercase(), number.parse().ok())
}

/// The location of an input.
pub fn input(stem: &str, number: u32) -> Option<u32> {
    match (stem, number) {
        ("POSITION", 0) => Some(0),
        ("BLENDWEIGHT" | "BLENDWEIGHTS", 0) => Some(1),
        ("NORMAL", 0) => Some(2),
        ("COLOR" | "COL", 0..=1) => Some(3 + number),
        ("DIFFUSE", 0) => Some(3),
        ("SPECULAR", 0) => Some(4),
        ("FOGCOORD" | "FOG" | "TESSFACTOR", 0) => Some(5),
        ("PSIZE", 0) => Some(6),
        ("BLENDINDICES", 0) => Some(7),
        ("BCOL", 0..=1) => Some(7 + number),
        ("TEXCOORD" | "TEX", 0..=6) => Some(9 + number),
        ("TANGENT", 0) => Some(14),
        ("BINORMAL", 0) => Some(15),
        ("ATTR", 0..=15) => Some(number),
        _ => None,
    }
}

/// What an output is.
pub fn output(stem: &str, number: u32) -> Option<Output> {
    match (stem, number) {
        ("POSITION" | "HPOS", 0) => Some(Output::Position),
        ("PSIZE" | "PSIZ", 0) => Some(Output::PointSize),
        ("COLOR" | "COL", 0..=1) => Some(Output::Location(number)),
        ("DIFFUSE", 0) => Some(Output::Location(0)),
        ("SPECULAR", 0) => Some(Output::Location(1)),
        ("TEXCOORD" | "TEX", 0..=3) => Some(Output::Location(2 + number)),
        ("TEXCOORD" | "TEX", 4..=7) => Some(Output::Location(5 + number)),
        ("FOG" | "FOGC" | "FOGCOORD", 0) => Some(Output::Location(6)),
        ("BCOL", 0..=1) => Some(Output::Location(7 + number)),
        _ => None,
    }
}

/// The words of semantics, for what is near to a wrong one.
pub const INPUTS: &[&str] = &[
    "POSITION",
    "BLENDWEIGHT",
    "NORMAL",
    "COLOR0",
    "COLOR1",
    "DIFFUSE",
    "SPECULAR",
    "FOGCOORD",
    "PSIZE",
    "BLENDINDICES",
    "BCOL0",
    "BCOL1",
    "TEXCOORD0",
    "TEXCOORD1",
    "TEXCOORD2",
    "TEXCOORD3",
    "TANGENT",
    "BINORMAL",
    "ATTR0",
];

/// See [`INPUTS`].
pub const OUTPUTS: &[&str] = &[
    "POSITION",
    "PSIZE",
    "COLOR0",
    "COLOR1",
    "TEXCOORD0",
    "TEXCOORD1",
    "TEXCOORD2",
    "TEXCOORD3",
    "FOG",
    "BCOL0",
    "BCOL1",
];

/// The number of a constant register: 4 of `C4` or `c4`.
pub fn constant(word: &str) -> Option<u16> {
    word.strip_prefix(['c', 'C'])
        .filter(|digits| digits.bytes().all(|digit| digit.is_ascii_digit()))?
        .parse()
        .ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn place(semantic: &str) -> (Option<u32>, Option<Output>) {
        let (stem, number) = parts(semantic);
        (input(&stem, number.unwrap_or(0)), output(&stem, number.unwrap_or(0)))
    }

    #[test]
    fn numbers_of_the_xbox() {
        assert_eq!(place("POSITION"), (Some(0), Some(Output::Position)));
        assert_eq!(place("texcoord"), (Some(9), Some(Output::Location(2))));
        assert_eq!(place("TEXCOORD3"), (Some(12), Some(Output::Location(5))));
        assert_eq!([place("DIFFUSE").0, place("COLOR").0, place("ATTR3").0], [Some(3); 3]);
        assert_eq!([place("COLOR2"), place("NORMAL1"), place("DEPTH"), place("")], [(None, None); 4]);
        assert!(INPUTS.iter().all(|word| place(word).0.is_some()));
        assert!(OUTPUTS.iter().all(|word| place(word).1.is_some()));
    }

    #[test]
    fn constants() {
        assert_eq!(
            [constant("C0"), constant("c95"), constant("s0"), constant("c"), constant("c-1")],
            [Some(0), Some(95), None, None, None]
        );
    }
}
