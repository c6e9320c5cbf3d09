//! The real client.

use mnemo_tests::Reply;
use mnemo_tests::api::Kind;
use mnemo_tests::client::{VERSIONS, result_of, scenario};

#[test]
fn proof_print() {
    for v in VERSIONS {
        scenario(v, |w| {
            w.api
                .say([Reply::text("a").and_bash("echo hi"), Reply::text("done")]);
            let d = w.print("hello").run().ok();
            assert_eq!(result_of(&d), "done");
            println!("{} {:?} {}", w.version, d.elapsed, w.report());
            println!("{:?}", w.api.requests(Kind::Utility).len());
        });
    }
}

#[test]
fn proof_tui() {
    for v in VERSIONS {
        scenario(v, |w| {
            w.api.say([
                Reply::text("a").and_bash("echo hi"),
                Reply::text("done with this"),
            ]);
            let t = w.tui(&[]);
            t.send("hello you");
            w.wait_event("Stop", 1);
            t.exit();
            println!("{} {}", w.version, w.report());
            println!("{:?}", w.api.requests(Kind::Utility).len());
        });
    }
}
