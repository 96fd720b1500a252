//! `studio`: the studio's page, served to browsers of this machine.
//!
//! Other pages may not ask it anything: a request that names another host, as it does when somebody's name leads here, or that comes from another
//! page, is refused. Only what lies in the page's folder is served, and the files that the user has named.

use crate::args;
use crate::io;
use crate::session::{Session, Stop};
use crate::within;
use gpuzoo::codes::{BAD_ARGUMENT, CANNOT_LISTEN};
use gpuzoo::diag::Diagnostic;
use std::collections::VecDeque;
use std::io::{Read, Write};
use std::net::{Ipv4Addr, Shutdown, TcpListener, TcpStream};
use std::path::{Component, Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

/// The longest head of a request, in bytes.
const LONGEST_HEAD: usize = 16 << 10;
/// The most connections at a time: browsers open six to a place.
const MOST_CONNECTIONS: usize = 32;
/// The address of the files that the user has named.
const FILES: &str = "/files.json";

/// Time for a request, from its first to its last byte.
#[derive(Clone, Copy)]
struct Patience {
    /// Until its head is there.
    head: Duration,
    /// Until its answer is taken.
    answer: Duration,
}

/// The time that browsers of this machine get.
const PATIENCE: Patience = Patience { head: Duration::from_secs(10), answer: Duration::from_secs(60) };

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
    serve(&site, &listener, PATIENCE);
    Ok(())
}

/// Connections that are open, the oldest first.
type Open = Arc<Mutex<VecDeque<Arc<TcpStream>>>>;

/// Answers requests, each in a thread. Where there are too many, the oldest connection is closed: a client that does not finish keeps
/// nobody else out.
fn serve(site: &Arc<Site>, listener: &TcpListener, patience: Patience) {
    let open = Open::default();
    for stream in listener.incoming().flatten() {
        // A browser opens some connections to say nothing on them.
        let (site, stream, all) = (site.clone(), Arc::new(stream), open.clone());
        {
            let mut open = open.lock().unwrap_or_else(PoisonError::into_inner);
            if open.len() >= MOST_CONNECTIONS
                && let Some(oldest) = open.pop_front()
            {
                let _ = oldest.shutdown(Shutdown::Both);
            }
            open.push_back(stream.clone());
        }
        let work = move |stream: &Arc<TcpStream>| {
            site.serve(stream, patience);
            let mut open = all.lock().unwrap_or_else(PoisonError::into_inner);
            open.retain(|other| !Arc::ptr_eq(other, stream));
        };
        let (work, own) = (Arc::new(work), stream.clone());
        let thread = work.clone();
        if std::thread::Builder::new().spawn(move || thread(&own)).is_err() {
            // Where the system has no thread for it, the next one waits.
            work(&stream);
        }
    }
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
    fn serve(&self, stream: &TcpStream, patience: Patience) {
        let Some(head) = head(stream, Instant::now() + patience.head) else { return };
        let (status, kind, body) = self.answer(&head);
        // Pages elsewhere do not show this one in a frame: what a click does there would be hidden.
        let fields = format!(
            "HTTP/1.1 {status}\r\nContent-Type: {kind}\r\nContent-Length: {}\r\nCache-Control: no-cache\r\n\
             X-Content-Type-Options: nosniff\r\nCross-Origin-Resource-Policy: same-origin\r\n\
             Content-Security-Policy: frame-ancestors 'self'\r\nX-Frame-Options: SAMEORIGIN\r\nConnection: close\r\n\r\n",
            body.len()
        );
        let is_head = head.first().is_some_and(|request| request.starts_with("HEAD "));
        let body = if is_head { &[][..] } else { &body };
        let _ = write(stream, &[fields.as_bytes(), body].concat(), Instant::now() + patience.answer);
    }

    /// What a request is answered with.
    fn answer(&self, head: &[String]) -> Answer {
        let refused = |status| (status, "text/plain", Vec::new());
        let mut request = head.first().map_or("", String::as_str).split(' ');
        let (method, target) = (request.next().unwrap_or_default(), request.next().unwrap_or_default());
        if !matches!(method, "GET" | "HEAD") {
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

    /// A file of the page's folder; links that lead out of it are not followed.
    #[allow(clippy::disallowed_methods, reason = "the page is no input: it is served as it is")]
    fn page(&self, inside: &Path) -> Option<Vec<u8>> {
        let path = self.folder.join(inside);
        within::check(&[&self.folder], &path).ok()?;
        // A pipe would be waited for.
        std::fs::metadata(&path).ok().filter(std::fs::Metadata::is_file)?;
        std::fs::read(&path).ok()
    }
}

/// The time until a deadline.
fn left(deadline: Instant) -> Option<Duration> {
    deadline.checked_duration_since(Instant::now()).filter(|left| !left.is_zero())
}

/// The lines of a request's head; none if it is too long or not there in time.
fn head(mut stream: &TcpStream, deadline: Instant) -> Option<Vec<String>> {
    let (mut text, mut part) = (Vec::new(), [0; 1024]);
    loop {
        let lines = std::str::from_utf8(&text).ok().map(|text| text.replace("\r\n", "\n"));
        if let Some((head, _)) = lines.as_deref().and_then(|text| text.split_once("\n\n")) {
            return Some(head.lines().map(str::to_owned).collect());
        }
        stream.set_read_timeout(Some(left(deadline)?)).ok()?;
        match stream.read(&mut part).ok()? {
            count if count > 0 && text.len() + count <= LONGEST_HEAD => {
                text.extend_from_slice(&part[..count])
            }
            _ => return None,
        }
    }
}

/// Writes all bytes until a deadline.
fn write(mut stream: &TcpStream, mut bytes: &[u8], deadline: Instant) -> Option<()> {
    while !bytes.is_empty() {
        stream.set_write_timeout(Some(left(deadline)?)).ok()?;
        match stream.write(bytes).ok()? {
            0 => return None,
            count => bytes = &bytes[count..],
        }
    }
    Some(())
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

    /// A folder with a page, and a link out of it.
    fn pages(name: &str) -> PathBuf {
        let folder = std::env::temp_dir().join(format!("gpuzoo-studio-{name}-{}", std::process::id()));
        let _ = std::fs::remove_dir_all(&folder);
        std::fs::create_dir_all(folder.join("pages")).unwrap();
        std::fs::write(folder.join("pages/index.html"), "a page").unwrap();
        std::fs::write(folder.join("secret"), "a secret").unwrap();
        folder
    }

    #[cfg(unix)]
    #[test]
    fn links_out_of_the_folder_are_not_followed() {
        let folder = pages("links");
        for (to, at) in [("../secret", "out"), ("..", "above"), ("index.html", "in")] {
            std::os::unix::fs::symlink(to, folder.join("pages").join(at)).unwrap();
        }
        let site = Site { folder: folder.join("pages"), files: Vec::new(), port: 80 };
        let page = |name: &str| site.page(Path::new(name));
        assert_eq!(page("index.html").as_deref(), Some(&b"a page"[..]));
        assert_eq!(page("in").as_deref(), Some(&b"a page"[..]));
        assert_eq!([page("out"), page("above/secret"), page("above"), page("none")], [const { None }; 4]);
        std::fs::remove_dir_all(folder).unwrap();
    }

    /// A server with little patience, and its port.
    fn server(name: &str) -> u16 {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).unwrap();
        let port = listener.local_addr().unwrap().port();
        let site = Arc::new(Site { folder: pages(name).join("pages"), files: b"[]".to_vec(), port });
        let patience = Patience { head: Duration::from_millis(300), answer: Duration::from_secs(10) };
        std::thread::spawn(move || serve(&site, &listener, patience));
        port
    }

    /// What a request is answered with.
    fn asked(port: u16, method: &str) -> String {
        let mut stream = TcpStream::connect((Ipv4Addr::LOCALHOST, port)).unwrap();
        stream
            .write_all(format!("{method} / HTTP/1.1\r\nHost: localhost:{port}\r\n\r\n").as_bytes())
            .unwrap();
        let mut answer = String::new();
        stream.read_to_string(&mut answer).unwrap();
        answer
    }

    #[test]
    fn head_is_answered_without_the_bytes() {
        let port = server("head");
        let (get, head) = (asked(port, "GET"), asked(port, "HEAD"));
        assert!(get.starts_with("HTTP/1.1 200 OK\r\n") && get.contains("\r\nContent-Length: 6\r\n"), "{get}");
        assert!(get.contains("\r\nContent-Security-Policy: frame-ancestors 'self'\r\n"), "{get}");
        assert_eq!(get.strip_suffix("a page"), Some(&*head));
    }

    /// Clients that begin a request and wait keep nobody out, and are sent away, whether they are silent or send a byte at a time.
    #[test]
    fn clients_that_wait_are_sent_away() {
        let port = server("slow");
        let begun = || {
            let mut stream = TcpStream::connect((Ipv4Addr::LOCALHOST, port)).unwrap();
            stream.write_all(b"GET / HT").unwrap();
            stream
        };
        let waiting: Vec<TcpStream> = (0..3 * MOST_CONNECTIONS).map(|_| begun()).collect();
        assert!(asked(port, "GET").ends_with("a page"));
        for mut stream in waiting {
            // It is closed, whichever way.
            let read = stream.read(&mut [0; 16]);
            assert!(read.is_err() || read.is_ok_and(|count| count == 0));
        }
        let mut trickling = begun();
        let is_sent_away = (0..1000).any(|_| {
            std::thread::sleep(Duration::from_millis(20));
            trickling.write_all(b"P").is_err()
        });
        assert!(is_sent_away);
    }
}
