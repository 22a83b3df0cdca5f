#include "cuprum/parallel/partition.hpp"

#include "in_place.hpp"
#include "selection.hpp"

namespace cuprum::parallel {

namespace {

constexpr const char* operation = "partitioning";

}  // namespace

struct Partition::State : Selection {
    static constexpr Selection::Kind kind{"partition", operation, Selection::By::condition, true};
    using Selection::Selection;
};

Partition::Partition(const Iterator& input, const Operator& condition, const Execution& execution,
                     const BuildOptions& options)
    : state_(std::make_shared<const State>(State::kind, input, std::nullopt, condition, execution, options)) {}

uint64_t Partition::temp_storage_bytes(uint64_t count) const {
    return state_->temp_storage_bytes(count);
}

void Partition::operator()(core::StreamRef stream, const Input& input, const Output& output,
                           const Output& selected_count, uint64_t count, const CallOptions& options) const {
    (*state_)(stream, input, nullptr, output, selected_count, count, options);
}

const Type& Partition::element_type() const {
    return state_->element_type();
}

std::string Partition::save() const {
    return state_->save();
}

uint64_t partition(const HostOutput& data, const Operator& condition, const Execution& execution) {
    const Execution target = runnable(operation, execution);
    const Partition built = kept_or_built(CallKey("partition", target).add(data.type).add(condition),
                                          [&] { return Partition(Iterator::pointer(data.type), condition, target); });
    return run_in_place(operation, built, {.parts = {data}, .read_parts = 1, .keeps_all = true}, &condition, target,
                        [&](const core::StreamRef& stream, const std::vector<Input>& inputs,
                            const std::vector<Output>& outputs, const Output& number, const CallOptions& options) {
                            built(stream, inputs[0], outputs[0], number, data.count, options);
                        });
}

}  // namespace cuprum::parallel
