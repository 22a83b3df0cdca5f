// Lets the n-th call of nvJitLink fail, whichever it is, and counts the handles that are made and destroyed.
#pragma once

#include <nvJitLink.h>

#include <cstddef>
#include <string>
#include <vector>

#include "cuprum/bindings/nvjitlink.hpp"

namespace cuprum::test {

// Stands between core and nvJitLink for every function of its list. One per process, for one thread.
class LinkFaultPlan {
public:
    LinkFaultPlan() {
        instance() = this;
#define CUPRUM_FUNCTION(identifier, name, query, symbol, version, per_thread, result, parameters, arguments, \
                        signature)                                                                           \
    interpose<&bindings::nvjitlink::identifier>(name);
#include "cuprum/bindings/nvjitlink_functions.def"
#undef CUPRUM_FUNCTION
    }
    LinkFaultPlan(const LinkFaultPlan&) = delete;
    LinkFaultPlan& operator=(const LinkFaultPlan&) = delete;
    ~LinkFaultPlan() {
        overrides_.clear();
        instance() = nullptr;
    }

    // The `call`-th call from now on (counted from 1) does not reach nvJitLink, and gives `result`.
    void strike(int call, nvJitLinkResult result) {
        strike_at_ = call;
        calls_ = 0;
        result_ = result;
        struck_.clear();
    }
    void disarm() { strike_at_ = 0; }

    // The function whose call was made to fail; empty if none was yet.
    const std::string& struck() const { return struck_; }
    // Handles made less handles whose destruction was tried.
    int live() const { return live_; }

private:
    template <auto stub>
    struct Interposed;
    template <class... Parameters, nvJitLinkResult (*stub)(Parameters...)>
    struct Interposed<stub> {
        static inline nvJitLinkResult (*next)(Parameters...) = nullptr;
        static inline std::string name;

        static nvJitLinkResult call(Parameters... parameters) {
            LinkFaultPlan& plan = *instance();
            const bool is_struck = plan.strike_at_ != 0 && ++plan.calls_ == plan.strike_at_;
            if (is_struck) plan.struck_ = name;
            const nvJitLinkResult result = is_struck ? plan.result_ : next(parameters...);
            if (name == "nvJitLinkCreate" && result == NVJITLINK_SUCCESS) ++plan.live_;
            if (name == "nvJitLinkDestroy") --plan.live_;
            return result;
        }
    };

    static LinkFaultPlan*& instance() {
        static LinkFaultPlan* plan = nullptr;
        return plan;
    }
    template <auto stub>
    void interpose(const char* name) {
        bindings::Library& library = bindings::nvjitlink::library();
        Interposed<stub>::next = reinterpret_cast<decltype(stub)>(library.address_of(name));
        Interposed<stub>::name = name;
        overrides_.emplace_back(library, name, &Interposed<stub>::call);
    }

    int strike_at_ = 0;
    int calls_ = 0;
    int live_ = 0;
    nvJitLinkResult result_ = NVJITLINK_SUCCESS;
    std::string struck_;
    std::vector<bindings::TableOverride> overrides_;
};

// What core asks nvJitLink for to explain a failure, and for the logs, which are empty then; and what cleans up.
inline bool fails_silently(const std::string& function) {
    return function.find("Log") != std::string::npos || function == "nvJitLinkDestroy";
}

}  // namespace cuprum::test
