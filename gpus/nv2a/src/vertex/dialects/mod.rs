//! Which of the three assembly dialects a text is written in, and how each counts constants.

pub mod d3d;
pub mod header;
pub mod listing;
pub mod macros;
pub mod names;
pub mod page;
pub mod statements;
pub mod symbols;
pub mod vp;
pub mod vsh;

use crate::vertex::dialects::d3d::preprocess::directives;
use crate::vertex::regs::{C, CONSTANTS};
use crate::vertex::syntax;
use gpuzoo_isa::{Numbering, Parser, Syntax};
use gpuzoo_machine::Dialect as Described;

/// An assembly dialect.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Dialect {
    /// nv2a_vsh_asm's: no header, pairing with `+`, uniforms (spec section 9).
    Vsh,
    /// `NV_vertex_program`'s: `!!VP1.0`, `!!VP1.1`, `!!VSP1.0` (spec section 10).
    Vp,
    /// Direct3D 8's and the Xbox's form of it: `vs.1.1`, `xvs.1.1`, `xvss.1.1`, `xvsw.1.1` (spec section 11).
    D3d,
}

impl Dialect {
    /// All of them.
    pub const ALL: [Dialect; 3] = [Dialect::Vsh, Dialect::Vp, Dialect::D3d];

    /// The name that users give: `vsh`, `vp`, `d3d`.
    pub fn name(self) -> &'static str {
        self.syntax().name
    }

    /// The dialect of a name.
    pub fn find(name: &str) -> Option<Dialect> {
        Dialect::ALL.into_iter().find(|dialect| dialect.name() == name)
    }

    /// The dialect that a text's first word tells, comments of all dialects skipped; Direct3D's if it is a preprocessor line. Headers that no
    /// reader accepts, as `!!VP2.0` and `ps.1.1`, still tell whose they are, so that the right reader refuses them by name.
    ///
    /// ```
    /// use gpuzoo_nv2a::Dialect;
    /// assert_eq!(Dialect::of("# a comment\n!!VP1.1\nEND"), Dialect::Vp);
    /// assert_eq!(Dialect::of("; a comment\nxvs.1.1\n"), Dialect::D3d);
    /// assert_eq!(Dialect::of("#define N 2\nvs.1.1\n"), Dialect::D3d);
    /// assert_eq!(Dialect::of("#light vector 5\nmov oPos, v0"), Dialect::Vsh);
    /// ```
    pub fn of(text: &str) -> Dialect {
        let first = skip_comments(text, false);
        if first.starts_with("!!") || skip_comments(first, true).starts_with("!!") {
            return Dialect::Vp;
        }
        let version = ["xvss", "xvsw", "xvs", "vs", "ps"].into_iter().any(|tag| {
            let is_tag = first.get(..tag.len()).is_some_and(|start| start.eq_ignore_ascii_case(tag));
            is_tag && first[tag.len()..].starts_with(['.', '_'])
        });
        // Behind a preprocessor line the version line may be in a file that is included.
        if version || begins_with_directive(first) { Dialect::D3d } else { Dialect::Vsh }
    }

    /// How the dialect is written.
    pub fn syntax(self) -> &'static Syntax {
        match self {
            Dialect::Vsh => &syntax::VSH,
            Dialect::Vp => &syntax::VP,
            Dialect::D3d => &syntax::D3D,
        }
    }

    /// How the dialect counts constants unless the user says otherwise.
    pub fn constants(self) -> ConstantMap {
        match self {
            Dialect::Vsh => ConstantMap::Hw,
            Dialect::Vp => ConstantMap::Gl,
            Dialect::D3d => ConstantMap::D3d,
        }
    }
}

/// The dialects as the machine describes them.
pub static DIALECTS: [Described; 3] = [
    Described {
        name: syntax::VSH.name,
        about: "nv2a_vsh_asm's, for programs of the Xbox that are written today: no header, uniforms with names, pairs with `+`",
        syntax: &syntax::VSH,
        example: "#mvp matrix4 96\n%matmul4x4 oPos v0 #mvp\nmov oD0, v3\n",
        headers: Vec::new,
    },
    Described {
        name: syntax::VP.name,
        about: "NV_vertex_program's, OpenGL's for this generation of chips; Cg writes it",
        syntax: &syntax::VP,
        example: "!!VP1.0\nMOV o[HPOS], v[OPOS];\nMOV o[COL0], v[COL0];\nEND\n",
        headers: || vp::VERSIONS.described(),
    },
    Described {
        name: syntax::D3D.name,
        about: "Direct3D 8's, and the Xbox's form of it, with a preprocessor",
        syntax: &syntax::D3D,
        example: "xvs.1.1\nm4x4 oPos, v0, c0\nmov oD0, v3\n",
        headers: || d3d::VERSIONS.described(),
    },
];

/// The ways to count constants as the machine describes them.
pub static NUMBERINGS: &[(&str, &str)] = &[
    (GL, "OpenGL's c[0] to c[95], which are the machine's c96 to c191; the usual one of `vp`"),
    (D3D, "Direct3D's c-96 to c95, which are the machine's c0 to c191; the usual one of `d3d`"),
    (HW, "the machine's own c0 to c191; the usual one of `vsh`"),
];

const GL: &str = "gl";
const D3D: &str = "d3d";
const HW: &str = "hw";

/// True if a text begins with a preprocessor line. A uniform may have the name of one: `#line vector 5` is none.
fn begins_with_directive(text: &str) -> bool {
    let Some(line) = text.strip_prefix('#').and_then(|rest| rest.lines().next()) else { return false };
    let mut words = line.split_whitespace();
    let (Some(first), second) = (words.next(), words.next().unwrap_or("")) else { return false };
    let known = directives().any(|own| own == first) || first.bytes().all(|byte| byte.is_ascii_digit());
    known && !["vector", "matrix4"].contains(&second)
}

/// What follows blanks and comments; lines that begin with `#` count as comments if `hash` says so.
fn skip_comments(text: &str, hash: bool) -> &str {
    let mut rest = text.strip_prefix('\u{feff}').unwrap_or(text);
    loop {
        rest = rest.trim_start();
        let line = rest.starts_with(';') || rest.starts_with("//") || hash && rest.starts_with('#');
        let end = match rest {
            _ if line => rest.find('\n'),
            _ if rest.starts_with("/*") => rest.find("*/").map(|at| at + 1),
            _ => return rest,
        };
        rest = end.map_or("", |end| &rest[end + 1..]);
    }
}

/// How the numbers of constants in a text map to the machine's c0 to c191 (spec sections 1 and 10). [`ConstantMap::Gl`] also
/// counts the inputs of NV_vertex_program's dialect as OpenGL does, where v\[8\] is TEX0.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ConstantMap {
    /// OpenGL's c\[0\] to c\[95\], which are the machine's c96 to c191.
    Gl,
    /// Direct3D's c-96 to c95, which are the machine's c0 to c191.
    D3d,
    /// The machine's own c0 to c191.
    Hw,
}

impl ConstantMap {
    /// All of them.
    pub const ALL: [ConstantMap; 3] = [ConstantMap::Gl, ConstantMap::D3d, ConstantMap::Hw];

    /// The name that users give: `gl`, `d3d`, `hw`.
    pub fn name(self) -> &'static str {
        self.numbering().name
    }

    /// The map of a name.
    pub fn find(name: &str) -> Option<ConstantMap> {
        ConstantMap::ALL.into_iter().find(|map| map.name() == name)
    }

    /// How it counts: what it is called, what is added to a number to get the machine's, the least and the greatest number.
    ///
    /// ```
    /// use gpuzoo_nv2a::ConstantMap;
    /// assert_eq!(ConstantMap::D3d.numbering().to_machine(-38), Some(58));
    /// assert_eq!(ConstantMap::Gl.numbering().to_machine(0), Some(96));
    /// assert_eq!(ConstantMap::Hw.numbering().from_machine(192), None);
    /// ```
    pub fn numbering(self) -> Numbering {
        let (name, offset, least) = match self {
            ConstantMap::Gl => (GL, 96, 0),
            ConstantMap::D3d => (D3D, 96, -96),
            ConstantMap::Hw => (HW, 0, 0),
        };
        Numbering { file: C, name, offset, least, greatest: i64::from(CONSTANTS) - 1 - offset }
    }
}

/// How the text that is being read counts constants.
pub fn numbering(parser: &Parser) -> Numbering {
    parser.numbering.unwrap_or(ConstantMap::Hw.numbering())
}

/// What a program is for (spec section 5).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Kind {
    /// Runs for every vertex and writes outputs.
    #[default]
    Vertex,
    /// Runs once, when it is launched, and writes constants; v0 is what it is launched with.
    State,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn maps_are_each_others_inverse() {
        for map in ConstantMap::ALL.map(ConstantMap::numbering) {
            let Numbering { least, greatest, .. } = map;
            for number in least - 3..=greatest + 3 {
                let machine = map.to_machine(number);
                assert_eq!(machine.is_some(), (least..=greatest).contains(&number));
                assert!(machine.is_none_or(|index| map.from_machine(index) == Some(number)));
            }
            assert_eq!(map.to_machine(greatest), Some(191));
            assert_eq!(map.from_machine(192), None);
        }
        assert_eq!(
            ["gl", "d3d", "hw", "HW"].map(ConstantMap::find),
            [Some(ConstantMap::Gl), Some(ConstantMap::D3d), Some(ConstantMap::Hw), None]
        );
        assert_eq!(ConstantMap::Gl.numbering().from_machine(95), None);
        assert_eq!(ConstantMap::D3d.numbering().from_machine(0), Some(-96));
    }

    #[test]
    fn the_first_word_tells_the_dialect() {
        use Dialect::*;
        let cases = [
            ("", Vsh),
            ("mov oPos, v0", Vsh),
            ("\u{e4}", Vsh),
            ("v\u{e4}.1.1", Vsh),
            ("/*", Vsh),
            ("!VP1.0", Vsh),
            ("!!VP1.0", Vp),
            ("\u{feff} \n!!VSP1.0", Vp),
            ("!!ARBvp1.0", Vp),
            ("# a\n# b\n!!VP1.1", Vp),
            ("; a\n# b\n/* c */ // d\n!!VP1.1", Vp),
            ("# a\nvs.1.1", Vsh),
            ("/* a */ // b\n; c\nxvs.1.1", D3d),
            ("/* mov */vs.1.1", D3d),
            ("mov r0, v0\nvs.1.1", Vsh),
        ];
        for (text, dialect) in cases {
            assert_eq!(Dialect::of(text), dialect, "{text}");
        }
        for dialect in Dialect::ALL {
            assert_eq!(Dialect::find(dialect.name()), Some(dialect));
        }
    }

    /// A version is a tag and a number, which a dot or an underscore parts.
    #[test]
    fn version_lines_are_direct3ds() {
        for tag in ["vs", "xvs", "xvsw", "xvss", "ps", "VS", "xVsW"] {
            for rest in [".1.1", "_1_1", ".", "_"] {
                assert_eq!(Dialect::of(&format!("{tag}{rest}")), Dialect::D3d, "{tag}{rest}");
            }
            for rest in ["", "1.1", " .1", "-1.1", "x.1", "\u{e4}", "\n.1"] {
                assert_eq!(Dialect::of(&format!("{tag}{rest}")), Dialect::Vsh, "{tag}{rest}");
            }
            assert_eq!(Dialect::of(&format!("x{tag}.1.1")) == Dialect::D3d, tag.eq_ignore_ascii_case("vs"));
        }
    }

    /// Each of them, and the number that `cpp` leaves, unless it is a uniform; behind it anything may follow.
    #[test]
    fn preprocessor_lines_are_direct3ds() {
        let lines = [
            "include", "define", "undef", "if", "ifdef", "ifndef", "elif", "else", "endif", "line", "pragma",
            "error", "1", "120",
        ];
        for line in lines {
            for (text, dialect) in [
                (format!("#{line}"), Dialect::D3d),
                (format!("# {line} A \\\nmov oPos, v0"), Dialect::D3d),
                (format!("; a\n\t#\t{line}\nvector 5"), Dialect::D3d),
                (format!("#{line} vector 5"), Dialect::Vsh),
                (format!("#{line} matrix4 5"), Dialect::Vsh),
                (format!("#{line}x A"), Dialect::Vsh),
                (format!("x #{line}"), Dialect::Vsh),
                (format!("#{line} A\n!!VP1.0"), Dialect::Vp),
            ] {
                assert_eq!(Dialect::of(&text), dialect, "{text}");
            }
        }
        for text in ["#", "# ", "#\ndefine A", "# light A"] {
            assert_eq!(Dialect::of(text), Dialect::Vsh, "{text}");
        }
    }

    /// Each header says something of its own.
    #[test]
    fn dialects_describe_themselves() {
        for dialect in &DIALECTS {
            let headers = (dialect.headers)();
            for (at, (name, about)) in headers.iter().enumerate() {
                assert!(!name.is_empty() && !about.is_empty());
                assert!(
                    headers[..at].iter().all(|(other, of_other)| other != name && of_other != about),
                    "{name}"
                );
            }
            let names: Vec<&str> = headers.iter().map(|(name, _)| *name).collect();
            match dialect.name {
                "vp" => assert_eq!(names, ["!!VP1.0", "!!VP1.1", "!!VSP1.0"]),
                "d3d" => assert!(
                    ["vs.1.1", "xvs.1.1", "xvsw.1.1", "xvss.1.1"].iter().all(|name| names.contains(name))
                ),
                _ => assert_eq!(names, [""; 0]),
            }
        }
    }
}
