//! Passwords on command lines, where a flag or a place of the program's own says what they are:
//! `mysql -pX`, `sshpass -p X`, `curl -u user:X`, `echo user:X | chpasswd`.
//!
//! A command is read once, from its name to its end; its secrets are noted and told when the pass
//! comes by.

use super::assigned::quoted;
use super::names::{Name, Sense};
use super::values::{self, Setting};
use super::{Found, Pass, shapes};

/// What of a word is the secret.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Part {
    Whole,
    /// What follows the first of this byte: `user:X`.
    Behind(u8),
    /// The values of `a=X; b=Y`.
    Cookie,
    /// `user/X@database`
    Logon,
}

/// A program, and where it takes a password.
struct Program {
    name: &'static str,
    /// More letters may follow the name: `mysqldump`.
    family: bool,
    /// A word that must come first, or none.
    sub: &'static str,
    /// Letters of flags whose value stands right behind: `-pX`.
    glued: &'static [u8],
    /// Letters of flags whose value is the next word: `-p X`.
    spaced: &'static [u8],
    /// Words whose value is the next word, or follows a `=`.
    words: &'static [&'static str],
    /// Beginnings of words whose rest is the value: `pass:X`.
    heads: &'static [&'static str],
    /// Which word without a flag is the value, counted behind `sub`; 0 = none.
    place: usize,
    part: Part,
    /// What is sent to it is a password.
    listens: Listens,
}

/// Whether a program takes a password from what is sent to it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Listens {
    Never,
    Always,
    /// With this flag, or a cluster that holds its letter.
    With(&'static str),
}

const NONE: Program = Program {
    name: "",
    family: false,
    sub: "",
    glued: b"",
    spaced: b"",
    words: &[],
    heads: &[],
    place: 0,
    part: Part::Whole,
    listens: Listens::Never,
};

const fn spaced(name: &'static str, letters: &'static [u8]) -> Program {
    Program {
        name,
        spaced: letters,
        ..NONE
    }
}

const fn glued(name: &'static str, letters: &'static [u8]) -> Program {
    Program {
        name,
        glued: letters,
        ..NONE
    }
}

const fn both(name: &'static str, letters: &'static [u8]) -> Program {
    Program {
        name,
        glued: letters,
        spaced: letters,
        ..NONE
    }
}

const fn place(name: &'static str, sub: &'static str, place: usize) -> Program {
    Program {
        name,
        sub,
        place,
        ..NONE
    }
}

/// The programs; one name may stand here several times.
const PROGRAMS: &[Program] = &[
    Program {
        family: true,
        ..glued("mysql", b"p")
    },
    Program {
        family: true,
        ..glued("mariadb", b"p")
    },
    glued("mycli", b"p"),
    both("sshpass", b"p"),
    Program {
        listens: Listens::With("--password-stdin"),
        ..both("login", b"p")
    },
    Program {
        words: &["--pass", "auth", "AUTH"],
        ..spaced("redis-cli", b"a")
    },
    Program {
        words: &["--user", "--proxy-user"],
        part: Part::Behind(b':'),
        ..both("curl", b"uU")
    },
    Program {
        words: &["--cookie"],
        part: Part::Cookie,
        ..spaced("curl", b"b")
    },
    Program {
        words: &["--pass", "--proxy-pass", "--key-pass"],
        ..NONE
    }
    .named("curl"),
    Program {
        words: &["--user", "--proxy-user"],
        part: Part::Behind(b':'),
        ..spaced("wget", b"u")
    },
    Program {
        words: &["--auth", "--user"],
        part: Part::Behind(b':'),
        ..spaced("http", b"au")
    },
    Program {
        part: Part::Behind(b','),
        ..spaced("lftp", b"u")
    },
    Program {
        family: true,
        ..spaced("ldap", b"w")
    },
    Program {
        words: &["-k"],
        heads: &["pass:"],
        ..NONE
    }
    .named("openssl"),
    spaced("ssh-keygen", b"NP"),
    spaced("zip", b"P"),
    spaced("unzip", b"P"),
    spaced("zipcloak", b"P"),
    glued("7z", b"p"),
    glued("7za", b"p"),
    glued("7zr", b"p"),
    glued("7zz", b"p"),
    Program {
        heads: &["-hp"],
        ..glued("rar", b"p")
    },
    glued("unrar", b"p"),
    Program {
        family: true,
        ..both("mongo", b"p")
    },
    both("sqlcmd", b"P"),
    both("bcp", b"P"),
    both("isql", b"P"),
    both("tsql", b"P"),
    Program {
        place: 1,
        part: Part::Logon,
        ..NONE
    }
    .named("sqlplus"),
    Program {
        part: Part::Behind(b'%'),
        words: &["--user"],
        ..both("smbclient", b"U")
    },
    Program {
        part: Part::Behind(b'%'),
        ..both("rpcclient", b"U")
    },
    place("rabbitmqctl", "add_user", 2),
    place("rabbitmqctl", "change_password", 2),
    place("rabbitmqctl", "authenticate_user", 2),
    place("net", "use", 3),
    place("net", "user", 2),
    place("wpa_passphrase", "", 2),
    place("ansible-vault", "encrypt_string", 1),
    place("rclone", "obscure", 1),
    Program {
        heads: &["/pass:"],
        ..NONE
    }
    .named("cmdkey"),
    Program {
        heads: &["/p:"],
        ..NONE
    }
    .named("xfreerdp"),
    Program {
        family: true,
        ..spaced("mosquitto_", b"P")
    },
    spaced("ipmitool", b"P"),
    spaced("psexec", b"p"),
    spaced("cqlsh", b"p"),
    spaced("beeline", b"p"),
    spaced("twine", b"p"),
    Program {
        family: true,
        ..spaced("snmp", b"AX")
    },
    Program {
        words: &["password"],
        ..NONE
    }
    .named("nmcli"),
    Program {
        sub: "secret",
        part: Part::Behind(b'='),
        words: &["--from-literal"],
        ..NONE
    }
    .named("kubectl"),
    Program {
        sub: "secret",
        words: &["--body"],
        ..spaced("gh", b"b")
    },
    Program {
        sub: "set",
        words: &["aws_secret_access_key", "aws_session_token"],
        ..NONE
    }
    .named("aws"),
    // The password is the last of its words, when a flag says that it is given.
    NONE.named("htpasswd"),
    Program {
        listens: Listens::Always,
        part: Part::Behind(b':'),
        ..NONE
    }
    .named("chpasswd"),
    Program {
        listens: Listens::With("-S"),
        ..NONE
    }
    .named("sudo"),
    Program {
        listens: Listens::With("--stdin"),
        ..NONE
    }
    .named("passwd"),
    Program {
        listens: Listens::With("--passphrase-fd"),
        ..NONE
    }
    .named("gpg"),
    Program {
        listens: Listens::Always,
        ..NONE
    }
    .named("vncpasswd"),
    Program {
        listens: Listens::Always,
        ..NONE
    }
    .named("kinit"),
    Program {
        listens: Listens::Always,
        ..NONE
    }
    .named("cryptsetup"),
    // What they say may be sent to one that listens.
    NONE.named("echo"),
    NONE.named("printf"),
];

impl Program {
    const fn named(self, name: &'static str) -> Self {
        Self { name, ..self }
    }
}

/// How many programs there are.
pub(super) const COUNT: usize = PROGRAMS.len();

/// The name of one program, for the table of anchors.
pub(super) const fn anchor(index: usize) -> &'static [u8] {
    PROGRAMS[index].name.as_bytes()
}

/// First bytes of the names.
const FIRST: [bool; 128] = {
    let mut table = [false; 128];
    let mut i = 0;
    while i < PROGRAMS.len() {
        table[PROGRAMS[i].name.as_bytes()[0] as usize] = true;
        i += 1;
    }
    table
};

/// Longest stretch that is read as one command.
const LONGEST: usize = 4096;

/// Reads the command whose name begins at `at`, if one does.
pub(super) fn read(pass: &mut Pass<'_>, at: usize) {
    let bytes = pass.bytes;
    let Some(first) = bytes.get(at) else { return };
    if at < pass.commands || !FIRST.get(usize::from(*first)).is_some_and(|known| *known) {
        return;
    }
    let Some(end) = name_end(bytes, at) else {
        return;
    };
    if !begins(bytes, at, pass.floor) {
        return;
    }
    let mut reader = Reader {
        bytes,
        at: end,
        limit: bytes.len().min(at + LONGEST),
    };
    let mut command = Command::new(bytes.get(at..end).unwrap_or_default());
    let mut sent = None;
    loop {
        match reader.next() {
            Next::Word(word) => {
                if let Some(name) = name_in(bytes, &word) {
                    command.take_name(name);
                } else {
                    command.word(pass, &word);
                }
            }
            Next::Sent(word) => sent = Some(word),
            Next::Lines(from, to) => {
                sent = Some(Word {
                    start: from,
                    end: to,
                    inner: (from, to),
                });
            }
            Next::Pipe => {
                command.finish(pass, sent.take());
                sent = command.said();
                command = Command::new(b"");
            }
            Next::End => break,
        }
    }
    command.finish(pass, sent);
    pass.commands = reader.at;
}

/// Whether a command can begin at `at`.
fn begins(bytes: &[u8], at: usize, floor: usize) -> bool {
    if at <= floor {
        return true;
    }
    let head = bytes.get(floor..at).unwrap_or_default();
    match head {
        [] | [.., b'\\', b'n' | b't' | b'r'] => true,
        [.., last] => {
            !(last.is_ascii_alphanumeric()
                || matches!(last, b'_' | b'-' | b'.' | b'@' | b'#' | b':'))
                && *last < 128
        }
    }
}

/// The end of the program's name that begins at `at` and is followed by a blank.
fn name_end(bytes: &[u8], at: usize) -> Option<usize> {
    let rest = bytes.get(at..bytes.len().min(at + 32))?;
    let length = rest
        .iter()
        .position(|b| !(b.is_ascii_alphanumeric() || matches!(b, b'_' | b'-')))?;
    let name = rest.get(..length)?;
    if !known(name) {
        return None;
    }
    let mut end = at + length;
    if bytes.get(end..)?.starts_with(b".exe") {
        end += 4;
    }
    matches!(bytes.get(end), Some(b' ' | b'\t')).then_some(end)
}

fn known(name: &[u8]) -> bool {
    PROGRAMS.iter().any(|program| program.is(name))
}

impl Program {
    fn is(&self, name: &[u8]) -> bool {
        if name.first() != self.name.as_bytes().first() {
            return false;
        }
        match name.strip_prefix(self.name.as_bytes()) {
            Some(rest) => rest.is_empty() || self.family && rest.iter().all(u8::is_ascii_lowercase),
            None => false,
        }
    }
}

/// The program that a word names: `/usr/bin/mysql`.
fn name_in<'a>(bytes: &'a [u8], word: &Word) -> Option<&'a [u8]> {
    let text = bytes.get(word.start..word.end)?;
    let name = text.rsplit(|b| *b == b'/').next()?;
    FIRST
        .get(usize::from(*name.first()?))
        .is_some_and(|first| *first)
        .then_some(name)
        .filter(|name| known(name))
}

/// A word of a command line.
#[derive(Debug, Clone, Copy)]
struct Word {
    start: usize,
    end: usize,
    /// The same without quotes around it.
    inner: (usize, usize),
}

/// What comes next on a command line.
enum Next {
    Word(Word),
    /// `<<< word`
    Sent(Word),
    /// The lines of `<<EOF`.
    Lines(usize, usize),
    Pipe,
    End,
}

struct Reader<'a> {
    bytes: &'a [u8],
    at: usize,
    limit: usize,
}

impl Reader<'_> {
    fn peek(&self, ahead: usize) -> Option<u8> {
        self.bytes
            .get(self.at + ahead)
            .copied()
            .filter(|_| self.at + ahead < self.limit)
    }

    fn blanks(&mut self) {
        loop {
            match (self.peek(0), self.peek(1), self.peek(2)) {
                (Some(b' ' | b'\t'), _, _) => self.at += 1,
                (Some(b'\\'), Some(b'\n'), _) => self.at += 2,
                (Some(b'\\'), Some(b'\r'), Some(b'\n')) => self.at += 3,
                _ => break,
            }
        }
    }

    fn next(&mut self) -> Next {
        self.blanks();
        match self.peek(0) {
            Some(b'|') if self.peek(1) != Some(b'|') => {
                self.at += 1;
                Next::Pipe
            }
            None | Some(b'\n' | b'\r' | b';' | b'|' | b'&' | b')' | b'`') => Next::End,
            Some(b'\\') if matches!(self.peek(1), Some(b'n' | b'r')) => Next::End,
            Some(b'<') if self.peek(1) == Some(b'<') => {
                let three = self.peek(2) == Some(b'<');
                self.at += if three { 3 } else { 2 };
                self.blanks();
                match self.word() {
                    Some(word) if three => Next::Sent(word),
                    Some(word) => self.lines(&word).unwrap_or(Next::End),
                    None => Next::End,
                }
            }
            _ => self.word().map_or(Next::End, Next::Word),
        }
    }

    /// The lines behind this one, up to the word.
    fn lines(&mut self, word: &Word) -> Option<Next> {
        let last = self.bytes.get(word.inner.0..word.inner.1)?;
        let last = last.strip_prefix(b"-").unwrap_or(last);
        let rest = self.bytes.get(self.at..self.limit)?;
        let from = self.at + rest.iter().position(|b| *b == b'\n')? + 1;
        let mut line = from;
        while line < self.limit {
            let rest = self.bytes.get(line..self.limit)?;
            let length = rest.iter().position(|b| *b == b'\n').unwrap_or(rest.len());
            if rest.get(..length)?.trim_ascii() == last {
                self.at = line;
                return Some(Next::Lines(from, line));
            }
            line += length + 1;
        }
        None
    }

    fn word(&mut self) -> Option<Word> {
        let start = self.at;
        let mut inner = None;
        while let Some(byte) = self.peek(0) {
            match byte {
                b' ' | b'\t' | b'\n' | b'\r' | b';' | b'|' | b')' | b'`' => break,
                b'&' if self.bytes.get(self.at.wrapping_sub(1)) != Some(&b'>') => {
                    // In a value as well as behind one.
                    if self
                        .peek(1)
                        .is_none_or(|b| b.is_ascii_whitespace() || b == b'&')
                    {
                        break;
                    }
                    self.at += 1;
                }
                b'\\' if matches!(self.peek(1), Some(b'n' | b'r' | b'\n')) => break,
                b'\\' if !self.escapes_quote() => {
                    while self.peek(0) == Some(b'\\') {
                        self.at += 1;
                    }
                }
                b'"' | b'\'' | b'\\' => {
                    let Some((from, to)) = self.opens(start) else {
                        break;
                    };
                    inner = (self.at == start).then_some((from, to));
                    self.at = self.behind(to);
                }
                _ => self.at += 1,
            }
        }
        (self.at > start).then(|| Word {
            start,
            end: self.at,
            inner: inner
                .filter(|(_, to)| self.behind(*to) == self.at)
                .unwrap_or((start, self.at)),
        })
    }

    /// Whether the backslashes here stand before a quote.
    fn escapes_quote(&self) -> bool {
        let rest = self.bytes.get(self.at..self.limit).unwrap_or_default();
        let behind = rest.iter().position(|b| *b != b'\\');
        matches!(behind.and_then(|i| rest.get(i)), Some(b'"' | b'\''))
    }

    /// The range between quotes that begin here. A quote in the middle of a word opens behind a
    /// flag or a sign only; elsewhere it closes what the command stands in.
    fn opens(&self, start: usize) -> Option<(usize, usize)> {
        let head = self.bytes.get(start..self.at)?;
        let opens = matches!(
            head,
            [] | [b'-', _] | [.., b'=' | b':' | b'%' | b'/' | b',' | b'@']
        );
        let (from, to) = quoted(self.bytes, self.at).filter(|_| opens)?;
        (self.behind(to) <= self.limit).then_some((from, to))
    }

    /// Behind the closing quote at `to`, and the backslashes before it.
    fn behind(&self, mut to: usize) -> usize {
        while self.bytes.get(to) == Some(&b'\\') {
            to += 1;
        }
        to + 1
    }
}

/// A command while it is read.
struct Command<'a> {
    name: &'a [u8],
    /// What the next word is the value of.
    expects: Option<Part>,
    /// Words that are no flags, since the word that the program needs.
    places: usize,
    /// The last word that is no flag.
    last: Option<Word>,
    /// The second and the third of them.
    second: Option<Word>,
    third: Option<Word>,
    /// The words that some programs need before they take a password.
    seen: [&'a [u8]; 2],
    /// Whether a flag says that what is sent is a password.
    listens: bool,
    /// htpasswd's `-b`.
    given: bool,
    /// htpasswd's `-n`.
    printed: bool,
}

impl<'a> Command<'a> {
    fn new(name: &'a [u8]) -> Self {
        Self {
            name,
            expects: None,
            places: 0,
            last: None,
            second: None,
            third: None,
            seen: [b"", b""],
            listens: false,
            given: false,
            printed: false,
        }
    }

    fn take_name(&mut self, name: &'a [u8]) {
        if self.expects.take().is_none() {
            let listens = self.listens;
            *self = Self::new(name);
            self.listens = listens;
        }
    }

    fn programs(&self) -> impl Iterator<Item = &'static Program> + use<'a> {
        let name = self.name;
        PROGRAMS.iter().filter(move |program| program.is(name))
    }

    fn says(&self) -> bool {
        matches!(self.name, b"echo" | b"printf")
    }

    fn word(&mut self, pass: &mut Pass<'a>, word: &Word) {
        let bytes = pass.bytes;
        let text = bytes.get(word.start..word.end).unwrap_or_default();
        let quoted = word.inner != (word.start, word.end);
        let flag = !quoted && matches!(text, [b'-', _, ..]);
        if let Some(part) = self.expects.take()
            && !flag
        {
            // `login` is a host's name too, and `-p` its port.
            let port =
                self.name == b"login" && text.len() <= 5 && text.iter().all(u8::is_ascii_digit);
            if !port {
                note(pass, word.inner, part);
            }
            return;
        }
        let mut taken = false;
        for program in self.programs() {
            if !program.sub.is_empty() && !self.seen.contains(&program.sub.as_bytes()) {
                continue;
            }
            if let Listens::With(wanted) = program.listens
                && (text == wanted.as_bytes()
                    || wanted.len() == 2
                        && is_cluster(text)
                        && text.ends_with(wanted.get(1..).unwrap_or_default().as_bytes()))
            {
                self.listens = true;
            }
            if let Some(rest) = program
                .words
                .iter()
                .find_map(|w| text.strip_prefix(w.as_bytes()))
            {
                match rest.first() {
                    None => self.expects = Some(program.part),
                    Some(b'=') => note_in(pass, word.end - rest.len() + 1, word.end, program.part),
                    _ => continue,
                }
                taken = true;
            } else if let Some(rest) = program
                .heads
                .iter()
                .find_map(|h| unquoted(text).strip_prefix(h.as_bytes()))
            {
                note_in(pass, word.inner.1 - rest.len(), word.inner.1, program.part);
                taken = true;
            } else if let (true, [b'-', letter, rest @ ..]) = (flag, text) {
                let letter_is = |set: &[u8]| set.contains(letter);
                if rest.is_empty() && letter_is(program.spaced) {
                    self.expects = Some(program.part);
                    taken = true;
                } else if !rest.is_empty() && letter_is(program.glued) {
                    note_in(pass, word.start + 2, word.end, program.part);
                    taken = true;
                } else if is_cluster(text)
                    && text
                        .last()
                        .is_some_and(|last| program.spaced.contains(last))
                {
                    self.expects = Some(program.part);
                    taken = true;
                }
            }
        }
        if flag {
            self.given |= is_cluster(text) && text.contains(&b'b');
            self.printed |= is_cluster(text) && text.contains(&b'n');
            return;
        }
        if taken {
            return;
        }
        if self.name == b"net" {
            // `net use [drive] \\host\share X`, with flags of its own kind in between.
            if text.starts_with(b"/") {
                return;
            }
            if text.starts_with(b"\\\\") {
                self.places = 2;
                return;
            }
        }
        self.places += 1;
        self.last = Some(*word);
        match self.places {
            2 => self.second = Some(*word),
            3 => self.third = Some(*word),
            _ => {}
        }
        for program in self.programs() {
            let ready = program.sub.is_empty() || self.seen.contains(&program.sub.as_bytes());
            if program.place > 0 && ready && self.places == program.place {
                note(pass, word.inner, program.part);
            }
            if !program.sub.is_empty() && text == program.sub.as_bytes() {
                self.seen = [self.seen[1], program.sub.as_bytes()];
                self.places = 0;
            }
        }
    }

    /// What an `echo` said.
    fn said(&self) -> Option<Word> {
        self.last.filter(|_| self.says())
    }

    fn finish(&mut self, pass: &mut Pass<'a>, sent: Option<Word>) {
        // `-b file user X`, `-nb user X`
        let given = if self.printed {
            self.second
        } else {
            self.third
        };
        if self.name == b"htpasswd"
            && self.given
            && let Some(word) = given
        {
            note(pass, word.inner, Part::Whole);
        }
        let Some(sent) = sent else { return };
        for program in self.programs() {
            let listens = match program.listens {
                Listens::Never => false,
                Listens::Always => true,
                Listens::With(_) => self.listens,
            };
            if listens || self.listens {
                lines(pass, sent.inner, program.part);
                return;
            }
        }
    }
}

/// `-rP`: a few letters.
fn is_cluster(text: &[u8]) -> bool {
    (2..=6).contains(&text.len())
        && text
            .strip_prefix(b"-")
            .is_some_and(|rest| rest.iter().all(u8::is_ascii_alphabetic))
}

fn unquoted(text: &[u8]) -> &[u8] {
    match text {
        [b'"', inner @ .., b'"'] | [b'\'', inner @ .., b'\''] => inner,
        _ => text,
    }
}

/// Each line of what is sent.
fn lines(pass: &mut Pass<'_>, (from, to): (usize, usize), part: Part) {
    let bytes = pass.bytes;
    let mut start = from;
    while start < to {
        let mut end = start;
        while end < to
            && bytes.get(end) != Some(&b'\n')
            && !matches!(bytes.get(end..end + 2), Some(b"\\n" | b"\\r"))
        {
            end += 1;
        }
        note(pass, (start, end), part);
        start = end + if bytes.get(end) == Some(&b'\\') { 2 } else { 1 };
    }
}

/// Notes the secret in a stretch that may stand in quotes of its own.
fn note_in(pass: &mut Pass<'_>, from: usize, to: usize, part: Part) {
    let inner = quoted(pass.bytes, from)
        .filter(|(_, end)| *end < to)
        .unwrap_or((from, to));
    note(pass, inner, part);
}

/// Notes the secret in a value, if it is one.
fn note(pass: &mut Pass<'_>, (from, to): (usize, usize), part: Part) {
    let bytes = pass.bytes;
    let Some(value) = bytes.get(from..to) else {
        return;
    };
    let (start, end) = match part {
        Part::Whole => (from, to),
        Part::Behind(sign) => {
            let Some(at) = value.iter().position(|b| *b == sign) else {
                return;
            };
            let password = value.get(at + 1..).unwrap_or_default();
            // `--user 1000:1000`, `-u https://…`
            if password.starts_with(b"//")
                || sign == b':' && value.iter().all(|b| b.is_ascii_digit() || *b == b':')
            {
                return;
            }
            (from + at + 1, to)
        }
        Part::Logon => {
            let Some(slash) = value.iter().position(|b| *b == b'/').filter(|at| *at > 0) else {
                return;
            };
            let password = value.get(slash + 1..).unwrap_or_default();
            let length = password
                .iter()
                .position(|b| *b == b'@')
                .unwrap_or(password.len());
            (from + slash + 1, from + slash + 1 + length)
        }
        Part::Cookie => {
            super::headers::cookies(pass, from, to, usize::MAX);
            return;
        }
    };
    let value = bytes.get(start..end).unwrap_or_default();
    let blank = |b: Option<&u8>| b.is_some_and(u8::is_ascii_whitespace);
    if blank(value.first())
        || blank(value.last())
        || !values::bare(value, Sense::Password, Setting::Literal)
    {
        return;
    }
    let name = Name {
        sense: Sense::Password,
        kind: "password",
    };
    let known = shapes::at(bytes, start, start).filter(|f| f.start == start && f.end == end);
    pass.note(known.unwrap_or(Found {
        start,
        end,
        kind: name.kind,
    }));
}
