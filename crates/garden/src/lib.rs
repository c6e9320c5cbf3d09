//! Relations, verdicts and plans for a memory, proven and applied.
