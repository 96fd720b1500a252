//! Tracked sources, as the checks of `tidy` read them.

/// A tracked file: its path from the root, and its text if it is one.
pub(crate) struct Tracked {
    pub path: String,
    pub text: String,
}

/// The code of a file without comments, line by line; texts in quotes stay.
pub(crate) fn code(file: &Tracked) -> impl Iterator<Item = (usize, &str)> {
    let lines = file.text.lines().enumerate().map(|(index, line)| (index + 1, line.trim()));
    // Test modules stand at the end of a file.
    let code =
        lines.take_while(|(_, line)| *line != "#[cfg(test)]").filter(|(_, line)| !line.starts_with("//"));
    code.map(|(number, line)| (number, line.split(" // ").next().unwrap_or(line)))
}

pub(crate) fn is_library_source(file: &Tracked) -> bool {
    file.path.contains("/src/") && (file.path.starts_with("crates/") || file.path.starts_with("gpus/"))
}
