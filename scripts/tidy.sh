#!/usr/bin/env bash
# clang-tidy over the hand-written C++ of the layers, of Python's extension, of the simulator and of the tests.
# usage: tidy.sh BUILD_FOLDER (it has the compile commands)
# A file without findings is not read again before something that they depend on has changed (tidy_keys.py): what has been
# read is kept in ~/.cache/cuprum-tidy (XDG_CACHE_HOME).
set -uo pipefail
build=$(realpath -- "$1")
cd "$(dirname "${BASH_SOURCE[0]}")/.."
export PATH="$PWD/.venv/bin:$PATH"
# Without these it would find nothing and say that all is well.
command -v clang-tidy >/dev/null || { echo 'tidy: clang-tidy is missing: ./run setup installs it' >&2; exit 1; }
[ -e "$build/compile_commands.json" ] || { echo "tidy: $build has no compile_commands.json" >&2; exit 1; }

commands=$(mktemp -d)
trap 'rm -r "$commands"' EXIT

# What is joined is read with the options of what it joins: the tests' are their own.
cp .clang-tidy "$commands/"
mkdir "$commands/joined"
cp tests/.clang-tidy "$commands/joined/"

# One file: its findings, or, where clang-tidy itself failed (it crashed, or could not read the file), that and what it
# said. clang-tidy's own status is 1 where a finding is an error.
# tidy_one BUILD_FOLDER COMMANDS_FOLDER FILE
tidy_one() {
    local log status all findings
    log=$(clang-tidy --quiet -p "$2" "$3" 2>&1)
    status=$?
    all=$(grep -E '(error|warning): ' <<<"$log")
    # Where files cannot be joined they are read one by one.
    if [[ $3 == "$2"/joined/* ]] && grep -q 'clang-diagnostic-error' <<<"$all"; then
        sed -n 's/^#include "\(.*\)"$/\1/p' "$3" | while read -r each; do tidy_one "$1" "$2" "$each"; done
        return
    fi
    findings=$(grep -vE "^$1/|^$2/|/generated/" <<<"$all")  # what is generated is not read
    [ -z "$findings" ] || printf '%s\n' "$findings"
    if [ $status -gt 1 ] || { [ $status -eq 1 ] && [ -z "$all" ]; }; then
        printf '%s: error: clang-tidy failed with status %d: %s\n' "$3" "$status" "$(tail -n 3 <<<"$log" | tr '\n' ' ')"
    fi
}

# Unless its key was read without a finding before.
# tidy_new BUILD_FOLDER COMMANDS_FOLDER CACHE "KEY FILE"
tidy_new() {
    local key=${4%% *} file=${4#* } findings
    if [ -e "$3/$key" ]; then
        touch "$3/$key"
        return
    fi
    findings=$(tidy_one "$1" "$2" "$file")
    if [ -n "$findings" ]; then
        printf '%s\n' "$findings"
    elif [ "$key" != - ]; then
        touch "$3/$key"
    fi
}
export -f tidy_one tidy_new

cache=${XDG_CACHE_HOME:-${HOME:-$build}/.cache}/cuprum-tidy
mkdir -p "$cache"
find "$cache" -type f -mtime +30 -delete

# SWIG's file is generated; it includes the headers of swig/python.
files=$({
    git ls-files '*/src/*.cpp' 'swig/python/*.cpp' 'simulator/*.cpp' 'tests/*.cpp' | grep -v '/generated/' | sed "s|^|$PWD/|"
    echo "$build/swig/python/cuprum_wrap.cpp"
} | python3 scripts/compile_commands.py "$build" "$commands") || exit 1
[ -n "$files" ] || { echo 'tidy: there are no files to look at' >&2; exit 1; }
keyed=$(printf '%s\n' "$files" | python3 scripts/tidy_keys.py "$build" "$commands") || exit 1
findings=$(printf '%s\n' "$keyed" |
    xargs -P "$(nproc)" -I{} bash -c 'tidy_new "$@"' tidy "$build" "$commands" "$cache" {} | sort -u)
[ -z "$findings" ] && exit 0
printf '%s\n' "$findings" >&2
exit 1
