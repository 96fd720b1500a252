//! The frame of a report.

use crate::html::Html;

/// A report: what it is about, and its sections.
#[derive(Clone, Debug)]
pub struct Page {
    title: String,
    facts: Vec<(String, String)>,
    sections: Vec<(String, Html)>,
}

/// No document has the characters `<` and `&` here: style and script are the same for HTML and XML.
pub(crate) const DRAWING: &str = include_str!("drawing.css");
const STYLE: &str = include_str!("style.css");
const SCRIPT: &str = include_str!("script.js");

impl Page {
    /// An empty report.
    pub fn new(title: &str) -> Page {
        Page { title: title.to_owned(), facts: Vec::new(), sections: Vec::new() }
    }

    /// Says something about the whole: a name and what it is.
    pub fn fact(&mut self, name: &str, value: &str) -> &mut Page {
        self.facts.push((name.to_owned(), value.to_owned()));
        self
    }

    /// Adds a section, unless nothing is written in it.
    pub fn section(&mut self, heading: &str, inside: impl FnOnce(&mut Html)) -> &mut Page {
        let mut html = Html::default();
        inside(&mut html);
        if !html.is_empty() {
            self.sections.push((heading.to_owned(), html));
        }
        self
    }

    /// How many bytes its sections have.
    pub fn len(&self) -> usize {
        self.sections.iter().map(|(_, html)| html.len()).sum()
    }

    /// True if it has no sections.
    pub fn is_empty(&self) -> bool {
        self.sections.is_empty()
    }

    /// The file.
    pub fn finish(&self) -> String {
        let mut html = Html::default();
        let document = [("lang", "en"), ("xmlns", "http://www.w3.org/1999/xhtml")];
        html.node("html", &document, |html| {
            html.node("head", &[], |html| {
                html.void("meta", &[("charset", "utf-8")]);
                html.void(
                    "meta",
                    &[("name", "viewport"), ("content", "width=device-width, initial-scale=1")],
                );
                html.void("meta", &[("name", "color-scheme"), ("content", "light dark")]);
                html.leaf("title", &[], &format!("{} · gpuzoo", self.title));
                html.node("style", &[], |html| {
                    html.own(DRAWING).own(STYLE);
                });
            });
            html.node("body", &[], |html| {
                html.node("header", &[], |html| self.header(html));
                html.node("main", &[], |html| {
                    for (number, (heading, inside)) in self.sections.iter().enumerate() {
                        html.node("section", &[("id", &format!("s{number}"))], |html| {
                            html.leaf("h2", &[], heading).append(inside);
                        });
                    }
                });
                html.node("script", &[], |html| {
                    html.own(SCRIPT);
                });
            });
        });
        let mut file = String::with_capacity(html.len() + 32);
        file.push_str("<!DOCTYPE html>\n");
        file.push_str(html.as_str());
        file.push('\n');
        file
    }

    fn header(&self, html: &mut Html) {
        html.leaf("h1", &[], &self.title);
        html.node("dl", &[("class", "facts")], |html| {
            for (name, value) in &self.facts {
                html.node("div", &[], |html| {
                    html.leaf("dt", &[], name).leaf("dd", &[], value);
                });
            }
        });
        if self.sections.len() > 1 {
            html.node("nav", &[("aria-label", "Sections")], |html| {
                for (number, (heading, _)) in self.sections.iter().enumerate() {
                    html.leaf("a", &[("href", &format!("#s{number}"))], heading).text(" ");
                }
            });
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn style_and_script_are_the_same_for_html_and_xml() {
        for text in [DRAWING, STYLE, SCRIPT] {
            assert!(!text.contains(['<', '&']) && !text.contains("]]>"));
            // Nothing comes from elsewhere.
            assert!(!text.contains("http") && !text.contains("url(") && !text.contains("import"));
        }
    }

    proptest! {
        /// Whatever a text is, it comes back as it is shown, and the page has no other elements for it.
        #[test]
        fn any_text_is_only_text(text in any::<String>(), name in any::<String>()) {
            let mut page = Page::new(&name);
            page.fact(&text, &name);
            page.section(&text, |html| {
                html.leaf("p", &[("title", &text)], &text);
            });
            let file = page.finish();
            let options = roxmltree::ParsingOptions { allow_dtd: true, ..Default::default() };
            let document = roxmltree::Document::parse_with_options(&file, options).unwrap();
            let paragraph = document.descendants().find(|node| node.has_tag_name("p")).unwrap();
            let shown = |text: &str| -> String {
                let lines = text.split('\n').map(|line| {
                    let parts = line.split('\t').map(|part| gpuzoo_diag::printable(part).into_owned());
                    parts.collect::<Vec<_>>().join("\t")
                });
                lines.collect::<Vec<_>>().join("\n").replace(['\u{fffe}', '\u{ffff}'], "\u{fffd}")
            };
            prop_assert_eq!(paragraph.text().unwrap_or_default(), shown(&text));
            // XML has a space for a line's end in an attribute.
            prop_assert_eq!(paragraph.attribute("title").unwrap(), shown(&text).replace(['\n', '\t'], " "));
            prop_assert_eq!(document.descendants().filter(|node| node.is_element()).count(), 19);
            prop_assert_eq!(file, page.finish());
        }
    }

    #[test]
    fn a_section_without_content_is_left_out() {
        let mut page = Page::new("t");
        page.section("nothing", |_| {});
        assert!(page.is_empty() && !page.finish().contains("nothing"));
        let mut escaped = String::new();
        crate::escape("\r", &mut escaped);
        assert_eq!(escaped, "\\r");
    }
}
