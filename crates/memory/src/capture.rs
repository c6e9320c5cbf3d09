//! Adding, changing and removing entries.
