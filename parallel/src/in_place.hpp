// The calls over host memory of algorithms that write over what they read.
#pragma once

#include <cstddef>
#include <vector>

#include "one_shot.hpp"

namespace cuprum::parallel {

// Arrays of one length.
struct InPlace {
    std::vector<HostOutput> parts;
    size_t read_parts;                      // so many of them are read as well: the first ones
    std::vector<HostInput> only_read = {};  // behind those
    bool keeps_all = false;                 // all elements come back, not as many as the algorithm says
    bool reads_what_it_writes = false;      // on the host's cores input and output may be the same memory
};

inline void refuse_overlaps(const char* operation, const InPlace& what) {
    for (size_t i = 0; i < what.parts.size(); ++i) {
        for (size_t other = 0; other < i; ++other)
            refuse_overlap(operation, what.parts[other], what.parts[i]);
        for (const HostInput& each : what.only_read)
            refuse_overlap(operation, each, what.parts[i]);
    }
}

// `op`: that whose state the options of the call have, if there is one; `call`: with a stream, inputs, outputs, where
// the number goes, and options. Returns the number.
template <class Algorithm, class Call>
uint64_t run_in_place(const char* operation, const Algorithm& built, const InPlace& what, const Operator* op,
                      const Execution& execution, const Call& call) {
    refuse_overlaps(operation, what);
    const uint64_t size = what.parts.front().count;
    uint64_t number = 0;
    std::vector<Input> inputs;
    std::vector<Output> outputs;
    if (execution.is_host()) {
        std::vector<std::vector<std::byte>> copies;
        for (const HostOutput& part : what.parts) {
            require_memory(operation, part);
            outputs.push_back(in_place(part));
            if (inputs.size() == what.read_parts) continue;
            const auto* elements = static_cast<const std::byte*>(part.data);
            if (!what.reads_what_it_writes)
                elements = copies.emplace_back(elements, elements + size * part.type.size()).data();
            inputs.emplace_back(elements);
        }
        for (const HostInput& each : what.only_read) {
            require_memory(operation, each);
            inputs.push_back(in_place(each));
        }
        call(core::StreamRef(), inputs, outputs, Output(&number), CallOptions());
        return number;
    }
    Job job(execution.device_id());
    std::vector<core::BufferRef> read, written;  // what the inputs and outputs refer to
    for (const HostOutput& part : what.parts) {
        if (read.size() < what.read_parts) read.push_back(job.upload(part.type, part.data, size));
        written.push_back(job.memory_for(part.type, size));
    }
    for (const HostInput& each : what.only_read)
        read.push_back(job.upload(each.type, each.data, each.count));
    for (const core::BufferRef& memory : read)
        inputs.emplace_back(memory);
    for (const core::BufferRef& memory : written)
        outputs.emplace_back(memory);
    const core::BufferRef counted = job.memory_for(Type(TypeKind::uint64), 1);
    call(job.stream(), inputs, outputs, Output(counted), job.options(built.temp_storage_bytes(size), op));
    job.download(counted, &number);
    job.wait();
    const uint64_t kept = what.keeps_all ? size : number;
    for (size_t i = 0; i < written.size() && kept > 0; ++i)
        job.download(written[i].slice(0, kept * what.parts[i].type.size()), what.parts[i].data);
    job.wait();
    return number;
}

}  // namespace cuprum::parallel
