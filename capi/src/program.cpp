#include "cuprum/capi/program.h"

#include <string>
#include <vector>

#include "call.hpp"
#include "code_types.hpp"
#include "program_options.hpp"
#include "texts.hpp"

using namespace cuprum::capi;
namespace core = cuprum::core;

namespace {

static_assert(CUPRUM_SOURCE_CXX == static_cast<int32_t>(core::SourceType::cxx));
static_assert(CUPRUM_SOURCE_PTX == static_cast<int32_t>(core::SourceType::ptx));
static_assert(CUPRUM_CODE_NATIVE == static_cast<int32_t>(core::CodeType::native));
static_assert(CUPRUM_CODE_PTX == static_cast<int32_t>(core::CodeType::ptx));
static_assert(CUPRUM_CODE_CUBIN == static_cast<int32_t>(core::CodeType::cubin));
static_assert(CUPRUM_CODE_LTOIR == static_cast<int32_t>(core::CodeType::ltoir));
static_assert(CUPRUM_CODE_FATBIN == static_cast<int32_t>(core::CodeType::fatbin));
static_assert(CUPRUM_CODE_OBJECT == static_cast<int32_t>(core::CodeType::object));
static_assert(CUPRUM_CODE_LIBRARY == static_cast<int32_t>(core::CodeType::library));

}  // namespace

cuprum_status cuprum_program_create(cuprum_program* program_out, const char* code, int32_t source_type,
                                    const char* name, const char* const* options, uint32_t option_count) {
    return run("cuprum_program_create", [&](const Call& call) {
        call.require(program_out, "program_out");
        call.require(code, "code");
        if (source_type != CUPRUM_SOURCE_CXX && source_type != CUPRUM_SOURCE_PTX) {
            call.refuse("source_type", "is " + std::to_string(source_type) +
                                           "; expected CUPRUM_SOURCE_CXX (0) or CUPRUM_SOURCE_PTX (1)");
        }
        core::ProgramOptions values = parse_options(read_texts(call, "options", options, option_count));
        if (name != nullptr && *name != '\0') {
            values.name = name;
        }
        *program_out = call.give<cuprum_program>(
            ProgramObject{core::Program(code, static_cast<core::SourceType>(source_type), std::move(values))});
    });
}

cuprum_status cuprum_program_destroy(cuprum_program program) {
    return run("cuprum_program_destroy", [&](const Call& call) { call.destroy(program, "program"); });
}

cuprum_status cuprum_program_compile(cuprum_object_code* object_code_out, cuprum_program program, int32_t code_type,
                                     const char* const* name_expressions, uint32_t name_expression_count) {
    return run("cuprum_program_compile", [&](const Call& call) {
        call.require(object_code_out, "object_code_out");
        const core::CodeType target = compile_target(call, code_type);
        const auto compiled = call.use(program, "program");
        const std::vector<std::string> names =
            read_texts(call, "name_expressions", name_expressions, name_expression_count);
        *object_code_out = call.give<cuprum_object_code>(ObjectCodeObject{compiled->program.compile(target, names)});
    });
}

cuprum_status cuprum_program_log(const char** log_out) {
    return run("cuprum_program_log", [&](const Call& call) {
        call.require(log_out, "log_out");
        *log_out = lend(core::Program::last_log());
    });
}
