#!/usr/bin/env bash
# Runs, on a machine with a GPU, what CI runs on the simulator: the conformance tests, the C and Python tests, the demo;
# then the benchmarks. Works on a build folder made elsewhere, too.
# usage: gpu_test.sh BUILD_FOLDER OUTPUT_FOLDER [COMMIT]
# Leaves OUTPUT_FOLDER/record.md (what ran, where, with which result) and the logs. Non-zero exit if anything failed.
# CUPRUM_GPU_BENCHMARKS=off leaves the benchmarks out.
set -uo pipefail
build=$(cd "$1" && pwd)
mkdir -p "$2"
output=$(cd "$2" && pwd)
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
commit=${3:-$(git -C "$root" describe --always --dirty 2>/dev/null || echo unknown)}
python=${CUPRUM_PYTHON:-python3}
# A packed build's programs look for their data where they were built from.
source_folder=$(cat "$build/source-folder" 2>/dev/null || true)
if [ -n "$source_folder" ] && [ ! -e "$source_folder" ]; then
    mkdir -p "$(dirname "$source_folder")"
    ln -s "$root" "$source_folder"
fi
# And the libraries of Python's package where they were built, where LD_LIBRARY_PATH is a test's own.
[ -e "$root/build" ] || ln -s "$build" "$root/build"
export CUPRUM_DRIVER=gpu
export PYTHONPATH="$build/python${PYTHONPATH:+:$PYTHONPATH}" PYTHONDONTWRITEBYTECODE=1
failed=0

{
    echo "# $(nvidia-smi --query-gpu=name --format=csv,noheader | head -n 1), $(date -u +%F)"
    echo
    echo "- commit: $commit"
    echo "- GPUs: $(nvidia-smi --list-gpus | wc -l); what needs two is skipped where there is one"
    echo "- driver: $(nvidia-smi --query-gpu=driver_version --format=csv,noheader | head -n 1)"
    echo "- host: $(nproc) cores, $("$python" --version 2>&1)"
    echo "- NVRTC: $("$python" -c 'import json; from cuprum import _cuprum as c; print(next(p["version"] for p in json.loads(c.cuprum_info_json())["parts"] if p["name"] == "nvrtc"))' 2>/dev/null || echo unknown)"
    echo
    echo "## Tests"
    echo
    echo "| program | result | seconds | last line |"
    echo "| --- | --- | --- | --- |"
} >"$output/record.md"

# check NAME COMMAND...: one line of the table, and a log of its own. What hangs must leave time for the rest.
check() {
    local name=$1 begin=$SECONDS result=ok
    shift
    timeout "${CUPRUM_GPU_TEST_TIMEOUT:-150}" "$@" >"$output/$name.log" 2>&1 || { result="FAILED ($?)"; failed=1; }
    echo "| $name | $result | $((SECONDS - begin)) | $(tail -n 1 "$output/$name.log" | tr '|' '/' | cut -c1-100) |" \
        >>"$output/record.md"
    printf '%-32s %s\n' "$name" "$result"
    [ "$result" = ok ] || tail -n 40 "$output/$name.log"
}

# check_beside NAME COMMAND...: the same beside up to seven others, for what measures nothing and needs no device of its
# own. wait_for_checks waits for them.
check_beside() {
    while [ "$(jobs -rp | wc -l)" -ge 8 ]; do wait -n || failed=1; done
    (failed=0 && check "$@" && exit $failed) &
}
wait_for_checks() {
    local job
    for job in $(jobs -p); do wait "$job" || failed=1; done
}

# Left out: fault injection forks a child per fault, which a real driver does not bear; test_core_no_toolkit needs parts
# of the machine hidden, and no GPU.
for program in "$build"/bin/test_core* "$build/bin/test_capi_objects" "$build/bin/test_parallel_several_devices" "$build/bin/test_parallel_distributed" \
    "$build/bin/test_parallel_out_of_core" "$build/bin/test_parallel_one_shot"; do
    case $program in *_faults | *_no_toolkit) continue ;; esac
    beside=_beside
    [ "$program" != "$build/bin/test_core" ] || beside=  # it counts the device's free memory
    "check$beside" "$(basename "$program")" "$program"
done
# In shards, since most of the time goes to compiling; without arrays of billions of elements, which want the device alone.
for shard in 0 1 2 3 4 5 6 7; do
    check_beside "test_parallel_$shard" env GTEST_TOTAL_SHARDS=8 GTEST_SHARD_INDEX=$shard "$build/bin/test_parallel" \
        '--gtest_filter=-*32Bits*:Large.*'
done
CUPRUM_TUNINGS="$root/tests/conformance/parallel/tunings.txt" check_beside test_parallel_tuned "$build/bin/test_parallel" \
    '--gtest_filter=PrefixScan.*:Selection.*:Partition.*:Radix.*:Tuned.*:TilePrefix.*-*32Bits*'
CUPRUM_TEST_SHOWN="$output/shown-cpp.txt" check_beside test_bindings "$build/bin/test_bindings"
CUPRUM_TEST_DRIVER=libcuda.so.1 check_beside driver_conformance_tests "$build/bin/driver_conformance_tests"
export CUPRUM_PTX_FORMS="$root/tests/conformance/ptx/forms"
check_beside ptx_conformance "$build/bin/ptx_conformance"
# The simulator against this GPU, bit by bit: differences are listed in the log.
check_beside ptx_conformance_compare "$build/bin/ptx_conformance" --compare --random 2048 \
    --known "$root/tests/conformance/ptx/h200_differences.txt"
# Scalar video instructions, which the simulator computes as a GPU does if asked to.
gpu_video=$root/tests/conformance/ptx/gpu_video.txt
check_beside ptx_conformance_gpu_video "$build/bin/ptx_conformance" "$gpu_video"
CUPRUM_SIM=cc=9.0,video=gpu check_beside ptx_conformance_compare_gpu_video "$build/bin/ptx_conformance" --compare --random 2048 \
    "$gpu_video" "$CUPRUM_PTX_FORMS/video.txt"
# In CI alone run the scenarios that need parts of the machine hidden or the tests' own NCCL; a communicator takes three
# devices.
left_out='no_.*|old_nccl|nccl_rank'
[ "$(nvidia-smi --list-gpus | wc -l)" -ge 3 ] || left_out+='|distributed|nccl'
for scenario in $("$build/bin/test_c" | sed -n 's/^  //p' | grep -vxE "$left_out"); do
    check_beside "test_c_$scenario" "$build/bin/test_c" "$scenario"
done
wait_for_checks
check cuprum_info "$build/bin/cuprum" info
check cuprum_doctor "$build/bin/cuprum" doctor
# Side by side where pytest-xdist is there: most of the time goes to compiling.
workers=$("$python" -c 'import xdist' 2>/dev/null && echo "-n 6 -p no:benchmark")
export CUPRUM_TEST_HIDE_PATHS
CUPRUM_TEST_HIDE_PATHS=$(find "$build" -name 'lib*hide_paths*.so' | head -n 1)
export CUPRUM_TEST_OLD_DRIVER="$build/tests/unit/bindings/driver_12"
# Names and all, so that the log says where a run that did not end was. Waits that are interrupted go last: what goes wrong
# there hangs.
interrupts=$root/tests/languages/python/test_interrupt.py
CUPRUM_GPU_TEST_TIMEOUT=300 CUPRUM_TEST_SHOWN="$output/shown-python.txt" check python_tests "$python" -m pytest -v -p no:cacheprovider $workers \
    "$root/tests/languages/python" "--ignore=$interrupts"
check python_interrupts "$python" -m pytest -v -x -p no:cacheprovider "$interrupts"
check bindings_most_used "$python" "$root/tests/conformance/bindings/check_most_used.py" \
    "cpp=$output/shown-cpp.txt" "python=$output/shown-python.txt"

# Every example that is built, but for SAXPY, which the demo runs.
for source in "$root"/examples/cpp/*.cpp; do
    example=$(basename "$source" .cpp)
    [ "$example" != saxpy ] || continue
    check_beside "example_cpp_$example" "$build/bin/${example}_cpp"
    check_beside "example_c_$example" "$build/bin/${example}_c"
    check_beside "example_python_$example" "$python" "$root/examples/python/$example.py"
done
wait_for_checks

{
    echo
    echo "## Demo"
    echo
    echo '```'
    for program in "$build/bin/saxpy_cpp" "$build/bin/saxpy_c" "$python $root/examples/python/saxpy.py"; do
        $program --row || { failed=1; echo "$program FAILED"; }
    done
    if command -v java >/dev/null && [ -e "$build/java/cuprum.jar" ]; then
        java -cp "$build/java/cuprum.jar:$build/java/examples" Saxpy --row || { failed=1; echo "Java FAILED"; }
    fi
    if command -v mono >/dev/null && [ -e "$build/csharp/examples/Saxpy.exe" ]; then
        mono "$build/csharp/examples/Saxpy.exe" --row || { failed=1; echo "C# FAILED"; }
    fi
    echo '```'
    if [ "${CUPRUM_GPU_BENCHMARKS:-on}" = on ]; then
        echo
        echo "## Benchmarks"
        echo
        echo '```'
        CUPRUM_COMMIT=$commit CUPRUM_PYTHON=$python "$root/benchmarks/run.sh" "$build" || failed=1
        echo '```'
    fi
} >>"$output/record.md" 2>&1
cat "$output/record.md"
exit $failed
