#include <optional>
#include <string>
#include <vector>

#include "call.hpp"
#include "code_types.hpp"
#include "cuprum/capi/program.h"
#include "texts.hpp"

using namespace cuprum::capi;
namespace core = cuprum::core;

cuprum_status cuprum_compile_batch_create(cuprum_compile_batch* batch_out, uint32_t thread_count) {
    return run("cuprum_compile_batch_create", [&](const Call& call) {
        call.require(batch_out, "batch_out");
        *batch_out = call.give<cuprum_compile_batch>(CompileBatchObject{core::CompileBatch(thread_count)});
    });
}

cuprum_status cuprum_compile_batch_destroy(cuprum_compile_batch batch) {
    return run("cuprum_compile_batch_destroy", [&](const Call& call) { call.destroy(batch, "batch"); });
}

cuprum_status cuprum_compile_batch_add(uint64_t* index_out, cuprum_compile_batch batch, cuprum_program program,
                                       int32_t code_type, const char* const* name_expressions,
                                       uint32_t name_expression_count) {
    return run("cuprum_compile_batch_add", [&](const Call& call) {
        call.require(index_out, "index_out");
        const core::CodeType target = compile_target(call, code_type);
        const auto to = call.use(batch, "batch");
        const auto compiled = call.use(program, "program");
        *index_out = to->batch.add({*compiled->program(), target,
                                    read_texts(call, "name_expressions", name_expressions, name_expression_count)});
    });
}

cuprum_status cuprum_compile_batch_next(int32_t* found_out, uint64_t* index_out, uint64_t* done_out,
                                        uint64_t* total_out, int32_t* succeeded_out, int32_t* from_cache_out,
                                        const char** log_out, cuprum_compile_batch batch) {
    return run("cuprum_compile_batch_next", [&](const Call& call) {
        call.require(found_out, "found_out");
        call.require(index_out, "index_out");
        call.require(done_out, "done_out");
        call.require(total_out, "total_out");
        call.require(succeeded_out, "succeeded_out");
        call.require(from_cache_out, "from_cache_out");
        call.require(log_out, "log_out");
        const std::optional<core::CompileProgress> found = call.use(batch, "batch")->batch.next();
        const core::CompileProgress progress = found.value_or(core::CompileProgress{});
        *log_out = lend(progress.log);
        *found_out = found ? 1 : 0;
        *index_out = progress.index;
        *done_out = progress.done;
        *total_out = progress.total;
        *succeeded_out = progress.succeeded ? 1 : 0;
        *from_cache_out = progress.from_cache ? 1 : 0;
    });
}

cuprum_status cuprum_compile_batch_result(cuprum_object_code* object_code_out, cuprum_compile_batch batch,
                                          uint64_t index) {
    return run("cuprum_compile_batch_result", [&](const Call& call) {
        call.require(object_code_out, "object_code_out");
        *object_code_out =
            call.give<cuprum_object_code>(ObjectCodeObject{call.use(batch, "batch")->batch.result(index)});
    });
}

cuprum_status cuprum_compile_batch_require_success(cuprum_compile_batch batch) {
    return run("cuprum_compile_batch_require_success",
               [&](const Call& call) { call.use(batch, "batch")->batch.require_success(); });
}

cuprum_status cuprum_compile_batch_cancel(cuprum_compile_batch batch) {
    return run("cuprum_compile_batch_cancel", [&](const Call& call) { call.use(batch, "batch")->batch.cancel(); });
}
