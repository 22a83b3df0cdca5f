// Lets the n-th call of NVML fail.
#pragma once

#include "cuprum/bindings/nvml.hpp"
#include "library_fault_plan.hpp"

namespace cuprum::test {

struct NvmlList {
    using Result = nvmlReturn_t;
    static constexpr Result success = NVML_SUCCESS;
    static constexpr const char* creating = "nvmlEventSetCreate";
    static constexpr const char* destroying = "nvmlEventSetFree";
    static bindings::Library& library() { return bindings::nvml::library(); }
    template <class Visitor>
    static void visit(const Visitor& visitor) {
#define CUPRUM_FUNCTION(identifier, name, query, symbol, version, per_thread, result, parameters, arguments, \
                        signature)                                                                           \
    visitor.template operator()<&bindings::nvml::identifier>(name);
#include "cuprum/bindings/nvml_functions.def"
#undef CUPRUM_FUNCTION
    }
};

using NvmlFaultPlan = LibraryFaultPlan<NvmlList>;

}  // namespace cuprum::test
