// What InclusiveScanByKey and ExclusiveScanByKey are made of: one scan for each run of equal keys.
#pragma once

#include <array>
#include <cstdint>
#include <string>

#include "call.hpp"
#include "host_execution.hpp"
#include "over_arrays.hpp"
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

// Over host data, by the class of the kind, InclusiveScanByKey or ExclusiveScanByKey. `name` is what is kept; `call`
// starts a built one with the host's arrays on the device.
template <class Algorithm, class Call>
void scan_by_key_over_arrays(const char* name, const HostInput& keys, const HostInput& values, const Operator& op,
                             const Operator& equal, const HostOutput& output, const Execution& execution,
                             const Call& call) {
    constexpr const char* operation = "scanning by key";
    const Execution target = runnable(operation, execution);
    require_same_count(operation, keys.count, values.count);
    require_same_count(operation, keys.count, output.count);
    const Algorithm built =
        kept_or_built(CallKey(name, target).add(keys.type).add(values.type).add(output.type).add(op).add(equal), [&] {
            return Algorithm(Iterator::pointer(keys.type), Iterator::pointer(values.type), op, output.type, equal,
                             target);
        });
    run_over_arrays(operation, {.read = {keys, values}, .written = {output}, .in_place = {1}},
                    built.temp_storage_bytes(keys.count), &op, target,
                    [&](const core::StreamRef& stream, const std::vector<Input>& in, const std::vector<Output>& out,
                        CallOptions options) {
                        if (equal.state()) options.second_op = &equal;
                        call(built, stream, in, out, options);
                    });
}

}  // namespace cuprum::parallel
