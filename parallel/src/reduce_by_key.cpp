#include "cuprum/parallel/reduce_by_key.hpp"

#include "in_place.hpp"
#include "run_reduction.hpp"

namespace cuprum::parallel {

namespace {

constexpr RunReduction::Names names{"reduce_by_key", "reducing by key", "input keys", "output keys", "output values"};

}  // namespace

struct ReduceByKey::State : RunReduction {
    using RunReduction::RunReduction;
};

ReduceByKey::ReduceByKey(const Iterator& keys, const Iterator& values, const Operator& op, const Type& accumulator,
                         const Operator& equal, const Execution& execution, const BuildOptions& options)
    : state_(std::make_shared<const State>(names, keys, values, op, accumulator, equal, execution, options)) {}

uint64_t ReduceByKey::temp_storage_bytes(uint64_t count) const {
    return state_->temp_storage_bytes(count);
}

void ReduceByKey::operator()(core::StreamRef stream, const Input& keys_in, const Input& values_in,
                             const Output& keys_out, const Output& values_out, const Output& run_count, uint64_t count,
                             const CallOptions& options) const {
    (*state_)(stream, keys_in, values_in, keys_out, values_out, run_count, count, options);
}

const Type& ReduceByKey::key_type() const {
    return state_->key_type();
}

const Type& ReduceByKey::accumulator() const {
    return state_->accumulator();
}

std::string ReduceByKey::save() const {
    return state_->save();
}

uint64_t reduce_by_key(const HostOutput& keys, const HostOutput& values, const Operator& op, const Operator& equal,
                       const Execution& execution) {
    require_same_count(names.operation, keys.count, values.count);
    const Execution target = runnable(names.operation, execution);
    const ReduceByKey built =
        kept_or_built(CallKey(names.algorithm, target).add(keys.type).add(values.type).add(op).add(equal), [&] {
            return ReduceByKey(Iterator::pointer(keys.type), Iterator::pointer(values.type), op, values.type, equal,
                               target);
        });
    return run_in_place(names.operation, built, {.parts = {keys, values}, .read_parts = 2}, &op, target,
                        [&](const core::StreamRef& stream, const std::vector<Input>& inputs,
                            const std::vector<Output>& outputs, const Output& number, CallOptions options) {
                            if (equal.state()) options.second_op = &equal;
                            built(stream, inputs[0], inputs[1], outputs[0], outputs[1], number, keys.count, options);
                        });
}

}  // namespace cuprum::parallel
