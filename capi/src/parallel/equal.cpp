#include "cuprum/parallel/equal.hpp"

#include "algorithm_call.hpp"
#include "values.hpp"

using namespace cuprum::capi;
namespace parallel = cuprum::parallel;

cuprum_status cuprum_parallel_equal_array(int32_t* equal_out, const cuprum_execution* execution, const char* type,
                                          const void* data, uint64_t data_size, const char* second_type,
                                          const void* second, uint64_t second_size, cuprum_parallel_operator op) {
    return run("cuprum_parallel_equal_array", [&](const Call& call) {
        call.require(equal_out, "equal_out");
        const auto are_equal = call.use(op, "op");
        const bool result = parallel::equal(
            host_input(call, "data", read_type(call, "type", type), data, data_size),
            host_input(call, "second", read_type(call, "second_type", second_type), second, second_size), are_equal->op,
            read_execution(call, execution));
        *equal_out = result ? 1 : 0;
    });
}
