//! What a draw puts into the machine's constants.

use crate::expr::{Expr, Time};
use crate::fields::{self, Fields};
use crate::matrix::{Matrix, normalize};
use crate::transform::{NAMES, Spaces, Transform, at};
use gpuzoo_diag::{Diagnostic, File, Span, counted, suggest};
use gpuzoo_ir::Vec4;
use gpuzoo_isa::{Isa, Mask, Program, list};
use gpuzoo_machine::options::settings::{Setting, Table, Value, wrong_type};
use std::ops::Range;

gpuzoo_diag::codes! {
    NO_SUCH_CONSTANT = "R0306", "no such constant",
        "The program and the machine have no constant of this name, or what is put into it reaches beyond the last one, or \
         beyond the uniform: a matrix takes four constants, one for each column, a list of vectors one for each.";
    TAKEN_TWICE = "R0307", "constant given twice",
        "Two settings put something into the same constant. A matrix takes four.";
    NOT_FINITE = "R0308", "constant that is not finite",
        "The value is NaN or infinite in this frame: a camera at the point that it looks at, an inverse that does not \
         exist, or a division by zero.";
}

/// A value for one or more constants.
#[derive(Clone, Debug)]
enum Constant {
    Vector([Expr; 4]),
    Vectors(Vec<[Expr; 4]>),
    Matrix(Box<MatrixSetting>),
    /// A direction of the world, of length 1, in a space.
    Direction([Expr; 3], Space),
    /// A point of the world in a space.
    Point([Expr; 3], Space),
}

/// A matrix, and where the scene has it.
#[derive(Clone, Debug)]
pub(crate) struct MatrixSetting {
    pub transform: Transform,
    pub span: Span,
    /// The scene's text for the transposed matrix.
    pub transposed: String,
}

impl MatrixSetting {
    fn read(file: &File, setting: &Setting, problems: &mut Vec<Diagnostic>) -> Option<MatrixSetting> {
        let transform = Transform::read(file, "matrix", setting, problems)?;
        let inner = match &setting.value {
            Value::Table(table) => table.get("transpose"),
            _ => None,
        };
        let transposed = match inner {
            Some(inner) => file.slice(inner.span).to_owned(),
            None => format!("{{ transpose = {} }}", file.slice(setting.span)),
        };
        Some(MatrixSetting { transform, span: setting.span, transposed })
    }
}

#[derive(Clone, Copy, Debug)]
enum Space {
    World,
    View,
    Model,
}

const SPACES: [(&str, Space); 3] = [("world", Space::World), ("view", Space::View), ("model", Space::Model)];

/// What a draw says about constants.
#[derive(Clone, Debug, Default)]
pub(crate) struct Constants {
    /// The first register, how many, their components, the setting's place, the value.
    entries: Vec<Entry>,
    /// The names that the scene has for them, and where.
    keys: Vec<(String, Span)>,
    /// How many registers there are.
    count: usize,
    /// Where the table is.
    span: Option<Span>,
}

/// A value for some registers.
#[derive(Clone, Debug)]
struct Entry {
    first: usize,
    count: usize,
    mask: Mask,
    span: Span,
    value: Constant,
}

impl Entry {
    fn registers(&self) -> Range<usize> {
        self.first..self.first + self.count
    }
}

impl Constants {
    /// Reads a table `{ c0 = …, light = … }`; the keys are what the program's text calls constants.
    pub fn read(
        isa: &Isa,
        program: &Program,
        table: &Table,
        file: &File,
        problems: &mut Vec<Diagnostic>,
    ) -> Constants {
        let Some((_, constants)) = isa.constants() else { return Constants::default() };
        let count = usize::from(constants.count);
        let mut owners: Vec<[Option<Span>; 4]> = vec![[None; 4]; count];
        let (mut entries, mut keys) = (Vec::new(), Vec::new());
        for (key, key_span, setting) in &table.entries {
            let Some(constant) = Constant::read(key, setting, file, problems) else { continue };
            let names = || program.constants_help(isa);
            let Some(first) = program.constant(isa, key).map(usize::from) else {
                let problem = Diagnostic::error(&NO_SUCH_CONSTANT, format!("there is no constant `{key}`"));
                let problem = problem.label(*key_span, "");
                let problem = match suggest::nearest(key, program.uniforms().map(|(name, _)| name)) {
                    Some(near) => problem.did_you_mean(near, *key_span, near),
                    None => problem,
                };
                problems.push(problem.help(names()));
                continue;
            };
            let room = program.constants_from(isa, key, first as u16);
            // Of a matrix a program may want three columns, or two.
            let registers = match constant {
                Constant::Matrix(_)
                    if (2..4).contains(&room) && program.uniforms().any(|own| own.0 == key) =>
                {
                    room.into()
                }
                _ => constant.registers(),
            };
            let (end, mask) = (first + registers, program.constant_mask(key));
            if registers > usize::from(room) {
                let takes = counted(constant.registers(), "constant");
                let message = format!("this takes {takes}, and `{key}` has {room}");
                let problem = Diagnostic::error(&NO_SUCH_CONSTANT, message).label(setting.span, "");
                problems.push(problem.label(*key_span, "").help(names()));
                continue;
            }
            let own = |owners: &[Option<Span>; 4]| {
                (0..4).find_map(|component| owners[component].filter(|_| mask.has(component as u8)))
            };
            if let Some((index, Some(other))) =
                (first..end).map(|index| (index, own(&owners[index]))).find(|(_, owner)| owner.is_some())
            {
                let name = program.constant_names(isa, &[index as u16]).concat();
                let problem = Diagnostic::error(&TAKEN_TWICE, format!("`{name}` is given twice"));
                problems.push(problem.label(*key_span, "again here").label(other, "first here"));
                continue;
            }
            for owners in &mut owners[first..end] {
                let own = (0..4).filter(|component| mask.has(*component as u8));
                own.for_each(|component| owners[component] = Some(*key_span));
            }
            entries.push(Entry { first, count: registers, mask, span: setting.span, value: constant });
            keys.push((key.clone(), *key_span));
        }
        Constants { entries, keys, count, span: Some(table.span) }
    }

    /// Nothing but zeros.
    pub fn none(isa: &Isa) -> Constants {
        let count = isa.constants().map_or(0, |(_, file)| file.count.into());
        Constants { count, ..Constants::default() }
    }

    /// Where they are given, if they are.
    pub fn span(&self) -> Option<Span> {
        self.span
    }

    /// True if something is said about a register.
    pub fn gives(&self, index: u16) -> bool {
        self.entries.iter().any(|entry| entry.registers().contains(&usize::from(index)))
    }

    /// The names of those of which no register is read, and where they stand.
    pub fn not_read(&self, reads: impl Fn(&u16) -> bool) -> impl Iterator<Item = (&str, Span)> {
        self.entries.iter().zip(&self.keys).filter_map(move |(entry, (name, span))| {
            let read = entry.registers().any(|index| u16::try_from(index).is_ok_and(|index| reads(&index)));
            (!read).then_some((name.as_str(), *span))
        })
    }

    /// The matrices: their first registers, their names and what they are.
    pub fn matrices(&self) -> impl Iterator<Item = (u16, &str, &MatrixSetting)> {
        self.entries.iter().zip(&self.keys).filter_map(|(entry, (name, _))| match &entry.value {
            Constant::Matrix(matrix) => Some((u16::try_from(entry.first).ok()?, name.as_str(), &**matrix)),
            _ => None,
        })
    }

    /// How many registers there are.
    pub fn count(&self) -> usize {
        self.count
    }

    /// All registers at a time, for a program; those that nothing is said about hold what its text defines, or 0. What is
    /// not finite is reported.
    pub fn at(
        &self,
        program: &Program,
        spaces: &Spaces,
        time: Time,
        problems: &mut Vec<Diagnostic>,
    ) -> Vec<Vec4> {
        let mut registers = vec![[0; 4]; self.count];
        for (index, value) in program.defined() {
            registers.get_mut(usize::from(index)).into_iter().for_each(|register| *register = value);
        }
        for Entry { first, count, mask, span, value } in &self.entries {
            let vectors = value.at(spaces, time);
            if vectors.iter().flatten().any(|component| !component.is_finite()) {
                let message = format!("this constant is not finite in frame {}", time.frame);
                problems.push(Diagnostic::warning(&NOT_FINITE, message).label(*span, ""));
            }
            for (register, vector) in registers[*first..].iter_mut().zip(vectors).take(*count) {
                *register = mask.put(*register, vector.map(f32::to_bits));
            }
        }
        registers
    }
}

impl Constant {
    fn read(key: &str, setting: &Setting, file: &File, problems: &mut Vec<Diagnostic>) -> Option<Constant> {
        let result = match &setting.value {
            Value::Table(table) => return Constant::read_table(table, file, problems),
            Value::Text(text) if text.starts_with('#') => {
                fields::color(key, setting).map(|color| Constant::Vector(color.map(Expr::from)))
            }
            Value::Text(text) if NAMES.iter().any(|(name, _)| name == text) => {
                let problem = wrong_type(key, "a number, a list, or a table", setting);
                Err(problem.fix(
                    "a matrix is written in a table",
                    setting.span,
                    format!("{{ matrix = \"{text}\" }}"),
                ))
            }
            Value::List(list) if matches!(list.first(), Some(Setting { value: Value::List(_), .. })) => list
                .iter()
                .map(|row| fields::vector(file, key, row))
                .collect::<Result<_, _>>()
                .map(Constant::Vectors),
            Value::List(_) => fields::vector(file, key, setting).map(Constant::Vector),
            // One number fills all components, as exponents and thresholds like it.
            _ => fields::expr(file, key, setting).map(|component| {
                Constant::Vector([component.clone(), component.clone(), component.clone(), component])
            }),
        };
        result.map_err(|problem| problems.push(problem)).ok()
    }

    fn read_table(table: &Table, file: &File, problems: &mut Vec<Diagnostic>) -> Option<Constant> {
        let before = problems.len();
        let mut fields = Fields::new(table, file, problems);
        let mut found = Vec::new();
        if let Some(matrix) = fields.setting("matrix") {
            let matrix = MatrixSetting::read(file, matrix, fields.problems());
            found.push(matrix.map(|matrix| Constant::Matrix(Box::new(matrix))));
        }
        for key in ["direction", "point"] {
            if fields.setting(key).is_none() {
                continue;
            }
            let space = fields.choice("space", &SPACES).unwrap_or(Space::World);
            let make = if key == "point" { Constant::Point } else { Constant::Direction };
            found.push(fields.vector(key).map(|vector| make(vector, space)));
        }
        fields.finish();
        if found.len() != 1 && problems.len() == before {
            let wanted = ["matrix", "direction", "point"].into_iter();
            let message = format!("this must have one of {}", list(wanted));
            problems.push(
                Diagnostic::error(&gpuzoo_machine::options::settings::MISSING_KEY, message)
                    .label(table.span, ""),
            );
        }
        found.into_iter().next().flatten()
    }

    fn registers(&self) -> usize {
        match self {
            Constant::Matrix(_) => 4,
            Constant::Vectors(vectors) => vectors.len(),
            _ => 1,
        }
    }

    fn at(&self, spaces: &Spaces, time: Time) -> Vec<[f32; 4]> {
        let narrow = |vector: [f64; 4]| vector.map(|component| component as f32);
        let into = |space: &Space| match space {
            Space::World => Matrix::IDENTITY,
            Space::View => spaces.view,
            Space::Model => spaces.model.inverse(),
        };
        match self {
            Constant::Vector(vector) => vec![narrow(at(vector, time))],
            Constant::Vectors(vectors) => vectors.iter().map(|vector| narrow(at(vector, time))).collect(),
            Constant::Matrix(matrix) => matrix.transform.at(spaces, time).columns().to_vec(),
            Constant::Direction(vector, space) => {
                let [x, y, z] = normalize(into(space).direction(at(vector, time)));
                vec![narrow([x, y, z, 0.0])]
            }
            Constant::Point(point, space) => {
                let [x, y, z] = into(space).point(at(point, time));
                vec![narrow([x, y, z, 1.0])]
            }
        }
    }
}
