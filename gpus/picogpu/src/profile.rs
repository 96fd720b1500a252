//! Which source is followed where the document and the reference differ (spec section 3).

use crate::syntax;
use gpuzoo_isa::Profile;
use gpuzoo_machine::Dialect;

/// The document: the default.
pub const DOCUMENT: Profile = Profile(0);
/// The reference's assembler and shader unit, with their quirks.
pub const UNIT: Profile = Profile(1);
/// Both, in order.
pub const PROFILES: &[(&str, &str)] = &[
    (DOCUMENT_NAME, "what the document says"),
    (UNIT_NAME, "what the reference's assembler and shader unit do, with their quirks"),
];

const DOCUMENT_NAME: &str = "document";
pub(crate) const UNIT_NAME: &str = "unit";

const EXAMPLE: &str = "#vertexShader\n#input r0.xyzw\n#output r1.xyzw\nmov r1 r0\n";

/// The dialects of the two.
pub const DIALECTS: &[Dialect] = &[
    Dialect {
        name: DOCUMENT_NAME,
        about: "the language of the document",
        syntax: &syntax::SYNTAX,
        example: EXAMPLE,
        headers: Vec::new,
    },
    Dialect {
        name: UNIT_NAME,
        about: "the language as the reference's assembler reads it",
        syntax: &syntax::REFERENCE,
        example: EXAMPLE,
        headers: Vec::new,
    },
];
