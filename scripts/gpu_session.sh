#!/usr/bin/env bash
# All that is to be seen on a GPU machine, in one call: builds there, then runs the tests of C++, C and Python
# (gpu_test.sh), those of Java and C# beside them (gpu_managed.sh), and compute-sanitizer over the C++ tests
# (gpu_sanitize.sh). About ten minutes with 16 cores.
# usage: gpu_session.sh PACKAGES_FOLDER MANAGED_FOLDER OUTPUT_FOLDER COMMIT
# PACKAGES_FOLDER: .deb files of GoogleTest and TBB, SWIG's wheel. MANAGED_FOLDER: from pack_managed.sh.
# Leaves OUTPUT_FOLDER/{record,managed,sanitizer}.md and logs. Non-zero exit if anything failed.
set -uo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
mkdir -p "$3"
output=$(cd "$3" && pwd)
libraries=$(mktemp -d)
for package in "$1"/libtbb*.deb "$1"/libhwloc*.deb; do dpkg -x "$package" "$libraries"; done
export LD_LIBRARY_PATH="$libraries/usr/lib/x86_64-linux-gnu${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}"
failed=0
"$root/scripts/gpu_managed.sh" "$output/managed" "$4" "$2" >"$output/managed.log" 2>&1 &
managed=$!
CUPRUM_GPU_BENCHMARKS=${CUPRUM_GPU_BENCHMARKS:-off} "$root/scripts/gpu_build_and_test.sh" "$1" "$output" "$4" || failed=1
wait $managed || failed=1
cp "$output/managed/managed.md" "$output/" && cat "$output/managed.md"
"$root/scripts/gpu_sanitize.sh" "$root/build-gpu" "$output/sanitize" 150 || failed=1
cp "$output/sanitize/sanitizer.md" "$output/"
exit $failed
