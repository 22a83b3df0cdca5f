#include "cuprum/parallel/scan.hpp"

#include <optional>

#include "algorithm_call.hpp"
#include "values.hpp"

using namespace cuprum::capi;
namespace parallel = cuprum::parallel;

static_assert(CUPRUM_SCAN_EXCLUSIVE == static_cast<int32_t>(parallel::ScanKind::exclusive));
static_assert(CUPRUM_SCAN_INCLUSIVE == static_cast<int32_t>(parallel::ScanKind::inclusive));
static_assert(CUPRUM_SCAN_INCLUSIVE_WITH_INIT == static_cast<int32_t>(parallel::ScanKind::inclusive_with_init));

cuprum_status cuprum_parallel_scan_build(cuprum_parallel_algorithm* algorithm_out, const cuprum_execution* execution,
                                         int32_t kind, cuprum_parallel_iterator input, cuprum_parallel_operator op,
                                         const char* accumulator, cuprum_parallel_iterator output_iterator) {
    return run("cuprum_parallel_scan_build", [&](const Call& call) {
        call.require(algorithm_out, "algorithm_out");
        const parallel::Execution target = read_execution(call, execution);
        const auto scan_kind = read_choice<parallel::ScanKind>(call, "kind", kind, 3, "CUPRUM_SCAN_* (0 to 2)");
        const auto elements = call.use(input, "input");
        const auto combine = call.use(op, "op");
        const parallel::Type sum = read_type(call, "accumulator", accumulator);
        const parallel::BuildOptions options = writing_through(call, {{"output_iterator", output_iterator}}, {sum});
        *algorithm_out = give_algorithm(
            call, target, parallel::Scan(scan_kind, elements->iterator, combine->op, sum, target, options));
    });
}

cuprum_status cuprum_parallel_scan(cuprum_parallel_algorithm algorithm, cuprum_stream stream,
                                   cuprum_parallel_iterator input, uint64_t output,
                                   cuprum_parallel_iterator output_iterator, uint64_t count, const void* init,
                                   uint64_t init_size, uint64_t init_address, cuprum_parallel_operator op,
                                   uint64_t storage, uint64_t storage_size) {
    return run("cuprum_parallel_scan", [&](const Call& call) {
        const auto built = call.use(algorithm, "algorithm");
        const auto& scan = expect<parallel::Scan>(call, built, "a scan");
        const StreamOfCall in_stream(call, *built, stream);
        const auto elements = call.use(input, "input");
        const OutputOfCall to(call, "output_iterator", output, output_iterator);
        const Options options(call, in_stream, op, storage, storage_size);
        if (scan.kind() == parallel::ScanKind::inclusive) {
            if (init_size != 0 || init_address != 0) {
                call.refuse(init_size != 0 ? "init" : "init_address",
                            "is given, and the scan was built as CUPRUM_SCAN_INCLUSIVE");
            }
            scan(in_stream.get(), elements->iterator, to.get(), count, options.get());
        } else if (init_address != 0) {
            if (init_size != 0) call.refuse("init", "is given, and so is init_address; expected one");
            const auto value = cuprum::core::BufferRef::from_handle(init_address, scan.accumulator().size(),
                                                                    in_stream.get().device_id());
            scan(in_stream.get(), elements->iterator, to.get(), count, value, options.get());
        } else {
            scan(in_stream.get(), elements->iterator, to.get(), count,
                 read_value(call, "init", scan.accumulator(), init, init_size), options.get());
        }
    });
}

cuprum_status cuprum_parallel_scan_array(void* result, uint64_t result_size, const cuprum_execution* execution,
                                         int32_t kind, const char* type, const void* data, uint64_t data_size,
                                         const char* accumulator, const void* init, uint64_t init_size,
                                         cuprum_parallel_operator op) {
    return run("cuprum_parallel_scan_array", [&](const Call& call) {
        const auto scan_kind = read_choice<parallel::ScanKind>(call, "kind", kind, 3, "CUPRUM_SCAN_* (0 to 2)");
        const parallel::Type sum = read_type(call, "accumulator", accumulator);
        std::optional<parallel::Value> first;
        if (scan_kind != parallel::ScanKind::inclusive) first = read_value(call, "init", sum, init, init_size);
        const auto combine = call.use(op, "op");
        parallel::scan(scan_kind, host_input(call, "data", read_type(call, "type", type), data, data_size), first,
                       combine->op, host_output(call, "result", sum, result, result_size),
                       read_execution(call, execution));
    });
}
