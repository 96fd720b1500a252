//! Which source is followed where the document and the reference differ (spec section 3).

/// The document: the default.
pub const DOCUMENT: &str = "document";
/// The reference's assembler and shader unit, with their quirks.
pub const UNIT: &str = "unit";
/// Both.
pub const PROFILES: &[&str] = &[DOCUMENT, UNIT];
