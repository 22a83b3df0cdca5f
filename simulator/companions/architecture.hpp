// The option that says which architecture a compiler or linker is to make code for.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace cuprum::simulator::companions {

// What NVRTC is asked for, and what it is to be given instead.
struct CompileRequest {
    uint32_t architecture = 0;         // 80 for sm_80
    uint32_t max_registers = 0;        // 0: not limited
    std::vector<std::string> options;  // for compute_80, without what speaks to ptxas
};

// Nothing if the options ask for no machine code: no architecture, a virtual one (compute_80), or LTO-IR.
std::optional<CompileRequest> machine_code_request(std::span<const char* const> options);

// The value of --maxrregcount=N in any of its spellings; nothing for another option.
std::optional<uint32_t> register_limit(std::string_view option);

// 80 for "sm_80" and "sm_80a"; nothing for another text.
std::optional<uint32_t> real_architecture(std::string_view name);

}  // namespace cuprum::simulator::companions
