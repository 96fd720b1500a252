//! A picture of letters: two pixels above each other in each.

use crate::colors::Colors;
use gpuzoo::machine::session::Picture;
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::{Color, Modifier, Style};

/// From dark to bright, for terminals without colours.
const SHADES: [char; 10] = [' ', '.', ':', '-', '=', '+', '*', '#', '%', '@'];

/// The part of some room that a picture fills with its shape kept, and with whole letters: a letter is twice as high as wide.
pub(crate) fn place(room: Rect, width: u32, height: u32) -> Rect {
    let (width, height) = (u64::from(width.max(1)), u64::from(height.max(1)));
    let (columns, rows) = (u64::from(room.width), u64::from(room.height) * 2);
    // As wide as the room, or as high.
    let (wide, high) = match columns * height <= rows * width {
        true => (columns, columns * height / width),
        false => (rows * width / height, rows),
    };
    let wide = (wide.clamp(1, columns.max(1)) as u16).min(room.width);
    let high = (high.div_ceil(2).clamp(1, u64::from(room.height.max(1))) as u16).min(room.height);
    Rect { x: room.x + (room.width - wide) / 2, y: room.y, width: wide, height: high }
}

/// Which pixels of a picture a part of the room shows: the first and the last of `count` at number `at` of `of`.
fn span(at: u32, of: u32, count: u32) -> std::ops::Range<u32> {
    let of = of.max(1);
    let edge = |at: u32| (u64::from(at) * u64::from(count) / u64::from(of)) as u32;
    let start = edge(at).min(count.saturating_sub(1));
    start..edge(at + 1).clamp(start + 1, count.max(start + 1))
}

/// Samples of a pixel of letters in each direction: a big picture is not looked at as a whole for a small one.
const SAMPLES: u32 = 4;

/// The mean of some pixels, as they are stored.
fn mean(picture: &Picture, columns: std::ops::Range<u32>, rows: std::ops::Range<u32>) -> [u8; 3] {
    let every = |range: &std::ops::Range<u32>| (range.len() as u32).div_ceil(SAMPLES).max(1) as usize;
    let (mut sum, mut count) = ([0u32; 3], 0);
    for y in rows.clone().step_by(every(&rows)) {
        for x in columns.clone().step_by(every(&columns)) {
            let [red, green, blue, _] = picture.image.get(x, y).unwrap_or_default();
            for (sum, byte) in sum.iter_mut().zip([red, green, blue]) {
                *sum += u32::from(byte);
            }
            count += 1;
        }
    }
    sum.map(|sum| (sum / count.max(1)) as u8)
}

/// Draws it into some room, with the marked pixel crossed.
pub(crate) fn draw(picture: &Picture, colors: Colors, room: Rect, buffer: &mut Buffer) {
    if room.is_empty() {
        return;
    }
    let (width, height) = (picture.image.width(), picture.image.height());
    let place = place(room, width, height);
    let halves = u32::from(place.height) * 2;
    let mut marked = None;
    for row in 0..place.height {
        for column in 0..place.width {
            let columns = span(column.into(), place.width.into(), width);
            let [upper, lower] = [0, 1].map(|half| span(u32::from(row) * 2 + half, halves, height));
            let is_marked = picture
                .mark
                .is_some_and(|(x, y)| columns.contains(&x) && (upper.contains(&y) || lower.contains(&y)));
            let pixels = [upper, lower].map(|rows| mean(picture, columns.clone(), rows));
            let at = (place.x + column, place.y + row);
            if is_marked && marked.is_none() {
                marked = Some(at);
            }
            let Some(cell) = buffer.cell_mut(at) else { continue };
            match pixels.map(|pixel| colors.pixel(pixel)) {
                [Some(upper), Some(lower)] => drop(cell.set_char('▀').set_fg(upper).set_bg(lower)),
                _ => {
                    let sum: u32 = pixels.iter().flatten().map(|byte| u32::from(*byte)).sum();
                    let shade = SHADES[(sum as usize * SHADES.len() / (6 * 256)).min(SHADES.len() - 1)];
                    cell.set_char(shade);
                }
            }
        }
    }
    let Some((x, y)) = marked else { return };
    cross(place, (x, y), colors, buffer);
}

/// Marks a letter, and points at it from the edges.
fn cross(place: Rect, (x, y): (u16, u16), colors: Colors, buffer: &mut Buffer) {
    let style = match colors {
        Colors::None => Style::new().add_modifier(Modifier::REVERSED | Modifier::BOLD),
        _ => Style::new().fg(Color::Black).bg(Color::White).add_modifier(Modifier::BOLD),
    };
    let mut set = |x: u16, y: u16, letter: char| {
        if place.contains((x, y).into())
            && let Some(cell) = buffer.cell_mut((x, y))
        {
            cell.reset();
            cell.set_char(letter).set_style(style);
        }
    };
    set(x.wrapping_sub(1), y, '>');
    set(x.saturating_add(1), y, '<');
    set(x, y, 'X');
}

#[cfg(test)]
mod tests {
    use super::*;
    use gpuzoo::raster::Image;

    #[test]
    fn a_picture_keeps_its_shape() {
        let room = Rect::new(2, 3, 40, 10);
        // 40 columns and 20 half rows: a picture of 4 to 3 is 26 wide, one of 4 to 1 is 40 by 10 halves.
        assert_eq!(place(room, 640, 480), Rect::new(9, 3, 26, 10));
        assert_eq!(place(room, 400, 100), Rect::new(2, 3, 40, 5));
        assert_eq!(place(Rect::new(0, 0, 0, 0), 4, 4).area(), 0);
        assert_eq!(place(Rect::new(0, 0, 1, 1), 1, 9_000), Rect::new(0, 0, 1, 1));
    }

    /// Left half white, right half black, and a mark in the middle of the right.
    #[test]
    fn pixels_are_where_they_belong() {
        let pixel = |at: u32| if at % 8 < 4 { [255; 4] } else { [0, 0, 0, 255] };
        let image = Image::from_pixels(8, 8, (0..64).map(pixel).collect()).unwrap();
        let picture = Picture { image, mark: Some((6, 2)) };
        let mut buffer = Buffer::empty(Rect::new(0, 0, 8, 4));
        draw(&picture, Colors::None, buffer.area, &mut buffer);
        let row = |buffer: &Buffer, y| (0..8).map(|x| buffer[(x, y)].symbol().to_owned()).collect::<String>();
        assert_eq!([row(&buffer, 0), row(&buffer, 1)], ["@@@@    ", "@@@@ >X<"]);
        draw(&picture, Colors::True, buffer.area, &mut buffer);
        assert_eq!((buffer[(0, 0)].fg, buffer[(7, 3)].bg), (Color::Rgb(255, 255, 255), Color::Rgb(0, 0, 0)));
    }
}
