//! How what is drawn looks. Whatever a colour says, a letter or a typeface says, too.

use gpuzoo::paint::Ink;
use ratatui::style::{Color, Modifier, Style};

/// The colours that a terminal has, or that are wanted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Colors {
    /// None: bold and reversed letters alone, and pictures of letters.
    None,
    /// 256, of which the first 16 are the user's.
    Indexed,
    /// The 16 of the user, and any others for pictures.
    True,
}

/// Levels of the cube in the middle of the 256 colours.
const CUBE: [u8; 6] = [0, 95, 135, 175, 215, 255];

impl Colors {
    /// How a word looks.
    pub(crate) fn ink(self, ink: Ink) -> Style {
        let plain = Style::new();
        let colored = |color| if self == Colors::None { plain } else { plain.fg(color) };
        match ink {
            Ink::Head => plain.add_modifier(Modifier::BOLD),
            Ink::Dim => plain.add_modifier(Modifier::DIM),
            Ink::New => colored(Color::Cyan).add_modifier(Modifier::BOLD),
            Ink::Odd => colored(Color::Red).add_modifier(Modifier::BOLD | Modifier::UNDERLINED),
            Ink::Good => colored(Color::Green),
            Ink::Bad => colored(Color::Red),
        }
    }

    /// A pixel; none without colours.
    pub(crate) fn pixel(self, [red, green, blue]: [u8; 3]) -> Option<Color> {
        match self {
            Colors::None => None,
            Colors::True => Some(Color::Rgb(red, green, blue)),
            Colors::Indexed => {
                let level = |byte: u8| {
                    let near = |(_, level): &(u8, u8)| level.abs_diff(byte);
                    (0..6).zip(CUBE).min_by_key(near).map_or(0, |(index, _)| index)
                };
                Some(Color::Indexed(16 + 36 * level(red) + 6 * level(green) + level(blue)))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The cube as xterm has it: 16 is black, 196 red, 231 white, 102 the grey of 135.
    #[test]
    fn pixels_get_the_nearest_of_256_colors() {
        for (pixel, index) in
            [([0, 0, 0], 16), ([255, 0, 0], 196), ([250, 255, 240], 231), ([130, 138, 135], 102)]
        {
            assert_eq!(Colors::Indexed.pixel(pixel), Some(Color::Indexed(index)), "{pixel:?}");
        }
        assert_eq!(Colors::True.pixel([1, 2, 3]), Some(Color::Rgb(1, 2, 3)));
        assert_eq!(Colors::None.pixel([1, 2, 3]), None);
    }
}
