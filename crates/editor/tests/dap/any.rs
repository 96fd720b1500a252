//! Any messages in any order are answered: each request once, and nothing panics.

use gpuzoo::debugger::{Console, Run};
use gpuzoo::isa::numbers;
use gpuzoo::machine::RunState;
use gpuzoo::paint::Paint;
use gpuzoo::run::Vertices;
use gpuzoo::trace::trace;
use gpuzoo_editor::dap::{Launch, LaunchArguments, Launched, Server};
use serde_json::{Value as Json, json};
use std::collections::BTreeSet;

/// A program of each machine.
struct Programs;

impl Launch for Programs {
    fn launch(&mut self, arguments: &LaunchArguments) -> Result<Launched, String> {
        let of_shader = |program: gpuzoo::Program| {
            let run = |number| trace(&program, &RunState::default(), &Vertices::nothing(), number, &[], &[]);
            (vec![Run::of_trace(run(0)), Run::of_trace(run(0))], (**program.sources()).clone())
        };
        let read =
            |result: Result<gpuzoo::Program, gpuzoo::Diagnostics>| result.map_err(|all| all.to_string());
        let (runs, sources) = match arguments.launch.program.as_str() {
            "a.vu" => of_shader(read(
                gpuzoo::dreambox().assemble("a.vu", "ld r0 0\nadd r0 r0\nst pos r0\nst col r0\n"),
            )?),
            "a.vsh" => of_shader(read(
                gpuzoo::nv2a()
                    .assemble("a.vsh", "mul r2, v0, v0 + rcp r1.x, v0.x\nmov oPos, r2\nmov oD0, c[3]\n"),
            )?),
            "a.pico" => of_shader(read(gpuzoo::picogpu().assemble(
                "a.pico",
                "#vertexShader\n#input r0.xyzw\n#output r5.xyzw\nfmul r1.x r0 r0\nmov r5 r1\ntrap\n",
            ))?),
            "a.svs" => of_shader(read(
                gpuzoo::servaru().assemble("a.svs", ".fragment\nMOV R1, P0;\nKIL R1.x;\nMOV P9, R1;\n"),
            )?),
            "a.s" => {
                let text =
                    "start: lda #1\n jsr sub\nloop: inc $22\n sta $9f23\n bra loop\nsub: pha\n pla\n rts\n";
                let program = gpuzoo::vera().assemble("a.s", text).map_err(|all| all.to_string())?;
                let session = program.session(&Default::default()).map_err(|problem| problem.message)?;
                (vec![Run::of_session("VERA", session)], (**program.sources()).clone())
            }
            _ => return Err("error[G0000]: no such program\nhelp: {brace}".to_owned()),
        };
        let paths = sources.iter().map(|file| Some(format!("/w/{}", file.name()).into())).collect();
        let mut console = Console::new(runs, sources, false, Paint::PLAIN);
        console.limit(1 << 12);
        Ok(Launched { name: "a".to_owned(), console, paths, said: String::new() })
    }
}

const COMMANDS: [&str; 38] = [
    "initialize",
    "launch",
    "attach",
    "configurationDone",
    "setBreakpoints",
    "setFunctionBreakpoints",
    "setInstructionBreakpoints",
    "setDataBreakpoints",
    "setExceptionBreakpoints",
    "dataBreakpointInfo",
    "breakpointLocations",
    "threads",
    "loadedSources",
    "source",
    "pause",
    "stackTrace",
    "scopes",
    "variables",
    "setVariable",
    "setExpression",
    "evaluate",
    "evaluate",
    "evaluate",
    "completions",
    "gpuzoo/why",
    "exceptionInfo",
    "gotoTargets",
    "goto",
    "continue",
    "reverseContinue",
    "next",
    "stepIn",
    "stepOut",
    "stepBack",
    "readMemory",
    "writeMemory",
    "disassemble",
    "nonsense",
];

const PROGRAMS: [&str; 6] = ["a.vu", "a.vsh", "a.pico", "a.svs", "a.s", "none"];

const TEXTS: [&str; 30] = [
    "r0",
    "r0.x",
    "r1.x == inf",
    "R0",
    "P0.x",
    "A",
    "S",
    "x",
    "ram[$22]",
    "vram[0..9]",
    "ram[loop]",
    "step",
    "back 3",
    "run",
    "rback",
    "use 1",
    "poke r0.x = 2",
    "goto 99999999999",
    "why r0.x",
    "break write r0.x",
    "0x0",
    "0x18",
    "-1",
    "ram",
    "vram:0x10",
    "AAAA",
    "(1, 2, 3, 4)",
    "% 2",
    "{r0.x} } {",
    "\u{1f600}\n",
];

type Pick<'a> = &'a mut dyn FnMut(u32) -> u32;

fn value(pick: Pick) -> Json {
    match pick(10) {
        0 => Json::Null,
        1 => json!(i64::MIN),
        2 => json!(u64::MAX),
        3 => json!(i64::MAX),
        4 => json!([]),
        5 => json!({}),
        6 => json!(1.5),
        7 => json!([{}, null, 1, { "line": i64::MAX }, { "source": 1 }]),
        8 => json!(true),
        _ => json!("\u{1f600}"),
    }
}

fn text(pick: Pick) -> &'static str {
    TEXTS[pick(TEXTS.len() as u32) as usize]
}

fn arguments(pick: Pick) -> Json {
    let small = |pick: Pick| i64::from(pick(12)) - 2;
    let source =
        json!({ "path": format!("/w/{}", PROGRAMS[pick(6) as usize]), "sourceReference": small(pick) });
    let breakpoint = |pick: Pick| {
        let filter = ["nan", "kill", "undefined", "frame", "none"][pick(5) as usize];
        let mut own = json!({
            "line": small(pick), "name": "loop", "instructionReference": text(pick), "dataId": text(pick),
            "filterId": filter,
        });
        for optional in ["condition", "hitCondition", "logMessage"] {
            if pick(3) == 0 {
                own[optional] = json!(text(pick));
            }
        }
        own
    };
    let breakpoints: Vec<Json> = (0..pick(4)).map(|_| breakpoint(pick)).collect();
    let context = ["repl", "watch", "hover"][pick(3) as usize];
    let granularity = ["line", "instruction", "statement"][pick(3) as usize];
    let mut own = json!({
        "program": PROGRAMS[pick(6) as usize], "stopOnEntry": pick(2) == 0, "noDebug": pick(8) == 0,
        "source": source, "breakpoints": breakpoints, "filterOptions": breakpoints, "filters": ["inf"],
        "threadId": small(pick), "frameId": small(pick), "variablesReference": small(pick),
        "line": small(pick), "endLine": small(pick), "column": small(pick), "targetId": small(pick),
        "name": text(pick), "expression": text(pick), "value": text(pick), "text": text(pick),
        "context": context, "granularity": granularity,
        "memoryReference": text(pick), "offset": small(pick), "count": small(pick), "data": "AAECAw==",
        "instructionOffset": small(pick), "instructionCount": small(pick),
    });
    // What is there, most of the time.
    if pick(4) > 0 {
        (own["threadId"], own["frameId"]) = (json!(1), json!(1));
        (own["name"], own["value"]) = (json!(["x", "r0", "A"][pick(3) as usize]), json!("1"));
    }
    if pick(6) == 0 {
        let members: Vec<String> = own.as_object().unwrap().keys().cloned().collect();
        own[&members[pick(members.len() as u32) as usize]] = value(pick);
    }
    if pick(30) == 0 { value(pick) } else { own }
}

#[test]
fn every_request_has_one_response() {
    let mut seen: BTreeSet<(String, bool)> = BTreeSet::new();
    for seed in 0..100 {
        let mut pick = numbers(seed);
        let mut server = Server::new(Box::new(Programs));
        let program = PROGRAMS[(seed % 5) as usize];
        if seed % 8 != 0 {
            server.handle(&json!({ "seq": 1, "type": "request", "command": "initialize", "arguments": {} }));
            let arguments = json!({ "program": program, "stopOnEntry": seed % 3 > 0 });
            server
                .handle(&json!({ "seq": 2, "type": "request", "command": "launch", "arguments": arguments }));
        }
        let mut last = 0;
        for number in 3..150 {
            let command = match pick(50) {
                0 => "restart",
                1 if seed % 7 == 0 => "terminate",
                2 if seed % 9 == 0 => "disconnect",
                _ => COMMANDS[pick(COMMANDS.len() as u32) as usize],
            };
            let arguments = match command {
                "launch" if pick(4) > 0 => {
                    json!({ "program": program, "noDebug": pick(8) == 0, "type": "gpuzoo" })
                }
                _ => arguments(&mut pick),
            };
            let message = match pick(60) {
                0 => value(&mut pick),
                _ => json!({ "seq": number, "type": "request", "command": command, "arguments": arguments }),
            };
            let mut said = server.handle(&message);
            let responses = said.iter().filter(|own| own["type"] == "response").count();
            assert_eq!(responses, 1, "{message}: {said:?}");
            let response = &said[0];
            if message.get("seq").is_some() {
                assert_eq!(
                    (&response["request_seq"], &response["command"]),
                    (&message["seq"], &message["command"])
                );
                seen.insert((command.to_owned(), response["success"] == true));
            }
            if response["success"] == false {
                let text = response["message"].as_str().unwrap();
                assert!(text.starts_with("error[") && text.contains("help: "), "{message}: {text}");
                assert!(response["body"]["error"]["format"].is_string(), "{response}");
            }
            // Some pieces of the run; an endless one is met by the next request.
            for _ in 0..pick(4) {
                said.extend(server.advance().0);
            }
            for own in &said {
                assert!(own["seq"].as_u64().unwrap() > last, "{own}");
                last = own["seq"].as_u64().unwrap();
            }
        }
    }
    for command in COMMANDS.into_iter().filter(|command| !["attach", "nonsense"].contains(command)) {
        assert!(seen.contains(&(command.to_owned(), true)), "{command} was never answered");
    }
}
