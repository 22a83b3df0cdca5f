#include "cuprum/parallel/equal.hpp"

#include "cuprum/pathfinder/error.hpp"
#include "search.hpp"

namespace cuprum::parallel {

struct Equal::State {
    Search search;
};

Equal::Equal(const Iterator& first, const Iterator& second, const Operator& op, const Execution& execution,
             const BuildOptions& options) {
    constexpr Search::Kind kind{"equal", "comparing", "first input", "operator", false, false};
    if (first.value_type() != second.value_type()) {
        throw InvalidArgument("building equal", "second input of type " + second.value_type().text(),
                              "the first is of " + first.value_type().text() + ", expected the same type",
                              "read one through a transform iterator that converts it");
    }
    state_ = std::shared_ptr<const State>(
        new State{Search(kind, first, second, op, Type(TypeKind::boolean), execution, options)});
}

void Equal::operator()(core::StreamRef stream, const Input& first, const Input& second, const Output& output,
                       uint64_t count, const CallOptions& options) const {
    state_->search(stream, first, &second, output, count, options);
}

std::string Equal::save() const {
    return state_->search.save();
}

}  // namespace cuprum::parallel
