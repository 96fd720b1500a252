//! `new`.

use super::starter::write_new;
use crate::args;
use crate::output;
use crate::session::{Session, Stop};
use gpuzoo::Gpu;
use gpuzoo::codes::{EXISTS, UNWRITABLE};
use gpuzoo::diag::{Diagnostic, printable};
use gpuzoo::project;

/// The files of a first project, in a folder that has none of them.
pub fn new(args: &args::New, session: &mut Session) -> Result<(), Stop> {
    let has_sample = |gpu: &&'static dyn Gpu| !gpu.about().sample.is_empty();
    let samples: Vec<_> = session.registry.gpus().iter().copied().filter(has_sample).collect();
    let gpu = match (&args.gpu, samples.first()) {
        (None, Some(first)) => *first,
        (id, _) => session.registry.choose(id.as_deref(), "")?,
    };
    let files = match project::files(gpu) {
        Ok(files) => files,
        Err(problems) => {
            session.report_about(&problems.sources, problems.list);
            return Err(Stop::Reported);
        }
    };
    let folder = &args.folder;
    // All of it or nothing.
    if let Some((name, _)) = files.iter().find(|(name, _)| folder.join(name).exists()) {
        let message = format!("`{}` is there already", folder.join(name).display());
        return Err(Diagnostic::error(&EXISTS, message).help("give a folder that is new or empty").into());
    }
    std::fs::create_dir_all(folder).map_err(|error| {
        let message = format!("cannot make the folder `{}`: {error}", folder.display());
        Diagnostic::error(&UNWRITABLE, message)
    })?;
    let mut text = String::new();
    for (name, content) in &files {
        write_new(&folder.join(name), content)?;
        text += &format!("{}\n", printable(&folder.join(name).display().to_string()));
    }
    if args.gpu.is_none() {
        let others = samples.iter().skip(1).map(|gpu| format!("--gpu {}", gpu.about().id));
        session.remark(&format!(
            "for {}; others: {}\n",
            gpu.about().id,
            others.collect::<Vec<_>>().join(", ")
        ));
    }
    output::write(None, false, text.as_bytes())
}
