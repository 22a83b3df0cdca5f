#!/usr/bin/env bash
# What small calls cost, in every language that is there: calls over host data, calls of built algorithms, builds.
# usage: small_calls.sh BUILD_FOLDER      a build tree, or what scripts/pack_gpu.sh packed
# CUPRUM_PYTHON names a Python with NumPy; CuPy and PyTorch are measured beside where it has them.
set -uo pipefail
build=$1
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
export LD_LIBRARY_PATH="$build/lib${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}"
for program in benchmark_parallel_one_shot benchmark_one_shot; do
    [ ! -x "$build/bin/$program" ] || "$build/bin/$program"
done
# The host time of calls in C++, of which Python's is at most a microsecond more.
[ ! -x "$build/bin/benchmark_parallel" ] || "$build/bin/benchmark_parallel" --calls | grep 'per call'
[ ! -e "$build/java/benchmarks" ] || java -cp "$build/java/cuprum.jar:$build/java/benchmarks" OneShotCost
[ ! -e "$build/csharp/benchmarks" ] || mono "$build/csharp/benchmarks/OneShotCost.exe"
"${CUPRUM_PYTHON:-python3}" "$here/built_calls.py" "$build"
PYTHONPATH="$build/python${PYTHONPATH:+:$PYTHONPATH}" "${CUPRUM_PYTHON:-python3}" "$here/small_calls.py"
