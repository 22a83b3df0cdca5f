#include "cuprum/parallel/equal.hpp"

#include "cuprum/pathfinder/error.hpp"
#include "one_shot.hpp"
#include "search.hpp"

namespace cuprum::parallel {

namespace {

constexpr const char* operation = "comparing";

}  // namespace

struct Equal::State {
    Search search;
};

Equal::Equal(const Iterator& first, const Iterator& second, const Operator& op, const Execution& execution,
             const BuildOptions& options) {
    constexpr Search::Kind kind{"equal", operation, "first input", "operator", false, false};
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

bool equal(const HostInput& first, const HostInput& second, const Operator& op, const Execution& execution) {
    const Execution target = runnable(operation, execution);
    const Equal built = kept_or_built(CallKey("equal", target).add(first.type).add(second.type).add(op), [&] {
        return Equal(Iterator::pointer(first.type), Iterator::pointer(second.type), op, target);
    });
    if (first.count != second.count) return false;
    bool result = true;
    if (target.is_host()) {
        built({}, in_place(first), in_place(second), &result, first.count);
        return result;
    }
    Job job(target.device_id());
    const core::BufferRef left = job.upload(first.type, first.data, first.count);
    const core::BufferRef right = job.upload(second.type, second.data, second.count);
    const core::BufferRef output = job.memory_for(Type(TypeKind::boolean), 1);
    built(job.stream(), left, right, output, first.count, job.options(0, &op));
    job.download(output, &result);
    job.wait();
    return result;
}

}  // namespace cuprum::parallel
