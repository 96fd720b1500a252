//! Programs as JSON: words and, in an object as [`emit`](crate::emit) writes it, the names and values of constants.

use super::words::is_hex;
use crate::codes::{BAD_WORDS, JSON_SHAPE};
use gpuzoo_diag::{Diagnostic, File};
use gpuzoo_ir::Vec4;
use gpuzoo_isa::{COMPONENTS, Constant, FileKind, Isa, Mask, MatrixOrder, Reg};
use gpuzoo_machine::json;
use gpuzoo_machine::options::settings::{Setting, Table, Value};

/// The words of a JSON text: a list of hexadecimal texts or numbers (lists in it are flattened), or an object that
/// has such a list as `words` or `slots`; and what it has as `constants`.
///
/// # Errors
/// `G0204` for what is not JSON, `G0205` for another shape, `G0210` for what is not a word.
pub(super) fn read(isa: &Isa, file: &File) -> Result<(Vec<u32>, Vec<Constant>), Diagnostic> {
    let setting = json::parse(file)?;
    let (list, constants) = match &setting.value {
        Value::Table(table) => {
            let list = table.get("words").or_else(|| table.get("slots"));
            let list = list.ok_or_else(|| wrong(&setting, "there is no `words` here"))?;
            (list, table.get("constants"))
        }
        _ => (&setting, None),
    };
    let mut words = Vec::new();
    collect(file, list, &mut words)?;
    let constants = constants.map_or(Ok(Vec::new()), |list| {
        let Value::List(list) = &list.value else { return Err(wrong(list, "expected a list of constants")) };
        list.iter().map(|own| constant(isa, file, own)).collect()
    })?;
    Ok((words, constants))
}

fn wrong(setting: &Setting, message: &str) -> Diagnostic {
    Diagnostic::error(&JSON_SHAPE, message).label(setting.span, "")
}

fn collect(file: &File, setting: &Setting, words: &mut Vec<u32>) -> Result<(), Diagnostic> {
    if let Value::List(list) = &setting.value {
        return list.iter().try_for_each(|setting| collect(file, setting, words));
    }
    words.push(word(file, setting)?);
    Ok(())
}

fn word(file: &File, setting: &Setting) -> Result<u32, Diagnostic> {
    let word = match &setting.value {
        Value::Int(int) => u32::try_from(*int).ok(),
        Value::Text(text) => {
            let digits = text.strip_prefix("0x").unwrap_or(text);
            is_hex(digits).then(|| u32::from_str_radix(digits, 16).ok()).flatten()
        }
        _ => None,
    };
    word.ok_or_else(|| {
        let shown = file.slice(setting.span);
        let problem = Diagnostic::error(&BAD_WORDS, format!("`{shown}` is not a 32-bit word"));
        problem.label(setting.span, "").help("a word is a text, `\"0000003f\"`, or a number")
    })
}

/// One of `constants`: `{"name": "mvp", "register": "c96", "count": 4, "components": "xyzw", "values": []}`.
fn constant(isa: &Isa, file: &File, setting: &Setting) -> Result<Constant, Diagnostic> {
    let Value::Table(table) = &setting.value else { return Err(wrong(setting, "expected a constant")) };
    let form = "`emit json` writes `{\"name\": \"mvp\", \"register\": \"c96\", \"count\": 4, \"components\": \"xyzw\", \"values\": []}`";
    let shaped = |setting: &Setting, message: &str| wrong(setting, message).help(form);
    let name = match table.get("name").map(|own| (own, &own.value)) {
        None => None,
        Some((_, Value::Text(name))) => Some(name.clone()),
        Some((own, _)) => return Err(shaped(own, "a name is a text")),
    };
    let reg = register(isa, setting, table).map_err(|problem| problem.help(form))?;
    let room = isa.file(reg).count - reg.index;
    let count = match table.get("count").map(|own| (own, &own.value)) {
        None => 1,
        Some((own, Value::Int(count))) => u16::try_from(*count)
            .ok()
            .filter(|count| (1..=room).contains(count))
            .ok_or_else(|| shaped(own, &format!("from this register on there are {room}")))?,
        Some((own, _)) => return Err(shaped(own, "how many registers there are is a number")),
    };
    let mask = match table.get("components").map(|own| (own, &own.value)) {
        None => Mask::ALL,
        Some((own, Value::Text(letters))) => {
            let bit = |letter: char| COMPONENTS.iter().position(|known| *known == letter).map(|at| 1 << at);
            let bits = letters.chars().try_fold(0u8, |mask, letter| Some(mask | bit(letter)?));
            Mask(
                bits.filter(|bits| *bits != 0)
                    .ok_or_else(|| shaped(own, "components are of x, y, z and w"))?,
            )
        }
        Some((own, _)) => return Err(shaped(own, "components are a text of x, y, z and w")),
    };
    let values = match table.get("values").map(|own| (own, &own.value)) {
        None => Vec::new(),
        Some((own, Value::List(rows))) => {
            if rows.len() > usize::from(count) {
                return Err(shaped(own, &format!("there are {count} registers and {} values", rows.len())));
            }
            rows.iter().map(|row| value(file, row)).collect::<Result<_, _>>()?
        }
        Some((own, _)) => return Err(shaped(own, "values are a list")),
    };
    let matrix = match table.get("matrix").map(|order| (order, &order.value)) {
        None => None,
        Some((order, Value::Text(name))) => Some(
            MatrixOrder::from_name(name)
                .ok_or_else(|| shaped(order, "the order of a matrix is `rows` or `columns`"))?,
        ),
        Some((order, _)) => return Err(shaped(order, "the order of a matrix is `rows` or `columns`")),
    };
    Ok(Constant { name, reg, count, mask, values, matrix, span: setting.span })
}

/// The first register of a constant.
fn register(isa: &Isa, whole: &Setting, table: &Table) -> Result<Reg, Diagnostic> {
    let own = table.get("register").ok_or_else(|| wrong(whole, "a constant needs a `register`"))?;
    let Value::Text(name) = &own.value else { return Err(wrong(own, "a register is a text")) };
    let reg = isa.reg(name).filter(|reg| isa.file(*reg).kind == FileKind::Constant);
    reg.ok_or_else(|| wrong(own, &format!("the machine has no constant `{name}`")))
}

/// The bits of a register's components.
fn value(file: &File, setting: &Setting) -> Result<Vec4, Diagnostic> {
    match &setting.value {
        Value::List(list) if list.len() == 4 => {
            let mut bits = [0; 4];
            for (own, component) in bits.iter_mut().zip(list) {
                *own = word(file, component)?;
            }
            Ok(bits)
        }
        _ => Err(wrong(setting, "expected the bits of four components")),
    }
}
