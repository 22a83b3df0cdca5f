#include "cuprum/parallel/unique.hpp"

#include "select_elements.hpp"
#include "selection.hpp"

namespace cuprum::parallel {

namespace {

constexpr const char* operation = "keeping the first of equal elements";

}  // namespace

struct Unique::State : Selection {
    static constexpr Selection::Kind kind{"unique", operation, Selection::By::difference, false};
    using Selection::Selection;
};

Unique::Unique(const Iterator& input, const Operator& op, const Execution& execution, const BuildOptions& options)
    : state_(std::make_shared<const State>(State::kind, input, std::nullopt, op, execution, options)) {}

uint64_t Unique::temp_storage_bytes(uint64_t count) const {
    return state_->temp_storage_bytes(count);
}

void Unique::operator()(core::StreamRef stream, const Input& input, const Output& output, const Output& selected_count,
                        uint64_t count, const CallOptions& options) const {
    (*state_)(stream, input, nullptr, output, selected_count, count, options);
}

const Type& Unique::element_type() const {
    return state_->element_type();
}

std::string Unique::save() const {
    return state_->save();
}

uint64_t unique(const HostInput& data, const Operator& op, const HostOutput& output, const Execution& execution) {
    return select_elements<Unique>("unique", operation, data, op, output, execution);
}

}  // namespace cuprum::parallel
