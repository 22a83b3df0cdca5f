#include "cuprum/parallel/select_flagged.hpp"

#include "selection.hpp"

namespace cuprum::parallel {

struct SelectFlagged::State : Selection {
    static constexpr Selection::Kind kind{"select_flagged", "selecting flagged elements", Selection::By::flags, false};
    using Selection::Selection;
};

SelectFlagged::SelectFlagged(const Iterator& input, const Iterator& flags, const Execution& execution,
                             const BuildOptions& options)
    : state_(std::make_shared<const State>(State::kind, input, flags, std::nullopt, execution, options)) {}

uint64_t SelectFlagged::temp_storage_bytes(uint64_t count) const {
    return state_->temp_storage_bytes(count);
}

void SelectFlagged::operator()(core::StreamRef stream, const Input& input, const Input& flags, const Output& output,
                               const Output& selected_count, uint64_t count, const CallOptions& options) const {
    (*state_)(stream, input, &flags, output, selected_count, count, options);
}

const Type& SelectFlagged::element_type() const {
    return state_->element_type();
}

std::string SelectFlagged::save() const {
    return state_->save();
}

}  // namespace cuprum::parallel
