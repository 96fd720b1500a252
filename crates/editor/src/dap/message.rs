//! Requests, responses and events (DAP 1.68), and what is wrong with a request.

pub(crate) use gpuzoo::codes::{BAD_REQUEST, NOT_NOW, NOT_THERE};
use gpuzoo::debug::Unclear;
use gpuzoo::debugger::Refused;
use gpuzoo::diag::{Code, Diagnostic};
use serde_json::{Value as Json, json};

/// What a request is answered with.
pub(crate) type Answer = Result<Json, Problem>;

/// Why a request has no answer: a text with a code, and with what to do.
#[derive(Clone, Debug)]
pub(crate) struct Problem(pub String);

impl Problem {
    pub fn new(code: &'static Code, message: impl Into<String>, help: &str) -> Problem {
        Diagnostic::error(code, message).help(help).into()
    }

    pub fn bad(message: impl Into<String>) -> Problem {
        Problem::new(&BAD_REQUEST, message, "the Debug Adapter Protocol says what a request has")
    }

    /// There is no thread, frame or variable of a number.
    pub fn not_there(message: impl Into<String>) -> Problem {
        Problem::new(&NOT_THERE, message, "ask for `threads`, `stackTrace`, `scopes` and `variables` again")
    }
}

impl From<Diagnostic> for Problem {
    fn from(problem: Diagnostic) -> Problem {
        let mut text = format!("error[{}]: {}", problem.code.id, problem.message);
        for help in &problem.help {
            text += &format!("\nhelp: {help}");
        }
        if problem.help.is_empty() {
            text += "\nhelp: `help` in the console shows what can be written";
        }
        Problem(text)
    }
}

impl From<Refused> for Problem {
    fn from(refused: Refused) -> Problem {
        refused.problem().into()
    }
}

impl From<Unclear> for Problem {
    fn from(unclear: Unclear) -> Problem {
        Refused::from(unclear).into()
    }
}

/// The arguments of a request.
#[derive(Clone, Copy)]
pub(crate) struct Arguments<'a>(pub &'a Json);

impl<'a> Arguments<'a> {
    pub fn text(self, name: &str) -> Option<&'a str> {
        self.0.get(name).and_then(Json::as_str)
    }

    pub fn is(self, name: &str) -> bool {
        self.0.get(name).and_then(Json::as_bool).unwrap_or(false)
    }

    pub fn number(self, name: &str) -> Option<i64> {
        self.0.get(name).and_then(Json::as_i64)
    }

    pub fn list(self, name: &str) -> &'a [Json] {
        self.0.get(name).and_then(Json::as_array).map(Vec::as_slice).unwrap_or_default()
    }

    pub fn the_text(self, name: &str) -> Result<&'a str, Problem> {
        self.text(name).ok_or_else(|| Problem::bad(format!("the argument `{name}` is missing, or no text")))
    }

    pub fn the_number(self, name: &str) -> Result<i64, Problem> {
        self.number(name)
            .ok_or_else(|| Problem::bad(format!("the argument `{name}` is missing, or no whole number")))
    }
}

pub(crate) fn event(name: &str, body: Json) -> Json {
    json!({ "seq": 0, "type": "event", "event": name, "body": body })
}

/// Something to read, in a category of the protocol: `console`, `important`, `stdout`, `stderr`.
pub(crate) fn output(category: &str, text: &str) -> Json {
    event("output", json!({ "category": category, "output": text }))
}

pub(crate) fn response(request: &Json, command: &str, answer: Answer) -> Json {
    let (request, command) = (request.get("seq").cloned().unwrap_or(json!(0)), json!(command));
    match answer {
        Ok(body) => json!({
            "seq": 0, "type": "response", "request_seq": request, "success": true, "command": command, "body": body,
        }),
        Err(Problem(text)) => {
            // The format is a template in which braces stand around variables.
            let error = match text.contains(['{', '}']) {
                true => {
                    json!({ "id": 1, "format": "{text}", "variables": { "text": text }, "showUser": true })
                }
                false => json!({ "id": 1, "format": text, "showUser": true }),
            };
            json!({
                "seq": 0, "type": "response", "request_seq": request, "success": false, "command": command,
                "message": text, "body": { "error": error },
            })
        }
    }
}
