#!/usr/bin/env bash
# For a GPU machine that has compilers and CUDA but reaches no package registry: builds the algorithms, the Python package and
# the benchmarks once, runs the tests of the algorithms, of PyCUDA's interface and of the exchange with other libraries, and
# then measures: the algorithms beside CUB's, CuPy's and PyTorch's, small calls beside those of the last two, calls beside
# PyCUDA's.
# usage: gpu_measure.sh PACKAGES_FOLDER OUTPUT_FOLDER COMMIT [PYCUDA_FOLDER] [STEP...]
# PACKAGES_FOLDER: as for gpu_build_and_test.sh. PYCUDA_FOLDER: from pycuda_wheel.sh; "" for none.
# STEP: build, test, calls, algorithms; all of them where none is named. A build that is there is brought up to date.
# Leaves OUTPUT_FOLDER/measure.md and logs. Non-zero exit if anything failed.
set -uo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
packages=$(cd "$1" && pwd)
mkdir -p "$2"
output=$(cd "$2" && pwd)
commit=$3
pycuda=${4:+$(cd "$4" && pwd)}
steps=" ${*:5} "
[ $# -gt 4 ] || steps=" build test calls algorithms "
build=$root/build-gpu
tools=$build/tools
failed=0
export CUPRUM_DRIVER=gpu

does() { [[ $steps == *" $1 "* ]]; }

build() {
    rm -rf "$tools"
    mkdir -p "$tools/python"
    for package in "$packages"/*.deb; do dpkg -x "$package" "$tools/debs"; done
    python3 -m pip install --quiet --no-index --no-deps --target "$tools/python" "$packages"/*.whl
    [ -z "$pycuda" ] || python3 -m pip install --quiet --no-index --no-deps --target "$tools/pycuda" \
        "$pycuda"/{pycuda,pytools,mako,markupsafe,platformdirs,siphash24,typing_extensions}*.whl || failed=1
    "$root/scripts/cub_baseline.sh" "$tools" >"$output/nvcc.log" 2>&1 &
    local nvcc_job=$!
    PYTHONPATH="$tools/python" PATH="$tools/python/bin:$PATH" cmake -S "$root" -B "$build" -G Ninja \
        -DCMAKE_BUILD_TYPE=Release -DCUPRUM_UNITY_BUILD=ON -DCUPRUM_WARNINGS_AS_ERRORS=OFF -DCUPRUM_SIMULATOR_BASELINE_ONLY=ON \
        -DCUPRUM_BUILD_BENCHMARKS=ON -DCUPRUM_BUILD_TESTS=ON -DCUPRUM_BUILD_PYTHON=ON -DCMAKE_PREFIX_PATH="$tools/debs/usr" \
        -DCUPRUM_PYTHON="$(command -v python3)" -DPython_EXECUTABLE="$(command -v python3)" \
        -DCUPRUM_SWIG_EXECUTABLE="$tools/python/bin/swig" >"$output/configure.log" 2>&1 ||
        { tail -n 40 "$output/configure.log"; exit 1; }
    local targets
    targets=$(ninja -C "$build" -t targets all |
        grep -oE "^bin/(${CUPRUM_GPU_TARGETS:-benchmark_[a-z_]+|test_parallel[a-z_]*|cuprum}):" | tr -d : | sort -u)
    targets+=" cuprum_test_hide_paths bindings_driver_12"  # which tests look for
    # shellcheck disable=SC2086  # one word a target
    PYTHONPATH="$tools/python" cmake --build "$build" --target $targets cuprum_python_package -- -k 0 \
        >"$output/build.log" 2>&1 || { grep -E 'error|FAILED' "$output/build.log" | head -n 60; failed=1; }
    wait $nvcc_job || { grep -m 20 error "$output/nvcc.log"; failed=1; }
}

# check NAME COMMAND...: in the background; a line of the table.
check() {
    local name=$1 begin=$SECONDS result=ok
    shift
    timeout 240 "$@" >"$output/$name.log" 2>&1 || result="FAILED ($?)"
    echo "| $name | $result | $((SECONDS - begin)) | $(grep -E '^\[  (PASSED|FAILED)|passed|failed|^\|' "$output/$name.log" | tail -n 1 | tr '|' '/' | cut -c1-100) |" \
        >>"$output/tests.md"
    [ "$result" = ok ] || grep -E '\[  FAILED|^(FAILED|ERROR|E  )|Failure' -A 6 "$output/$name.log" | head -n 60
    [ "$result" = ok ]
}

run_tests() {
    local shard jobs=() job python=$build/python
    printf '| program | result | seconds | |\n| --- | --- | --- | --- |\n' >"$output/tests.md"
    for ((shard = 0; shard < 10; ++shard)); do
        GTEST_SHARD_INDEX=$shard GTEST_TOTAL_SHARDS=10 check "test_parallel_$shard" "$build/bin/test_parallel" \
            --gtest_filter='-*32Bits*:Large.*' &
        jobs+=($!)
    done
    check test_parallel_one_shot "$build/bin/test_parallel_one_shot" & jobs+=($!)
    check test_parallel_input "$build/bin/test_parallel_input" & jobs+=($!)
    PYTHONPATH=$python check pycuda python3 -m pytest -q -p no:cacheprovider "$root/tests/languages/pycuda" & jobs+=($!)
    check neighbours "$root/scripts/gpu_neighbours.sh" "$build" "$output" "$commit" & jobs+=($!)
    PYTHONPATH=$python check python_parallel python3 -m pytest -q -p no:cacheprovider "$root/tests/languages/python" -k \
        'parallel or histogram or sort or scan or topk or iterators or runs or operators or types or determin or each or wide or decompos or random' & jobs+=($!)
    for job in "${jobs[@]}"; do wait "$job" || failed=1; done
    sort "$output/tests.md"
}

measure_calls() {
    echo '```'
    timeout 240 "$root/benchmarks/small_calls.sh" "$build" || failed=1
    [ -z "$pycuda" ] || PYTHONPATH="$build/python:$tools/pycuda" timeout 120 python3 "$root/benchmarks/pycuda_overhead.py" || failed=1
    echo '```'
}

measure_algorithms() {
    echo '```'
    timeout 540 python3 "$root/benchmarks/parallel_table.py" "$build" "$tools"/libcub_baseline{,_64}.so || failed=1
    echo '```'
}

begin=$SECONDS
! does build || build
export LD_LIBRARY_PATH="$tools/debs/usr/lib/x86_64-linux-gnu${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}"
echo "built in $((SECONDS - begin)) s"
{
    echo "# $(nvidia-smi --query-gpu=name --format=csv,noheader | head -n 1), $(date -u +%F)"
    echo
    echo "- commit: $commit"
    echo "- driver: $(nvidia-smi --query-gpu=driver_version --format=csv,noheader | head -n 1)"
    echo "- nvcc: $(nvcc --version | sed -n 's/.*release \([0-9.]*\).*/\1/p'), $(python3 --version 2>&1), $(nproc) cores"
    echo
    ! does test || run_tests
    echo "tests done at $((SECONDS - begin)) s"
    ! does calls || measure_calls
    ! does algorithms || measure_algorithms
    echo "measured at $((SECONDS - begin)) s"
} >"$output/measure.md" 2>&1
cat "$output/measure.md"
exit $failed
