// What each rank has of data that is spread over several.
#pragma once

#include <cstdint>

#include "cuprum/core/buffer.hpp"
#include "cuprum/parallel/type.hpp"

namespace cuprum::parallel::distributed {

/// The elements of one rank, in memory of its device. Data that is spread over the ranks of a communicator is a shard
/// for each rank of this process, in their order; shards may have different numbers of elements, and none. Borrows the
/// memory.
struct Shard {
    Type type;
    core::BufferRef memory;
    uint64_t count = 0;  ///< elements

    template <class T>
    static Shard of(const core::BufferRef& memory, uint64_t count) {
        return {Type::of<T>(), memory, count};
    }
    /// As many as fit.
    template <class T>
    static Shard of(const core::BufferRef& memory) {
        return of<T>(memory, memory.size() / sizeof(T));
    }
};

}  // namespace cuprum::parallel::distributed
