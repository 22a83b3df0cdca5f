#!/usr/bin/env bash
# For a GPU machine with compilers and nvcc: the parallel algorithms' tests on the GPU, then their times beside CUB's
# compiled ahead of time and those of the CuPy and PyTorch that python3 has, and how long building takes, cold and from
# the disk cache.
# usage: gpu_parallel.sh OUTPUT_FOLDER COMMIT [PACKAGES_FOLDER]
# PACKAGES_FOLDER: with GoogleTest's .deb files; without it, and without GoogleTest, the tests are left out.
# CUPRUM_GPU_PARALLEL_TESTS=off leaves them out too: about two minutes to build and three on the GPU, with 16 cores.
# Leaves OUTPUT_FOLDER/parallel.md. Non-zero exit if anything failed; a row that fails does not end it.
set -uo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
mkdir -p "$1"
output=$(cd "$1" && pwd)
build=$root/build-gpu-parallel
tools=$(mktemp -d)
prefix=
if [ $# -ge 3 ]; then
    for package in "$3"/*.deb; do dpkg -x "$package" "$tools/debs"; done
    prefix=$tools/debs/usr
fi
tests=OFF
[ -n "$prefix" ] || [ -d /usr/include/gtest ] && tests=ON
[ "${CUPRUM_GPU_PARALLEL_TESTS:-on}" = on ] || tests=OFF
failed=0
export CUPRUM_DRIVER=gpu CUPRUM_CACHE_DIR=$tools/cache

"$root/scripts/cub_baseline.sh" "$tools" >"$output/nvcc.log" 2>&1 &
nvcc_job=$!
cmake -S "$root" -B "$build" -G Ninja -DCMAKE_BUILD_TYPE=Release -DCUPRUM_BUILD_BENCHMARKS=ON \
    -DCUPRUM_BUILD_TESTS=$tests -DCMAKE_PREFIX_PATH="$prefix" >"$output/configure.log" 2>&1 ||
    { tail -n 40 "$output/configure.log"; exit 1; }
targets=(benchmark_parallel)
[ $tests = ON ] && targets+=(test_parallel test_parallel_call_cost)
cmake --build "$build" --target "${targets[@]}" >"$output/build.log" 2>&1 ||
    { grep -E 'error|FAILED' "$output/build.log" | head -n 40; exit 1; }
wait $nvcc_job || { cat "$output/nvcc.log"; exit 1; }

{
    echo "# Parallel algorithms on $(nvidia-smi --query-gpu=name --format=csv,noheader | head -n 1), $(date -u +%F)"
    echo
    echo "- commit: $2"
    echo "- driver: $(nvidia-smi --query-gpu=driver_version --format=csv,noheader | head -n 1)"
    echo "- nvcc: $(nvcc --version | sed -n 's/.*release \([0-9.]*\).*/\1/p')"
    if [ $tests = ON ]; then
        "$build/bin/test_parallel" >"$output/test_parallel.log" 2>&1 || { failed=1; grep -B 12 'FAILED' "$output/test_parallel.log" | head -n 80; }
        "$build/bin/test_parallel_call_cost" >"$output/test_parallel_call_cost.log" 2>&1 || { failed=1; grep -B 12 'FAILED' "$output/test_parallel_call_cost.log" | head -n 40; }
        echo "- tests: $(grep -E '^\[  (PASSED|FAILED)' "$output/test_parallel.log" | head -n 2 | tr '\n' ' ')"
    fi
    # Every build below is compiled; the second run finds them on disk.
    rm -rf "$CUPRUM_CACHE_DIR"
    echo
    echo '```'
    timeout 540 python3 "$root/benchmarks/parallel_table.py" "$build" "$tools"/libcub_baseline{,_64}.so || failed=1
    echo
    echo "# again, from the disk cache"
    timeout 120 "$build/bin/benchmark_parallel" "$tools/libcub_baseline.so" --sizes 16 | grep built || failed=1
    echo
    echo "# what a call costs the host"
    timeout 120 "$build/bin/benchmark_parallel" --calls | grep 'per call' || failed=1
    echo '```'
} >"$output/parallel.md"
cat "$output/parallel.md"
exit $failed
