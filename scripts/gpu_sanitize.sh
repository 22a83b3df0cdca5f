#!/usr/bin/env bash
# Runs the C++ tests of a build on a GPU under compute-sanitizer: memcheck, racecheck and synccheck.
# usage: gpu_sanitize.sh BUILD_FOLDER OUTPUT_FOLDER [SECONDS]
# CUPRUM_SANITIZER_TOOLS names some of the three. SECONDS: how long one program may take under one tool (240). Programs run side by side, GoogleTest's in shards.
# Leaves OUTPUT_FOLDER/sanitizer.md and a log for each program and tool. Non-zero exit if a tool reported anything, a test
# failed, or a program did not end in time.
set -uo pipefail
build=$(cd "$1" && pwd)
mkdir -p "$2"
output=$(cd "$2" && pwd)
limit=${3:-240}
export CUPRUM_DRIVER=gpu CUPRUM_CACHE_DIR=${CUPRUM_CACHE_DIR:-$output/cache}

# Left out under every tool: what counts the device's free memory, which programs side by side change, and billions of
# elements, which take many minutes.
left_out='Memory.IsCountedWhileItIsHeld:VirtualMemoryResources.G*:UserResources.AndOthersTakeMemoryOver:Large.*:*32Bits*'
# Left out under one of them (seen with CUDA 13.0's):
# - Lanes of one warp that wait for each other: instrumented, they do not take turns, and the kernel does not end.
memcheck_left_out='Progress.LanesOfAWarpThatContendForALockAllGetIt'
racecheck_left_out='Progress.LanesThatWait*'
# - Reads before barrier.arrive and writes after the barrier.sync that it completes: racecheck takes them for a race.
racecheck_left_out+=':Barriers.ProducersArriveAndConsumersWait'
# - CUB's runs: warps store what they have no place for in one word of shared memory, which nobody reads.
racecheck_left_out+=':Runs.*'
# - A bulk copy to another block after cluster.sync(): a warning, the barrier is not seen.
racecheck_left_out+=':Clusters.BulkCopiesGoToOtherBlocks'
# - libcu++'s pipelines and barriers, and phases of an mbarrier that the test does not wait for: synccheck reports
#   "Missing wait" at the last phase, which nobody has to wait for.
synccheck_left_out='*Asynchronous*:Mbarrier*'

# Each program, and in how many shards.
programs() {
    echo test_core 4
    echo test_core_contexts 1
    echo test_bindings 1
    echo test_core_execution 8
    echo test_core_cuda_headers 2
    echo test_parallel 16
}

# run_one TOOL PROGRAM SHARD SHARDS: a line of the table.
run_one() {
    local tool=$1 program=$2 shard=$3 shards=$4 begin=$SECONDS status result
    local of_tool=${tool}_left_out
    local log=$output/$tool-$program-$shard.log
    GTEST_SHARD_INDEX=$shard GTEST_TOTAL_SHARDS=$shards timeout "$limit" compute-sanitizer --tool "$tool" \
        --report-api-errors no --error-exitcode 99 "$build/bin/$program" "--gtest_filter=-$left_out:${!of_tool}" >"$log" 2>&1
    status=$?
    case $status in
        0) result=clean ;;
        99) result="REPORTS: $(grep -m 1 -E '^=+ (Invalid|Race|Error|Barrier|Potential|Uninit)' "$log" | cut -c1-80)" ;;
        124) result="not finished in $limit s: $(grep '^\[ RUN' "$log" | tail -n 1 | cut -c14-90)" ;;
        *) result="FAILED ($status)" ;;
    esac
    printf '| %s | %s | %s of %s | %s | %s | %s |\n' "$tool" "$program" $((shard + 1)) "$shards" "$result" \
        $((SECONDS - begin)) "$(grep -E '^\[  PASSED  \]' "$log" | tail -n 1 | tr -d '|' | cut -c1-40)"
}
export -f run_one
export build output limit left_out memcheck_left_out racecheck_left_out synccheck_left_out

{
    echo "| tool | program | shard | result | seconds | |"
    echo "| --- | --- | --- | --- | --- | --- |"
    for tool in ${CUPRUM_SANITIZER_TOOLS:-memcheck racecheck synccheck}; do
        while read -r program shards; do
            for ((shard = 0; shard < shards; ++shard)); do
                printf '%s\0%s\0%s\0%s\0' "$tool" "$program" "$shard" "$shards"
            done
        done < <(programs)
    done | xargs -0 -n 4 -P "$(nproc)" bash -c 'run_one "$@"' run_one | sort
} | tee "$output/sanitizer.md"
! grep -qE 'REPORTS|FAILED|not finished' "$output/sanitizer.md"
