//! Pictures: a frame with its views, a pixel of it, a job with its timeline, the screen of a computer.

use super::program::{MOST_SLOTS, program};
use super::steps;
use crate::pick::Pick;
use crate::render::{Rendered, Shown};
use crate::{Machine, value};
use gpuzoo_diag::Diagnostic;
use gpuzoo_machine::Gpu;
use gpuzoo_machine::computer::timeline::Timeline;
use gpuzoo_machine::limits::budget::{Budget, Refusal, Resource};
use gpuzoo_machine::text::grouped;
use gpuzoo_machine::unit::draw::DrawReport;
use gpuzoo_machine::unit::job::JobDone;
use gpuzoo_raster::{Fate, Image, Target, View};
use gpuzoo_report::{Html, Page, draw};
use gpuzoo_scene::{Scene, output};
use std::collections::HashSet;
use std::sync::Arc;

/// The longest side of a picture in a report, in pixels; of a larger one there is no picture, but all else.
pub const MOST_SIDE: u32 = 4_096;
/// The most programs of a scene that are shown.
const MOST_PROGRAMS: usize = 16;
/// The most fragments of a pixel whose runs are shown.
const MOST_FRAGMENTS: usize = 32;
/// Pixels on either side of one that is looked at.
const BESIDE: u32 = 7;

/// A picture in the page, if it is not too large and there is memory for it.
fn picture(
    html: &mut Html,
    image: &Image,
    budget: &Budget,
    name: &str,
    about: &str,
    legend: &[([u8; 3], String)],
) -> Result<(), Diagnostic> {
    let size = (image.width(), image.height());
    if size.0.max(size.1) > MOST_SIDE {
        let text = format!("{name}: {} × {} pixels are more than a report shows.", size.0, size.1);
        html.leaf("p", &[], &text);
        return Ok(());
    }
    let pixels = image.pixels().len() as u64;
    budget.ask(Resource::Memory, pixels * 8).map_err(|refusal| refusal.problem())?;
    let png = output::png(image, false).map_err(|error| crate::film::cannot(error.to_string()))?;
    let bytes = draw::png_uri_length(png.len()) as u64;
    budget.ask(Resource::Memory, bytes + html.len() as u64).map_err(|refusal| refusal.problem())?;
    draw::picture(html, size, &png, &format!("{name}: {about}"), |html| {
        html.leaf("b", &[], name).text(": ").text(about);
        if !legend.is_empty() {
            draw::legend(html, legend);
        }
    });
    Ok(())
}

/// A target's picture and all views that the machine has.
fn pictures(
    page: &mut Page,
    target: &Target,
    budget: &Budget,
    command: Option<&str>,
    color: (&Image, &str),
) -> Result<(), Diagnostic> {
    let mut done = Ok(());
    page.section("Pictures", |html| {
        let attributes: Vec<(&'static str, &str)> =
            [Some(("class", "pictures")), command.map(|command| ("data-command", command))]
                .into_iter()
                .flatten()
                .collect();
        html.node("div", &attributes, |html| {
            done = picture(html, color.0, budget, "picture", color.1, &[]).and_then(|()| {
                for (name, view, about) in View::ALL {
                    let shown = view.picture(target).map_err(|error| Refusal::from(error).problem())?;
                    let Some(image) = shown else { continue };
                    picture(html, &image, budget, name, about, &view.legend(target))?;
                }
                Ok(())
            });
        });
    });
    done
}

/// Figures of draws, then where the cost of each went.
fn statistics(html: &mut Html, reports: &[DrawReport]) {
    // A machine whose costs are not known says 0.
    let has_cost = reports.iter().any(|report| report.cost > 0);
    let heads = [
        Some("draw"),
        Some("vertices"),
        has_cost.then_some("cost"),
        Some("primitives"),
        Some("outside"),
        Some("culled"),
        Some("drawn"),
        Some("fragments"),
        Some("hidden"),
        Some("killed"),
        Some("written"),
    ];
    let heads: Vec<&str> = heads.into_iter().flatten().collect();
    html.table("numbers", &heads, reports.iter().enumerate(), |html, (number, report)| {
        let stats = &report.stats;
        html.node("tr", &[], |html| {
            html.leaf("td", &[], &number.to_string());
            let figures = [
                Some(report.vertices),
                has_cost.then_some(report.cost),
                Some(stats.primitives),
                Some(stats.outside),
                Some(stats.culled),
                Some(stats.drawn),
                Some(stats.fragments),
                Some(stats.depth_failed),
                Some(stats.killed),
                Some(stats.written),
            ];
            for figure in figures.into_iter().flatten() {
                html.leaf("td", &[], &grouped(figure));
            }
        });
    });
    for (number, report) in reports.iter().enumerate() {
        breakdown(html, &format!("Where the cost of draw {number} went"), &report.breakdown);
    }
}

fn breakdown(html: &mut Html, head: &str, parts: &[(&'static str, u64)]) {
    if parts.is_empty() {
        return;
    }
    html.leaf("h3", &[], head);
    let all: u64 = parts.iter().map(|(_, cost)| cost).sum();
    let bar = |(name, cost): &(&str, u64)| {
        let percent = 100.0 * *cost as f64 / all.max(1) as f64;
        draw::Bar::new(name, *cost, &format!("{} ({percent:.1} %)", grouped(*cost)))
    };
    draw::bars(html, &parts.iter().map(bar).collect::<Vec<_>>());
}

/// A frame of a scene: `rendered` is what its file was written with, `shown` how its colours are shown. `command` is a command
/// line with `X,Y` in it, which traces a pixel.
///
/// # Errors
/// What drawing it says, `R0703` if there is no memory for its pictures.
pub fn rendered(
    page: &mut Page,
    scene: &Scene,
    frame: u32,
    shown: Shown,
    rendered: &Rendered,
    command: &str,
) -> Result<(), Vec<Diagnostic>> {
    let (width, height) = scene.size();
    page.fact("profile", scene.gpu.about().profile_name(scene.profile));
    page.fact("size", &format!("{width} × {height}"));
    if scene.frame_count() > 1 {
        page.fact("frame", &format!("{frame} of {}", scene.frame_count()));
    }
    let (target, reports) = scene.noted_frame(frame)?;
    let sampled = match shown.comment() {
        Some(comment) => Some((shown.frame(scene, frame)?.image, comment)),
        None => None,
    };
    let (image, about) = match &sampled {
        Some((image, comment)) => (image, comment.strip_prefix("gpuzoo: ").unwrap_or(comment)),
        None => (target.color(), "what the machine draws"),
    };
    pictures(page, &target, scene.budget(), Some(command), (image, about))
        .map_err(|problem| vec![problem])?;
    page.section("Statistics", |html| {
        statistics(html, &reports);
        let frames = &rendered.reports;
        let cost = |reports: &Vec<DrawReport>| reports.iter().map(|report| report.cost).sum::<u64>();
        let costs: Vec<u64> = frames.iter().take(MOST_SLOTS).map(cost).collect();
        if costs.len() > 1 && costs.iter().any(|cost| *cost > 0) {
            html.leaf("h3", &[], "Cost of each frame");
            let bar = |(number, cost): (usize, &u64)| {
                draw::Bar::new(&format!("frame {number}"), *cost, &grouped(*cost))
            };
            draw::bars(html, &costs.iter().enumerate().map(bar).collect::<Vec<_>>());
        }
    });
    programs(page, scene);
    Ok(())
}

/// The programs of a scene, each once.
fn programs(page: &mut Page, scene: &Scene) {
    let mut listed = Programs::default();
    let mut known = HashSet::new();
    for (number, draw) in scene.draws().iter().enumerate() {
        let own = [("vertex", Some(&draw.program)), ("fragment", draw.fragment.as_ref())];
        for (stage, code) in own.into_iter().filter_map(|(stage, code)| Some((stage, code?))) {
            if known.insert(Arc::as_ptr(code)) {
                listed.add(page, stage, number, || Some(crate::Program::of_code(scene.gpu, code.clone())));
            }
        }
    }
    listed.finish(page);
}

/// Sections of programs, if they are not too many.
#[derive(Default)]
struct Programs {
    count: usize,
}

impl Programs {
    fn add(
        &mut self,
        page: &mut Page,
        stage: &str,
        draw: usize,
        own: impl FnOnce() -> Option<crate::Program>,
    ) {
        self.count += 1;
        if self.count <= MOST_PROGRAMS
            && let Some(own) = own()
        {
            page.section(&format!("The {stage} program of draw {draw}"), |html| program(html, &own));
        }
    }

    fn finish(self, page: &mut Page) {
        let left = self.count.saturating_sub(MOST_PROGRAMS);
        if left > 0 {
            let text = format!("{} not shown", gpuzoo_diag::counted(left, "program"));
            page.section("More programs", |html| {
                html.leaf("p", &[("class", "dim")], &text);
            });
        }
    }
}

/// What of a job is shown.
pub struct Job<'a> {
    /// The job.
    pub done: &'a JobDone,
    /// Its machine.
    pub gpu: &'static dyn Gpu,
    /// A command line with `X,Y` in it, which traces a pixel.
    pub command: &'a str,
    /// What it may use.
    pub budget: &'a Budget,
}

impl Job<'_> {
    /// The picture with its views, the timeline, the cycles.
    ///
    /// # Errors
    /// `R0703` if there is no memory for its pictures.
    pub fn page(&self, page: &mut Page) -> Result<(), Diagnostic> {
        let target = &self.done.target;
        page.fact("size", &format!("{} × {}", target.width(), target.height()));
        page.fact("cost", &grouped(self.done.cost));
        pictures(page, target, self.budget, Some(self.command), (target.color(), "what the job left"))?;
        timelines(page, self.done.timeline.as_slice());
        page.section("Statistics", |html| {
            statistics(html, &self.done.reports);
            breakdown(html, "Where the cost of the whole job went", &self.done.breakdown);
        });
        self.programs(page);
        Ok(())
    }

    /// The programs of its draws, each once.
    fn programs(&self, page: &mut Page) {
        let Some(unit) = self.gpu.shader_unit() else { return };
        let draws = self.done.programs.iter().enumerate();
        let words = draws.flat_map(|(number, [vertex, fragment])| {
            [("vertex", vertex), ("fragment", fragment)].map(|(stage, words)| (stage, number, words))
        });
        let (mut listed, mut known) = (Programs::default(), HashSet::new());
        for (stage, number, words) in words {
            if known.insert(words) {
                listed.add(page, stage, number, || Machine::new(unit).load(words).ok());
            }
        }
        listed.finish(page);
    }
}

/// How many spans of the second kind of work an enlarged part shows.
const CLOSER: usize = 4;

/// A part in which the first spans of the second kind of work are seen, if there are more of them.
fn closer(timeline: &Timeline) -> Option<std::ops::Range<u64>> {
    let spans = timeline.tracks.iter().flat_map(|track| &track.spans).filter(|busy| busy.is_second);
    let mut starts: Vec<u64> = spans.map(|busy| busy.time.start).collect();
    starts.sort_unstable();
    starts.dedup();
    let (first, last) = (*starts.first()?, *starts.get(CLOSER)?);
    // What leads to the first, too.
    let before = (last - first) / CLOSER as u64;
    Some(first.saturating_sub(before)..last)
}

/// Timelines of a run, and what their rows mean.
fn timelines(page: &mut Page, timelines: &[Timeline]) {
    let Some(first) = timelines.first() else { return };
    page.section("Timeline", |html| {
        html.leaf("p", &[], first.about);
        timelines.iter().for_each(|own| timeline(html, own));
    });
}

fn timeline(html: &mut Html, timeline: &Timeline) {
    if !timeline.name.is_empty() {
        html.leaf("h3", &[], timeline.name);
    }
    let track = |track: &gpuzoo_machine::computer::timeline::Track| draw::Track {
        name: track.name.replace('_', " "),
        spans: track.spans.iter().map(|busy| (busy.time.clone(), busy.share, busy.is_second)).collect(),
    };
    let tracks: Vec<draw::Track> = timeline.tracks.iter().map(track).collect();
    draw::timeline(html, timeline.unit, 0..timeline.end, &tracks);
    if let Some((heading, window)) = timeline.enlarged.zip(closer(timeline)) {
        html.leaf("h3", &[], heading);
        draw::timeline(html, timeline.unit, window, &tracks);
    }
    if timeline.is_cut {
        html.leaf("p", &[("class", "dim")], "More happened than is kept: the end is missing.");
    }
}

/// The screen of a computer, and looks into its memory.
pub struct Screen<'a> {
    /// What is shown: name, what it is, and the picture, or why there is none.
    pub pictures: Vec<(&'a str, &'a str, Result<Image, String>)>,
    /// What the machine was sent, and when.
    pub timelines: Vec<Timeline>,
    /// What it may use.
    pub budget: &'a Budget,
}

impl Screen<'_> {
    /// All pictures, then the timelines.
    ///
    /// # Errors
    /// `R0703` if there is no memory for them.
    pub fn page(&self, page: &mut Page) -> Result<(), Diagnostic> {
        let mut done = Ok(());
        page.section("Pictures", |html| {
            html.node("div", &[("class", "pictures")], |html| {
                done = self.pictures.iter().try_for_each(|(name, about, shown)| match shown {
                    Ok(image) => picture(html, image, self.budget, name, about, &[]),
                    Err(reason) => {
                        html.leaf("p", &[], &format!("{name}: {reason}"));
                        Ok(())
                    }
                });
            });
        });
        timelines(page, &self.timelines);
        done
    }
}

/// A pixel of a frame or a job: where it is, every fragment that met it, and the runs behind the one that made it.
///
/// # Errors
/// `R0703` if there is no memory for its pictures.
pub fn pixel(page: &mut Page, pick: &Pick, budget: &Budget, bits: bool) -> Result<(), Diagnostic> {
    let (x, y) = pick.at;
    page.fact("pixel", &format!("({x}, {y})"));
    let mut done = Ok(());
    page.section("The pixel", |html| {
        html.leaf("p", &[], &pick.head());
        html.node("div", &[("class", "pictures")], |html| {
            done = crosshair(html, &pick.image, (x, y), budget);
        });
    });
    done?;
    page.section("Fragments", |html| fragments(html, pick, bits));
    page.section("Programs", |html| {
        let traces = pick.made().map(|made| made.traces.as_slice()).unwrap_or_default();
        for (number, trace) in traces.iter().enumerate() {
            steps::trace(html, trace, bits, number, number == 0);
        }
    });
    Ok(())
}

/// The whole picture with a cross at the pixel, and what is around it, enlarged.
fn crosshair(html: &mut Html, image: &Image, (x, y): (u32, u32), budget: &Budget) -> Result<(), Diagnostic> {
    let (width, height) = (image.width(), image.height());
    let (left, top) = (x.saturating_sub(BESIDE), y.saturating_sub(BESIDE));
    let (right, bottom) = ((x + BESIDE + 1).min(width), (y + BESIDE + 1).min(height));
    let rows = (top..bottom).flat_map(|y| (left..right).filter_map(move |x| image.get(x, y)));
    let near = Image::from_pixels(right - left, bottom - top, rows.collect());
    let near = near.map_err(|error| Refusal::from(error).problem())?;
    for (image, at, name) in [(image, (x, y), "picture"), (&near, (x - left, y - top), "around the pixel")] {
        let share =
            |at: u32, side: u32| format!("{:.3}%", 100.0 * (f64::from(at) + 0.5) / f64::from(side.max(1)));
        let png = output::png(image, false).map_err(|error| crate::film::cannot(error.to_string()))?;
        let bytes = draw::png_uri_length(png.len()) as u64;
        budget.ask(Resource::Memory, bytes + html.len() as u64).map_err(|refusal| refusal.problem())?;
        html.node("figure", &[], |html| {
            html.node("div", &[("class", "frame")], |html| {
                let data = draw::png_uri(&png);
                let (width, height) = (image.width().to_string(), image.height().to_string());
                let size = [("width", width.as_str()), ("height", height.as_str())];
                html.void("img", &[("src", &data), ("alt", name), size[0], size[1]]);
                html.leaf(
                    "i",
                    &[("class", "across"), ("style", &format!("top:{}", share(at.1, image.height())))],
                    "",
                );
                html.leaf(
                    "i",
                    &[("class", "down"), ("style", &format!("left:{}", share(at.0, image.width())))],
                    "",
                );
            });
            html.leaf("figcaption", &[], name);
        });
    }
    Ok(())
}

fn fragments(html: &mut Html, pick: &Pick, bits: bool) {
    let show = |component: f32| match bits {
        true => value::pattern(component.to_bits()),
        false => value::show(component.to_bits()),
    };
    let heads = ["fragment", "draw", "triangle", "vertices", "fate", "depth", "color"];
    let shown = pick.fragments.iter().enumerate().take(MOST_FRAGMENTS);
    html.table("", &heads, shown, |html, (number, picked)| {
        let touch = &picked.touch;
        html.node("tr", &[], |html| {
            let [a, b, c] = touch.corners;
            for text in [number.to_string(), picked.draw.to_string(), touch.primitive.to_string()] {
                html.leaf("td", &[], &text);
            }
            html.leaf("td", &[], &format!("{a}, {b}, {c}"));
            let (class, fate) = match touch.fate {
                Fate::Written => ("good", "written".to_owned()),
                Fate::Hidden(stored) => ("dim", format!("hidden: {} is stored", show(stored))),
                Fate::Killed => ("warn", "killed".to_owned()),
            };
            html.node("td", &[], |html| {
                html.leaf("span", &[("class", class)], &fate);
            });
            html.leaf("td", &[], &show(touch.depth));
            html.node("td", &[], |html| {
                let Some(color) = touch.color else { return };
                let byte = |component: f32| (component.clamp(0.0, 1.0) * 255.0).round() as u8;
                let text = format!("({})", color.map(show).join(", "));
                draw::legend(html, &[([byte(color[0]), byte(color[1]), byte(color[2])], text)]);
            });
        });
    });
    let left = pick.fragments.len().saturating_sub(MOST_FRAGMENTS);
    if left > 0 {
        html.leaf("p", &[("class", "dim")], &format!("and {}", gpuzoo_diag::counted(left, "fragment")));
    }
}
