//! The three assembly dialects: a folder for each, with a [`Dialect`] that reads and prints its texts, and the parts that they
//! share.

pub mod counting;
pub mod d3d;
pub mod dialect;
pub mod header;
pub mod macros;
pub mod page;
pub mod reading;
pub mod statements;
pub mod symbols;
pub mod vp;
pub mod vsh;

use d3d::D3D;
use dialect::Dialect;
use gpuzoo_machine::Dialect as Described;
use vp::VP;
use vsh::VSH;

/// All dialects. A text is in the first one whose `begins` holds for it.
pub static DIALECTS: [&Dialect; 3] = [&VSH, &VP, &D3D];

/// The dialects as the machine describes them.
pub static DESCRIBED: [Described; 3] = {
    let [vsh, vp, d3d] = DIALECTS;
    [vsh.described, vp.described, d3d.described]
};

impl Dialect {
    /// The dialect of a name.
    pub fn find(name: &str) -> Option<&'static Dialect> {
        DIALECTS.into_iter().find(|dialect| dialect.name() == name)
    }

    /// The dialect that a text's first word tells, comments of all dialects skipped; Direct3D's if it is a preprocessor line;
    /// nv2a_vsh_asm's if nothing tells. Headers that no reader accepts, as `!!VP2.0` and `ps.1.1`, still tell whose they are,
    /// so that the right reader refuses them by name.
    ///
    /// ```
    /// use gpuzoo_nv2a::{D3D, Dialect, VP, VSH};
    /// assert_eq!(Dialect::of("# a comment\n!!VP1.1\nEND"), &VP);
    /// assert_eq!(Dialect::of("; a comment\nxvs.1.1\n"), &D3D);
    /// assert_eq!(Dialect::of("#define N 2\nvs.1.1\n"), &D3D);
    /// assert_eq!(Dialect::of("#light vector 5\nmov oPos, v0"), &VSH);
    /// ```
    pub fn of(text: &str) -> &'static Dialect {
        DIALECTS.into_iter().find(|dialect| (dialect.begins)(text)).unwrap_or(&VSH)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_word_tells_the_dialect() {
        let [vsh, vp, d3d] = DIALECTS;
        let cases = [
            ("", vsh),
            ("mov oPos, v0", vsh),
            ("\u{e4}", vsh),
            ("v\u{e4}.1.1", vsh),
            ("/*", vsh),
            ("!VP1.0", vsh),
            ("!!VP1.0", vp),
            ("\u{feff} \n!!VSP1.0", vp),
            ("!!ARBvp1.0", vp),
            ("# a\n# b\n!!VP1.1", vp),
            ("; a\n# b\n/* c */ // d\n!!VP1.1", vp),
            ("# a\nvs.1.1", vsh),
            ("/* a */ // b\n; c\nxvs.1.1", d3d),
            ("/* mov */vs.1.1", d3d),
            ("mov r0, v0\nvs.1.1", vsh),
        ];
        for (text, dialect) in cases {
            assert_eq!(Dialect::of(text), dialect, "{text}");
        }
        for dialect in DIALECTS {
            assert_eq!(Dialect::find(dialect.name()), Some(dialect));
        }
    }

    /// A version is a tag and a number, which a dot or an underscore parts.
    #[test]
    fn version_lines_are_direct3ds() {
        for tag in ["vs", "xvs", "xvsw", "xvss", "ps", "VS", "xVsW"] {
            for rest in [".1.1", "_1_1", ".", "_"] {
                assert_eq!(Dialect::of(&format!("{tag}{rest}")), &D3D, "{tag}{rest}");
            }
            for rest in ["", "1.1", " .1", "-1.1", "x.1", "\u{e4}", "\n.1"] {
                assert_eq!(Dialect::of(&format!("{tag}{rest}")), &VSH, "{tag}{rest}");
            }
            assert_eq!((Dialect::of(&format!("x{tag}.1.1")) == &D3D), tag.eq_ignore_ascii_case("vs"));
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
                (format!("#{line}"), &D3D),
                (format!("# {line} A \\\nmov oPos, v0"), &D3D),
                (format!("; a\n\t#\t{line}\nvector 5"), &D3D),
                (format!("#{line} vector 5"), &VSH),
                (format!("#{line} matrix4 5"), &VSH),
                (format!("#{line}x A"), &VSH),
                (format!("x #{line}"), &VSH),
                (format!("#{line} A\n!!VP1.0"), &VP),
            ] {
                assert_eq!(Dialect::of(&text), dialect, "{text}");
            }
        }
        for text in ["#", "# ", "#\ndefine A", "# light A"] {
            assert_eq!(Dialect::of(text), &VSH, "{text}");
        }
    }

    /// Each header says something of its own.
    #[test]
    fn dialects_describe_themselves() {
        for dialect in &DESCRIBED {
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
