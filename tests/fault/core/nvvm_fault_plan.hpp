// Lets the n-th call of libNVVM fail, whichever it is, and counts the programs that are made and destroyed.
#pragma once

#include <string>
#include <vector>

#include "cuprum/bindings/nvvm.hpp"

namespace cuprum::test {

// Stands between core and libNVVM for every function of its list that gives a status. One per process, for one thread.
class NvvmFaultPlan {
public:
    NvvmFaultPlan() {
        instance() = this;
#define CUPRUM_FUNCTION(identifier, name, query, symbol, version, per_thread, result, parameters, arguments, \
                        signature)                                                                           \
    interpose<&bindings::nvvm::identifier>(name);
#include "cuprum/bindings/nvvm_functions.def"
#undef CUPRUM_FUNCTION
    }
    NvvmFaultPlan(const NvvmFaultPlan&) = delete;
    NvvmFaultPlan& operator=(const NvvmFaultPlan&) = delete;
    ~NvvmFaultPlan() {
        overrides_.clear();
        instance() = nullptr;
    }

    // The `call`-th call from now on (counted from 1) does not reach libNVVM, and gives `result`.
    void strike(int call, nvvmResult result) {
        strike_at_ = call;
        calls_ = 0;
        result_ = result;
        struck_.clear();
    }
    void disarm() { strike_at_ = 0; }

    // The function whose call was made to fail; empty if none was yet.
    const std::string& struck() const { return struck_; }
    // Programs made less programs whose destruction was tried.
    int live() const { return live_; }

private:
    template <auto stub>
    struct Interposed;
    template <class... Parameters, nvvmResult (*stub)(Parameters...)>
    struct Interposed<stub> {
        static inline nvvmResult (*next)(Parameters...) = nullptr;
        static inline std::string name;

        static nvvmResult call(Parameters... parameters) {
            NvvmFaultPlan& plan = *instance();
            const bool is_struck = plan.strike_at_ != 0 && ++plan.calls_ == plan.strike_at_;
            if (is_struck) plan.struck_ = name;
            const nvvmResult result = is_struck ? plan.result_ : next(parameters...);
            if (name == "nvvmCreateProgram" && result == NVVM_SUCCESS) ++plan.live_;
            if (name == "nvvmDestroyProgram") --plan.live_;
            return result;
        }
    };

    static NvvmFaultPlan*& instance() {
        static NvvmFaultPlan* plan = nullptr;
        return plan;
    }
    template <auto stub>
    void interpose(const char* name) {
        if constexpr (requires { Interposed<stub>::next; }) {
            bindings::Library& library = bindings::nvvm::library();
            const bindings::AnyFunction address = library.address_of(name);
            if (address == nullptr) return;  // one that this libNVVM is too old for
            Interposed<stub>::next = reinterpret_cast<decltype(stub)>(address);
            Interposed<stub>::name = name;
            overrides_.emplace_back(library, name, &Interposed<stub>::call);
        }
    }

    int strike_at_ = 0;
    int calls_ = 0;
    int live_ = 0;
    nvvmResult result_ = NVVM_SUCCESS;
    std::string struck_;
    std::vector<bindings::TableOverride> overrides_;
};

}  // namespace cuprum::test
