#include "cuprum/parallel/arg_reduce.hpp"

#include "algorithm_call.hpp"
#include "values.hpp"

using namespace cuprum::capi;
namespace parallel = cuprum::parallel;

static_assert(CUPRUM_ARG_MINIMUM == static_cast<int32_t>(parallel::ArgKind::minimum));
static_assert(CUPRUM_ARG_MAXIMUM == static_cast<int32_t>(parallel::ArgKind::maximum));

cuprum_status cuprum_parallel_arg_reduce_build(cuprum_parallel_algorithm* algorithm_out,
                                               const cuprum_execution* execution, int32_t kind,
                                               cuprum_parallel_iterator input) {
    return run("cuprum_parallel_arg_reduce_build", [&](const Call& call) {
        call.require(algorithm_out, "algorithm_out");
        const parallel::Execution target = read_execution(call, execution);
        const auto arg_kind = read_choice<parallel::ArgKind>(call, "kind", kind, 2, "CUPRUM_ARG_* (0, 1)");
        const auto elements = call.use(input, "input");
        *algorithm_out = give_algorithm(call, target, parallel::ArgReduce(arg_kind, elements->iterator, target));
    });
}

cuprum_status cuprum_parallel_arg_reduce(cuprum_parallel_algorithm algorithm, cuprum_stream stream,
                                         cuprum_parallel_iterator input, uint64_t output, uint64_t count,
                                         uint64_t storage, uint64_t storage_size) {
    return run("cuprum_parallel_arg_reduce", [&](const Call& call) {
        const auto built = call.use(algorithm, "algorithm");
        const auto& find = expect<parallel::ArgReduce>(call, built, "an arg-min or arg-max");
        const StreamOfCall in_stream(call, *built, stream);
        const auto elements = call.use(input, "input");
        const Options options(call, in_stream, nullptr, storage, storage_size);
        find(in_stream.get(), elements->iterator, output, count, options.get());
    });
}

cuprum_status cuprum_parallel_arg_reduce_array(int64_t* index_out, const cuprum_execution* execution, int32_t kind,
                                               const char* type, const void* data, uint64_t data_size) {
    return run("cuprum_parallel_arg_reduce_array", [&](const Call& call) {
        call.require(index_out, "index_out");
        const auto arg_kind = read_choice<parallel::ArgKind>(call, "kind", kind, 2, "CUPRUM_ARG_* (0, 1)");
        *index_out =
            parallel::arg_reduce(arg_kind, host_input(call, "data", read_type(call, "type", type), data, data_size),
                                 read_execution(call, execution));
    });
}
