// What InclusiveScanByKey and ExclusiveScanByKey are made of: one scan for each run of equal keys.
#pragma once

#include <array>
#include <cstdint>
#include <string>

#include "call.hpp"
#include "host_execution.hpp"
#include "tile_states.hpp"

namespace cuprum::parallel {

class ScanByKey {
public:
    struct Kind {
        const char* algorithm;  // "inclusive_scan_by_key": for errors
        const char* operation;
        bool is_exclusive;  // then each run begins with an initial value
    };

    ScanByKey(const Kind& kind, const Iterator& keys, const Iterator& values, const Operator& op,
              const Type& accumulator, const Operator& equal, const Execution& execution, const BuildOptions& options);

    uint64_t temp_storage_bytes(uint64_t count) const;
    // `init`: null unless the kind has one. `options`: its operators are `op` and `equal`.
    void operator()(const core::StreamRef& stream, const Input& keys_in, const Input& values_in, const Output& output,
                    uint64_t count, const Value* init, const CallOptions& options) const;
    const Type& accumulator() const { return accumulator_; }
    std::string save() const { return programs_.save(); }

private:
    struct Program {
        core::Kernel init, sweep;
        int64_t threads;
        uint64_t tile_items, key_bytes;
        TileStateSizes sizes;
        bool wide;

        Program(const core::Device& device, const CompiledProgram& compiled, Width width);
    };
    struct Plan;

    void run_on_host(const HostCall& call, const Input& keys_in, const Input& values_in, const Output& output,
                     const Value* init) const;
    void check_extents(const Extent& keys, const Extent& values, const Output& output, uint64_t count) const;

    Kind kind_;
    Target target_;
    Iterator keys_, values_;
    Operator op_, equal_;
    Type accumulator_;
    Programs<Program> programs_;
};

}  // namespace cuprum::parallel
