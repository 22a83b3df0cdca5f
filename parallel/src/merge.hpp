// What MergeKeys and MergePairs are made of: two sorted sequences as one.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "call.hpp"
#include "host_execution.hpp"

namespace cuprum::parallel {

class Merge {
public:
    // One of the two sequences: its keys, and its values where there are any.
    struct Part {
        const Input& keys;
        const Input* values;
        uint64_t count;
    };

    // `values`: of both or of none.
    Merge(const char* algorithm, const Iterator& first_keys, const std::optional<Iterator>& first_values,
          const Iterator& second_keys, const std::optional<Iterator>& second_values, const Operator& compare,
          const Execution& execution, const BuildOptions& options);

    void operator()(const core::StreamRef& stream, const Part& first, const Part& second, const Output& keys_out,
                    const Output* values_out, const CallOptions& options) const;
    std::string save() const { return programs_.save(); }

private:
    struct Program {
        core::Kernel bounds, merge;
        int64_t threads;
        uint64_t tile_items, blocks_at_once;
        bool wide;

        Program(const core::Device& device, const CompiledProgram& compiled, Width width);
    };

    void run_on_host(const HostCall& call, const Part& first, const Part& second, const Output& keys_out,
                     const Output* values_out) const;
    BuildRequest make_request(Width width) const;

    const char* algorithm_;
    Target target_;
    Iterator first_keys_, second_keys_;
    std::optional<Iterator> first_values_, second_values_;
    Operator compare_;
    Programs<Program> programs_;
};

}  // namespace cuprum::parallel
