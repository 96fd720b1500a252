//! Programs that another assembler made, with the names and lines that its linker wrote beside them: labels as VICE reads them
//! (`ld65 -Ln`), or ld65's debug information (`--dbgfile`).

mod debug;
mod layout;
mod record;

use crate::Include;
use crate::program::{Chunk, Program, Symbol, basic_start};
use crate::rules::NOT_SYMBOLS;
use gpuzoo_diag::{Diagnostic, File, FileId, Sources};
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

/// A program's bytes, and where they go.
#[derive(Clone, Copy, Debug)]
pub struct Linked<'a> {
    /// The program's file.
    pub name: &'a str,
    /// Of the first byte.
    pub address: u16,
    /// The bytes, of which the last one lies at $FFFF or below.
    pub bytes: &'a [u8],
}

/// Problems of a file that are reported.
const MOST_PROBLEMS: usize = 100;

/// Reads the names of a program, and the lines of its sources, from a file that its linker wrote; what the text is like says which
/// of the two it is. Sources are asked for by the names that the file has for them, and are added to `sources`. With errors there are
/// only the bytes.
///
/// ```
/// use gpuzoo_asm65::{Linked, linked};
/// use gpuzoo_diag::Sources;
///
/// let mut sources = Sources::default();
/// let file = sources.add("loop.lbl", "al 000801 .start\nal 000803 .loop\n");
/// let linked_program = Linked { name: "loop.prg", address: 0x0801, bytes: &[0xa2, 10, 0xca, 0xd0, 0xfd, 0x60] };
/// let (program, problems) = linked(&mut sources, file, &linked_program, &mut |_| Err("no files".into()));
/// assert!(problems.is_empty());
/// assert_eq!(program.labels().at(0x0803), Some("loop"));
/// ```
pub fn linked(
    sources: &mut Sources,
    file: FileId,
    program: &Linked,
    include: &mut Include,
) -> (Program, Vec<Diagnostic>) {
    let chunks = vec![Chunk { address: program.address, bytes: program.bytes.to_vec() }];
    let start = basic_start(&chunks).unwrap_or(program.address);
    let mut read = Program { chunks, start, ..Program::default() };
    let mut problems = Vec::new();
    let first = sources.get(file).text().split_whitespace().next().unwrap_or_default();
    match first {
        "version" => debug::read(sources, file, program, include, &mut read, &mut problems),
        word if ADDS.contains(&word) => read.symbols = labels(sources.get(file), &mut problems),
        _ => {
            let problem = Diagnostic::error(&NOT_SYMBOLS, "these are neither labels nor debug information");
            let place = sources.get(file);
            let end = place.text().lines().next().map_or(0, str::len);
            problems.push(problem.label(place.span(0..end), "").help(
                "`ld65 -Ln FILE` writes labels, each as `al 00080D .start`; `ld65 --dbgfile FILE` writes debug information",
            ));
        }
    }
    (read, problems)
}

/// What VICE's monitor adds a label with.
const ADDS: [&str; 2] = ["al", "add_label"];

/// Labels, each once: `al 00080D .start`. The address may have the memory before it that VICE is to look at, `C:080d`.
fn labels(file: &File, problems: &mut Vec<Diagnostic>) -> Vec<Symbol> {
    let mut labels = Vec::new();
    let mut known = BTreeSet::new();
    for (number, range) in lines(file.text()).enumerate() {
        let line = &file.text()[range.clone()];
        let words: Vec<&str> = line.split_whitespace().take(4).collect();
        let read = match words[..] {
            [] => continue,
            [word, address, name] if ADDS.contains(&word) => {
                let digits = address.strip_prefix("C:").unwrap_or(address);
                let name = name.strip_prefix('.').filter(|name| !name.is_empty());
                i64::from_str_radix(digits, 16).ok().filter(|value| *value >= 0).zip(name)
            }
            _ => None,
        };
        let Some((value, name)) = read else {
            if problems.len() == MOST_PROBLEMS {
                break;
            }
            let message = format!("line {} is no label", number + 1);
            let problem = Diagnostic::error(&NOT_SYMBOLS, message).label(file.span(range), "");
            problems.push(problem.help("each line is `al ADDRESS .NAME`, the address in hexadecimal digits"));
            continue;
        };
        if !known.insert((name, value)) {
            continue;
        }
        let is_label = value <= i64::from(u16::MAX);
        labels.push(Symbol { name: name.to_owned(), value, is_label, span: file.span(range) });
    }
    labels
}

/// Where the lines of a text are, without their ends.
fn lines(text: &str) -> impl Iterator<Item = Range<usize>> + '_ {
    let mut start = 0;
    text.split_inclusive('\n').map(move |line| {
        let range = start..start + line.trim_end_matches(['\n', '\r']).len();
        start += line.len();
        range
    })
}

/// The labels of a program by address, for what shows addresses.
///
/// ```
/// use gpuzoo_asm65::{Options, assemble};
/// use gpuzoo_diag::Sources;
///
/// let mut sources = Sources::default();
/// let file = sources.add("t.s", "start: nop\nloop: bra loop\n");
/// let (program, _) = assemble(&mut sources, file, &Options::default(), &mut |_| Err("no files".into()));
/// let labels = program.labels();
/// assert_eq!((labels.at(0x0801), labels.at(0x0802), labels.at(0x0803)), (Some("start"), Some("loop"), None));
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Labels(BTreeMap<u16, String>);

impl Labels {
    /// The label of an address: of several the first one that the program itself has; those of ld65, which begin and end with two
    /// underscores, come last.
    pub fn at(&self, address: u16) -> Option<&str> {
        self.0.get(&address).map(String::as_str)
    }

    /// The last label up to an address, and how far behind it the address is.
    pub fn near(&self, address: u16) -> Option<(&str, u16)> {
        let (at, label) = self.0.range(..=address).next_back()?;
        Some((label, address - at))
    }
}

impl Program {
    /// Its labels by address.
    pub fn labels(&self) -> Labels {
        let mut labels = BTreeMap::new();
        let is_linkers = |name: &str| name.starts_with("__") && name.ends_with("__");
        for own in [true, false] {
            for symbol in &self.symbols {
                if let Ok(address) = u16::try_from(symbol.value)
                    && symbol.is_label
                    && is_linkers(&symbol.name) != own
                {
                    labels.entry(address).or_insert_with(|| symbol.name.clone());
                }
            }
        }
        Labels(labels)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A text of two modules: a macro's line, the same local name in both, a cheap local, a number, a scope.
    const DEBUG: &str = "version\tmajor=2,minor=0\n\
        file\tid=0,name=\"src/a.s\",size=38,mtime=0x1,mod=0\n\
        file\tid=1,name=\"b.s\",size=4,mtime=0x1,mod=1\n\
        line\tid=0,file=0,line=2,span=0\n\
        line\tid=1,file=0,line=3,span=1\n\
        line\tid=2,file=0,line=1,type=2,count=1,span=2\n\
        line\tid=3,file=1,line=1,span=3\n\
        mod\tid=0,name=\"a.o\",file=0\n\
        mod\tid=1,name=\"b.o\",file=1\n\
        seg\tid=0,name=\"CODE\",start=0x000801,size=0x0004,addrsize=absolute,type=ro,oname=\"x.prg\",ooffs=2\n\
        span\tid=0,seg=0,start=0,size=1\n\
        span\tid=1,seg=0,start=1,size=2\n\
        span\tid=2,seg=0,start=2,size=1\n\
        span\tid=3,seg=0,start=3,size=1\n\
        scope\tid=0,name=\"\",mod=0\n\
        scope\tid=1,name=\"draw\",mod=0,type=scope,parent=0\n\
        scope\tid=2,name=\"\",mod=1\n\
        sym\tid=0,name=\"loop\",addrsize=absolute,scope=0,def=0,val=0x801,seg=0,type=lab\n\
        sym\tid=1,name=\"@in\",addrsize=absolute,parent=0,def=1,val=0x802,seg=0,type=lab\n\
        sym\tid=2,name=\"done\",addrsize=absolute,scope=1,def=1,val=0x803,seg=0,type=lab\n\
        sym\tid=3,name=\"count\",addrsize=zeropage,scope=0,def=1,val=0x10,type=equ\n\
        sym\tid=4,name=\"loop\",addrsize=absolute,scope=2,def=3,val=0x804,seg=0,type=lab\n\
        sym\tid=5,name=\"far\",addrsize=absolute,scope=2,ref=3,type=imp,exp=0\n\
        later\tid=0,word=\"of a later version\"\n";
    /// 38 bytes.
    const SOURCE: &str = ".macro two\n  nop\n  two ; a macro's use";

    fn read(text: &str, bytes: &[u8]) -> (Sources, Program, Vec<Diagnostic>) {
        let mut sources = Sources::default();
        let file = sources.add("x.dbg", text);
        let linked_program = Linked { name: "out/x.prg", address: 0x0801, bytes };
        let mut include = |name: &str| match name {
            "a.s" => Ok(SOURCE.as_bytes().to_vec()),
            "b.s" => Ok(b"nop\n".to_vec()),
            _ => Err("there is no such file".to_owned()),
        };
        let (program, problems) = linked(&mut sources, file, &linked_program, &mut include);
        (sources, program, problems)
    }

    fn codes(text: &str, bytes: &[u8]) -> Vec<(&'static str, String)> {
        let problems = read(text, bytes).2;
        problems.iter().for_each(|problem| assert!(problem.span().is_some(), "{problem:?}"));
        problems.into_iter().map(|problem| (problem.code.id, problem.message)).collect()
    }

    #[test]
    fn names_have_scopes_and_bytes_have_lines() {
        let (sources, program, problems) = read(DEBUG, &[0xea; 4]);
        assert_eq!(problems, []);
        let line = |span: gpuzoo_diag::Span| {
            let file = sources.get(span.file);
            format!("{} {}", file.name(), file.slice(span))
        };
        let lines: Vec<_> = program
            .lines
            .iter()
            .map(|own| (own.address, own.length, line(own.span), own.call.map(line)))
            .collect();
        let own = |address, text: &str| (address, 1, text.to_owned(), None);
        let used = "src/a.s two ; a macro's use";
        assert_eq!(
            lines,
            [
                own(0x801, "src/a.s nop"),
                own(0x802, used),
                (0x803, 1, "src/a.s .macro two".to_owned(), Some(used.to_owned())),
                own(0x804, "b.s nop"),
            ]
        );
        let names: Vec<_> =
            program.symbols.iter().map(|own| (own.name.as_str(), own.value, own.is_label)).collect();
        let expected = [
            ("a::loop", 0x801, true),
            ("loop@in", 0x802, true),
            ("draw::done", 0x803, true),
            ("count", 0x10, false),
            ("b::loop", 0x804, true),
        ];
        assert_eq!(names, expected);
        let labels = program.labels();
        assert_eq!([0x10, 0x801, 0x803].map(|at| labels.at(at)), [None, Some("a::loop"), Some("draw::done")]);
    }

    #[test]
    fn labels_are_read_once_each() {
        let (_, program, problems) =
            read("al 000801 .go\nal 0801 .go\nadd_label C:0803 .end\n\nal 12345678 .big\n", &[0]);
        assert_eq!(problems, []);
        let names: Vec<_> =
            program.symbols.iter().map(|own| (own.name.as_str(), own.value, own.is_label)).collect();
        assert_eq!(names, [("go", 0x801, true), ("end", 0x803, true), ("big", 0x1234_5678, false)]);
        // ld65's own names come last.
        let (_, program, _) = read("al 000822 .__BSS_RUN__\nal 000822 .buffer\n", &[0]);
        assert_eq!(program.labels().at(0x822), Some("buffer"));
    }

    #[test]
    fn what_is_no_symbol_file_has_a_code_and_a_place() {
        let one = |text: &str| match &codes(text, &[0xea; 4])[..] {
            [(code, message)] => format!("{code} {message}"),
            other => panic!("{other:?}"),
        };
        for (text, expected) in [
            ("", "V0231 these are neither labels nor debug information"),
            ("start = $0801\n", "V0231 these are neither labels nor debug information"),
            ("al 0801 .go\nal 08x1 .go\n", "V0231 line 2 is no label"),
            ("al 0801 go\n", "V0231 line 1 is no label"),
            ("version\tmajor=3,minor=0\n", "V0231 this is version 3 of the format, and version 2 is read"),
            ("version\tminor=0\n", "V0231 `major` is missing"),
            ("version\tmajor=2\nspan\tid=0,seg=0,start=q,size=1\n", "V0231 `start=q` is not a number"),
            ("version\tmajor=2\nline\tid=0,file=0,line=1,span=1+x\n", "V0231 `span=1+x` are no numbers"),
            ("version\tmajor=2\nmod\tid=0,name=\"a\n", "V0231 a name is not closed"),
            ("version\tmajor=2\nmod\tid=0,name=\"a\"b\n", "V0231 expected `,`"),
            ("version\tmajor=2\nmod\tid\n", "V0231 expected `name=value`"),
        ] {
            assert_eq!(one(text), expected, "{text}");
        }
        let many = "al x\n".repeat(1000);
        assert_eq!(codes(&many, &[0]).len(), MOST_PROBLEMS);
    }

    /// Few words can claim much work.
    #[test]
    fn what_is_claimed_is_bounded() {
        let cycle = "version\tmajor=2\nsym\tid=0,name=\"a\",parent=0,val=1,type=lab\n";
        assert!(codes(cycle, &[0])[0].1.starts_with("the name lies in more than 256 scopes"));
        let long = format!("version\tmajor=2\nsym\tid=0,name=\"{}\",val=1,type=lab\n", "a".repeat(5000));
        assert_eq!(codes(&long, &[0])[0].0, "V0231");
        let mut spans = DEBUG.replace("id=3,seg=0,start=3,size=1", "id=3,seg=0,start=0,size=99999999");
        for id in 10..300 {
            spans += &format!("line\tid={id},file=1,line=1,span=3\n");
        }
        let found = codes(&spans, &[0xea; 4]);
        assert!(found[0].1.contains("more than 16,777,216 bytes"), "{found:?}");
    }

    #[test]
    fn symbols_of_another_program_are_warned_of() {
        let of = |text: &str, bytes: &[u8]| match &codes(text, bytes)[..] {
            [(code, message)] => format!("{code} {message}"),
            other => panic!("{other:?}"),
        };
        assert_eq!(of(DEBUG, &[0xea; 1]), "V0232 it says that the program has 6 bytes");
        let moved = DEBUG.replace("start=0x000801", "start=0x009000");
        assert_eq!(of(&moved, &[0xea; 4]), "V0232 no segment lies where the program does");
        let banked =
            format!("{DEBUG}seg\tid=7,name=\"BANK1\",start=0xA000,size=0x10,oname=\"x.prg.01\",ooffs=0\n");
        assert_eq!(of(&banked, &[0xea; 4]), "V0232 names and lines of 1 segment are left out");
    }

    #[test]
    fn sources_that_are_gone_or_changed_are_warned_of() {
        let of = |text: &str| match &codes(text, &[0xea; 4])[..] {
            [(code, message)] => format!("{code} {message}"),
            other => panic!("{other:?}"),
        };
        assert_eq!(
            of(&DEBUG.replace("size=38", "size=99")),
            "V0233 `src/a.s` has changed since it was assembled"
        );
        let beyond = DEBUG.replace("id=3,file=1,line=1", "id=3,file=1,line=9");
        assert_eq!(of(&beyond), "V0233 `b.s` has changed since it was assembled");
        assert_eq!(of(&DEBUG.replace("\"b.s\"", "\"c.s\"")), "V0233 1 source cannot be read");
        // What a library was made of is nowhere.
        let library = DEBUG.replace("\"b.s\"", "\"c.s\"").replace("name=\"b.o\"", "name=\"b.o\",lib=0");
        assert_eq!(codes(&library, &[0xea; 4]), []);
    }
}
