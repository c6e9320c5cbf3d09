//! Handoffs from one session to the next.
