//! `studio`: the studio's page, served to browsers of this machine.
//!
//! Other pages may not ask it anything: a request that names another host, as it does when somebody's name leads here, or that comes from another
//! page, is refused. Only what lies in the page's folder is served, and the files that the user has named.

use crate::args;
use crate::io;
use crate::session::{Session, Stop};
use gpuzoo::codes::{BAD_ARGUMENT, CANNOT_LISTEN};
use gpuzoo::diag::Diagnostic;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{Ipv4Addr, TcpListener, TcpStream};
use std::path::{Component, Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

/// The longest head of a request, in bytes.
const LONGEST_HEAD: u64 = 16 << 10;
/// How long a browser may think.
const PATIENCE: Duration = Duration::from_secs(10);
/// The address of the files that the user has named.
const FILES: &str = "/files.json";

/// What is served.
struct Site {
    folder: PathBuf,
    /// The user's files, as an object of JSON.
    files: Vec<u8>,
    port: u16,
}

/// An answer: its status, its type, its bytes.
type Answer = (&'static str, &'static str, Vec<u8>);

/// Serves until it is interrupted.
pub fn studio(args: &args::Studio, session: &mut Session) -> Result<(), Stop> {
    if !args.pages.join("index.html").is_file() {
        let message = format!("there is no page of the studio in `{}`", args.pages.display());
        let problem = Diagnostic::error(&BAD_ARGUMENT, message).help("`cargo xtask studio` builds it");
        return Err(problem.help("`--pages FOLDER` says where it is").into());
    }
    let files = files(&args.files)?;
    let port = args.port;
    let no_port = |error: std::io::Error| {
        Diagnostic::error(&CANNOT_LISTEN, format!("port {port} cannot be listened on: {error}"))
            .help("choose another one, or leave `--port` out for any that is free")
    };
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, port)).map_err(no_port)?;
    let port = listener.local_addr().map_err(no_port)?.port();
    let query = if args.files.is_empty() { "" } else { "?files" };
    session.remark(&format!("http://127.0.0.1:{port}/{query}\n"));
    let site = Arc::new(Site { folder: args.pages.clone(), files, port });
    for stream in listener.incoming().flatten() {
        // A browser opens some connections to say nothing on them.
        let (other, stream) = (site.clone(), Arc::new(stream));
        let own = stream.clone();
        if std::thread::Builder::new().spawn(move || other.serve(&own)).is_err() {
            // Where the system has no thread for it, the next one waits.
            site.serve(&stream);
        }
    }
    Ok(())
}

/// The user's files as `[[name, text], …]`.
fn files(paths: &[PathBuf]) -> Result<Vec<u8>, Stop> {
    let mut all = Vec::new();
    for path in paths {
        let bytes = io::read(Some(path), None)?.bytes;
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let Ok(text) = String::from_utf8(bytes) else {
            let problem = Diagnostic::error(&BAD_ARGUMENT, format!("`{}` is not a text", path.display()));
            return Err(problem.help("the studio edits texts: programs and scenes").into());
        };
        all.push(serde_json::json!([name, text]));
    }
    Ok(serde_json::Value::Array(all).to_string().into_bytes())
}

impl Site {
    /// One request, one answer; a connection that breaks is the browser's affair.
    fn serve(&self, stream: &TcpStream) {
        let _ = stream.set_read_timeout(Some(PATIENCE));
        let _ = stream.set_write_timeout(Some(PATIENCE));
        let Some(head) = head(stream) else { return };
        let (status, kind, body) = self.answer(&head);
        let head = format!(
            "HTTP/1.1 {status}\r\nContent-Type: {kind}\r\nContent-Length: {}\r\nCache-Control: no-cache\r\n\
             X-Content-Type-Options: nosniff\r\nCross-Origin-Resource-Policy: same-origin\r\nConnection: close\r\n\r\n",
            body.len()
        );
        let mut stream = stream;
        let _ = stream.write_all(head.as_bytes()).and_then(|()| stream.write_all(&body));
    }

    /// What a request is answered with.
    fn answer(&self, head: &[String]) -> Answer {
        let refused = |status| (status, "text/plain", Vec::new());
        let mut request = head.first().map_or("", String::as_str).split(' ');
        let (method, target) = (request.next().unwrap_or_default(), request.next().unwrap_or_default());
        if method != "GET" {
            return refused("405 Method Not Allowed");
        }
        let header = |wanted: &str| {
            let named = head.iter().skip(1).filter_map(|line| line.split_once(':'));
            let mut named = named.filter(|(name, _)| name.eq_ignore_ascii_case(wanted));
            named.next().map(|(_, value)| value.trim())
        };
        let hosts = ["127.0.0.1", "localhost"].map(|name| format!("{name}:{}", self.port));
        if !header("host").is_some_and(|host| hosts.iter().any(|own| own == host)) {
            return refused("403 Forbidden");
        }
        let is_own = |origin: &str| hosts.iter().any(|own| origin.strip_prefix("http://") == Some(own));
        if header("origin").is_some_and(|origin| !is_own(origin)) {
            return refused("403 Forbidden");
        }
        let path = target.split(['?', '#']).next().unwrap_or_default();
        if path == FILES {
            return ("200 OK", "application/json", self.files.clone());
        }
        let inside = Path::new(path.trim_start_matches('/'));
        let is_plain = inside.components().all(|part| matches!(part, Component::Normal(_)));
        let inside = if path == "/" { Path::new("index.html") } else { inside };
        match is_plain.then(|| self.page(inside)).flatten() {
            Some(bytes) => ("200 OK", kind(inside), bytes),
            None => refused("404 Not Found"),
        }
    }

    #[allow(clippy::disallowed_methods, reason = "the page is no input: it is served as it is")]
    fn page(&self, inside: &Path) -> Option<Vec<u8>> {
        std::fs::read(self.folder.join(inside)).ok()
    }
}

/// The lines of a request's head; none if it is too long or never ends.
fn head(stream: &TcpStream) -> Option<Vec<String>> {
    let mut lines = Vec::new();
    for line in BufReader::new(stream.take(LONGEST_HEAD)).lines() {
        match line.ok()? {
            line if line.is_empty() => return Some(lines),
            line => lines.push(line),
        }
    }
    None
}

/// The type of a file, by its extension.
fn kind(path: &Path) -> &'static str {
    match path.extension().and_then(|extension| extension.to_str()).unwrap_or_default() {
        "html" => "text/html; charset=utf-8",
        "js" => "text/javascript",
        "css" => "text/css",
        "json" => "application/json",
        "svg" => "image/svg+xml",
        "wasm" => "application/wasm",
        "webmanifest" => "application/manifest+json",
        _ => "application/octet-stream",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn site() -> Site {
        Site { folder: PathBuf::from(env!("CARGO_MANIFEST_DIR")), files: b"[]".to_vec(), port: 8023 }
    }

    fn status(request: &str) -> &'static str {
        let head: Vec<String> = request.split("\r\n").map(str::to_owned).collect();
        site().answer(&head).0
    }

    #[test]
    fn only_this_machine_is_answered() {
        assert_eq!(status("GET /Cargo.toml HTTP/1.1\r\nHost: 127.0.0.1:8023"), "200 OK");
        assert_eq!(status("GET /Cargo.toml?v=1 HTTP/1.1\r\nhost: localhost:8023"), "200 OK");
        assert_eq!(
            status("GET /files.json HTTP/1.1\r\nHost: localhost:8023\r\nOrigin: http://localhost:8023"),
            "200 OK"
        );
        for refused in [
            "GET /Cargo.toml HTTP/1.1",
            "GET /Cargo.toml HTTP/1.1\r\nHost: evil.example",
            "GET /Cargo.toml HTTP/1.1\r\nHost: 127.0.0.1:80",
            "GET /files.json HTTP/1.1\r\nHost: 127.0.0.1:8023\r\nOrigin: http://evil.example",
            "GET /files.json HTTP/1.1\r\nHost: 127.0.0.1:8023\r\nOrigin: null",
        ] {
            assert_eq!(status(refused), "403 Forbidden", "{refused}");
        }
        assert_eq!(status("POST /files.json HTTP/1.1\r\nHost: 127.0.0.1:8023"), "405 Method Not Allowed");
        assert_eq!(status(""), "405 Method Not Allowed");
    }

    #[test]
    fn nothing_beside_the_page_is_served() {
        for path in
            ["/../cli/Cargo.toml", "/src/../Cargo.toml", "//etc/passwd", "/./Cargo.toml/..", "/none", "", "/"]
        {
            let request = format!("GET {path} HTTP/1.1\r\nHost: 127.0.0.1:8023");
            assert_eq!(status(&request), "404 Not Found", "{path}");
        }
    }
}
