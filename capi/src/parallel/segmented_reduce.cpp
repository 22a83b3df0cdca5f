#include "cuprum/parallel/segmented_reduce.hpp"

#include "algorithm_call.hpp"
#include "values.hpp"

using namespace cuprum::capi;
namespace parallel = cuprum::parallel;

cuprum_status cuprum_parallel_segmented_reduce_build(cuprum_parallel_algorithm* algorithm_out,
                                                     const cuprum_execution* execution, cuprum_parallel_iterator input,
                                                     cuprum_parallel_operator op, const char* accumulator,
                                                     const char* offsets) {
    return run("cuprum_parallel_segmented_reduce_build", [&](const Call& call) {
        call.require(algorithm_out, "algorithm_out");
        const parallel::Execution target = read_execution(call, execution);
        const auto elements = call.use(input, "input");
        const auto combine = call.use(op, "op");
        *algorithm_out = give_algorithm(
            call, target,
            parallel::SegmentedReduce(elements->iterator, combine->op, read_type(call, "accumulator", accumulator),
                                      read_type(call, "offsets", offsets), target));
    });
}

cuprum_status cuprum_parallel_segmented_reduce(cuprum_parallel_algorithm algorithm, cuprum_stream stream,
                                               cuprum_parallel_iterator input, uint64_t output, uint64_t segments,
                                               uint64_t begins, uint64_t ends, const void* init, uint64_t init_size,
                                               cuprum_parallel_operator op) {
    return run("cuprum_parallel_segmented_reduce", [&](const Call& call) {
        const auto built = call.use(algorithm, "algorithm");
        const auto& reduce = expect<parallel::SegmentedReduce>(call, built, "a segmented reduction");
        const StreamOfCall in_stream(call, *built, stream);
        const auto elements = call.use(input, "input");
        const Options options(call, in_stream, op, 0, 0);
        reduce(in_stream.get(), elements->iterator, output, segments, begins, ends,
               read_value(call, "init", reduce.accumulator(), init, init_size), options.get());
    });
}
