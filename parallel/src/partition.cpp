#include "cuprum/parallel/partition.hpp"

#include "selection.hpp"

namespace cuprum::parallel {

struct Partition::State : Selection {
    static constexpr Selection::Kind kind{"partition", "partitioning", Selection::By::condition, true};
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

}  // namespace cuprum::parallel
