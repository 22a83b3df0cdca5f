#include "cuprum/parallel/topk_keys.hpp"

#include "topk.hpp"

namespace cuprum::parallel {

struct TopkKeys::State {
    Type keys;
    Topk topk;
};

TopkKeys::TopkKeys(SortOrder order, const Iterator& keys, const Execution& execution, const BuildOptions& options)
    : state_(std::shared_ptr<const State>(
          new State{keys.value_type(), Topk("topk_keys", order, keys, std::nullopt, execution, options)})) {}

uint64_t TopkKeys::temp_storage_bytes(uint64_t count) const {
    return state_->topk.temp_storage_bytes(count);
}

void TopkKeys::operator()(core::StreamRef stream, const Input& keys, const Output& keys_out, uint64_t k, uint64_t count,
                          const CallOptions& options) const {
    state_->topk(stream, keys, nullptr, keys_out, nullptr, k, count, options);
}

const Type& TopkKeys::key_type() const {
    return state_->keys;
}

std::string TopkKeys::save() const {
    return state_->topk.save();
}

}  // namespace cuprum::parallel
