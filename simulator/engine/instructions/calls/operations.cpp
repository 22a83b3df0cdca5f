// Calls, returns and the stack. Source: PTX ISA 9.0, 9.7.12.
#include "engine/execution/lanes.hpp"

namespace cuprum::simulator::CUPRUM_BACKEND {
namespace {

const Instruction* call(Warp& warp, const Instruction* at) {
    const CallSite& site = warp.frame->function->calls[at->aux];
    if (!site.builtin.empty()) return call_builtin(warp, at, site);
    // The callee lies at a fixed distance in the array of functions that both belong to.
    return call_function(warp, at, warp.frame->function[at->displacement], site);
}

Handlers call_control(Control which) {
    switch (which) {
        case Control::call:
            return both(&common<&call>);
        case Control::call_indirect:
            return both(&common<&call_indirect>);
        case Control::ret:
            return both(&common<&return_lanes>);
        case Control::stack_pointer:
            return both(&stack_pointer);
        default:
            return {};
    }
}

}  // namespace

template <>
Operations operations<Family::calls>() {
    return {.of_control = &call_control};
}

}  // namespace cuprum::simulator::CUPRUM_BACKEND
