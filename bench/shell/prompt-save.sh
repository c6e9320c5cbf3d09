#!/bin/sh
# The least that saving a prompt takes with shell and jq. A measure, not a replacement: no lock, no
# filter, no escapes, no entry is found again.
set -eu
day=$CLAUDE_PROJECT_DIR/conversations/$(date +%F)-claude.md
{
    printf '\n## [%s] User\n\n' "$(date +%T)"
    jq -r .prompt
} >>"$day"
