#include "cuprum/parallel/select.hpp"

#include "algorithm_call.hpp"
#include "values.hpp"

using namespace cuprum::capi;
namespace parallel = cuprum::parallel;

cuprum_status cuprum_parallel_select_build(cuprum_parallel_algorithm* algorithm_out, const cuprum_execution* execution,
                                           cuprum_parallel_iterator input, cuprum_parallel_operator condition,
                                           cuprum_parallel_iterator output_iterator) {
    return run("cuprum_parallel_select_build", [&](const Call& call) {
        call.require(algorithm_out, "algorithm_out");
        const parallel::Execution target = read_execution(call, execution);
        const auto elements = call.use(input, "input");
        const auto is_selected = call.use(condition, "condition");
        const parallel::BuildOptions options =
            writing_through(call, {{"output_iterator", output_iterator}}, {elements->iterator.value_type()});
        *algorithm_out =
            give_algorithm(call, target, parallel::Select(elements->iterator, is_selected->op, target, options));
    });
}

cuprum_status cuprum_parallel_select(cuprum_parallel_algorithm algorithm, cuprum_stream stream,
                                     cuprum_parallel_iterator input, uint64_t output,
                                     cuprum_parallel_iterator output_iterator, uint64_t selected_count, uint64_t count,
                                     cuprum_parallel_operator op, uint64_t storage, uint64_t storage_size) {
    return run("cuprum_parallel_select", [&](const Call& call) {
        const auto built = call.use(algorithm, "algorithm");
        const auto& select = expect<parallel::Select>(call, built, "a selection");
        const StreamOfCall in_stream(call, *built, stream);
        const auto elements = call.use(input, "input");
        const OutputOfCall to(call, "output_iterator", output, output_iterator);
        const Options options(call, in_stream, op, storage, storage_size);
        select(in_stream.get(), elements->iterator, to.get(), selected_count, count, options.get());
    });
}
