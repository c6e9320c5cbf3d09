#!/bin/sh
# The least that counting a stop takes with shell and jq. A measure, not a replacement: two at once
# count one.
set -eu
[ "$(jq -r .stop_hook_active)" = false ] || exit 0
state=$CLAUDE_PROJECT_DIR/conversations/.shell-stops
stops=0
[ ! -f "$state" ] || read -r stops <"$state"
echo $((stops + 1)) >"$state"
