#include "cccl_stand_ins.hpp"

#include <array>
#include <string_view>

#include "cccl.hpp"

namespace cuprum::parallel {

namespace {

struct StandIn {
    std::string_view name;
    std::string_view text;
};

constexpr std::array stand_ins{
    // The host's C++ library, of which CUB uses what libcu++ has as well.
    StandIn{"cstdint", "#include <cuda/std/cstdint>\n"},
    StandIn{"stdint.h", "#include <cuda/std/cstdint>\n"},
    StandIn{"iterator", "#include <cuda/std/iterator>\n"},
    StandIn{"limits", "#include <cuda/std/limits>\n"},
    StandIn{"type_traits", "#include <cuda/std/type_traits>\n"},
    StandIn{"cassert", ""},
    StandIn{"cstdio", ""},
    StandIn{"stdio.h", ""},

    // Which device there is, and how many blocks it runs: host functions, beside the choice of a tuning. Every program
    // includes it first.
    StandIn{"cub/util_device.cuh", R"(#pragma once
#include <cuda/std/__cccl/cuda_capabilities.h>
#include <cuda/std/cstdint>
#include <cuda/std/iterator>
#include <cuda/std/limits>
#include <cuda/std/type_traits>
#include <cuda/std/utility>
namespace std { using namespace ::cuda::std; }
#include <cub/util_debug.cuh>
#include <cub/util_temporary_storage.cuh>
#include <cub/util_type.cuh>
CUB_NAMESPACE_BEGIN
namespace detail {
struct KernelConfig {
    template <class...> __device__ cudaError_t Init(...);
};
struct TripleChevronFactory;
template <class Policy, int Threads, int Items = Policy::ITEMS_PER_THREAD> struct policy_wrapper_t : Policy {
    static constexpr int BLOCK_THREADS = Threads, ITEMS_PER_THREAD = Items, ITEMS_PER_TILE = Threads * Items;
};
}
template <int Version, class Policy, class Older> struct ChainedPolicy {
    using ActivePolicy = ::cuda::std::_If<(CUB_PTX_ARCH < Version), typename Older::ActivePolicy, Policy>;
};
template <int Version, class Policy> struct ChainedPolicy<Version, Policy, Policy> { using ActivePolicy = Policy; };
CUB_NAMESPACE_END
)"},

    // Launches: the host's part of each algorithm names them, in templates that nothing uses here.
    StandIn{"thrust/system/cuda/detail/core/triple_chevron_launch.h", R"(#pragma once
#include <thrust/detail/config.h>
THRUST_NAMESPACE_BEGIN
namespace cuda_cub { namespace detail {
struct triple_chevron {
    template <class... Arguments> __device__ triple_chevron(Arguments...);
    template <class... Arguments> __device__ cudaError_t doit(Arguments...);
};
} }
THRUST_NAMESPACE_END
)"},

    // Thrust's iterators, which come with its error classes and the host's containers. Here only pointers are memory.
    StandIn{"thrust/type_traits/is_contiguous_iterator.h", R"(#pragma once
#include <thrust/detail/config.h>
#include <cuda/std/type_traits>
THRUST_NAMESPACE_BEGIN
template <class Iterator> struct is_contiguous_iterator : ::cuda::std::is_pointer<Iterator> {};
template <class Iterator> using try_unwrap_contiguous_iterator_t = Iterator;
template <class Iterator> __device__ Iterator try_unwrap_contiguous_iterator(Iterator it) { return it; }
THRUST_NAMESPACE_END
)"},
    StandIn{"thrust/system/cuda/detail/core/util.h", R"(#pragma once
#include <thrust/detail/config.h>
#include <cub/block/block_load.cuh>
#include <cub/iterator/cache_modified_input_iterator.cuh>
#include <cuda/std/iterator>
THRUST_NAMESPACE_BEGIN
namespace cuda_cub { namespace core {
template <class Policy, class Iterator> struct LoadIterator { using type = Iterator; };
template <class Policy, class T> struct LoadIterator<Policy, T*> {
    using type = cub::CacheModifiedInputIterator<Policy::LOAD_MODIFIER, ::cuda::std::remove_cv_t<T>, ::cuda::std::ptrdiff_t>;
};
template <class Policy, class Iterator>
__device__ __forceinline__ typename LoadIterator<Policy, Iterator>::type make_load_iterator(const Policy&, Iterator it) {
    return typename LoadIterator<Policy, Iterator>::type(it);
}
} }
THRUST_NAMESPACE_END
)"},

    // The kernels that are headers of their own from CCCL 3.0 on, under the names that they have there.
    StandIn{"cub/device/dispatch/kernels/scan.cuh", R"(#pragma once
#include <cub/device/dispatch/dispatch_scan.cuh>
CUB_NAMESPACE_BEGIN
namespace detail { namespace scan {
using cub::DeviceCompactInitKernel;
} }
CUB_NAMESPACE_END
)"},
    StandIn{"cub/device/dispatch/kernels/transform.cuh", "#include <cub/device/dispatch/dispatch_transform.cuh>\n"},
    StandIn{"cub/device/dispatch/kernels/merge_sort.cuh", R"(#pragma once
#include <cub/device/dispatch/dispatch_merge_sort.cuh>
CUB_NAMESPACE_BEGIN
namespace detail { namespace merge_sort {
using cub::DeviceMergeSortBlockSortKernel;
using cub::DeviceMergeSortMergeKernel;
using cub::DeviceMergeSortPartitionKernel;
using cub::detail::merge_sort_vsmem_helper_t;
} }
CUB_NAMESPACE_END
)"},
    // CUB's own takes the number of segments too, and stands in a header that wants the host's streams.
    StandIn{"cub/device/dispatch/kernels/segmented_reduce.cuh", R"(#pragma once
#include <cub/agent/agent_reduce.cuh>
#include <cub/device/dispatch/kernels/reduce.cuh>
CUB_NAMESPACE_BEGIN
namespace detail { namespace reduce {
template <class Policies, class Input, class Output, class Begins, class Ends, class Offset, class Op, class Init, class Accumulator>
__global__ __launch_bounds__(int(Policies::ActivePolicy::ReducePolicy::BLOCK_THREADS)) void DeviceSegmentedReduceKernel(
    Input in, Output out, Begins begins, Ends ends, Op op, Init init) {
    using agent_t = AgentReduce<typename Policies::ActivePolicy::ReducePolicy, Input, Output, Offset, Op, Accumulator>;
    __shared__ typename agent_t::TempStorage storage;
    const Offset begin = begins[blockIdx.x], end = ends[blockIdx.x];
    if (begin == end) {
        if (threadIdx.x == 0) out[blockIdx.x] = init;
        return;
    }
    const Accumulator total = agent_t(storage, in, op).ConsumeRange(begin, end);
    if (threadIdx.x == 0) finalize_and_store_aggregate(out + blockIdx.x, op, init, total);
}
} }
CUB_NAMESPACE_END
)"},
    StandIn{"cub/device/dispatch/kernels/radix_sort.cuh", R"(#pragma once
#include <cub/device/dispatch/dispatch_radix_sort.cuh>
CUB_NAMESPACE_BEGIN
namespace SortOrder {
constexpr bool Ascending = false, Descending = true;
}
namespace detail {
namespace radix_sort {
using cub::DeviceRadixSortExclusiveSumKernel;
using cub::DeviceRadixSortHistogramKernel;
using cub::DeviceRadixSortOnesweepKernel;
using cub::DeviceRadixSortSingleTileKernel;
}
}
CUB_NAMESPACE_END
)"},
};

}  // namespace

std::vector<std::pair<std::string, std::string>> cccl_stand_ins(int version) {
    std::vector<std::pair<std::string, std::string>> headers;
    if (version >= first_cccl_for_nvrtc) return headers;
    headers.reserve(stand_ins.size());
    for (const StandIn& header : stand_ins)
        headers.emplace_back(header.name, header.text);
    return headers;
}

}  // namespace cuprum::parallel
