// What FindIf and Equal are made of: the first position at which an operator is true, or false, of one input's element
// or of those of two.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "call.hpp"
#include "host_execution.hpp"

namespace cuprum::parallel {

class Search {
public:
    struct Kind {
        const char* algorithm;  // "find_if": for errors
        const char* operation;
        const char* first;    // how errors call the input
        const char* op;       // and the operator
        bool wanted;          // the answer of the operator that is looked for
        bool tells_position;  // else the result is whether there is none
    };

    Search(const Kind& kind, const Iterator& first, const std::optional<Iterator>& second, const Operator& op,
           const Type& result, const Execution& execution, const BuildOptions& options);

    void operator()(const core::StreamRef& stream, const Input& first, const Input* second, const Output& output,
                    uint64_t count, const CallOptions& options) const;
    const Type& result_type() const { return result_; }
    std::string save() const { return programs_.save(); }

private:
    struct Program {
        core::Kernel init, search;
        int64_t threads;
        uint64_t tile_items, most_blocks;
        bool wide, overlaps;

        Program(const core::Device& device, const CompiledProgram& compiled, Width width);
    };

    BuildRequest make_request(Width width) const;
    void run_on_host(const HostCall& call, const Input& first, const Input* second, const Output& output) const;

    Kind kind_;
    Target target_;
    Iterator first_;
    std::optional<Iterator> second_;
    Operator op_;
    Type result_;
    Programs<Program> programs_;
};

}  // namespace cuprum::parallel
