// Any bytes as code of any kind, through ObjectCode and the simulated driver, and as an input of a linker: cut short,
// damaged, none of it. What is whole is loaded and its kernels are looked at; everything else is a cuprum::Error, and
// never a crash. The bytes lie in a block of their own size, so that AddressSanitizer sees who reads beyond them.
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>

#include "cuprum/core/linker.hpp"
#include "cuprum/core/object_code.hpp"
#include "cuprum/pathfinder/error.hpp"

using cuprum::core::ObjectCode;

namespace {

void load(const ObjectCode& code) {
    try {
        for (const std::string& name : code.kernel_names())
            static_cast<void>(code.get_kernel(name).arguments_info());
    } catch (const cuprum::Error& error) {
        // Every refusal says what was refused.
        if (error.object().empty()) std::abort();
    }
}

// As a linker's input: what it looks at before nvJitLink is given it.
void check(const ObjectCode& code) {
    try {
        static_cast<void>(cuprum::core::Linker({code}, {.arch = "sm_80"}));
    } catch (const cuprum::InvalidArgument& error) {
        if (error.object().empty()) std::abort();
    }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
    static const bool is_chosen = setenv("CUPRUM_DRIVER", "sim", 1) == 0 && setenv("CUPRUM_SIM", "threads=1", 1) == 0;
    if (!is_chosen) std::abort();
    const std::string bytes(reinterpret_cast<const char*>(data), size);
    load(ObjectCode::from_ptx(bytes));
    load(ObjectCode::from_cubin(bytes));
    load(ObjectCode::from_fatbin(bytes));
    for (const auto make : {&ObjectCode::from_ptx, &ObjectCode::from_cubin, &ObjectCode::from_ltoir,
                            &ObjectCode::from_fatbin, &ObjectCode::from_object, &ObjectCode::from_library}) {
        check(make(bytes, "input", {}));
    }
    return 0;
}
