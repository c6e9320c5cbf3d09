//! Tokens that are known by their first characters.

use super::Found;
use super::chars::{
    ALNUM, BASE64, Class, HEX, PATH, UPPER, WORD, before, plausible, plausible_capitals, run,
};

/// What the body of a token is made of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Body {
    /// Letters and digits.
    Alnum,
    /// The same, `_` and `-`.
    Word,
    /// The same and `.`, which does not end a token.
    WordDot,
    /// [`Body::Word`], with one stretch of at least 16 letters and digits, a digit among them.
    Dashed,
    /// Hexadecimal digits.
    Hex,
    /// Capitals and digits.
    Upper,
    /// Small letters and digits.
    Lower,
    /// Base64 of both alphabets.
    Base64,
    /// [`Body::Word`] and `/`.
    Path,
    /// [`Body::WordDot`] and `%`.
    Cookie,
    /// Letters, digits and `$`.
    Dollar,
}

/// Where a token may begin, and what of it goes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Where {
    /// Not behind a letter, a digit, `_` or `-`.
    Alone,
    /// Even in the middle of a word: the prefix is distinct enough.
    Anywhere,
    /// As [`Where::Anywhere`]; the prefix itself is no secret.
    KeepPrefix,
}

/// One kind of token.
struct Shape {
    prefix: &'static str,
    kind: &'static str,
    body: Body,
    /// Least characters of the body.
    min: usize,
    /// Most characters of the body; 0 = no limit.
    max: usize,
    place: Where,
}

const fn shape(
    prefix: &'static str,
    kind: &'static str,
    body: Body,
    min: usize,
    max: usize,
    place: Where,
) -> Shape {
    Shape {
        prefix,
        kind,
        body,
        min,
        max,
        place,
    }
}

use Body::{Alnum, Base64, Cookie, Dashed, Dollar, Hex, Lower, Path, Upper, Word, WordDot};
use Where::{Alone, Anywhere, KeepPrefix};

/// Sorted by first byte, longer prefixes first. The prefixes are those that the services document.
#[rustfmt::skip]
const SHAPES: &[Shape] = &[
    shape("1//0", "google-token", Word, 40, 0, Alone),
    shape("AGE-SECRET-KEY-PQ-1", "age-key", Alnum, 30, 0, Anywhere),
    shape("AGE-SECRET-KEY-1", "age-key", Alnum, 30, 0, Anywhere),
    shape("ATATT3", "atlassian-token", Base64, 60, 0, Alone),
    shape("ATCTT3", "atlassian-token", Base64, 60, 0, Alone),
    shape("AQ.Ab", "google-key", Word, 30, 0, Alone),
    shape("ABIA", "aws-access-key", Upper, 16, 16, Alone),
    shape("ACCA", "aws-access-key", Upper, 16, 16, Alone),
    shape("AIza", "google-key", Word, 35, 0, Alone),
    shape("AKCp", "artifactory-key", Alnum, 60, 0, Alone),
    shape("AKIA", "aws-access-key", Upper, 16, 16, Alone),
    shape("AKID", "tencent-key", Alnum, 32, 32, Alone),
    shape("ASIA", "aws-access-key", Upper, 16, 16, Alone),
    shape("ATBB", "atlassian-token", Alnum, 24, 40, Alone),
    shape("CCIPAT_", "circleci-token", Word, 40, 0, Alone),
    shape("CFPAT-", "contentful-token", Word, 40, 0, Alone),
    shape("EAAA", "square-token", Word, 50, 0, Alone),
    shape("EZAK", "easypost-key", Alnum, 54, 54, Alone),
    shape("EAA", "facebook-token", Alnum, 80, 0, Alone),
    shape("GR1348941", "gitlab-token", Word, 18, 0, Alone),
    shape("GOCSPX-", "google-secret", Word, 20, 0, Alone),
    shape("HRKU-", "heroku-key", Word, 30, 0, Alone),
    shape("LTAI", "alibaba-key", Alnum, 16, 24, Alone),
    shape("NRAK-", "newrelic-key", Alnum, 20, 0, Alone),
    shape("PMAK-", "postman-key", Word, 40, 0, Alone),
    shape("SG.", "sendgrid-key", WordDot, 40, 0, Alone),
    shape("SK", "twilio-key", Hex, 32, 32, Alone),
    shape("access_token$production$", "paypal-token", Dollar, 40, 0, Alone),
    shape("access_token$sandbox$", "paypal-token", Dollar, 40, 0, Alone),
    shape("api_org_", "huggingface-token", Alnum, 30, 0, Alone),
    shape("aio_", "adafruit-key", Alnum, 28, 28, Alone),
    shape("bkua_", "buildkite-token", Alnum, 30, 0, Alone),
    shape("cfat_", "cloudflare-token", Word, 30, 0, Alone),
    shape("cfut_", "cloudflare-token", Word, 30, 0, Alone),
    shape("cfk_", "cloudflare-token", Word, 30, 0, Alone),
    shape("cio", "crates-token", Alnum, 32, 32, Alone),
    shape("discordapp.com/api/webhooks/", "discord-webhook", Path, 30, 0, KeepPrefix),
    shape("discord.com/api/webhooks/", "discord-webhook", Path, 30, 0, KeepPrefix),
    shape("dckr_oat_", "docker-token", Word, 20, 0, Anywhere),
    shape("dckr_pat_", "docker-token", Word, 20, 0, Anywhere),
    shape("dp.audit.", "doppler-token", Alnum, 30, 0, Alone),
    shape("dp.scim.", "doppler-token", Alnum, 30, 0, Alone),
    shape("doo_v1_", "digitalocean-token", Hex, 40, 0, Anywhere),
    shape("dop_v1_", "digitalocean-token", Hex, 40, 0, Anywhere),
    shape("dor_v1_", "digitalocean-token", Hex, 40, 0, Anywhere),
    shape("dt0c01.", "dynatrace-token", WordDot, 60, 0, Alone),
    shape("dt0s01.", "dynatrace-token", WordDot, 60, 0, Alone),
    shape("dp.ct.", "doppler-token", Alnum, 30, 0, Alone),
    shape("dp.pt.", "doppler-token", Alnum, 30, 0, Alone),
    shape("dp.sa.", "doppler-token", Alnum, 30, 0, Alone),
    shape("dp.st.", "doppler-token", WordDot, 30, 0, Alone),
    shape("dapi", "databricks-token", Dashed, 32, 40, Alone),
    shape("figd_", "figma-token", Word, 30, 0, Alone),
    shape("fm2_", "fly-token", Base64, 50, 0, Alone),
    shape("fo1_", "fly-token", Word, 40, 0, Alone),
    shape("github_pat_", "github-token", Word, 30, 0, Anywhere),
    shape("glagent-", "gitlab-token", WordDot, 18, 0, Anywhere),
    shape("glc_eyJ", "grafana-token", Base64, 30, 0, Alone),
    shape("glsoat-", "gitlab-token", WordDot, 18, 0, Anywhere),
    shape("glcbt-", "gitlab-token", WordDot, 18, 0, Anywhere),
    shape("glimt-", "gitlab-token", WordDot, 18, 0, Anywhere),
    shape("gloas-", "gitlab-token", WordDot, 18, 0, Anywhere),
    shape("glpat-", "gitlab-token", WordDot, 18, 0, Anywhere),
    shape("glptt-", "gitlab-token", WordDot, 18, 0, Anywhere),
    shape("glrtr-", "gitlab-token", WordDot, 18, 0, Anywhere),
    shape("gldt-", "gitlab-token", WordDot, 18, 0, Anywhere),
    shape("glft-", "gitlab-token", WordDot, 18, 0, Anywhere),
    shape("glrt-", "gitlab-token", WordDot, 18, 0, Anywhere),
    shape("glsa_", "grafana-token", Word, 30, 0, Alone),
    shape("gho_", "github-token", Alnum, 30, 0, Anywhere),
    shape("ghp_", "github-token", Alnum, 30, 0, Anywhere),
    shape("ghr_", "github-token", Alnum, 30, 0, Anywhere),
    shape("ghs_", "github-token", WordDot, 30, 0, Anywhere),
    shape("ghu_", "github-token", Alnum, 30, 0, Anywhere),
    shape("gsk_", "groq-key", Alnum, 30, 0, Alone),
    shape("hooks.slack.com/workflows/", "slack-webhook", Path, 20, 0, KeepPrefix),
    shape("hooks.slack.com/services/", "slack-webhook", Path, 20, 0, KeepPrefix),
    shape("hooks.slack.com/triggers/", "slack-webhook", Path, 20, 0, KeepPrefix),
    shape("hvb.", "vault-token", Word, 20, 0, Alone),
    shape("hvr.", "vault-token", Word, 20, 0, Alone),
    shape("hvs.", "vault-token", Word, 20, 0, Alone),
    shape("hf_", "huggingface-token", Alnum, 30, 0, Alone),
    shape("key-", "mailgun-key", Hex, 32, 32, Alone),
    shape("lin_oauth_", "linear-key", Alnum, 30, 0, Anywhere),
    shape("lin_api_", "linear-key", Alnum, 30, 0, Anywhere),
    shape("lsv2_", "langsmith-key", Word, 30, 0, Alone),
    shape("nvapi-", "nvidia-key", Word, 40, 0, Alone),
    shape("nfp_", "netlify-token", Alnum, 30, 0, Alone),
    shape("npm_", "npm-token", Alnum, 30, 0, Alone),
    shape("ntn_", "notion-token", Alnum, 40, 0, Alone),
    shape("ops_eyJ", "onepassword-token", Base64, 60, 0, Alone),
    shape("oy2", "nuget-key", Lower, 43, 43, Alone),
    shape("pscale_oauth_", "planetscale-token", Word, 30, 0, Alone),
    shape("pscale_tkn_", "planetscale-token", Word, 30, 0, Alone),
    shape("pscale_pw_", "planetscale-token", Word, 30, 0, Alone),
    shape("pat-eu1-", "hubspot-token", Dashed, 30, 0, Alone),
    shape("pat-na1-", "hubspot-token", Dashed, 30, 0, Alone),
    shape("pypi-AgE", "pypi-token", Word, 30, 0, Anywhere),
    shape("pplx-", "perplexity-key", Alnum, 32, 0, Alone),
    shape("phx_", "posthog-key", Alnum, 40, 0, Alone),
    shape("pul-", "pulumi-token", Hex, 40, 40, Alone),
    shape("rubygems_", "rubygems-token", Hex, 40, 0, Anywhere),
    shape("rk_live_", "stripe-key", Alnum, 10, 0, Alone),
    shape("rk_test_", "stripe-key", Alnum, 10, 0, Alone),
    shape("rnd_", "render-key", Alnum, 20, 0, Alone),
    shape("r8_", "replicate-token", Alnum, 30, 0, Alone),
    shape("shippo_live_", "shippo-token", Hex, 30, 0, Alone),
    shape("sk-svcacct-", "openai-key", Word, 20, 0, Alone),
    shape("sb_secret_", "supabase-token", Word, 20, 0, Alone),
    shape("sk-admin-", "openai-key", Word, 20, 0, Alone),
    shape("sk-proj-", "openai-key", Word, 20, 0, Alone),
    shape("sk_live_", "stripe-key", Alnum, 10, 0, Alone),
    shape("sk_test_", "stripe-key", Alnum, 10, 0, Alone),
    shape("secret_", "notion-token", Alnum, 40, 50, Alone),
    shape("shptka_", "shopify-token", Hex, 30, 0, Anywhere),
    shape("sk-ant-", "anthropic-key", Word, 20, 0, Alone),
    shape("sntrys_", "sentry-token", Base64, 40, 0, Alone),
    shape("sntryu_", "sentry-token", Alnum, 40, 0, Alone),
    shape("sq0atp-", "square-token", Word, 20, 0, Alone),
    shape("sq0csp-", "square-token", Word, 20, 0, Alone),
    shape("shpat_", "shopify-token", Hex, 30, 0, Anywhere),
    shape("shpca_", "shopify-token", Hex, 30, 0, Anywhere),
    shape("shppa_", "shopify-token", Hex, 30, 0, Anywhere),
    shape("shpss_", "shopify-token", Hex, 30, 0, Anywhere),
    shape("sk-or-", "openrouter-key", Word, 20, 0, Alone),
    shape("sk.eyJ", "mapbox-token", WordDot, 40, 0, Alone),
    shape("sbp_", "supabase-token", Word, 40, 0, Alone),
    shape("sqa_", "sonar-token", Hex, 40, 0, Alone),
    shape("sqp_", "sonar-token", Hex, 40, 0, Alone),
    shape("squ_", "sonar-token", Hex, 40, 0, Alone),
    shape("sk-", "api-key", Dashed, 20, 0, Alone),
    shape("sk_", "api-key", Hex, 40, 64, Alone),
    shape("tgp_v1_", "together-key", Word, 30, 0, Alone),
    shape("tskey-", "tailscale-key", Word, 20, 0, Alone),
    shape("tvly-", "tavily-key", Word, 20, 0, Alone),
    shape("tfp_", "typeform-token", WordDot, 40, 0, Alone),
    shape("v1.0-", "cloudflare-token", Dashed, 100, 0, Alone),
    shape("vca_", "vercel-token", Alnum, 20, 0, Alone),
    shape("vci_", "vercel-token", Alnum, 20, 0, Alone),
    shape("vck_", "vercel-token", Alnum, 20, 0, Alone),
    shape("vcp_", "vercel-token", Alnum, 20, 0, Alone),
    shape("vcr_", "vercel-token", Alnum, 20, 0, Alone),
    shape("whsec_", "webhook-secret", Base64, 20, 0, Alone),
    shape("xkeysib-", "brevo-key", Word, 40, 0, Alone),
    shape("xapp-", "slack-token", Word, 10, 0, Anywhere),
    shape("xoxa-", "slack-token", Cookie, 10, 0, Anywhere),
    shape("xoxb-", "slack-token", Cookie, 10, 0, Anywhere),
    shape("xoxc-", "slack-token", Cookie, 10, 0, Anywhere),
    shape("xoxd-", "slack-token", Cookie, 10, 0, Anywhere),
    shape("xoxe-", "slack-token", Cookie, 10, 0, Anywhere),
    shape("xoxo-", "slack-token", Cookie, 10, 0, Anywhere),
    shape("xoxp-", "slack-token", Cookie, 10, 0, Anywhere),
    shape("xoxr-", "slack-token", Cookie, 10, 0, Anywhere),
    shape("xoxs-", "slack-token", Cookie, 10, 0, Anywhere),
    shape("xai-", "xai-key", Alnum, 40, 0, Alone),
    shape("ya29.", "google-token", WordDot, 20, 0, Alone),
];

/// For each first byte the range of [`SHAPES`] that begin with it.
#[allow(clippy::cast_possible_truncation, reason = "asserted below")]
const BY_FIRST: [(u8, u8); 128] = {
    let mut table = [(0_u8, 0_u8); 128];
    let mut i = 0;
    while i < SHAPES.len() {
        let first = SHAPES[i].prefix.as_bytes()[0] as usize;
        assert!(i < 255, "the table's index is one byte");
        if table[first].1 == 0 {
            table[first].0 = i as u8;
        } else {
            assert!(table[first].1 as usize == i, "the table is not sorted");
        }
        table[first].1 = i as u8 + 1;
        i += 1;
    }
    table
};

/// How many prefixes there are.
pub(super) const COUNT: usize = SHAPES.len();

/// The prefix of one shape, for the table of anchors.
pub(super) const fn prefix(index: usize) -> &'static [u8] {
    SHAPES[index].prefix.as_bytes()
}

/// The token that begins at `at`; nothing before `floor` is looked at.
pub(super) fn at(bytes: &[u8], at: usize, floor: usize) -> Option<Found> {
    let rest = bytes.get(at..)?;
    let (from, to) = *BY_FIRST.get(usize::from(*rest.first()?))?;
    let shapes = SHAPES.get(usize::from(from)..usize::from(to))?;
    shapes.iter().find_map(|shape| {
        if !rest.starts_with(shape.prefix.as_bytes()) {
            return None;
        }
        if shape.place == Alone && !before(bytes, at, floor) {
            return None;
        }
        let start = at + shape.prefix.len();
        let end = body(bytes, start, shape)?;
        Some(Found {
            start: if shape.place == KeepPrefix { start } else { at },
            end,
            kind: shape.kind,
        })
    })
}

/// The end of the body that begins at `start`, if it is one.
fn body(bytes: &[u8], start: usize, shape: &Shape) -> Option<usize> {
    let class: Class = match shape.body {
        Alnum | Upper | Lower | Hex => ALNUM,
        Word | Dashed => WORD,
        WordDot => WORD | super::chars::DOT,
        Base64 => WORD | BASE64,
        Path => WORD | PATH,
        Cookie => WORD | super::chars::DOT | super::chars::PERCENT,
        Dollar => ALNUM | super::chars::DOLLAR,
    };
    // The first characters decide, so that a long run of something else is looked at only once.
    let limit = shape.min.max(shape.max).max(64) + 1;
    let mut end = run(bytes, start, class, limit);
    let trimmed = |end: usize| {
        let kept = bytes.get(start..end).unwrap_or_default();
        start + kept.iter().rposition(|b| *b != b'.').map_or(0, |i| i + 1)
    };
    let head_end = trimmed(end);
    let head = bytes.get(start..head_end)?;
    if head.len() < shape.min || (shape.max > 0 && head.len() > shape.max) {
        return None;
    }
    if !(plausible(head) || shape.body == Upper && plausible_capitals(head)) {
        return None;
    }
    let fits = match shape.body {
        Upper => head.iter().all(|b| super::chars::is(*b, UPPER)),
        Lower => !head.iter().any(u8::is_ascii_uppercase),
        // A hexadecimal body may be followed by anything that is no letter or digit.
        Hex => head.iter().all(|b| super::chars::is(*b, HEX)),
        Dashed => has_long_stretch(head),
        _ => true,
    };
    if !fits {
        return None;
    }
    if end - start == limit {
        end = run(bytes, end, class, usize::MAX);
        return Some(trimmed(end));
    }
    Some(head_end)
}

/// 16 letters and digits in a row with a digit among them.
fn has_long_stretch(body: &[u8]) -> bool {
    body.split(|b| !super::chars::is(*b, ALNUM))
        .any(|part| part.len() >= 16 && part.iter().any(u8::is_ascii_digit))
}
