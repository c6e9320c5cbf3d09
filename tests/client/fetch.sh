#!/bin/sh
# Puts the client's versions that the tests drive where the tests look for them: in
# $MNEMO_CLIENTS, else in clients/ of the target folder, one folder a version.
# What is there already stays.
#
#   tests/client/fetch.sh [VERSION...]
set -eu

versions=${*:-2.1.332 2.1.197 2.1.59}
root=$(CDPATH='' cd -- "$(dirname -- "$0")/../.." && pwd)
clients=${MNEMO_CLIENTS:-${CARGO_TARGET_DIR:-$root/target}/clients}

command -v npm >/dev/null || {
    echo "fetch.sh: npm is needed to fetch the client (Debian: apt-get install npm)" >&2
    exit 3
}

mkdir -p "$clients"
for version in $versions; do
    place=$clients/$version
    if [ -e "$place/node_modules/.bin/claude" ]; then
        echo "client $version: there"
        continue
    fi
    part=$clients/.$version.$$
    trap 'rm -rf "$part"' EXIT
    mkdir -p "$part"
    echo '{"private":true}' >"$part/package.json"
    npm install --prefix "$part" --loglevel=error --no-audit --no-fund --ignore-scripts \
        "@anthropic-ai/claude-code@$version"
    # Newer versions bring their executable as a platform's package and link it in place.
    package=$part/node_modules/@anthropic-ai/claude-code
    if [ -f "$package/install.cjs" ]; then
        (cd "$package" && node install.cjs)
    fi
    answer=$("$part/node_modules/.bin/claude" --version)
    case $answer in
        "$version "*) ;;
        *)
            echo "fetch.sh: client $version says it is $answer" >&2
            exit 1
            ;;
    esac
    rm -rf "$place"
    mv "$part" "$place"
    trap - EXIT
    echo "client $version: fetched"
done
