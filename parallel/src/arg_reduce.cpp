// A reduction of the elements together with their positions.
#include "cuprum/parallel/arg_reduce.hpp"

#include <cstring>
#include <optional>
#include <string>
#include <vector>

#include "call.hpp"
#include "cuprum/parallel/reduce.hpp"
#include "cuprum/pathfinder/error.hpp"
#include "host_execution.hpp"
#include "one_shot.hpp"

namespace cuprum::parallel {

namespace {

constexpr const char* operation = "finding the extreme element";

Operator choose(ArgKind kind) {
    const char* const not_after = kind == ArgKind::minimum ? "<=" : ">=";
    // Associative and commutative: an order of (is a NaN, value, position) in which no two are equal. Few instructions:
    // it is evaluated for every element. The first comparison is false, and so b the first, where either is a NaN. As
    // an unsigned number the position of no element, -1, comes after all others.
    return {std::string(R"(using position_t = ::cuda::std::make_unsigned_t<decltype(a.index)>;
const bool is_b_first = !(a.value )") +
            not_after + R"( b.value);
const bool is_b_earlier = static_cast<position_t>(b.index) < static_cast<position_t>(a.index);
const bool is_b = a.value != a.value ? (b.value != b.value) & is_b_earlier
                                     : is_b_first | ((a.value == b.value) & is_b_earlier);
return is_b ? b : a;)"};
}

// The bits of the value after which no other comes.
uint128 last_value(TypeKind type, ArgKind kind) {
    const bool largest = kind == ArgKind::minimum;
    constexpr uint128 highest_bit = uint128{1} << 127;
    const auto infinity = [&](uint64_t positive, uint64_t sign) { return largest ? positive : positive | sign; };
    switch (type) {
        case TypeKind::boolean:
            return largest ? 1 : 0;
        case TypeKind::int8:
            return largest ? 0x7f : 0x80;
        case TypeKind::int16:
            return largest ? 0x7fff : 0x8000;
        case TypeKind::int32:
            return largest ? 0x7fff'ffff : 0x8000'0000;
        case TypeKind::int64:
            return largest ? uint64_t{INT64_MAX} : uint64_t{1} << 63;
        case TypeKind::int128:
            return largest ? ~highest_bit : highest_bit;
        case TypeKind::float16:
            return infinity(0x7c00, 0x8000);
        case TypeKind::bfloat16:
            return infinity(0x7f80, 0x8000);
        case TypeKind::float32:
            return infinity(0x7f80'0000, 0x8000'0000);
        case TypeKind::float64:
            return infinity(0x7ff0'0000'0000'0000, uint64_t{1} << 63);
        default:
            return largest ? ~uint128{0} : 0;  // unsigned
    }
}

// At no position, with these bits for a value.
Value no_element(const Type& result, uint128 bits) {
    const Type::Field& value = result.fields().back();
    std::vector<std::byte> bytes(result.size());
    const int64_t no_index = -1;
    std::memcpy(bytes.data(), &no_index, sizeof(no_index));
    std::memcpy(bytes.data() + value.offset, &bits, value.type.size());
    return {result, bytes.data()};
}

void run_on_host(const HostCall& call, ArgKind kind, const Iterator& built, const Type& result, const Input& input,
                 const Output& output) {
    using namespace host_execution;
    check_call(call, nullptr);
    const host::Source source = source_of(call, "input", built, input, call.count);
    auto* const target = static_cast<std::byte*>(target_of(call, "output", result, output, 1));
    int64_t index = -1;
    check(host_functions().arg_reduce(&source, call.count, kind == ArgKind::maximum ? 1 : 0, &index,
                                      target + result.fields()[1].offset),
          call);
    std::memcpy(target, &index, sizeof(index));
}

}  // namespace

struct ArgReduce::State {
    Target target;
    ArgKind kind;
    Iterator input;  // the elements
    Iterator indexed;
    std::optional<Reduce> reduce;  // none on the host
    Value last;                    // what the elements are reduced from
    Value nothing;                 // the result for no elements

    State(ArgKind kind_, const Iterator& input_, const Execution& execution, const BuildOptions& options)
        : target(execution, options),
          kind(kind_),
          input(input_),
          indexed(Iterator::indexed(input_)),
          last(no_element(indexed.value_type(), last_value(input.value_type().kind(), kind))),
          nothing(no_element(indexed.value_type(), 0)) {
        if (target.is_host()) {
            host_execution::check_elements("arg_reduce", input);
        } else {
            reduce = Reduce(indexed, choose(kind), indexed.value_type(),
                            // No order matters.
                            execution.require(Determinism::not_guaranteed), options, Reduce::Positions::narrow);
        }
    }
};

ArgReduce::ArgReduce(ArgKind kind, const Iterator& input, const Execution& execution, const BuildOptions& options) {
    if (kind != ArgKind::minimum && kind != ArgKind::maximum) {
        throw InvalidArgument("building arg_reduce", "kind " + std::to_string(static_cast<int>(kind)),
                              "expected minimum or maximum");
    }
    const Type& type = input.value_type();
    if (type.is_structure() || type.is_complex()) {
        throw InvalidArgument("building arg_reduce", "elements of type " + type.name(),
                              "only numbers and bool have an order",
                              "reduce an indexed iterator with an operator of your own");
    }
    state_ = std::make_shared<const State>(kind, input, execution, options);
}

uint64_t ArgReduce::temp_storage_bytes(uint64_t count) const {
    return state_->reduce ? state_->reduce->temp_storage_bytes(count) : 0;
}

void ArgReduce::operator()(core::StreamRef stream, const Input& input, const Output& output, uint64_t count,
                           const CallOptions& options) const {
    const State& state = *state_;
    if (state.target.is_host()) {
        run_on_host({operation, stream, options, count}, state.kind, state.input, result_type(), input, output);
        return;
    }
    const Call call{operation, state.target.device(), stream, count};
    check_stream(call);
    check_input(call, "input", state.input, input);
    const Iterator indexed = state.indexed.over(static_cast<const std::byte*>(input.state()));
    (*state.reduce)(stream, indexed, output, count, count == 0 ? state.nothing : state.last, options);
}

const Type& ArgReduce::result_type() const {
    return state_->indexed.value_type();
}

std::string ArgReduce::save() const {
    if (!state_->reduce) Target::throw_nothing_to_save();
    return state_->reduce->save();
}

int64_t arg_reduce(ArgKind kind, const HostInput& data, const Execution& execution) {
    const Execution target = runnable("looking for an extreme element", execution);
    const ArgReduce built = kept_or_built(CallKey("arg_reduce", target).add(static_cast<int32_t>(kind)).add(data.type),
                                          [&] { return ArgReduce(kind, Iterator::pointer(data.type), target); });
    if (execution.is_host()) {
        std::vector<std::byte> result(built.result_type().size());
        int64_t index = -1;
        built({}, in_place(data), result.data(), data.count);
        std::memcpy(&index, result.data(), sizeof(index));
        return index;
    }
    Job job(execution.device_id());
    const core::BufferRef input = job.upload(data.type, data.data, data.count);
    const core::BufferRef output = job.memory_for(built.result_type(), 1);
    built(job.stream(), input, output, data.count, job.options(built.temp_storage_bytes(data.count)));
    int64_t index = -1;
    job.download(output.slice(0, sizeof(index)), &index);
    job.wait();
    return index;
}

}  // namespace cuprum::parallel
