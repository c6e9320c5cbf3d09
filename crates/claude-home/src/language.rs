//! The language mnemo speaks to this user.

use crate::Settings;
use mnemo_home::{Config, Env, Language};

/// The language by config, then the client's setting, then the locale; English when none says.
///
/// A client setting that names a language mnemo does not speak says nothing. Of the locale
/// variables the first that is set decides (`LC_ALL`, `LC_MESSAGES`, `LANG`), as everywhere else.
pub fn language(config: &Config, settings: &Settings, env: &Env) -> Language {
    choose(config.language, settings, env)
}

fn choose(configured: Option<Language>, settings: &Settings, env: &Env) -> Language {
    configured
        .or_else(|| settings.language.as_deref().and_then(by_name))
        .or_else(|| by_locale(env))
        .unwrap_or(Language::En)
}

fn by_locale(env: &Env) -> Option<Language> {
    ["LC_ALL", "LC_MESSAGES", "LANG"]
        .into_iter()
        .find_map(|name| env.get(name))
        .and_then(by_code)
}

/// What people write into the client's `language` setting: a code, or the language's name in
/// itself or in English.
fn by_name(text: &str) -> Option<Language> {
    let text = text.trim().to_lowercase();
    by_code(&text).or_else(|| {
        // "korean (formal)", "Deutsch bitte", "简体中文": a name anywhere in the text.
        NAMES
            .iter()
            .filter_map(|(name, language)| Some((text.find(name)?, *language)))
            .min_by_key(|(at, _)| *at)
            .map(|(_, language)| language)
    })
}

/// `ko`, `ko_KR.UTF-8`, `zh-Hant`, `kor`.
fn by_code(text: &str) -> Option<Language> {
    let code = text.split(['_', '-', '.', '@']).next()?;
    match code.to_ascii_lowercase().as_str() {
        "ko" | "kor" => Some(Language::Ko),
        "en" | "eng" => Some(Language::En),
        "de" | "deu" | "ger" => Some(Language::De),
        "zh" | "zho" | "chi" | "cmn" | "yue" => Some(Language::Zh),
        _ => None,
    }
}

const NAMES: &[(&str, Language)] = &[
    ("korean", Language::Ko),
    ("koreanisch", Language::Ko),
    ("한국어", Language::Ko),
    ("한국말", Language::Ko),
    ("조선말", Language::Ko),
    ("hangul", Language::Ko),
    ("한글", Language::Ko),
    ("韩语", Language::Ko),
    ("韓語", Language::Ko),
    ("韩文", Language::Ko),
    ("韓文", Language::Ko),
    ("韓国語", Language::Ko),
    ("english", Language::En),
    ("englisch", Language::En),
    ("영어", Language::En),
    ("英语", Language::En),
    ("英語", Language::En),
    ("英文", Language::En),
    ("german", Language::De),
    ("deutsch", Language::De),
    ("독일어", Language::De),
    ("德语", Language::De),
    ("德語", Language::De),
    ("德文", Language::De),
    ("chinese", Language::Zh),
    ("chinesisch", Language::Zh),
    ("mandarin", Language::Zh),
    ("cantonese", Language::Zh),
    ("중국어", Language::Zh),
    ("中文", Language::Zh),
    ("汉语", Language::Zh),
    ("漢語", Language::Zh),
    ("普通话", Language::Zh),
    ("普通話", Language::Zh),
    ("國語", Language::Zh),
    ("国语", Language::Zh),
    ("简体", Language::Zh),
    ("簡體", Language::Zh),
    ("繁体", Language::Zh),
    ("繁體", Language::Zh),
];

#[cfg(test)]
mod tests {
    use super::*;

    fn with(setting: Option<&str>, locale: &[(&str, &str)]) -> Language {
        let settings = Settings {
            language: setting.map(str::to_owned),
            ..Settings::default()
        };
        choose(None, &settings, &Env::from_pairs(locale.iter().copied()))
    }

    #[test]
    fn free_text_of_the_clients_setting_is_understood() {
        for (text, language) in [
            ("korean", Language::Ko),
            ("Korean", Language::Ko),
            (" 한국어 ", Language::Ko),
            ("ko-KR", Language::Ko),
            ("한국어로 답해 주세요", Language::Ko),
            ("Deutsch", Language::De),
            ("de", Language::De),
            ("German (Austria)", Language::De),
            ("chinese", Language::Zh),
            ("中文", Language::Zh),
            ("Traditional Chinese", Language::Zh),
            ("简体中文", Language::Zh),
            ("zh_TW", Language::Zh),
            ("english", Language::En),
            ("EN", Language::En),
            ("British English", Language::En),
        ] {
            let other = if language == Language::Ko {
                "de_DE"
            } else {
                "ko_KR"
            };
            assert_eq!(with(Some(text), &[("LANG", other)]), language, "{text}");
        }
    }

    #[test]
    fn a_language_mnemo_does_not_speak_leaves_it_to_the_locale() {
        assert_eq!(
            with(Some("japanese"), &[("LANG", "de_DE.UTF-8")]),
            Language::De
        );
        assert_eq!(
            with(Some("japanese"), &[("LANG", "ja_JP.UTF-8")]),
            Language::En
        );
        assert_eq!(with(Some(""), &[]), Language::En);
    }

    #[test]
    fn the_first_locale_variable_that_is_set_decides() {
        let all = [
            ("LC_ALL", "de_AT"),
            ("LC_MESSAGES", "ko_KR"),
            ("LANG", "zh_CN"),
        ];
        assert_eq!(with(None, &all), Language::De);
        assert_eq!(with(None, &all[1..]), Language::Ko);
        assert_eq!(with(None, &all[2..]), Language::Zh);
        assert_eq!(
            with(None, &[("LC_ALL", ""), ("LANG", "ko_KR")]),
            Language::Ko
        );
        assert_eq!(
            with(None, &[("LC_ALL", "C"), ("LANG", "ko_KR")]),
            Language::En
        );
        assert_eq!(with(None, &[("LANG", "POSIX")]), Language::En);
    }

    #[test]
    fn the_configuration_comes_first() {
        let settings = Settings {
            language: Some("korean".to_owned()),
            ..Settings::default()
        };
        assert_eq!(
            choose(
                Some(Language::De),
                &settings,
                &Env::from_pairs([("LANG", "zh")])
            ),
            Language::De
        );
    }
}
