//! Messages of the Language Server Protocol: JSON-RPC.

use serde_json::{Value as Json, json};

/// The codes of error replies, as JSON-RPC and LSP number them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ErrorCode {
    /// The bytes are not JSON.
    Parse = -32700,
    /// The JSON is not a message.
    InvalidRequest = -32600,
    /// There is no such method.
    MethodNotFound = -32601,
    /// The parameters are not those of the method.
    InvalidParams = -32602,
    /// Nothing is answered before `initialize`.
    NotInitialized = -32002,
    /// What was asked for cannot be done; the message says why.
    RequestFailed = -32803,
}

/// Why a request has no result.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Failed {
    /// Which kind of failure.
    pub code: ErrorCode,
    /// What is wrong.
    pub message: String,
}

impl Failed {
    /// A failure.
    pub fn new(code: ErrorCode, message: impl Into<String>) -> Failed {
        Failed { code, message: message.into() }
    }
}

/// The reply to a request.
pub fn reply(id: &Json, result: Result<Json, Failed>) -> Json {
    match result {
        Ok(result) => json!({ "jsonrpc": "2.0", "id": id, "result": result }),
        Err(Failed { code, message }) => {
            let error = json!({ "code": code as i32, "message": message });
            json!({ "jsonrpc": "2.0", "id": id, "error": error })
        }
    }
}

/// What is said without being asked.
pub fn notification(method: &str, params: Json) -> Json {
    json!({ "jsonrpc": "2.0", "method": method, "params": params })
}
