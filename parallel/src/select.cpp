#include "cuprum/parallel/select.hpp"

#include "cuprum/pathfinder/error.hpp"
#include "one_shot.hpp"
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
    if (output.type != data.type) {
        throw InvalidArgument(operation, "output",
                              "it is of " + output.type.name() + ", the input of " + data.type.name());
    }
    require_same_count(operation, data.count, output.count);
    const Execution target = runnable("selecting", execution);
    const Select built = kept_or_built(CallKey("select", target).add(data.type).add(condition),
                                       [&] { return Select(Iterator::pointer(data.type), condition, target); });
    if (execution.is_host()) {
        uint64_t count = 0;
        built({}, in_place(data), in_place(output), &count, data.count);
        return count;
    }
    Job job(execution.device_id());
    const core::BufferRef input = job.upload(data.type, data.data, data.count);
    const core::BufferRef selected = job.memory_for(data.type, data.count);
    const core::BufferRef selected_count = job.memory_for(Type(TypeKind::uint64), 1);
    built(job.stream(), input, selected, selected_count, data.count,
          job.options(built.temp_storage_bytes(data.count), &condition));
    uint64_t count = 0;
    job.download(selected_count, &count);
    job.wait();
    if (count > 0) job.download(selected.slice(0, count * data.type.size()), output.data);
    job.wait();
    return count;
}

}  // namespace cuprum::parallel
