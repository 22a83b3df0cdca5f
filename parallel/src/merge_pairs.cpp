#include "cuprum/parallel/merge_pairs.hpp"

#include "merge.hpp"

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

}  // namespace cuprum::parallel
