//! Mutants that no test can notice, with the reason: `xtask/mutants.toml`.

use super::mutant::Mutant;
use std::path::Path;

/// One of them, or several that have the same reason.
#[derive(Debug)]
pub struct Entry {
    /// The file.
    file: String,
    /// What is changed, as cargo-mutants says it, or the beginning of it.
    change: String,
    /// A part of the line that is changed, if the change alone does not say which one it is.
    code: String,
}

impl Entry {
    /// True if a mutant is this one.
    pub fn is(&self, mutant: &Mutant) -> bool {
        mutant.file == self.file
            && mutant.change.starts_with(&self.change)
            && mutant.code.contains(&self.code)
    }
}

/// Reads the file.
///
/// # Errors
/// A file that cannot be read, an entry that lacks a field or has another one, as a message.
pub fn read(path: &Path) -> Result<Vec<Entry>, String> {
    let text = std::fs::read_to_string(path).map_err(|error| format!("{}: {error}", path.display()))?;
    parse(&text).map_err(|error| format!("{}: {error}", path.display()))
}

fn parse(text: &str) -> Result<Vec<Entry>, String> {
    let table: toml::Table = text.parse().map_err(|error| format!("{error}"))?;
    let mut entries = Vec::new();
    for (number, value) in
        table.get("mutant").and_then(|list| list.as_array()).into_iter().flatten().enumerate()
    {
        let number = number + 1;
        let field = |name: &str| value.get(name).and_then(|text| text.as_str()).map(str::to_owned);
        let need = |name: &str| field(name).ok_or_else(|| format!("mutant {number} lacks `{name}`"));
        let known = ["file", "change", "code", "reason"];
        let names = value.as_table().into_iter().flat_map(|table| table.keys());
        if let Some(name) = names.into_iter().find(|name| !known.contains(&name.as_str())) {
            return Err(format!("mutant {number} has `{name}`; there are {}", known.join(", ")));
        }
        need("reason")?;
        let (file, change) = (need("file")?, need("change")?);
        entries.push(Entry { file, change, code: field("code").unwrap_or_default() });
    }
    Ok(entries)
}

/// An entry that is no longer a mutant would excuse another one some day.
///
/// # Errors
/// The first entry of the folder that fits none of its mutants, as a message.
pub fn check(entries: &[Entry], folder: &str, mutants: &[Mutant]) -> Result<(), String> {
    let mut own = entries.iter().filter(|entry| entry.file.starts_with(&format!("{folder}/")));
    match own.find(|entry| !mutants.iter().any(|mutant| entry.is(mutant))) {
        Some(entry) => Err(format!("xtask/mutants.toml lists what is not a mutant any more: {entry:?}")),
        None => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::mutant;
    use super::*;

    #[test]
    fn entries_name_what_they_excuse() {
        let text = "[[mutant]]\nfile = 'gpus/a/src/b.rs'\nchange = 'replace < with <= in c'\ncode = 'x < y'\n\
                    reason = 'speed'\n";
        let entries = parse(text).unwrap();
        let one = |line: &str| mutant("gpus/a/src/b.rs", 3, "replace < with <= in c", line);
        assert!(entries[0].is(&one("if x < y {")));
        assert!(!entries[0].is(&one("if x < z {")));
        assert!(check(&entries, "gpus/a", &[one("if x < y {")]).is_ok());
        assert!(check(&entries, "gpus/a", &[one("if x < z {")]).is_err());
        assert!(check(&entries, "gpus/b", &[]).is_ok());
        assert!(parse(&text.replace("reason", "because")).is_err());
        assert!(parse(&text.replace("reason = 'speed'\n", "")).is_err());
    }

    #[test]
    fn the_list_can_be_read() {
        read(&crate::root().join("xtask/mutants.toml")).unwrap();
    }
}
