//! The arguments of a launch, and the runs that come of it.

use gpuzoo::debugger::Console;
use gpuzoo::diag::Diagnostic;
use gpuzoo::diag::serde::de::Error;
use gpuzoo::diag::serde::{self, Deserialize, Deserializer};
use gpuzoo::options::{OptionMap, ReadOptions, StateOptions};
use serde_json::{Map, Value as Json};
use std::path::PathBuf;

/// Makes the runs that a session debugs.
pub trait Launch {
    /// The runs that the arguments of a `launch` request ask for.
    ///
    /// # Errors
    /// The reason as text, with codes and a remedy.
    fn launch(&mut self, arguments: &LaunchArguments) -> Result<Launched, String>;
}

/// The arguments of a `launch` request.
#[derive(Clone, Debug, Default)]
pub struct LaunchArguments {
    /// Those of the debug adapter alone.
    pub launch: LaunchOptions,
    /// The options of reading the program.
    pub read: ReadOptions,
    /// The options of the state in which it runs.
    pub state: StateOptions,
    /// The options of reading and of the state by name, for an adapter that passes them on.
    pub named: OptionMap,
}

/// The attributes of a launch that are not options of reading programs or of the machine's state.
#[derive(Clone, Debug, Deserialize)]
#[serde(crate = "serde", default)]
pub struct LaunchOptions {
    /// The program, a project, a scene, a job of PicoGpu, a PRG or a recorded trace.
    pub program: String,
    /// The file with the vertices of the program.
    pub inputs: Option<String>,
    /// The vertex, from 0; of a scene or a job counted through its draws.
    pub vertex: Option<u64>,
    /// The pixel of a scene or a job: `"320,240"` or `[320, 240]`.
    pub pixel: Option<Pixel>,
    /// The frame of a scene's animation, from 0.
    pub frame: Option<u32>,
    /// Degrees around and over by which the cameras of a scene are turned.
    pub turn: Option<[f64; 2]>,
    /// Constants by name: numbers, lists of numbers, or texts as the command line takes them.
    pub constants: Map<String, Json>,
    /// The machine, where the program's extension does not name it.
    pub gpu: Option<String>,
    /// Further words of the command line `gpuzoo debug`.
    pub args: Vec<String>,
    /// False to run to the first breakpoint.
    pub stop_on_entry: bool,
    /// True to run without stops.
    pub no_debug: bool,
}

impl Default for LaunchOptions {
    fn default() -> LaunchOptions {
        LaunchOptions {
            program: String::new(),
            inputs: None,
            vertex: None,
            pixel: None,
            frame: None,
            turn: None,
            constants: Map::new(),
            gpu: None,
            args: Vec::new(),
            stop_on_entry: true,
            no_debug: false,
        }
    }
}

/// A pixel: column and row, from the upper left corner.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Pixel(pub u32, pub u32);

impl<'de> Deserialize<'de> for Pixel {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Pixel, D::Error> {
        let json = Json::deserialize(deserializer)?;
        let number = |json: &Json| json.as_u64().and_then(|number| u32::try_from(number).ok());
        let place = match &json {
            Json::String(text) => text
                .split_once(',')
                .and_then(|(column, row)| Some((column.trim().parse().ok()?, row.trim().parse().ok()?))),
            Json::Array(list) => match &list[..] {
                [column, row] => number(column).zip(number(row)),
                _ => None,
            },
            _ => None,
        };
        let (column, row) =
            place.ok_or_else(|| D::Error::custom(format!("{json} is no pixel: `320,240`")))?;
        Ok(Pixel(column, row))
    }
}

/// Attributes that editors add to a launch for themselves; so are those that begin with `__`.
const OF_EDITORS: [&str; 11] = [
    "type",
    "request",
    "name",
    "presentation",
    "preLaunchTask",
    "postDebugTask",
    "internalConsoleOptions",
    "debugServer",
    "serverReadyAction",
    "suppressMultipleSessionWarning",
    "cwd",
];

impl LaunchArguments {
    /// Reads the arguments of a request. An empty text is no value: editors fill in templates.
    ///
    /// # Errors
    /// `G0140` for a value that an attribute does not take, `G0141` for an attribute that does not exist.
    pub fn read(json: &Json) -> Result<LaunchArguments, Diagnostic> {
        let mut json = json.clone();
        if let Some(members) = json.as_object_mut() {
            members.retain(|name, value| {
                !OF_EDITORS.contains(&name.as_str()) && !name.starts_with("__") && *value != ""
            });
        }
        let read = |json: Json| {
            let mut options = OptionMap::from_json(json)?;
            let launch = options.take()?;
            let named = options.clone();
            let (read, state) = (options.take()?, options.take()?);
            options.finish()?;
            Ok(LaunchArguments { launch, read, state, named })
        };
        read(json).map_err(|problem: Diagnostic| match problem.help[..] {
            [] => {
                problem.help("the book's page `The debugger in an editor` lists the attributes of a launch")
            }
            _ => problem,
        })
    }
}

/// The runs that a session debugs.
pub struct Launched {
    /// Its name: the program's.
    pub name: String,
    /// The runs.
    pub console: Console,
    /// For each of its sources where it is on the disk, as an absolute path; none for what no file holds.
    pub paths: Vec<Option<PathBuf>>,
    /// What else there is to say: warnings.
    pub said: String,
}
