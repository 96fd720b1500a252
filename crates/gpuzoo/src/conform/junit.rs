//! Reports as JUnit XML, which build servers read: a suite for each file, a case for each record.
//!
//! There is no standard of it; what is written is what the schemas of Jenkins and GitLab have in common. Names are unique within
//! a suite, as both want it: the line comes first.

use super::report::line;
use super::{Outcome, Record, Report};
use gpuzoo_diag::{counted, printable};
use std::fmt::Write;

/// The document. `machine` is what the records are of; reports need [every record](super::Options::every).
///
/// ```
/// use gpuzoo::conform::{Report, junit};
/// let report = Report { name: "v.jsonl".to_owned(), ..Report::default() };
/// let document = junit::document("toy", &[report]);
/// assert!(document.contains("<testsuite name=\"v.jsonl\" tests=\"0\" failures=\"0\" errors=\"0\" skipped=\"0\">"));
/// ```
pub fn document(machine: &str, reports: &[Report]) -> String {
    let mut text = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n".to_owned();
    let _ = writeln!(text, "<testsuites name=\"gpuzoo conform\"{}>", counts(reports));
    for report in reports {
        let (name, counts) = (escaped(&report.name), counts(std::slice::from_ref(report)));
        let _ = writeln!(text, "  <testsuite name=\"{name}\"{counts} skipped=\"{}\">", report.elsewhere);
        report.records.iter().for_each(|record| case(machine, report, record, &mut text));
        text += "  </testsuite>\n";
    }
    text + "</testsuites>\n"
}

/// How many records there are, and how many of them did not pass.
fn counts(reports: &[Report]) -> String {
    let sum = |of: fn(&Report) -> usize| reports.iter().map(of).sum::<usize>();
    let tests = sum(|report| report.total() + report.elsewhere);
    let (failures, errors) = (sum(|report| report.failed), sum(|report| report.malformed));
    format!(" tests=\"{tests}\" failures=\"{failures}\" errors=\"{errors}\"")
}

fn case(machine: &str, report: &Report, record: &Record, text: &mut String) {
    let kind = if record.kind.is_empty() { "unknown" } else { record.kind };
    let name = format!("line {} {}", record.line, record.name);
    let _ = write!(
        text,
        "    <testcase name=\"{}\" classname=\"{}.{}\" file=\"{}\" line=\"{}\"",
        escaped(name.trim_end()),
        escaped(machine),
        escaped(kind),
        escaped(&report.name),
        record.line
    );
    match &record.outcome {
        Outcome::Passed => text.push_str("/>\n"),
        Outcome::Elsewhere => {
            text.push_str("><skipped message=\"compared with the results of another file\"/></testcase>\n");
        }
        Outcome::Unusable(why) => {
            let _ = writeln!(text, "><error message=\"{}\"/></testcase>", escaped(why));
        }
        Outcome::Failed(count, differences) => {
            let message = match &differences[..] {
                [only] if *count == 1 => line(only),
                _ => format!("{} in {} compared", counted(*count, "difference"), record.compared),
            };
            let _ =
                writeln!(text, ">\n      <failure message=\"{}\" type=\"difference\">", escaped(&message));
            for difference in differences {
                let _ = writeln!(text, "{}", escaped(&line(difference)));
            }
            if *count > differences.len() {
                let _ = writeln!(text, "and {} more", count - differences.len());
            }
            text.push_str("      </failure>\n    </testcase>\n");
        }
    }
}

/// A text for an attribute or between tags. XML has no way to write most control characters, so they are shown.
fn escaped(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for letter in printable(text).chars() {
        match letter {
            '&' => escaped += "&amp;",
            '<' => escaped += "&lt;",
            '>' => escaped += "&gt;",
            '"' => escaped += "&quot;",
            // Neither are the last two of the first plane.
            '\u{fffe}' | '\u{ffff}' => escaped.push('\u{fffd}'),
            letter if letter < ' ' => escaped.push(' '),
            letter => escaped.push(letter),
        }
    }
    escaped
}

#[cfg(test)]
mod tests {
    use super::*;
    use gpuzoo_machine::vectors::Difference;

    #[test]
    fn each_outcome_has_its_form() {
        let record = |line, name: &str, outcome| Record {
            line,
            kind: "run",
            name: name.to_owned(),
            compared: 4,
            outcome,
        };
        let difference = Difference {
            place: "pos.x".to_owned(),
            expected: "<1>".to_owned(),
            got: "\"2\" & \u{1}".to_owned(),
            ulp: Some(3),
        };
        let report = Report {
            name: "a&b.jsonl".to_owned(),
            passed: 1,
            failed: 1,
            malformed: 1,
            elsewhere: 1,
            records: vec![
                record(1, "one", Outcome::Passed),
                record(2, "two", Outcome::Failed(1, vec![difference])),
                Record { kind: "", ..record(3, "", Outcome::Unusable("not \"so\"".to_owned())) },
                record(4, "", Outcome::Elsewhere),
            ],
            ..Report::default()
        };
        let expected = "\
<?xml version=\"1.0\" encoding=\"UTF-8\"?>
<testsuites name=\"gpuzoo conform\" tests=\"4\" failures=\"1\" errors=\"1\">
  <testsuite name=\"a&amp;b.jsonl\" tests=\"4\" failures=\"1\" errors=\"1\" skipped=\"1\">
    <testcase name=\"line 1 one\" classname=\"toy.run\" file=\"a&amp;b.jsonl\" line=\"1\"/>
    <testcase name=\"line 2 two\" classname=\"toy.run\" file=\"a&amp;b.jsonl\" line=\"2\">
      <failure message=\"pos.x: expected &lt;1&gt;, got &quot;2&quot; &amp; \\u{1}, 3 ulp apart\" type=\"difference\">
pos.x: expected &lt;1&gt;, got &quot;2&quot; &amp; \\u{1}, 3 ulp apart
      </failure>
    </testcase>
    <testcase name=\"line 3\" classname=\"toy.unknown\" file=\"a&amp;b.jsonl\" line=\"3\"><error message=\"not &quot;so&quot;\"/></testcase>
    <testcase name=\"line 4\" classname=\"toy.run\" file=\"a&amp;b.jsonl\" line=\"4\"><skipped message=\"compared with the results of another file\"/></testcase>
  </testsuite>
</testsuites>
";
        assert_eq!(document("toy", &[report]), expected);
    }
}
