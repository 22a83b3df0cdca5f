#!/usr/bin/env bash
# Tunes the algorithms on a GPU machine, and shows what that is worth. From programs that pack_gpu.sh packed: runs the tests
# of what is tuned, lets benchmark_tuner look for rows, runs the tests with these, and measures beside CUB with Cuprum's own
# rows and with the new ones. About six minutes with 16 cores for all four algorithms.
# usage: gpu_tune.sh PACKED_FOLDER OUTPUT_FOLDER COMMIT [ALGORITHM...]
# PACKED_FOLDER: pack_gpu.sh BUILD_FOLDER FILE test_parallel driver_conformance_tests benchmark_tuner benchmark_parallel,
# unpacked.
# ALGORITHM: scan, select, partition, radix_sort; all four where none is named.
# Leaves OUTPUT_FOLDER/tuned.md, the rows in tunings.txt, and logs. Non-zero exit if anything failed.
set -uo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
packed=$(cd "$1" && pwd)
mkdir -p "$2"
output=$(cd "$2" && pwd)
commit=$3
shift 3
[ $# -gt 0 ] || set -- scan select partition radix_sort
export LD_LIBRARY_PATH="$packed/lib${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}" CUPRUM_DRIVER=${CUPRUM_DRIVER:-gpu} CUPRUM_CACHE_DIR=$packed/cache
unset CUPRUM_TUNINGS
failed=0
tests='--gtest_filter=TilePrefix.*:Tuned.*:PrefixScan.*:Selection.*:Partition*:Radix.*'
rows=$output/tunings.txt
rm -f "$rows"

# Where the test programs look for their data is where they were built.
source_folder=$(cat "$packed/source-folder")
[ -e "$source_folder" ] || { mkdir -p "$(dirname "$source_folder")" && ln -s "$root" "$source_folder"; }

# check NAME COMMAND...: a line that says how it went.
check() {
    local name=$1 begin=$SECONDS result=ok
    shift
    timeout 200 "$@" >"$output/$name.log" 2>&1 || result="FAILED ($?)"
    echo "- $name: $result, $((SECONDS - begin)) s; $(grep -E '^\[  (PASSED|FAILED)' "$output/$name.log" | head -n 2 | tr '\n' ' ')"
    [ "$result" = ok ] || { grep -E 'Failure|\[  FAILED|error' -A 6 "$output/$name.log" | head -n 60 >&2; false; }
}

# What benchmarks/parallel_table.py says of what is tuned, with rows of one's own if a file of them is given.
# measure TITLE [ROWS]
measure() {
    printf '\n## %s\n\n```\n' "$1"
    [ $# -lt 2 ] || cat "$2"
    env ${2:+"CUPRUM_TUNINGS=$2"} timeout 200 python3 "$root/benchmarks/parallel_table.py" "$packed" \
        "$packed"/baseline/libcub_baseline{,_64}.so "${only[@]}" 2>&1 || failed=1
    echo '```'
}

only=()
for algorithm in "$@"; do
    case $algorithm in
        scan) only+=(--only "scan sum f32") ;;
        select) only+=(--only "select f32") ;;
        partition) only+=(--only "partition f32") ;;
        radix_sort) only+=(--only "radix keys u32" --only "radix pairs u32+u32" --only "radix keys u128, n / 4") ;;
        *) echo "gpu_tune: there is nothing to tune in $algorithm" >&2; exit 2 ;;
    esac
done

{
    echo "# Tuned on $(nvidia-smi --query-gpu=name --format=csv,noheader | head -n 1), $(date -u +%F)"
    echo
    echo "- commit: $commit"
    echo "- driver: $(nvidia-smi --query-gpu=driver_version --format=csv,noheader | head -n 1)"
} >"$output/tuned.md"
"$root/scripts/cub_baseline.sh" "$packed/baseline" >"$output/nvcc.log" 2>&1 &
jobs=($!)
CUPRUM_TEST_DRIVER=libcuda.so.1 check driver_conformance_tests "$packed/bin/driver_conformance_tests" >>"$output/tuned.md" &
jobs+=($!)
check tests_of_cuprums_rows "$packed/bin/test_parallel" "$tests" >>"$output/tuned.md" &
jobs+=($!)
CUPRUM_TUNINGS=$root/tests/conformance/parallel/tunings.txt \
    check tests_of_the_tests_rows "$packed/bin/test_parallel" "$tests" >>"$output/tuned.md" &
jobs+=($!)
for job in "${jobs[@]}"; do wait "$job" || failed=1; done

for algorithm in "$@"; do
    check "tuner_$algorithm" "$packed/bin/benchmark_tuner" "$algorithm" --table "$rows" >>"$output/tuned.md" || failed=1
done
CUPRUM_TUNINGS=$rows check tests_of_the_new_rows "$packed/bin/test_parallel" "$tests" >>"$output/tuned.md" || failed=1
{
    measure "With the rows that Cuprum comes with"
    measure "With new rows" "$rows"
} >>"$output/tuned.md"
cat "$output/tuned.md"
for algorithm in "$@"; do grep -A 6 candidates "$output/tuner_$algorithm.log"; done
exit $failed
