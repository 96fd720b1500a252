//! Matrices of a draw, against how its programs multiply by them.

use crate::constants::{Constants, MatrixSetting};
use gpuzoo_diag::{Diagnostic, Span};
use gpuzoo_ir::Function;
use gpuzoo_isa::{MatrixOrder, MatrixUses};

gpuzoo_diag::codes! {
    WRONG_ORDER = "R0327", "matrix by columns where rows are read",
        "A matrix takes four constants, and a scene gives its columns. A program that has dot products of a vector with each of them, as \
         `%matmul4x4` does, reads rows: it needs `{ transpose = \"model_view_projection\" }`. One that adds the constants up, each times a \
         component of the vector, reads columns. Otherwise positions are multiplied by the transposed matrix, and the picture is black or empty. \
         Only matrices that lead from space to space are compared, and only where the program shows which ones it reads.";
}

/// A matrix that a draw gives in the order that its program does not read.
pub(crate) struct Mistaken<'a> {
    pub register: u16,
    name: &'a str,
    setting: &'a MatrixSetting,
    reads: MatrixOrder,
}

/// The mistaken matrices among constants, for a program's meaning.
pub(crate) fn mistaken<'a>(constants: &'a Constants, function: &Function) -> Vec<Mistaken<'a>> {
    let mut known = constants.matrices().filter_map(|all| Some((all, all.2.transform.order()?))).peekable();
    if known.peek().is_none() {
        return Vec::new();
    }
    let uses = MatrixUses::new(function);
    let mistaken = known.filter_map(|((register, name, setting), gives)| {
        let reads = uses.order(register).filter(|reads| *reads != gives)?;
        Some(Mistaken { register, name, setting, reads })
    });
    mistaken.collect()
}

impl Mistaken<'_> {
    /// The warning, with the instruction that reads the first register.
    pub fn problem(&self, slot: Option<Span>) -> Diagnostic {
        let Mistaken { name, setting, reads, .. } = self;
        let (gives, reads) = (reads.transposed().name(), reads.name());
        let message = format!("`{name}` is given by {gives}, and the program reads its {reads}");
        let problem =
            Diagnostic::warning(&WRONG_ORDER, message).label(setting.span, format!("{gives} of the matrix"));
        let problem = match slot {
            Some(slot) => problem.label(slot, format!("its {reads} are read from here on")),
            None => problem,
        };
        problem.fix(format!("give its {reads}"), setting.span, setting.transposed.clone())
    }
}
