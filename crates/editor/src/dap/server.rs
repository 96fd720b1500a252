//! The life of a session: what was said, and who answers what.

use crate::dap::debuggee::{Client, Debuggee};
use crate::dap::launch::{Launch, LaunchArguments, Launched};
use crate::dap::message::{Answer, Arguments, NOT_NOW, Problem, event, output, response};
use crate::dap::points::Breaks;
use crate::dap::{breaks, evaluate, memory, motion, place, values};
use crate::wire::Serve;
use serde_json::{Value as Json, json};

/// A debug adapter. It gets messages in their order and gives those to send; it never waits for anything.
pub struct Server {
    launcher: Box<dyn Launch>,
    stage: Stage,
    client: Client,
    /// The arguments of the last `launch`, to do it again.
    arguments: LaunchArguments,
    debuggee: Option<Debuggee>,
    /// Messages so far.
    sent: u64,
}

/// Where a session is in its life.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Stage {
    New,
    /// `initialize` was answered.
    Ready,
    /// `launch` was answered, and breakpoints may be set.
    Launched,
    /// `configurationDone` was said.
    Running,
    /// The run was terminated; `restart` and `disconnect` are left.
    Over,
    Ended,
}

/// What this adapter can do.
fn capabilities() -> Json {
    let filters = breaks::single_events().map(|(word, _, about)| {
        json!({ "filter": word, "label": about, "default": false, "supportsCondition": true,
                "conditionDescription": "an expression that holds there: r0.x == nan" })
    });
    json!({
        "supportsConfigurationDoneRequest": true,
        "supportsFunctionBreakpoints": true,
        "supportsConditionalBreakpoints": true,
        "supportsHitConditionalBreakpoints": true,
        "supportsEvaluateForHovers": true,
        "exceptionBreakpointFilters": filters.collect::<Vec<_>>(),
        "supportsExceptionFilterOptions": true,
        "supportsExceptionInfoRequest": true,
        "supportsStepBack": true,
        "supportsSetVariable": true,
        "supportsSetExpression": true,
        "supportsGotoTargetsRequest": true,
        "supportsCompletionsRequest": true,
        "completionTriggerCharacters": [" "],
        "supportsRestartRequest": true,
        "supportsValueFormattingOptions": true,
        "supportTerminateDebuggee": true,
        "supportsLoadedSourcesRequest": true,
        "supportsLogPoints": true,
        "supportsTerminateRequest": true,
        "supportsDataBreakpoints": true,
        "supportsReadMemoryRequest": true,
        "supportsWriteMemoryRequest": true,
        "supportsDisassembleRequest": true,
        "supportsSteppingGranularity": true,
        "supportsInstructionBreakpoints": true,
        "supportsBreakpointLocationsRequest": true,
        "supportsSingleThreadExecutionRequests": true,
    })
}

impl Server {
    /// A session whose runs come from somewhere.
    pub fn new(launcher: Box<dyn Launch>) -> Server {
        let client = Client { first_line: 1, first_column: 1, uris: false, invalidated: false };
        let arguments = LaunchArguments::default();
        Server { launcher, stage: Stage::New, client, arguments, debuggee: None, sent: 0 }
    }

    /// What a message is answered with: the response to a request, and the events behind it.
    pub fn handle(&mut self, message: &Json) -> Vec<Json> {
        let said = match (message.get("type").and_then(Json::as_str), message.get("command")) {
            (Some("request"), Some(Json::String(command))) => {
                let arguments = message.get("arguments").unwrap_or(&Json::Null);
                let (answer, events) = self.request(command, arguments);
                let mut said = vec![response(message, command, answer)];
                said.extend(events);
                said
            }
            // Nothing was asked of the client.
            (Some("response" | "event"), _) => Vec::new(),
            _ => vec![response(message, "", Err(Problem::bad("this is no request")))],
        };
        self.numbered(said)
    }

    /// Makes a piece of the run that goes on: what is to be sent, and whether it goes on still.
    pub fn advance(&mut self) -> (Vec<Json>, bool) {
        let Some(debuggee) = self.debuggee.as_mut().filter(|debuggee| debuggee.going.is_some()) else {
            return (Vec::new(), false);
        };
        let said = motion::advance(debuggee);
        let has_more = debuggee.going.is_some();
        if debuggee.is_over {
            self.stage = Stage::Over;
        }
        (self.numbered(said), has_more)
    }

    /// True once the client has said that it goes.
    pub fn ended(&self) -> bool {
        self.stage == Stage::Ended
    }

    fn numbered(&mut self, mut said: Vec<Json>) -> Vec<Json> {
        for message in &mut said {
            self.sent += 1;
            message["seq"] = self.sent.into();
        }
        said
    }

    fn request(&mut self, command: &str, arguments: &Json) -> (Answer, Vec<Json>) {
        let own = Arguments(arguments);
        let not_now = |message: &str, help: &str| (Err(Problem::new(&NOT_NOW, message, help)), Vec::new());
        match (self.stage, command) {
            (Stage::Ended, _) => not_now("the session is over", "begin another one"),
            (_, "disconnect") => {
                (self.stage, self.debuggee) = (Stage::Ended, None);
                (Ok(Json::Null), Vec::new())
            }
            (Stage::New, "initialize") => {
                self.client = Client {
                    first_line: i64::from(arguments.get("linesStartAt1") != Some(&Json::Bool(false))),
                    first_column: i64::from(arguments.get("columnsStartAt1") != Some(&Json::Bool(false))),
                    uris: own.text("pathFormat") == Some("uri"),
                    invalidated: own.is("supportsInvalidatedEvent"),
                };
                self.stage = Stage::Ready;
                (Ok(capabilities()), Vec::new())
            }
            (Stage::New, _) => not_now("`initialize` comes first", "send it once, at the start"),
            (_, "initialize") => not_now("`initialize` was said before", "send it once, at the start"),
            (Stage::Ready, "launch") => self.launch(arguments),
            (_, "launch") => not_now("something was launched before", "`restart` begins it again"),
            (_, "attach") => {
                let help = "use `launch` with a `program`";
                not_now("there is nothing to attach to: gpuzoo runs programs by itself", help)
            }
            (Stage::Ready, _) => not_now("nothing was launched", "`launch` with a `program` comes first"),
            (_, "restart") => {
                let changed = arguments.get("arguments").filter(|changed| changed.is_object());
                match changed.map(LaunchArguments::read).transpose() {
                    Ok(changed) => self.restart(changed),
                    Err(problem) => (Err(problem.into()), Vec::new()),
                }
            }
            (Stage::Over, "terminate") => (Ok(Json::Null), Vec::new()),
            (_, "terminate") => {
                self.stage = Stage::Over;
                if let Some(debuggee) = &mut self.debuggee {
                    debuggee.going = None;
                }
                (Ok(Json::Null), vec![event("terminated", json!({}))])
            }
            (Stage::Launched, "configurationDone") => {
                self.stage = Stage::Running;
                let stops = self.arguments.launch.stop_on_entry;
                let events = self.debuggee.as_mut().map(|debuggee| motion::begin(debuggee, stops));
                (Ok(Json::Null), events.unwrap_or_default())
            }
            (_, "configurationDone") => not_now("`configurationDone` was said before", "send it once"),
            (Stage::Over, _) => not_now("the run was terminated", "`restart` begins it again"),
            (stage, _) => {
                let Some(debuggee) = &mut self.debuggee else {
                    return not_now("nothing was launched", "`launch` with a `program` comes first");
                };
                let answer = ask(debuggee, command, own, stage == Stage::Running);
                if debuggee.is_over {
                    self.stage = Stage::Over;
                }
                (answer, std::mem::take(&mut debuggee.events))
            }
        }
    }

    fn launch(&mut self, arguments: &Json) -> (Answer, Vec<Json>) {
        let read = LaunchArguments::read(arguments).map_err(Problem::from);
        let launched = read.and_then(|arguments| {
            let launched = self.launcher.launch(&arguments).map_err(Problem)?;
            Ok((arguments, launched))
        });
        let (arguments, own) = match launched {
            Ok(launched) => launched,
            Err(problem) => return (Err(problem), Vec::new()),
        };
        self.arguments = arguments;
        self.stage = Stage::Launched;
        let mut events = begun(&own);
        events.push(event("initialized", Json::Null));
        self.debuggee = Some(self.debuggee_of(own, Breaks::default()));
        (Ok(Json::Null), events)
    }

    fn debuggee_of(&self, own: Launched, breaks: Breaks) -> Debuggee {
        let happened = vec![None; own.console.names().len()];
        Debuggee {
            own,
            client: self.client,
            breaks,
            going: None,
            holders: Vec::new(),
            happened,
            no_debug: self.arguments.launch.no_debug,
            is_over: false,
            events: Vec::new(),
        }
    }

    /// Runs what was launched again, as its files are now and perhaps with other arguments; if that cannot be, everything stays as it
    /// is.
    fn restart(&mut self, changed: Option<LaunchArguments>) -> (Answer, Vec<Json>) {
        let changed = changed.unwrap_or_else(|| self.arguments.clone());
        let own = match self.launcher.launch(&changed) {
            Ok(own) => own,
            Err(text) => return (Err(Problem(text)), Vec::new()),
        };
        self.arguments = changed;
        let mut events = begun(&own);
        let breaks = self.debuggee.take().map(|debuggee| debuggee.breaks).unwrap_or_default();
        let mut debuggee = self.debuggee_of(own, breaks);
        events.extend(breaks::again(&mut debuggee));
        self.stage = match self.stage {
            Stage::Launched => Stage::Launched,
            _ => {
                events.extend(motion::begin(&mut debuggee, self.arguments.launch.stop_on_entry));
                Stage::Running
            }
        };
        self.debuggee = Some(debuggee);
        (Ok(Json::Null), events)
    }
}

/// What is said of a run that was begun.
fn begun(own: &Launched) -> Vec<Json> {
    let process = json!({ "name": own.name, "isLocalProcess": false, "startMethod": "launch" });
    let mut events = vec![event("process", process)];
    if !own.said.is_empty() {
        events.push(output("stderr", &own.said));
    }
    events
}

/// Answers a request about what is debugged. Before the run has begun it can be looked at, and breakpoints can be set.
fn ask(debuggee: &mut Debuggee, command: &str, arguments: Arguments, has_begun: bool) -> Answer {
    let answer: fn(&mut Debuggee, Arguments) -> Answer = match command {
        "setBreakpoints" => breaks::of_source,
        "setFunctionBreakpoints" => breaks::of_labels,
        "setInstructionBreakpoints" => breaks::of_instructions,
        "setDataBreakpoints" => breaks::of_data,
        "setExceptionBreakpoints" => breaks::of_events,
        "dataBreakpointInfo" => breaks::data_info,
        "breakpointLocations" => place::locations,
        "threads" => place::threads,
        "loadedSources" => place::loaded,
        "source" => place::source,
        "pause" => motion::pause,
        "continue" | "reverseContinue" | "next" | "stepIn" | "stepOut" | "stepBack" | "goto"
            if !has_begun =>
        {
            return Err(Problem::new(&NOT_NOW, "the run has not begun", "`configurationDone` begins it"));
        }
        _ if debuggee.going.is_some() => {
            let help = "`pause` stops it";
            return Err(Problem::new(&NOT_NOW, format!("a run goes on: no `{command}` now"), help));
        }
        "stackTrace" => place::stack,
        "scopes" => values::scopes,
        "variables" => values::variables,
        "setVariable" => values::set_variable,
        "setExpression" => values::set_expression,
        "evaluate" => evaluate::evaluate,
        "completions" => evaluate::completions,
        "gpuzoo/why" => evaluate::why,
        "exceptionInfo" => motion::exception,
        "gotoTargets" => place::targets,
        "goto" => motion::goto,
        "continue" => motion::go,
        "reverseContinue" => motion::go_back,
        "next" => motion::next,
        "stepIn" => motion::into,
        "stepOut" => motion::out,
        "stepBack" => motion::back,
        "readMemory" => memory::read,
        "writeMemory" => memory::write,
        "disassemble" => memory::disassemble,
        _ => return Err(Problem::bad(format!("there is no request `{command}`"))),
    };
    answer(debuggee, arguments)
}

impl Serve for Server {
    fn handle(&mut self, message: Result<Json, String>) -> Vec<Json> {
        match message {
            Ok(message) => Server::handle(self, &message),
            Err(why) => {
                let said =
                    vec![response(&Json::Null, "", Err(Problem::bad(format!("this is no JSON: {why}"))))];
                self.numbered(said)
            }
        }
    }

    fn idle(&mut self) -> (Vec<Json>, bool) {
        self.advance()
    }

    fn ended(&self) -> bool {
        Server::ended(self)
    }
}
