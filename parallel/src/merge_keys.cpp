#include "cuprum/parallel/merge_keys.hpp"

#include "merge.hpp"
#include "over_arrays.hpp"

namespace cuprum::parallel {

struct MergeKeys::State {
    Type keys;
    Merge merge;
};

MergeKeys::MergeKeys(const Iterator& first_keys, const Iterator& second_keys, const Operator& compare,
                     const Execution& execution, const BuildOptions& options)
    : state_(std::shared_ptr<const State>(new State{
          first_keys.value_type(),
          Merge("merge_keys", first_keys, std::nullopt, second_keys, std::nullopt, compare, execution, options)})) {}

void MergeKeys::operator()(core::StreamRef stream, const Input& first_keys, uint64_t first_count,
                           const Input& second_keys, uint64_t second_count, const Output& keys_out,
                           const CallOptions& options) const {
    state_->merge(stream, {first_keys, nullptr, first_count}, {second_keys, nullptr, second_count}, keys_out, nullptr,
                  options);
}

const Type& MergeKeys::key_type() const {
    return state_->keys;
}

std::string MergeKeys::save() const {
    return state_->merge.save();
}

void merge_keys(const HostInput& first_keys, const HostInput& second_keys, const Operator& compare,
                const HostOutput& keys_out, const Execution& execution) {
    constexpr const char* operation = "merging";
    const Execution target = runnable(operation, execution);
    require_same_type(operation, "second keys", second_keys.type, first_keys.type);
    require_same_type(operation, "output", keys_out.type, first_keys.type);
    require_same_count(operation, keys_out.count, first_keys.count + second_keys.count);
    const Iterator keys = Iterator::pointer(first_keys.type);
    const MergeKeys built = kept_or_built(CallKey("merge_keys", target).add(first_keys.type).add(compare),
                                          [&] { return MergeKeys(keys, keys, compare, target); });
    run_over_arrays(operation, {.read = {first_keys, second_keys}, .written = {keys_out}}, 0, &compare, target,
                    [&](const core::StreamRef& stream, const std::vector<Input>& in, const std::vector<Output>& out,
                        const CallOptions& options) {
                        built(stream, in[0], first_keys.count, in[1], second_keys.count, out[0], options);
                    });
}

}  // namespace cuprum::parallel
