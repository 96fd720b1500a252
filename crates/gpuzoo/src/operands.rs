//! The operands of instructions as data, for compilers: what may be in each, and what each binds.

use gpuzoo_isa::{Choice, Field, Isa, Kind, Map as Numbers, Op, Part, Role, SwizzleCode};
use serde_json::{Map, Value as Json, json};

/// What `list ops --json` says of an instruction beside the columns of the table.
///
/// `operands` has them as they are written; two with the same `place` are written in one place, and at most one of them is
/// there. Each has
///
/// - `role`: `read`, `write`, `read_write`, or `modify` for a swizzle or mask that is a word of its own, about the operand
///   with the same `operand` before it;
/// - `choices`: registers of a file, values, or none at all. Registers are called `prefix` and a number below `count`, or
///   have `names`, `-` for one that does not exist. `first` is the number that register 0 has in the fields; `codes` are
///   the numbers of the registers, one by one; `wraps` means that higher numbers begin anew;
/// - `swizzles`: `any`, or those that there are; `scalar` if one component is read; `mask`, `negate`, `abs`: the fields;
/// - `registers`: how many are read, from the named one on;
/// - `relative`: the file to whose numbers the address register can be added.
///
/// `shared` lists the fields that several operands fill: registers that are named by the same bits are the same register.
/// Two instructions of a slot share their fields in the same way. An operand of role `read_write` is a source and the
/// destination, in one register.
pub fn details(isa: &Isa, op: &'static Op) -> Map<String, Json> {
    let mut place = 0;
    let operand = |part: &Part| {
        place += usize::from(!part.instead);
        operand(isa, part, place - 1)
    };
    let operands: Vec<Json> = op.parts.iter().map(operand).collect();
    let details = json!({
        "half": op.half,
        "opcode_field": field(&isa.half_of(op).opcode),
        "internal": op.internal,
        "notes": op.notes,
        "example": isa.example_text(op),
        "forms": isa.forms(op),
        "operands": operands,
        "shared": shared(op),
    });
    match details {
        Json::Object(details) => details,
        _ => Map::new(),
    }
}

fn operand(isa: &Isa, part: &Part, place: usize) -> Json {
    let role = match part.role {
        Role::Read => "read",
        Role::Write => "write",
        Role::ReadWrite => "read_write",
        Role::Modify => "modify",
    };
    let present: Vec<Json> =
        part.present.iter().map(|(of, value)| json!({ "field": field(of), "value": value })).collect();
    json!({
        "name": part.name,
        "operand": part.operand,
        "place": place,
        "role": role,
        "select": part.select.as_ref().map(field),
        "choices": part.choices.iter().map(|choice| self::choice(isa, part, choice)).collect::<Vec<_>>(),
        "mask": part.mask.map(|(of, x_high)| json!({ "field": field(&of), "highest_bit_is_x": x_high })),
        "swizzles": part.swizzle.map(|(_, code)| swizzles(code)),
        "swizzle_field": part.swizzle.map(|(of, _)| field(&of)),
        "scalar": part.scalar,
        "negate": part.negate.as_ref().map(field),
        "abs": part.abs.as_ref().map(field),
        "relative": part.relative.map(|(of, file)| json!({
            "field": field(&of),
            "file": isa.files[usize::from(file)].name,
        })),
        "registers": part.consecutive,
        "present": present,
        "optional": part.optional,
    })
}

fn choice(isa: &Isa, part: &Part, choice: &Choice) -> Json {
    let mut all = json!({
        "select": part.select.and((choice.select != Choice::ANY).then_some(choice.select)),
        "fields": choice.fields.iter().map(field).collect::<Vec<_>>(),
        "writable": choice.writable,
        "illegal": (!choice.illegal.is_empty()).then_some(choice.illegal),
    });
    let what = match choice.kind {
        Kind::Nothing => json!({ "kind": "none" }),
        Kind::Values(values) => json!({
            "kind": "values",
            "what": values.name,
            "most": values.most,
            "count": values.count.as_ref().map(field),
        }),
        Kind::Reg { file, map, bare } => {
            let file = &isa.files[usize::from(file)];
            let (first, codes) = match map {
                Numbers::From(first) => (first, None),
                Numbers::Wrap => (0, None),
                Numbers::Codes(codes) => (0, Some(codes)),
            };
            let count = codes.map_or(usize::from(file.count), <[u16]>::len);
            let names = file.names.get(..count).unwrap_or(file.names);
            json!({
                "kind": "register",
                "file": file.name,
                "prefix": file.prefix,
                "count": count,
                "names": names,
                "written_as_number": bare,
                "first": first,
                "codes": codes,
                "wraps": map == Numbers::Wrap,
            })
        }
    };
    if let (Json::Object(all), Json::Object(what)) = (&mut all, what) {
        all.extend(what);
    }
    all
}

fn swizzles(code: SwizzleCode) -> Json {
    match code {
        SwizzleCode::Listed(all) => all.iter().map(|swizzle| Json::String(swizzle.to_string())).collect(),
        SwizzleCode::XLow | SwizzleCode::XHigh => "any".into(),
    }
}

fn field(field: &Field) -> Json {
    json!({ "name": field.name, "lo": field.lo, "width": field.width })
}

/// The fields of numbers that several operands fill, with the operands' names.
fn shared(op: &Op) -> Vec<Json> {
    let fields =
        |part: &Part| part.choices.iter().flat_map(|choice| choice.fields).copied().collect::<Vec<_>>();
    let mut all: Vec<(Field, Vec<&str>)> = Vec::new();
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
    several.map(|(own, names)| json!({ "field": field(&own), "operands": names })).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Registry;

    fn of(id: &str, name: &str) -> Json {
        let isa = Registry::default().shader_unit(Some(id), "").unwrap().isa();
        Json::Object(details(isa, isa.op(name).unwrap()))
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
