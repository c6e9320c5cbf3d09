//! A plan's file, read and proven against its memory.

use super::read;
use crate::commands::store::StoreArgs;
use crate::exit::{Exit, Failure};
use crate::terminal;
use clap::ValueHint;
use garden::Scan;
use garden::act::Built;
use garden::check::{Checked, Refusal};
use garden::fingerprint::Fingerprint;
use garden::plan::{self, Plan};
use mnemo_home::Env;
use serde_json::json;
use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::path::PathBuf;

/// The options of the commands that take a plan.
#[derive(Debug, clap::Args)]
pub(super) struct PlanArgs {
    /// The plan
    #[arg(value_name = "PLAN", value_hint = ValueHint::FilePath)]
    pub(super) file: PathBuf,
    #[command(flatten)]
    pub(super) store: StoreArgs,
    /// Report as JSON
    #[arg(long)]
    pub(super) json: bool,
}

/// A plan with everything it is about.
pub(super) struct Proven {
    pub(super) bytes: Vec<u8>,
    pub(super) plan: Plan,
    pub(super) scan: Scan,
    pub(super) checked: Checked,
}

impl Proven {
    pub(super) fn read(args: &PlanArgs, env: &Env) -> Result<Self, Failure> {
        let shown = args.file.display();
        let bytes = safe_file::read(&args.file, plan::LARGEST)
            .map_err(|error| Failure::unreadable(&error))?
            .ok_or_else(|| {
                Failure::input(format!(
                    "there is no plan {shown}; `mnemo garden plan -o {shown}` makes one"
                ))
            })?;
        let text = std::str::from_utf8(&bytes)
            .map_err(|_| Failure::input(format!("{shown} is not UTF-8 text")))?;
        let plan =
            Plan::parse(text).map_err(|error| Failure::input(format!("{shown}: {error}")))?;
        let scan = read(&args.store, env)?.map_err(|place| Failure::input(place.none()))?;
        let checked = Checked::of(&plan, &scan);
        Ok(Self {
            bytes,
            plan,
            scan,
            checked,
        })
    }

    /// Everything that could be approved.
    pub(super) fn everything(&self) -> Result<Built, Failure> {
        let all: BTreeSet<u32> = self.checked.order.iter().copied().collect();
        self.build(&all)
    }

    pub(super) fn build(&self, approved: &BTreeSet<u32>) -> Result<Built, Failure> {
        Built::of(&self.scan, &self.plan, &self.checked, approved)
            .map_err(|error| Failure::with_code(error.exit_code(), error.to_string()))
    }

    pub(super) fn fingerprint(&self, built: &Built) -> Fingerprint {
        Fingerprint::of(
            self.scan.store.root(),
            &self.bytes,
            self.scan.now.date_naive(),
            built.touched().chain(built.kept(&self.scan)),
        )
    }

    /// Says why the plan is refused, if it is.
    pub(super) fn refused(&self, json: bool) -> Option<Exit> {
        let refusals = &self.checked.refusals;
        if refusals.is_empty() {
            return None;
        }
        if json {
            terminal::say_json(&json!({ "refused": refusals, "changed": false }));
        } else {
            terminal::complain(&format!(
                "the plan is refused, nothing was changed\n{}",
                lines(refusals)
            ));
        }
        Some(Exit::Refused)
    }
}

/// One line a reason.
pub(super) fn lines(refusals: &[Refusal]) -> String {
    let mut out = String::new();
    for refusal in refusals {
        match refusal.id {
            Some(id) => {
                let _ = writeln!(out, "  {id}: {}", refusal.why);
            }
            None => {
                let _ = writeln!(out, "  {}", refusal.why);
            }
        }
    }
    out.trim_end().to_owned()
}

/// Warnings, and where secrets stand: always on top.
pub(super) fn on_top(checked: &Checked) -> String {
    let mut out = String::new();
    for warning in &checked.warnings {
        let _ = writeln!(out, "! {warning}");
    }
    if !checked.sensitive.is_empty() {
        let _ = writeln!(out, "! looks like a secret, take it out by hand:");
        for place in &checked.sensitive {
            let _ = writeln!(out, "    {place}");
        }
    }
    if !out.is_empty() {
        out.push('\n');
    }
    out
}
