//! Which source is followed where the document and the reference differ (spec section 3).

use gpuzoo_isa::Profile;

/// The document: the default.
pub const DOCUMENT: Profile = Profile(0);
/// The reference's assembler and shader unit, with their quirks.
pub const UNIT: Profile = Profile(1);
/// Both, in order.
pub const PROFILES: &[(&str, &str)] = &[
    (DOCUMENT_NAME, "what the document says"),
    (UNIT_NAME, "what the reference's assembler and shader unit do, with their quirks"),
];

pub(crate) const DOCUMENT_NAME: &str = "document";
pub(crate) const UNIT_NAME: &str = "unit";
