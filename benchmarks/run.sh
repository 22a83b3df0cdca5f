#!/usr/bin/env bash
# Runs every benchmark of a build tree. usage: run.sh BUILD_FOLDER
set -euo pipefail
build=$1
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
printf '# commit %s, %s\n' "${CUPRUM_COMMIT:-$(git -C "$here" describe --always --dirty 2>/dev/null || echo unknown)}" "$(date -u +%F)"
"$build/bin/benchmark_kernels"
"$build/bin/benchmark_launch_overhead"
"${CUPRUM_PYTHON:-python3}" "$here/python_overhead.py"
if [ "${CUPRUM_DRIVER:-gpu}" = sim ]; then
    # What calls cost, without what they start; the folder is for cuda.bindings, which knows no simulator.
    CUPRUM_SIM=launch=none LD_LIBRARY_PATH="$build/lib/cuprum/simulator${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}" \
        "${CUPRUM_PYTHON:-python3}" "$here/python_bindings.py"
else
    "${CUPRUM_PYTHON:-python3}" "$here/python_bindings.py"
fi
