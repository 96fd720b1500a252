//! Problems of draws, in jobs and in scenes.

use crate::device::DeviceError;
use crate::draw::{Drawn, TriangleReport};
use crate::memory::{MAX_DWORDS_WITHOUT_LIMIT, MEMORY_DWORDS};
use crate::pins::MAX_VERTICES;
use crate::rules::{DOES_NOT_FIT, STOPPED, TOO_MANY_VERTICES, UNBOUNDED, ZERO_DEPTH};
use gpuzoo_diag::{Diagnostic, Span};

/// The problem of something that needs more memory than there is.
pub fn does_not_fit(needed: usize, no_limits: bool, span: Span) -> Option<Diagnostic> {
    let most = if no_limits { MAX_DWORDS_WITHOUT_LIMIT } else { MEMORY_DWORDS };
    let message = format!("this needs {needed} dwords of memory, there are {most}");
    let problem = Diagnostic::error(&DOES_NOT_FIT, message).at(span);
    (needed > most).then(|| match no_limits {
        true => problem,
        false => problem.help("make the picture smaller, or set `no_limits` to true"),
    })
}

/// The problem of a draw with too many vertices.
pub fn too_many_vertices(count: u32, no_limits: bool, span: Span) -> Option<Diagnostic> {
    let message = format!("a draw of {count} vertices; the machine counts up to {MAX_VERTICES}");
    let problem = Diagnostic::error(&TOO_MANY_VERTICES, message).at(span);
    let too_many = count > MAX_VERTICES && !no_limits;
    too_many.then(|| problem.help("draw in several parts, or set `no_limits` to true"))
}

/// The problems of triangles that are drawn as nobody wants them.
pub fn odd_triangles(draws: &[Drawn], span: Span) -> Vec<Diagnostic> {
    let counted = |is_odd: fn(&TriangleReport) -> bool| {
        let count = draws.iter().flat_map(|draw| &draw.triangles).filter(|triangle| is_odd(triangle)).count();
        (count > 0).then(|| gpuzoo_diag::counted(count, "triangle"))
    };
    let unbounded = counted(|triangle| triangle.unbounded).map(|triangles| {
        let problem = Diagnostic::warning(&UNBOUNDED, format!("{triangles} without area"));
        let problem = problem.label(span, "drawn along their infinite line, or over the whole picture");
        problem.help("`fill = \"top-left\"` leaves them out")
    });
    let divided = counted(|triangle| triangle.divides_by_zero && triangle.fragments > 0).map(|triangles| {
        let problem = Diagnostic::warning(&ZERO_DEPTH, format!("{triangles} with a corner whose z is 0"));
        let problem = problem.label(span, "attributes are divided by z, so they are infinite or NaN there");
        problem
            .help("let z/w be the distance from the viewer, or 1 where there is no depth: `finit r0.z 1.0`")
    });
    unbounded.into_iter().chain(divided).collect()
}

/// The problem of a machine that stopped.
pub fn stopped(error: &DeviceError, span: Span) -> Diagnostic {
    match error {
        DeviceError::Refused(refusal) => refusal.at(span),
        _ => Diagnostic::error(&STOPPED, error.to_string()).at(span),
    }
}
