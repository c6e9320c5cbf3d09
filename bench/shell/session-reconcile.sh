#!/bin/sh
# The least that finding missed turns takes with shell and jq: the lines of each transcript are
# counted, and what is new since the last start is read. A measure, not a replacement: nothing is
# matched with what is there already.
set -eu
folder=$(dirname "$(jq -r .transcript_path)")
conversations=$CLAUDE_PROJECT_DIR/conversations
index=$conversations/.shell-lines
touch "$index"
wc -l "$folder"/*.jsonl | grep -v ' total$' >"$index.new"
if ! cmp -s "$index.new" "$index"; then
    while read -r lines transcript; do
        known=$(grep -F " $transcript" "$index" | awk '{ print $1 }')
        [ "$lines" != "${known:-0}" ] || continue
        tail -n "+$((${known:-0} + 1))" "$transcript" |
            jq -r 'select(.type == "assistant") | .message.content[] | select(.type == "text").text' \
                >>"$conversations/$(date +%F)-claude.md"
    done <"$index.new"
fi
mv "$index.new" "$index"
