//! Where the viewer is and how it sees.

use crate::angle::sin_cos;
use crate::expr::{Expr, Time};
use crate::fields::Fields;
use crate::matrix::Matrix;
use crate::transform::at;
use gpuzoo_diag::{Diagnostic, File};
use gpuzoo_machine::options::settings::Table;

gpuzoo_diag::codes! {
    SEES_NOTHING = "R0328", "camera that sees nothing",
        "A camera sees what lies between its near and its far plane, within an angle above 0 and below 180 degrees, or a height above 0, \
         in the direction from its eye to its target, with `up` in another direction, on a picture whose aspect is above 0. All frames of an \
         animation are looked at, of long ones a hundred.";
}

/// The most frames of which the camera is checked, besides the last one.
const MOST_CHECKED: u32 = 100;

/// The reason why a camera sees nothing.
struct Blind {
    /// The setting that it is about.
    key: &'static str,
    message: String,
    expected: &'static str,
}

/// A camera whose numbers may follow the time.
///
/// Without settings it is at (0, 0, 5), looks at the origin, +y up, and sees 45 degrees from bottom to top, from
/// 0.1 to 100 away.
#[derive(Clone, Debug)]
pub(crate) struct Camera {
    eye: [Expr; 3],
    target: [Expr; 3],
    up: [Expr; 3],
    /// Degrees from the bottom to the top of the picture.
    fov: Expr,
    /// The height of the picture, for a camera without perspective.
    height: Option<Expr>,
    near: Expr,
    far: Expr,
    /// Width divided by height; the picture's if it is not given.
    aspect: Option<Expr>,
}

impl Default for Camera {
    fn default() -> Camera {
        let vector = |vector: [f64; 3]| vector.map(Expr::from);
        Camera {
            eye: vector([0.0, 0.0, 5.0]),
            target: vector([0.0; 3]),
            up: vector([0.0, 1.0, 0.0]),
            fov: Expr::from(45.0),
            height: None,
            near: Expr::from(0.1),
            far: Expr::from(100.0),
            aspect: None,
        }
    }
}

impl Camera {
    /// Reads `{ eye, target, up, fov, near, far, aspect }`, or `orthographic`, the height of the picture, for `fov`, of a scene with so
    /// many frames.
    pub fn read(table: &Table, file: &File, frames: u32, problems: &mut Vec<Diagnostic>) -> Camera {
        let usual = Camera::default();
        let mut fields = Fields::new(table, file, problems);
        let camera = Camera {
            eye: fields.vector("eye").unwrap_or(usual.eye),
            target: fields.vector("target").unwrap_or(usual.target),
            up: fields.vector("up").unwrap_or(usual.up),
            fov: fields.expr("fov").unwrap_or(usual.fov),
            height: fields.expr("orthographic"),
            near: fields.expr("near").unwrap_or(usual.near),
            far: fields.expr("far").unwrap_or(usual.far),
            aspect: fields.expr("aspect"),
        };
        camera.warn(frames, &mut fields);
        fields.finish();
        camera
    }

    /// Reports the first frame that shows nothing, with the reason.
    fn warn(&self, frames: u32, fields: &mut Fields) {
        let step = frames.div_ceil(MOST_CHECKED).max(1) as usize;
        let last = frames.saturating_sub(1);
        let mut checked = (0..last).step_by(step).chain([last]);
        let set = ["near", "eye", "up"].map(|key| fields.setting(key).map(|_| key));
        let blind = |frame| Some((frame, self.blind(Time::of(frame, frames), set)?));
        let Some((frame, blind)) = checked.find_map(blind) else { return };
        let span = fields.span(blind.key);
        let problem = Diagnostic::warning(&SEES_NOTHING, blind.message).label(span, blind.expected);
        let note = format!("it is so in frame {frame} of {frames}, counted from 0");
        fields.report(if frame == 0 { problem } else { problem.note(note) });
    }

    /// The first reason why a frame shows nothing. Of three settings it is known whether they are there.
    fn blind(&self, time: Time, [set_near, set_eye, set_up]: [Option<&'static str>; 3]) -> Option<Blind> {
        let reason = |key, message, expected| Some(Blind { key, message, expected });
        let (fov, near, far) = (self.fov.at(time), self.near.at(time), self.far.at(time));
        let height = self.height.as_ref().map(|height| height.at(time));
        match height {
            Some(height) if !is_positive(height) => {
                let message = format!("the picture is {height} high");
                return reason("orthographic", message, "expected a height above 0");
            }
            None if !(is_positive(fov) && fov < 180.0) => {
                let message = format!("the angle of view is {fov} degrees");
                return reason("fov", message, "expected more than 0 and less than 180 degrees");
            }
            _ => {}
        }
        if height.is_none() && !is_positive(near) {
            let message = format!("the near plane is at a distance of {near}");
            return reason("near", message, "expected a distance above 0");
        }
        if near.partial_cmp(&far) != Some(std::cmp::Ordering::Less) {
            let message = format!("the near plane, at {near}, is not in front of the far plane, at {far}");
            return reason(set_near.unwrap_or("far"), message, "expected `near` to be less than `far`");
        }
        if let Some(aspect) = self.aspect.as_ref().map(|aspect| aspect.at(time))
            && !is_positive(aspect)
        {
            let message = format!("the picture is {aspect} times as wide as it is high");
            return reason("aspect", message, "expected an aspect above 0");
        }
        let (eye, target, up) = (at(&self.eye, time), at(&self.target, time), at(&self.up, time));
        if eye == target {
            let message = "the camera is at the point that it looks at".to_owned();
            return reason(set_eye.unwrap_or("target"), message, "expected another point");
        }
        let view = Matrix::look_at(eye, target, up);
        if !view.0.iter().flatten().all(|number| number.is_finite()) {
            let message =
                "the camera does not know which way is up: it looks along `up`, or `up` is no direction"
                    .to_owned();
            let key = set_up.or(set_eye).unwrap_or("target");
            return reason(key, message, "expected a direction across the line of sight");
        }
        None
    }

    /// From the world to view space, from an eye that somebody has [turned](turned) around what it looks at.
    pub fn view(&self, time: Time, turn: [f64; 2]) -> Matrix {
        let (eye, target, up) = (at(&self.eye, time), at(&self.target, time), at(&self.up, time));
        let eye = if turn == [0.0; 2] { eye } else { turned(eye, target, up, turn) };
        Matrix::look_at(eye, target, up)
    }

    /// From view space to clip space, for a picture of this aspect.
    pub fn projection(&self, time: Time, aspect: f64) -> Matrix {
        let aspect = self.aspect.as_ref().map_or(aspect, |aspect| aspect.at(time));
        let (near, far) = (self.near.at(time), self.far.at(time));
        match &self.height {
            Some(height) => {
                let height = height.at(time);
                Matrix::orthographic(height * aspect, height, near, far)
            }
            None => Matrix::perspective(self.fov.at(time), aspect, near, far),
        }
    }
}

fn is_positive(number: f64) -> bool {
    number > 0.0 && number.is_finite()
}

/// An eye moved around its target: so many degrees around the way up, then so many towards it, but never over the pole.
fn turned(eye: [f64; 3], target: [f64; 3], up: [f64; 3], [around, over]: [f64; 2]) -> [f64; 3] {
    let dot = |one: [f64; 3], other: [f64; 3]| (0..3).map(|axis| one[axis] * other[axis]).sum::<f64>();
    let cross = |one: [f64; 3], other: [f64; 3]| {
        [0, 1, 2].map(|axis| {
            let (next, last) = ((axis + 1) % 3, (axis + 2) % 3);
            one[next] * other[last] - one[last] * other[next]
        })
    };
    let unit = |vector: [f64; 3]| {
        let length = dot(vector, vector).sqrt();
        vector.map(|axis| axis / length)
    };
    let up = unit(up);
    let way = [0, 1, 2].map(|axis| eye[axis] - target[axis]);
    let distance = dot(way, way).sqrt();
    let flat = [0, 1, 2].map(|axis| way[axis] - up[axis] * dot(way, up));
    // An eye right above what it looks at sees along `up` and cannot be turned around it.
    if !distance.is_finite() || dot(flat, flat) <= f64::EPSILON * distance * distance {
        return eye;
    }
    let ahead = unit(flat);
    let side = cross(up, ahead);
    let (sine, cosine) = sin_cos(around);
    // The sine and the cosine of its height, and of the sum of that and the turn.
    let (rise, level) = (dot(way, up) / distance, dot(flat, flat).sqrt() / distance);
    let turn = sin_cos(over.clamp(-180.0, 180.0));
    let (rise, level) = (rise * turn.1 + level * turn.0, level * turn.1 - rise * turn.0);
    let highest = sin_cos(MOST_HEIGHT);
    let (rise, level) = match level < highest.1 {
        // Beyond a pole it is the turn that says which.
        true => (highest.0.copysign(if level < 0.0 { over } else { rise }), highest.1),
        false => (rise, level),
    };
    [0, 1, 2].map(|axis| {
        let ahead = ahead[axis] * cosine + side[axis] * sine;
        target[axis] + distance * (ahead * level + up[axis] * rise)
    })
}

/// How high an eye is turned, in degrees: nearly to the pole.
const MOST_HEIGHT: f64 = 88.8;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn settings_become_matrices() {
        let text =
            "eye = [0, '3*t', 2]\ntarget = [0, '3*t', 0]\north = 1\northographic = 4\nnear = 1\nfar = 3\n";
        let file = File::new("t", text);
        let (table, _) = crate::toml::parse(&file);
        let mut problems = Vec::new();
        let camera = Camera::read(&table, &file, 1, &mut problems);
        assert_eq!(problems.len(), 1);
        assert_eq!(file.slice(problems[0].labels[0].span), "orth");
        let time = Time { frame: 0.0, t: 1.0 };
        assert_eq!(camera.view(time, [0.0; 2]).point([1.0, 3.0, 0.0]), [1.0, 0.0, -2.0]);
        // 4 high and 8 wide; depth 1/2 in the middle.
        assert_eq!(camera.projection(time, 2.0).point([4.0, 2.0, -2.0]), [1.0, 1.0, 0.5]);
        // An aspect that is given counts, whatever the picture has.
        let file = File::new("t", "orthographic = 4\nnear = 1\nfar = 3\naspect = '2+t'\n");
        let camera = Camera::read(&crate::toml::parse(&file).0, &file, 4, &mut problems);
        assert_eq!(camera.projection(time, 2.0).point([6.0, 2.0, -2.0]), [1.0, 1.0, 0.5]);
    }

    #[test]
    fn cameras_that_see_nothing_are_reported() {
        let reported = |text: &str| {
            let file = File::new("t", text);
            let mut problems = Vec::new();
            Camera::read(&crate::toml::parse(&file).0, &file, 4, &mut problems);
            let places = problems
                .iter()
                .map(|problem| format!("{} {}", problem.code.id, file.slice(problem.labels[0].span)));
            places.collect::<Vec<_>>()
        };
        for (text, place) in [
            ("fov = 200", "200"),
            ("fov = 0", "0"),
            ("fov = '180 - t'", "'180 - t'"),
            ("orthographic = -1", "-1"),
            ("near = 0", "0"),
            ("near = 200", "200"),
            ("far = 0.05", "0.05"),
            ("near = 5\nfar = 5", "5"),
            ("eye = [0, 1, 0]\ntarget = [0, 1, 0]", "[0, 1, 0]"),
            ("target = [0, 0, 5]", "[0, 0, 5]"),
            ("aspect = 0", "0"),
            ("aspect = '1 - 2*t'", "'1 - 2*t'"),
            ("up = [0, 0, 0]", "[0, 0, 0]"),
            ("up = [0, 0, -2]", "[0, 0, -2]"),
            ("eye = [0, 3, 0]", "[0, 3, 0]"),
            // In the frames 2 and 3 of 4.
            ("near = '1 - 2*t'", "'1 - 2*t'"),
            ("eye = [0, 0, 'frame - 3']", "[0, 0, 'frame - 3']"),
        ] {
            assert_eq!(reported(text), [format!("R0328 {place}")], "{text}");
        }
        for text in [
            "",
            "fov = 179.9",
            "orthographic = 2\nnear = -5",
            "near = 100\nfar = 200",
            "fov = '1 + 90*t'",
            "up = [0, 0, 1]\neye = [0, 3, 0]",
        ] {
            assert_eq!(reported(text), [""; 0], "{text}");
        }
    }

    #[test]
    fn the_usual_camera_sees_the_origin() {
        let camera = Camera::default();
        let clip = camera.projection(Time::default(), 1.5) * camera.view(Time::default(), [0.0; 2]);
        let [x, y, z, w] = clip.apply([0.0, 0.0, 0.0, 1.0]);
        assert_eq!((x, y, w), (0.0, 0.0, 5.0));
        assert!(z > 0.0 && z < w);
    }
    #[test]
    fn an_eye_is_turned_around_its_target() {
        let near = |one: [f64; 3], other: [f64; 3]| {
            assert!(
                one.iter().zip(other).all(|(one, other)| (one - other).abs() < 1e-12),
                "{one:?} {other:?}"
            );
        };
        let (target, up) = ([1.0, 0.0, 0.0], [0.0, 2.0, 0.0]);
        near(turned([1.0, 0.0, 5.0], target, up, [90.0, 0.0]), [6.0, 0.0, 0.0]);
        near(turned([1.0, 0.0, 5.0], target, up, [0.0, 30.0]), [1.0, 2.5, 5.0 * 0.75f64.sqrt()]);
        // From any height, up and down, also from behind: 5 away at a height of 30 degrees, and of the sum.
        let at = |degrees: f64| {
            let (sine, cosine) = sin_cos(degrees);
            [5.0 * sine, 5.0 * cosine]
        };
        for (height, over, expected) in [
            (30.0, 30.0, 60.0),
            (30.0, -30.0, 0.0),
            (30.0, -75.0, -45.0),
            (-40.0, 60.0, 20.0),
            (60.0, 60.0, 88.8),
        ] {
            let ([y, z], [up_y, up_z]) = (at(height), at(expected));
            near(turned([1.0, y, z], target, up, [0.0, over]), [1.0, up_y, up_z]);
            near(turned([1.0, y, -z], target, up, [0.0, over]), [1.0, up_y, -up_z]);
            // Around by a quarter, to the right of who looks, and over.
            near(turned([1.0, y, z], target, up, [90.0, over]), [1.0 + up_z, up_y, 0.0]);
            near(turned([1.0, y, z], target, up, [180.0, over]), [1.0, up_y, -up_z]);
        }
        // Its distance stays, and it does not get over the pole.
        let [x, y, z] = turned([1.0, 0.0, 5.0], target, up, [0.0, 500.0]);
        assert!(x == 1.0 && z > 0.0 && y > 4.99 && ((y * y + z * z).sqrt() - 5.0).abs() < 1e-12);
        assert_eq!(turned([1.0, 5.0, 0.0], target, up, [90.0, 10.0]), [1.0, 5.0, 0.0]);
        assert_eq!(turned(target, target, up, [90.0, 10.0]), target);
    }
}
