//! What changes files: shown first, journalled, undone byte for byte.
