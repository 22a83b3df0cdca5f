#!/usr/bin/env bash
# failures_first.sh BEGIN COMMAND...: runs a test runner. Where it fails, what it prints from the line on that begins with
# BEGIN, its list of failures, comes before all the rest, so that it is seen by those who see the start of a log alone. A
# runner that is not done after 580 s, less than ctest's limit, is ended, and its last lines come first.
set -u
begin=$1
shift
log=$(mktemp)
trap 'rm -f "$log"' EXIT
timeout --kill-after=10 580 "$@" >"$log" 2>&1
status=$?
if [ "$status" -eq 124 ]; then
    echo "not done after 580 s; its last lines:"
    tail -n 5 "$log"
elif [ "$status" -ne 0 ]; then
    sed -n "/^$begin/,\$p" "$log"
fi
cat "$log"
exit "$status"
