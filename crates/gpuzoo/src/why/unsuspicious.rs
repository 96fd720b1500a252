//! The text about runs whose outputs are not suspicious.

use crate::paint::{Ink, Paint};
use crate::trace::Trace;
use std::fmt::Write;

/// The most outputs and findings of a run, and lines of all runs, that are shown where nothing is suspicious.
const MOST_OUTPUTS: usize = 6;
const MOST_FINDINGS: usize = 3;
const MOST_LINES: usize = 23;

/// Outputs of runs without a suspicious one, and suspicious values before them.
pub fn unsuspicious(traces: &[Trace], bits: bool, paint: Paint) -> String {
    let mut text = String::new();
    for trace in traces {
        let _ = writeln!(text, "{}{}", trace.subject.text(), trace.fate());
        for output in trace.outputs.iter().filter(|output| output.reg.is_some()).take(MOST_OUTPUTS) {
            let _ = writeln!(text, "  {}", trace.output(output, bits, paint));
        }
        for finding in trace.findings(bits).iter().take(MOST_FINDINGS) {
            let _ = writeln!(text, "  {}", paint.ink(Ink::Odd, finding));
        }
    }
    let kept: Vec<&str> = text.lines().take(MOST_LINES).collect();
    format!(
        "{}\nno output is a NaN, infinite or black; `--register oD0.x` asks for a component\n",
        kept.join("\n")
    )
}
