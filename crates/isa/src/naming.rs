//! What a program calls the machine's registers: constants as its text counts them, and by the names that it gives them.

use crate::files::{FileKind, RegFile};
use crate::isa::Isa;
use crate::operand::{Mask, Reg};
use crate::program::{Constant, Program};
use std::str::FromStr;

/// A number without leading zeros and plus sign.
fn written<N: FromStr + ToString>(digits: &str) -> Option<N> {
    digits.parse().ok().filter(|number: &N| number.to_string() == digits)
}

impl Isa {
    /// The constants that a user gives: the first file of them, with its index.
    pub fn constants(&self) -> Option<(u8, &RegFile)> {
        (0..).zip(self.files).find(|(_, file)| file.kind == FileKind::Constant)
    }
}

impl Program {
    /// The number of a register of a file as the program's text counts; the machine's for a program without a text. Below
    /// the least number of the text, registers go on backward: behind c0 comes c-1.
    pub fn number(&self, file: u8, index: i64) -> i64 {
        index - self.offset(file)
    }

    /// What is added to the text's number to get the machine's.
    fn offset(&self, file: u8) -> i64 {
        self.numbering.filter(|numbering| numbering.file == file).map_or(0, |numbering| numbering.offset)
    }

    /// The name of a register, with its number as the program's text counts.
    pub fn reg_name(&self, isa: &Isa, reg: Reg) -> String {
        let file = isa.file(reg);
        match self.offset(reg.file) {
            0 => file.reg_name(reg.index),
            _ => format!("{}{}", file.prefix, self.number(reg.file, reg.index.into())),
        }
    }

    /// The constants that the text has names for, and gives no values.
    pub fn uniforms(&self) -> impl Iterator<Item = (&str, &Constant)> {
        let without_values = self.constants.iter().filter(|constant| constant.values.is_empty());
        without_values.filter_map(|constant| Some((constant.name.as_deref()?, constant)))
    }

    /// The machine's number of a constant that users name: as the text does (`light`, or `mvp[1]` for a row of a matrix), with
    /// the number that it has in the text (`c4`, `4`, or `c[4]` where texts write brackets), or as the machine does, if it has
    /// names for them. Of an array whose elements have names of their own it is the first one's, if all registers are alike.
    pub fn constant(&self, isa: &Isa, name: &str) -> Option<u16> {
        let (number, file) = isa.constants()?;
        if let Some(registers) = self.uniform_registers(name) {
            let [(first, mask), ..] = registers[..] else { return None };
            let alike = (first..).zip(&registers).all(|(index, own)| *own == (index, mask));
            return alike.then_some(first);
        }
        let between = name.strip_suffix(']').and_then(|inner| inner.split_once('['));
        let by_number = || {
            let brackets = isa.syntax.indexed.iter().find(|own| own.file == number && own.numbers);
            let digits = match (between, brackets) {
                (Some((prefix, digits)), Some(own)) if prefix == own.prefix => digits,
                _ => name.strip_prefix(file.prefix).unwrap_or(name),
            };
            let index = u16::try_from(written::<i64>(digits)?.checked_add(self.offset(number))?).ok()?;
            file.has(index).then_some(index)
        };
        if file.names.is_empty() { by_number() } else { file.find(name).or_else(by_number) }
    }

    /// The registers of a name that the text has for constants, one after the other, each with the components that are the name's
    /// own: of a uniform (`mvp`), of a row of one and those behind it (`mvp[1]`), or of all elements of an array that are uniforms
    /// of their own (`lights`, of `lights[0].color` and so on). None for other names.
    pub fn uniform_registers(&self, name: &str) -> Option<Vec<(u16, Mask)>> {
        let rows = |uniform: &Constant, from: u16| {
            let all = uniform.reg.index..uniform.reg.index + uniform.count;
            all.skip(from.into()).map(|index| (index, uniform.mask)).collect()
        };
        let find = |name: &str| self.uniforms().find(|(known, _)| *known == name).map(|(_, uniform)| uniform);
        if let Some(uniform) = find(name) {
            return Some(rows(uniform, 0));
        }
        let row = name.strip_suffix(']').and_then(|inner| inner.rsplit_once('['));
        let row = row.and_then(|(word, row)| Some((find(word)?, written::<u16>(row)?)));
        if let Some((uniform, row)) = row.filter(|(uniform, row)| *row < uniform.count) {
            return Some(rows(uniform, row));
        }
        let is_element =
            |known: &str| known.strip_prefix(name).is_some_and(|rest| rest.starts_with(['[', '.']));
        let elements = self.uniforms().filter(|(known, _)| is_element(known));
        let registers: Vec<_> = elements.flat_map(|(_, uniform)| rows(uniform, 0)).collect();
        (!registers.is_empty()).then_some(registers)
    }

    /// How many constants there are from the one of a name on: those of the uniform, or up to the machine's last.
    pub fn constants_from(&self, isa: &Isa, name: &str, index: u16) -> u16 {
        match self.uniform_registers(name) {
            Some(own) => u16::try_from(own.len()).unwrap_or(u16::MAX),
            None => isa.constants().map_or(0, |(_, file)| file.count.saturating_sub(index)),
        }
    }

    /// The components of its registers that a constant of this name has; all of those that are called by a number.
    pub fn constant_mask(&self, name: &str) -> Mask {
        self.uniform_registers(name).and_then(|own| own.first().map(|(_, mask)| *mask)).unwrap_or(Mask::ALL)
    }

    /// What constants are called: those of a uniform of which all are meant by its name, others by `mvp[1]` or their numbers.
    pub fn constant_names(&self, isa: &Isa, indices: &[u16]) -> Vec<String> {
        let Some((file, _)) = isa.constants() else { return Vec::new() };
        let mut names: Vec<String> = Vec::new();
        let mut rest = indices;
        while let [index, more @ ..] = rest {
            let holds = |uniform: &Constant| {
                uniform.reg.file == file && index.wrapping_sub(uniform.reg.index) < uniform.count
            };
            let (taken, name) = match self.uniforms().find(|(_, uniform)| holds(uniform)) {
                Some((name, uniform)) => {
                    let all = uniform.reg.index..uniform.reg.index + uniform.count;
                    match rest.get(..all.len()).is_some_and(|first| first.iter().copied().eq(all.clone())) {
                        true => (all.len(), name.to_owned()),
                        false => (1, format!("{name}[{}]", index - all.start)),
                    }
                }
                None => (1, self.reg_name(isa, Reg { file, index: *index })),
            };
            names.push(name);
            rest = if taken == 1 { more } else { &rest[taken..] };
        }
        names
    }

    /// What may be said for a constant: its number in the text, and the names that the text gives.
    pub fn constants_help(&self, isa: &Isa) -> String {
        let Some((file, constants)) = isa.constants() else {
            return "this machine has no constants".to_owned();
        };
        let numbers = match constants.names {
            [] => {
                let [first, last] = [0, constants.count.max(1) - 1];
                let name = |index| self.reg_name(isa, Reg { file, index });
                format!("constants are `{}` to `{}`", name(first), name(last))
            }
            _ => format!("constants are {}", crate::list(constants.real_names())),
        };
        let names: Vec<&str> = self.uniforms().map(|(name, _)| name).collect();
        if names.is_empty() {
            numbers
        } else {
            format!("{numbers}; the program names {}", crate::list(names.into_iter()))
        }
    }
}
