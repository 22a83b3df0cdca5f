#!/usr/bin/env bash
# A few shapes are tried, the table is one that builds read, and what it is compared with is there. Which shape is fastest on
# the simulator says nothing. usage: tuner.sh PROGRAM
set -euo pipefail
table=$(mktemp)
trap 'rm -f "$table"' EXIT
for subject in "scan --type int32 --op plus" "select --type float64" "radix_sort --type uint32 --value uint32"; do
    # shellcheck disable=SC2086  # a word each
    found=$("$1" $subject --most 15 --tries 2 --table "$table")
    printf '%s\n' "$found"
    grep -q ': 2 candidates' <<<"$found"
    ! grep -q WRONG <<<"$found" || exit 1
done
grep -q '^# on ' "$table"
# A row that holds for certain, whichever shapes were faster.
echo 'sm_90 select element=8 : threads=64 vectors=3 blocks=2' >>"$table"
compared=$(CUPRUM_TUNINGS=$table "$1" select --type float64 --compare yes --most 16)
printf '%s\n' "$compared"
grep -q '^2^16.*CUB, 64-bit counts' <<<"$compared"
# What is no table is said to be none.
! CUPRUM_TUNINGS=/etc/passwd "$1" select --compare yes --most 16 2>/dev/null || exit 1
