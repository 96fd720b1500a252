//! Draws for a pipeline of the host's GPU: the substitute for the combiners in WGSL.

use crate::vertex::modes;
use crate::vertex::pipeline::{DEPTH_STEPS, Fog, TEXTURE0, constants, fog_component, rules, settings};
use crate::vertex::regs::OFOG;
use gpuzoo_diag::{Diagnostic, has_errors};
use gpuzoo_machine::RunState;
use gpuzoo_machine::target::host::{DepthBits, Fragments, HostDraw, Passed, Unit, refused};
use gpuzoo_machine::unit::PositionSpace;
use gpuzoo_machine::unit::draw::Draw;
use gpuzoo_raster::{MipFilter, Target};

/// A draw without its programs.
pub fn host_draw(target: &Target, draw: &Draw) -> Result<HostDraw, Vec<Diagnostic>> {
    let mut problems = Vec::new();
    let settings = settings(draw.state, target, &mut problems);
    if has_errors(&problems) {
        return Err(problems);
    }
    if settings.carry_over {
        return Err(vec![refused(
            "outputs that keep what the draw before left (`carry_over`)",
            draw.state.span,
        )]);
    }
    let run_state = RunState { profile: draw.profile, modes: settings.modes, start: &[] };
    let component = fog_component(&modes::lowered(draw.vertex, &run_state).0);
    let steps = if settings.positions == PositionSpace::Clip { 1.0 } else { DEPTH_STEPS };
    // |w| between 2^-64 and 2^64, as draws have it.
    let position = format!(
        "vec4f(value.xy, value.z / {steps:?}, select(-1.0, 1.0, value.w >= 0.0) * clamp(abs(value.w), 5.421010862427522e-20, 18446744073709551616.0))"
    );
    let color = |output| Passed {
        output,
        text: "select(clamp(value, vec4f(), vec4f(1.0)), vec4f(1.0), value != value)".to_owned(),
    };
    let fog = Passed { output: OFOG.index, text: format!("vec4f(value[{component}])") };
    let (declarations, fogged) = match settings.fog {
        None => (String::new(), "color"),
        Some(Fog { color: [red, green, blue], start, end }) => {
            let declarations = format!(
                "// Not constants, so that a difference of 0 is computed as any other.\n\
                 var<private> fog_range: vec2f = vec2f({start:?}, {end:?});\n\
                 const fog_color = vec3f({red:?}, {green:?}, {blue:?});\n"
            );
            (declarations, "mix_fog(color, v3.x)")
        }
    };
    let declarations = match settings.fog {
        None => declarations,
        Some(_) => {
            declarations
                + "fn mix_fog(near: vec3f, coordinate: f32) -> vec3f {\n    \
             let amount = clamp((coordinate - fog_range.x) / (fog_range.y - fog_range.x), 0.0, 1.0);\n    \
             return near * (1.0 - amount) + fog_color * amount;\n}\n"
        }
    };
    let body = format!(
        "    let lit = texel0(v0.xy) * v1;\n    let color = lit.rgb + v2.rgb;\n    return vec4f({fogged}, lit.a);\n"
    );
    Ok(HostDraw {
        modes: settings.modes,
        start: Vec::new(),
        constants: constants(&settings, target, draw),
        layout: draw.layout.clone(),
        rules: rules(settings.positions),
        state: settings.state,
        position: Passed { output: 0, text: position },
        varyings: vec![Passed::whole(TEXTURE0), color(3), color(4), fog],
        depth: DepthBits::Whole,
        fragments: Fragments::Fixed { declarations, body },
        units: vec![Unit { sampler: settings.sampler, mips: MipFilter::Base, nothing: 255 }],
        unlike: Vec::new(),
    })
}
