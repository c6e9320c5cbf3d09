//! What each hook does with its event.
