// Lets the n-th call of a library fail, whichever it is, and counts the handles that are made and destroyed.
#pragma once

#include <string>
#include <vector>

#include "cuprum/bindings/table.hpp"

namespace cuprum::test {

// Stands between core and a library for every function of its list that gives a status. One per process and library,
// for one thread.
//
// `List` says which library: Result, success, library(), visit(visitor), which calls the visitor with each stub and its
// name, and the names `creating` and `destroying` of the functions that make and destroy a handle.
template <class List>
class LibraryFaultPlan {
public:
    using Result = typename List::Result;

    LibraryFaultPlan() {
        instance() = this;
        List::visit([this]<auto stub>(const char* name) { this->template interpose<stub>(name); });
    }
    LibraryFaultPlan(const LibraryFaultPlan&) = delete;
    LibraryFaultPlan& operator=(const LibraryFaultPlan&) = delete;
    ~LibraryFaultPlan() {
        overrides_.clear();
        instance() = nullptr;
    }

    // The `call`-th call from now on (counted from 1) does not reach the library, and gives `result`.
    void strike(int call, Result result) {
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
    template <class... Parameters, Result (*stub)(Parameters...)>
    struct Interposed<stub> {
        static inline Result (*next)(Parameters...) = nullptr;
        static inline std::string name;

        static Result call(Parameters... parameters) {
            LibraryFaultPlan& plan = *instance();
            const bool is_struck = plan.strike_at_ != 0 && ++plan.calls_ == plan.strike_at_;
            if (is_struck) plan.struck_ = name;
            const Result result = is_struck ? plan.result_ : next(parameters...);
            if (name == List::creating && result == List::success) ++plan.live_;
            if (name == List::destroying) --plan.live_;
            return result;
        }
    };

    static LibraryFaultPlan*& instance() {
        static LibraryFaultPlan* plan = nullptr;
        return plan;
    }
    template <auto stub>
    void interpose(const char* name) {
        if constexpr (requires { Interposed<stub>::next; }) {
            bindings::Library& library = List::library();
            const bindings::AnyFunction address = library.address_of(name);
            if (address == nullptr) return;  // one that this library is too old for
            Interposed<stub>::next = reinterpret_cast<decltype(stub)>(address);
            Interposed<stub>::name = name;
            overrides_.emplace_back(library, name, &Interposed<stub>::call);
        }
    }

    int strike_at_ = 0;
    int calls_ = 0;
    int live_ = 0;
    Result result_ = List::success;
    std::string struck_;
    std::vector<bindings::TableOverride> overrides_;
};

}  // namespace cuprum::test
