// What ReduceByKey and RunLengthEncode are made of: one reduction for each run of equal keys.
#pragma once

#include <array>
#include <cstdint>
#include <string>

#include "call.hpp"
#include "compaction.hpp"
#include "host_execution.hpp"

namespace cuprum::parallel {

class RunReduction {
public:
    // How errors call it.
    struct Names {
        const char* algorithm;  // "reduce_by_key"
        const char* operation;  // "reducing by key"
        const char* keys;       // "input keys"
        const char* keys_out;
        const char* values_out;
    };

    RunReduction(const Names& names, const Iterator& keys, const Iterator& values, const Operator& op,
                 const Type& accumulator, const Operator& equal, const Execution& execution,
                 const BuildOptions& options);

    uint64_t temp_storage_bytes(uint64_t count) const;
    // `options`: its operators are `op` and `equal`.
    void operator()(const core::StreamRef& stream, const Input& keys_in, const Input& values_in, const Output& keys_out,
                    const Output& values_out, const Output& run_count, uint64_t count,
                    const CallOptions& options) const;
    const Type& key_type() const { return keys_.value_type(); }
    const Type& accumulator() const { return accumulator_; }
    std::string save() const { return programs_.save(); }

private:
    void run_on_host(const HostCall& call, const Input& keys_in, const Input& values_in, const Output& keys_out,
                     const Output& values_out, const Output& run_count) const;
    void check_extents(const std::array<Extent, 2>& inputs, const Output& keys_out, const Output& values_out,
                       uint64_t count) const;

    Names names_;
    Target target_;
    Iterator keys_, values_;
    Operator op_, equal_;
    Type accumulator_;
    Type count_type_{TypeKind::uint64};
    Programs<CompactionProgram> programs_;
};

}  // namespace cuprum::parallel
