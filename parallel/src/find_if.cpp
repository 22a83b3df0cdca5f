#include "cuprum/parallel/find_if.hpp"

#include "integers.hpp"
#include "search.hpp"

namespace cuprum::parallel {

struct FindIf::State {
    Search search;
};

FindIf::FindIf(const Iterator& input, const Operator& condition, const Type& positions, const Execution& execution,
               const BuildOptions& options) {
    constexpr Search::Kind kind{"find_if", "looking for an element", "input", "condition", true, true};
    require_wide_integers(kind.algorithm, "positions", positions);
    state_ = std::shared_ptr<const State>(
        new State{Search(kind, input, std::nullopt, condition, positions, execution, options)});
}

void FindIf::operator()(core::StreamRef stream, const Input& input, const Output& output, uint64_t count,
                        const CallOptions& options) const {
    state_->search(stream, input, nullptr, output, count, options);
}

const Type& FindIf::position_type() const {
    return state_->search.result_type();
}

std::string FindIf::save() const {
    return state_->search.save();
}

}  // namespace cuprum::parallel
