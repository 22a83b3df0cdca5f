#include "cuprum/capi/linker.h"

#include <string>
#include <utility>
#include <vector>

#include "call.hpp"
#include "cuprum/capi/program.h"
#include "texts.hpp"

using namespace cuprum::capi;
namespace core = cuprum::core;

cuprum_status cuprum_linker_create(cuprum_linker* linker_out, const char* name, const char* const* options,
                                   uint32_t option_count) {
    return run("cuprum_linker_create", [&](const Call& call) {
        call.require(linker_out, "linker_out");
        core::LinkerOptions values;
        values.extra_options = read_texts(call, "options", options, option_count);
        if (name != nullptr && *name != '\0') {
            values.name = name;
        }
        *linker_out = call.give<cuprum_linker>(LinkerObject{core::Linker(std::move(values))});
    });
}

cuprum_status cuprum_linker_destroy(cuprum_linker linker) {
    return run("cuprum_linker_destroy", [&](const Call& call) { call.destroy(linker, "linker"); });
}

cuprum_status cuprum_linker_add(cuprum_linker linker, cuprum_object_code object_code) {
    return run("cuprum_linker_add", [&](const Call& call) {
        const auto used = call.use(linker, "linker");
        used->linker.add(call.use(object_code, "object_code")->code);
    });
}

cuprum_status cuprum_linker_link(cuprum_object_code* object_code_out, cuprum_linker linker, int32_t code_type) {
    return run("cuprum_linker_link", [&](const Call& call) {
        call.require(object_code_out, "object_code_out");
        if (code_type < CUPRUM_CODE_NATIVE || code_type > CUPRUM_CODE_LIBRARY) {
            call.refuse("code_type", "is " + std::to_string(code_type) +
                                         "; expected CUPRUM_CODE_CUBIN (2), CUPRUM_CODE_PTX (1) or "
                                         "CUPRUM_CODE_NATIVE (0)");
        }
        const auto used = call.use(linker, "linker");
        *object_code_out =
            call.give<cuprum_object_code>(ObjectCodeObject{used->linker.link(static_cast<core::CodeType>(code_type))});
    });
}

cuprum_status cuprum_linker_error_log(const char** log_out, cuprum_linker linker) {
    return run("cuprum_linker_error_log", [&](const Call& call) {
        call.require(log_out, "log_out");
        *log_out = lend(call.use(linker, "linker")->linker.error_log());
    });
}

cuprum_status cuprum_linker_info_log(const char** log_out, cuprum_linker linker) {
    return run("cuprum_linker_info_log", [&](const Call& call) {
        call.require(log_out, "log_out");
        *log_out = lend(call.use(linker, "linker")->linker.info_log());
    });
}

cuprum_status cuprum_linker_native(uint64_t* native_out, cuprum_linker linker) {
    return run("cuprum_linker_native", [&](const Call& call) {
        call.require(native_out, "native_out");
        *native_out = reinterpret_cast<uintptr_t>(call.use(linker, "linker")->linker.handle());
    });
}
