//! The attributes of a launch: those of the adapter, and the options of the library.

use gpuzoo::options::PositionSpace;
use gpuzoo_editor::dap::{Launch, LaunchArguments, Launched, Pixel, Server};
use serde_json::{Value as Json, json};

struct Nothing;

impl Launch for Nothing {
    fn launch(&mut self, _: &LaunchArguments) -> Result<Launched, String> {
        Err("error[G0000]: nothing\nhelp: none".to_owned())
    }
}

/// The text of the answer to a launch.
fn refused(arguments: Json) -> String {
    let mut server = Server::new(Box::new(Nothing));
    server.handle(&json!({ "seq": 1, "type": "request", "command": "initialize", "arguments": {} }));
    let said =
        server.handle(&json!({ "seq": 2, "type": "request", "command": "launch", "arguments": arguments }));
    said[0]["message"].as_str().unwrap().to_owned()
}

#[test]
fn options_are_those_of_the_library() {
    let arguments = json!({
        "type": "gpuzoo", "request": "launch", "name": "A vertex", "__sessionId": "1", "preLaunchTask": "build",
        "program": "a.vsh", "inputs": "", "vertex": "3", "pixel": "320,240", "stopOnEntry": false, "constants": { "c0": [1, 2] },
        "dialect": "vp", "position": "clip", "define": ["FOG"], "hostConstants": true, "profile": "hw", "modes": { "range": "user" },
    });
    let LaunchArguments { launch, read, state, named } = LaunchArguments::read(&arguments).unwrap();
    assert_eq!(
        (launch.vertex, launch.pixel, launch.inputs, launch.stop_on_entry),
        (Some(3), Some(Pixel(320, 240)), None, false)
    );
    assert_eq!(
        (read.dialect.as_deref(), read.position, read.host_constants),
        (Some("vp"), Some(PositionSpace::Clip), true)
    );
    assert_eq!((state.profile.as_deref(), state.modes[0].value.as_str()), (Some("hw"), "user"));
    let names: Vec<&str> = named.iter().map(|(name, _)| name).collect();
    assert_eq!(names, ["dialect", "position", "define", "host_constants", "profile", "modes"]);
    let usual = LaunchArguments::read(&json!({ "program": "a.vsh", "pixel": [1, 2] })).unwrap().launch;
    assert_eq!((usual.pixel, usual.stop_on_entry, usual.no_debug), (Some(Pixel(1, 2)), true, false));
}

#[test]
fn unknown_attributes_and_bad_values_are_refused() {
    for (arguments, code, help) in [
        (json!({ "program": "a.vsh", "dialekt": "vp" }), "G0141", "did you mean `dialect`?"),
        (json!({ "program": "a.vsh", "stopOnEntri": true }), "G0141", "did you mean `stop_on_entry`?"),
        (json!({ "program": "a.vsh", "stage": "vertx" }), "G0140", "did you mean `vertex`?"),
        (json!({ "program": "a.vsh", "vertex": "first" }), "G0140", "help: "),
        (json!({ "program": "a.vsh", "pixel": [1] }), "G0140", "no pixel"),
        (json!([1]), "G0140", "help: "),
    ] {
        let text = refused(arguments.clone());
        assert!(text.starts_with(&format!("error[{code}]")) && text.contains(help), "{arguments}: {text}");
    }
    assert!(refused(json!({ "program": "a.vsh" })).contains("G0000"));
}
