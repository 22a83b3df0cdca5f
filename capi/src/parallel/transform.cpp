#include "cuprum/parallel/transform.hpp"

#include <optional>
#include <span>
#include <vector>

#include "algorithm_call.hpp"
#include "values.hpp"

using namespace cuprum::capi;
namespace parallel = cuprum::parallel;

namespace {

// The iterators of a parameter that is an array, kept in use.
class Inputs {
public:
    Inputs(const Call& call, const cuprum_parallel_iterator* inputs, uint32_t count) {
        call.require(inputs, "inputs");
        for (uint32_t i = 0; i < count; ++i)
            pins_.push_back(call.use(inputs[i], "inputs", static_cast<int32_t>(i)));
    }
    // Each as `Each`, which is made of an iterator.
    template <class Each>
    std::vector<Each> get() const {
        std::vector<Each> each;
        each.reserve(pins_.size());
        for (const Pin<IteratorObject>& pin : pins_)
            each.emplace_back(pin->iterator);
        return each;
    }

private:
    std::vector<Pin<IteratorObject>> pins_;
};

}  // namespace

cuprum_status cuprum_parallel_transform_build(cuprum_parallel_algorithm* algorithm_out,
                                              const cuprum_execution* execution, cuprum_parallel_iterator first,
                                              cuprum_parallel_iterator second, cuprum_parallel_operator op,
                                              const char* output, cuprum_parallel_iterator output_iterator) {
    return run("cuprum_parallel_transform_build", [&](const Call& call) {
        call.require(algorithm_out, "algorithm_out");
        const parallel::Execution target = read_execution(call, execution);
        const auto left = call.use(first, "first");
        const auto function = call.use(op, "op");
        const parallel::Type type = read_type(call, "output", output);
        const parallel::BuildOptions options = writing_through(call, {{"output_iterator", output_iterator}}, {type});
        *algorithm_out =
            give_algorithm(call, target,
                           second == nullptr ? parallel::Transform(left->iterator, function->op, type, target, options)
                                             : parallel::Transform(left->iterator, call.use(second, "second")->iterator,
                                                                   function->op, type, target, options));
    });
}

cuprum_status cuprum_parallel_transform_build_nary(cuprum_parallel_algorithm* algorithm_out,
                                                   const cuprum_execution* execution,
                                                   const cuprum_parallel_iterator* inputs, uint32_t input_count,
                                                   cuprum_parallel_operator op, const char* output,
                                                   cuprum_parallel_iterator output_iterator) {
    return run("cuprum_parallel_transform_build_nary", [&](const Call& call) {
        call.require(algorithm_out, "algorithm_out");
        const parallel::Execution target = read_execution(call, execution);
        const Inputs given(call, inputs, input_count);
        const auto function = call.use(op, "op");
        const parallel::Type type = read_type(call, "output", output);
        const parallel::BuildOptions options = writing_through(call, {{"output_iterator", output_iterator}}, {type});
        *algorithm_out = give_algorithm(
            call, target, parallel::Transform(given.get<parallel::Iterator>(), function->op, type, target, options));
    });
}

cuprum_status cuprum_parallel_transform(cuprum_parallel_algorithm algorithm, cuprum_stream stream,
                                        cuprum_parallel_iterator first, cuprum_parallel_iterator second,
                                        uint64_t output, cuprum_parallel_iterator output_iterator, uint64_t count,
                                        cuprum_parallel_operator op) {
    return run("cuprum_parallel_transform", [&](const Call& call) {
        const auto built = call.use(algorithm, "algorithm");
        const auto& transform = expect<parallel::Transform>(call, built, "a transformation");
        const StreamOfCall in_stream(call, *built, stream);
        const auto left = call.use(first, "first");
        const OutputOfCall to(call, "output_iterator", output, output_iterator);
        const Options options(call, in_stream, op, 0, 0);
        if (second == nullptr) {
            transform(in_stream.get(), left->iterator, to.get(), count, options.get());
        } else {
            const auto right = call.use(second, "second");
            transform(in_stream.get(), left->iterator, right->iterator, to.get(), count, options.get());
        }
    });
}

cuprum_status cuprum_parallel_transform_nary(cuprum_parallel_algorithm algorithm, cuprum_stream stream,
                                             const cuprum_parallel_iterator* inputs, uint32_t input_count,
                                             uint64_t output, cuprum_parallel_iterator output_iterator, uint64_t count,
                                             cuprum_parallel_operator op) {
    return run("cuprum_parallel_transform_nary", [&](const Call& call) {
        const auto built = call.use(algorithm, "algorithm");
        const auto& transform = expect<parallel::Transform>(call, built, "a transformation");
        const StreamOfCall in_stream(call, *built, stream);
        const Inputs given(call, inputs, input_count);
        const OutputOfCall to(call, "output_iterator", output, output_iterator);
        const Options options(call, in_stream, op, 0, 0);
        transform(in_stream.get(), given.get<parallel::Input>(), to.get(), count, options.get());
    });
}

cuprum_status cuprum_parallel_transform_array_nary(void* result, uint64_t result_size,
                                                   const cuprum_execution* execution, const char* result_type,
                                                   const cuprum_host_input* inputs, uint32_t input_count,
                                                   cuprum_parallel_operator op) {
    return run("cuprum_parallel_transform_array_nary", [&](const Call& call) {
        const auto function = call.use(op, "op");
        call.require(inputs, "inputs");
        std::vector<parallel::HostInput> given;
        for (const cuprum_host_input& each : std::span(inputs, input_count))
            given.push_back(host_input(call, "inputs", read_type(call, "inputs", each.type), each.data, each.size));
        const parallel::HostOutput output =
            host_output(call, "result", read_type(call, "result_type", result_type), result, result_size);
        parallel::transform(given, function->op, output, read_execution(call, execution));
    });
}

cuprum_status cuprum_parallel_transform_array(void* result, uint64_t result_size, const cuprum_execution* execution,
                                              const char* result_type, const char* type, const void* data,
                                              uint64_t data_size, const char* second_type, const void* second,
                                              uint64_t second_size, cuprum_parallel_operator op) {
    return run("cuprum_parallel_transform_array", [&](const Call& call) {
        const auto function = call.use(op, "op");
        const parallel::HostInput first = host_input(call, "data", read_type(call, "type", type), data, data_size);
        const parallel::HostOutput output =
            host_output(call, "result", read_type(call, "result_type", result_type), result, result_size);
        if (const std::optional<parallel::Type> other = read_optional_type(second_type)) {
            parallel::transform(first, host_input(call, "second", *other, second, second_size), function->op, output,
                                read_execution(call, execution));
        } else {
            parallel::transform(first, function->op, output, read_execution(call, execution));
        }
    });
}
