// The calls over host memory of algorithms that keep some elements of one array.
#pragma once

#include "one_shot.hpp"

namespace cuprum::parallel {

// `name`: of the algorithm; `operation`: what is being done. Returns how many elements were kept.
template <class Algorithm>
uint64_t select_elements(const char* name, const char* operation, const HostInput& data, const Operator& op,
                         const HostOutput& output, const Execution& execution) {
    require_same_type(operation, "output", output.type, data.type);
    require_same_count(operation, data.count, output.count);
    const Execution target = runnable(operation, execution);
    const Algorithm built = kept_or_built(CallKey(name, target).add(data.type).add(op),
                                          [&] { return Algorithm(Iterator::pointer(data.type), op, target); });
    if (execution.is_host()) {
        uint64_t count = 0;
        built({}, in_place(data), in_place(output), &count, data.count);
        return count;
    }
    Job job(execution.device_id());
    const core::BufferRef input = job.upload(data.type, data.data, data.count);
    const core::BufferRef selected = job.memory_for(data.type, data.count);
    const core::BufferRef selected_count = job.memory_for(Type(TypeKind::uint64), 1);
    built(job.stream(), input, selected, selected_count, data.count,
          job.options(built.temp_storage_bytes(data.count), &op));
    uint64_t count = 0;
    job.download(selected_count, &count);
    job.wait();
    if (count > 0) job.download(selected.slice(0, count * data.type.size()), output.data);
    job.wait();
    return count;
}

}  // namespace cuprum::parallel
