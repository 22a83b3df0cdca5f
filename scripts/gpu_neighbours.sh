#!/usr/bin/env bash
# On a machine with a GPU: Cuprum beside the libraries that its Python has (CuPy, PyTorch, JAX, numba-cuda, ...), exchange both
# ways and allocators both ways, and the programs of docs/ and examples/neighbours that need them. Two minutes or so.
# usage: gpu_neighbours.sh BUILD_FOLDER OUTPUT_FOLDER [COMMIT]
# BUILD_FOLDER has Cuprum's Python package; CUPRUM_PYTHON names the Python that has the libraries and pytest.
# Leaves OUTPUT_FOLDER/neighbours.md, a table for benchmarks/results, and neighbours.log. Non-zero exit if anything failed.
set -uo pipefail
build=$(cd "$1" && pwd)
mkdir -p "$2"
output=$(cd "$2" && pwd)
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
commit=${3:-$(git -C "$root" describe --always --dirty 2>/dev/null || echo unknown)}
python=${CUPRUM_PYTHON:-python3}
export CUPRUM_DRIVER=gpu CUPRUM_TEST_RECORD=$output/neighbours.table PYTHONDONTWRITEBYTECODE=1
export PYTHONPATH="$build/python${PYTHONPATH:+:$PYTHONPATH}"
rm -f "$CUPRUM_TEST_RECORD"
result=ok
begin=$SECONDS
timeout "${CUPRUM_GPU_TEST_TIMEOUT:-170}" "$python" -m pytest -v -rs -p no:cacheprovider "$root/tests/languages/neighbours" \
    >"$output/neighbours.log" 2>&1 || result="FAILED ($?)"
{
    echo "# Beside other libraries, $(nvidia-smi --query-gpu=name --format=csv,noheader | head -n 1), $(date -u +%F)"
    echo
    echo "- commit: $commit"
    echo "- GPUs: $(nvidia-smi --list-gpus | wc -l); what needs two is counted as not run where there is one"
    echo "- driver: $(nvidia-smi --query-gpu=driver_version --format=csv,noheader | head -n 1)"
    echo "- $("$python" --version 2>&1), $((SECONDS - begin)) s: $result"
    echo
    cat "$CUPRUM_TEST_RECORD" 2>/dev/null || echo "The tests did not end: see neighbours.log."
} >"$output/neighbours.md"
cat "$output/neighbours.md"
[ "$result" = ok ] || grep -E '^(FAILED|ERROR|E  )' "$output/neighbours.log" | head -n 80
[ "$result" = ok ]
