// Whether the arguments of a launch fit the kernel, for C++ and for the C ABI. All errors about arguments come from
// here.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "cuprum/core/kernel.hpp"

namespace cuprum::core {

// One argument: its size, and its kind if that is to be checked too.
struct ArgumentType {
    uint32_t size = 0;  // bytes
    ArgumentKind kind = ArgumentKind::unknown;
};

// Borrows all that it refers to. Allocates only to throw.
struct ArgumentCheck {
    std::string_view kernel_name;
    int32_t device_id = 0;
    std::span<const KernelArgumentInfo> parameters;

    // Throws ArgumentMismatch (position -1) unless there is one argument for each parameter.
    void require_count(size_t given) const {
        if (given != parameters.size()) [[unlikely]] {
            throw_wrong_count(given);
        }
    }
    // Throws ArgumentMismatch unless an argument of that type can be passed as it is. `position` must be in range.
    void require_type(size_t position, const ArgumentType& given) const {
        const KernelArgumentInfo& parameter = parameters[position];
        if (given.size != parameter.size || !takes(parameter.kind, given.kind)) [[unlikely]] {
            throw_wrong_type(position, given);
        }
    }
    // Throws ArgumentMismatch: "argument 2 (counted from 0) takes int (4 bytes), given: `given`".
    [[noreturn]] void refuse(size_t position, std::string_view given, std::string advice = {}) const;

private:
    [[noreturn]] void throw_wrong_count(size_t given) const;
    [[noreturn]] void throw_wrong_type(size_t position, const ArgumentType& given) const;
    [[noreturn]] void throw_mismatch(int32_t position, std::string detail, std::string advice) const;
};

}  // namespace cuprum::core
