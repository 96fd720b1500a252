//! `new`.

use crate::args;
use crate::io::or_here;
use crate::output::{self, Output};
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
    let missing: Vec<_> = folder.ancestors().take_while(|near| !or_here(near).is_dir()).collect();
    // What is there, and no folder, stays.
    if let Some(file) = missing.iter().find(|near| near.exists()) {
        let message = format!("cannot make the folder `{}`: there is a file of this name", file.display());
        return Err(Diagnostic::error(&UNWRITABLE, message).into());
    }
    missing.iter().rev().for_each(|near| output::make_folder(near.to_path_buf()));
    let mut text = String::new();
    for (name, content) in &files {
        let mut file = Output::new_in(&folder.join(name))?;
        file.write(content.as_bytes())?;
        file.finish()?;
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
