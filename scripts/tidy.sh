#!/usr/bin/env bash
# clang-tidy over the hand-written C++ of the layers and the simulator. usage: tidy.sh BUILD_FOLDER
# (the build folder has the compile commands)
set -uo pipefail
build=$1
cd "$(dirname "${BASH_SOURCE[0]}")/.."
export PATH="$PWD/.venv/bin:$PATH"
# Without these it would find nothing and say that all is well.
command -v clang-tidy >/dev/null || { echo 'tidy: clang-tidy is missing: ./run setup installs it' >&2; exit 1; }
[ -e "$build/compile_commands.json" ] || { echo "tidy: $build has no compile_commands.json" >&2; exit 1; }
findings=$(git ls-files '*/src/*.cpp' 'simulator/*.cpp' | grep -vE '^(tests|swig)/|/generated/' |
    xargs -P "$(nproc)" -n 1 clang-tidy --quiet -p "$build" 2>/dev/null | grep -E '(error|warning): ' | sort -u)
[ -z "$findings" ] && exit 0
printf '%s\n' "$findings" >&2
exit 1
