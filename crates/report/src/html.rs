//! Elements and texts.

use gpuzoo_diag::printable;
use std::fmt::Write;

/// A piece of a page. Elements are written through closures, so that each is closed where it must be; their names and those
/// of attributes come from the program, texts and values from anywhere.
///
/// ```
/// use gpuzoo_report::Html;
/// let mut html = Html::default();
/// html.node("p", &[("title", "\"a\" & b")], |html| {
///     html.text("1 < 2").leaf("b", &[], "bold");
/// });
/// assert_eq!(html.as_str(), "<p title=\"&quot;a&quot; &amp; b\">1 &lt; 2<b>bold</b></p>");
/// ```
#[derive(Clone, Debug, Default)]
pub struct Html {
    text: String,
}

/// Adds a text such that it is nothing but text, between elements and in attributes: the characters that mean something are
/// escaped, and so is, visibly, what would change how other text is shown. Lines stay lines.
///
/// ```
/// let mut safe = String::new();
/// gpuzoo_report::escape("<a>\n\u{1b}[2J", &mut safe);
/// assert_eq!(safe, "&lt;a&gt;\n\\u{1b}[2J");
/// ```
pub fn escape(text: &str, to: &mut String) {
    for (number, line) in text.split('\n').enumerate() {
        if number > 0 {
            to.push('\n');
        }
        for (number, part) in line.split('\t').enumerate() {
            if number > 0 {
                to.push('\t');
            }
            for letter in printable(part).chars() {
                match letter {
                    '&' => to.push_str("&amp;"),
                    '<' => to.push_str("&lt;"),
                    '>' => to.push_str("&gt;"),
                    '"' => to.push_str("&quot;"),
                    '\'' => to.push_str("&#39;"),
                    // No document may have them.
                    '\u{fffe}' | '\u{ffff}' => to.push('\u{fffd}'),
                    letter => to.push(letter),
                }
            }
        }
    }
}

impl Html {
    /// What has been written.
    pub fn as_str(&self) -> &str {
        &self.text
    }

    /// How many bytes have been written.
    pub fn len(&self) -> usize {
        self.text.len()
    }

    /// True if nothing has been written.
    pub fn is_empty(&self) -> bool {
        self.text.is_empty()
    }

    fn begin(&mut self, name: &'static str, attributes: &[(&'static str, &str)]) {
        let _ = write!(self.text, "<{name}");
        for (name, value) in attributes {
            let _ = write!(self.text, " {name}=\"");
            escape(value, &mut self.text);
            self.text.push('"');
        }
    }

    /// An element with what the closure writes.
    pub fn node(
        &mut self,
        name: &'static str,
        attributes: &[(&'static str, &str)],
        inside: impl FnOnce(&mut Html),
    ) -> &mut Html {
        self.begin(name, attributes);
        self.text.push('>');
        inside(self);
        let _ = write!(self.text, "</{name}>");
        self
    }

    /// An element with a text.
    pub fn leaf(&mut self, name: &'static str, attributes: &[(&'static str, &str)], text: &str) -> &mut Html {
        self.node(name, attributes, |html| {
            html.text(text);
        })
    }

    /// An element that never has anything inside: `br`, `img`, a shape of a drawing.
    pub fn void(&mut self, name: &'static str, attributes: &[(&'static str, &str)]) -> &mut Html {
        self.begin(name, attributes);
        self.text.push_str("/>");
        self
    }

    /// A text.
    pub fn text(&mut self, text: &str) -> &mut Html {
        escape(text, &mut self.text);
        self
    }

    /// Another piece.
    pub fn append(&mut self, other: &Html) -> &mut Html {
        self.text.push_str(&other.text);
        self
    }

    /// What the program itself brings: a style sheet, a script.
    pub(crate) fn own(&mut self, text: &'static str) -> &mut Html {
        self.text.push_str(text);
        self
    }

    /// A table: its heads, then rows of cells that closures write. It scrolls by itself where it is wider than the page.
    pub fn table<R>(
        &mut self,
        class: &'static str,
        heads: &[&str],
        rows: impl IntoIterator<Item = R>,
        mut row: impl FnMut(&mut Html, R),
    ) -> &mut Html {
        self.node("div", &[("class", "wide"), ("tabindex", "0")], |html| {
            html.node("table", &[("class", class)], |html| {
                html.node("thead", &[], |html| {
                    html.node("tr", &[], |html| {
                        for head in heads {
                            html.leaf("th", &[("scope", "col")], head);
                        }
                    });
                });
                html.node("tbody", &[], |html| rows.into_iter().for_each(|one| row(html, one)));
            });
        })
    }
}
