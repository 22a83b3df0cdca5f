#include "cuprum/parallel/run_length_encode.hpp"

#include "algorithm_call.hpp"
#include "values.hpp"

using namespace cuprum::capi;
namespace parallel = cuprum::parallel;

cuprum_status cuprum_parallel_run_length_encode_array(uint64_t* selected_out, const cuprum_execution* execution,
                                                      const char* keys_type, void* keys, uint64_t keys_size,
                                                      const char* lengths_type, void* lengths, uint64_t lengths_size,
                                                      cuprum_parallel_operator op) {
    return run("cuprum_parallel_run_length_encode_array", [&](const Call& call) {
        call.require(selected_out, "selected_out");
        const auto are_equal = call.use(op, "op");
        *selected_out = parallel::run_length_encode(
            host_output(call, "keys", read_type(call, "keys_type", keys_type), keys, keys_size),
            host_output(call, "lengths", read_type(call, "lengths_type", lengths_type), lengths, lengths_size),
            are_equal->op, read_execution(call, execution));
    });
}
