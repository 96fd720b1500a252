//! What a draw's state can be given, machine by machine.

use super::{Details, Listing, pairs};
use gpuzoo_machine::Gpu;
use gpuzoo_machine::options::keys::Key;

/// The settings of the machines' fixed functions, which a scene has in `[draw.state]`.
pub fn settings(gpus: &[&'static dyn Gpu]) -> Listing {
    let mut listing = Listing::new(&["gpu", "setting", "takes", "default", "what it does"], Vec::new());
    for gpu in gpus {
        for key in gpu.about().settings {
            add_state(gpu.about().id, "", *key, "", "", &mut listing);
        }
    }
    listing
}

/// The keys of jobs, which are JSON.
pub fn jobs(gpus: &[&'static dyn Gpu]) -> Listing {
    let mut listing = Listing::new(&["gpu", "key", "takes", "default", "what it is"], Vec::new());
    let example = |key: &dyn Key| match key.keys() {
        [] => Some(format!("\"{}\": {}", key.name(), key.example())),
        _ => None,
    };
    for gpu in gpus {
        let id = gpu.about().id;
        for key in gpu.jobs().iter().flat_map(|jobs| jobs.keys()) {
            add(id, "job.", *key, example(*key), &mut listing);
            for inner in key.keys() {
                add(id, &format!("job.{}.", key.name()), *inner, example(*inner), &mut listing);
            }
        }
    }
    listing
}

/// Adds a key.
fn add(id: &str, path: &str, key: &dyn Key, example: Option<String>, listing: &mut Listing) {
    let name = format!("{path}{}", key.name());
    listing.rows.push(vec![id.to_owned(), name, key.takes(), key.without(), key.about().to_owned()]);
    listing.details.push(Details {
        choices: pairs(key.choices().iter().map(|(choice, about)| [*choice, *about])),
        settings: Some(pairs(key.keys().iter().map(|key| [key.name(), key.about()])))
            .filter(|settings| !settings.is_empty()),
        example,
        ..Details::default()
    });
}

/// Adds a setting and those of its table. `before` and `behind` are what an example has around it.
fn add_state(id: &str, path: &str, key: &dyn Key, before: &str, behind: &str, listing: &mut Listing) {
    let example = format!("[draw.state]\n{before}{} = {}{behind}", key.name(), key.example());
    add(id, path, key, Some(example), listing);
    let (before, behind) = (format!("{before}{} = {{ ", key.name()), format!(" }}{behind}"));
    for inner in key.keys() {
        // What must be given stands beside the others in an example.
        let must = |other: &&&dyn Key| other.default().is_empty() && other.name() != inner.name();
        let must =
            key.keys().iter().filter(must).map(|other| format!("{} = {}, ", other.name(), other.example()));
        let before = format!("{before}{}", must.collect::<String>());
        add_state(id, &format!("{path}{}.", key.name()), *inner, &before, &behind, listing);
    }
}
