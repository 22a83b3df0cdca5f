#include "cuprum/parallel/topk_keys.hpp"

#include "over_arrays.hpp"
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

void topk_keys(SortOrder order, const HostInput& keys, const HostOutput& keys_out, const Execution& execution) {
    constexpr const char* operation = "selecting the top keys";
    const Execution target = runnable(operation, execution);
    require_same_type(operation, "output", keys_out.type, keys.type);
    const TopkKeys built = kept_or_built(CallKey("topk_keys", target).add(static_cast<int32_t>(order)).add(keys.type),
                                         [&] { return TopkKeys(order, Iterator::pointer(keys.type), target); });
    run_over_arrays(
        operation, {.read = {keys}, .written = {keys_out}}, built.temp_storage_bytes(keys.count), nullptr, target,
        [&](const core::StreamRef& stream, const std::vector<Input>& in, const std::vector<Output>& out,
            const CallOptions& options) { built(stream, in[0], out[0], keys_out.count, keys.count, options); });
}

}  // namespace cuprum::parallel
