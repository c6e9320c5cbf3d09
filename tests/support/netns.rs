//! A network in which only the loopback exists, so that nothing a client does leaves the machine.

use rustix::thread::{LinkNameSpaceType, move_into_link_name_space};
use std::fs::File;
use std::io::{BufRead as _, BufReader};
use std::os::fd::AsFd as _;
use std::process::{Command, Stdio};

/// Moves the calling thread, and what it starts from now on, into a network namespace of its own.
/// `false` where that is not allowed (not root, no `unshare`): the thread stays where it is.
pub fn enter() -> bool {
    // A helper makes the namespace and brings its loopback up; the thread joins it through /proc.
    let script = "ip link set lo up 2>/dev/null || ifconfig lo up || exit 1; echo up; read -r _";
    let Ok(mut helper) = Command::new("unshare")
        .args(["-n", "--", "sh", "-c", script])
        .env("PATH", "/usr/sbin:/usr/bin:/sbin:/bin")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
    else {
        return false;
    };
    let mut line = String::new();
    let out = helper.stdout.take().expect("a pipe");
    let up = BufReader::new(out).read_line(&mut line).is_ok() && line == "up\n";
    let joined = up
        && File::open(format!("/proc/{}/ns/net", helper.id())).is_ok_and(|ns| {
            move_into_link_name_space(ns.as_fd(), Some(LinkNameSpaceType::Network)).is_ok()
        });
    drop(helper.stdin.take());
    let _ = helper.wait();
    joined
}
