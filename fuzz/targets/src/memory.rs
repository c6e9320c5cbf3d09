//! Memory entries, their frontmatter, links and index.

use memory::store::StoreKind;
use memory::{Dates, Store, audit, edit, updated_index};

/// Any bytes are an entry and an index that can be audited; edits leave every other byte.
pub(crate) fn entry_and_index(bytes: &[u8]) {
    let store = Store::of_files(
        StoreKind::Auto,
        [("MEMORY.md", bytes), ("user_a.md", bytes), ("b.md", b"x")],
    );
    for entry in store.entries() {
        assert!(entry.text().get(entry.body_range()).is_some());
        for link in entry.links() {
            assert!(entry.text().get(link.range.clone()).is_some());
        }
    }
    let entry = store.entry(store.find("user_a").unwrap());
    assert_eq!(entry.bytes(), bytes);
    let now = chrono::DateTime::UNIX_EPOCH;
    let found = audit(&store, now, Dates::Frontmatter);
    drop(memory::report::json(
        &store,
        &found,
        mnemo_home::Language::De,
    ));
    if let Some(new) = updated_index(&store, now.date_naive()) {
        let again = Store::of_files(
            StoreKind::Auto,
            [
                ("MEMORY.md", new.as_bytes()),
                ("user_a.md", bytes),
                ("b.md", b"x"),
            ],
        );
        assert_eq!(updated_index(&again, now.date_naive()).unwrap(), new);
    }
    if let Ok(change) = edit::set_field(entry, "zz", "a: b") {
        let new = edit::apply(entry.text(), vec![change.clone()]).unwrap();
        assert!(new.starts_with(&entry.text()[..change.range.start]));
        assert!(new.ends_with(&entry.text()[change.range.end..]));
        let again = Store::of_files(StoreKind::Auto, [("e.md", new.as_bytes())]);
        assert_eq!(again.entries()[0].frontmatter().get("zz"), Some("a: b"));
    }
}
