//! What Claude Code loads into a session when it starts.
