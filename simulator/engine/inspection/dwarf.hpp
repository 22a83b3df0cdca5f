// The variables of the source, from the sections that compilers write into PTX with -G.
//
// Source: DWARF Debugging Information Format 2.0.0 and 4; PTX ISA 9.0, 11.5 (debugging directives): bytes as .b8, .b16,
// .b32 and .b64 lists, in which labels and other sections' names stand for addresses. How a location names a virtual
// register is NVIDIA's: its name's letters, first to last, are the bytes of DW_OP_regx's number.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "engine/inspection/debug_information.hpp"
#include "ptx/module.hpp"

namespace cuprum::simulator {

// Names that sections may refer to: what the decoder knows of a function.
struct DwarfNames {
    std::map<std::string_view, uint32_t> registers;   // to DebugFunction::registers
    std::map<std::string_view, uint64_t> locals;      // .local variables: offset in the function's variables
    std::map<std::string_view, uint64_t> parameters;  // of a kernel: offset in the packed ones
};

// The variables of the module's functions; empty where there is nothing, or nothing that can be read.
std::vector<std::vector<DebugVariable>> read_variables(const ptx::Module& module, const std::vector<DwarfNames>& names);

// Gives the inlined calls the names, mangled, that labels in .debug_str stand for.
void name_inlined_calls(const ptx::Module& module, DebugInformation& debug);

}  // namespace cuprum::simulator
