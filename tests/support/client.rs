//! The real client.
