//! The state of a draw in the host's words, or that the host has none.

use gpuzoo_diag::{Diagnostic, Span};
use gpuzoo_host::canvas::{
    AddressMode, BlendComponent, BlendFactor, BlendOperation, BlendState, CompareFunction, DrawState, Face,
    FilterMode, FrontFace, MipmapFilterMode, PrimitiveTopology, Resource,
};
use gpuzoo_machine::target::host::{DepthBits, HostDraw, Unit, refused};
use gpuzoo_raster::{
    Blend, BlendChannels, Compare, Cull, Equation, Factor, Filter, MipFilter, Placement, Rect, Topology,
    Winding, Wrap,
};

/// How the host draws; lines are [rectangles](super::lines), which no side faces.
///
/// # Errors
/// `R0801` for what it cannot.
pub fn state(
    draw: &HostDraw,
    topology: Topology,
    unclipped: bool,
    span: Span,
) -> Result<DrawState, Diagnostic> {
    let no = |what: &str| Err(refused(what, span));
    let clip = draw.rules.clip;
    let unclipped_depth = match draw.rules.placement {
        // The depth is put in the middle: fragments have their own.
        Placement::Divided if draw.depth == DepthBits::Shifted => false,
        _ if clip.near && clip.far => false,
        _ if !clip.near && !clip.far && draw.rules.depth.clamp && unclipped => true,
        _ => return no("depth that cuts nothing off"),
    };
    let depth = match draw.state.depth {
        Some(test) => (compare(test.compare), test.write),
        None => (CompareFunction::Always, false),
    };
    if draw.state.rop.is_some() {
        return no("raster operations in integers");
    }
    Ok(DrawState {
        topology: PrimitiveTopology::TriangleList,
        front: match draw.state.front {
            Winding::Clockwise => FrontFace::Cw,
            Winding::CounterClockwise => FrontFace::Ccw,
        },
        cull: match draw.state.cull {
            _ if topology.is_lines() => None,
            Cull::None => None,
            Cull::Front => Some(Face::Front),
            Cull::Back => Some(Face::Back),
        },
        unclipped_depth,
        depth,
        blend: (draw.state.blend != Blend::REPLACE).then(|| BlendState {
            color: channels(draw.state.blend.rgb),
            alpha: channels(draw.state.blend.alpha),
        }),
        mask: draw.state.color_mask,
    })
}

fn compare(compare: Compare) -> CompareFunction {
    match compare {
        Compare::Never => CompareFunction::Never,
        Compare::Less => CompareFunction::Less,
        Compare::Equal => CompareFunction::Equal,
        Compare::LessEqual => CompareFunction::LessEqual,
        Compare::Greater => CompareFunction::Greater,
        Compare::NotEqual => CompareFunction::NotEqual,
        Compare::GreaterEqual => CompareFunction::GreaterEqual,
        Compare::Always => CompareFunction::Always,
    }
}

fn channels(own: BlendChannels) -> BlendComponent {
    let operation = match own.equation {
        Equation::Add => BlendOperation::Add,
        Equation::Subtract => BlendOperation::Subtract,
        Equation::ReverseSubtract => BlendOperation::ReverseSubtract,
        Equation::Min => BlendOperation::Min,
        Equation::Max => BlendOperation::Max,
    };
    // Hosts ask for factors of 1 where these do not count.
    let counts = !matches!(own.equation, Equation::Min | Equation::Max);
    let factor = |own| if counts { factor(own) } else { BlendFactor::One };
    BlendComponent { src_factor: factor(own.source), dst_factor: factor(own.destination), operation }
}

fn factor(factor: Factor) -> BlendFactor {
    match factor {
        Factor::Zero => BlendFactor::Zero,
        Factor::One => BlendFactor::One,
        Factor::SourceColor => BlendFactor::Src,
        Factor::OneMinusSourceColor => BlendFactor::OneMinusSrc,
        Factor::SourceAlpha => BlendFactor::SrcAlpha,
        Factor::OneMinusSourceAlpha => BlendFactor::OneMinusSrcAlpha,
        Factor::DestinationAlpha => BlendFactor::DstAlpha,
        Factor::OneMinusDestinationAlpha => BlendFactor::OneMinusDstAlpha,
        Factor::DestinationColor => BlendFactor::Dst,
        Factor::OneMinusDestinationColor => BlendFactor::OneMinusDst,
    }
}

/// How a unit reads.
pub fn sampler<'a>(unit: &Unit) -> Resource<'a> {
    let filter = match unit.sampler.filter {
        Filter::Nearest => FilterMode::Nearest,
        Filter::Linear => FilterMode::Linear,
    };
    let mips = match unit.mips {
        MipFilter::Linear => MipmapFilterMode::Linear,
        MipFilter::Base | MipFilter::Nearest | MipFilter::Ceiling => MipmapFilterMode::Nearest,
    };
    let wrap = |wrap| match wrap {
        Wrap::Clamp => AddressMode::ClampToEdge,
        Wrap::Repeat => AddressMode::Repeat,
        Wrap::Mirror => AddressMode::MirrorRepeat,
    };
    Resource::Sampler(filter, mips, unit.sampler.wrap.map(wrap))
}

/// What of a rectangle lies in another one, each of these as x, y, width, height; none if nothing does.
pub fn within(rect: Rect, [left, top, width, height]: [u32; 4]) -> Option<[u32; 4]> {
    let axis = |start: i32, length: u32, first: u32, size: u32| {
        let clamp = |place: i64| place.clamp(first.into(), (first + size).into()) as u32;
        let (start, end) = (clamp(start.into()), clamp(i64::from(start) + i64::from(length)));
        (start < end).then(|| (start, end - start))
    };
    let (x, width) = axis(rect.x, rect.width, left, width)?;
    let (y, height) = axis(rect.y, rect.height, top, height)?;
    Some([x, y, width, height])
}
