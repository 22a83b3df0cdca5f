// The profile: what every PTX instruction of a kernel has done, counted while it runs (Checks::profile). Counts are
// exact and the same on any machine; they are no times, and the simulator knows none.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace cuprum::simulator {

// Of one instruction in one kernel, over all of its launches.
struct ProfileCounts {
    std::atomic<uint64_t> warps{0};      // how often a warp has executed it
    std::atomic<uint64_t> lanes{0};      // with how many lanes in all
    std::atomic<uint64_t> divergent{0};  // branches: how often only some of the lanes took it
    std::atomic<uint64_t> bytes{0};  // loads, stores and atomics, of global and shared memory: what the lanes asked for
    // Of global memory, sectors of 32 bytes that a warp's access touched beyond those that its bytes would fill.
    std::atomic<uint64_t> more_sectors{0};
    // Of shared memory, passes beyond those without conflicts: several words of one of the 32 banks take turns.
    std::atomic<uint64_t> conflicts{0};
};

struct ProfiledInstruction {
    std::string function, mnemonic;
    std::string file;  // with -lineinfo, else empty
    uint32_t line = 0;
    uint32_t ptx_line = 0;
};

// Of one program, for as long as the process lives.
struct ProgramProfile {
    std::vector<ProfiledInstruction> instructions;
    std::vector<std::string> kernels;
    std::vector<ProfileCounts> counts;  // by kernel, then by instruction
    std::string ptx;

    ProfileCounts* of_kernel(uint32_t kernel) { return counts.data() + kernel * instructions.size(); }
};

// Remembers the profile of a program for the reports. May be called from any thread.
void keep_profile(std::shared_ptr<ProgramProfile> profile);

// Of all programs so far: the lines of each kernel that has run, and a page with the source beside them.
std::string profile_table();
std::string profile_page();

// Instruction::aux of the probe before an instruction, beside what memory_aux says of its address in operand[4].
// operand[0]: the guard. displacement: the number of the instruction; cache: bytes of each lane's access.
namespace profile_aux {
inline constexpr uint32_t guarded = 1 << 16, negated = 1 << 17;
inline constexpr uint32_t branches = 1 << 18;
inline constexpr uint32_t accesses = 1 << 19;
}  // namespace profile_aux

}  // namespace cuprum::simulator
