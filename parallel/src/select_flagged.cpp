#include "cuprum/parallel/select_flagged.hpp"

#include "select_elements.hpp"
#include "selection.hpp"

namespace cuprum::parallel {

namespace {

constexpr const char* operation = "selecting flagged elements";

}  // namespace

struct SelectFlagged::State : Selection {
    static constexpr Selection::Kind kind{"select_flagged", operation, Selection::By::flags, false};
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

uint64_t select_flagged(const HostInput& data, const HostInput& flags, const HostOutput& output,
                        const Execution& execution) {
    require_same_type(operation, "output", output.type, data.type);
    require_same_count(operation, data.count, output.count);
    require_same_count(operation, data.count, flags.count);
    const Execution target = runnable(operation, execution);
    const SelectFlagged built = kept_or_built(CallKey("select_flagged", target).add(data.type).add(flags.type), [&] {
        return SelectFlagged(Iterator::pointer(data.type), Iterator::pointer(flags.type), target);
    });
    return keep_elements(
        operation, built, {data, flags}, output, nullptr, target,
        [&](const core::StreamRef& stream, const std::vector<Input>& inputs, const Output& kept, const Output& number,
            const CallOptions& options) { built(stream, inputs[0], inputs[1], kept, number, data.count, options); });
}

}  // namespace cuprum::parallel
