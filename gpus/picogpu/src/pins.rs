//! What the host sets before a command: the configuration pins (spec section 9).

use crate::regs::MAX_PORTS;
use gpuzoo_ir::Vec4;

/// The most pixels of a side of the framebuffer.
pub const MAX_SIDE: u32 = 16_384;

/// The most vertices of a draw: the count has 8 bits.
pub const MAX_VERTICES: u32 = 255;

/// The configuration pins. Addresses count bytes.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Pins {
    /// `GLOBAL.vsCustomInputComponents`: the vertex shader's inputs, as [`descriptor`](crate::descriptor) has them.
    pub vertex_inputs: u8,
    /// `GLOBAL.vsPsCustomComponents`: what goes from the vertex shader to the fragment shader besides the position.
    pub attributes: u8,
    /// `GLOBAL.framebufferWidth`, in pixels.
    pub width: u32,
    /// `GLOBAL.framebufferHeight`, in pixels.
    pub height: u32,
    /// `PA.verticesAddress`
    pub vertices_address: u32,
    /// `PA.verticesCount`: up to 255.
    pub vertices_count: u32,
    /// `VS.shaderAddress`
    pub vertex_shader: u32,
    /// `FS.shaderAddress`
    pub fragment_shader: u32,
    /// `VS.uniforms`
    pub vertex_uniforms: u8,
    /// `FS.uniforms`
    pub fragment_uniforms: u8,
    /// `VS.uniformsData`
    pub vertex_uniforms_data: [Vec4; MAX_PORTS],
    /// `FS.uniformsData`
    pub fragment_uniforms_data: [Vec4; MAX_PORTS],
    /// `OM.framebufferAddress`
    pub framebuffer: u32,
    /// `OM.depthEnable`
    pub depth_enable: bool,
    /// `OM.depthBufferAddress`
    pub depth_buffer: u32,
}
