// Lengths are sums of ones.
#include "cuprum/parallel/run_length_encode.hpp"

#include "in_place.hpp"
#include "integers.hpp"
#include "run_reduction.hpp"

namespace cuprum::parallel {

namespace {

constexpr RunReduction::Names names{"run_length_encode", "encoding run lengths", "input", "output", "lengths"};

Type checked(const Type& lengths) {
    require_wide_integers(names.algorithm, "lengths", lengths);
    return lengths;
}

}  // namespace

struct RunLengthEncode::State {
    Iterator ones;
    RunReduction sums;

    State(const Iterator& input, const Type& lengths, const Operator& op, const Execution& execution,
          const BuildOptions& options)
        : ones(Iterator::constant(one_of(checked(lengths)))),
          sums(names, input, ones, OpKind::plus, lengths, op, execution, options) {}
};

RunLengthEncode::RunLengthEncode(const Iterator& input, const Type& lengths, const Operator& op,
                                 const Execution& execution, const BuildOptions& options)
    : state_(std::make_shared<const State>(input, lengths, op, execution, options)) {}

uint64_t RunLengthEncode::temp_storage_bytes(uint64_t count) const {
    return state_->sums.temp_storage_bytes(count);
}

void RunLengthEncode::operator()(core::StreamRef stream, const Input& input, const Output& output,
                                 const Output& lengths, const Output& run_count, uint64_t count,
                                 const CallOptions& options) const {
    // The caller's operator is the one that compares.
    CallOptions of_sums;
    of_sums.temp_storage = options.temp_storage;
    of_sums.second_op = options.op;
    state_->sums(stream, input, state_->ones, output, lengths, run_count, count, of_sums);
}

const Type& RunLengthEncode::element_type() const {
    return state_->sums.key_type();
}

const Type& RunLengthEncode::length_type() const {
    return state_->sums.accumulator();
}

std::string RunLengthEncode::save() const {
    return state_->sums.save();
}

uint64_t run_length_encode(const HostOutput& data, const HostOutput& lengths, const Operator& op,
                           const Execution& execution) {
    require_same_count(names.operation, data.count, lengths.count);
    const Execution target = runnable(names.operation, execution);
    const RunLengthEncode built =
        kept_or_built(CallKey(names.algorithm, target).add(data.type).add(lengths.type).add(op),
                      [&] { return RunLengthEncode(Iterator::pointer(data.type), lengths.type, op, target); });
    return run_in_place(names.operation, built, {.parts = {data, lengths}, .read_parts = 1}, &op, target,
                        [&](const core::StreamRef& stream, const std::vector<Input>& inputs,
                            const std::vector<Output>& outputs, const Output& number, const CallOptions& options) {
                            built(stream, inputs[0], outputs[0], outputs[1], number, data.count, options);
                        });
}

}  // namespace cuprum::parallel
