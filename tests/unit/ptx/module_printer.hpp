// Writes a Module as PTX again. What it writes is flat: one scope per function, names made of indices. An assembler
// makes the same machine code of it as of the original, which is how the parser was checked against one.
#pragma once

#include <string>

#include "ptx/module.hpp"

namespace cuprum::simulator::ptx {

std::string print(const Module& module);

}  // namespace cuprum::simulator::ptx
