//! Search over memory and conversations.
