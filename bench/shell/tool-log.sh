#!/bin/sh
# The least that logging a tool call takes with shell and jq. A measure, not a replacement.
set -eu
log=$CLAUDE_PROJECT_DIR/conversations/$(date +%F)-toollog.md
jq -r --arg time "$(date +%T)" \
    '"- `[\($time)]` **\(.tool_name)** \(.tool_input.command // "" | .[:80])"' >>"$log"
