// <cuda.h> with every exported name as a function of its own.
//
// NVIDIA's header offers programs `cuMemAlloc` as a macro for `cuMemAlloc_v2`. Code that defines the functions needs
// the names themselves, old versions and per-thread (_ptsz, _ptds) forms included: __CUDA_API_VERSION_INTERNAL is the
// header's own switch for that. The compiler then checks each definition against its declaration.
#pragma once

#ifndef __CUDA_API_VERSION_INTERNAL
#define __CUDA_API_VERSION_INTERNAL  // NOLINT(clang-diagnostic-reserved-macro-identifier)
#endif
// Everything else in the library is hidden.
#pragma GCC visibility push(default)
#include <cuda.h>
#include <cudaProfiler.h>
#pragma GCC visibility pop
