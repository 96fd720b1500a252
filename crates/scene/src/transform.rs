//! Matrices as a scene writes them: by name, or by what they do, with numbers that may follow the time.

use crate::expr::{Expr, Time};
use crate::fields::{self, Fields};
use crate::matrix::{Matrix, Vector};
use gpuzoo_diag::{Diagnostic, File};
use gpuzoo_isa::MatrixOrder;
use gpuzoo_machine::options::settings::{Setting, Value, choose, wrong_type};

gpuzoo_diag::codes! {
    BAD_MATRIX = "R0305", "not a matrix",
        "A matrix is a name (`\"model_view_projection\"`), or a table with one of `translate`, `scale`, `rotate` \
         (degrees, around an `axis`), `columns` (four lists of four numbers), `product` (a list of matrices; the last \
         is done first), `inverse` and `transpose`.";
}

/// The matrices that a draw has.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Spaces {
    /// From the model's own space to the world.
    pub model: Matrix,
    /// From the world to the viewer.
    pub view: Matrix,
    /// From the viewer to clip space.
    pub projection: Matrix,
}

/// A matrix with a name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Named {
    Identity,
    Model,
    View,
    Projection,
    ModelView,
    ViewProjection,
    ModelViewProjection,
    Normal,
    WorldNormal,
}

pub(crate) const NAMES: [(&str, Named); 9] = [
    ("model_view_projection", Named::ModelViewProjection),
    ("model_view", Named::ModelView),
    ("view_projection", Named::ViewProjection),
    ("model", Named::Model),
    ("view", Named::View),
    ("projection", Named::Projection),
    ("normal", Named::Normal),
    ("world_normal", Named::WorldNormal),
    ("identity", Named::Identity),
];

/// A matrix that may follow the time.
#[derive(Clone, Debug)]
pub(crate) enum Transform {
    Named(Named),
    Translate([Expr; 3]),
    Scale([Expr; 3]),
    Rotate {
        axis: [Expr; 3],
        degrees: Expr,
    },
    Columns(Box<[[Expr; 4]; 4]>),
    /// Done from the last to the first.
    Product(Vec<Transform>),
    Inverse(Box<Transform>),
    Transpose(Box<Transform>),
}

/// The values of a vector.
pub(crate) fn at<const N: usize>(vector: &[Expr; N], time: Time) -> [f64; N] {
    std::array::from_fn(|component| vector[component].at(time))
}

fn constant(vector: Vector) -> [Expr; 3] {
    vector.map(Expr::from)
}

impl Transform {
    /// The matrix at a time.
    pub fn at(&self, spaces: &Spaces, time: Time) -> Matrix {
        match self {
            Transform::Named(name) => spaces.named(*name),
            Transform::Translate(by) => Matrix::translate(at(by, time)),
            Transform::Scale(by) => Matrix::scale(at(by, time)),
            Transform::Rotate { axis, degrees } => Matrix::rotate(at(axis, time), degrees.at(time)),
            Transform::Columns(columns) => Matrix([0, 1, 2, 3].map(|column| at(&columns[column], time))),
            Transform::Product(factors) => {
                factors.iter().fold(Matrix::IDENTITY, |product, factor| product * factor.at(spaces, time))
            }
            Transform::Inverse(of) => of.at(spaces, time).inverse(),
            Transform::Transpose(of) => of.at(spaces, time).transpose(),
        }
    }

    /// The part of a matrix that each of its registers holds: columns of those that lead from space to space, rows of transposed
    /// ones. None where both may be meant: matrices of numbers, identities, inverses.
    pub fn order(&self) -> Option<MatrixOrder> {
        match self {
            Transform::Named(Named::Identity) => None,
            Transform::Named(_) => Some(MatrixOrder::Columns),
            Transform::Product(factors) => {
                let is_plain = |factor: &Transform| {
                    !matches!(factor, Transform::Inverse(_) | Transform::Transpose(_) | Transform::Product(_))
                };
                let mut orders = factors.iter().filter_map(Transform::order);
                orders.next_back().filter(|_| factors.iter().all(is_plain))
            }
            Transform::Transpose(of) => of.order().map(MatrixOrder::transposed),
            _ => None,
        }
    }

    /// Reads a matrix. The parser of the file limits how deep it can be nested.
    pub fn read(
        file: &File,
        key: &str,
        setting: &Setting,
        problems: &mut Vec<Diagnostic>,
    ) -> Option<Transform> {
        match &setting.value {
            Value::Text(name) => match choose(key, name, setting.span, &NAMES) {
                Ok(name) => Some(Transform::Named(name)),
                Err(problem) => {
                    problems.push(problem);
                    None
                }
            },
            Value::Table(_) => Transform::read_table(file, setting, problems),
            _ => {
                problems.push(wrong_type(key, "the name of a matrix, or a table that makes one", setting));
                None
            }
        }
    }

    fn read_table(file: &File, setting: &Setting, problems: &mut Vec<Diagnostic>) -> Option<Transform> {
        let Value::Table(table) = &setting.value else { return None };
        const KINDS: [&str; 7] =
            ["translate", "scale", "rotate", "columns", "product", "inverse", "transpose"];
        let before = problems.len();
        let mut fields = Fields::new(table, file, problems);
        let mut found = Vec::new();
        for kind in KINDS {
            let Some(value) = fields.setting(kind) else { continue };
            found.push(match kind {
                "translate" => fields.vector(kind).map(Transform::Translate),
                "scale" => match &value.value {
                    Value::List(_) => fields.vector(kind).map(Transform::Scale),
                    _ => fields.expr(kind).map(|by| Transform::Scale([by.clone(), by.clone(), by])),
                },
                "rotate" => {
                    let axis = fields.vector("axis").unwrap_or_else(|| constant([0.0, 1.0, 0.0]));
                    fields.expr(kind).map(|degrees| Transform::Rotate { axis, degrees })
                }
                "columns" => fields.list(kind).and_then(|list| columns(file, list, value, fields.problems())),
                "product" => {
                    let factors = fields.list(kind).unwrap_or_default();
                    let problems = fields.problems();
                    factors
                        .iter()
                        .map(|factor| Transform::read(file, kind, factor, problems))
                        .collect::<Option<Vec<_>>>()
                        .map(Transform::Product)
                }
                _ => Transform::read(file, kind, value, fields.problems()).map(|of| match kind {
                    "inverse" => Transform::Inverse(Box::new(of)),
                    _ => Transform::Transpose(Box::new(of)),
                }),
            });
        }
        fields.finish();
        if found.len() != 1 && problems.len() == before {
            let message = format!("a matrix is made in one way, not in {}", found.len());
            let problem = Diagnostic::error(&BAD_MATRIX, message).label(setting.span, "");
            problems.push(problem.help(format!("use one of {}", gpuzoo_isa::list(KINDS.into_iter()))));
        }
        found.into_iter().next().flatten()
    }

    /// Reads a list of steps, which are done from the first to the last: how people think of placing a thing.
    pub fn read_steps(file: &File, steps: &[Setting], problems: &mut Vec<Diagnostic>) -> Transform {
        let read = |step| Transform::read_table_only(file, step, problems);
        Transform::Product(steps.iter().rev().filter_map(read).collect())
    }

    fn read_table_only(file: &File, step: &Setting, problems: &mut Vec<Diagnostic>) -> Option<Transform> {
        if matches!(step.value, Value::Table(_)) {
            return Transform::read_table(file, step, problems);
        }
        problems.push(wrong_type("model", "a list of tables such as `{ rotate = 30 }`", step));
        None
    }
}

fn columns(
    file: &File,
    list: &[Setting],
    setting: &Setting,
    problems: &mut Vec<Diagnostic>,
) -> Option<Transform> {
    let read =
        |column| fields::vector::<4>(file, "columns", column).map_err(|problem| problems.push(problem)).ok();
    let columns: Vec<[Expr; 4]> = list.iter().map(read).collect::<Option<_>>()?;
    match <[[Expr; 4]; 4]>::try_from(columns) {
        Ok(columns) => Some(Transform::Columns(Box::new(columns))),
        Err(_) => {
            problems.push(wrong_type("columns", "four lists of four numbers", setting));
            None
        }
    }
}

impl Spaces {
    fn named(&self, name: Named) -> Matrix {
        match name {
            Named::Identity => Matrix::IDENTITY,
            Named::Model => self.model,
            Named::View => self.view,
            Named::Projection => self.projection,
            Named::ModelView => self.view * self.model,
            Named::ViewProjection => self.projection * self.view,
            Named::ModelViewProjection => self.projection * self.view * self.model,
            Named::Normal => (self.view * self.model).normal(),
            Named::WorldNormal => self.model.normal(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn spaces() -> Spaces {
        Spaces {
            model: Matrix::translate([1.0, 0.0, 0.0]),
            view: Matrix::rotate([0.0, 0.0, 1.0], 90.0),
            projection: Matrix::scale([2.0, 3.0, 4.0]),
        }
    }

    fn read(text: &str) -> (Option<Transform>, Vec<Diagnostic>) {
        let file = File::new("t", text);
        let (table, syntax) = crate::toml::parse(&file);
        assert!(syntax.is_empty(), "{syntax:?}");
        let mut problems = Vec::new();
        let transform = Transform::read(&file, "matrix", table.get("m").unwrap(), &mut problems);
        (transform, problems)
    }

    /// Where (0, 1, 0) goes after half of the time.
    fn point(text: &str) -> Vector {
        let (transform, problems) = read(text);
        assert!(problems.is_empty(), "{problems:?}");
        transform.unwrap().at(&spaces(), Time { frame: 1.0, t: 0.5 }).point([0.0, 1.0, 0.0])
    }

    #[test]
    fn names_and_forms_by_hand() {
        for (text, expected) in [
            ("'model'", [1.0, 1.0, 0.0]),
            ("'view'", [-1.0, 0.0, 0.0]),
            ("'model_view'", [-1.0, 1.0, 0.0]),
            ("'model_view_projection'", [-2.0, 3.0, 0.0]),
            ("'view_projection'", [-2.0, 0.0, 0.0]),
            ("'normal'", [-1.0, 0.0, 0.0]),
            ("'identity'", [0.0, 1.0, 0.0]),
            ("{ product = ['projection', 'view', 'model'] }", [-2.0, 3.0, 0.0]),
            ("{ inverse = 'model' }", [-1.0, 1.0, 0.0]),
            ("{ transpose = 'view' }", [1.0, 0.0, 0.0]),
            ("{ translate = [0, 't', 1] }", [0.0, 1.5, 1.0]),
            ("{ scale = [1, 5, 1] }", [0.0, 5.0, 0.0]),
            ("{ scale = '4*t' }", [0.0, 2.0, 0.0]),
            ("{ rotate = '180*t', axis = [0, 0, 1] }", [-1.0, 0.0, 0.0]),
            ("{ rotate = 77 }", [0.0, 1.0, 0.0]),
            ("{ columns = [[1,0,0,0], [0,7,0,0], [0,0,1,0], [3,0,0,1]] }", [3.0, 7.0, 0.0]),
        ] {
            assert_eq!(point(&format!("m = {text}")), expected, "{text}");
        }
    }

    #[test]
    fn steps_are_done_from_the_first_to_the_last() {
        let text = "m = [{ translate = [1, 0, 0] }, { scale = 10 }]";
        let file = File::new("t", text);
        let (table, _) = crate::toml::parse(&file);
        let Value::List(list) = &table.get("m").unwrap().value else { panic!() };
        let steps = Transform::read_steps(&file, list, &mut Vec::new());
        assert_eq!(steps.at(&spaces(), Time::default()).point([1.0, 0.0, 0.0]), [20.0, 0.0, 0.0]);
    }

    #[test]
    fn mistakes() {
        for (text, code) in [
            ("'modle'", "R0103"),
            ("3", "R0102"),
            ("{}", "R0305"),
            ("{ scale = 1, rotate = 2 }", "R0305"),
            ("{ turn = 1 }", "R0101"),
            ("{ axis = [1, 0, 0] }", "R0101"),
            ("{ product = ['view', 'x'] }", "R0103"),
            ("{ columns = [[1,0,0,0]] }", "R0102"),
            ("{ columns = [[1,0,0]] }", "R0102"),
            ("{ translate = [1, 2] }", "R0102"),
            ("{ inverse = { scale = 'q' } }", "R0602"),
        ] {
            let (_, problems) = read(&format!("m = {text}"));
            let codes: Vec<&str> = problems.iter().map(|problem| problem.code.id).collect();
            assert_eq!(codes, [code], "{text}: {problems:?}");
        }
    }
}
