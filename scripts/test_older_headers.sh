#!/usr/bin/env bash
# Builds Cuprum and its Python package with the headers of CUDA 12.9 and runs the tests of cuprum.bindings on the
# simulator, where the libraries found at run time are those of CUDA 13. Needs the build that `./run test` makes, whose
# simulator it uses; takes some ten minutes of one core. CI has the C++ side of it alone: bindings_older_headers.
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
# shellcheck source=scripts/setup.sh
source "$root/scripts/setup.sh"
build=${CUPRUM_BUILD_DIR:-$root/build}
wheels=$build/cuda12.9
work=$build/cuda12-build
python=$root/.venv/bin/python
[ -e "$build/lib/cuprum/simulator/libcuda.so.1" ] || fail "$build has no simulator: call ./run test first"

install_for_tests "$wheels" headers12-requirements.txt
mkdir -p "$wheels/include"
cp -ru "$wheels"/nvidia/*/include/. "$wheels/include"  # all headers must be in one folder

cmake -S "$root" -B "$work" -G Ninja -DCMAKE_BUILD_TYPE=Release -DCUPRUM_BUILD_TESTS=OFF \
    -DCUPRUM_BUILD_HOST_EXECUTION=OFF -DCUPRUM_BUILD_PYTHON=ON -DCUPRUM_CUDA_INCLUDE_DIR="$wheels/include" \
    -DCUPRUM_PYTHON="$python" -DPython_EXECUTABLE="$python" -DCUPRUM_SWIG_EXECUTABLE="$root/.venv/bin/swig"
cmake --build "$work" --target cuprum_python_package
mkdir -p "$work/lib/cuprum"
rm -rf "$work/lib/cuprum/simulator"
ln -s "$build/lib/cuprum/simulator" "$work/lib/cuprum/simulator"

export PYTHONPATH=$work/python PYTHONPYCACHEPREFIX=$work/bytecode CUPRUM_DRIVER=sim
export CUPRUM_TEST_HIDE_PATHS=$build/lib/libcuprum_test_hide_paths.so
export CUPRUM_TEST_OLD_DRIVER=$build/tests/unit/bindings/driver_12 LD_LIBRARY_PATH=$build/tests/unit/bindings/nvml
exec "$python" -m pytest -q -p no:cacheprovider "$root"/tests/languages/python/test_bindings_*.py "$@"
