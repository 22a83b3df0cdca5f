// What the algorithms are measured against: CUB as its users call it, compiled ahead of time by nvcc. A library of its
// own, so that both run in one process. All functions have one form, which parallel.cpp knows as Baseline: with
// `storage` null they give the bytes needed; inputs and outputs are arrays in the order of the benchmark's row; the
// result is a cudaError_t.
//
// CUB compiles most algorithms for counts of 32 and of 64 bits, with tunings of their own: these files are compiled for
// each (scripts/cub_baseline.sh). What is in one_count/ CUB has for one width alone.
#pragma once

#include <cub/cub.cuh>

#include <cstdint>

#include "problem.hpp"

#ifdef BASELINE_COUNTS_64_BITS
using count_t = long long;
#else
using count_t = int;
#endif
inline count_t counted(long long n) {
    return static_cast<count_t>(n);
}

using Inputs = const void* const*;
using Outputs = void* const*;

template <class T>
const T* read(Inputs in, int index) {
    return static_cast<const T*>(in[index]);
}
template <class T>
T* write(Outputs out, int index) {
    return static_cast<T*>(out[index]);
}
// For what needs no storage: true where only the bytes are asked for.
inline bool needs_none(const void* storage, size_t* bytes) {
    if (storage == nullptr) *bytes = 1;
    return storage == nullptr;
}

// Not one that CUB knows.
struct LargerMagnitude {
    __host__ __device__ float operator()(float a, float b) const { return fabsf(a) > fabsf(b) ? a : b; }
};
struct Less {
    template <class T>
    __host__ __device__ bool operator()(T a, T b) const {
        return a < b;
    }
};
