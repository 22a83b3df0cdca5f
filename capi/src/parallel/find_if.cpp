#include "cuprum/parallel/find_if.hpp"

#include "algorithm_call.hpp"
#include "values.hpp"

using namespace cuprum::capi;
namespace parallel = cuprum::parallel;

cuprum_status cuprum_parallel_find_if_array(int64_t* index_out, const cuprum_execution* execution, const char* type,
                                            const void* data, uint64_t data_size, cuprum_parallel_operator condition) {
    return run("cuprum_parallel_find_if_array", [&](const Call& call) {
        call.require(index_out, "index_out");
        const parallel::Type elements = read_type(call, "type", type);
        const auto is_the_one = call.use(condition, "condition");
        *index_out = parallel::find_if(host_input(call, "data", elements, data, data_size), is_the_one->op,
                                       read_execution(call, execution));
    });
}
