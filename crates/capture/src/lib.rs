//! What each hook does with its event: the person's prompt and the assistant's reply into the day
//! file, the tool call into the tool log, the stop into the checkpoint's counter.
//!
//! Every function here takes an event and the environment and answers with an [`Outcome`]: what
//! is printed and what belongs in the error log. None of them fails.

mod memory;
mod pending;
mod place;
mod prompt;
mod reply;
mod stop;
mod tool;

use claude_hook::{Event, Outcome};
use mnemo_home::Env;

pub use memory::Memory;

/// `UserPromptSubmit`: appends the User entry and hands over a checkpoint that waits for it.
pub fn prompt(event: &Event, env: &Env) -> Outcome {
    prompt::save(event, env)
}

/// `PostToolUse` and `PostToolUseFailure`: one line of the tool log, and an observation.
pub fn tool(event: &Event, env: &Env) -> Outcome {
    tool::log(event, env)
}

/// `Stop`: appends what the assistant said since the stop before.
pub fn reply(event: &Event, env: &Env) -> Outcome {
    reply::save(event, env)
}

/// `Stop`: counts it, and asks for the checkpoint when it is due.
pub fn stop(event: &Event, env: &Env) -> Outcome {
    stop::count(event, env)
}
