#include "cuprum/parallel/merge_pairs.hpp"

#include "merge.hpp"
#include "over_arrays.hpp"

namespace cuprum::parallel {

struct MergePairs::State {
    Type keys;
    Merge merge;
};

MergePairs::MergePairs(const Iterator& first_keys, const Iterator& first_values, const Iterator& second_keys,
                       const Iterator& second_values, const Operator& compare, const Execution& execution,
                       const BuildOptions& options)
    : state_(std::shared_ptr<const State>(new State{
          first_keys.value_type(),
          Merge("merge_pairs", first_keys, first_values, second_keys, second_values, compare, execution, options)})) {}

void MergePairs::operator()(core::StreamRef stream, const Input& first_keys, const Input& first_values,
                            uint64_t first_count, const Input& second_keys, const Input& second_values,
                            uint64_t second_count, const Output& keys_out, const Output& values_out,
                            const CallOptions& options) const {
    state_->merge(stream, {first_keys, &first_values, first_count}, {second_keys, &second_values, second_count},
                  keys_out, &values_out, options);
}

const Type& MergePairs::key_type() const {
    return state_->keys;
}

std::string MergePairs::save() const {
    return state_->merge.save();
}

void merge_pairs(const HostInput& first_keys, const HostInput& first_values, const HostInput& second_keys,
                 const HostInput& second_values, const Operator& compare, const HostOutput& keys_out,
                 const HostOutput& values_out, const Execution& execution) {
    constexpr const char* operation = "merging pairs";
    const Execution target = runnable(operation, execution);
    require_same_type(operation, "second keys", second_keys.type, first_keys.type);
    require_same_type(operation, "output keys", keys_out.type, first_keys.type);
    require_same_type(operation, "second values", second_values.type, first_values.type);
    require_same_type(operation, "output values", values_out.type, first_values.type);
    require_same_count(operation, first_keys.count, first_values.count);
    require_same_count(operation, second_keys.count, second_values.count);
    require_same_count(operation, keys_out.count, first_keys.count + second_keys.count);
    require_same_count(operation, keys_out.count, values_out.count);
    const Iterator keys = Iterator::pointer(first_keys.type), values = Iterator::pointer(first_values.type);
    const MergePairs built =
        kept_or_built(CallKey("merge_pairs", target).add(first_keys.type).add(first_values.type).add(compare),
                      [&] { return MergePairs(keys, values, keys, values, compare, target); });
    run_over_arrays(
        operation, {.read = {first_keys, first_values, second_keys, second_values}, .written = {keys_out, values_out}},
        0, &compare, target,
        [&](const core::StreamRef& stream, const std::vector<Input>& in, const std::vector<Output>& out,
            const CallOptions& options) {
            built(stream, in[0], in[1], first_keys.count, in[2], in[3], second_keys.count, out[0], out[1], options);
        });
}

}  // namespace cuprum::parallel
