#!/usr/bin/env bash
# For a GPU machine that has compilers and CUDA but reaches no package registry: builds C++, C and Python there from
# packages that were brought along, then runs scripts/gpu_test.sh.
# usage: gpu_build_and_test.sh PACKAGES_FOLDER OUTPUT_FOLDER COMMIT
# PACKAGES_FOLDER: .deb files of GoogleTest and TBB, SWIG's wheel.
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
mkdir -p "$2"
CUPRUM_GPU_TARGETS='benchmark_[a-z_]+|test_core[a-z_]*|test_capi_objects|test_parallel[a-z_]*|test_bindings|test_c'
CUPRUM_GPU_TARGETS+='|driver_conformance_tests|ptx_conformance|cuprum|compile_cache_client|[a-z_]+_(cpp|c)'
export CUPRUM_GPU_TARGETS
"$root/scripts/gpu_measure.sh" "$1" "$2" "$3" "" build
export LD_LIBRARY_PATH="$root/build-gpu/tools/debs/usr/lib/x86_64-linux-gnu${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}"
exec "$root/scripts/gpu_test.sh" "$root/build-gpu" "$2" "$3"
