//! Sizes that pictures can have.

use gpuzoo_diag::Diagnostic;
use gpuzoo_raster::{MAX_BYTES, MAX_SIDE};

gpuzoo_diag::codes! {
    BAD_SIZE = "R0314", "impossible picture size",
        "Width and height are 1 to 16384 pixels, and a picture has at most 67,108,864 pixels (8192 × 8192).";
}

/// Whether a picture can have this size.
///
/// # Errors
/// `R0314` if not.
pub fn check_size((width, height): (u32, u32)) -> Result<(), Diagnostic> {
    let bytes = (u64::from(width) * u64::from(height)).saturating_mul(4);
    if width == 0 || height == 0 || width.max(height) > MAX_SIDE || bytes > MAX_BYTES as u64 {
        let problem = Diagnostic::error(&BAD_SIZE, format!("a picture cannot be {width} × {height}"));
        let help = format!("sides are 1 to {MAX_SIDE}, and there are at most {} pixels", MAX_BYTES / 4);
        return Err(problem.help(help));
    }
    Ok(())
}
