// A reduction of the elements together with their positions.
#include "cuprum/parallel/arg_reduce.hpp"

#include "call.hpp"
#include "cuprum/parallel/reduce.hpp"
#include "cuprum/pathfinder/error.hpp"
#include "host_execution.hpp"

namespace cuprum::parallel {

namespace {

constexpr const char* operation = "finding the extreme element";

Operator choose(ArgKind kind) {
    const char* const before = kind == ArgKind::minimum ? "<" : ">";
    // Associative and commutative: an order of (is a NaN, value, position) in which no two are equal; what has no
    // position comes last. Without branches: it is evaluated for every element.
    return {std::string(R"(const bool a_is_nan = a.value != a.value, b_is_nan = b.value != b.value;
const bool a_is_first = (a.value )") +
            before + R"( b.value) | (a_is_nan & !b_is_nan);
const bool b_is_first = (b.value )" +
            before + R"( a.value) | (b_is_nan & !a_is_nan);
const bool is_b = (b.index >= 0) & ((a.index < 0) | b_is_first | (!a_is_first & (b.index < a.index)));
return is_b ? b : a;)"};
}

}  // namespace

struct ArgReduce::State {
    Target target;
    ArgKind kind;
    Iterator input;  // the elements
    Iterator indexed;
    std::optional<Reduce> reduce;  // none on the host
    Value nothing;                 // the result for no elements

    State(ArgKind kind_, const Iterator& input_, const BuildOptions& options)
        : target(options),
          kind(kind_),
          input(input_),
          indexed(Iterator::indexed(input_)),
          nothing(no_element(indexed.value_type())) {
        if (target.is_host()) {
            host_execution::check_elements("arg_reduce", input);
        } else {
            reduce = Reduce(indexed, choose(kind), indexed.value_type(), options, Reduce::Positions::narrow);
        }
    }

    static Value no_element(const Type& type) {
        std::vector<std::byte> bytes(type.size());
        const int64_t no_index = -1;
        std::memcpy(bytes.data(), &no_index, sizeof(no_index));
        return {type, bytes.data()};
    }
};

ArgReduce::ArgReduce(ArgKind kind, const Iterator& input, const BuildOptions& options) {
    if (kind != ArgKind::minimum && kind != ArgKind::maximum) {
        throw InvalidArgument("building arg_reduce", "kind " + std::to_string(static_cast<int>(kind)),
                              "expected minimum or maximum");
    }
    const Type& type = input.value_type();
    if (type.is_structure() || type.is_complex()) {
        throw InvalidArgument("building arg_reduce", "elements of type " + type.name(),
                              "only numbers and bool have an order",
                              "reduce Iterator::indexed() with an operator of your own");
    }
    state_ = std::make_shared<const State>(kind, input, options);
}

uint64_t ArgReduce::temp_storage_bytes(uint64_t count) const {
    return state_->reduce ? state_->reduce->temp_storage_bytes(count) : 0;
}

void ArgReduce::operator()(core::StreamRef stream, const Input& input, const Output& output, uint64_t count,
                           const CallOptions& options) const {
    const State& state = *state_;
    if (state.target.is_host()) {
        host_execution::arg_reduce({operation, stream, options, count}, state.kind, state.input, result_type(), input,
                                   output);
        return;
    }
    const Call call{operation, state.target.device(), stream, count};
    check_stream(call);
    check_input(call, "input", state.input, input);
    const Iterator indexed = state.indexed.over(static_cast<const std::byte*>(input.state()));
    (*state.reduce)(stream, indexed, output, count, state.nothing, options);
}

const Type& ArgReduce::result_type() const {
    return state_->indexed.value_type();
}

std::string ArgReduce::save() const {
    if (!state_->reduce) Target::throw_nothing_to_save();
    return state_->reduce->save();
}

}  // namespace cuprum::parallel
