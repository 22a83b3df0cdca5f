// A reduction whose order of evaluation depends on the number of elements alone: the same bits on every device.
#pragma once

#include <string>
#include <vector>

#include "call.hpp"

namespace cuprum::parallel {

class OrderedReduce {
public:
    // Throws Unsupported for an accumulator that does not fit into the memory of a block.
    OrderedReduce(const Target& target, const Iterator& input, const Operator& op, const Iterator& output);

    uint64_t temp_storage_bytes(uint64_t count) const;
    // What was given has been checked. `init`: null for a reduction without one, of at least one element.
    void run(const Call& call, const Input& input, const Output& output, const Value* init,
             const CallOptions& options) const;
    std::string save() const { return programs_.save(); }

private:
    struct Program {
        core::Kernel of_elements, of_block_results, in_one_block;
        int64_t threads;
        uint64_t tile_items;
        bool wide;

        Program(const core::Device& device, const CompiledProgram& compiled, Width width);
    };

    BuildRequest make_request(Width width) const;

    Iterator input_;
    Operator op_;
    Iterator output_;
    Programs<Program> programs_;
};

}  // namespace cuprum::parallel
