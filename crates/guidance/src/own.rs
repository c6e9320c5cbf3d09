//! What mnemo itself put among a person's rules: its skills, and its blocks in a CLAUDE.md.
//!
//! These say how mnemo is used. They are nobody's rules of work, so nothing that a person wants
//! remembered is said by them already.

use crate::blocks::{self, Block};
use crate::skills::SKILLS;
use std::borrow::Cow;

/// Whether a SKILL.md is one of mnemo's, of this version or another: its folder has the name of one
/// and it speaks of the command.
pub fn is_skill(folder: &str, text: &str) -> bool {
    SKILLS.iter().any(|(name, _)| *name == folder) && text.contains("`mnemo ")
}

/// A text without the lines of mnemo's blocks; the others keep their numbers. Blocks whose marks do
/// not fit together stay.
pub fn without_blocks(text: &str) -> Cow<'_, str> {
    let mut out = Cow::Borrowed(text);
    for block in Block::ALL {
        if let Some(range) = blocks::place(&out, block) {
            let ends: String = out[range.clone()].chars().filter(|c| *c == '\n').collect();
            out.to_mut().replace_range(range, &ends);
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use mnemo_home::Language;

    #[test]
    fn all_skills_of_mnemo_are_known_and_no_others() {
        for (name, files) in SKILLS {
            let text = files
                .iter()
                .find(|(file, _)| *file == "SKILL.md")
                .map(|(_, text)| *text);
            assert!(is_skill(name, text.unwrap()), "{name}");
            assert!(!is_skill("pizza", text.unwrap()));
            assert!(!is_skill(name, "---\nname: x\n---\nOur own notes.\n"));
        }
    }

    #[test]
    fn the_lines_around_a_block_keep_their_numbers() {
        let (with, _) = blocks::put(
            "# Rules\n- one\n",
            Block::Standing,
            crate::rules::text(Block::Standing, Language::En),
        )
        .unwrap();
        let with = format!("{with}- two\n");
        let out = without_blocks(&with);
        let said: Vec<&str> = out.lines().filter(|line| !line.is_empty()).collect();
        assert_eq!(said, ["# Rules", "- one", "- two"]);
        assert_eq!(out.lines().count(), with.lines().count());
        assert_eq!(without_blocks("- one\n"), "- one\n");
    }
}
