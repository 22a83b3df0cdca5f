#include "cuprum/capi/program.h"

#include <string>
#include <utility>
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
static_assert(CUPRUM_SOURCE_NVVM == static_cast<int32_t>(core::SourceType::nvvm));
static_assert(CUPRUM_CODE_NATIVE == static_cast<int32_t>(core::CodeType::native));
static_assert(CUPRUM_CODE_PTX == static_cast<int32_t>(core::CodeType::ptx));
static_assert(CUPRUM_CODE_CUBIN == static_cast<int32_t>(core::CodeType::cubin));
static_assert(CUPRUM_CODE_LTOIR == static_cast<int32_t>(core::CodeType::ltoir));
static_assert(CUPRUM_CODE_FATBIN == static_cast<int32_t>(core::CodeType::fatbin));
static_assert(CUPRUM_CODE_OBJECT == static_cast<int32_t>(core::CodeType::object));
static_assert(CUPRUM_CODE_LIBRARY == static_cast<int32_t>(core::CodeType::library));

void give_program(const Call& call, cuprum_program* program_out, std::string code, core::SourceType type,
                  const char* name, const std::vector<std::string>& options) {
    core::ProgramOptions values = type == core::SourceType::nvvm ? parse_nvvm_options(options) : parse_options(options);
    if (name != nullptr && *name != '\0') {
        values.name = name;
    }
    *program_out = call.give<cuprum_program>(ProgramObject(core::Program(std::move(code), type, std::move(values))));
}

std::string bytes_of(const Call& call, const void* code, uint64_t size) {
    if (size != 0) {
        call.require(code, "code");
    }
    return std::string(static_cast<const char*>(code), static_cast<size_t>(size));
}

}  // namespace

cuprum_status cuprum_program_create(cuprum_program* program_out, const char* code, int32_t source_type,
                                    const char* name, const char* const* options, uint32_t option_count) {
    return run("cuprum_program_create", [&](const Call& call) {
        call.require(program_out, "program_out");
        call.require(code, "code");
        if (source_type < CUPRUM_SOURCE_CXX || source_type > CUPRUM_SOURCE_NVVM) {
            call.refuse("source_type",
                        "is " + std::to_string(source_type) +
                            "; expected CUPRUM_SOURCE_CXX (0), CUPRUM_SOURCE_PTX (1) or CUPRUM_SOURCE_NVVM (2)");
        }
        give_program(call, program_out, code, static_cast<core::SourceType>(source_type), name,
                     read_texts(call, "options", options, option_count));
    });
}

cuprum_status cuprum_program_create_nvvm(cuprum_program* program_out, const void* code, uint64_t size, const char* name,
                                         const char* const* options, uint32_t option_count) {
    return run("cuprum_program_create_nvvm", [&](const Call& call) {
        call.require(program_out, "program_out");
        give_program(call, program_out, bytes_of(call, code, size), core::SourceType::nvvm, name,
                     read_texts(call, "options", options, option_count));
    });
}

cuprum_status cuprum_program_add_module(cuprum_program program, const void* code, uint64_t size, const char* name) {
    return run("cuprum_program_add_module", [&](const Call& call) {
        call.require(name, "name");
        std::string module = bytes_of(call, code, size);
        call.use(program, "program")->add_module(name, std::move(module));
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
        *object_code_out = call.give<cuprum_object_code>(ObjectCodeObject{compiled->program()->compile(target, names)});
    });
}

cuprum_status cuprum_program_log(const char** log_out) {
    return run("cuprum_program_log", [&](const Call& call) {
        call.require(log_out, "log_out");
        *log_out = lend(core::Program::last_log());
    });
}
