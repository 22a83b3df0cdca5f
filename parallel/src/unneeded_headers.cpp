#include "unneeded_headers.hpp"

#include <array>
#include <string_view>

namespace cuprum::parallel {

namespace {

// Of cuda/__ptx/instructions/generated: instructions for tensors, fabrics and single accesses, a function for each of
// their forms. A version of CCCL that lacks one is not given it either.
constexpr std::array<std::string_view, 38> instructions{
    "cp_async_bulk_tensor",
    "cp_async_bulk_tensor_gather_scatter",
    "cp_async_bulk_tensor_multicast",
    "cp_async_bulk_prefetch_tensor",
    "cp_reduce_async_bulk",
    "cp_reduce_async_bulk_bf16",
    "cp_reduce_async_bulk_f16",
    "cp_reduce_async_bulk_tensor",
    "fabric_submit",
    "fabric_try_atom",
    "fabric_try_get",
    "fabric_try_pullred",
    "fabric_try_put",
    "fabric_try_red",
    "fabric_wait",
    "ld",
    "ldmatrix",
    "multimem_ld_reduce",
    "multimem_red",
    "multimem_st",
    "red_async",
    "st",
    "st_async",
    "st_bulk",
    "stmatrix",
    "tcgen05_alloc",
    "tcgen05_commit",
    "tcgen05_cp",
    "tcgen05_fence",
    "tcgen05_ld",
    "tcgen05_mma",
    "tcgen05_mma_sp",
    "tcgen05_mma_ws",
    "tcgen05_shift",
    "tcgen05_st",
    "tcgen05_wait",
    "tensormap_cp_fenceproxy",
    "tensormap_replace",
};

// Of libcu++: what host code uses, and tuples of CUDA's vectors.
constexpr std::array<std::string_view, 5> others{
    "cuda/std/__functional/bind.h",
    "cuda/std/__functional/default_searcher.h",
    "cuda/std/__functional/function.h",
    "cuda/std/__tuple_dir/vector_types.h",
    "cuda/std/expected",
};

// Of 80 algorithms three, for host code that chooses tunings (CCCL 3.0 and 3.1).
constexpr std::string_view algorithms = R"(#pragma once
#include <cuda/std/__algorithm/clamp.h>
#include <cuda/std/__algorithm/max.h>
#include <cuda/std/__algorithm/min.h>
)";

// CUB knows views of several dimensions as elements' types, by their name: they need not be defined. Before CCCL 3.1
// nothing declares them either, from 3.2 on nothing includes them.
constexpr std::string_view views = R"(#pragma once
#include <cuda/std/__fwd/mdspan.h>
#include <cuda/std/array>
#include <cuda/std/span>
)";
constexpr std::string_view declared_view = R"(_LIBCUDACXX_BEGIN_NAMESPACE_STD
template <class Element, class Extents, class Layout, class Accessor> class mdspan;
_LIBCUDACXX_END_NAMESPACE_STD
)";
constexpr int first_with_declared_views = 3001000, first_without_views = 3002000;

}  // namespace

std::vector<std::pair<std::string, std::string>> unneeded_headers(int version) {
    std::vector<std::pair<std::string, std::string>> headers;
    headers.reserve(instructions.size() + others.size() + 2);
    for (const std::string_view name : instructions)
        headers.emplace_back("cuda/__ptx/instructions/generated/" + std::string(name) + ".h", "");
    for (const std::string_view name : others)
        headers.emplace_back(name, "");
    headers.emplace_back("cuda/std/__algorithm_", algorithms);
    if (version >= 3000000 && version < first_without_views) {
        headers.emplace_back("cuda/std/mdspan", views);
        if (version < first_with_declared_views) headers.back().second += declared_view;
    }
    return headers;
}

}  // namespace cuprum::parallel
