//! What may be written in an instruction, in words: for `explain` and the reference pages.

use crate::files::{FileKind, RegFile};
use crate::isa::{Isa, Room};
use crate::op::Op;
use crate::operand::{COMPONENTS, Reg, Swizzle};
use crate::operands::places;
use crate::parser::{candidates, joined, list};
use crate::part::{Choice, Field, Kind, Map, Part, Role, SwizzleCode, each_once};
use crate::syntax::{Letters, Scalars, text};

/// A written operand of a row.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Described {
    /// Its name in the row's usage.
    pub name: &'static str,
    /// What may be written, and what the instruction does with it, in Markdown.
    pub text: String,
    /// The bits that it fills.
    pub fields: Vec<Field>,
}

impl Isa {
    /// The operands of a row, in the order in which they are written.
    pub fn describe(&self, op: &Op) -> Vec<Described> {
        let described = |place: &'static [Part]| {
            let fields = each_once(place.iter().flat_map(Part::fields));
            Described { name: place[0].name, text: self.place_text(op, place), fields }
        };
        places(op.parts).map(described).collect()
    }

    fn place_text(&self, op: &Op, place: &[Part]) -> String {
        let part = &place[0];
        let mut words = Vec::new();
        if part.choices.is_empty() {
            let of =
                op.parts.iter().find(|other| other.operand == part.operand).map_or("", |other| other.name);
            words.push(self.modifier_text(part, of));
        } else {
            let choices =
                place.iter().flat_map(|part| legal(part).flat_map(|choice| self.choice_text(part, choice)));
            words.push(joined(&choices.collect::<Vec<_>>(), "or"));
            words.extend(place.iter().find_map(|part| part.mask).map(|_| self.mask_text()));
            words.extend(part.swizzle.map(|(_, code)| self.swizzle_text(part, code)));
            words.extend(part.negate.map(|_| "`-` flips the sign".to_owned()));
            words.extend(part.abs.map(|_| "`|…|` clears it".to_owned()));
            words.extend(part.relative.map(|(_, file)| {
                let sum = self.register_text(Reg { file, index: 5 }, true, false);
                format!("the address register can be added: {sum}")
            }));
            if part.consecutive > 1 {
                words.push(format!("with the {} registers behind it", part.consecutive - 1));
            }
        }
        words.extend(match part.role {
            Role::Read => Some("read".to_owned()),
            Role::Write => Some("written".to_owned()),
            Role::ReadWrite => Some("read, then written".to_owned()),
            Role::Modify => None,
        });
        words.join("; ")
    }

    fn choice_text(&self, part: &Part, choice: &Choice) -> Vec<String> {
        let (file, map, bare) = match choice.kind {
            Kind::Nothing => return vec![format!("`{}` for none", self.syntax.nothing.unwrap_or("_"))],
            Kind::Values(values) if values.most == 1 => return vec![values.name.to_owned()],
            Kind::Values(values) => {
                return vec![format!("1 to {} values, each {}", values.most, values.name)];
            }
            Kind::Reg { file, map, bare } => (file, map, bare),
        };
        let description = &self.files[file as usize];
        let name = |index: u16| self.register_text(Reg { file, index }, false, part.is_written());
        match map {
            _ if bare => {
                let last = description.count.max(1) - 1;
                vec![format!("0 to {last}, the number of {}", with_article(description.name))]
            }
            Map::Codes(codes) => (0..codes.len() as u16).map(name).collect(),
            _ => description.names_by(name),
        }
    }

    /// The name of a register, in Markdown.
    fn register_text(&self, reg: Reg, relative: bool, written: bool) -> String {
        text(|out| {
            out.push('`');
            self.printer().register(reg, relative, written, out);
            out.push('`');
        })
    }

    /// A swizzle or a mask as a word of its own, about the operand `of`.
    fn modifier_text(&self, part: &Part, of: &str) -> String {
        match part.swizzle {
            Some((_, SwizzleCode::Listed(all))) => {
                let all: Vec<String> = all.iter().map(|swizzle| format!("`{swizzle}`")).collect();
                format!("{}: the components of `{of}` to read for x, y, z and w", joined(&all, "or"))
            }
            Some(_) => format!("four letters: the components of `{of}` to read for x, y, z and w"),
            None => format!("`0b0000` to `0b1111`: the components of `{of}` to write, bit 0 is x"),
        }
    }

    fn mask_text(&self) -> String {
        let none = self.syntax.nothing.map_or(String::new(), |nothing| format!(", `.{nothing}` writes none"));
        format!("a mask may follow: `.xz`{none}")
    }

    fn swizzle_text(&self, part: &Part, code: SwizzleCode) -> String {
        let text = match code {
            _ if part.scalar && self.syntax.scalars == Scalars::Named => "one component must be named: `.x`",
            _ if part.scalar => "one component is read: `.x`",
            SwizzleCode::Listed(all) => {
                let all: Vec<String> =
                    all.iter().map(|order| format!("`.{}`", swizzle_text(*order))).collect();
                return format!("components in the order {}", joined(&all, "or"));
            }
            _ if self.syntax.letters == Letters::Four => "components in any order must be named: `.wzyx`",
            _ => "components in any order: `.wzyx`",
        };
        text.to_owned()
    }

    /// The other ways to write a row, in the machine's own language.
    pub fn forms(&self, op: &Op) -> Vec<String> {
        let forms = candidates(self, self.syntax).filter(|(_, row)| row.form.is_some() && row.op == op);
        forms.map(|(name, row)| self.usage_of(name, row.parts, self.syntax)).collect()
    }

    /// The example of a row as the assembly has it; of an instruction that only the assembler writes, none.
    pub fn example_text(&self, op: &'static Op) -> Option<String> {
        (!op.internal).then(|| text(|out| self.print_inst(&self.example(op), out)))
    }

    /// How many instructions there are, how long they are, and how long programs may be.
    pub fn size(&self) -> String {
        let behind =
            |op: &Op| op.parts.iter().flat_map(Part::fields).filter(|field| self.is_behind(field)).count();
        let (least, more) = (self.slot_words * 32, self.ops().map(behind).max().unwrap_or(0) * 32);
        let bits = if more == 0 { least.to_string() } else { format!("{least} to {}", least + more) };
        let most = match self.room {
            Room::Slots(most) if self.halves.len() > 1 => {
                let count = self.ops().count();
                return format!(
                    "{count} instructions; a slot has {bits} bits and may hold two, a program at most {most} slots"
                );
            }
            Room::Slots(most) => format!(", at most {most} to a program"),
            Room::Words(most) => format!("; a program has at most {most} words of 32 bits"),
            Room::Unknown => "; how long a program may be is not known".to_owned(),
        };
        format!("{} instructions of {bits} bits{most}", self.ops().count())
    }

    /// What may be in a place, in words: `a register or a number`.
    pub(crate) fn wanted(&self, place: &[Part]) -> String {
        let part = &place[0];
        if part.choices.is_empty() {
            let swizzle = part.swizzle.is_some();
            return if swizzle { "a swizzle of four letters" } else { "a write mask from 0 to 15" }
                .to_owned();
        }
        let files = self.files_in(place);
        let bare = |choice: &Choice| matches!(choice.kind, Kind::Reg { bare: true, .. });
        let regs = match files[..] {
            [] => None,
            [file] if place.iter().flat_map(Part::writable).any(bare) => {
                Some(format!("the number of {}", file.name))
            }
            [file] if file.real_names().count() > 1 => Some(format!("one of {}", list(file.real_names()))),
            [file] => Some(with_article(file.name)),
            _ => Some("a register".to_owned()),
        };
        let values = place.iter().find_map(Part::values).map(|values| values.name.to_owned());
        regs.into_iter().chain(values).collect::<Vec<_>>().join(" or ")
    }

    /// The files of the registers that a text may name in a place.
    pub(crate) fn files_in(&self, place: &[Part]) -> Vec<&'static RegFile> {
        let files = place.iter().flat_map(Part::writable).filter_map(Choice::file);
        files.map(|file| &self.files[file as usize]).collect()
    }

    /// The registers and values that may be in a place: `registers are r0 to r15`.
    pub(crate) fn accepted(&self, place: &[Part]) -> String {
        let files = place.iter().flat_map(legal).filter_map(Choice::file);
        let files: Vec<&RegFile> = files.map(|file| &self.files[file as usize]).collect();
        let what = match files[..] {
            [] => return self.wanted(place),
            [file] => file.name,
            _ => "register",
        };
        let ranges: Vec<String> = files.iter().map(|file| file.range()).collect();
        format!("{what}s are {}", joined(&ranges, "and"))
    }
}

/// The choices that a program should say.
pub(crate) fn legal(part: &Part) -> impl Iterator<Item = &'static Choice> {
    part.writable().filter(|choice| choice.illegal.is_empty())
}

impl RegFile {
    /// The names of its registers, in Markdown.
    pub fn names_text(&self) -> String {
        self.names_by(|index| format!("`{}`", self.reg_name(index))).join(", ")
    }

    /// What its registers are called, for messages: `r0 to r15`, or their names.
    pub fn range(&self) -> String {
        self.names_by(|index| self.reg_name(index)).join(", ")
    }

    /// The names of its registers; of numbers, the first and the last.
    fn names_by(&self, name: impl Fn(u16) -> String) -> Vec<String> {
        match self.names {
            [] if self.count < 2 => vec![name(0)],
            [] => vec![format!("{} to {}", name(0), name(self.count - 1))],
            _ => (0..self.count).filter(|index| self.has(*index)).map(name).collect(),
        }
    }
}

impl FileKind {
    /// What a file of this kind is to a program, in words.
    pub fn text(self) -> &'static str {
        match self {
            FileKind::Temporary(_) => "read and written",
            FileKind::Input => "given for each vertex or fragment",
            FileKind::Constant => "given for a draw",
            FileKind::Output(_) => "leaves the program",
        }
    }
}

/// With `a` or `an` before it.
pub(crate) fn with_article(name: &str) -> String {
    // The `u` of uniform does not sound as a vowel.
    let vowel = name.starts_with(['a', 'e', 'i', 'o']);
    format!("{} {name}", if vowel { "an" } else { "a" })
}

/// `x` for one component, else four letters.
pub(crate) fn swizzle_text(swizzle: Swizzle) -> String {
    match swizzle.single() {
        Some(at) => COMPONENTS[usize::from(at)].to_string(),
        None => swizzle.to_string(),
    }
}
