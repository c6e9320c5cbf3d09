//! Whole runs over transcripts and day files in a temporary home.
#![allow(clippy::disallowed_methods, reason = "tests make files and wait")]

mod world;

use chrono::{Days, NaiveDate, TimeDelta};
use claude_hook::Role::{Assistant, User};
use claude_hook::{Common, Event, SessionId};
use reconcile::{Summary, Window};
use std::fs;
use std::time::{Duration, SystemTime};
use world::{FORK, ONE, TWO, World};

#[test]
fn everything_missed_is_written_once() {
    let world = World::new();
    let mut talk = world.talk(ONE);
    talk.prompt("p1", "first")
        .answer("p1", "one")
        .prompt("p2", "second")
        .answer("p2", "two");
    world.save(&talk);
    let summary = world.repair(|_| {});
    assert_eq!(
        (summary.user_turns, summary.assistant_turns, summary.written),
        (2, 2, 4)
    );
    assert_eq!(summary.dates, [world.today().to_string()]);
    assert_eq!(world.bodies(), ["first", "one", "second", "two"]);
    let before = world.day_file();
    let again = world.repair(|_| {});
    assert_eq!((again.present, again.written, again.completed), (4, 0, 0));
    assert_eq!(world.day_file(), before);
    // The index is a cache.
    fs::remove_file(world.conversations().join(".mnemo-index.json")).unwrap();
    world.repair(|job| job.from_start = false);
    fs::write(
        world.conversations().join(".mnemo-index.json"),
        "{\"version\":2,\"tr",
    )
    .unwrap();
    world.repair(|job| job.from_start = false);
    assert_eq!(world.day_file(), before);
}

#[test]
fn nothing_to_do_makes_nothing() {
    let world = World::new();
    assert_eq!(world.repair(|_| {}), Summary::default());
    assert!(!world.conversations().exists());
    let mut talk = world.talk(ONE);
    talk.prompt("p1", "first").answer("p1", "one");
    world.save(&talk);
    let dry = world.repair(|job| job.dry_run = true);
    assert_eq!(dry.written, 2);
    assert_eq!(dry.planned.len(), 2);
    assert!(dry.planned[0].ends_with(" User first"), "{:?}", dry.planned);
    assert!(!world.conversations().exists());
    let none = world.repair(|job| job.window = Window::Days(0));
    assert_eq!(none.written, 0);
    assert!(!world.conversations().exists());
}

#[test]
fn a_dry_run_changes_nothing() {
    let world = World::new();
    world.write_day("---\ndate: x\n---\n\n# x\n\n## [10:00] User\n\nold\n");
    let before = world.listing();
    let mut talk = world.talk(ONE);
    talk.prompt("p1", "first").answer("p1", "one");
    world.save(&talk);
    assert_eq!(world.repair(|job| job.dry_run = true).written, 2);
    assert_eq!(world.listing(), before);
}

#[test]
fn hooks_entries_are_found_again_and_completed() {
    let world = World::new();
    let mut talk = world.talk(ONE);
    talk.prompt("p1", "first")
        .say("p1", "before the tool")
        .tool("p1")
        .answer("p1", "after it");
    world.save(&talk);
    world.hook(User, ONE, Some("p1"), "first", talk.began());
    world.hook(Assistant, ONE, Some("p1"), "after it", talk.now());
    let summary = world.repair(|job| job.from_start = false);
    assert_eq!(
        (summary.present, summary.written, summary.completed),
        (1, 0, 1)
    );
    assert_eq!(world.bodies(), ["first", "before the tool\n\nafter it"]);
    let summary = world.repair(|_| {});
    assert_eq!(
        (summary.present, summary.written, summary.completed),
        (2, 0, 0)
    );
}

#[test]
fn reading_goes_on_where_it_stopped() {
    let world = World::new();
    let mut talk = world.talk(ONE);
    talk.prompt("", "continue").answer("", "ok");
    world.save(&talk);
    world.repair(|job| job.from_start = false);
    let idle = world.repair(|job| job.from_start = false);
    assert_eq!((idle.read, idle.present), (0, 0));
    talk.wait(120);
    talk.prompt("", "continue").answer("", "ok");
    world.save(&talk);
    let summary = world.repair(|job| job.from_start = false);
    assert_eq!(summary.written, 2);
    assert_eq!(world.bodies(), ["continue", "ok", "continue", "ok"]);
    // Rewritten, as newer clients may do at a compaction: shorter, in a new file.
    let mut short = world.talk(ONE);
    short.wait(300);
    short.other_uuids();
    short.prompt("", "after");
    short.answer("", "all");
    fs::remove_file(world.transcript(ONE)).unwrap();
    world.save(&short);
    assert_eq!(world.repair(|job| job.from_start = false).written, 2);
}

#[test]
fn a_running_turn_is_left_alone() {
    let world = World::new();
    let mut talk = world.talk(ONE);
    talk.prompt("p1", "first").answer("p1", "one");
    talk.prompt("p2", "second")
        .say("p2", "let me see")
        .tool("p2");
    world.save(&talk);
    let summary = world.repair(|_| {});
    assert_eq!((summary.written, summary.running), (2, 1));
    // The same start or resume event, or the person, says that it is over.
    let own = SessionId::new(ONE);
    let dry = world.repair(|job| {
        job.own_session = own;
        job.dry_run = true;
    });
    assert_eq!((dry.written, dry.running), (2, 0));
    let dry = world.repair(|job| {
        job.finished = true;
        job.dry_run = true;
    });
    assert_eq!((dry.written, dry.running), (2, 0));
    // So does time, though the transcript itself has not changed.
    world.age(ONE, Duration::from_secs(700));
    let summary = world.repair(|job| job.from_start = false);
    assert_eq!((summary.written, summary.running), (2, 0));
    assert_eq!(world.bodies(), ["first", "one", "second", "let me see"]);
    // And when it goes on after all, its entry grows.
    talk.answer("p2", "there it is");
    world.save(&talk);
    let summary = world.repair(|job| job.from_start = false);
    assert_eq!((summary.written, summary.completed), (0, 1));
    assert_eq!(world.bodies()[3], "let me see\n\nthere it is");
}

#[test]
fn a_fork_adds_only_what_is_its_own() {
    for incremental in [true, false] {
        let world = World::new();
        let mut talk = world.talk(ONE);
        talk.prompt("p1", "first").answer("p1", "one");
        world.save(&talk);
        world.hook(User, ONE, Some("p1"), "first", talk.began());
        world.hook(Assistant, ONE, Some("p1"), "one", talk.now());
        if incremental {
            world.repair(|job| job.from_start = false);
        }
        let mut fork = talk.fork(FORK, "p9");
        fork.wait(60);
        fork.prompt("p9", "first").answer("p9", "other");
        world.save(&fork);
        talk.wait(90);
        talk.prompt("p2", "further").answer("p2", "yes");
        world.save(&talk);
        let summary = world.repair(|job| job.from_start = !incremental);
        assert_eq!(summary.written, 4, "{summary:?}");
        assert_eq!(
            world.bodies(),
            ["first", "one", "first", "other", "further", "yes"]
        );
        assert_eq!(world.repair(|_| {}).written, 0);
    }
}

#[test]
fn a_resumed_session_that_repeats_turns_adds_nothing() {
    let world = World::new();
    let mut talk = world.talk(ONE);
    talk.prompt("", "first").answer("", "one");
    world.save(&talk);
    let mut copy = talk.repeated(TWO);
    copy.wait(60);
    copy.prompt("", "more").answer("", "two");
    world.save(&copy);
    assert_eq!(world.repair(|_| {}).written, 4);
    assert_eq!(world.bodies(), ["first", "one", "more", "two"]);
}

#[test]
fn what_was_said_around_midnight_goes_to_its_own_day() {
    let world = World::at_midnight();
    let mut talk = world.talk(ONE);
    talk.prompt("p1", "before");
    talk.wait(20);
    talk.answer("p1", "after");
    world.save(&talk);
    let summary = world.repair(|_| {});
    assert_eq!(summary.dates.len(), 2, "{summary:?}");
    assert_eq!(world.bodies(), ["before", "after"]);
    assert_eq!(world.repair(|_| {}).written, 0);
    let dates: Vec<NaiveDate> = summary.dates.iter().map(|d| d.parse().unwrap()).collect();
    let one = world.repair(|job| job.window = Window::Date(dates[0]));
    assert_eq!((one.user_turns, one.assistant_turns), (1, 0));
}

#[test]
fn the_window_and_the_installation_limit_what_is_written() {
    let world = World::new();
    let mut talk = world.talk(ONE);
    talk.wait(-3 * 86_400);
    talk.prompt("p1", "three days ago").answer("p1", "one");
    talk.wait(3 * 86_400);
    talk.prompt("p2", "today").answer("p2", "two");
    world.save(&talk);
    let middle = talk.now() - TimeDelta::days(1);
    let dry = |window, not_before| {
        let summary = world.repair(|job| {
            job.dry_run = true;
            job.window = window;
            job.not_before = not_before;
        });
        summary.written
    };
    assert_eq!(dry(Window::Days(1), None), 2);
    assert_eq!(dry(Window::Days(4), None), 4);
    assert_eq!(dry(Window::All, Some(middle)), 2);
    assert_eq!(dry(Window::All, None), 4);
    let day = world.today().checked_sub_days(Days::new(3)).unwrap();
    assert_eq!(dry(Window::Date(day), None), 2);
}

#[test]
fn a_session_that_was_off_leaves_out_what_was_said_until_then() {
    let world = World::new();
    let mut talk = world.talk(ONE);
    talk.prompt("p1", "not for the record").answer("p1", "one");
    let off = talk.now();
    talk.wait(60);
    talk.prompt("p2", "for the record").answer("p2", "two");
    world.save(&talk);
    mnemo_home::notes::mark_off(&world.env(), ONE, off).unwrap();
    let mut fork = talk.fork(FORK, "p9");
    fork.wait(60);
    fork.prompt("p9", "mine").answer("p9", "own");
    world.save(&fork);
    world.repair(|_| {});
    assert_eq!(world.bodies(), ["for the record", "two", "mine", "own"]);
}

#[test]
fn projects_that_share_a_slug_stay_apart() {
    let world = World::in_project("가나");
    let other = world.project_beside("다라");
    let mut mine = world.talk(ONE);
    mine.prompt("p1", "mine").answer("p1", "one");
    world.save(&mine);
    let mut theirs = world.talk(TWO);
    theirs.cwd(&other);
    theirs.prompt("p1", "theirs").answer("p1", "two");
    world.save(&theirs);
    world.repair(|_| {});
    assert_eq!(world.bodies(), ["mine", "one"]);
    assert!(!other.join("conversations").exists());
}

#[test]
fn a_turn_asked_in_another_project_belongs_there() {
    let world = World::new();
    let other = world.project_beside("other");
    let mut talk = world.talk(ONE);
    talk.prompt("p1", "here").answer("p1", "one");
    talk.cwd(&other);
    talk.prompt("p2", "there").answer("p2", "two");
    world.save(&talk);
    world.repair(|_| {});
    assert_eq!(world.bodies(), ["here", "one"]);
}

#[test]
fn a_moved_project_brings_its_talks_along() {
    let world = World::new();
    let former = world.home().join("work/former");
    let mut talk = world.talk(ONE);
    talk.cwd(&former.join("sub"));
    talk.prompt("p1", "long ago").answer("p1", "one");
    world.save_under(&talk, &former.join("sub"));
    assert_eq!(world.repair(|_| {}).written, 0);
    let summary = world.repair(|job| job.moved_from = Some(former.clone()));
    assert_eq!(summary.written, 2);
    assert_eq!(world.bodies(), ["long ago", "one"]);
}

#[test]
fn a_worktree_that_was_thrown_away_still_belongs() {
    let world = World::new();
    let inside = world.root().join(".claude/worktrees/x");
    let mut talk = world.talk(ONE);
    talk.cwd(&inside);
    talk.prompt("p1", "inside").answer("p1", "one");
    world.save_under(&talk, &inside);
    let outside = world.home().join("trees/y");
    let list = world.root().join(".git/worktrees/y");
    fs::create_dir_all(&list).unwrap();
    fs::write(list.join("gitdir"), format!("{}/.git\n", outside.display())).unwrap();
    let mut talk = world.talk(TWO);
    talk.wait(60);
    talk.cwd(&outside);
    talk.prompt("p1", "outside").answer("p1", "two");
    world.save_under(&talk, &outside);
    world.repair(|_| {});
    assert_eq!(world.bodies(), ["inside", "one", "outside", "two"]);
}

#[test]
fn damaged_lines_are_counted_and_cost_nothing_else() {
    let world = World::new();
    let mut talk = world.talk(ONE);
    talk.prompt("p1", "first");
    talk.raw("{\"type\":\"user\",\"message\":{\"content\":");
    talk.raw("\0\0\0\0");
    talk.answer("p1", "one");
    talk.prompt("p2", "second").answer("p2", "two");
    world.save(&talk);
    let summary = world.repair(|_| {});
    assert_eq!(summary.unreadable, 2, "{summary:?}");
    assert!(summary.unreadable_lines[0].contains(ONE));
    assert_eq!(world.bodies(), ["first", "one", "second", "two"]);
}

#[test]
fn a_queued_prompt_without_a_record_is_written_once() {
    let world = World::new();
    let mut talk = world.talk(ONE);
    talk.version("2.1.59");
    talk.prompt("", "start").tool("");
    talk.queued_only("and this too");
    talk.answer("", "both done");
    world.save(&talk);
    world.hook(User, ONE, None, "start", talk.began());
    world.hook(Assistant, ONE, None, "both done", talk.now());
    let summary = world.repair(|_| {});
    assert_eq!(summary.written, 1, "{summary:?}");
    assert_eq!(world.bodies(), ["start", "and this too", "both done"]);
    assert_eq!(world.repair(|_| {}).written, 0);
}

#[test]
fn a_second_repair_returns_at_once() {
    let world = World::new();
    let mut talk = world.talk(ONE);
    talk.prompt("p1", "first").answer("p1", "one");
    world.save(&talk);
    fs::create_dir(world.conversations()).unwrap();
    let lock = safe_file::Lock::try_acquire(&world.conversations().join(".mnemo-repair.lock"))
        .unwrap()
        .unwrap();
    let summary = world.repair(|_| {});
    assert!(summary.busy && summary.written == 0);
    drop(lock);
    assert_eq!(world.repair(|_| {}).written, 2);
}

#[test]
fn what_hooks_write_meanwhile_is_kept() {
    let world = World::new();
    let mut talk = world.talk(ONE);
    for number in 0..300 {
        let id = format!("p{number}");
        talk.prompt(&id, &format!("prompt {number}"))
            .answer(&id, &format!("answer {number}"));
    }
    world.save(&talk);
    std::thread::scope(|scope| {
        for writer in 0..2 {
            let world = &world;
            let now = talk.now();
            scope.spawn(move || {
                for number in 0..50 {
                    let text = format!("live {writer} {number}");
                    world.hook(User, TWO, Some(&text.replace(' ', "-")), &text, now);
                }
            });
        }
        for _ in 0..4 {
            let world = &world;
            scope.spawn(|| world.repair(|_| {}));
        }
    });
    world.repair(|_| {});
    let bodies = world.bodies();
    assert_eq!(bodies.len(), 600 + 100);
    let unique: std::collections::BTreeSet<_> = bodies.iter().collect();
    assert_eq!(unique.len(), 700);
}

#[test]
fn the_hook_repairs_silently_and_once() {
    let world = World::new();
    let mut talk = world.talk(ONE);
    talk.prompt("p1", "first").answer("p1", "one");
    talk.prompt("p2", "cut off");
    world.save(&talk);
    let common = Common {
        session: SessionId::new(ONE),
        transcript: Some(world.transcript(ONE)),
        cwd: Some(world.root().to_path_buf()),
        ..Common::default()
    };
    let compact = Event::PreCompact {
        common: common.clone(),
    };
    let start = |source: &str| Event::SessionStart {
        common: common.clone(),
        source: source.to_owned(),
    };
    let outcome = reconcile::on_event(&compact, &world.env());
    assert_eq!(outcome.answer, claude_hook::Answer::Silent);
    assert_eq!(outcome.log, Vec::<String>::new());
    assert_eq!(world.bodies(), ["first", "one"]);
    reconcile::on_event(&start("compact"), &world.env());
    assert_eq!(world.bodies(), ["first", "one"]);
    reconcile::on_event(&start("resume"), &world.env());
    assert_eq!(world.bodies(), ["first", "one", "cut off"]);
    let before = world.listing();
    reconcile::on_event(&start("resume"), &world.env());
    assert_eq!(world.listing(), before, "nothing new: nothing written");
}

#[test]
fn no_hook_goes_back_before_the_installation() {
    let world = World::an_hour_ago();
    let mut talk = world.talk(ONE);
    talk.prompt("p1", "before").answer("p1", "one");
    let installed = talk.now() + TimeDelta::seconds(30);
    talk.wait(60);
    talk.prompt("p2", "after").answer("p2", "two");
    world.save(&talk);
    mnemo_home::notes::mark_installed(&world.env(), installed).unwrap();
    let event = Event::SessionStart {
        common: Common {
            session: SessionId::new(TWO),
            cwd: Some(world.root().to_path_buf()),
            ..Common::default()
        },
        source: "startup".to_owned(),
    };
    reconcile::on_event(&event, &world.env());
    assert_eq!(world.bodies(), ["after", "two"]);
}

#[test]
fn transcripts_are_never_touched() {
    let world = World::new();
    let mut talk = world.talk(ONE);
    talk.prompt("p1", "first").answer("p1", "one");
    world.save(&talk);
    let path = world.transcript(ONE);
    let old = SystemTime::now() - Duration::from_secs(5000);
    fs::File::options()
        .write(true)
        .open(&path)
        .unwrap()
        .set_modified(old)
        .unwrap();
    let bytes = fs::read(&path).unwrap();
    world.repair(|_| {});
    assert_eq!(fs::read(&path).unwrap(), bytes);
    assert_eq!(fs::metadata(&path).unwrap().modified().unwrap(), old);
}

#[test]
fn a_long_transcript_is_written_in_parts() {
    let world = World::new();
    let mut talk = world.talk(ONE);
    let long = "word ".repeat(40_000);
    for number in 0..60 {
        let id = format!("p{number}");
        talk.prompt(&id, &format!("prompt {number}"))
            .answer(&id, &format!("{number} {long}"));
    }
    world.save(&talk);
    let summary = world.repair(|_| {});
    assert_eq!(summary.written, 120);
    assert_eq!(world.bodies().len(), 120);
    let again = world.repair(|_| {});
    assert_eq!((again.present, again.written), (120, 0));
}

#[test]
fn without_time_it_goes_on_at_the_next_start() {
    let world = World::new();
    let mut talk = world.talk(ONE);
    let long = "word ".repeat(20_000);
    for number in 0..40 {
        let id = format!("p{number}");
        talk.prompt(&id, &format!("prompt {number}"))
            .answer(&id, &format!("{number} {long}"));
    }
    world.save(&talk);
    let mut runs = 0;
    loop {
        let summary = world.repair(|job| {
            job.from_start = false;
            job.budget = Some(Duration::from_millis(5));
        });
        runs += 1;
        assert!(runs < 1000, "no run comes further: {summary:?}");
        if !summary.unfinished {
            break;
        }
    }
    let bodies = world.bodies();
    assert_eq!(bodies.len(), 80);
    assert_eq!(bodies[78], "prompt 39");
}

#[test]
fn only_what_changed_is_opened() {
    let world = World::new();
    let sessions: Vec<&'static str> = (0..400)
        .map(|number| &*format!("{number:08x}-aaaa-4aaa-8aaa-aaaaaaaaaaaa").leak())
        .collect();
    let talk = |session: &'static str, prompt: &str| {
        let mut talk = world.talk(session);
        talk.prompt("p1", prompt).answer("p1", "answer");
        talk
    };
    for session in &sessions {
        world.save(&talk(session, "as it was"));
        world.age(session, Duration::from_secs(7200));
    }
    let start = |budget: u64| {
        world.repair(|job| {
            job.from_start = false;
            job.budget = Some(Duration::from_secs(budget));
        })
    };
    assert_eq!(start(600).written, 800);
    assert_eq!(start(600).read, 0);
    // Whoever opens one of the others now finds something to write in it.
    for session in &sessions {
        let path = world.transcript(session);
        let changed = fs::metadata(&path).unwrap().modified().unwrap();
        let text = fs::read_to_string(&path).unwrap();
        fs::write(&path, text.replace("as it was", "is opened")).unwrap();
        let file = fs::File::options().write(true).open(&path).unwrap();
        file.set_modified(changed).unwrap();
    }
    for session in sessions.iter().step_by(80) {
        let mut talk = talk(session, "as it was");
        talk.prompt("p2", "news").answer("p2", "answer");
        world.save(&talk);
        world.age(session, Duration::from_secs(3600));
    }
    let summary = start(600);
    assert_eq!((summary.read, summary.written), (5, 10));
    assert_eq!(summary.transcripts, 400);
    let bodies = world.bodies();
    assert!(!bodies.iter().any(|body| body == "is opened"));
    assert_eq!(bodies.iter().filter(|body| *body == "news").count(), 5);
    assert_eq!(start(600).read, 0);
}

#[test]
fn threads_come_to_the_same_end() {
    let world = World::new();
    for (number, session) in [ONE, TWO, FORK].into_iter().enumerate() {
        let mut talk = world.talk(session);
        talk.wait(5 * i64::try_from(number).unwrap());
        for turn in 0..30 {
            let id = format!("p{turn}");
            let text = format!("{number}.{turn} {}", "long ".repeat(20_000));
            talk.prompt(&id, &format!("prompt {number}.{turn}"))
                .say(&id, "first")
                .tool(&id)
                .answer(&id, &text);
            talk.wait(20);
        }
        world.save(&talk);
    }
    // With time to look after, nothing is read ahead.
    let alone = world.repair(|job| job.budget = Some(Duration::from_secs(3600)));
    let bodies = world.bodies();
    assert_eq!(alone.written, 180);
    fs::remove_dir_all(world.conversations()).unwrap();
    let together = world.repair(|_| {});
    assert_eq!(together, alone);
    assert_eq!(world.bodies(), bodies);
    assert_eq!(world.repair(|_| {}).present, 180);
}
