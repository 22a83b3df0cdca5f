// Lets the n-th call of nvJitLink fail.
#pragma once

#include <nvJitLink.h>

#include <cstddef>
#include <string>

#include "cuprum/bindings/nvjitlink.hpp"
#include "library_fault_plan.hpp"

namespace cuprum::test {

struct LinkList {
    using Result = nvJitLinkResult;
    static constexpr Result success = NVJITLINK_SUCCESS;
    static constexpr const char* creating = "nvJitLinkCreate";
    static constexpr const char* destroying = "nvJitLinkDestroy";
    static bindings::Library& library() { return bindings::nvjitlink::library(); }
    template <class Visitor>
    static void visit(const Visitor& visitor) {
#define CUPRUM_FUNCTION(identifier, name, query, symbol, version, per_thread, result, parameters, arguments, \
                        signature)                                                                           \
    visitor.template operator()<&bindings::nvjitlink::identifier>(name);
#include "cuprum/bindings/nvjitlink_functions.def"
#undef CUPRUM_FUNCTION
    }
};

using LinkFaultPlan = LibraryFaultPlan<LinkList>;

// What core asks nvJitLink for to explain a failure, and for the logs, which are empty then; and what cleans up.
inline bool fails_silently(const std::string& function) {
    return function.find("Log") != std::string::npos || function == "nvJitLinkDestroy";
}

}  // namespace cuprum::test
