//! Draws for a pipeline of the host's GPU.

use crate::meaning::{fault, lowered};
use crate::pipeline::{Settings, rules, settings};
use crate::regs::{COLOR, DEPTH, FIRST_OUTPUT, INPUTS, TESTED};
use crate::shade::VARYINGS;
use gpuzoo_diag::{Diagnostic, has_errors};
use gpuzoo_isa::{Program, Stage};
use gpuzoo_machine::Modes;
use gpuzoo_machine::target::host::{DepthBits, Fragments, HostDraw, Passed, Unit, refused};
use gpuzoo_machine::unit::draw::Draw;
use gpuzoo_raster::{Rop, RopChannels, RopFormat, Target};

/// A draw without its programs.
pub fn host_draw(target: &Target, draw: &Draw) -> Result<HostDraw, Vec<Diagnostic>> {
    let mut problems = Vec::new();
    let Settings { sample, mut state, units } = settings(draw.state, target, &mut problems);
    for (program, stage) in [(Some(draw.vertex), Stage::Vertex), (draw.fragment, Stage::Fragment)] {
        let fault = program.and_then(|program| Some(fault(program, stage)?.error(program)));
        problems.extend(fault);
    }
    if has_errors(&problems) {
        return Err(problems);
    }
    let plain = Rop { format: RopFormat::Argb8888, rgb: RopChannels::REPLACE, alpha: RopChannels::REPLACE };
    match state.rop.take() {
        Some(rop) if rop.format != plain.format => {
            return Err(vec![refused("target with fewer bits (`target`)", draw.state.span)]);
        }
        Some(rop) if rop != plain => {
            return Err(vec![refused("blending in integers (`blend`)", draw.state.span)]);
        }
        _ => {}
    }
    let place = (INPUTS - 1, "place".to_owned());
    let varying = |number: u16| (number, format!("v{number}"));
    let fragments = match draw.fragment {
        None => Fragments::Fixed { declarations: String::new(), body: "    return v0;\n".to_owned() },
        Some(fragment) => Fragments::Program {
            inputs: (0..VARYINGS as u16).map(varying).chain([place]).collect(),
            color: COLOR.index,
            depth: depth(fragment),
            corners: None,
        },
    };
    Ok(HostDraw {
        modes: Modes::default(),
        start: Vec::new(),
        constants: draw.constants.to_vec(),
        layout: crate::fetch::complete(draw.layout.clone()),
        rules: rules(sample),
        state,
        position: Passed::whole(FIRST_OUTPUT),
        varyings: (0..VARYINGS as u16).map(|number| Passed::whole(FIRST_OUTPUT + 1 + number)).collect(),
        depth: DepthBits::Whole,
        fragments,
        units: units.map(|(sampler, mips)| Unit { sampler, mips, nothing: 0 }).to_vec(),
        unlike: Vec::new(),
    })
}

/// The output that is the depth of fragments: what `ZTS` tested, even if something else is written to P10.
fn depth(fragment: &Program) -> Option<u16> {
    let lowered = lowered(fragment, Stage::Fragment);
    let has = |index: u16| lowered.function.outputs.iter().any(|(number, _)| *number == index);
    let writes = !lowered.unwritten_outputs.iter().any(|(own, mask)| *own == DEPTH && mask.has(0));
    [(TESTED.index, true), (DEPTH.index, writes)]
        .into_iter()
        .find(|(index, written)| *written && has(*index))
        .map(|(index, _)| index)
}
