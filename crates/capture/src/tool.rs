//! The tool log.

use crate::place::Place;
use claude_hook::{Event, Outcome};
use mnemo_home::Env;
use record::tools::Call;

pub(crate) fn log(event: &Event, env: &Env) -> Outcome {
    let mut outcome = Outcome::silent();
    let Event::Tool {
        common,
        tool,
        input,
        output,
        failed,
        ..
    } = event
    else {
        return outcome;
    };
    // A tool call belongs to the session's start directory, wherever a `cd` went.
    let Some(place) = Place::of(common, None, env, &mut outcome.log) else {
        return outcome;
    };
    if place
        .config
        .tools_skip
        .iter()
        .any(|skipped| skipped == tool)
    {
        return outcome;
    }
    // Their names come from outside too: a server's, a plugin's.
    let name = |text: &str| redact::clean(text, place.policy()).into_string();
    let tool = name(tool);
    let agent = common
        .agent_id
        .as_ref()
        .map(|_| name(common.agent_type.as_deref().unwrap_or_default()));
    let call = Call {
        tool: &tool,
        input,
        output: output.as_deref(),
        failed: *failed,
        agent: agent.as_deref(),
        session: common.session.as_ref().map_or("", |id| id.as_str()),
        policy: place.policy(),
    };
    if let Err(error) = place.record.log_tool(env.now(), &call) {
        outcome.log.push(error.to_string());
    }
    place.complain(&mut outcome.log);
    outcome
}
