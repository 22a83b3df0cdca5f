#include "cuprum/parallel/reduce_by_key.hpp"

#include "run_reduction.hpp"

namespace cuprum::parallel {

struct ReduceByKey::State : RunReduction {
    static constexpr Names names{"reduce_by_key", "reducing by key", "input keys", "output keys", "output values"};
    using RunReduction::RunReduction;
};

ReduceByKey::ReduceByKey(const Iterator& keys, const Iterator& values, const Operator& op, const Type& accumulator,
                         const Operator& equal, const Execution& execution, const BuildOptions& options)
    : state_(std::make_shared<const State>(State::names, keys, values, op, accumulator, equal, execution, options)) {}

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

}  // namespace cuprum::parallel
