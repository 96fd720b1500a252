//! Drawings: bars, legends, a timeline, slots, pictures.

use crate::html::Html;
use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;
use std::ops::Range;

/// A bar: what it is, how long it is compared with others, and its number for people.
#[derive(Clone, Debug)]
pub struct Bar {
    label: String,
    value: u64,
    text: String,
}

impl Bar {
    /// A bar of a length.
    pub fn new(label: &str, value: u64, text: &str) -> Bar {
        Bar { label: label.to_owned(), value, text: text.to_owned() }
    }
}

/// Bars, of which the longest is as long as there is room.
pub fn bars(html: &mut Html, bars: &[Bar]) {
    let most = bars.iter().map(|bar| bar.value).max().unwrap_or(0).max(1);
    html.node("table", &[("class", "bars")], |html| {
        for bar in bars {
            html.node("tr", &[], |html| {
                html.leaf("td", &[], &bar.label);
                html.node("td", &[("class", "bar")], |html| {
                    let box_ = [("viewBox", "0 0 1000 10"), ("preserveAspectRatio", "none")];
                    let hidden = [box_[0], box_[1], ("aria-hidden", "true")];
                    html.node("svg", &hidden, |html| {
                        let part = (u128::from(bar.value) * 1000 / u128::from(most)).to_string();
                        html.void("rect", &[("class", "all"), ("width", "1000"), ("height", "10")]);
                        html.void("rect", &[("class", "part"), ("width", &part), ("height", "10")]);
                    });
                });
                html.leaf("td", &[("class", "number")], &bar.text);
            });
        }
    });
}

/// What colours mean.
pub fn legend(html: &mut Html, entries: &[([u8; 3], String)]) {
    html.node("ul", &[("class", "legend")], |html| {
        for ([red, green, blue], text) in entries {
            html.node("li", &[], |html| {
                let color = format!("rgb({red},{green},{blue})");
                html.node("svg", &[("width", "14"), ("height", "14"), ("aria-hidden", "true")], |html| {
                    let size = [("width", "14"), ("height", "14"), ("class", "line"), ("fill", &color)];
                    html.void("rect", &size);
                });
                html.text(text);
            });
        }
    });
}

/// A PNG file as the address of a picture.
///
/// ```
/// use gpuzoo_report::draw::{png_uri, png_uri_length};
/// let uri = png_uri(b"foob");
/// // RFC 4648, section 10.
/// assert_eq!((uri.as_str(), uri.len()), ("data:image/png;base64,Zm9vYg==", png_uri_length(4)));
/// ```
pub fn png_uri(png: &[u8]) -> String {
    let mut uri = String::with_capacity(png_uri_length(png.len()));
    uri.push_str(PNG_URI);
    BASE64_STANDARD.encode_string(png, &mut uri);
    uri
}

/// The bytes of the address of a file of so many bytes.
pub fn png_uri_length(png: usize) -> usize {
    PNG_URI.len() + png.div_ceil(3) * 4
}

const PNG_URI: &str = "data:image/png;base64,";

/// A picture, a PNG file, with what is written beneath it.
pub fn picture(
    html: &mut Html,
    (width, height): (u32, u32),
    png: &[u8],
    about: &str,
    beneath: impl FnOnce(&mut Html),
) {
    html.node("figure", &[], |html| {
        html.node("div", &[("class", "frame")], |html| {
            let data = png_uri(png);
            let (width, height) = (width.to_string(), height.to_string());
            let size = [("width", width.as_str()), ("height", height.as_str())];
            html.void("img", &[("src", &data), ("alt", about), size[0], size[1]]);
        });
        html.node("figcaption", &[], beneath);
    });
}

/// What ran in a block of a machine, and when.
#[derive(Clone, Debug)]
pub struct Track {
    /// The block.
    pub name: String,
    /// When it was busy, how much of it (up to 1000), and whether with the second kind of work.
    pub spans: Vec<(Range<u64>, u16, bool)>,
}

/// Columns that a timeline is drawn in: what is finer is averaged.
pub const COLUMNS: u64 = 600;

/// Tracks above each other in a window of time. A column is as high as the share of it that was busy.
pub fn timeline(html: &mut Html, unit: &str, window: Range<u64>, tracks: &[Track]) {
    const NAME: u64 = 190;
    const ROW: usize = 26;
    let window = window.start..window.end.max(window.start.saturating_add(1));
    let length = window.end - window.start;
    let (width, height) = (NAME + COLUMNS + 60, ROW * tracks.len() + 30);
    let view = format!("0 0 {width} {height}");
    let (wide, high) = (width.to_string(), height.to_string());
    let about = format!("what {} blocks did in {length} {unit}", tracks.len());
    let size =
        [("viewBox", view.as_str()), ("width", wide.as_str()), ("height", high.as_str()), ("role", "img")];
    let drawing = [size[0], size[1], size[2], size[3], ("class", "drawing"), ("aria-label", &about)];
    html.node("div", &[("class", "wide"), ("tabindex", "0")], |html| {
        html.node("svg", &drawing, |html| {
            for (number, track) in tracks.iter().enumerate() {
                let top = ROW * number;
                html.leaf("text", &[("x", "0"), ("y", &(top + 16).to_string())], &track.name);
                let line = (top + 22).to_string();
                let ends = [("x1", NAME.to_string()), ("x2", (NAME + COLUMNS).to_string())];
                let line = [("x1", ends[0].1.as_str()), ("x2", &ends[1].1), ("y1", &line), ("y2", &line)];
                html.void("line", &[line[0], line[1], line[2], line[3], ("class", "line")]);
                let busy = columns(track, &window);
                let mut at = 0;
                while at < busy.len() {
                    let same = busy[at..].iter().take_while(|share| **share == busy[at]).count();
                    let (share, second) = busy[at];
                    if share > 0 {
                        let high = (18 * usize::from(share)).div_ceil(1000);
                        let x = (NAME as usize + at).to_string();
                        let y = (top + 22 - high).to_string();
                        let (wide, high) = (same.to_string(), high.to_string());
                        let class = if second { "second" } else { "busy" };
                        let place = [("x", x.as_str()), ("y", &y), ("width", &wide), ("height", &high)];
                        html.void("rect", &[("class", class), place[0], place[1], place[2], place[3]]);
                    }
                    at += same;
                }
            }
            let y = (ROW * tracks.len() + 18).to_string();
            for quarter in 0..=4 {
                let x = (NAME + COLUMNS * quarter / 4).to_string();
                let text =
                    (u128::from(window.start) + u128::from(length) * u128::from(quarter) / 4).to_string();
                let text = if quarter == 4 { format!("{text} {unit}") } else { text };
                let place = [("x", x.as_str()), ("y", &y), ("class", "dim"), ("text-anchor", "middle")];
                html.leaf("text", &place, &text);
            }
        });
    });
}

/// For each column how much of it was busy, in thousandths, and whether mostly with the second kind of work.
fn columns(track: &Track, window: &Range<u64>) -> Vec<(u16, bool)> {
    let end = window.end - window.start;
    // Each column sums up the exact time that falls into it.
    let inside = |time: u64| time.clamp(window.start, window.end) - window.start;
    let scale = |time: u64| u128::from(inside(time)) * u128::from(COLUMNS);
    let mut sums = vec![[0u128; 2]; COLUMNS as usize];
    for (span, level, second) in &track.spans {
        let (mut from, to) = (scale(span.start), scale(span.end));
        while from < to {
            let column = from / u128::from(end);
            let stop = to.min((column + 1) * u128::from(end));
            if let Some(sum) = sums.get_mut(column as usize) {
                sum[usize::from(*second)] += (stop - from) * u128::from((*level).min(1000));
            }
            from = stop;
        }
    }
    let share = |[first, second]: [u128; 2]| {
        // What is busy at all is seen.
        let share = (first + second).div_ceil(u128::from(end)).min(1000) as u16;
        (share, second > first)
    };
    sums.into_iter().map(share).collect()
}

/// Which half of each slot does something: rows of cells, one for each slot, with the instruction if there is one.
pub fn slots(html: &mut Html, rows: &[(&str, Vec<Option<String>>)]) {
    const SIDE: usize = 18;
    const NAME: usize = 48;
    let count = rows.iter().map(|(_, cells)| cells.len()).max().unwrap_or(0);
    let (width, height) = (NAME + SIDE * count + 20, (SIDE + 6) * rows.len() + 18);
    let (view, wide, high) = (format!("0 0 {width} {height}"), width.to_string(), height.to_string());
    let size = [("viewBox", view.as_str()), ("width", &wide), ("height", &high), ("role", "img")];
    let about = format!("which of {count} slots each half uses");
    html.node("div", &[("class", "wide"), ("tabindex", "0")], |html| {
        let drawing = [size[0], size[1], size[2], size[3], ("class", "drawing"), ("aria-label", &about)];
        html.node("svg", &drawing, |html| {
            for (number, (name, cells)) in rows.iter().enumerate() {
                let top = (SIDE + 6) * number;
                html.leaf("text", &[("x", "0"), ("y", &(top + 14).to_string())], name);
                for (slot, cell) in cells.iter().enumerate() {
                    let (x, y) = ((NAME + SIDE * slot).to_string(), top.to_string());
                    let class = if cell.is_some() { "busy" } else { "cell" };
                    let place = [("x", x.as_str()), ("y", &y), ("width", "16"), ("height", "18")];
                    let rect = [("class", class), place[0], place[1], place[2], place[3]];
                    html.node("rect", &rect, |html| {
                        if let Some(text) = cell {
                            html.leaf("title", &[], &format!("slot {slot}: {text}"));
                        }
                    });
                }
            }
            let y = ((SIDE + 6) * rows.len() + 12).to_string();
            for slot in (0..count).step_by(8) {
                let x = (NAME + SIDE * slot).to_string();
                html.leaf("text", &[("x", &x), ("y", &y), ("class", "dim")], &slot.to_string());
            }
        });
    });
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Of 1,200 cycles each column has two: one of both is a half, and what is short is seen all the same.
    #[test]
    fn columns_share_out_time() {
        let track = |spans| Track { name: String::new(), spans };
        let busy = columns(&track(vec![(0..1, 1000, false), (4..8, 500, true)]), &(0..1200));
        assert_eq!(busy[..5], [(500, false), (0, false), (500, true), (500, true), (0, false)]);
        assert_eq!(busy.len(), COLUMNS as usize);
        let long = columns(&track(vec![(0..1, 1000, false)]), &(0..u64::MAX));
        assert_eq!((long[0], long[1]), ((1, false), (0, false)));
        // Overlapping work is not more than all.
        assert_eq!(columns(&track(vec![(0..10, 1000, false); 3]), &(0..10)), vec![(1000, false); 600]);
        // A window shows what lies in it: of 600 to 1,200 the half from 900 on.
        let late = columns(&track(vec![(900..5000, 1000, false)]), &(600..1200));
        assert_eq!((late[299], late[300], late[599]), ((0, false), (1000, false), (1000, false)));
        // Beyond the end there is nothing.
        assert_eq!(columns(&track(vec![(10..20, 1000, false)]), &(0..10)), vec![(0, false); 600]);
    }

    #[test]
    fn the_longest_bar_fills_its_room() {
        let mut html = Html::default();
        let all = [Bar::new("a", 50, "50"), Bar::new("b", 200, "200"), Bar::new("c", 0, "0")];
        bars(&mut html, &all);
        for width in ["\"250\"", "\"1000\"", "\"0\""] {
            assert!(html.as_str().contains(&format!("class=\"part\" width={width}")), "{}", html.as_str());
        }
        // None of them has a length.
        bars(&mut Html::default(), &[Bar::new("", 0, "")]);
    }
}
