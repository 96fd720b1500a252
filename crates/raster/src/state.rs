//! What a program sets between draws: rectangles, culling, depth test, blending.

use crate::blend::Blend;
use crate::depth::DepthTest;
use crate::rop::Rop;

/// A rectangle in pixels, origin at the top left, y down. It may lie outside the target in part or as a whole.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Rect {
    /// The left-most column.
    pub x: i32,
    /// The top-most row.
    pub y: i32,
    /// Columns.
    pub width: u32,
    /// Rows.
    pub height: u32,
}

impl Rect {
    /// A rectangle at the origin.
    pub fn sized(width: u32, height: u32) -> Rect {
        Rect { x: 0, y: 0, width, height }
    }
}

/// Where normalized coordinates land.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Viewport {
    /// -1 to 1 in x and y, in pixels. Nothing is drawn outside.
    pub rect: Rect,
    /// The depths of the near and the far plane. They also bound depth where it is clamped. NaN counts as 0.
    pub depth: [f32; 2],
}

impl Viewport {
    /// The whole of a target of this size, with depth from 0 to 1.
    pub fn sized(width: u32, height: u32) -> Viewport {
        Viewport { rect: Rect::sized(width, height), depth: [0.0, 1.0] }
    }
}

/// The direction in which the corners of a triangle follow each other, as the viewer sees the picture.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Winding {
    /// Clockwise.
    Clockwise,
    /// Counter-clockwise.
    CounterClockwise,
}

/// Which triangles are dropped for the side that they show.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cull {
    /// None.
    None,
    /// Those that show their front.
    Front,
    /// Those that show their back.
    Back,
}

/// The state of a draw.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct State {
    /// Used where positions are in clip space.
    pub viewport: Viewport,
    /// If present, nothing is drawn outside.
    pub scissor: Option<Rect>,
    /// Which triangles are dropped. Lines have no sides.
    pub cull: Cull,
    /// The winding of a front side.
    pub front: Winding,
    /// Without a test depths are neither read nor written.
    pub depth: Option<DepthTest>,
    /// How a colour meets the one that is there.
    pub blend: Blend,
    /// Blends bytes in place of `blend`, for machines that have such a unit.
    pub rop: Option<Rop>,
    /// Which of R, G, B, A are written.
    pub color_mask: [bool; 4],
}

impl State {
    /// Draws everything over a target of this size: no culling, no depth test, no blending.
    pub fn sized(width: u32, height: u32) -> State {
        State {
            viewport: Viewport::sized(width, height),
            scissor: None,
            cull: Cull::None,
            front: Winding::CounterClockwise,
            depth: None,
            blend: Blend::REPLACE,
            rop: None,
            color_mask: [true; 4],
        }
    }
}

/// A rectangle within a target: columns `left..right` and rows `top..bottom`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Bounds {
    pub left: i32,
    pub right: i32,
    pub top: i32,
    pub bottom: i32,
}

impl Bounds {
    pub fn of_target(width: u32, height: u32) -> Bounds {
        Bounds { left: 0, right: width as i32, top: 0, bottom: height as i32 }
    }

    /// What also lies in `rect`. 64 bits inside, since a rectangle may reach past the last 32-bit number.
    pub fn within(self, rect: Rect) -> Bounds {
        let clamp = |value: i64, low: i32, high: i32| value.clamp(low.into(), high.into()) as i32;
        let end = |start: i32, length: u32| i64::from(start) + i64::from(length);
        if self.is_empty() {
            return self;
        }
        Bounds {
            left: clamp(rect.x.into(), self.left, self.right),
            right: clamp(end(rect.x, rect.width), self.left, self.right),
            top: clamp(rect.y.into(), self.top, self.bottom),
            bottom: clamp(end(rect.y, rect.height), self.top, self.bottom),
        }
    }

    pub fn is_empty(self) -> bool {
        self.left >= self.right || self.top >= self.bottom
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rectangles_outside_and_across() {
        let target = Bounds::of_target(100, 50);
        let cases = [
            (Rect { x: -10, y: -10, width: 20, height: 20 }, Some((0, 10, 0, 10))),
            (Rect { x: 90, y: 40, width: u32::MAX, height: u32::MAX }, Some((90, 100, 40, 50))),
            (Rect { x: i32::MIN, y: 0, width: u32::MAX, height: 5 }, Some((0, 100, 0, 5))),
            (Rect { x: 100, y: 0, width: 5, height: 5 }, None),
            (Rect { x: i32::MAX, y: i32::MIN, width: 1, height: 1 }, None),
            (Rect { x: 5, y: 5, width: 0, height: 9 }, None),
        ];
        for (rect, expected) in cases {
            let got = target.within(rect);
            match expected {
                Some((left, right, top, bottom)) => assert_eq!(got, Bounds { left, right, top, bottom }),
                None => assert!(got.is_empty(), "{rect:?}"),
            }
        }
    }
}
