//! A text over the panes.

use gpuzoo::paint::Ink;

/// A text that is looked at until a key closes it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Overlay {
    pub title: String,
    /// Lines as they come, each with what it is.
    pub lines: Vec<(String, Option<Ink>)>,
    /// The first row that is seen, of those that the lines take.
    pub top: usize,
    /// Columns that rows of a long line begin with, but for its first.
    pub indent: usize,
    /// The step that Enter goes to, and what it is.
    pub leads: Option<(u64, String)>,
}

impl Overlay {
    /// Of a text of several lines.
    pub fn of(title: &str, text: &str) -> Overlay {
        let lines = text.lines().map(|line| (line.to_owned(), None)).collect();
        Overlay { title: title.to_owned(), lines, top: 0, indent: 4, leads: None }
    }

    /// Its rows in so many columns.
    pub fn rows(&self, columns: usize) -> Vec<(String, Option<Ink>)> {
        let wrapped = self
            .lines
            .iter()
            .flat_map(|(line, ink)| wrap(line, columns, self.indent).into_iter().map(|row| (row, *ink)));
        wrapped.collect()
    }

    /// Moves so many rows, of those that there are in a room.
    pub fn scroll(&mut self, (columns, rows): (usize, usize), by: i64) {
        let last = self.rows(columns).len().saturating_sub(rows);
        let top = (self.top as i64).saturating_add(by).clamp(0, last as i64);
        self.top = top as usize;
    }
}

/// The rows of a line: broken at blanks where there are some.
fn wrap(line: &str, columns: usize, indent: usize) -> Vec<String> {
    let columns = columns.max(8);
    let letters: Vec<char> = line.chars().collect();
    let (mut rows, mut start) = (Vec::new(), 0);
    loop {
        let indent = if start == 0 { 0 } else { indent.min(columns / 2) };
        let room = columns - indent;
        let row = |part: &[char]| " ".repeat(indent) + &part.iter().collect::<String>();
        if letters.len() - start <= room {
            rows.push(row(&letters[start..]));
            return rows;
        }
        // The blank may be the letter behind the row.
        let part = &letters[start..=start + room];
        let blank = part.iter().rposition(|letter| *letter == ' ').filter(|blank| *blank > room / 2);
        let end = start + blank.unwrap_or(room);
        rows.push(row(&letters[start..end]));
        start = if blank.is_some() { end + 1 } else { end };
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_lines_are_broken_at_blanks() {
        assert_eq!(wrap("one two three four", 10, 4), ["one two", "    three", "    four"]);
        assert_eq!(wrap("abcdefghijklmnop", 10, 4), ["abcdefghij", "    klmnop"]);
        assert_eq!(wrap("", 10, 4), [""]);
        // A room of no columns is one of some.
        assert!(wrap("é é é é é é é é", 0, 9).len() > 1);
    }
}
