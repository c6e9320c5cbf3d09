//! The person's prompt.

use crate::memory::Memory;
use crate::place::Place;
use crate::{pending, stop};
use chrono::Utc;
use claude_hook::{Answer, Common, Event, Outcome, Role};
use mnemo_home::{Deliver, Env};
use record::day::{Marker, NewEntry};

/// What the client itself submits when background work ends. The payload does not tell it from a
/// person's text that begins so; the transcript does, and repair adds such a text.
const TASK_NOTIFICATION: &str = "<task-notification>";

pub(crate) fn save(event: &Event, env: &Env) -> Outcome {
    let mut outcome = Outcome::silent();
    let Event::UserPromptSubmit { common, prompt } = event else {
        return outcome;
    };
    if prompt.trim().is_empty() || prompt.starts_with(TASK_NOTIFICATION) {
        return outcome;
    }
    let Some(place) = Place::of(common, common.cwd.as_deref(), env, &mut outcome.log) else {
        return outcome;
    };
    if let Err(error) = append(&place, common, prompt, env) {
        outcome.log.push(error.to_string());
    }
    if place.config.scaffold
        && let Err(error) = scaffold(&place, env)
    {
        outcome.log.push(error.to_string());
    }
    place.complain(&mut outcome.log);
    if let Some(text) = waiting_checkpoint(&place, env, &mut outcome.log) {
        outcome.answer = Answer::Context {
            event: "UserPromptSubmit",
            text,
        };
    }
    outcome
}

fn append(place: &Place, common: &Common, prompt: &str, env: &Env) -> record::Result<()> {
    let body = redact::clean(&claude_hook::images_as_text(prompt), place.policy());
    let marker = common
        .session
        .as_ref()
        .map_or_else(Marker::default, |session| {
            Marker::new(session, common.prompt.as_ref(), None)
        });
    let mut conversations = place.record.conversations()?;
    let entry = NewEntry {
        role: Role::User,
        time: None,
        marker,
        body,
    };
    conversations.append(env.now(), &[entry])
}

fn scaffold(place: &Place, env: &Env) -> record::Result<()> {
    if !place.record.lacks_scaffold() {
        return Ok(());
    }
    let memory = Memory::of(place.record.root(), &place.start, env);
    place
        .record
        .scaffold(memory.language(&place.config, env), env.now().date_naive())
}

/// A checkpoint that became due at a stop where it could not be delivered.
fn waiting_checkpoint(place: &Place, env: &Env, log: &mut Vec<String>) -> Option<String> {
    let root = place.record.root();
    if !pending::noted(root, env) || place.config.deliver == Deliver::Off || !stop::attended(env) {
        return None;
    }
    pending::take(root, env);
    let memory = Memory::of(root, &place.start, env);
    match memory
        .counter()?
        .take_pending(env.now().with_timezone(&Utc))
    {
        Ok(true) => Some(memory.checkpoint_prompt(root, &place.config, env)),
        Ok(false) => None,
        Err(error) => {
            log.push(error.to_string());
            None
        }
    }
}
