#!/usr/bin/env bash
# For a GPU machine that has compilers and CUDA but reaches no package registry: builds C++, C and Python there from
# packages that were brought along (GoogleTest's .deb files, SWIG's wheel), then runs scripts/gpu_test.sh.
# usage: gpu_build_and_test.sh PACKAGES_FOLDER OUTPUT_FOLDER COMMIT
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
packages=$(cd "$1" && pwd)
build=$root/build-gpu
tools=$(mktemp -d)
for package in "$packages"/*.deb; do
    dpkg -x "$package" "$tools/debs"
done
python3 -m pip install --quiet --no-index --no-deps --target "$tools/python" "$packages"/*.whl
export PYTHONPATH="$tools/python" PATH="$tools/python/bin:$PATH"
cmake -S "$root" -B "$build" -G Ninja -DCUPRUM_BUILD_BENCHMARKS=ON -DCUPRUM_BUILD_PYTHON=ON \
    -DCUPRUM_UNITY_BUILD=ON -DCUPRUM_WARNINGS_AS_ERRORS=OFF -DCUPRUM_SIMULATOR_BASELINE_ONLY=ON \
    -DCMAKE_PREFIX_PATH="$tools/debs/usr" -DCUPRUM_PYTHON="$(command -v python3)" \
    -DPython_EXECUTABLE="$(command -v python3)" -DCUPRUM_SWIG_EXECUTABLE="$tools/python/bin/swig" >"$2/configure.log" 2>&1 ||
    { tail -n 40 "$2/configure.log"; exit 1; }
cmake --build "$build" -- -k 0 >"$2/build.log" 2>&1 || { grep -E 'error|FAILED' "$2/build.log" | head -n 40; exit 1; }
unset PYTHONPATH
exec "$root/scripts/gpu_test.sh" "$build" "$2" "$3"
