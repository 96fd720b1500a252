//! How the three dialects are lexed.

use gpuzoo_isa::Syntax;

/// nv2a_vsh_asm's: `;` and `//` begin comments, `#` a uniform.
pub static VSH: Syntax = Syntax { line_comments: &[";", "//"], block_comments: true, directives: &[] };

/// NV_vertex_program's: `#` begins comments.
pub static VP: Syntax = Syntax { line_comments: &["#"], block_comments: false, directives: &[] };

/// Direct3D 8's.
pub static D3D: Syntax = Syntax { line_comments: &[";", "//"], block_comments: true, directives: &[] };
