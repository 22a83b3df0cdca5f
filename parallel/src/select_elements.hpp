// The calls over host memory of algorithms that keep some elements of one array.
#pragma once

#include <vector>

#include "one_shot.hpp"

namespace cuprum::parallel {

// `read`: what it reads, of which the first is that of which elements are kept, and which the output may be; `op`: the
// operator whose state the options have, if there is one; `call`: with a stream, inputs, the output, where the number
// goes, and options. Returns how many elements were kept.
template <class Algorithm, class Call>
uint64_t keep_elements(const char* operation, const Algorithm& built, const std::vector<HostInput>& read,
                       const HostOutput& output, const Operator* op, const Execution& execution, const Call& call) {
    for (const HostInput& each : read)
        refuse_overlap(operation, each, output, &each == &read.front());
    uint64_t number = 0;
    if (execution.is_host()) {
        for (const HostInput& each : read)
            require_memory(operation, each);
        require_memory(operation, output);
        std::vector<Input> inputs;
        inputs.reserve(read.size());
        for (const HostInput& each : read)
            inputs.push_back(in_place(each));
        call(core::StreamRef(), inputs, in_place(output), Output(&number), CallOptions());
        return number;
    }
    Job job(execution.device_id());
    std::vector<core::BufferRef> uploaded;  // what the inputs refer to
    uploaded.reserve(read.size());
    for (const HostInput& each : read)
        uploaded.push_back(job.upload(each.type, each.data, each.count));
    const std::vector<Input> inputs(uploaded.begin(), uploaded.end());
    const core::BufferRef selected = job.memory_for(output.type, output.count);
    const core::BufferRef counted = job.memory_for(Type(TypeKind::uint64), 1);
    call(job.stream(), inputs, Output(selected), Output(counted),
         job.options(built.temp_storage_bytes(output.count), op));
    job.download(counted, &number);
    job.wait();
    if (number > 0) job.download(selected.slice(0, number * output.type.size()), output.data);
    job.wait();
    return number;
}

// By an operator. `name`: of the algorithm; `operation`: what is being done.
template <class Algorithm>
uint64_t select_elements(const char* name, const char* operation, const HostInput& data, const Operator& op,
                         const HostOutput& output, const Execution& execution) {
    require_same_type(operation, "output", output.type, data.type);
    require_same_count(operation, data.count, output.count);
    const Execution target = runnable(operation, execution);
    const Algorithm built = kept_or_built(CallKey(name, target).add(data.type).add(op),
                                          [&] { return Algorithm(Iterator::pointer(data.type), op, target); });
    return keep_elements(
        operation, built, {data}, output, &op, target,
        [&](const core::StreamRef& stream, const std::vector<Input>& inputs, const Output& kept, const Output& number,
            const CallOptions& options) { built(stream, inputs[0], kept, number, data.count, options); });
}

}  // namespace cuprum::parallel
