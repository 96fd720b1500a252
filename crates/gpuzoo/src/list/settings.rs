//! What a draw's state can be given, machine by machine.

use super::Listing;
use gpuzoo_machine::Gpu;
use gpuzoo_machine::keys::Key;
use serde_json::{Map, json};

/// The settings of the machines' fixed functions, which a scene has in `[draw.state]`.
pub fn settings(gpus: &[&'static dyn Gpu]) -> Listing {
    let mut listing = Listing::new(&["gpu", "setting", "takes", "default", "what it does"], Vec::new());
    for gpu in gpus {
        for key in gpu.about().settings {
            add(gpu.about().id, "", *key, "", "", &mut listing);
        }
    }
    listing
}

/// The keys of jobs, which are JSON.
pub fn jobs(gpus: &[&'static dyn Gpu]) -> Listing {
    let mut listing = Listing::new(&["gpu", "key", "takes", "default", "what it is"], Vec::new());
    let mut add = |id: &str, path: &str, key: &dyn Key| {
        let default = if key.default().is_empty() { "must be given".to_owned() } else { key.default() };
        let cells =
            [id.to_owned(), format!("{path}{}", key.name()), key.takes(), default, key.about().to_owned()];
        listing.rows.push(cells.to_vec());
        let parts: Vec<[&str; 2]> = key.keys().iter().map(|key| [key.name(), key.about()]).collect();
        listing.details.push(Map::from_iter(match parts.is_empty() {
            true => [("example".to_owned(), json!(format!("\"{}\": {}", key.name(), key.example())))],
            false => [("settings".to_owned(), json!(parts))],
        }));
    };
    for gpu in gpus {
        let id = gpu.about().id;
        for key in gpu.jobs().iter().flat_map(|jobs| jobs.keys()) {
            add(id, "job.", *key);
            key.keys().iter().for_each(|inner| add(id, &format!("job.{}.", key.name()), *inner));
        }
    }
    listing
}

/// Adds a setting and those of its table. `before` and `behind` are what an example has around it.
fn add(id: &str, path: &str, key: &dyn Key, before: &str, behind: &str, listing: &mut Listing) {
    let name = format!("{path}{}", key.name());
    let default = match key.default() {
        none if none.is_empty() => "must be given".to_owned(),
        default => default,
    };
    listing.rows.push(vec![id.to_owned(), name.clone(), key.takes(), default, key.about().to_owned()]);
    let mut details = Map::new();
    let choices: Vec<[&str; 2]> = key.choices().iter().map(|(choice, about)| [*choice, *about]).collect();
    if !choices.is_empty() {
        details.insert("choices".into(), json!(choices));
    }
    let parts: Vec<[&str; 2]> = key.keys().iter().map(|key| [key.name(), key.about()]).collect();
    if !parts.is_empty() {
        details.insert("settings".into(), json!(parts));
    }
    let example = format!("[draw.state]\n{before}{} = {}{behind}", key.name(), key.example());
    details.insert("example".into(), json!(example));
    listing.details.push(details);
    let (before, behind) = (format!("{before}{} = {{ ", key.name()), format!(" }}{behind}"));
    for inner in key.keys() {
        // What must be given stands beside the others in an example.
        let must = |other: &&&dyn Key| other.default().is_empty() && other.name() != inner.name();
        let must =
            key.keys().iter().filter(must).map(|other| format!("{} = {}, ", other.name(), other.example()));
        let before = format!("{before}{}", must.collect::<String>());
        add(id, &format!("{name}."), *inner, &before, &behind, listing);
    }
}
