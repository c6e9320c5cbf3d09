//! mnemo's own settings.

use crate::scratch::Scratch;
use mnemo_home::{Config, Deliver};

/// Any file gives a configuration; a project's own file does less, never more.
pub(crate) fn config(bytes: &[u8]) {
    let scratch = Scratch::new();
    let env = scratch.env();
    let root = scratch.root();
    scratch.write(".config/mnemo/config.yaml", bytes);
    let (user, problems) = Config::load(&env, None);
    assert!(
        problems
            .iter()
            .all(|problem| problem.contains("config.yaml"))
    );
    scratch.write("work/demo/.mnemo.yaml", bytes);
    let (both, _) = Config::load(&env, Some(&root));
    no_more(&user, &both);

    scratch.write(".config/mnemo/config.yaml", b"");
    let (project, _) = Config::load(&env, Some(&root));
    no_more(&Config::default(), &project);
}

fn no_more(user: &Config, narrowed: &Config) {
    assert!(narrowed.marked_only || !user.marked_only);
    assert!(!narrowed.scaffold || user.scaffold);
    assert!(narrowed.redact_secrets || !user.redact_secrets);
    assert!(narrowed.checkpoint_stops >= user.checkpoint_stops);
    assert!(narrowed.checkpoint_minutes >= user.checkpoint_minutes);
    assert!(narrowed.deliver == user.deliver || narrowed.deliver == Deliver::Off);
    assert_eq!(narrowed.rules_dir, user.rules_dir);
    assert_eq!(narrowed.rules_dirs, user.rules_dirs);
    for tool in &user.tools_skip {
        assert!(narrowed.tools_skip.contains(tool));
    }
}
