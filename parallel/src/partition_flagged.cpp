#include "cuprum/parallel/partition_flagged.hpp"

#include "in_place.hpp"
#include "selection.hpp"

namespace cuprum::parallel {

namespace {

constexpr const char* operation = "partitioning by flags";

}  // namespace

struct PartitionFlagged::State : Selection {
    static constexpr Selection::Kind kind{"partition_flagged", operation, Selection::By::flags, true};
    using Selection::Selection;
};

PartitionFlagged::PartitionFlagged(const Iterator& input, const Iterator& flags, const Execution& execution,
                                   const BuildOptions& options)
    : state_(std::make_shared<const State>(State::kind, input, flags, std::nullopt, execution, options)) {}

uint64_t PartitionFlagged::temp_storage_bytes(uint64_t count) const {
    return state_->temp_storage_bytes(count);
}

void PartitionFlagged::operator()(core::StreamRef stream, const Input& input, const Input& flags, const Output& output,
                                  const Output& selected_count, uint64_t count, const CallOptions& options) const {
    (*state_)(stream, input, &flags, output, selected_count, count, options);
}

const Type& PartitionFlagged::element_type() const {
    return state_->element_type();
}

std::string PartitionFlagged::save() const {
    return state_->save();
}

uint64_t partition_flagged(const HostOutput& data, const HostInput& flags, const Execution& execution) {
    require_same_count(operation, data.count, flags.count);
    const Execution target = runnable(operation, execution);
    const PartitionFlagged built = kept_or_built(
        CallKey("partition_flagged", target).add(data.type).add(flags.type),
        [&] { return PartitionFlagged(Iterator::pointer(data.type), Iterator::pointer(flags.type), target); });
    return run_in_place(operation, built, {.parts = {data}, .read_parts = 1, .only_read = {flags}, .keeps_all = true},
                        nullptr, target,
                        [&](const core::StreamRef& stream, const std::vector<Input>& inputs,
                            const std::vector<Output>& outputs, const Output& number, const CallOptions& options) {
                            built(stream, inputs[0], inputs[1], outputs[0], number, data.count, options);
                        });
}

}  // namespace cuprum::parallel
