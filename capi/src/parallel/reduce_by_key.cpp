#include "cuprum/parallel/reduce_by_key.hpp"

#include "algorithm_call.hpp"
#include "values.hpp"

using namespace cuprum::capi;
namespace parallel = cuprum::parallel;

cuprum_status cuprum_parallel_reduce_by_key_array(uint64_t* selected_out, const cuprum_execution* execution,
                                                  const char* keys_type, void* keys, uint64_t keys_size,
                                                  const char* values_type, void* values, uint64_t values_size,
                                                  cuprum_parallel_operator op, cuprum_parallel_operator equal) {
    return run("cuprum_parallel_reduce_by_key_array", [&](const Call& call) {
        call.require(selected_out, "selected_out");
        const auto combine = call.use(op, "op");
        const parallel::Operator are_equal =
            equal == nullptr ? parallel::Operator(parallel::OpKind::equal_to) : call.use(equal, "equal")->op;
        *selected_out = parallel::reduce_by_key(
            host_output(call, "keys", read_type(call, "keys_type", keys_type), keys, keys_size),
            host_output(call, "values", read_type(call, "values_type", values_type), values, values_size), combine->op,
            are_equal, read_execution(call, execution));
    });
}
