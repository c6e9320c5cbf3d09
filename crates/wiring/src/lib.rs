//! Puts mnemo's hooks into Claude Code's settings file and takes them out again.
