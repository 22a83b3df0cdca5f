// The PTX module that runs the cases of one instruction form.
#pragma once

#include <string>

#include "case_file.hpp"

namespace cuprum::ptx_test {

inline constexpr unsigned slot_bytes = 16;      // of each operand and result in memory
inline constexpr unsigned scratch_bytes = 64;   // of global and of shared memory, per thread
inline constexpr unsigned block_threads = 128;  // where each thread runs a case of its own

// Kernel `cases(in, out, scratch, count)`: `in` holds the operands of each case, one slot each; `out` gets the results
// of each thread of each case; `scratch` is scratch_bytes per thread. What the code of a group may use:
//   d e f g          the results, in order
//   a b c h i j      the operands, in order
//   p q, s0..s7, t0..t7, w0..w7   registers: predicates, 16, 32 and 64 bits
//   mem, shm         addresses of its scratch memory: a generic one and one in .shared. Threads that run a case
//                    together share theirs.
//   in               the address of the operands' slots, which nothing in the kernel writes: for .nc
// `device`: the compute capability, 100 for 10.0.
std::string kernel_text(const Group& group, const std::string& form, unsigned device);
// Whether a device can run the module.
bool runs_on(const Group& group, unsigned device);

}  // namespace cuprum::ptx_test
