#!/bin/sh
# The least that saving a reply takes with shell and jq: the last text in the transcript's last
# 64 KB. A measure, not a replacement: a reply of several blocks, or a longer one, is cut.
set -eu
transcript=$(jq -r .transcript_path)
day=$CLAUDE_PROJECT_DIR/conversations/$(date +%F)-claude.md
{
    printf '\n## [%s] Assistant\n\n' "$(date +%T)"
    tail -c 65536 "$transcript" | tail -n +2 | jq -rn \
        'last(inputs | select(.type == "assistant") | .message.content[] | select(.type == "text").text)'
} >>"$day"
