// What the algorithms share that keep some of their elements, or put these before the others: those of which a
// condition is true, those with a flag, or those that differ from their neighbour. Select, SelectFlagged, Unique,
// Partition and PartitionFlagged are made of it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "call.hpp"
#include "compaction.hpp"
#include "tile_pipeline.hpp"

namespace cuprum::parallel {

struct SelectionProgram : CompactionProgram {
    std::optional<TilePipeline> pipeline;  // for elements in memory on machines that the tables have

    SelectionProgram(const core::Device& device, const CompiledProgram& compiled, Width width)
        : CompactionProgram(device, compiled, width), pipeline(TilePipeline::of(device, compiled)) {}
};

class Selection {
public:
    enum class By { condition, flags, difference };
    struct Kind {
        const char* algorithm;  // "select": for errors
        const char* operation;  // "selecting"
        By by;
        bool keeps_rest;             // behind the selected elements, in reverse order
        bool takes_outputs = false;  // BuildOptions::outputs
    };

    // `flags` and `op` as the kind has them.
    Selection(const Kind& kind, const Iterator& input, const std::optional<Iterator>& flags,
              const std::optional<Operator>& op, const Execution& execution, const BuildOptions& options);

    uint64_t temp_storage_bytes(uint64_t count) const;
    // `flags`: null for a kind without them.
    void operator()(const core::StreamRef& stream, const Input& input, const Input* flags, const Output& output,
                    const Output& selected_count, uint64_t count, const CallOptions& options) const;
    const Type& element_type() const { return input_.value_type(); }
    const Type& flag_type() const { return flags_->value_type(); }
    std::string save() const { return programs_.save(); }

private:
    void run_on_host(const core::StreamRef& stream, const Input& input, const Input* flags, const Output& output,
                     const Output& selected_count, uint64_t count, const CallOptions& options) const;
    void check_extents(const Extent& input, const Extent& flags, const Output& output, uint64_t count) const;

    Kind kind_;
    Target target_;
    Iterator input_;
    std::optional<Iterator> flags_;
    std::optional<Operator> op_;
    std::vector<Iterator> outputs_;
    Type count_type_{TypeKind::uint64};
    Programs<SelectionProgram> programs_;
};

}  // namespace cuprum::parallel
