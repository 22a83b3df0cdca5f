#include <string>
#include <vector>

#include "call.hpp"
#include "cuprum/capi/program.h"
#include "cuprum/core/device.hpp"
#include "cuprum/core/error.hpp"

using namespace cuprum::capi;
namespace core = cuprum::core;

namespace {

using MakeObjectCode = core::ObjectCode (*)(std::string code, std::string name, core::SymbolMapping symbol_mapping);

// nullptr where there is no such type of code.
MakeObjectCode maker_of(int32_t code_type) {
    switch (code_type) {
        case CUPRUM_CODE_PTX:
            return &core::ObjectCode::from_ptx;
        case CUPRUM_CODE_CUBIN:
            return &core::ObjectCode::from_cubin;
        case CUPRUM_CODE_LTOIR:
            return &core::ObjectCode::from_ltoir;
        case CUPRUM_CODE_FATBIN:
            return &core::ObjectCode::from_fatbin;
        case CUPRUM_CODE_OBJECT:
            return &core::ObjectCode::from_object;
        case CUPRUM_CODE_LIBRARY:
            return &core::ObjectCode::from_library;
        default:
            return nullptr;
    }
}

[[noreturn]] void refuse_code_type(const Call& call, int32_t code_type) {
    call.refuse("code_type",
                "is " + std::to_string(code_type) + "; expected one of CUPRUM_CODE_* (1 to 6), not CUPRUM_CODE_NATIVE");
}

}  // namespace

cuprum_status cuprum_object_code_create(cuprum_object_code* object_code_out, const void* code, uint64_t size,
                                        int32_t code_type, const char* name) {
    return run("cuprum_object_code_create", [&](const Call& call) {
        call.require(object_code_out, "object_code_out");
        call.require(code, "code");
        if (size == 0) {
            throw cuprum::InvalidArgument("taking object code", name == nullptr ? "" : name, "the code is empty");
        }
        const MakeObjectCode make = maker_of(code_type);
        if (make == nullptr) {
            refuse_code_type(call, code_type);
        }
        *object_code_out = call.give<cuprum_object_code>(ObjectCodeObject{
            make(std::string(static_cast<const char*>(code), size), name == nullptr ? std::string() : name, {})});
    });
}

cuprum_status cuprum_object_code_from_file(cuprum_object_code* object_code_out, const char* path, int32_t code_type) {
    return run("cuprum_object_code_from_file", [&](const Call& call) {
        call.require(object_code_out, "object_code_out");
        call.require(path, "path");
        if (maker_of(code_type) == nullptr) {
            refuse_code_type(call, code_type);
        }
        *object_code_out = call.give<cuprum_object_code>(
            ObjectCodeObject{core::ObjectCode::from_file(path, static_cast<core::CodeType>(code_type))});
    });
}

cuprum_status cuprum_object_code_destroy(cuprum_object_code object_code) {
    return run("cuprum_object_code_destroy", [&](const Call& call) { call.destroy(object_code, "object_code"); });
}

cuprum_status cuprum_object_code_type(int32_t* code_type_out, cuprum_object_code object_code) {
    return run("cuprum_object_code_type", [&](const Call& call) {
        call.require(code_type_out, "code_type_out");
        *code_type_out = static_cast<int32_t>(call.use(object_code, "object_code")->code.code_type());
    });
}

cuprum_status cuprum_object_code_bytes(const void** data_out, uint64_t* size_out, cuprum_object_code object_code) {
    return run("cuprum_object_code_bytes", [&](const Call& call) {
        call.require(data_out, "data_out");
        call.require(size_out, "size_out");
        const auto used = call.use(object_code, "object_code");
        const std::string& bytes = used->code.code();
        *data_out = bytes.data();
        *size_out = bytes.size();
    });
}

cuprum_status cuprum_object_code_lowered_name(const char** lowered_name_out, cuprum_object_code object_code,
                                              const char* name_expression) {
    return run("cuprum_object_code_lowered_name", [&](const Call& call) {
        call.require(lowered_name_out, "lowered_name_out");
        call.require(name_expression, "name_expression");
        const auto used = call.use(object_code, "object_code");
        const auto& mapping = used->code.symbol_mapping();
        const auto found = mapping.find(name_expression);
        if (found == mapping.end()) {
            std::vector<std::string> known;
            known.reserve(mapping.size());
            for (const auto& entry : mapping) {
                known.push_back(entry.first);
            }
            cuprum::ErrorInfo info;
            info.status = cuprum::Status::kernel_not_found;
            info.operation = "looking up the lowered name of a name expression";
            info.object = name_expression;
            info.detail = known.empty() ? "the compile was given no name expressions"
                                        : "the compile was not given this name expression";
            info.advice = "give the name expression to the compile";
            if (known.empty()) {
                throw cuprum::Error(std::move(info));  // nothing to list
            }
            throw cuprum::KernelNotFound(std::move(info), std::move(known));
        }
        *lowered_name_out = lend(found->second);
    });
}

cuprum_status cuprum_object_code_kernel_count(uint32_t* count_out, cuprum_object_code object_code) {
    return run("cuprum_object_code_kernel_count", [&](const Call& call) {
        call.require(count_out, "count_out");
        *count_out = static_cast<uint32_t>(call.use(object_code, "object_code")->code.kernel_names().size());
    });
}

cuprum_status cuprum_object_code_kernel_name(const char** name_out, cuprum_object_code object_code, uint32_t index) {
    return run("cuprum_object_code_kernel_name", [&](const Call& call) {
        call.require(name_out, "name_out");
        const auto used = call.use(object_code, "object_code");
        const std::vector<std::string>& names = used->code.kernel_names();
        if (index >= names.size()) {
            call.refuse("index",
                        "is " + std::to_string(index) + "; the code has " + std::to_string(names.size()) + " kernels");
        }
        *name_out = lend(names[index]);
    });
}

cuprum_status cuprum_object_code_get_kernel(cuprum_kernel* kernel_out, cuprum_object_code object_code,
                                            const char* name) {
    return run("cuprum_object_code_get_kernel", [&](const Call& call) {
        call.require(kernel_out, "kernel_out");
        call.require(name, "name");
        const auto used = call.use(object_code, "object_code");
        *kernel_out = call.give<cuprum_kernel>(KernelObject{used->code.get_kernel(name)});
    });
}

cuprum_status cuprum_object_code_get_global(cuprum_buffer* buffer_out, cuprum_object_code object_code, int32_t device,
                                            const char* name) {
    return run("cuprum_object_code_get_global", [&](const Call& call) {
        call.require(buffer_out, "buffer_out");
        call.require(name, "name");
        const auto used = call.use(object_code, "object_code");
        *buffer_out = call.give<cuprum_buffer>(BufferObject(used->code.get_global(core::Device(device), name)));
    });
}
