#!/bin/sh
# Builds mnemo, installs it for this user, wires it into Claude Code's settings, puts the skills in
# place and proves that it works. Undo: ./install.sh --uninstall
set -eu

programs='mnemo prompt-save tool-log response-save session-reconcile stop-trigger'

usage() {
	cat <<'END'
Usage: ./install.sh [options]

  (none)         build, install, wire into Claude Code's settings, add the skills, and try it out
  --dry-run      say what would happen and change nothing
  --check        say what is installed and wired; ends with 1 if something is missing
  --uninstall    take hooks, skills, rules and programs out again; conversations and memories stay
  --record-only  also turn Claude Code's own auto memory off (uninstall gives it back)
  --replace-original  also take out the hooks of the older shell version of mnemo
  --no-skills    leave the skills out
  --no-settings  leave Claude Code's settings alone, and the skills out
  --prefix DIR   put the programs into DIR/bin [default: ~/.local/share/mnemo]
  --help         this text

Ends with 0 when all is well, 1 when something is missing or wrong, 2 for a wrong option,
3 when Rust or a file is missing, 4 when the settings were left alone for safety, 5 when only a
part could be done (what, and what to do, is said).
END
}

say() { printf '%s\n' "$*"; }
fail() {
	code=$1
	shift
	printf 'install.sh: %s\n' "$*" >&2
	exit "$code"
}

# ---------------------------------------------------------------- options

mode=install prefix='' record_only='' replace_original='' no_skills='' settings=yes
while [ $# -gt 0 ]; do
	case $1 in
	--dry-run) mode=dry-run ;;
	--check) mode=check ;;
	--uninstall) mode=uninstall ;;
	--record-only) record_only=--record-only ;;
	--replace-original) replace_original=--replace-original ;;
	--no-skills) no_skills=--no-skills ;;
	--no-settings) settings=no ;;
	--prefix)
		[ $# -ge 2 ] || fail 2 '--prefix needs a folder'
		prefix=$2
		shift
		;;
	--prefix=*) prefix=${1#--prefix=} ;;
	-h | --help)
		usage
		exit 0
		;;
	*)
		usage >&2
		fail 2 "unknown option: $1"
		;;
	esac
	shift
done
[ -n "${HOME-}" ] || fail 3 'HOME is not set'

# ---------------------------------------------------------------- places

here=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd -P) || fail 3 'cannot find my own folder'
link=$HOME/.local/bin/mnemo
case ${XDG_DATA_HOME-} in
/*) data=$XDG_DATA_HOME ;;
*) data=$HOME/.local/share ;;
esac
case $prefix in
'') bin=$data/mnemo/bin ;;
/*) bin=${prefix%/}/bin ;;
*) bin=$(pwd -P)/${prefix%/}/bin ;;
esac
# An installation with --prefix is found again by its link.
if [ -z "$prefix" ] && [ "$mode" != install ] && [ ! -e "$bin/mnemo" ] && [ -h "$link" ]; then
	target=$(readlink "$link" || :)
	case $target in
	/*/bin/mnemo) bin=${target%/mnemo} ;;
	esac
fi

# ---------------------------------------------------------------- Rust

# rust-toolchain.toml names one compiler for those who work on mnemo, and rustup would download it.
# Where it is not installed, the user's own is taken: any from rust-version on builds mnemo.
choose_toolchain() {
	[ -z "${RUSTUP_TOOLCHAIN-}" ] && command -v rustup >/dev/null 2>&1 || return 0
	pinned=$(sed -n 's/^channel *= *"\(.*\)"$/\1/p' "$here/rust-toolchain.toml" 2>/dev/null | head -n 1)
	[ -n "$pinned" ] || return 0
	! rustup toolchain list 2>/dev/null | grep -q "^${pinned}[- ]" || return 0
	# Asked where no such file is.
	own=$(cd / && rustup show active-toolchain 2>/dev/null | head -n 1)
	own=${own%% *}
	[ -n "$own" ] || return 0
	RUSTUP_TOOLCHAIN=$own
	export RUSTUP_TOOLCHAIN
}

# Sets `missing` to what is wrong with Rust here, empty when nothing is.
look_for_rust() {
	missing=''
	if ! command -v cargo >/dev/null 2>&1 && [ -x "$HOME/.cargo/bin/cargo" ]; then
		PATH=$HOME/.cargo/bin:$PATH
	fi
	choose_toolchain
	wanted=$(sed -n 's/^rust-version *= *"\([0-9][0-9.]*\)".*/\1/p' "$here/Cargo.toml" 2>/dev/null | head -n 1)
	if [ -z "$wanted" ]; then
		missing="$here is not a checkout of mnemo"
	elif ! command -v cargo >/dev/null 2>&1 || ! command -v rustc >/dev/null 2>&1; then
		missing="mnemo is built with Rust $wanted or newer, which is not installed here"
	else
		found=$(cd "$here" && rustc --version 2>/dev/null | sed -n 's/^rustc \([0-9][0-9.]*\).*/\1/p')
		if [ -z "$found" ]; then
			missing='rustc does not say its version'
		elif ! at_least "$found" "$wanted"; then
			missing="mnemo is built with Rust $wanted or newer; this is $found"
		fi
	fi
}

# at_least FOUND WANTED, by major and minor number.
at_least() {
	found_minor=${1#*.} wanted_minor=${2#*.}
	found_minor=${found_minor%%.*} wanted_minor=${wanted_minor%%.*}
	[ "${1%%.*}" -gt "${2%%.*}" ] && return 0
	[ "${1%%.*}" -eq "${2%%.*}" ] && [ "$found_minor" -ge "$wanted_minor" ]
}

need_rust() {
	look_for_rust
	[ -z "$missing" ] && return 0
	say "$missing." >&2
	say 'Get it from https://rustup.rs (no root needed; to renew it: rustup update), then run ./install.sh again.' >&2
	exit 3
}

# ---------------------------------------------------------------- build and put in place

build() {
	case ${CARGO_TARGET_DIR-} in
	'') built=$here/target ;;
	/*) built=$CARGO_TARGET_DIR ;;
	*) built=$(pwd -P)/$CARGO_TARGET_DIR ;;
	esac
	say 'Building (a minute or two the first time) ...'
	bins=''
	for name in $programs; do bins="$bins --bin $name"; done
	# shellcheck disable=SC2086 # a list of plain names
	(cd "$here" && CARGO_TARGET_DIR=$built cargo build --release --locked --quiet $bins) ||
		fail 3 'the build failed; nothing was installed'
	built=$built/release
	for name in $programs; do
		[ -x "$built/$name" ] || fail 3 "the build left no $built/$name; nothing was installed"
	done
}

put_in_place() {
	mkdir -p "$bin" || fail 3 "cannot make $bin"
	for name in $programs; do
		# By rename: a running program keeps its old file.
		new=$bin/.$name.new.$$
		{ cp "$built/$name" "$new" && chmod 755 "$new" && mv -f "$new" "$bin/$name"; } || {
			rm -f "$new"
			fail 3 "cannot write $bin/$name"
		}
	done
	say "Programs in $bin"
	if [ -h "$link" ] || [ ! -e "$link" ]; then
		mkdir -p "$HOME/.local/bin"
		if [ "$(readlink "$link" 2>/dev/null || :)" != "$bin/mnemo" ]; then
			if [ -h "$link" ]; then
				case $(readlink "$link" || :) in
				*/bin/mnemo) rm -f "$link" ;;
				*)
					say "Left alone: $link is a link to something else"
					return 0
					;;
				esac
			fi
			ln -s "$bin/mnemo" "$link"
		fi
	else
		say "Left alone: $link is not a link of mine"
		return 0
	fi
	case :${PATH-}: in
	*":$HOME/.local/bin:"*) ;;
	*)
		# shellcheck disable=SC2016 # the line is for the user's shell
		say 'To call mnemo by name, add this line to your shell profile: export PATH="$HOME/.local/bin:$PATH"'
		;;
	esac
}

wire() {
	# shellcheck disable=SC2086 # one option or none each
	"$bin/mnemo" install $record_only $replace_original $no_skills && return 0
	code=$?
	case $code in
	5) say 'The programs are installed, but not everything else (see above).' >&2 ;;
	*) say "The programs are installed; Claude Code's settings are not wired (see above)." >&2 ;;
	esac
	exit "$code"
}

# ---------------------------------------------------------------- proof

json() { printf '%s' "$1" | sed 's/\\/\\\\/g; s/"/\\"/g'; }

# hook PROGRAM EVENT MORE: one event of the made-up conversation; it must be silent and end with 0.
hook() {
	payload="{\"session_id\":\"proof000-0000-4000-8000-000000000000\",\"transcript_path\":\"$(json "$try/home/.claude/projects/proof/proof.jsonl")\",\"cwd\":\"$(json "$try/project")\",\"prompt_id\":\"proof-1\",\"permission_mode\":\"default\",\"hook_event_name\":\"$2\"$3}"
	printf '%s\n' "$payload" | env -i PATH="$PATH" HOME="$try/home" LANG=C.UTF-8 \
		CLAUDE_CONFIG_DIR="$try/home/.claude" CLAUDE_PROJECT_DIR="$try/project" \
		CLAUDE_CODE_ENTRYPOINT=cli MNEMO_NOW="$now" "$bin/$1" >"$try/out" 2>&1 ||
		proof_failed "$1 ended with an error"
	[ ! -s "$try/out" ] || proof_failed "$1 printed something"
}

proof_failed() {
	{
		say "install.sh: the proof failed: $1"
		cat "$try/out" "$try/home/.local/state/mnemo/errors.log" 2>/dev/null || :
		for file in "$try"/project/conversations/*.md; do
			[ ! -f "$file" ] || cat "$file"
		done
		say 'Something is wrong with these programs. Take them out again with ./install.sh --uninstall'
	} >&2
	exit 1
}

prove() {
	# A home and a project of its own: nothing of the user's is touched.
	try=$(mktemp -d "${TMPDIR:-/tmp}/mnemo-proof.XXXXXX") || fail 3 'cannot make a temporary folder'
	trap 'rm -rf "$try"' EXIT
	trap 'exit 1' HUP INT TERM
	try=$(CDPATH='' cd -- "$try" && pwd -P)
	mkdir -p "$try/home/.claude" "$try/project"
	: >"$try/project/.mnemo-root"
	: >"$try/out"
	# One time for all events, so that midnight cannot tear the day file.
	now=$(date +%Y-%m-%dT%H:%M:%S)

	hook session-reconcile SessionStart ',"source":"startup"'
	hook prompt-save UserPromptSubmit ',"prompt":"Where is the parser? 한글도 됩니까? <private>not for the record</private>"'
	hook tool-log PostToolUse ',"tool_name":"Bash","tool_input":{"command":"ls src"},"tool_response":{"stdout":"parse.rs","stderr":"","interrupted":false},"tool_use_id":"t1"'
	hook response-save Stop ',"stop_hook_active":false,"last_assistant_message":"In src/parse.rs. 네, 됩니다.","background_tasks":[]'
	hook stop-trigger Stop ',"stop_hook_active":false,"last_assistant_message":"In src/parse.rs. 네, 됩니다.","background_tasks":[]'

	set -- "$try"/project/conversations/*-claude.md
	if [ $# -ne 1 ] || [ ! -f "$1" ]; then proof_failed 'there is no day file'; fi
	day=$1
	for line in '^## \[[0-9:]*\] User$' '^Where is the parser? 한글도 됩니까? \[PRIVATE\]$' \
		'^## \[[0-9:]*\] Assistant$' '^In src/parse\.rs\. 네, 됩니다\.$'; do
		[ "$(LC_ALL=C grep -c "$line" "$day" || :)" = 1 ] || proof_failed "the day file lacks a line like $line"
	done
	leak=$(find "$try" -type f -exec grep -l 'not for the record' {} + || :)
	[ -z "$leak" ] || proof_failed "private text reached $leak"
	set -- "$try"/project/conversations/*-toollog.md
	LC_ALL=C grep -q '\*\*Bash\*\* ls src' "$1" 2>/dev/null || proof_failed 'the tool log lacks its line'

	say 'It works. A made-up conversation, played through the installed programs, left this day file:'
	say ''
	sed 's/^/    /' "$day"
	say ''
}

# ---------------------------------------------------------------- the other modes

dry_run() {
	look_for_rust
	[ -z "$missing" ] || say "First: $missing (https://rustup.rs)."
	say "Would build with cargo and put these into $bin: $programs"
	[ -e "$link" ] || [ -h "$link" ] || say "Would link $link to $bin/mnemo"
	if [ "$settings" = no ]; then
		say "Would leave Claude Code's settings alone"
	elif [ -x "$bin/mnemo" ]; then
		# shellcheck disable=SC2086 # one option or none each
		"$bin/mnemo" install --dry-run $record_only $replace_original $no_skills
		return 0
	else
		say "Would run $bin/mnemo install for settings and skills: after a build, \`mnemo install --dry-run\` shows the change as a diff"
	fi
	say 'Nothing was written.'
}

check() {
	bad=0
	for name in $programs; do
		if version=$("$bin/$name" --version 2>/dev/null); then
			say "ok       $version"
		else
			say "missing  $bin/$name"
			bad=1
		fi
	done
	if [ "$(readlink "$link" 2>/dev/null || :)" = "$bin/mnemo" ]; then
		say "ok       $link"
	elif [ -z "$prefix" ]; then
		say "missing  the link $link"
		bad=1
	fi
	if [ "$settings" = yes ] && [ -x "$bin/mnemo" ]; then
		"$bin/mnemo" status || bad=1
		"$bin/mnemo" status --json | grep -q '"findings": \[\]' || bad=1
	fi
	return "$bad"
}

uninstall() {
	if [ "$settings" = yes ]; then
		if [ -x "$bin/mnemo" ]; then
			"$bin/mnemo" uninstall || {
				code=$?
				case $code in
				5) say 'Not everything was taken out (see above), so the programs were left where they are.' >&2 ;;
				*) say 'The hooks are still wired, so the programs were left where they are.' >&2 ;;
				esac
				exit "$code"
			}
		else
			# Without its program only a look is possible: hooks without programs would fail at each prompt.
			file=${CLAUDE_CONFIG_DIR:-$HOME/.claude}/settings.json
			if [ -f "$file" ] && grep -qF "$bin/" "$file"; then
				fail 4 "$file still names programs in $bin, and $bin/mnemo is gone: run ./install.sh --no-settings first, then --uninstall"
			fi
		fi
	fi
	for name in $programs; do rm -f "$bin/$name"; done
	if rmdir "$bin" 2>/dev/null; then rmdir "${bin%/bin}" 2>/dev/null || :; fi
	if [ -h "$link" ] && [ "$(readlink "$link" || :)" = "$bin/mnemo" ]; then
		rm -f "$link"
	fi
	say "Programs removed from $bin"
}

case $mode in
install)
	need_rust
	build
	put_in_place
	[ "$settings" = no ] || wire
	prove
	;;
dry-run) dry_run ;;
check) check ;;
uninstall) uninstall ;;
esac
