#!/usr/bin/env bash
# What the parallel algorithms are measured against: CUB, compiled ahead of time by nvcc, with counts of 32 and of 64 bits.
# usage: cub_baseline.sh OUTPUT_FOLDER [ARCHITECTURE]      as in: build sm_90; without it that of the machine's GPU
# Leaves OUTPUT_FOLDER/libcub_baseline.so and libcub_baseline_64.so. CUPRUM_JOBS: compilers at once (one a core).
set -euo pipefail
sources=$(cd "$(dirname "${BASH_SOURCE[0]}")/../benchmarks/parallel/cub" && pwd)
mkdir -p "$1"
output=$(cd "$1" && pwd)
architecture=${2:-sm_$(nvidia-smi --query-gpu=compute_cap --format=csv,noheader | head -n 1 | tr -d .)}
objects=$(mktemp -d)
trap 'rm -rf "$objects"' EXIT

mkdir "$objects/32" "$objects/64"
for source in "$sources"/*.cu "$sources"/one_count/*.cu; do
    object=$(basename "$(dirname "$source")")_$(basename "$source" .cu).o
    printf -- '-o "%s" "%s"\n' "$objects/32/$object" "$source"
    [[ $source == */one_count/* ]] ||
        printf -- '-o "%s" -DBASELINE_COUNTS_64_BITS "%s"\n' "$objects/64/$object" "$source"
done | xargs -P "${CUPRUM_JOBS:-$(nproc)}" -L 1 nvcc -c -O3 -std=c++17 -arch="$architecture" -Xcompiler -fPIC
nvcc -shared -arch="$architecture" "$objects"/32/*.o -o "$output/libcub_baseline.so"
nvcc -shared -arch="$architecture" "$objects"/64/*.o -o "$output/libcub_baseline_64.so"
