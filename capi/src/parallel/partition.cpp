#include "cuprum/parallel/partition.hpp"

#include "algorithm_call.hpp"
#include "values.hpp"

using namespace cuprum::capi;
namespace parallel = cuprum::parallel;

cuprum_status cuprum_parallel_partition_array(uint64_t* selected_out, const cuprum_execution* execution,
                                              const char* keys_type, void* keys, uint64_t keys_size,
                                              cuprum_parallel_operator condition) {
    return run("cuprum_parallel_partition_array", [&](const Call& call) {
        call.require(selected_out, "selected_out");
        const auto is_first = call.use(condition, "condition");
        *selected_out =
            parallel::partition(host_output(call, "keys", read_type(call, "keys_type", keys_type), keys, keys_size),
                                is_first->op, read_execution(call, execution));
    });
}
