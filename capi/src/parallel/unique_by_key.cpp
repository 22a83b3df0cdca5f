#include "cuprum/parallel/unique_by_key.hpp"

#include "algorithm_call.hpp"
#include "values.hpp"

using namespace cuprum::capi;
namespace parallel = cuprum::parallel;

cuprum_status cuprum_parallel_unique_by_key_build(cuprum_parallel_algorithm* algorithm_out,
                                                  const cuprum_execution* execution, cuprum_parallel_iterator keys,
                                                  cuprum_parallel_iterator values, cuprum_parallel_operator op,
                                                  cuprum_parallel_iterator keys_target_iterator,
                                                  cuprum_parallel_iterator values_target_iterator) {
    return run("cuprum_parallel_unique_by_key_build", [&](const Call& call) {
        call.require(algorithm_out, "algorithm_out");
        const parallel::Execution target = read_execution(call, execution);
        const auto key_elements = call.use(keys, "keys");
        const auto value_elements = call.use(values, "values");
        const auto equal = call.use(op, "op");
        const parallel::BuildOptions options = writing_through(
            call, {{"keys_target_iterator", keys_target_iterator}, {"values_target_iterator", values_target_iterator}},
            {key_elements->iterator.value_type(), value_elements->iterator.value_type()});
        *algorithm_out = give_algorithm(
            call, target,
            parallel::UniqueByKey(key_elements->iterator, value_elements->iterator, equal->op, target, options));
    });
}

cuprum_status cuprum_parallel_unique_by_key(cuprum_parallel_algorithm algorithm, cuprum_stream stream,
                                            cuprum_parallel_iterator keys, cuprum_parallel_iterator values,
                                            uint64_t keys_target, cuprum_parallel_iterator keys_target_iterator,
                                            uint64_t values_target, cuprum_parallel_iterator values_target_iterator,
                                            uint64_t selected_count, uint64_t count, cuprum_parallel_operator op,
                                            uint64_t storage, uint64_t storage_size) {
    return run("cuprum_parallel_unique_by_key", [&](const Call& call) {
        const auto built = call.use(algorithm, "algorithm");
        const auto& unique = expect<parallel::UniqueByKey>(call, built, "unique by key");
        const StreamOfCall in_stream(call, *built, stream);
        const auto key_elements = call.use(keys, "keys");
        const auto value_elements = call.use(values, "values");
        const OutputOfCall to_keys(call, "keys_target_iterator", keys_target, keys_target_iterator);
        const OutputOfCall to_values(call, "values_target_iterator", values_target, values_target_iterator);
        const Options options(call, in_stream, op, storage, storage_size);
        unique(in_stream.get(), key_elements->iterator, value_elements->iterator, to_keys.get(), to_values.get(),
               selected_count, count, options.get());
    });
}
