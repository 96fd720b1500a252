//! Constants: from arguments, tables and JSON.

mod tables;

use super::records;
use super::registers::{file, kept_output};
use crate::Program;
use crate::codes::{BAD_ARGUMENT, JSON_SHAPE, RAW_CONSTANTS, UNKNOWN_REGISTER};
use crate::value::{self, bad_number};
use gpuzoo_diag::{Diagnostic, File, Span, counted, suggest};
use gpuzoo_ir::Vec4;
use gpuzoo_isa::{FileKind, Isa, Mask, Reg};
use gpuzoo_machine::options::settings::{Setting, Value};
use gpuzoo_machine::{ShaderUnit, json};
use std::ops::Range;

/// Constants by number, and which of them were given.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Constants {
    /// The values; zeros where none was given.
    pub values: Vec<Vec4>,
    /// The numbers of those that were given.
    pub given: Vec<u16>,
    /// The components that were given of each value.
    masks: Vec<Mask>,
    /// Those that were given by name, each on purpose: the name, and the numbers of its registers.
    pub named: Vec<(String, Range<u16>)>,
}

impl Constants {
    /// The values that a program's own text gives.
    pub fn of_program(program: &gpuzoo_isa::Program) -> Constants {
        let mut constants = Constants::default();
        program.defined().for_each(|(index, value)| constants.set(index, value));
        constants
    }

    /// Sets a constant; a later value replaces an earlier one.
    pub fn set(&mut self, index: u16, value: Vec4) {
        self.set_part(index, Mask::ALL, value);
    }

    /// Sets components of a constant to the first ones of a value.
    pub(super) fn set_part(&mut self, index: u16, mask: Mask, value: Vec4) {
        let at = index as usize;
        if self.values.len() <= at {
            self.values.resize(at + 1, [0; 4]);
            self.masks.resize(at + 1, Mask(0));
        }
        self.values[at] = mask.put(self.values[at], value);
        self.masks[at].0 |= mask.0;
        if !self.given.contains(&index) {
            self.given.push(index);
        }
    }

    /// Notes that registers are given by a name.
    fn name(&mut self, name: &str, first: u16, count: u16) {
        self.named.push((name.to_owned(), first..first.saturating_add(count)));
    }

    /// The same of registers that may be anywhere.
    fn name_all(&mut self, name: &str, registers: &[(u16, Mask)]) {
        let first = registers.iter().map(|(index, _)| *index).min().unwrap_or_default();
        let end = registers.iter().map(|(index, _)| index.saturating_add(1)).max().unwrap_or(first);
        self.named.push((name.to_owned(), first..end));
    }

    /// Reads an argument, `c4=1,0,0,1`; the constant is named as the program's text does. A name of several registers, a matrix or an array,
    /// takes the numbers of all of them, too: `normals=1,0,0,0,1,0,0,0,1`.
    ///
    /// # Errors
    /// `G0108`, `G0203` or `G0206`, with a span of `text`.
    pub fn argument(&mut self, program: &Program, text: &File) -> Result<(), Diagnostic> {
        let (whole, at, components) = split(text)?;
        let name = whole.trim();
        let registers = registers(program, name).map_err(|problem| problem.at(text.span(0..whole.len())))?;
        let cells: Vec<&str> = components.split(',').collect();
        let Some(sizes) = sizes(&registers, cells.len()) else {
            let ([(index, mask), ..], Ok(_)) = (&registers[..], find(program, name)) else {
                let (count, all) = (registers.len(), count_of(&registers));
                let message = format!(
                    "`{name}` has {all} numbers in {}, this has {}",
                    counted(count, "register"),
                    cells.len()
                );
                let problem =
                    Diagnostic::error(&BAD_ARGUMENT, message).label(text.span(at..text.text().len()), "");
                return Err(problem.help("give all of them, or one element by its name"));
            };
            let value = components_of(text, at, components, *mask).map_err(|problem| {
                match program.code().uniform_registers(name).map_or(1, |own| own.len()) {
                    0 | 1 => problem,
                    room => problem
                        .help(format!("`{name}` has {room} registers: give the first one, or all of them")),
                }
            })?;
            self.set_part(*index, *mask, value);
            self.name(name, *index, 1);
            return Ok(());
        };
        let (mut at, mut rest) = (at, cells.as_slice());
        for ((index, mask), size) in registers.iter().zip(sizes) {
            let (cells, others) = rest.split_at(size.min(rest.len()));
            rest = others;
            let row = cells.join(",");
            self.set_part(*index, *mask, components_of(text, at, &row, *mask)?);
            at += row.len() + 1;
        }
        self.name_all(name, &registers);
        Ok(())
    }

    /// Takes a value for an output, `oD0=1,0,0,1`: what it holds before the program.
    ///
    /// # Errors
    /// `G0108`, `G0203`, `G0206` or `G0218`, with a span of `text`.
    pub fn output(gpu: &dyn ShaderUnit, text: &File) -> Result<(Reg, Vec4), Diagnostic> {
        let (name, at, components) = split(text)?;
        let reg = kept_output(gpu, name.trim());
        let reg = reg.map_err(|problem| problem.at(text.span(0..name.len())))?;
        Ok((reg, components_of(text, at, components, Mask::ALL)?))
    }

    /// Reads what is in the machine's memory: four floats a constant, lowest byte first, from the machine's constant 0 on.
    ///
    /// # Errors
    /// `G0219` if the bytes are not whole constants, or more than the machine has.
    pub fn raw(&mut self, isa: &Isa, bytes: &[u8], span: Span) -> Result<(), Diagnostic> {
        let most =
            file(isa, |kind| kind == FileKind::Constant).map_or(0, |(_, file)| usize::from(file.count));
        let (constants, rest) = bytes.as_chunks::<16>();
        if !rest.is_empty() || constants.len() > most {
            let message = format!(
                "up to {most} constants of 16 bytes are wanted, not {}",
                counted(bytes.len(), "byte")
            );
            return Err(Diagnostic::error(&RAW_CONSTANTS, message).label(span, ""));
        }
        for (index, constant) in (0..).zip(constants) {
            let (components, _) = constant.as_chunks::<4>();
            self.set(index, std::array::from_fn(|component| u32::from_le_bytes(components[component])));
        }
        Ok(())
    }

    /// Takes over the constants that `other` gives. Those win.
    pub fn merge(&mut self, other: &Constants) {
        for &index in &other.given {
            let (value, mask) = (other.values[usize::from(index)], other.masks[usize::from(index)]);
            let mut packed = [0; 4];
            let own = (0..4u8).filter(|component| mask.has(*component));
            own.zip(&mut packed).for_each(|(component, own)| *own = value[usize::from(component)]);
            self.set_part(index, mask, packed);
        }
        self.named.extend_from_slice(&other.named);
    }

    /// Turns the order of the components round, from x, y, z, w to w, z, y, x.
    pub fn reverse_components(&mut self) {
        self.values.iter_mut().for_each(|value| value.reverse());
    }

    /// Reads JSON: `{"c4": [x, y, z, w], …}`, or a list of four components each, from the program's constant 0 on; or one of these as
    /// `constants` of an object that has `vertices`, too. A name may have a list of such lists: the rows of a matrix, which are
    /// successive constants.
    ///
    /// # Errors
    /// The first mistake.
    pub fn json(&mut self, program: &Program, text: &File) -> Result<(), Diagnostic> {
        let whole = json::parse(text)?;
        let Some(whole) = records::part(&whole, records::CONSTANTS)? else { return Ok(()) };
        let four = |setting: &Setting, mask: Mask| match &setting.value {
            Value::List(list) if list.len() != 4 && list.len() != mask.0.count_ones() as usize => {
                let message = format!("a constant has four components, this one {}", list.len());
                Err(Diagnostic::error(&JSON_SHAPE, message).label(setting.span, ""))
            }
            _ => records::components(text, setting),
        };
        match &whole.value {
            Value::Table(table) => {
                for (name, span, setting) in &table.entries {
                    let registers = registers(program, name).map_err(|problem| problem.at(*span))?;
                    let is_row = |row: &Setting| matches!(row.value, Value::List(_));
                    let rows = match &setting.value {
                        Value::List(rows) if rows.iter().any(is_row) => rows.as_slice(),
                        _ => std::slice::from_ref(setting),
                    };
                    if rows.len() > registers.len() {
                        let message = format!(
                            "the rows are {}, and `{name}` has {}",
                            counted(rows.len(), "constant"),
                            registers.len()
                        );
                        return Err(Diagnostic::error(&JSON_SHAPE, message).label(setting.span, ""));
                    }
                    for ((index, mask), row) in registers.iter().zip(rows) {
                        self.set_part(*index, *mask, four(row, *mask)?);
                    }
                    self.name_all(name, &registers[..rows.len()]);
                }
            }
            Value::List(list) => {
                for (index, setting) in list.iter().enumerate() {
                    let found = find(program, &index.to_string());
                    let index = found.map_err(|problem| problem.at(setting.span))?;
                    self.set(index, four(setting, Mask::ALL)?);
                }
            }
            _ => {
                let message = "expected an object or a list of constants";
                return Err(Diagnostic::error(&JSON_SHAPE, message).label(whole.span, ""));
            }
        }
        Ok(())
    }
}

impl Program {
    /// The constants to which the program gives values and names.
    pub fn constants(&self) -> Constants {
        Constants::of_program(self.code())
    }
}

/// The registers of a constant that is named as the program's text does, each with the components that are the name's own; those up
/// to the machine's last if the name is a number.
///
/// # Errors
/// `G0206` if there is none.
pub(super) fn registers(program: &Program, name: &str) -> Result<Vec<(u16, Mask)>, Diagnostic> {
    let code = program.code();
    if let Some(registers) = code.uniform_registers(name) {
        return Ok(registers);
    }
    let first = find(program, name)?;
    let room = code.constants_from(program.isa(), name, first).max(1);
    Ok((first..first.saturating_add(room)).map(|index| (index, Mask::ALL)).collect())
}

/// The machine's number of a constant that is named as the program's text does.
///
/// # Errors
/// `G0206` if there is none.
pub fn find(program: &Program, name: &str) -> Result<u16, Diagnostic> {
    let (code, isa) = (program.code(), program.isa());
    code.constant(isa, name).ok_or_else(|| {
        let problem = Diagnostic::error(&UNKNOWN_REGISTER, format!("there is no constant `{name}`"));
        let problem = match suggest::nearest(name, code.uniforms().map(|(name, _)| name)) {
            Some(near) => problem.help(format!("did you mean `{near}`?")),
            None => problem,
        };
        problem.help(code.constants_help(isa))
    })
}

/// The parts of `NAME=X,Y,Z,W`: the name, where the components begin, and the components.
fn split(text: &File) -> Result<(&str, usize, &str), Diagnostic> {
    let whole = text.text();
    let Some((name, components)) = whole.split_once('=') else {
        let problem = Diagnostic::error(&BAD_ARGUMENT, format!("`{whole}` is not NAME=X,Y,Z,W"));
        return Err(problem.label(text.whole(), "").help("for example `c4=1,0,0,1`"));
    };
    Ok((name, name.len() + 1, components))
}

/// How many numbers some registers have of their own.
fn count_of(registers: &[(u16, Mask)]) -> usize {
    registers.iter().map(|(_, mask)| mask.0.count_ones() as usize).sum()
}

/// How many of so many numbers each of several registers gets: those that are its own, or four. None if that does not come out even.
fn sizes(registers: &[(u16, Mask)], numbers: usize) -> Option<Vec<usize>> {
    let own = registers.iter().map(|(_, mask)| mask.0.count_ones() as usize);
    match registers.len() {
        0 | 1 => None,
        _ if numbers == count_of(registers) => Some(own.collect()),
        count if numbers == count * 4 => Some(vec![4; count]),
        _ => None,
    }
}

/// The components of a value: those that a name has, or four, of which the others are zeros.
fn components_of(text: &File, mut at: usize, components: &str, mask: Mask) -> Result<Vec4, Diagnostic> {
    let cells: Vec<&str> = components.split(',').collect();
    let wanted = mask.0.count_ones() as usize;
    if cells.len() != wanted && cells.len() != 4 {
        let message = match wanted {
            4 => format!("a register has four components, this one {}", cells.len()),
            _ => format!("this has {}, not {}", counted(wanted, "component"), cells.len()),
        };
        let problem = Diagnostic::error(&BAD_ARGUMENT, message);
        return Err(problem.label(text.span(at..text.text().len()), ""));
    }
    let mut value = [0; 4];
    for (component, cell) in value.iter_mut().zip(cells) {
        *component = value::parse(cell.trim()).ok_or_else(|| bad_number(text, at, cell))?;
        at += cell.len() + 1;
    }
    // What lies beside the name's own components is another's.
    if value[wanted..].iter().any(|bits| bits << 1 != 0) {
        let message = format!("this has {}, not 4", counted(wanted, "component"));
        return Err(Diagnostic::error(&BAD_ARGUMENT, message)
            .label(text.whole(), "")
            .help("further numbers must be 0"));
    }
    Ok(value)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Registry;
    use crate::registry::unit;
    use crate::run::Names;
    use gpuzoo_ir::vec4;
    use gpuzoo_isa::Assembled;

    fn program(code: gpuzoo_isa::Program) -> Program {
        Program::of(unit(), Assembled { program: code, diagnostics: Vec::new() }).unwrap()
    }

    #[test]
    fn all_forms_say_the_same() {
        let program = &program(gpuzoo_isa::Program::default());
        let expected = [vec4([0.0; 4]), vec4([1.0, 0.5, -2.0, f32::INFINITY])];
        let mut constants = Constants::default();
        constants.argument(program, &File::new("-c", "c1=1, 0x3f000000, -2, inf")).unwrap();
        assert_eq!((constants.values.as_slice(), constants.given.as_slice()), (&expected[..], &[1][..]));

        let mut constants = Constants::default();
        constants.json(program, &File::new("c", r#"{"c1": [1, 0.5, -2, "inf"]}"#)).unwrap();
        assert_eq!(constants.values, expected);
        let mut constants = Constants::default();
        constants.json(program, &File::new("c", r#"[[0, 0, 0, 0], [1, 0.5, -2, "inf"]]"#)).unwrap();
        assert_eq!((constants.values.as_slice(), constants.given.as_slice()), (&expected[..], &[0, 1][..]));

        let mut constants = Constants::default();
        assert_eq!(
            constants.csv(program, &File::new("c", "name,x,y,z,w\n1,1,0.5,-2,inf\n"), &Names::default()),
            []
        );
        assert_eq!(constants.values, expected);
    }

    /// As RenderDoc's buffer viewer writes them: a variable with parts has no value, names of elements may be numbers.
    #[test]
    fn buffers_of_renderdoc_are_read() {
        let program = &program(gpuzoo_isa::Program::default());
        let text = "Name,Value,Byte Offset,Type\n\
            mvp,,0,float4x4 (row_major)\n\
            mvp.row0,\"1.00, 0.00, 0.00, 0.50\",,float4\n\
            mvp.row1,\"0.00, 2.00, 0.00, 0.00\",,float4\n\
            light,\"0.5, -0.5, NaN\",64,float3\n\
            rows,,80,float4[2]\n\
            [0],\"1, 2, 3, 4\",80,float4\n\
            [1],\"5, 6, 7, 8\",96,float4\n\
            c3,\"9, 9, 9, 9\",112,float4\n";
        let file = File::new("cb.csv", text);
        let names = |given: &[&str]| {
            let mut names = Names::default();
            given.iter().for_each(|name| names.add(program, &File::new("--rename", name)).unwrap());
            names
        };
        let mut constants = Constants::default();
        let given = names(&["mvp=c5", "light=c1", "rows=c9"]);
        assert_eq!(constants.csv(program, &file, &given), []);
        assert_eq!(constants.given, [5, 6, 1, 9, 10, 3]);
        assert_eq!(constants.values[5..7], [[1.0, 0.0, 0.0, 0.5], [0.0, 2.0, 0.0, 0.0]].map(vec4));
        assert_eq!(constants.values[1], [0x3f00_0000, 0xbf00_0000, gpuzoo_ir::NAN, 0]);
        assert_eq!(constants.values[9..], [[1.0, 2.0, 3.0, 4.0], [5.0, 6.0, 7.0, 8.0]].map(vec4));
        assert_eq!(given.without_variable(&constants.named), None);
        let missing = names(&["mvq=c5"]).without_variable(&constants.named).unwrap();
        assert_eq!(missing.help[0], "did you mean `mvp`?");

        let mut none = Constants::default();
        let file = File::new("cb.csv", &text.replace("c3", "d3"));
        let problems = none.csv(program, &file, &Names::default());
        assert_eq!((problems.len(), problems[0].code.id), (1, "G0201"));
        assert_eq!(problems[0].help[1], "the buffer has `mvp`, `light`, `rows` and `d3`");
        for (text, map, code, at) in [
            ("a\n", "a=c0", "G0202", 28),
            ("a,\"1, x\",0,float2\n", "a=c0", "G0203", 34),
            ("a,\"1, 2, 3, 4, 5\",0,f\n", "a=c0", "G0203", 43),
            ("a,,0,f\n[0],1,0,f\n[1],2,0,f\n", "a=c15", "G0202", 28),
        ] {
            let file = File::new("cb.csv", &format!("Name,Value,Byte Offset,Type\n{text}"));
            let problems = Constants::default().csv(program, &file, &names(&[map]));
            assert_eq!((problems[0].code.id, problems[0].span().unwrap().start), (code, at), "{text}");
        }
    }

    /// A matrix of three columns, each of three numbers.
    #[test]
    fn a_matrix_is_given_in_one_argument() {
        let named = gpuzoo_isa::Constant {
            name: Some("m".to_owned()),
            reg: Reg { file: 2, index: 1 },
            count: 3,
            mask: Mask(7),
            values: Vec::new(),
            matrix: None,
            span: Span::default(),
        };
        let program = &program(gpuzoo_isa::Program { constants: vec![named], ..Default::default() });
        let given = |text: &str| {
            let mut constants = Constants::default();
            constants.argument(program, &File::new("-c", text)).map(|()| constants.values)
        };
        let rows = |rows: [[f32; 4]; 3]| [&[[0; 4]][..], &rows.map(vec4)].concat();
        let expected = rows([[1.0, 2.0, 3.0, 0.0], [4.0, 5.0, 6.0, 0.0], [7.0, 8.0, 9.0, 0.0]]);
        assert_eq!(given("m=1,2,3,4,5,6,7,8,9").unwrap(), expected);
        assert_eq!(given("m=1,2,3,0,4,5,6,0,7,8,9,0").unwrap(), expected);
        assert_eq!(given("m=1,2,3").unwrap(), [[0; 4], vec4([1.0, 2.0, 3.0, 0.0])]);
        let problem = given("m=1,2,3,4,5,6").unwrap_err();
        assert!(problem.help.iter().any(|help| help.contains("`m` has 3 registers")), "{problem:?}");
        assert!(given("m=1,2,3,4,5,x,7,8,9").is_err());
    }

    /// Lights of a point, a number and a colour, and bones of two columns: elements have names of their own.
    #[test]
    fn arrays_are_given_by_their_elements_or_whole() {
        let own = |name: &str, index, count, mask| gpuzoo_isa::Constant {
            name: Some(name.to_owned()),
            reg: Reg { file: 2, index },
            count,
            mask: Mask(mask),
            values: Vec::new(),
            matrix: None,
            span: Span::default(),
        };
        let lights = [0, 1].map(|light: u16| {
            let part = |part: &str, index, mask| own(&format!("lights[{light}].{part}"), index, 1, mask);
            [part("at", light * 2, 7), part("power", light * 2, 8), part("color", light * 2 + 1, 7)]
        });
        let bones = [own("bones[0]", 4, 2, 15), own("bones[1]", 6, 2, 15)];
        let constants = lights.into_iter().flatten().chain(bones).collect();
        let program = &program(gpuzoo_isa::Program { constants, ..Default::default() });
        let given = |text: &str| {
            let mut constants = Constants::default();
            constants.argument(program, &File::new("-c", text)).map(|()| constants.values)
        };
        assert_eq!(given("lights[1].power=5").unwrap()[2], vec4([0.0, 0.0, 0.0, 5.0]));
        assert_eq!(given("lights[1].color=1,2,3").unwrap(), given("lights[1].color=1,2,3,0").unwrap());
        let all = given("lights=1,2,3,4,5,6,7,8,9,10,11,12,13,14").unwrap();
        let rows =
            [[1.0, 2.0, 3.0, 4.0], [5.0, 6.0, 7.0, 0.0], [8.0, 9.0, 10.0, 11.0], [12.0, 13.0, 14.0, 0.0]];
        assert_eq!(all, rows.map(vec4));
        for text in ["lights=1,2,3", "lights[1].color=1,2,3,4", "lights[0].power=1,2"] {
            assert_eq!(given(text).unwrap_err().code.id, "G0108", "{text}");
        }
        for text in ["lights[2].power=1", "lights[1]x=1", "bones[2]=1,2,3,4", "bones[1][2]=1,2,3,4"] {
            assert_eq!(given(text).unwrap_err().code.id, "G0206", "{text}");
        }
        assert_eq!(given("bones[1][1]=1,2,3,4").unwrap()[7], vec4([1.0, 2.0, 3.0, 4.0]));
        assert_eq!(given("bones[1]=1,2,3,4,5,6,7,8").unwrap()[7], vec4([5.0, 6.0, 7.0, 8.0]));
        assert_eq!(find(program, "bones"), Ok(4));
        let mut constants = Constants::default();
        let text = r#"{"bones": [[1, 2, 3, 4], [5, 6, 7, 8], [9, 10, 11, 12]], "lights[1].at": [1, 2, 3]}"#;
        constants.json(program, &File::new("c", text)).unwrap();
        assert_eq!(constants.values[6], vec4([9.0, 10.0, 11.0, 12.0]));
        assert_eq!(constants.values[2], vec4([1.0, 2.0, 3.0, 0.0]));
        let five = r#"{"bones": [[1, 2, 3, 4], [5, 6, 7, 8], [9, 0, 1, 2], [1, 2, 3, 4], [1, 2, 3, 4]]}"#;
        let problem = constants.json(program, &File::new("c", five)).unwrap_err();
        assert_eq!(problem.code.id, "G0205");
    }

    #[test]
    fn memory_is_read_in_either_order() {
        let isa = unit().isa();
        let bytes: Vec<u8> = (0..8).flat_map(|component| (component as f32).to_le_bytes()).collect();
        let mut constants = Constants::default();
        constants.raw(isa, &bytes, Span::default()).unwrap();
        assert_eq!(constants.values, [vec4([0.0, 1.0, 2.0, 3.0]), vec4([4.0, 5.0, 6.0, 7.0])]);
        constants.reverse_components();
        assert_eq!(constants.values, [vec4([3.0, 2.0, 1.0, 0.0]), vec4([7.0, 6.0, 5.0, 4.0])]);
        let mut merged = Constants::default();
        merged.argument(&program(gpuzoo_isa::Program::default()), &File::new("-c", "c2=1,1,1,1")).unwrap();
        merged.merge(&constants);
        assert_eq!((merged.given, merged.values[2]), (vec![2, 0, 1], vec4([1.0; 4])));
        for bytes in [&bytes[..17], &[0; 17 * 16]] {
            let problem = Constants::default().raw(isa, bytes, Span::default()).unwrap_err();
            assert_eq!(problem.code.id, "G0219");
        }
    }

    #[test]
    fn outputs_are_named() {
        let gpu = Registry::default().shader_unit(Some("nv2a"), "").unwrap();
        let output = |gpu, text| Constants::output(gpu, &File::new("--output-start", text));
        assert_eq!(
            output(gpu, "oD0=0,0,0.5,1"),
            Ok((gpu.isa().reg("oD0").unwrap(), vec4([0.0, 0.0, 0.5, 1.0])))
        );
        assert_eq!(output(gpu, "c0=0,0,0.5,1").unwrap_err().code.id, "G0206");
        assert_eq!(output(gpu, "oD0=0").unwrap_err().code.id, "G0108");
        assert_eq!(output(unit(), "col=0,0,0,1").unwrap_err().code.id, "G0218");
    }

    #[test]
    fn a_program_brings_its_own() {
        use gpuzoo_isa::{Constant, Reg};
        let constant = |name: Option<&str>, index, values: Vec<Vec4>| Constant {
            name: name.map(str::to_owned),
            reg: Reg { file: 2, index },
            count: 2,
            mask: Mask::ALL,
            values,
            matrix: None,
            span: Span::default(),
        };
        let own = vec![constant(Some("light"), 3, vec![]), constant(None, 5, vec![[1; 4], [2; 4]])];
        let program = program(gpuzoo_isa::Program { constants: own, ..gpuzoo_isa::Program::default() });
        let mut constants = program.constants();
        assert_eq!((constants.given.as_slice(), constants.values[6]), (&[5, 6][..], [2; 4]));
        constants.argument(&program, &File::new("-c", "light=0,0,0,1")).unwrap();
        assert_eq!(constants.values[3], vec4([0.0, 0.0, 0.0, 1.0]));
        // Rows of a matrix, by its name or from a number on.
        for name in ["light", "c3"] {
            let text = format!("{{\"{name}\": [[1, 2, 3, 4], [5, 6, 7, 8]]}}");
            constants.json(&program, &File::new("c", &text)).unwrap();
            assert_eq!(constants.values[3..5], [[1.0, 2.0, 3.0, 4.0], [5.0, 6.0, 7.0, 8.0]].map(vec4));
        }
        for rows in
            ["\"light\": [[1, 2, 3, 4], [5, 6, 7, 8], [9, 0, 1, 2]]", "\"c15\": [[1, 2, 3, 4], [5, 6, 7, 8]]"]
        {
            let problem = constants.json(&program, &File::new("c", &format!("{{{rows}}}"))).unwrap_err();
            assert_eq!(problem.code.id, "G0205", "{rows}");
        }
    }

    #[test]
    fn mistakes_are_shown_where_they_stand() {
        let program = &program(gpuzoo_isa::Program::default());
        let mut constants = Constants::default();
        for (text, code, at) in [
            ("c4", "G0108", 0),
            ("c99=1,2,3,4", "G0206", 0),
            ("c4=1,2,3", "G0108", 3),
            ("c4=1,x,3,4", "G0203", 5),
        ] {
            let problem = constants.argument(program, &File::new("-c", text)).unwrap_err();
            assert_eq!((problem.code.id, problem.span().unwrap().start), (code, at), "{text}");
        }
        for (text, code, at) in
            [("1", "G0205", 0), ("[[1]]", "G0205", 1), ("{\"r0\": [1, 2, 3, 4]}", "G0206", 2)]
        {
            let problem = constants.json(program, &File::new("c", text)).unwrap_err();
            assert_eq!((problem.code.id, problem.span().unwrap().start), (code, at), "{text}");
        }
        for (text, code, at) in [
            ("", "G0201", 0),
            ("name,x,y,z,w\nc0,1\n", "G0202", 13),
            ("name,x,y,z,w\nc0,1,2,3,?\n", "G0203", 22),
        ] {
            let problems = constants.csv(program, &File::new("c", text), &Names::default());
            assert_eq!((problems[0].code.id, problems[0].span().unwrap().start), (code, at), "{text}");
        }
        assert_eq!(constants, Constants::default());
    }
}
