#include "cuprum/parallel/topk_pairs.hpp"

#include "topk.hpp"

namespace cuprum::parallel {

struct TopkPairs::State {
    Type keys;
    Topk topk;
};

TopkPairs::TopkPairs(SortOrder order, const Iterator& keys, const Iterator& values, const Execution& execution,
                     const BuildOptions& options)
    : state_(std::shared_ptr<const State>(
          new State{keys.value_type(), Topk("topk_pairs", order, keys, values, execution, options)})) {}

uint64_t TopkPairs::temp_storage_bytes(uint64_t count) const {
    return state_->topk.temp_storage_bytes(count);
}

void TopkPairs::operator()(core::StreamRef stream, const Input& keys, const Input& values, const Output& keys_out,
                           const Output& values_out, uint64_t k, uint64_t count, const CallOptions& options) const {
    state_->topk(stream, keys, &values, keys_out, &values_out, k, count, options);
}

const Type& TopkPairs::key_type() const {
    return state_->keys;
}

std::string TopkPairs::save() const {
    return state_->topk.save();
}

}  // namespace cuprum::parallel
