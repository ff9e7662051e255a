//! The listener for people and their machines: `GET /metrics` and `GET /health`.
//!
//! Bounds: [`CONNECTIONS`] at a time, a further one is closed; a request of [`REQUEST_BYTES`]; [`PATIENCE`] from the
//! connection's first moment to its last; one request a connection.

use std::cell::Cell;
use std::future::Future;
use std::net::SocketAddr;
use std::pin::Pin;
use std::rc::Rc;
use std::time::Duration;

use bytes::{Bytes, BytesMut};

use super::text::CONTENT_TYPE;
use crate::runtime::platform::RawStream;
use crate::runtime::{Runtime, Task};

const CONNECTIONS: usize = 16;
const REQUEST_BYTES: usize = 8 << 10;
const HEADERS: usize = 64;
const PATIENCE: Duration = Duration::from_secs(10);
const PAUSE_AFTER_FAILURE: Duration = Duration::from_millis(100);

/// What can be asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Page {
    /// `/metrics`
    Metrics,
    /// `/health`
    Health,
}

/// An answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Answer {
    /// Whether all is well (200) or not (503).
    pub well: bool,
    /// The text.
    pub text: String,
}

/// Makes answers.
pub type Answerer = Rc<dyn Fn(Page) -> Pin<Box<dyn Future<Output = Answer>>>>;

/// Serves on `address` until the task is dropped; gives the bound address.
///
/// # Errors
/// What the system says when the address cannot be listened on.
pub fn serve(
    runtime: &Runtime,
    address: SocketAddr,
    answer: Answerer,
) -> std::io::Result<(SocketAddr, Task<()>)> {
    let listener = runtime.listen(address)?;
    let address = listener.local_addr()?;
    let spawner = runtime.clone();
    let task = runtime.spawn(async move {
        let open = Rc::new(Cell::new(0));
        loop {
            let stream = match listener.accept().await {
                Ok((stream, _)) => stream,
                Err(error) => {
                    tracing::debug!(%error, "an admin connection could not be accepted");
                    spawner.sleep(PAUSE_AFTER_FAILURE).await;
                    continue;
                }
            };
            if open.get() >= CONNECTIONS {
                stream.shutdown();
                continue;
            }
            open.set(open.get() + 1);
            let (runtime, open, answer) = (spawner.clone(), open.clone(), answer.clone());
            let serve_one = async move {
                // A peer that goes or dawdles gets nothing; there is nobody to tell.
                let _ = runtime.timeout(PATIENCE, converse(&*stream, &answer)).await;
                stream.shutdown();
                open.set(open.get() - 1);
            };
            spawner.spawn(serve_one).detach();
        }
    });
    Ok((address, task))
}

async fn converse(stream: &dyn RawStream, answer: &Answerer) -> std::io::Result<()> {
    let mut buffer = BytesMut::with_capacity(REQUEST_BYTES);
    let (status, text, body) = loop {
        match parse(&buffer) {
            Parsed::Page(page, body) => {
                let answer = answer(page).await;
                break (if answer.well { "200 OK" } else { "503 Service Unavailable" }, answer.text, body);
            }
            Parsed::Refused(status) => break (status, format!("{status}\n"), true),
            Parsed::Partial if buffer.len() >= REQUEST_BYTES => {
                let status = "431 Request Header Fields Too Large";
                break (status, format!("{status}\n"), true);
            }
            Parsed::Partial => {}
        }
        let (count, filled) = stream.read(buffer).await;
        if count? == 0 {
            return Ok(());
        }
        buffer = filled;
    };
    let length = text.len();
    let head = format!(
        "HTTP/1.1 {status}\r\nContent-Type: {CONTENT_TYPE}\r\nContent-Length: {length}\r\nConnection: close\r\n\r\n"
    );
    let mut left = Bytes::from(if body { head + &text } else { head });
    while !left.is_empty() {
        match stream.try_write(std::slice::from_ref(&left)) {
            Ok(sent) => drop(left.split_to(sent)),
            Err(error) if error.kind() == std::io::ErrorKind::WouldBlock => stream.writable().await?,
            Err(error) => return Err(error),
        }
    }
    Ok(())
}

enum Parsed {
    /// A page, and whether its text is wanted (GET) or only its head (HEAD).
    Page(Page, bool),
    Refused(&'static str),
    Partial,
}

fn parse(bytes: &[u8]) -> Parsed {
    let mut headers = [httparse::EMPTY_HEADER; HEADERS];
    let mut request = httparse::Request::new(&mut headers);
    match request.parse(bytes) {
        Ok(httparse::Status::Partial) => return Parsed::Partial,
        Ok(httparse::Status::Complete(_)) => {}
        Err(_) => return Parsed::Refused("400 Bad Request"),
    }
    let body = match request.method {
        Some("GET") => true,
        Some("HEAD") => false,
        _ => return Parsed::Refused("405 Method Not Allowed"),
    };
    match request.path.map(|path| path.split('?').next().unwrap_or_default()) {
        Some("/metrics") => Parsed::Page(Page::Metrics, body),
        Some("/health") => Parsed::Page(Page::Health, body),
        _ => Parsed::Refused("404 Not Found"),
    }
}
