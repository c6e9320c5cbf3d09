//! A hook whose handler does what the first argument says; the tests of the run loop start it.

use claude_hook::{Answer, Event, Outcome, run};
use std::process::ExitCode;

fn main() -> ExitCode {
    run("door", "9.8.7", &["UserPromptSubmit"], |event, _env| {
        let mut outcome = Outcome::silent();
        match std::env::args().nth(1).as_deref() {
            Some("panic") => panic!("with the user's words: {event:?}"),
            Some("context") => {
                outcome.answer = Answer::Context {
                    event: "Stop",
                    text: "think of\n\"this\"".to_owned(),
                }
            }
            Some("long") => {
                outcome.answer = Answer::Context {
                    event: "Stop",
                    text: "a line of text\n".repeat(100_000),
                }
            }
            Some("log") => outcome.log = vec!["first".to_owned(), "second".to_owned()],
            // The length of the prompt goes to the error log: the only output a silent hook has.
            Some("measure") => {
                if let Event::UserPromptSubmit { prompt, .. } = event {
                    outcome
                        .log
                        .push(format!("prompt of {} bytes", prompt.len()));
                }
            }
            _ => {}
        }
        outcome
    })
}
