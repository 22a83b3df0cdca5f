#!/usr/bin/env bash
# Runs every benchmark of a build tree. usage: run.sh BUILD_FOLDER
set -euo pipefail
build=$1
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
printf '# commit %s, %s\n' "${CUPRUM_COMMIT:-$(git -C "$here" describe --always --dirty 2>/dev/null || echo unknown)}" "$(date -u +%F)"
"$build/bin/benchmark_kernels"
"$build/bin/benchmark_bindings_overhead"
"$build/bin/benchmark_launch_overhead"
"${CUPRUM_PYTHON:-python3}" "$here/python_overhead.py"
