//! Draws for a pipeline of the host's GPU.

use crate::check_pair;
use crate::pipeline::{Settings, settings};
use crate::regs::{MAX_PORTS, triangle};
use crate::rules::{NO_FRAGMENT_PROGRAM, NOT_TRIANGLES};
use gpuzoo_diag::{Diagnostic, has_errors};
use gpuzoo_machine::Modes;
use gpuzoo_machine::target::host::{DepthBits, Fragments, HostDraw, Passed};
use gpuzoo_machine::unit::draw::Draw;
use gpuzoo_raster::{
    ClipRules, ColorRounding, Compare, DepthTest, Fill, Placement, Rules, Sample, Sides, State, Target,
    Topology,
};

/// A draw without its programs. Positions are pixels, divided by w, and the pixel's corner counts; programs interpolate
/// themselves, so that fragments get the whole triangle.
pub fn host_draw(target: &Target, draw: &Draw) -> Result<HostDraw, Vec<Diagnostic>> {
    let mut problems = Vec::new();
    let Settings { fill, depth_test, .. } = settings(draw.state, &mut problems);
    let span = draw.state.span;
    match draw.fragment {
        None => problems
            .push(Diagnostic::error(&NO_FRAGMENT_PROGRAM, "this draw has no fragment program").at(span)),
        Some(fragment) => problems.extend(check_pair(draw.vertex, fragment)),
    }
    if draw.topology != Topology::TriangleList {
        let message = "the machine draws lists of triangles and nothing else";
        problems.push(Diagnostic::error(&NOT_TRIANGLES, message).at(span));
    }
    if has_errors(&problems) {
        return Err(problems);
    }
    let usual = Rules::default();
    let rules = Rules {
        placement: Placement::Divided,
        clip: ClipRules { sides: Sides::GuardBand, near: false, far: false },
        sample: Sample::Corner,
        color: ColorRounding::Truncate,
        ..usual
    };
    let mut state = State::sized(target.width(), target.height());
    state.depth = depth_test.then_some(DepthTest { compare: Compare::Less, write: true });
    let inclusive = "pixels on an edge between two triangles are drawn once (`fill = \"top-left\"`)";
    Ok(HostDraw {
        modes: Modes::default(),
        start: Vec::new(),
        constants: draw.constants.to_vec(),
        layout: draw.layout.clone(),
        rules,
        state,
        position: Passed::whole(0),
        varyings: Vec::new(),
        depth: DepthBits::Shifted,
        fragments: Fragments::Program {
            inputs: vec![(0, "vec4f(place.xy, 0.0, 0.0)".to_owned())],
            color: 0,
            depth: Some(1),
            corners: Some((triangle(0, 0).index, MAX_PORTS as u16)),
        },
        units: Vec::new(),
        unlike: (fill == Fill::Inclusive).then_some(inclusive).into_iter().collect(),
    })
}
