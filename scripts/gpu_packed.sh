#!/usr/bin/env bash
# Every suite on a GPU machine, from what pack_gpu.sh and pack_managed.sh packed: C++, C and Python (gpu_test.sh) and, beside
# them, Java and C# (gpu_managed.sh). Meanwhile nvcc compiles CUB into PACKED_FOLDER/baseline, for benchmarks/parallel_table.py.
# usage: gpu_packed.sh PACKED_FOLDER MANAGED_FOLDER OUTPUT_FOLDER COMMIT
# PACKED_FOLDER: pack_gpu.sh's file, unpacked. MANAGED_FOLDER: has managed.txz.
# Leaves OUTPUT_FOLDER/{record,managed}.md and logs. Non-zero exit if anything failed. Under ten minutes with 16 cores.
set -uo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
packed=$(cd "$1" && pwd)
mkdir -p "$3"
output=$(cd "$3" && pwd)
export LD_LIBRARY_PATH="$packed/lib${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}" CUPRUM_GPU_BENCHMARKS=off CUPRUM_GPU_TEST_TIMEOUT=300
# The packages of Java and C# have Cuprum's libraries, but not what those of the system bring.
host_libraries=$packed/host-libraries
mkdir -p "$host_libraries"
ln -sf "$packed"/lib/lib{tbb,hwloc}* "$host_libraries/"
failed=0
CUPRUM_JOBS=4 nice "$root/scripts/cub_baseline.sh" "$packed/baseline" >"$output/nvcc.log" 2>&1 &
baseline=$!
LD_LIBRARY_PATH=$host_libraries "$root/scripts/gpu_managed.sh" "$output/managed" "$4" "$2" 500 >"$output/managed.log" 2>&1 &
managed=$!
"$root/scripts/gpu_test.sh" "$packed" "$output" "$4" || failed=1
wait $managed || failed=1
cp "$output/managed/managed.md" "$output/"
cat "$output/managed.md"
wait $baseline || { tail -n 20 "$output/nvcc.log"; failed=1; }
exit $failed
