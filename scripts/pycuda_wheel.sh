#!/usr/bin/env bash
# pycuda_wheel.sh PYTHON OUTPUT: PyCUDA as a wheel for that Python, and the wheels that it needs, for a machine without a
# compiler or a network: benchmarks/pycuda_overhead.py measures beside it. NumPy is expected to be there.
#
#   scripts/pycuda_wheel.sh python3.12 .whl
#   there: python3 -m pip install --no-index --no-deps --target site .whl/*.whl; PYTHONPATH=site ...
#
# It is the PyCUDA of scripts/pycuda-requirements.txt, built as for the tests on the simulator (setup.sh): without cuRAND's
# host library, and against the libcuda that is found when it is imported. nvcc is needed to run it, since it compiles with that.
set -euo pipefail
[ $# -eq 2 ] || { sed -n '2,8s/^# \?//p' "$0" >&2; exit 2; }
python=$1
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
mkdir -p "$2"
output=$(cd "$2" && pwd)
requirements=$root/scripts/pycuda-requirements.txt
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
nvcc=$(command -v nvcc || ls /usr/local/cuda/bin/nvcc "$root"/build/nvcc/nvidia/cu13/bin/nvcc 2>/dev/null | head -1)
cuda=$("$nvcc" --dryrun -c -x cu /dev/null -o /dev/null 2>&1 | sed -n 's/^#\$ TOP=//p')

"$python" -m venv "$work/environment"
pip() { "$work/environment/bin/python" -m pip --disable-pip-version-check --quiet "$@"; }
pip install numpy --requirement "$requirements"
mkdir "$work/home"
echo 'void nothing(void) {}' | cc -shared -fPIC -Wl,-soname,libcuda.so.1 -x c -o "$work/libcuda.so" -
printf "CUDA_ROOT = '%s'\nCUDA_INC_DIR = ['%s/include']\nCUDADRV_LIB_DIR = ['%s']\nCUDA_ENABLE_CURAND = False\n" \
    "$cuda" "$cuda" "$work" >"$work/home/.aksetup-defaults.py"
HOME=$work/home PATH=$(dirname "$nvcc"):$PATH LDFLAGS=-Wl,--no-as-needed pip wheel --no-cache-dir --no-deps \
    --no-build-isolation --no-binary pycuda --wheel-dir "$output" "$(sed -n 's/^# built: //p' "$requirements")"
pip download --no-deps --only-binary=:all: --dest "$output" \
    $(grep -v '^#\|^setuptools\|^wheel\|^packaging' "$requirements")
ls -l "$output"
