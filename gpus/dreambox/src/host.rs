//! Draws for a pipeline of the host's GPU: the combiner in WGSL.

use crate::combiner::Combine;
use crate::fetch;
use crate::pipeline::{Settings, rules, settings};
use gpuzoo_diag::{Diagnostic, has_errors};
use gpuzoo_machine::Modes;
use gpuzoo_machine::target::host::{DepthBits, Fragments, HostDraw, Passed, Unit};
use gpuzoo_machine::unit::draw::Draw;
use gpuzoo_raster::{MipFilter, Target};

/// A combine operation of two expressions, the second of which is a name.
fn combined(how: Combine, a: &str, b: &str) -> String {
    match how {
        Combine::None => a.to_owned(),
        Combine::Mul => format!("({a}) * {b}"),
        Combine::Add => format!("({a}) + {b}"),
        Combine::Sub => format!("({a}) - {b}"),
        Combine::Mix => format!("({a}) * (1.0 - {b}.a) + {b} * {b}.a"),
        Combine::Dot3 => format!("vec4f(dot(2.0 * ({a}).rgb - 1.0, 2.0 * {b}.rgb - 1.0))"),
    }
}

/// A draw without its programs.
pub fn host_draw(target: &Target, draw: &Draw) -> Result<HostDraw, Vec<Diagnostic>> {
    let mut problems = Vec::new();
    let Settings { state, combiner: [texture, vertex], samplers } =
        settings(draw.state, target, &mut problems);
    if has_errors(&problems) {
        return Err(problems);
    }
    // NaN fails both comparisons and becomes 0.
    let color = |output| Passed {
        output,
        text: "select(vec4f(), min(value, vec4f(1.0)), value > vec4f())".to_owned(),
    };
    let texels = combined(texture, "texel0(v0.xy)", "b");
    let body = format!(
        "    let b = texel1(v0.zw);\n    let color = v1;\n    return ({}) + v2;\n",
        combined(vertex, &texels, "color")
    );
    Ok(HostDraw {
        modes: Modes::default(),
        start: Vec::new(),
        constants: draw.constants.to_vec(),
        layout: fetch::with_unset_inputs(draw.layout),
        rules: rules(),
        state,
        position: Passed::whole(0),
        varyings: vec![Passed::whole(1), color(2), color(3)],
        depth: DepthBits::Whole,
        fragments: Fragments::Fixed { declarations: String::new(), body },
        units: samplers.map(|sampler| Unit { sampler, mips: MipFilter::Base, nothing: 255 }).to_vec(),
        unlike: Vec::new(),
    })
}
