#include "cuprum/parallel/merge_keys.hpp"

#include "merge.hpp"

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

}  // namespace cuprum::parallel
