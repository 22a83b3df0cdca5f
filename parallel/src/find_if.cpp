#include "cuprum/parallel/find_if.hpp"

#include "integers.hpp"
#include "one_shot.hpp"
#include "search.hpp"

namespace cuprum::parallel {

namespace {

constexpr const char* operation = "looking for an element";

}  // namespace

struct FindIf::State {
    Search search;
};

FindIf::FindIf(const Iterator& input, const Operator& condition, const Type& positions, const Execution& execution,
               const BuildOptions& options) {
    constexpr Search::Kind kind{"find_if", operation, "input", "condition", true, true};
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

int64_t find_if(const HostInput& data, const Operator& condition, const Execution& execution) {
    const Execution target = runnable(operation, execution);
    const FindIf built = kept_or_built(CallKey("find_if", target).add(data.type).add(condition), [&] {
        return FindIf(Iterator::pointer(data.type), condition, Type(TypeKind::uint64), target);
    });
    uint64_t position = data.count;
    if (execution.is_host()) {
        built({}, in_place(data), &position, data.count);
    } else {
        Job job(execution.device_id());
        const core::BufferRef input = job.upload(data.type, data.data, data.count);
        const core::BufferRef output = job.memory_for(Type(TypeKind::uint64), 1);
        built(job.stream(), input, output, data.count, job.options(0, &condition));
        job.download(output, &position);
        job.wait();
    }
    return position == data.count ? -1 : static_cast<int64_t>(position);
}

}  // namespace cuprum::parallel
