//! `render` for VERA: a program's picture, an animation, or a look into its memory.

use super::{read, setup};
use crate::args;
use crate::io::{self, Output};
use crate::session::{Session, Stop};
use crate::verbs::render::progress;
use gpuzoo::codes::BAD_ARGUMENT;
use gpuzoo::diag::Diagnostic;
use gpuzoo::render::Format;
use gpuzoo::vera::device::inspect::View;
use gpuzoo::vera::picture::{Frames, render as facade};
use gpuzoo::vera::program::Input;

fn view(args: &args::Render) -> Result<Option<View>, Stop> {
    Ok(Some(match args.view {
        None => return Ok(None),
        Some(args::View::Vram) => View::Vram,
        Some(args::View::Tiles) => View::Tiles(args.layer.unwrap_or(0).into()),
        Some(args::View::Sprites) => View::Sprites,
        Some(args::View::Palette) => View::Palette,
        Some(_) => {
            let problem = Diagnostic::error(&BAD_ARGUMENT, "VERA has no such view");
            return Err(problem.help("it has vram, tiles, sprites and palette").into());
        }
    }))
}

/// A program, or what a trace has set up, to a picture.
pub fn render(args: &args::Render, session: &mut Session) -> Result<(), Stop> {
    for (given, name) in [
        (args.no_limits, "--no-limits"),
        (args.waves.is_some(), "--waves"),
        (args.size.is_some(), "--size"),
        (args.stats.is_some(), "--stats"),
    ] {
        if given {
            return Err(Diagnostic::error(&BAD_ARGUMENT, format!("`{name}` is not for VERA")).into());
        }
    }
    let format = match &args.output {
        Some(path) if !io::is_standard(path) => Format::of_file(&path.to_string_lossy())?,
        _ => Format::Png,
    };
    let (view, setup) = (view(args)?, setup(args.profile.as_deref(), &args.board)?);
    let (board, stdin_name) = (&args.board, args.stdin_name.as_deref());
    let input =
        read(args.scene.as_deref(), stdin_name, args.program_format, board.load_at, &board.include, session)?;
    if args.output.is_none() {
        Output::open(None, true)?;
    }
    if board.cycles.is_some() && (args.frame.is_some() || board.frames.is_some()) {
        let message = "`--cycles` says where the one picture is taken, so it does not go with frames";
        return Err(Diagnostic::error(&BAD_ARGUMENT, message).into());
    }
    let frames = match (args.frame, board.frames) {
        (Some(frame), _) if frame >= args::MAX_FRAMES => {
            let message = format!("there is no frame {frame}: frames are 0 to {}", args::MAX_FRAMES - 1);
            return Err(Diagnostic::error(&BAD_ARGUMENT, message).into());
        }
        (Some(frame), _) => Frames::One(frame.into()),
        (None, Some(count)) => {
            let count = u32::try_from(count).ok().filter(|count| (1..=args::MAX_FRAMES).contains(count));
            Frames::All(count.ok_or_else(|| {
                let message = format!("an animation has 1 to {} frames", args::MAX_FRAMES);
                Diagnostic::error(&BAD_ARGUMENT, message)
            })?)
        }
        (None, None) => Frames::Last,
    };
    let bar = progress(match frames {
        Frames::Last => 0,
        Frames::One(index) => index as usize,
        Frames::All(count) => count as usize,
    });
    let rendered = facade(&input, &setup, frames, view, format, |done| bar.set_position(done));
    bar.finish_and_clear();
    let rendered = rendered?;
    if let (Some(ending), Input::Program(program)) = (&rendered.ending, &input) {
        // A program that shows something may go on running.
        let problem = ending.diagnostic(&|address| program.place(address)).filter(|_| ending.is_final());
        session.report(problem.into_iter().chain(rendered.remark).collect());
    }
    io::write(args.output.as_deref(), true, &rendered.bytes)
}
