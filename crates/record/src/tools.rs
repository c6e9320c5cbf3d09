//! Tool log lines and observations. CONTRACTS section 4.

/// One finished tool call, as the hook saw it.
#[derive(Debug, Clone)]
pub struct Call<'a> {
    /// Name of the tool.
    pub tool: &'a str,
    /// Raw JSON of its input.
    pub input: &'a str,
    /// Raw JSON of its output.
    pub output: Option<&'a str>,
    /// The failure event, or interrupted.
    pub failed: bool,
    /// Type of the subagent that made the call.
    pub agent: Option<&'a str>,
    /// Session id.
    pub session: &'a str,
    /// What is taken out of details and observations.
    pub policy: redact::Policy,
}
