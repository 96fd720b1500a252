//! What a scene file can have.

use super::{Details, Listing, pairs, settings};
use gpuzoo_machine::Gpu;
use gpuzoo_machine::options::keys::Key;
use gpuzoo_scene::keys::{SECTIONS, SceneKey, Section, section};

/// Where the machines' own settings are.
const STATE: &str = "scene.draw.state";

/// The tables and settings of scene files, and those of the machines' fixed functions.
pub fn scene(gpus: &[&'static dyn Gpu]) -> Listing {
    let mut listing = Listing::new(&["gpu", "setting", "takes", "default", "what it is"], Vec::new());
    let mut add = |cells: [&str; 5], details| {
        listing.rows.push(cells.map(str::to_owned).to_vec());
        listing.details.push(details);
    };
    for own in SECTIONS {
        let is_key = own.path.rsplit_once('.').and_then(|(path, name)| Some((section(path)?, name)));
        if !is_key.is_some_and(|(outer, name)| outer.keys.iter().any(|key| key.key.name == name)) {
            add(["", own.path, "a table", "", first_sentence(own.about)], of_section(own));
        }
        for key in own.keys {
            let path = format!("{}.{}", own.path, key.key.name);
            let mut details = of_key(own, key, &path);
            if path == STATE {
                let all = gpus.iter().filter(|gpu| !gpu.about().settings.is_empty());
                details.settings = Some(all.map(|gpu| of_machine(*gpu)).collect());
            }
            add(["", &path, key.key.takes, &key.key.without(), key.key.about], details);
        }
    }
    let own = settings(gpus);
    for (row, details) in own.rows.iter().zip(own.details) {
        let path = format!("{STATE}.{}", row[1]);
        add([&row[0], &path, &row[2], &row[3], &row[4]], details);
    }
    listing
}

/// A machine, and the names of its settings.
fn of_machine(gpu: &'static dyn Gpu) -> [String; 2] {
    let names: Vec<&str> = gpu.about().settings.iter().map(|key| key.name()).collect();
    [gpu.about().id.to_owned(), names.join(" ")]
}

fn first_sentence(text: &str) -> &str {
    let end = text.find([':', '.', ',']).unwrap_or(text.len());
    &text[..end]
}

fn of_key(own: &Section, key: &SceneKey, path: &str) -> Details {
    // A table's page is that of its section. A draw's camera is as the scene's.
    let table = section(path)
        .or_else(|| section(&format!("scene.{}", key.key.name)).filter(|_| key.key.name == "camera"));
    if let Some(table) = table.filter(|_| key.key.name != "program" || own.path == "scene") {
        return of_section(table);
    }
    match key.example() {
        example if example.is_empty() => Details::default(),
        example => Details::example(own.written(&example)),
    }
}

fn of_section(own: &Section) -> Details {
    Details {
        text: Some(own.about.into()),
        settings: Some(pairs(own.keys.iter().map(|key| [key.key.name, key.key.about])))
            .filter(|settings| !settings.is_empty()),
        example: Some(own.written(own.example)),
        ..Details::default()
    }
}
