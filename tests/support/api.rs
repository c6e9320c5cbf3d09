//! A stand-in for the Messages API on loopback: streams answers from a script, keeps every
//! request.
//!
//! The client asks for more than answers to its user (titles, token counts, a probe of the key):
//! those get canned replies. What the conversation asks ([`Kind::Main`]) takes, in this order, the
//! reply of the first rule that wants it ([`Api::when`]), else the next of the queue
//! ([`Api::say`]). A conversation that asks for more than its script has gets a text that says so
//! and is found in [`Api::unscripted`].

use crate::wait;
use serde_json::{Value, json};
use std::collections::VecDeque;
use std::io::{self, BufRead as _, BufReader, Read as _, Write as _};
use std::net::{TcpListener, TcpStream};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

/// What a request is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// The next step of a conversation, a subagent's included.
    Main,
    /// The summary of a compaction.
    Compact,
    /// Titles, suggestions, probes, token counts.
    Utility,
}

/// A request as it came in.
#[derive(Debug, Clone)]
pub struct Request {
    /// What it is for.
    pub kind: Kind,
    /// The body.
    pub body: Value,
}

impl Request {
    /// All text of the messages, tool results and reminders included, one block a line.
    pub fn text(&self) -> String {
        let mut all = String::new();
        if let Some(list) = self.body["messages"].as_array() {
            for message in list {
                collect(&message["content"], &mut all);
            }
        }
        all
    }

    /// The text of the last message.
    pub fn last(&self) -> String {
        let mut all = String::new();
        let last = self.body["messages"]
            .as_array()
            .and_then(|list| list.last());
        if let Some(message) = last {
            collect(&message["content"], &mut all);
        }
        all
    }
}

fn collect(content: &Value, all: &mut String) {
    match content {
        Value::String(text) => {
            all.push_str(text);
            all.push('\n');
        }
        Value::Array(blocks) => {
            for block in blocks {
                collect(&block["text"], all);
                collect(&block["content"], all);
            }
        }
        _ => {}
    }
}

/// A block of an answer.
#[derive(Debug, Clone)]
enum Block {
    Text(String),
    Thinking(String),
    Tool(String, Value),
}

/// One scripted answer.
#[derive(Debug, Clone, Default)]
pub struct Reply {
    blocks: Vec<Block>,
    stop: Option<String>,
    input_tokens: Option<u64>,
    error: Option<(u16, String, String)>,
    chunk: usize,
    pause: Duration,
    hang: bool,
    gate: Option<Gate>,
}

impl Reply {
    /// An answer of one text.
    pub fn text(text: impl Into<String>) -> Self {
        Self::default().and_text(text)
    }

    /// An answer of one tool call.
    pub fn tool(name: &str, input: Value) -> Self {
        Self::default().and_tool(name, input)
    }

    /// `Bash`, the command being described as "run it".
    pub fn bash(command: &str) -> Self {
        Self::default().and_bash(command)
    }

    /// An error of the API: status, type, message.
    pub fn error(status: u16, kind: &str, message: &str) -> Self {
        Self {
            error: Some((status, kind.to_owned(), message.to_owned())),
            ..Self::default()
        }
    }

    /// One more text block.
    #[must_use]
    pub fn and_text(mut self, text: impl Into<String>) -> Self {
        self.blocks.push(Block::Text(text.into()));
        self
    }

    /// A thinking block.
    #[must_use]
    pub fn and_thinking(mut self, text: &str) -> Self {
        self.blocks.push(Block::Thinking(text.to_owned()));
        self
    }

    /// A tool call.
    #[must_use]
    pub fn and_tool(mut self, name: &str, input: Value) -> Self {
        self.blocks.push(Block::Tool(name.to_owned(), input));
        self
    }

    /// A call of `Bash`.
    #[must_use]
    pub fn and_bash(self, command: &str) -> Self {
        self.and_tool(
            "Bash",
            json!({ "command": command, "description": "run it" }),
        )
    }

    /// The stop reason; else `tool_use` with a tool call and `end_turn` without.
    #[must_use]
    pub fn stops(mut self, reason: &str) -> Self {
        self.stop = Some(reason.to_owned());
        self
    }

    /// The input tokens it reports: large numbers make the client compact.
    #[must_use]
    pub fn used(mut self, input_tokens: u64) -> Self {
        self.input_tokens = Some(input_tokens);
        self
    }

    /// Streams so many characters at a time with a pause between.
    #[must_use]
    pub fn slowly(mut self, chunk: usize, pause: Duration) -> Self {
        self.chunk = chunk;
        self.pause = pause;
        self
    }

    /// Streams the first half of its last block and then nothing more.
    #[must_use]
    pub fn hangs(mut self) -> Self {
        self.hang = true;
        self
    }

    /// Waits for the gate before it begins.
    #[must_use]
    pub fn after(mut self, gate: &Gate) -> Self {
        self.gate = Some(gate.clone());
        self
    }
}

/// Holds replies back until it is opened.
#[derive(Debug, Clone, Default)]
pub struct Gate(Arc<AtomicBool>);

impl Gate {
    /// A closed gate.
    pub fn new() -> Self {
        Self::default()
    }

    /// Lets the replies go.
    pub fn open(&self) {
        self.0.store(true, Ordering::SeqCst);
    }

    fn is_open(&self) -> bool {
        self.0.load(Ordering::SeqCst)
    }
}

type Rule = Box<dyn FnMut(&Request) -> Option<Reply> + Send>;

#[derive(Default)]
struct State {
    queue: VecDeque<Reply>,
    rules: Vec<Rule>,
    seen: Vec<Request>,
    unscripted: Vec<String>,
    /// Paths that the stand-in does not know.
    strange: Vec<String>,
}

/// The stand-in. It stops when dropped.
pub struct Api {
    port: u16,
    state: Arc<Mutex<State>>,
    over: Arc<AtomicBool>,
}

impl Default for Api {
    fn default() -> Self {
        Self::start()
    }
}

impl Api {
    /// Listens on a free port of the calling thread's loopback.
    pub fn start() -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a port on loopback");
        let port = listener.local_addr().expect("its number").port();
        let state = Arc::new(Mutex::new(State::default()));
        let over = Arc::new(AtomicBool::new(false));
        let (shared, stop) = (Arc::clone(&state), Arc::clone(&over));
        std::thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                if stop.load(Ordering::SeqCst) {
                    break;
                }
                let (state, over) = (Arc::clone(&shared), Arc::clone(&stop));
                // A client that goes away in the middle is part of the game.
                std::thread::spawn(move || serve(stream, &state, &over).is_ok());
            }
        });
        Self { port, state, over }
    }

    /// Where it listens, for `ANTHROPIC_BASE_URL`.
    pub fn url(&self) -> String {
        format!("http://127.0.0.1:{}", self.port)
    }

    /// Queues answers for the conversation.
    pub fn say(&self, replies: impl IntoIterator<Item = Reply>) {
        self.state.lock().unwrap().queue.extend(replies);
    }

    /// Adds a rule that may answer before the queue does: for subagents, and for clients that run
    /// at the same time.
    pub fn when(&self, rule: impl FnMut(&Request) -> Option<Reply> + Send + 'static) {
        self.state.lock().unwrap().rules.push(Box::new(rule));
    }

    /// Answers, in order, to the requests whose text holds `mark`.
    pub fn say_to(&self, mark: &str, replies: impl IntoIterator<Item = Reply>) {
        let mark = mark.to_owned();
        let mut queue: VecDeque<Reply> = replies.into_iter().collect();
        self.when(move |request| {
            let wanted = request.text().contains(&mark);
            if wanted { queue.pop_front() } else { None }
        });
    }

    /// Requests so far, of one kind.
    pub fn requests(&self, kind: Kind) -> Vec<Request> {
        let state = self.state.lock().unwrap();
        state
            .seen
            .iter()
            .filter(|r| r.kind == kind)
            .cloned()
            .collect()
    }

    /// How many requests of the conversation came in so far.
    pub fn count(&self) -> usize {
        self.requests(Kind::Main).len()
    }

    /// Waits until so many requests of the conversation have come in.
    #[track_caller]
    pub fn wait_count(&self, count: usize) {
        let there = wait::holds(Duration::from_secs(60), || self.count() >= count);
        assert!(there, "{} of {count} requests came in", self.count());
    }

    /// What was asked beyond the script: the last text of each such request.
    pub fn unscripted(&self) -> Vec<String> {
        self.state.lock().unwrap().unscripted.clone()
    }

    /// Answers that nobody asked for.
    pub fn unsaid(&self) -> usize {
        self.state.lock().unwrap().queue.len()
    }

    /// Requests for something the stand-in does not know.
    pub fn strange(&self) -> Vec<String> {
        self.state.lock().unwrap().strange.clone()
    }
}

impl Drop for Api {
    fn drop(&mut self) {
        self.over.store(true, Ordering::SeqCst);
        // Wakes the listener.
        let _ = TcpStream::connect(("127.0.0.1", self.port));
    }
}

struct Http {
    method: String,
    path: String,
    body: Vec<u8>,
}

fn read_request(input: &mut BufReader<TcpStream>) -> io::Result<Option<Http>> {
    let mut line = String::new();
    if input.read_line(&mut line)? == 0 {
        return Ok(None);
    }
    let mut words = line.split_whitespace();
    let method = words.next().unwrap_or_default().to_owned();
    let path = words.next().unwrap_or_default().to_owned();
    let (mut length, mut chunked) = (0, false);
    loop {
        let mut line = String::new();
        if input.read_line(&mut line)? == 0 || line.trim().is_empty() {
            break;
        }
        let (name, value) = line.split_once(':').unwrap_or_default();
        match name.to_ascii_lowercase().as_str() {
            "content-length" => length = value.trim().parse().unwrap_or(0),
            "transfer-encoding" => chunked = value.to_ascii_lowercase().contains("chunked"),
            _ => {}
        }
    }
    let mut body = Vec::new();
    if chunked {
        loop {
            let mut line = String::new();
            input.read_line(&mut line)?;
            let size = u64::from_str_radix(line.trim(), 16).unwrap_or(0);
            input.by_ref().take(size).read_to_end(&mut body)?;
            input.read_line(&mut String::new())?;
            if size == 0 {
                break;
            }
        }
    } else {
        input.by_ref().take(length).read_to_end(&mut body)?;
    }
    Ok(Some(Http { method, path, body }))
}

fn serve(stream: TcpStream, state: &Mutex<State>, over: &AtomicBool) -> io::Result<()> {
    let mut out = stream.try_clone()?;
    let mut input = BufReader::new(stream);
    while let Some(http) = read_request(&mut input)? {
        let path = http.path.split('?').next().unwrap_or_default();
        let body: Value = serde_json::from_slice(&http.body).unwrap_or_default();
        match (http.method.as_str(), path) {
            ("POST", "/v1/messages") => messages(&mut out, body, state, over)?,
            ("POST", "/v1/messages/count_tokens") => {
                let count = json!({ "input_tokens": http.body.len() / 4 + 1 });
                plain(&mut out, 200, &count, true)?;
            }
            ("HEAD", _) => plain(&mut out, 200, &json!({}), false)?,
            ("GET", "/") => plain(&mut out, 200, &json!({ "ok": true }), true)?,
            ("GET", "/v1/models") => {
                let none =
                    json!({ "data": [], "has_more": false, "first_id": null, "last_id": null });
                plain(&mut out, 200, &none, true)?;
            }
            _ => {
                let what = format!("{} {}", http.method, http.path);
                plain(&mut out, 404, &problem("not_found_error", &what), true)?;
                state.lock().unwrap().strange.push(what);
            }
        }
    }
    Ok(())
}

fn problem(kind: &str, message: &str) -> Value {
    json!({ "type": "error", "error": { "type": kind, "message": message } })
}

fn plain(out: &mut TcpStream, status: u16, body: &Value, with_body: bool) -> io::Result<()> {
    let body = body.to_string();
    let head = format!(
        "HTTP/1.1 {status} Scripted\r\ncontent-type: application/json\r\ncontent-length: {}\r\n\
         request-id: req_scripted\r\n\r\n",
        body.len()
    );
    out.write_all(head.as_bytes())?;
    if with_body {
        out.write_all(body.as_bytes())?;
    }
    out.flush()
}

/// Told by the shape of the request, as measured with 2.1.59, 2.1.197 and 2.1.332.
fn kind_of(body: &Value, last: &str) -> Kind {
    let has = |value: &Value| value.as_array().is_some_and(|list| !list.is_empty());
    if last.contains("<summary>") && last.contains("detailed summary") {
        Kind::Compact
    } else if !body["output_config"]["format"].is_null()
        || !body["output_format"].is_null()
        || !has(&body["tools"])
        || last.contains("[SUGGESTION MODE")
    {
        Kind::Utility
    } else {
        Kind::Main
    }
}

fn choose(request: &Request, state: &mut State) -> Reply {
    match request.kind {
        Kind::Compact => {
            Reply::text("<analysis>looked back</analysis>\n<summary>SUMMARY-OF-THE-TALK</summary>")
        }
        Kind::Utility if request.body["max_tokens"] == 1 => Reply::text("ok"),
        Kind::Utility => Reply::text(r#"{"title": "Scripted title"}"#),
        Kind::Main => {
            if let Some(reply) = state.rules.iter_mut().find_map(|rule| rule(request)) {
                return reply;
            }
            state.queue.pop_front().unwrap_or_else(|| {
                state.unscripted.push(request.last());
                Reply::text("(beyond the script)")
            })
        }
    }
}

fn messages(
    out: &mut TcpStream,
    body: Value,
    state: &Mutex<State>,
    over: &AtomicBool,
) -> io::Result<()> {
    let mut request = Request {
        kind: Kind::Main,
        body,
    };
    request.kind = kind_of(&request.body, &request.last());
    let (reply, number) = {
        let mut state = state.lock().unwrap();
        let reply = choose(&request, &mut state);
        state.seen.push(request.clone());
        (reply, state.seen.len())
    };
    if let Some(gate) = &reply.gate {
        while !gate.is_open() && !over.load(Ordering::SeqCst) {
            std::thread::sleep(Duration::from_millis(10));
        }
    }
    if let Some((status, kind, message)) = &reply.error {
        return plain(out, *status, &problem(kind, message), true);
    }
    answer(out, &request.body, &reply, number, over)
}

fn answer(
    out: &mut TcpStream,
    body: &Value,
    reply: &Reply,
    number: usize,
    over: &AtomicBool,
) -> io::Result<()> {
    let tool = reply.blocks.iter().any(|b| matches!(b, Block::Tool(..)));
    let default = if tool { "tool_use" } else { "end_turn" };
    let stop = reply.stop.as_deref().unwrap_or(default);
    let size = body.to_string().len() as u64;
    let id = format!("msg_scripted{}{number:06}", std::process::id());
    let mut message = json!({
        "id": id, "type": "message", "role": "assistant", "model": body["model"],
        "content": [], "stop_reason": null, "stop_sequence": null,
        "usage": {
            "input_tokens": reply.input_tokens.unwrap_or(size / 4 + 1), "output_tokens": 1,
            "cache_creation_input_tokens": 0, "cache_read_input_tokens": 0, "service_tier": "standard",
        },
    });
    let blocks = reply
        .blocks
        .iter()
        .enumerate()
        .map(|(at, b)| block(b, &format!("toolu_scripted{number:06}{at:02}")));
    let blocks: Vec<Value> = blocks.collect();
    if body["stream"] != true {
        message["content"] = Value::Array(blocks);
        message["stop_reason"] = json!(stop);
        return plain(out, 200, &message, true);
    }
    let head = "HTTP/1.1 200 Scripted\r\ncontent-type: text/event-stream; charset=utf-8\r\n\
                cache-control: no-cache\r\nrequest-id: req_scripted\r\ntransfer-encoding: chunked\r\n\r\n";
    out.write_all(head.as_bytes())?;
    event(out, "message_start", json!({ "message": message }))?;
    event(out, "ping", json!({}))?;
    for (at, whole) in blocks.iter().enumerate() {
        let last = at + 1 == blocks.len();
        stream_block(out, at, whole, reply, last, over)?;
    }
    let delta = json!({ "stop_reason": stop, "stop_sequence": null });
    event(
        out,
        "message_delta",
        json!({ "delta": delta, "usage": { "output_tokens": 20 } }),
    )?;
    event(out, "message_stop", json!({}))?;
    out.write_all(b"0\r\n\r\n")?;
    out.flush()
}

fn block(block: &Block, id: &str) -> Value {
    match block {
        Block::Text(text) => json!({ "type": "text", "text": text }),
        Block::Thinking(text) => {
            json!({ "type": "thinking", "thinking": text, "signature": "c2NyaXB0ZWQ=" })
        }
        Block::Tool(name, input) => {
            json!({ "type": "tool_use", "id": id, "name": name, "input": input })
        }
    }
}

fn stream_block(
    out: &mut TcpStream,
    at: usize,
    whole: &Value,
    reply: &Reply,
    last: bool,
    over: &AtomicBool,
) -> io::Result<()> {
    let (key, delta, full) = match whole["type"].as_str() {
        Some("text") => (
            "text",
            "text_delta",
            whole["text"].as_str().unwrap_or_default().to_owned(),
        ),
        Some("thinking") => {
            let text = whole["thinking"].as_str().unwrap_or_default().to_owned();
            ("thinking", "thinking_delta", text)
        }
        _ => (
            "partial_json",
            "input_json_delta",
            whole["input"].to_string(),
        ),
    };
    let mut start = whole.clone();
    for (field, empty) in [
        ("text", json!("")),
        ("thinking", json!("")),
        ("signature", json!("")),
        ("input", json!({})),
    ] {
        if !start[field].is_null() {
            start[field] = empty;
        }
    }
    event(
        out,
        "content_block_start",
        json!({ "index": at, "content_block": start }),
    )?;
    let chars: Vec<char> = full.chars().collect();
    let step = if reply.chunk == 0 { 2000 } else { reply.chunk };
    let step = if reply.hang && last {
        step.min(chars.len() / 2).max(1)
    } else {
        step
    };
    for (n, piece) in chars.chunks(step).enumerate() {
        if n > 0 {
            std::thread::sleep(reply.pause);
        }
        let piece: String = piece.iter().collect();
        event(
            out,
            "content_block_delta",
            json!({ "index": at, "delta": { "type": delta, key: piece } }),
        )?;
        if reply.hang && last && (n + 1) * step * 2 >= chars.len() {
            while !over.load(Ordering::SeqCst) {
                std::thread::sleep(Duration::from_millis(20));
            }
            return Err(io::ErrorKind::ConnectionAborted.into());
        }
    }
    if key == "thinking" {
        let delta = json!({ "type": "signature_delta", "signature": whole["signature"] });
        event(
            out,
            "content_block_delta",
            json!({ "index": at, "delta": delta }),
        )?;
    }
    event(out, "content_block_stop", json!({ "index": at }))
}

fn event(out: &mut TcpStream, name: &str, mut data: Value) -> io::Result<()> {
    data["type"] = json!(name);
    let text = format!("event: {name}\ndata: {data}\n\n");
    let mut frame = format!("{:x}\r\n", text.len()).into_bytes();
    frame.extend_from_slice(text.as_bytes());
    frame.extend_from_slice(b"\r\n");
    out.write_all(&frame)?;
    out.flush()
}
