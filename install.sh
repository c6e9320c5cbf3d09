#!/bin/sh
# Builds mnemo, installs it for this user, wires it into Claude Code's settings, puts the skills in
# place and proves that it works. Undo: ./install.sh --uninstall
set -eu

programs='mnemo prompt-save tool-log response-save session-reconcile stop-trigger'

usage() {
	cat <<'END'
Usage: ./install.sh [options]

  (none)         build, install, wire into Claude Code's settings, add the skills, and try it out
  --check        say what is installed and wired; ends with 1 if something is missing
  --uninstall    take hooks, skills, rules and programs out again; conversations and memories stay
  --dry-run      alone or with --uninstall: say what would happen and change nothing
  --record-only  also turn Claude Code's own auto memory off (uninstall gives it back)
  --replace-original  also take out the hooks of the older shell version of mnemo
  --no-skills    leave the skills out
  --no-settings  leave Claude Code's settings alone, and the skills out
  --from DIR     take finished programs from DIR instead of building them (needs no Rust)
  --prefix DIR   put the programs into DIR/bin [default: ~/.local/share/mnemo]
  --help         this text

Ends with 0 when all is well, 1 when something is missing or wrong, 2 for a wrong option,
3 when Rust or a file is missing, 4 when it was refused for safety and nothing was changed, 5 when
only a part could be done (what, and what to do, is said).
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

mode=install dry='' prefix='' from='' record_only='' replace_original='' no_skills='' settings=yes

# One thing at a time: the last of two must not win in silence.
choose() {
	case $mode in
	install | "$1") mode=$1 ;;
	*) fail 2 "--$mode and --$1 do not go together" ;;
	esac
}

while [ $# -gt 0 ]; do
	case $1 in
	--dry-run) dry=yes ;;
	--check) choose check ;;
	--uninstall) choose uninstall ;;
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
	--from)
		[ $# -ge 2 ] || fail 2 '--from needs a folder'
		from=$2
		shift
		;;
	--from=*) from=${1#--from=} ;;
	-h | --help)
		usage
		exit 0
		;;
	*)
		fail 2 "unknown option: $1 (./install.sh --help lists them)"
		;;
	esac
	shift
done
[ "$mode$dry" != checkyes ] || fail 2 '--check and --dry-run do not go together: --check changes nothing'
if [ "$mode" != install ]; then
	[ -z "$from" ] || fail 2 "--from does not go with --$mode"
	for option in $record_only $replace_original; do
		fail 2 "$option does not go with --$mode"
	done
	[ "$mode$no_skills" != uninstall--no-skills ] ||
		fail 2 '--no-skills does not go with --uninstall: to keep a skill, copy its folder first'
fi
[ -n "${HOME-}" ] || fail 3 'HOME is not set'

# ---------------------------------------------------------------- places

here=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd -P) || fail 3 'cannot find my own folder'
link=$HOME/.local/bin/mnemo
claude=${CLAUDE_CONFIG_DIR:-$HOME/.claude}
case ${XDG_STATE_HOME-} in
/*) state=$XDG_STATE_HOME/mnemo ;;
*) state=$HOME/.local/state/mnemo ;;
esac
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
if [ -z "$prefix" ] && [ "$mode$dry" != install ] && [ ! -e "$bin/mnemo" ] && [ -h "$link" ]; then
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
	say 'Get it from https://rustup.rs (no root needed; to renew it: rustup update), then run ./install.sh again. Finished programs need no Rust: ./install.sh --from FOLDER.' >&2
	exit 3
}

# ---------------------------------------------------------------- build and put in place

case ${CARGO_TARGET_DIR-} in
'') built=$here/target ;;
/*) built=$CARGO_TARGET_DIR ;;
*) built=$(pwd -P)/$CARGO_TARGET_DIR ;;
esac

build() {
	say 'Building (several minutes the first time) ...'
	bins=''
	for name in $programs; do bins="$bins --bin $name"; done
	# Cargo shows its progress to whoever watches.
	quiet=--quiet
	[ ! -t 2 ] || quiet=''
	# shellcheck disable=SC2086 # a list of plain names, one option or none
	(cd "$here" && CARGO_TARGET_DIR=$built cargo build --release --locked $quiet $bins) ||
		fail 3 'the build failed; nothing was installed'
	built=$built/release
	for name in $programs; do
		[ -x "$built/$name" ] || fail 3 "the build left no $built/$name; nothing was installed"
	done
}

# The folders that were not there before, the deepest first; uninstall takes them out if they are empty.
made=''

# make_folder DIR, and those above it.
make_folder() {
	[ ! -d "$1" ] || return 0
	case ${1%/*} in
	'') ;;
	*) make_folder "${1%/*}" || return 1 ;;
	esac
	mkdir "$1" || return 1
	made="$1
$made"
}

note_made() {
	[ -n "$made" ] || return 0
	list=${bin%/bin}/made-folders
	before=$(cat "$list" 2>/dev/null || :)
	# Best effort: without the note an empty folder stays.
	printf '%s%s\n' "$made" "$before" >"$list" || :
}

# Finished programs in place of a build.
take() {
	built=$from
	for name in $programs; do
		"$built/$name" --version >/dev/null 2>&1 ||
			fail 3 "$built/$name is missing or does not run here; nothing was installed"
	done
}

put_in_place() {
	make_folder "$bin" || fail 3 "cannot make $bin"
	for name in $programs; do
		# By rename: a running program keeps its old file.
		new=$bin/.$name.new.$$
		{ cp "$built/$name" "$new" && chmod 755 "$new" && mv -f "$new" "$bin/$name"; } || {
			rm -f "$new"
			fail 3 "cannot write $bin/$name"
		}
	done
	say "Programs in $bin"
	put_link
	note_made
}

put_link() {
	linked=no
	if [ "$(readlink "$link" 2>/dev/null || :)" = "$bin/mnemo" ]; then
		linked=yes
		return 0
	elif [ -h "$link" ]; then
		case $(readlink "$link" || :) in
		*/bin/mnemo) rm -f "$link" ;;
		*)
			say "Left alone: $link is a link to something else"
			return 0
			;;
		esac
	elif [ -e "$link" ]; then
		say "Left alone: $link is not a link of mine"
		return 0
	fi
	{ make_folder "$HOME/.local/bin" && ln -s "$bin/mnemo" "$link"; } || fail 3 "cannot make $link"
	linked=yes
}

# The last words of an installation.
next() {
	if [ "$settings" = yes ]; then
		say "Next: open Claude Code in a git repository and say something, then run \`mnemo status\` there."
	else
		say "Next: \`mnemo install --dry-run\` shows the change to Claude Code's settings, \`mnemo install\` makes it."
		say 'Or start Claude Code with the plugin: see docs/plugin.md.'
	fi
	if [ "$linked" = no ]; then
		say "The program lies at $bin/mnemo."
		return 0
	fi
	case :${PATH-}: in
	*":$HOME/.local/bin:"*) ;;
	*)
		say ''
		say 'To call mnemo by its name, add this line to your shell profile and open a new terminal:'
		# shellcheck disable=SC2016 # the line is for the user's shell
		say '  export PATH="$HOME/.local/bin:$PATH"'
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
	if [ -n "$from" ]; then
		say "Would take these from $from and put them into $bin: $programs"
	else
		look_for_rust
		[ -z "$missing" ] || say "First: $missing (https://rustup.rs)."
		say "Would build with cargo and put these into $bin: $programs"
	fi
	[ -e "$link" ] || [ -h "$link" ] || say "Would link $link to $bin/mnemo"
	if [ "$settings" = no ]; then
		say "Would leave Claude Code's settings alone"
	elif [ -x "$bin/mnemo" ]; then
		# shellcheck disable=SC2086 # one option or none each
		"$bin/mnemo" install --dry-run $record_only $replace_original $no_skills
		return 0
	else
		say "Would wire the hooks into $claude/settings.json and put the skills into $claude/skills."
		say 'To see that change as a diff first: ./install.sh --no-settings, then mnemo install --dry-run'
	fi
	say 'Nothing was written.'
}

# The lines of the client's settings that name a program of ours, with their numbers: as the path
# stands in JSON, plain or quoted for a shell.
wired_lines() {
	[ -f "$claude/settings.json" ] || return 1
	plain=$(json "$bin/")
	quoted=$(json "$(printf '%s' "$bin/" | sed "s/'/'\\\\''/g")")
	grep -nF -e "$bin/" -e "$plain" -e "$quoted" "$claude/settings.json"
}

# The skills that lie in the client's folder.
skills_there() {
	for folder in "$here"/skills/*/; do
		folder=${folder%/}
		[ ! -f "$claude/skills/${folder##*/}/SKILL.md" ] || printf '%s\n' "$claude/skills/${folder##*/}"
	done
}

check_skills() {
	there=$(skills_there)
	for folder in "$here"/skills/*/; do
		folder=${folder%/}
		own=$claude/skills/${folder##*/}
		if [ ! -f "$own/SKILL.md" ]; then
			# None at all is how --no-skills leaves it.
			[ -n "$there" ] || continue
			say "missing  the skill $own"
			bad=1
		elif cmp -s "$folder/SKILL.md" "$own/SKILL.md"; then
			say "ok       $own"
		else
			say "changed  $own (yours, or another version's: it is left alone)"
		fi
	done
	[ -n "$there" ] || say "none     of the skills (\`mnemo install\` puts them in place)"
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
		if [ -x "$bin/mnemo" ]; then
			say "ok       $link"
		else
			say "broken   $link leads to $bin/mnemo, which is not there"
			bad=1
		fi
	elif [ -z "$prefix" ]; then
		say "missing  the link $link"
		bad=1
	fi
	if [ "$settings" = yes ]; then
		if [ -x "$bin/mnemo" ]; then
			[ -n "$no_skills" ] || check_skills
			# Asked where no project is: only the hooks count here.
			(cd / && "$bin/mnemo" status | sed -n '/^Hooks/p; /^To fix/,$p') || bad=1
			(cd / && "$bin/mnemo" status --json) | grep -q '"findings": \[\]' || bad=1
		else
			if wired_lines >/dev/null; then
				say "broken   $claude/settings.json still runs programs in $bin: each of these hooks fails"
			fi
			[ -z "$(skills_there)" ] || check_skills
		fi
	fi
	[ "$bad" = 0 ] || say 'Next: ./install.sh puts in place what is missing; ./install.sh --uninstall takes out what is left.'
	return "$bad"
}

# The client's settings name programs that no `mnemo` is left to take out.
by_hand() {
	{
		say "install.sh: $claude/settings.json still runs programs in $bin, and there is no mnemo to take them out."
		say 'Nothing was changed. Delete the hook entries that hold these lines:'
		wired_lines | sed 's/^/  /'
		say 'and, if you do not want them, these folders:'
		skills_there | sed 's/^/  /'
		say 'Then run ./install.sh --uninstall again. To have it done for you: ./install.sh --no-settings, then ./install.sh --uninstall'
	} >&2
	exit 4
}

# The folder of other programs of ours that the settings name; empty when there is none.
wired_elsewhere() {
	[ -f "$claude/settings.json" ] || return 0
	sed -n 's|.*"'"'"'\{0,1\}\(/[^"]*\)/stop-trigger'"'"'\{0,1\}".*|\1|p' "$claude/settings.json" | head -n 1
}

# Sets `mnemo` to a program that can take the hooks out: the installed one, else the clone's build.
find_mnemo() {
	for mnemo in "$bin/mnemo" "$built/release/mnemo"; do
		[ ! -x "$mnemo" ] || return 0
	done
	mnemo=''
}

uninstall() {
	if [ "$settings" = no ]; then
		if wired_lines >/dev/null; then
			fail 4 "$claude/settings.json still runs the programs in $bin: without them each of these hooks would fail, so nothing was removed. Run ./install.sh --uninstall without --no-settings"
		fi
	else
		find_mnemo
		if [ -n "$mnemo" ]; then
			"$mnemo" uninstall ${dry:+--dry-run} || {
				code=$?
				case $code in
				5) say 'Not everything was taken out (see above), so the programs were left where they are.' >&2 ;;
				*) say 'The hooks are still wired, so the programs were left where they are.' >&2 ;;
				esac
				exit "$code"
			}
		elif wired_lines >/dev/null; then
			by_hand
		else
			other=$(wired_elsewhere)
			if [ -n "$other" ]; then
				bin=$other
				[ ! -x "$other/mnemo" ] || fail 1 "$claude/settings.json runs the programs in $other, which this script did not put there; nothing was changed. Take them out with: $other/mnemo uninstall"
				by_hand
			fi
		fi
	fi
	found=''
	for name in $programs; do
		[ ! -e "$bin/$name" ] || found="$found $name"
	done
	own_link=no
	[ "$(readlink "$link" 2>/dev/null || :)" != "$bin/mnemo" ] || own_link=yes
	if [ -n "$dry" ]; then
		[ -z "$found" ] || say "Would remove from $bin:$found"
		[ "$own_link" = no ] || say "Would remove the link $link"
		[ -n "$found" ] || [ "$own_link" = yes ] || say "There is nothing to remove in $bin."
		say 'Nothing was written.'
		return 0
	fi
	for name in $found; do rm -f "$bin/$name"; done
	[ "$own_link" = no ] || rm -f "$link"
	remove_folders
	if [ -n "$found" ]; then
		say "Programs removed from $bin"
	elif [ "$own_link" = yes ]; then
		say "The link $link removed; there were no programs in $bin."
	else
		say "There was nothing to remove in $bin."
	fi
	[ ! -d "$state" ] || say "Left: $state (backups of your settings, the bytes of \`mnemo undo\`, notes); see README.md, \"Switch it off, take it out\"."
}

# Takes out the empty ones of the folders that install made.
remove_folders() {
	list=${bin%/bin}/made-folders
	folders=''
	if [ -f "$list" ]; then
		folders=$(cat "$list")
		rm -f "$list"
	elif [ -z "$prefix" ] && [ "$bin" = "$data/mnemo/bin" ]; then
		folders="$bin
$data/mnemo"
	fi
	printf '%s\n' "$folders" | while IFS= read -r folder; do
		[ -z "$folder" ] || rmdir "$folder" 2>/dev/null || :
	done
}

case $mode$dry in
install)
	if [ -n "$from" ]; then
		take
	else
		need_rust
		build
	fi
	put_in_place
	[ "$settings" = no ] || wire
	prove
	next
	;;
installyes) dry_run ;;
check) check ;;
uninstall | uninstallyes) uninstall ;;
esac
