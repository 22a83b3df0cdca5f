// The calls over host memory of algorithms that read some arrays and write others.
#pragma once

#include <algorithm>
#include <vector>

#include "one_shot.hpp"

namespace cuprum::parallel {

struct ReadAndWritten {
    std::vector<HostInput> read;
    std::vector<HostOutput> written;
    std::vector<size_t> in_place = {};  // places of those that are read that an output may be
    bool keeps_rest = false;            // what the algorithm does not write stays as it is
};

// `op`: the one operator whose state the options have, if there is one; `call`: with a stream, inputs, outputs, and
// options.
template <class Call>
void run_over_arrays(const char* operation, const ReadAndWritten& arrays, uint64_t storage_bytes, const Operator* op,
                     const Execution& execution, const Call& call) {
    for (size_t i = 0; i < arrays.written.size(); ++i) {
        for (size_t other = 0; other < i; ++other)
            refuse_overlap(operation, arrays.written[other], arrays.written[i]);
        for (size_t read = 0; read < arrays.read.size(); ++read) {
            const bool may_be_same = std::ranges::find(arrays.in_place, read) != arrays.in_place.end();
            refuse_overlap(operation, arrays.read[read], arrays.written[i], may_be_same);
        }
    }
    std::vector<Input> inputs;
    std::vector<Output> outputs;
    if (execution.is_host()) {
        for (const HostInput& each : arrays.read) {
            require_memory(operation, each);
            inputs.push_back(in_place(each));
        }
        for (const HostOutput& each : arrays.written) {
            require_memory(operation, each);
            outputs.push_back(in_place(each));
        }
        call(core::StreamRef(), inputs, outputs, CallOptions());
        return;
    }
    Job job(execution.device_id());
    std::vector<core::BufferRef> read, written;  // what the inputs and outputs refer to
    for (const HostInput& each : arrays.read)
        read.push_back(job.upload(each.type, each.data, each.count));
    for (const HostOutput& each : arrays.written) {
        require_memory(operation, each);
        written.push_back(arrays.keeps_rest ? job.upload(each.type, each.data, each.count)
                                            : job.memory_for(each.type, each.count));
    }
    for (const core::BufferRef& memory : read)
        inputs.emplace_back(memory);
    for (const core::BufferRef& memory : written)
        outputs.emplace_back(memory);
    call(job.stream(), inputs, outputs, job.options(storage_bytes, op));
    for (size_t i = 0; i < written.size(); ++i)
        job.download(written[i], arrays.written[i].data);
    job.wait();
}

}  // namespace cuprum::parallel
