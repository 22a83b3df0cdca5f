#include "cuprum/parallel/binary_search.hpp"

#include "algorithm_call.hpp"
#include "values.hpp"

using namespace cuprum::capi;
namespace parallel = cuprum::parallel;

cuprum_status cuprum_parallel_binary_search_build(cuprum_parallel_algorithm* algorithm_out,
                                                  const cuprum_execution* execution, int32_t bound,
                                                  cuprum_parallel_iterator data, cuprum_parallel_iterator values,
                                                  cuprum_parallel_operator compare, const char* positions) {
    return run("cuprum_parallel_binary_search_build", [&](const Call& call) {
        call.require(algorithm_out, "algorithm_out");
        const parallel::Execution target = read_execution(call, execution);
        const auto which = read_choice<parallel::Bound>(call, "bound", bound, 2, "CUPRUM_BOUND_* (0, 1)");
        const auto elements = call.use(data, "data");
        const auto wanted = call.use(values, "values");
        const auto comes_before = call.use(compare, "compare");
        *algorithm_out =
            give_algorithm(call, target,
                           parallel::BinarySearch(which, elements->iterator, wanted->iterator, comes_before->op,
                                                  read_type(call, "positions", positions), target));
    });
}

cuprum_status cuprum_parallel_binary_search(cuprum_parallel_algorithm algorithm, cuprum_stream stream,
                                            cuprum_parallel_iterator data, uint64_t data_count,
                                            cuprum_parallel_iterator values, uint64_t output, uint64_t count,
                                            cuprum_parallel_operator op) {
    return run("cuprum_parallel_binary_search", [&](const Call& call) {
        const auto built = call.use(algorithm, "algorithm");
        const auto& search = expect<parallel::BinarySearch>(call, built, "binary search");
        const StreamOfCall in_stream(call, *built, stream);
        const auto elements = call.use(data, "data");
        const auto wanted = call.use(values, "values");
        const Options options(call, in_stream, op, 0, 0);
        search(in_stream.get(), elements->iterator, data_count, wanted->iterator, output, count, options.get());
    });
}
