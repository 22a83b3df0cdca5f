#!/usr/bin/env bash
# clang-tidy over the hand-written C++ of the layers and the simulator. usage: tidy.sh BUILD_FOLDER
# (the build folder has the compile commands)
set -uo pipefail
build=$1
cd "$(dirname "${BASH_SOURCE[0]}")/.."
export PATH="$PWD/.venv/bin:$PATH"
findings=$(git ls-files '*/src/*.cpp' 'simulator/*.cpp' | grep -vE '^(tests|swig)/|/generated/' |
    xargs -P "$(nproc)" -n 1 clang-tidy --quiet -p "$build" 2>/dev/null | grep -E '(error|warning): ' | sort -u)
[ -z "$findings" ] && exit 0
printf '%s\n' "$findings" >&2
exit 1
