#include "cuprum/parallel/select.hpp"

#include "select_elements.hpp"
#include "selection.hpp"

namespace cuprum::parallel {

namespace {

constexpr const char* operation = "selecting";
constexpr Selection::Kind kind{"select", operation, Selection::By::condition, false, true};

}  // namespace

struct Select::State : Selection {
    using Selection::Selection;
};

Select::Select(const Iterator& input, const Operator& condition, const Execution& execution,
               const BuildOptions& options)
    : state_(std::make_shared<const State>(kind, input, std::nullopt, condition, execution, options)) {}

uint64_t Select::temp_storage_bytes(uint64_t count) const {
    return state_->temp_storage_bytes(count);
}

void Select::operator()(core::StreamRef stream, const Input& input, const Output& output, const Output& selected_count,
                        uint64_t count, const CallOptions& options) const {
    (*state_)(stream, input, nullptr, output, selected_count, count, options);
}

const Type& Select::element_type() const {
    return state_->element_type();
}

std::string Select::save() const {
    return state_->save();
}

uint64_t select(const HostInput& data, const Operator& condition, const HostOutput& output,
                const Execution& execution) {
    return select_elements<Select>("select", operation, data, condition, output, execution);
}

}  // namespace cuprum::parallel
