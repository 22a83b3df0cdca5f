#include "cuprum/parallel/topk_pairs.hpp"

#include "over_arrays.hpp"
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

void topk_pairs(SortOrder order, const HostInput& keys, const HostInput& values, const HostOutput& keys_out,
                const HostOutput& values_out, const Execution& execution) {
    constexpr const char* operation = "selecting the top pairs";
    const Execution target = runnable(operation, execution);
    require_same_count(operation, keys.count, values.count);
    require_same_count(operation, keys_out.count, values_out.count);
    require_same_type(operation, "output keys", keys_out.type, keys.type);
    require_same_type(operation, "output values", values_out.type, values.type);
    const TopkPairs built = kept_or_built(
        CallKey("topk_pairs", target).add(static_cast<int32_t>(order)).add(keys.type).add(values.type),
        [&] { return TopkPairs(order, Iterator::pointer(keys.type), Iterator::pointer(values.type), target); });
    run_over_arrays(operation, {.read = {keys, values}, .written = {keys_out, values_out}},
                    built.temp_storage_bytes(keys.count), nullptr, target,
                    [&](const core::StreamRef& stream, const std::vector<Input>& in, const std::vector<Output>& out,
                        const CallOptions& options) {
                        built(stream, in[0], in[1], out[0], out[1], keys_out.count, keys.count, options);
                    });
}

}  // namespace cuprum::parallel
