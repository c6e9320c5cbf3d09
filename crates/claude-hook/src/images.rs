//! Images in a prompt.

use std::borrow::Cow;

const OPEN: &str = "[Image #";

/// The client's placeholder `[Image #3]` for a pasted image, written as `[image]`: the number is
/// the client's own count, and a transcript has a block without one in that place.
pub fn images_as_text(prompt: &str) -> Cow<'_, str> {
    let Some(first) = prompt.find(OPEN) else {
        return Cow::Borrowed(prompt);
    };
    let mut out = prompt.get(..first).unwrap_or_default().to_owned();
    let mut rest = prompt.get(first..).unwrap_or_default();
    while let Some(found) = rest.find(OPEN) {
        let (plain, image) = rest.split_at(found);
        out.push_str(plain);
        let number = image.get(OPEN.len()..).unwrap_or_default();
        let after = number.trim_start_matches(|c: char| c.is_ascii_digit());
        match after.strip_prefix(']') {
            Some(after) if !number.starts_with(']') => {
                out.push_str("[image]");
                rest = after;
            }
            _ => {
                out.push_str(OPEN);
                rest = number;
            }
        }
    }
    out.push_str(rest);
    Cow::Owned(out)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn placeholders_lose_their_number() {
        for (prompt, text) in [
            ("", ""),
            ("no image", "no image"),
            ("[Image #1]", "[image]"),
            ("a [Image #1][Image #22] b", "a [image][image] b"),
            ("[Image #]", "[Image #]"),
            ("[Image #1", "[Image #1"),
            (
                "[Image #1x] [Image #[Image #2]",
                "[Image #1x] [Image #[image]",
            ),
            ("한글 [Image #3] 끝", "한글 [image] 끝"),
            ("[image #1] [Image 1]", "[image #1] [Image 1]"),
        ] {
            assert_eq!(images_as_text(prompt), text);
        }
    }
}
