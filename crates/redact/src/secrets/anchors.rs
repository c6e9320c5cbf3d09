//! The prefilter: finds the few places of a text where something secret could begin.
//!
//! Every known prefix and every name begins with four bytes from a fixed set. Sets of 65,536 bits,
//! made at compile time, tell in a few instructions a byte whether a place is worth a look.

use super::{commands, shapes};

/// Places besides the prefixes of [`shapes`]: parts of names, and blocks.
const OTHERS: &[&str] = &[
    // names
    "pass", "secr", "toke", "auth", "cred", "kenn", "_key", "-key", " key", ".key", "ikey", "ekey",
    "skey", "tkey", "rkey", "nkey", "gkey", "dkey", "비밀", "암호", "패스", "토큰", "密码", "密碼",
    "口令", "令牌", "密钥", "비번", "인증", "키", "秘钥", "私钥", "gehe", // others
    "bear", "sig=", "-beg", "- be", "priv", "eyj", "://", ":aa", "[red", ";bas", "--us", "-u ",
    "pwd", "pw=", "pw:", "pw ", // commands with a short name
    "7z a", "7z x", "7z e", "7z t", "7z l", "7z u", "7z -", "7za ", "7zr ", "7zz ", "gh s", "aws ",
    "bcp ", "gpg ", "net ", "rar ", "zip ", // documents and headers
    "cook", "ata:", "iden", "ure=", ":thi", ":543", ":*:*", "-sec", "psk=", "psk:", "pdo(", "tcon",
];

/// Three-byte anchors are filled up with each of these.
const FILL: &[u8] =
    b"abcdefghijklmnopqrstuvwxyz0123456789_-+/=.:,;!\"'`*&$%@~?([{<>|\\# ]^\t\n\r}\xEA\xEB\xEC\xED\xE3\xE4\xE5\xE6\xE7\xE8\xE9\xEF\xC3";

const WORDS: usize = 1024;

/// Two sets with different hashes: what falls together in one hardly does in the other.
struct Sets {
    first: [u64; WORDS],
    second: [u64; WORDS],
}

/// Folds the case of ASCII letters; what else falls together does no harm.
const fn fold(window: [u8; 4]) -> u32 {
    u32::from_le_bytes(window) | 0x2020_2020
}

const fn first_slot(folded: u32) -> usize {
    (folded.wrapping_mul(0x9E37_79B1) >> 16) as usize
}

const fn second_slot(folded: u32) -> usize {
    (folded.wrapping_mul(0x85EB_CA6B) >> 16) as usize
}

fn holds(set: &[u64; WORDS], slot: usize) -> bool {
    set.get(slot / 64)
        .is_some_and(|word| word >> (slot % 64) & 1 == 1)
}

const fn put(mut sets: Sets, window: [u8; 4]) -> Sets {
    let folded = fold(window);
    let slot = first_slot(folded);
    sets.first[slot / 64] |= 1 << (slot % 64);
    let slot = second_slot(folded);
    sets.second[slot / 64] |= 1 << (slot % 64);
    sets
}

const fn put_all(mut set: Sets, anchor: &[u8]) -> Sets {
    if anchor.len() >= 4 {
        return put(set, [anchor[0], anchor[1], anchor[2], anchor[3]]);
    }
    let mut i = 0;
    while i < FILL.len() {
        if anchor.len() == 3 {
            set = put(set, [anchor[0], anchor[1], anchor[2], FILL[i]]);
        } else {
            // Two bytes and two hexadecimal digits.
            let mut j = 0;
            while FILL[i].is_ascii_hexdigit() && j < FILL.len() {
                if FILL[j].is_ascii_hexdigit() {
                    set = put(set, [anchor[0], anchor[1], FILL[i], FILL[j]]);
                }
                j += 1;
            }
        }
        i += 1;
    }
    set
}

/// First characters of a Discord bot token: the base64 of a decimal number.
pub(super) const DISCORD: [&[u8]; 4] = [b"MNO", b"DTjz", b"AEIMQUYcgk", b"wxyz012345"];

static SETS: Sets = {
    let mut set = Sets {
        first: [0; WORDS],
        second: [0; WORDS],
    };
    let mut i = 0;
    while i < shapes::COUNT {
        set = put_all(set, shapes::prefix(i));
        i += 1;
    }
    let mut i = 0;
    while i < OTHERS.len() {
        set = put_all(set, OTHERS[i].as_bytes());
        i += 1;
    }
    i = 0;
    while i < commands::COUNT {
        if commands::anchor(i).len() >= 4 {
            set = put_all(set, commands::anchor(i));
        }
        i += 1;
    }
    let mut n = 0;
    while n < 3 * 4 * 10 * 10 {
        set = put(
            set,
            [
                DISCORD[0][n % 3],
                DISCORD[1][n / 3 % 4],
                DISCORD[2][n / 12 % 10],
                DISCORD[3][n / 120],
            ],
        );
        n += 1;
    }
    set
};

/// The next place at or behind `from` where something secret could begin.
pub(super) fn next(bytes: &[u8], from: usize) -> Option<usize> {
    bytes
        .get(from..)?
        .windows(4)
        .position(|window| match window {
            [a, b, c, d] => {
                let folded = fold([*a, *b, *c, *d]);
                holds(&SETS.first, first_slot(folded)) && holds(&SETS.second, second_slot(folded))
            }
            _ => false,
        })
        .map(|i| from + i)
}
