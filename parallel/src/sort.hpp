// What radix and merge sort share: the way over the host's cores, and the calls over host memory.
#pragma once

#include <optional>

#include "cuprum/parallel/radix_sort.hpp"
#include "host_execution.hpp"
#include "one_shot.hpp"

namespace cuprum::parallel {

// A sort's memory; values null for keys alone.
struct SortMemory {
    const Type& keys;
    const Type* values;
    const Input& keys_in;
    const Output& keys_out;
    const Input* values_in;
    const Output* values_out;
};
// Throws InvalidArgument.
void check_sort_on_host(const HostCall& call, const SortMemory& memory);
// By the bits [begin_bit, end_bit) of the keys; stable.
void sort_on_host(const HostCall& call, const SortMemory& memory, SortOrder order, int32_t begin_bit, int32_t end_bit);

inline std::optional<Type> type_of(const std::optional<HostOutput>& values) {
    return values ? std::optional(values->type) : std::nullopt;
}

// Keys in place, and values with them, by a sort that was built for that execution.
template <class Sort>
void sort_in_place(const Sort& sort, const HostOutput& keys, const std::optional<HostOutput>& values,
                   const Execution& execution) {
    if (values) require_same_count("sorting", keys.count, values->count);
    if (execution.is_host()) {
        const Input keys_in(static_cast<const std::byte*>(keys.data));
        if (!values) return sort({}, keys_in, in_place(keys), keys.count);
        return sort({}, keys_in, in_place(keys), static_cast<const std::byte*>(values->data), in_place(*values),
                    keys.count);
    }
    const Job job(execution.device_id());
    const core::Buffer keys_in = job.upload(keys.type, keys.data, keys.count);
    const core::Buffer values_in = values ? job.upload(values->type, values->data, values->count) : core::Buffer();
    const core::Buffer keys_out = job.memory_for(keys.type, keys.count);
    const core::Buffer values_out = values ? job.memory_for(values->type, values->count) : core::Buffer();
    if (values) {
        sort(job.stream(), keys_in, keys_out, values_in, values_out, keys.count);
    } else {
        sort(job.stream(), keys_in, keys_out, keys.count);
    }
    job.download(keys_out, keys.data);
    if (values) job.download(values_out, values->data);
    job.wait();
}

}  // namespace cuprum::parallel
