#!/usr/bin/env bash
# Runs every benchmark of a build tree. usage: run.sh BUILD_FOLDER
set -euo pipefail
build=$1
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
printf '# commit %s, %s\n' "${CUPRUM_COMMIT:-$(git -C "$here" describe --always --dirty 2>/dev/null || echo unknown)}" "$(date -u +%F)"
"$build/bin/benchmark_kernels"
"$build/bin/benchmark_bindings_overhead"
"$build/bin/benchmark_launch_overhead"
"$build/bin/benchmark_launch_threads"
"$build/bin/benchmark_copy_overlap"
"$build/bin/benchmark_pathfinder"
"$build/bin/benchmark_simulator"
"$build/bin/benchmark_builds" --repeat 1
[ ! -x "$build/bin/benchmark_host_execution" ] || "$build/bin/benchmark_host_execution"
# Cost falls with cores: the same with one thread.
case $CUPRUM_DRIVER in
    gpu)
        # In the shapes of the tables, and in CUB's own.
        for algorithm in scan select radix_sort; do "$build/bin/benchmark_tuner" $algorithm --compare yes; done
        ;;
    *)
        CUPRUM_SIM=threads=1 "$build/bin/benchmark_simulator"
        CUPRUM_SIM=threads=1 "$build/bin/benchmark_programs"
        ;;
esac
"${CUPRUM_PYTHON:-python3}" "$here/pathfinder_python.py"
if [ "${CUPRUM_DRIVER:-gpu}" = sim ]; then
    # What calls cost, without what they start; the folder is for cuda.core and cuda.bindings, which know no simulator.
    export CUPRUM_SIM=launch=none LD_LIBRARY_PATH="$build/lib/cuprum/simulator${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}"
fi
# A launch through the C ABI, and in Java and C#, where they were built; then calls of built algorithms in all languages.
"$build/bin/benchmark_c_calls"
[ ! -e "$build/java/benchmarks" ] || java -cp "$build/java/cuprum.jar:$build/java/benchmarks" LaunchCost
[ ! -e "$build/csharp/benchmarks" ] || mono "$build/csharp/benchmarks/LaunchCost.exe"
"${CUPRUM_PYTHON:-python3}" "$here/built_calls.py" "$build"
"${CUPRUM_PYTHON:-python3}" "$here/python_overhead.py"
"${CUPRUM_PYTHON:-python3}" "$here/python_bindings.py"
