#include "cuprum/parallel/reduce.hpp"

#include <string>

#include "algorithm_call.hpp"
#include "values.hpp"

using namespace cuprum::capi;
namespace parallel = cuprum::parallel;

cuprum_status cuprum_parallel_reduce_build(cuprum_parallel_algorithm* algorithm_out, const cuprum_execution* execution,
                                           cuprum_parallel_iterator input, cuprum_parallel_operator op,
                                           const char* accumulator, cuprum_parallel_iterator output_iterator) {
    return run("cuprum_parallel_reduce_build", [&](const Call& call) {
        call.require(algorithm_out, "algorithm_out");
        const parallel::Execution target = read_execution(call, execution);
        const auto elements = call.use(input, "input");
        const auto combine = call.use(op, "op");
        const parallel::Type sum = read_type(call, "accumulator", accumulator);
        const parallel::BuildOptions options = writing_through(call, {{"output_iterator", output_iterator}}, {sum});
        *algorithm_out =
            give_algorithm(call, target, parallel::Reduce(elements->iterator, combine->op, sum, target, options));
    });
}

cuprum_status cuprum_parallel_reduce(cuprum_parallel_algorithm algorithm, cuprum_stream stream,
                                     cuprum_parallel_iterator input, uint64_t output,
                                     cuprum_parallel_iterator output_iterator, uint64_t count, const void* init,
                                     uint64_t init_size, cuprum_parallel_operator op, uint64_t storage,
                                     uint64_t storage_size) {
    return run("cuprum_parallel_reduce", [&](const Call& call) {
        const auto built = call.use(algorithm, "algorithm");
        const auto& reduce = expect<parallel::Reduce>(call, built, "a reduction");
        const StreamOfCall in_stream(call, *built, stream);
        const auto elements = call.use(input, "input");
        const OutputOfCall to(call, "output_iterator", output, output_iterator);
        const Options options(call, in_stream, op, storage, storage_size);
        if (init_size == 0) {
            reduce(in_stream.get(), elements->iterator, to.get(), count, options.get());
            return;
        }
        reduce(in_stream.get(), elements->iterator, to.get(), count,
               read_value(call, "init", reduce.accumulator(), init, init_size), options.get());
    });
}

cuprum_status cuprum_parallel_reduce_array(void* result, uint64_t result_size, const cuprum_execution* execution,
                                           const char* type, const void* data, uint64_t data_size,
                                           const char* accumulator, const void* init, uint64_t init_size,
                                           cuprum_parallel_operator op) {
    return run("cuprum_parallel_reduce_array", [&](const Call& call) {
        call.require(result, "result");
        const parallel::Type sum = read_type(call, "accumulator", accumulator);
        if (result_size != sum.size()) {
            call.refuse("result", "has room for " + std::to_string(result_size) + " bytes; a " + sum.name() + " has " +
                                      std::to_string(sum.size()));
        }
        const auto combine = call.use(op, "op");
        parallel::reduce(host_input(call, "data", read_type(call, "type", type), data, data_size),
                         read_value(call, "init", sum, init, init_size), combine->op, result,
                         read_execution(call, execution));
    });
}
