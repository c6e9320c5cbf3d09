//! A project to write in.

use chrono::{DateTime, Local, NaiveDate, NaiveTime, TimeZone};
use claude_hook::{PromptId, Role, SessionId};
use mnemo_home::Env;
use record::Record;
use record::day::{self, Marker, NewEntry};
use record::root::Root;
use redact::Clean;
use std::path::Path;

const SESSION: &str = "1f0c2d3e-0000-4000-8000-000000000001";

pub(crate) fn project() -> (tempfile::TempDir, Record) {
    let dir = tempfile::tempdir().unwrap();
    let root = dir.path().join("shop-api");
    std::fs::create_dir_all(root.join(".git")).unwrap();
    let record = open(&root);
    (dir, record)
}

pub(crate) fn open(root: &Path) -> Record {
    Record::open(Root::find(root, &Env::from_pairs([])).unwrap()).unwrap()
}

pub(crate) fn noon() -> DateTime<Local> {
    Local.with_ymd_and_hms(2026, 11, 30, 12, 0, 0).unwrap()
}

pub(crate) fn date() -> NaiveDate {
    noon().date_naive()
}

pub(crate) fn at(hour: u32, minute: u32, second: u32) -> NaiveTime {
    NaiveTime::from_hms_opt(hour, minute, second).unwrap()
}

pub(crate) fn entry(role: Role, id: &str, body: &str) -> NewEntry {
    let session = SessionId::new(SESSION).unwrap();
    NewEntry {
        role,
        time: None,
        marker: Marker::new(&session, PromptId::new(id).as_ref(), None),
        body: Clean::fixed(body),
    }
}

pub(crate) fn read(record: &Record) -> String {
    std::fs::read_to_string(record.day_path(date()).unwrap()).unwrap()
}

pub(crate) fn append(record: &Record, entries: &[NewEntry]) {
    record
        .conversations()
        .unwrap()
        .append(noon(), entries)
        .unwrap();
}

pub(crate) fn bodies(record: &Record) -> Vec<String> {
    let bytes = std::fs::read(record.day_path(date()).unwrap()).unwrap();
    day::parse(&bytes)
        .into_iter()
        .map(|l| l.entry.body)
        .collect()
}
