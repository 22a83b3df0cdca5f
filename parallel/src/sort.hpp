// What radix and merge sort share: the way over the host's cores, and the calls over host memory.
#pragma once

#include <optional>
#include <type_traits>

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

// Keys, and the values that move with them; the same memory where they are sorted in place.
struct HostSort {
    HostInput keys;
    HostOutput sorted;
    std::optional<HostInput> values;
    std::optional<HostOutput> moved;

    static HostSort in_place(const HostOutput& keys, const std::optional<HostOutput>& values);
    std::optional<Type> value_type() const { return values ? std::optional(values->type) : std::nullopt; }
    // Throws InvalidArgument for parts that do not go together.
    void check() const;
};

// By a sort that was built for that execution. `compare`: the operator that it was built with, or one with another
// state; null for a radix sort.
template <class Sort>
void sort_elements(const Sort& sort, const HostSort& what, const Operator* compare, const Execution& execution) {
    const HostInput& keys = what.keys;
    const HostOutput& sorted = what.sorted;
    const std::optional<HostInput>& values = what.values;
    const std::optional<HostOutput>& moved = what.moved;
    const auto call = [&](core::StreamRef stream, const Input& keys_in, const Output& keys_out, const Input* values_in,
                          const Output* values_out, const CallOptions& options) {
        const auto with = [&](const auto&... memory) {
            if constexpr (std::is_same_v<Sort, RadixSort>) {
                sort(stream, memory..., keys.count, {}, options);
            } else {
                sort(stream, memory..., keys.count, options);
            }
        };
        if (values_in == nullptr) return with(keys_in, keys_out);
        with(keys_in, keys_out, *values_in, *values_out);
    };
    if (execution.is_host()) {
        const Input keys_in = in_place(keys), values_in = values ? in_place(*values) : keys_in;
        const Output keys_out = in_place(sorted), values_out = moved ? in_place(*moved) : keys_out;
        return call({}, keys_in, keys_out, values ? &values_in : nullptr, &values_out, {});
    }
    Job job(execution.device_id());
    const core::BufferRef uploaded = job.upload(keys.type, keys.data, keys.count);
    const core::BufferRef on_device = job.memory_for(keys.type, keys.count);
    const core::BufferRef more = values ? job.upload(values->type, values->data, values->count) : uploaded;
    const core::BufferRef moved_on_device = values ? job.memory_for(values->type, values->count) : on_device;
    const Input keys_in(uploaded), values_in(more);
    const Output keys_out(on_device), values_out(moved_on_device);
    call(job.stream(), keys_in, keys_out, values ? &values_in : nullptr, &values_out,
         job.options(sort.temp_storage_bytes(keys.count), compare));
    job.download(on_device, sorted.data);
    if (moved) job.download(moved_on_device, moved->data);
    job.wait();
}

}  // namespace cuprum::parallel
