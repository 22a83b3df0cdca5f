#include "cuprum/parallel/three_way_partition.hpp"

#include "algorithm_call.hpp"
#include "values.hpp"

using namespace cuprum::capi;
namespace parallel = cuprum::parallel;

cuprum_status cuprum_parallel_three_way_partition_build(cuprum_parallel_algorithm* algorithm_out,
                                                        const cuprum_execution* execution,
                                                        cuprum_parallel_iterator input,
                                                        cuprum_parallel_operator first_condition,
                                                        cuprum_parallel_operator second_condition) {
    return run("cuprum_parallel_three_way_partition_build", [&](const Call& call) {
        call.require(algorithm_out, "algorithm_out");
        const parallel::Execution target = read_execution(call, execution);
        const auto elements = call.use(input, "input");
        const auto first = call.use(first_condition, "first_condition");
        const auto second = call.use(second_condition, "second_condition");
        *algorithm_out = give_algorithm(call, target,
                                        parallel::ThreeWayPartition(elements->iterator, first->op, second->op, target));
    });
}

cuprum_status cuprum_parallel_three_way_partition(cuprum_parallel_algorithm algorithm, cuprum_stream stream,
                                                  cuprum_parallel_iterator input, uint64_t first_target,
                                                  uint64_t second_target, uint64_t unselected_target,
                                                  uint64_t selected_counts, uint64_t count, cuprum_parallel_operator op,
                                                  cuprum_parallel_operator second_op, uint64_t storage,
                                                  uint64_t storage_size) {
    return run("cuprum_parallel_three_way_partition", [&](const Call& call) {
        const auto built = call.use(algorithm, "algorithm");
        const auto& partition = expect<parallel::ThreeWayPartition>(call, built, "three-way partition");
        const StreamOfCall in_stream(call, *built, stream);
        const auto elements = call.use(input, "input");
        const Options options(call, in_stream, op, storage, storage_size, second_op);
        partition(in_stream.get(), elements->iterator, first_target, second_target, unselected_target, selected_counts,
                  count, options.get());
    });
}
