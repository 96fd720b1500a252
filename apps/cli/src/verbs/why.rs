//! `why`.

use super::refuse;
use super::subject::{self, Found};
use crate::args::{self, GraphForm, TextFormat};
use crate::output;
use crate::session::{Session, Stop};
use gpuzoo::codes::BAD_ARGUMENT;
use gpuzoo::conform::replay::Opened;
use gpuzoo::diag::{Diagnostic, FileId, json};
use gpuzoo::machine::options::arguments::Verb;
use gpuzoo::paint::{Ink, Paint};
use gpuzoo::pick::Pick;
use gpuzoo::render as facade_render;
use gpuzoo::trace::Trace;
use gpuzoo::why::{self, Answer, Question};

/// Where a number comes from.
pub fn why(args: &args::Why, session: &mut Session) -> Result<(), Stop> {
    let question = match &args.register {
        Some(text) => {
            let file = session.argument("--register", text);
            Some((Question::read(session.sources.get(file))?, file))
        }
        None => None,
    };
    let paint = session.paint(args.output.as_deref());
    let text = match subject::find(&args.of, Verb::Why, session)? {
        Found::Pixel(pick, picture) => match (&question, pick.made()) {
            (None, None) => {
                if is_data(args) {
                    return Err(Diagnostic::error(&BAD_ARGUMENT, pick.head())
                        .help("choose another pixel")
                        .into());
                }
                let mut text =
                    format!("{}\n{}", paint.ink(Ink::Head, pick.head()), pick.fates(args.of.data.bits));
                if let Some(scene) = picture.scene.filter(|_| pick.fragments.is_empty()) {
                    let missed = facade_render::missed(&scene, args.of.frame);
                    let (draws, warnings) = missed.map_err(|problems| {
                        session.report(problems);
                        Stop::Reported
                    })?;
                    session.report(warnings);
                    text += &draws;
                }
                text
            }
            _ => of_pixel(&pick, question, paint, args, session)?,
        },
        Found::Run { trace, .. } => of_run(&trace, question, paint, args, session)?,
        Found::Record(opened, _) => {
            let Opened { trace, about, wrong, .. } = *opened;
            let is_text = args.format == TextFormat::Text && args.graph.is_none();
            let about = if is_text { about } else { String::new() };
            let answer = match (question, wrong) {
                (None, Some((register, components, _))) => {
                    let question = Question { register, components, slot: None };
                    why::answer(&trace, &question).map(|answer| shown(&answer, paint, args, session))
                }
                (question, _) => Some(of_run(&trace, question, paint, args, session)?),
            };
            about + &answer.unwrap_or_default()
        }
        Found::Machine(gpu, _) => {
            let why = format!("is known of shader programs; {} runs a CPU's", gpu.about().id);
            refuse(&[(true, "why")], &why)?;
            String::new()
        }
    };
    output::write(args.output.as_deref(), false, text.as_bytes())
}

/// About the fragment that made a pixel, and what is behind it.
fn of_pixel(
    pick: &Pick,
    question: Option<(Question, FileId)>,
    paint: Paint,
    args: &args::Why,
    session: &Session,
) -> Result<String, Stop> {
    if let Some((question, file)) = question {
        let show = |answer: &Answer| shown(answer, paint, args, session);
        return Ok(pick.why(&question, session.sources.get(file), show)?);
    }
    let head = match (args.format, args.graph) {
        (TextFormat::Text, None) => format!("{}\n", paint.ink(Ink::Head, pick.head())),
        _ => String::new(),
    };
    let answer = match pick.suspicion() {
        Some(answer) => shown(&answer, paint, args, session),
        None => {
            let traces = pick.made().map(|made| made.traces.as_slice()).unwrap_or_default();
            nothing(traces, paint, args)?
        }
    };
    Ok(head + &answer)
}

/// About one run.
fn of_run(
    trace: &Trace,
    question: Option<(Question, FileId)>,
    paint: Paint,
    args: &args::Why,
    session: &Session,
) -> Result<String, Stop> {
    let Some((question, file)) = question else {
        return match why::suspicion(trace) {
            Some(answer) => Ok(shown(&answer, paint, args, session)),
            None => nothing(std::slice::from_ref(trace), paint, args),
        };
    };
    let found = why::answer(trace, &question);
    let none = || why::no_such_register(std::slice::from_ref(trace), &question, session.sources.get(file));
    Ok(shown(&found.ok_or_else(none)?, paint, args, session))
}

/// What there is to say where no output is suspicious.
fn nothing(traces: &[Trace], paint: Paint, args: &args::Why) -> Result<String, Stop> {
    if is_data(args) {
        let problem = Diagnostic::error(&BAD_ARGUMENT, "no output is a NaN, infinite or black");
        return Err(problem.help("`--register oD0.x` asks for a component").into());
    }
    Ok(why::unsuspicious(traces, args.of.data.bits, paint))
}

/// True if an ancestry is to be written as data, which cannot say that there is none.
fn is_data(args: &args::Why) -> bool {
    args.format == TextFormat::Json || args.graph.is_some()
}

fn shown(answer: &Answer, paint: Paint, args: &args::Why, session: &Session) -> String {
    let bits = args.of.data.bits;
    match (args.graph, args.format) {
        (Some(GraphForm::Dot), _) => answer.dot(bits),
        (Some(GraphForm::Svg), _) => gpuzoo::report::svg(answer, bits),
        (None, TextFormat::Text) => answer.text(&session.sources, bits, paint),
        (None, TextFormat::Json) => json::text(&answer.json(bits)) + "\n",
    }
}
