//! A graph along a listing: a row for each node, in an order in which all links lead downward, and a line from each node to
//! those that use it. It is a part of a page, or a file of its own.

use crate::html::Html;
use crate::page::DRAWING;

/// A node.
#[derive(Clone, Debug)]
pub struct Row {
    /// What stands in its row.
    pub text: String,
    /// What it is.
    pub kind: RowKind,
    /// The rows above that it uses.
    pub uses: Vec<usize>,
}

/// What a node is, which decides its colour.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RowKind {
    /// An instruction.
    Step,
    /// An input.
    Input,
    /// A constant.
    Constant,
    /// Something is wrong with it.
    Odd,
}

impl RowKind {
    const fn class(self) -> &'static str {
        match self {
            RowKind::Step => "step",
            RowKind::Input => "input",
            RowKind::Constant => "constant",
            RowKind::Odd => "odd",
        }
    }
}

const ROW: usize = 22;
const LANE: usize = 9;
/// The width of a character, rounded up: fonts differ.
const LETTER: usize = 8;

/// A vertical line from a row to the last that uses it.
struct Lane {
    from: usize,
    to: usize,
    users: Vec<usize>,
    /// How far left it is.
    place: usize,
}

/// The lines, those that do not overlap beneath each other in the same place.
fn lanes(rows: &[Row]) -> Vec<Lane> {
    let mut lanes: Vec<Lane> = (0..rows.len())
        .filter_map(|from| {
            let users: Vec<usize> =
                (from + 1..rows.len()).filter(|user| rows[*user].uses.contains(&from)).collect();
            let to = *users.last()?;
            Some(Lane { from, to, users, place: 0 })
        })
        .collect();
    // Short ones next to the text.
    let mut order: Vec<usize> = (0..lanes.len()).collect();
    order.sort_by_key(|lane| (lanes[*lane].to - lanes[*lane].from, lanes[*lane].from));
    let mut taken: Vec<Vec<(usize, usize)>> = Vec::new();
    for lane in order {
        let (from, to) = (lanes[lane].from, lanes[lane].to);
        let is_free = |used: &Vec<(usize, usize)>| used.iter().all(|(start, end)| to < *start || *end < from);
        let place = taken.iter().position(is_free).unwrap_or(taken.len());
        if place == taken.len() {
            taken.push(Vec::new());
        }
        taken[place].push((from, to));
        lanes[lane].place = place;
    }
    lanes
}

/// Where things are in a drawing of rows.
struct Layout {
    lanes: Vec<Lane>,
    margin: usize,
    width: usize,
    height: usize,
}

impl Layout {
    fn of(rows: &[Row]) -> Layout {
        let lanes = lanes(rows);
        let places = lanes.iter().map(|lane| lane.place + 1).max().unwrap_or(0);
        let margin = LANE * places + 14;
        Layout {
            lanes,
            margin,
            width: margin + wide(rows.iter().map(|row| &*row.text)),
            height: ROW * rows.len() + 6,
        }
    }

    fn draw(&self, html: &mut Html, rows: &[Row]) {
        let margin = self.margin;
        let middle = |row: usize| ROW * row + 14;
        for lane in &self.lanes {
            let x = margin - 10 - LANE * (lane.place + 1);
            let mut path = format!("M{} {}H{x}V{}", margin - 6, middle(lane.from), middle(lane.to));
            for user in &lane.users {
                path += &format!("M{x} {y}H{}m-4 -3l4 3l-4 3", margin - 2, y = middle(*user));
            }
            let class = format!("lane {}", rows[lane.from].kind.class());
            html.node("g", &[("class", &class)], |html| {
                html.void("path", &[("d", &path)]);
            });
        }
        for (number, row) in rows.iter().enumerate() {
            let (x, y) = ((margin - 6).to_string(), middle(number).to_string());
            let place = [("cx", x.as_str()), ("cy", &y), ("r", "3.5")];
            html.void("circle", &[("class", row.kind.class()), place[0], place[1], place[2]]);
            let (x, y) = ((margin + 4).to_string(), (middle(number) + 4).to_string());
            let class = if row.kind == RowKind::Odd { "bad" } else { "" };
            let place = [("x", x.as_str()), ("y", &y), ("class", class)];
            html.leaf("text", &[place[0], place[1], place[2], ("xml:space", "preserve")], &row.text);
        }
    }
}

/// The width of the longest of some lines.
fn wide<'a>(lines: impl Iterator<Item = &'a str>) -> usize {
    LETTER * lines.map(|line| line.chars().count()).max().unwrap_or(0) + 16
}

/// Draws it.
pub fn graph(html: &mut Html, about: &str, rows: &[Row]) {
    let layout = Layout::of(rows);
    let view = format!("0 0 {} {}", layout.width, layout.height);
    let (wide, high) = (layout.width.to_string(), layout.height.to_string());
    let size = [("viewBox", view.as_str()), ("width", &wide), ("height", &high), ("role", "img")];
    let drawing = [size[0], size[1], size[2], size[3], ("class", "drawing"), ("aria-label", about)];
    html.node("div", &[("class", "wide"), ("tabindex", "0")], |html| {
        html.node("svg", &drawing, |html| layout.draw(html, rows));
    });
}

/// The same as a file, an SVG picture below some lines of text. Colours are light or dark as those of who looks at it.
///
/// ```
/// use gpuzoo_report::{Row, RowKind, svg};
/// let rows = [
///     Row { text: "input  v0.x = 1".to_owned(), kind: RowKind::Input, uses: vec![] },
///     Row { text: "0  MOV R0, v0  R0.x = 1".to_owned(), kind: RowKind::Step, uses: vec![0] },
/// ];
/// let file = svg(&["R0.x < 2".to_owned()], &rows);
/// assert!(file.starts_with("<svg xmlns=") && file.contains("R0.x &lt; 2"));
/// ```
pub fn svg(heading: &[String], rows: &[Row]) -> String {
    let layout = Layout::of(rows);
    let top = ROW * heading.len();
    let width = layout.width.max(wide(heading.iter().map(String::as_str)));
    let height = top + layout.height;
    let view = format!("0 0 {width} {height}");
    let (wide, high) = (width.to_string(), height.to_string());
    let size = [("viewBox", view.as_str()), ("width", wide.as_str()), ("height", high.as_str())];
    let mut html = Html::default();
    html.node("svg", &[("xmlns", "http://www.w3.org/2000/svg"), size[0], size[1], size[2]], |html| {
        html.leaf("title", &[], &heading.join("\n"));
        html.node("style", &[], |html| {
            html.own(DRAWING);
        });
        html.void("rect", &[("class", "paper"), ("width", "100%"), ("height", "100%")]);
        for (number, line) in heading.iter().enumerate() {
            let y = (ROW * number + 18).to_string();
            html.leaf("text", &[("x", "8"), ("y", &y), ("xml:space", "preserve")], line);
        }
        html.node("g", &[("transform", &format!("translate(0 {top})"))], |html| layout.draw(html, rows));
    });
    format!("{}\n", html.as_str())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(uses: &[usize]) -> Row {
        Row { text: "x".to_owned(), kind: RowKind::Step, uses: uses.to_owned() }
    }

    #[test]
    fn lines_that_overlap_are_beside_each_other() {
        // 0 → 1, 0 → 3; 1 → 2; 2 → 3; 4 alone.
        let rows = [row(&[]), row(&[0]), row(&[1]), row(&[0, 2]), row(&[])];
        let lanes = lanes(&rows);
        let places: Vec<(usize, usize, usize)> =
            lanes.iter().map(|lane| (lane.from, lane.to, lane.place)).collect();
        // 1 → 2 and 2 → 3 share row 2.
        assert_eq!(places, [(0, 3, 2), (1, 2, 0), (2, 3, 1)]);
        assert_eq!(lanes[0].users, [1, 3]);
    }

    #[test]
    fn a_graph_has_a_row_for_each_node() {
        let mut html = Html::default();
        graph(&mut html, "<it>", &[row(&[]), row(&[0])]);
        assert_eq!(html.as_str().matches("<circle").count(), 2);
        assert_eq!(html.as_str().matches("<path").count(), 1);
        assert!(html.as_str().contains("aria-label=\"&lt;it&gt;\""));
        graph(&mut Html::default(), "", &[]);
    }

    /// A file has all that the drawing in a page has, and is as wide as its widest line.
    #[test]
    fn a_file_is_the_same_drawing() {
        let rows = [row(&[]), row(&[0])];
        let heading = ["a line that is a bit longer, <b>".to_owned(), "another".to_owned()];
        let file = svg(&heading, &rows);
        let mut html = Html::default();
        graph(&mut html, "", &rows);
        let shapes = |text: &str| ["<circle", "<path", ">x</text>"].map(|shape| text.matches(shape).count());
        assert_eq!(shapes(&file), shapes(html.as_str()));
        assert!(
            file.contains("width=\"272\" height=\"94\"") && file.contains("longer, &lt;b&gt;</text>"),
            "{file}"
        );
        assert!(!file.contains("<b>") && svg(&[], &[]).ends_with("</svg>\n"));
    }
}
