//! Finds what rots in a memory, and mends what is mechanical.
