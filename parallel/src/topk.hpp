// What TopkKeys and TopkPairs are made of: the k smallest or largest keys.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "call.hpp"
#include "cuprum/parallel/radix_sort.hpp"
#include "host_execution.hpp"

namespace cuprum::parallel {

class Topk {
public:
    // `values`: none for keys alone.
    Topk(const char* algorithm, SortOrder order, const Iterator& keys, const std::optional<Iterator>& values,
         const Execution& execution, const BuildOptions& options);

    uint64_t temp_storage_bytes(uint64_t count) const;
    void operator()(const core::StreamRef& stream, const Input& keys, const Input* values, const Output& keys_out,
                    const Output* values_out, uint64_t k, uint64_t count, const CallOptions& options) const;
    std::string save() const { return programs_.save(); }

private:
    struct Program {
        core::Kernel of_few, init, count, write;
        int64_t threads;
        uint64_t tile_items, count_blocks, write_blocks, state_bytes;
        int32_t digits;
        bool wide;
        int64_t few_threads;  // of the block that serves up to `few` keys
        uint64_t few;
        bool overlaps;

        Program(const core::Device& device, const CompiledProgram& compiled, Width width);
    };

    BuildRequest make_request(Width width) const;
    void run_on_host(const HostCall& call, const Input& keys, const Input* values, const Output& keys_out,
                     const Output* values_out, uint64_t k) const;

    const char* algorithm_;
    Target target_;
    SortOrder order_;
    Iterator keys_;
    std::optional<Iterator> values_;
    Programs<Program> programs_;
};

}  // namespace cuprum::parallel
