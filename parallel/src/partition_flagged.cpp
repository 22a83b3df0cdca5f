#include "cuprum/parallel/partition_flagged.hpp"

#include "selection.hpp"

namespace cuprum::parallel {

struct PartitionFlagged::State : Selection {
    static constexpr Selection::Kind kind{"partition_flagged", "partitioning by flags", Selection::By::flags, true};
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

}  // namespace cuprum::parallel
