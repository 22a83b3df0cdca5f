#include "cuprum/parallel/unique.hpp"

#include "algorithm_call.hpp"
#include "values.hpp"

using namespace cuprum::capi;
namespace parallel = cuprum::parallel;

cuprum_status cuprum_parallel_unique_array(uint64_t* selected_out, void* result, uint64_t result_size,
                                           const cuprum_execution* execution, const char* type, const void* data,
                                           uint64_t data_size, cuprum_parallel_operator op) {
    return run("cuprum_parallel_unique_array", [&](const Call& call) {
        call.require(selected_out, "selected_out");
        const parallel::Type elements = read_type(call, "type", type);
        const auto are_equal = call.use(op, "op");
        *selected_out = parallel::unique(host_input(call, "data", elements, data, data_size), are_equal->op,
                                         host_output(call, "result", elements, result, result_size),
                                         read_execution(call, execution));
    });
}
