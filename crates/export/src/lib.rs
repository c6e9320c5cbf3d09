//! A record as one Markdown, JSON or HTML file.
