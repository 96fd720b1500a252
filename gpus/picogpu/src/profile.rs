//! Which source is followed where the document and the reference differ (spec section 3).

use gpuzoo_isa::Profile;

/// The document: the default.
pub const DOCUMENT: Profile = Profile(0);
/// The reference's assembler and shader unit, with their quirks.
pub const UNIT: Profile = Profile(1);
/// The names of both, in order; those of the assembly dialects, too.
pub const NAMES: &[&str] = &["document", "unit"];
