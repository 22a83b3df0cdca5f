// Links PTX texts into one: what a linker does for relocatable machine code, done on the text, so that the simulated
// driver (cuLink*) and the companion of libnvJitLink need nothing else.
//
// Source: PTX ISA 9.0, sections 11.6 (linking directives) and 11.5 (debugging directives).
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace cuprum::simulator::ptx {

struct LinkInput {
    std::string name;  // for messages; need not be unique
    std::string_view text;
    std::span<const std::string> exports = {};  // names without linkage that count as .visible all the same
};

// A name that some input uses and none defines.
struct UndefinedReference {
    std::string symbol;
    std::string input;  // name of the first input that declares it
    bool is_function = false;
};

struct LinkResult {
    std::string text;                 // the linked module; meaningful only when errors is empty
    std::vector<std::string> errors;  // one line each
    // Not errors by themselves: kernels may call what the driver provides (vprintf and the like), and whether a
    // declaration is used is only known once the module is decoded.
    std::vector<UndefinedReference> undefined;
};

// Definitions satisfy the `.extern` declarations of other inputs; of several `.weak` or `.common` definitions one is
// kept; names without linkage are private to their input, and are renamed where they meet. What NVIDIA's device runtime
// library (libcudadevrt) provides for grid-wide barriers is linked in when it is asked for. Debug sections are dropped,
// .file and .loc are kept.
// `max_registers`, if not 0, is the limit of kernels that state none themselves (ptxas's -maxrregcount).
LinkResult link(std::span<const LinkInput> inputs, uint32_t max_registers = 0);

}  // namespace cuprum::simulator::ptx
