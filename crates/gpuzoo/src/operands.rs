//! The operands of instructions as data, for compilers: what may be in each, and what each binds.

use gpuzoo_isa::{Choice, Isa, Kind, Map, Op, Part, Role, SwizzleCode};
use serde::Serialize;

/// An instruction as `list ops --json` has it beside the columns of the table.
///
/// `operands` has them as they are written; two with the same `place` are written in one place, and at most one of them is
/// there.
///
/// `shared` lists the fields that several operands fill: registers that are named by the same bits are the same register.
/// Two instructions of a slot share their fields in the same way. An operand of role `read_write` is a source and the
/// destination, in one register.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct Instruction {
    /// The half of the slot that it is in, from 0.
    pub half: u8,
    /// The field of its opcode.
    pub opcode_field: Field,
    /// Only the assembler writes it.
    pub internal: bool,
    /// More about it; may be empty.
    pub notes: &'static str,
    /// A line that assembles; none for what only the assembler writes.
    pub example: Option<String>,
    /// The other ways to write it.
    pub forms: Vec<String>,
    /// Its operands, in the order in which they are written.
    pub operands: Vec<Operand>,
    /// Fields that several operands fill.
    pub shared: Vec<Shared>,
}

/// A field of an instruction's words.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct Field {
    /// Its name.
    pub name: &'static str,
    /// Its lowest bit, counted through the words of the slot.
    pub lo: u8,
    /// The number of its bits, at most 32.
    pub width: u8,
}

impl From<&gpuzoo_isa::Field> for Field {
    fn from(field: &gpuzoo_isa::Field) -> Field {
        Field { name: field.name, lo: field.lo, width: field.width }
    }
}

/// An operand.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct Operand {
    /// Its name in the usage.
    pub name: &'static str,
    /// The number of the operand that it says something about.
    pub operand: u8,
    /// The number of the place where it is written, from 0.
    pub place: usize,
    /// `read`, `write`, `read_write`, or `modify` for a swizzle or mask that is a word of its own, about the operand with the
    /// same `operand` before it.
    pub role: &'static str,
    /// The field that says which of the choices it is.
    pub select: Option<Field>,
    /// The things that it may be: registers of a file, values, or none at all.
    pub choices: Vec<Choices>,
    /// The field of the components that are written.
    pub mask: Option<MaskField>,
    /// The swizzles that there are.
    pub swizzles: Option<Swizzles>,
    /// The field of the swizzle.
    pub swizzle_field: Option<Field>,
    /// One component is read.
    pub scalar: bool,
    /// The field that changes the sign.
    pub negate: Option<Field>,
    /// The field that takes the sign away.
    pub abs: Option<Field>,
    /// The address register that is added to its number.
    pub relative: Option<Relative>,
    /// The number of registers that are read, from the named one on.
    pub registers: u8,
    /// Fields that have these values where it is there.
    pub present: Vec<FieldIs>,
    /// It may be left out.
    pub optional: bool,
}

/// The field of the components that are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct MaskField {
    /// The field.
    pub field: Field,
    /// Its highest bit is that of x; else its lowest.
    pub highest_bit_is_x: bool,
}

/// A field and its value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct FieldIs {
    /// The field.
    pub field: Field,
    /// The value.
    pub value: u32,
}

/// An address register that is added to a number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct Relative {
    /// The field that says that it is.
    pub field: Field,
    /// The file to whose numbers it can be added.
    pub file: &'static str,
}

/// Swizzles.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(untagged)]
pub enum Swizzles {
    /// These.
    Listed(Vec<String>),
    /// All: `any`.
    Any(&'static str),
}

/// One of the things that an operand may be, and the fields of its number.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct Choices {
    /// The value of the operand's `select` that means it; none for every value.
    pub select: Option<u32>,
    /// The fields of its number, the high bits first; of values, a field for each.
    pub fields: Vec<Field>,
    /// False if the machine has it and the assembly no text for it.
    pub writable: bool,
    /// The machine's use of it, where that is an error: `read only`.
    pub illegal: Option<&'static str>,
    /// The kind of thing.
    #[serde(flatten)]
    pub what: Thing,
}

/// The kind of thing that an operand may be.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(tag = "kind", rename_all = "lowercase")]
#[non_exhaustive]
pub enum Thing {
    /// No register at all.
    None,
    /// Values.
    Values {
        /// The name of one: `a float`.
        what: &'static str,
        /// The most that may be written; at least one is.
        most: u8,
        /// The field that holds how many there are, less 1.
        count: Option<Field>,
    },
    /// A register of a file.
    Register {
        /// The file's name.
        file: &'static str,
        /// The text before the number in a register's name.
        prefix: &'static str,
        /// The number of registers; their numbers are below it.
        count: usize,
        /// Their names, where they are not called by numbers; `-` for one that does not exist.
        names: &'static [&'static str],
        /// It is written by its bare number.
        written_as_number: bool,
        /// The number that register 0 has in the fields.
        first: u16,
        /// The numbers of the registers in the fields, one by one.
        codes: Option<&'static [u16]>,
        /// Higher numbers begin anew.
        wraps: bool,
    },
}

/// A field that several operands fill.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct Shared {
    /// The field.
    pub field: Field,
    /// The names of the operands.
    pub operands: Vec<&'static str>,
}

/// Everything that a compiler has to know of an instruction.
pub fn details(isa: &Isa, op: &'static Op) -> Instruction {
    let mut place = 0;
    let operand = |part: &'static Part| {
        place += usize::from(!part.instead);
        operand(isa, part, place - 1)
    };
    let operands = op.parts.iter().map(operand).collect();
    Instruction {
        half: op.half,
        opcode_field: (&isa.half_of(op).opcode).into(),
        internal: op.internal,
        notes: op.notes,
        example: isa.example_text(op),
        forms: isa.forms(op),
        operands,
        shared: shared(op),
    }
}

fn operand(isa: &Isa, part: &'static Part, place: usize) -> Operand {
    let role = match part.role {
        Role::Read => "read",
        Role::Write => "write",
        Role::ReadWrite => "read_write",
        Role::Modify => "modify",
    };
    Operand {
        name: part.name,
        operand: part.operand,
        place,
        role,
        select: part.select.as_ref().map(Field::from),
        choices: part.choices.iter().map(|choice| self::choice(isa, part, choice)).collect(),
        mask: part.mask.map(|(of, x_high)| MaskField { field: (&of).into(), highest_bit_is_x: x_high }),
        swizzles: part.swizzle.map(|(_, code)| swizzles(code)),
        swizzle_field: part.swizzle.map(|(of, _)| (&of).into()),
        scalar: part.scalar,
        negate: part.negate.as_ref().map(Field::from),
        abs: part.abs.as_ref().map(Field::from),
        relative: part
            .relative
            .map(|(of, file)| Relative { field: (&of).into(), file: isa.files[usize::from(file)].name }),
        registers: part.consecutive,
        present: part.present.iter().map(|(of, value)| FieldIs { field: of.into(), value: *value }).collect(),
        optional: part.optional,
    }
}

fn choice(isa: &Isa, part: &Part, choice: &Choice) -> Choices {
    let what = match choice.kind {
        Kind::Nothing => Thing::None,
        Kind::Values(values) => Thing::Values {
            what: values.name,
            most: values.most,
            count: values.count.as_ref().map(Field::from),
        },
        Kind::Reg { file, map, bare } => {
            let file = &isa.files[usize::from(file)];
            let (first, codes) = match map {
                Map::From(first) => (first, None),
                Map::Wrap => (0, None),
                Map::Codes(codes) => (0, Some(codes)),
            };
            let count = codes.map_or(usize::from(file.count), <[u16]>::len);
            Thing::Register {
                file: file.name,
                prefix: file.prefix,
                count,
                names: file.names.get(..count).unwrap_or(file.names),
                written_as_number: bare,
                first,
                codes,
                wraps: map == Map::Wrap,
            }
        }
    };
    Choices {
        select: part.select.and((choice.select != Choice::ANY).then_some(choice.select)),
        fields: choice.fields.iter().map(Field::from).collect(),
        writable: choice.writable,
        illegal: (!choice.illegal.is_empty()).then_some(choice.illegal),
        what,
    }
}

fn swizzles(code: SwizzleCode) -> Swizzles {
    match code {
        SwizzleCode::Listed(all) => Swizzles::Listed(all.iter().map(|swizzle| swizzle.to_string()).collect()),
        SwizzleCode::XLow | SwizzleCode::XHigh => Swizzles::Any("any"),
    }
}

/// The fields of numbers that several operands fill, with the operands' names.
fn shared(op: &Op) -> Vec<Shared> {
    let fields =
        |part: &Part| part.choices.iter().flat_map(|choice| choice.fields).copied().collect::<Vec<_>>();
    let mut all: Vec<(gpuzoo_isa::Field, Vec<&str>)> = Vec::new();
    for part in op.parts {
        for own in fields(part) {
            match all.iter_mut().find(|(known, _)| *known == own) {
                Some((_, names)) if names.contains(&part.name) => {}
                Some((_, names)) => names.push(part.name),
                None => all.push((own, vec![part.name])),
            }
        }
    }
    let several = all.into_iter().filter(|(_, names)| names.len() > 1);
    several.map(|(own, operands)| Shared { field: (&own).into(), operands }).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Registry;
    use serde_json::{Value as Json, json};

    fn of(id: &str, name: &str) -> Json {
        let isa = Registry::default().shader_unit(Some(id), "").unwrap().isa();
        serde_json::to_value(details(isa, isa.op(name).unwrap())).unwrap()
    }

    /// What a register allocator asks.
    #[test]
    fn the_operands_say_what_a_compiler_asks() {
        let add = of("servaru", "ADD");
        let [dst, a, _] = &add["operands"].as_array().unwrap()[..] else { panic!("{add}") };
        assert_eq!((&dst["role"], &dst["mask"]["highest_bit_is_x"]), (&json!("write"), &json!(false)));
        let files: Vec<_> = a["choices"].as_array().unwrap().iter().map(|choice| &choice["file"]).collect();
        assert_eq!(files[..3], [&json!("temporary"), &json!("shared register"), &json!("uniform")]);
        assert_eq!(a["choices"][2]["first"], 256);
        assert_eq!((&a["choices"][2]["prefix"], &a["choices"][2]["count"]), (&json!("U"), &json!(128)));
        assert_eq!(a["choices"][3]["illegal"], "which is unmapped");
        assert_eq!(a["choices"][4]["kind"], "values");
        assert_eq!(a["swizzles"].as_array().unwrap().len(), 8);
        assert_eq!(of("servaru", "RCP")["operands"][1]["scalar"], true);
        assert_eq!(
            of("servaru", "TEX")["operands"][2]["choices"][0]["codes"],
            json!([0, 0x780, 0x800, 0x840])
        );

        let mulm = of("dreambox", "mulm");
        assert_eq!(
            (&mulm["operands"][0]["role"], &mulm["operands"][1]["registers"]),
            (&json!("read_write"), &json!(4))
        );

        let values = &of("picogpu", "finit")["operands"][1]["choices"][0];
        assert_eq!((&values["most"], values["fields"].as_array().unwrap().len()), (&json!(4), 4));
        assert_eq!(of("picogpu", "fmax")["forms"], json!(["fmax dst.mask a"]));
        assert_eq!(of("picogpu", "lduni")["example"], Json::Null);

        // The NV2A's sources share their input and their constant; its destinations are written in one place.
        let mad = of("nv2a", "mad");
        let shared: Vec<_> =
            mad["shared"].as_array().unwrap().iter().map(|field| &field["operands"]).collect();
        assert_eq!(shared, [&json!(["a", "b", "c"]), &json!(["a", "b", "c"])]);
        assert_eq!((&mad["operands"][0]["place"], &mad["operands"][1]["place"]), (&json!(0), &json!(0)));
        assert_eq!(mad["operands"][2]["relative"]["file"], "constant");
    }
}
