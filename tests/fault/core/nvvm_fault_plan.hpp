// Lets the n-th call of libNVVM fail.
#pragma once

#include "cuprum/bindings/nvvm.hpp"
#include "library_fault_plan.hpp"

namespace cuprum::test {

struct NvvmList {
    using Result = nvvmResult;
    static constexpr Result success = NVVM_SUCCESS;
    static constexpr const char* creating = "nvvmCreateProgram";
    static constexpr const char* destroying = "nvvmDestroyProgram";
    static bindings::Library& library() { return bindings::nvvm::library(); }
    template <class Visitor>
    static void visit(const Visitor& visitor) {
#define CUPRUM_FUNCTION(identifier, name, query, symbol, version, per_thread, result, parameters, arguments, \
                        signature)                                                                           \
    visitor.template operator()<&bindings::nvvm::identifier>(name);
#include "cuprum/bindings/nvvm_functions.def"
#undef CUPRUM_FUNCTION
    }
};

using NvvmFaultPlan = LibraryFaultPlan<NvvmList>;

}  // namespace cuprum::test
