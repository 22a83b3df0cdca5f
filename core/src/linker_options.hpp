#pragma once

#include <string>
#include <vector>

#include "cuprum/core/linker.hpp"

namespace cuprum::core {

// A linker's options as nvJitLink takes them, apart from those that depend on what is linked to what.
struct LinkOptions {
    std::string arch;  // empty: the device's
    bool link_time_optimization = false;
    bool ptx = false;
    std::vector<std::string> others;
};

// Those of the fields, then the caller's own; where one of these says the architecture it stands. Throws
// InvalidArgument for values that nvJitLink takes for something else or ignores.
LinkOptions link_options(const LinkerOptions& options, const std::string& object);

// For one link, in order. `arch` is "sm_90" or "compute_90": a cubin is for the one, PTX for the other. Names of
// kernels and variables that are name expressions in `symbol_mapping` become the names in the code.
std::vector<std::string> nvjitlink_options(const LinkOptions& options, const std::string& arch, bool to_ptx,
                                           bool link_time_optimization, const SymbolMapping& symbol_mapping);

}  // namespace cuprum::core
