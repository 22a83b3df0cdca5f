// The executable form of a module: what the decoder makes and the interpreter runs. Immutable once loaded.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "engine/checks/profile.hpp"
#include "engine/engine.hpp"
#include "engine/instructions/form.hpp"
#include "ptx/module.hpp"

namespace cuprum::simulator {

inline constexpr unsigned lanes_per_warp = 32;

struct Warp;
struct Instruction;
struct DebugInformation;  // inspection/debug_information.hpp

// Executes one instruction for the running lanes of a warp. Returns the next instruction, or null when the scheduler
// must take over (Warp::event says why, Warp::resume where the lanes are).
using Handler = const Instruction* (*)(Warp&, const Instruction*);

// Two bodies: [0] when every live lane of the warp runs (lanes that have exited may be written), [1] when only some do.
struct Handlers {
    Handler body[2] = {nullptr, nullptr};
    explicit operator bool() const { return body[0] != nullptr; }
};

// One decoded instruction: a cache line. Operands are byte offsets into the frame of the running function, whatever
// they were in the text: registers, immediates, parameters, special registers. A predicate operand is the offset of a
// word with one bit per lane.
struct alignas(64) Instruction {
    Handler body[2] = {nullptr, nullptr};
    std::array<uint32_t, 6> operand{};  // in the order of each handler's comment; unused ones are 0
    int64_t immediate = 0;              // address offset, and what else a handler says
    uint32_t aux = 0;                   // modifiers that are looked at while running
    int32_t displacement = 0;           // branches: target, in instructions from here
    uint32_t cache = 0;                 // memory: index of the instruction's range cache
};
static_assert(sizeof(Instruction) == 64);

// Where an instruction came from, for reports.
struct Origin {
    uint32_t ptx_line = 0;
    uint32_t source_file = 0;  // index into ProgramImage::source_files
    uint32_t source_line = 0;
    uint32_t text = 0;  // index into ProgramImage::mnemonics
};

enum class Special : uint8_t {
    tid_x,
    tid_y,
    tid_z,
    ntid_x,
    ntid_y,
    ntid_z,
    ctaid_x,
    ctaid_y,
    ctaid_z,
    nctaid_x,
    nctaid_y,
    nctaid_z,
    laneid,
    warpid,
    nwarpid,
    smid,
    nsmid,
    gridid,
    lanemask_eq,
    lanemask_le,
    lanemask_lt,
    lanemask_ge,
    lanemask_gt,
    envreg,
    dynamic_smem_size,
    total_smem_size,
    zero,
    one,
    clock,
    clock_hi,
    clock64,
    globaltimer,
    globaltimer_lo,
    globaltimer_hi,  // read when executed, never preloaded
    is_explicit_cluster,
    cluster_ctarank,
    cluster_nctarank,
    cluster_ctaid_x,
    cluster_ctaid_y,
    cluster_ctaid_z,
    cluster_nctaid_x,
    cluster_nctaid_y,
    cluster_nctaid_z,
    clusterid_x,
    clusterid_y,
    clusterid_z,
    nclusterid_x,
    nclusterid_y,
    nclusterid_z,
};

// A row of a frame that holds the same kind of value for as long as the frame lives: an operand that is no register.
struct Preload {
    enum class Kind : uint8_t {
        literal,
        special,
        parameter,
        variable_address,
        shared_address,
        function_address,
        local_base
    };
    Kind kind = Kind::literal;
    uint8_t bytes = 4;                   // of each lane's element: 4 or 8; 0: a predicate
    ScalarType type = ScalarType::none;  // parameter: how it lies in the buffer
    Special special = Special::zero;
    uint32_t index = 0;   // envreg: which; parameter: byte offset; variable and function: which
    uint64_t value = 0;   // literal bits, or the addend of an address
    uint32_t offset = 0;  // in the frame, set by the register allocator

    // Must be refreshed for every block.
    bool per_block() const {
        if (kind != Kind::special) return false;
        switch (special) {
            case Special::ctaid_x:
            case Special::ctaid_y:
            case Special::ctaid_z:
            case Special::smid:
            case Special::cluster_ctarank:
            case Special::cluster_ctaid_x:
            case Special::cluster_ctaid_y:
            case Special::cluster_ctaid_z:
            case Special::clusterid_x:
            case Special::clusterid_y:
            case Special::clusterid_z:
                return true;
            default:
                return false;
        }
    }
    bool per_activation() const { return kind == Kind::local_base || per_block(); }
};

// A formal parameter or return value of a device function, or a .param variable of a caller: a place in the parameter
// area of a frame. The area is lane-major: each lane has its own contiguous copy.
struct ParameterSlot {
    uint32_t offset = 0;  // in the lane's copy
    uint32_t size = 0;
};

// A call site: what is copied where.
struct CallSite {
    uint32_t callee = 0;                   // direct calls: index into ProgramImage::functions
    std::vector<ParameterSlot> arguments;  // in the caller's parameter area
    std::vector<ParameterSlot> returns;
    std::string builtin;  // "vprintf", ...: empty for a real function
};

struct Function {
    std::string name;
    bool is_kernel = false;
    bool has_body = false;
    std::vector<Instruction> code;
    std::vector<Origin> origins;  // one per instruction
    std::vector<Preload> preloads;
    std::vector<uint32_t> poisoned_rows;         // registers that some path reads before it writes them: offset
    std::vector<uint8_t> poisoned_bytes;         // and the row's bytes
    std::vector<std::string> checked_registers;  // names, of those that may be read before they are written
    std::vector<CallSite> calls;
    std::vector<std::vector<int32_t>> branch_tables;  // absolute instruction indices
    std::vector<ParameterSlot> parameters;            // device functions: in the parameter area of its frame
    std::vector<ParameterSlot> returns;
    uint32_t register_area_bytes = 0;         // of the frame; the parameter area follows
    uint32_t parameter_area_bytes = 0;        // per lane, a multiple of 16
    uint32_t local_bytes = 0;                 // per thread, of this function's own variables, a multiple of 16
    bool allocates_stack = false;             // alloca: its frames say where each lane's memory ends
    uint32_t live_words = 0;                  // most 32-bit registers live at once
    uint32_t cache_begin = 0, cache_end = 0;  // range caches of its memory instructions

    uint32_t frame_bytes() const { return register_area_bytes + parameter_area_bytes * lanes_per_warp; }
};

// A module variable as the engine keeps it.
struct VariableImage {
    ModuleVariable information;
    std::vector<std::byte> initial_value;
    struct Fixup {
        uint64_t offset = 0;
        uint32_t size = 8;
        uint32_t shift = 0;
        bool function = false;
        uint32_t index = 0;  // of the variable or the function
        int64_t addend = 0;
    };
    std::vector<Fixup> fixups;
};

class ProgramImage final : public Program {
public:
    const std::vector<KernelInformation>& kernels() const override { return kernel_information; }
    const std::vector<ModuleVariable>& variables() const override { return variable_information; }
    void initialise(const std::vector<uint64_t>& addresses, const std::vector<std::byte*>& storage) const override;

    std::vector<KernelInformation> kernel_information;
    std::vector<uint32_t> kernel_functions;    // index into functions, by kernel
    std::vector<uint32_t> kernel_local_bytes;  // bytes of local memory each thread of the kernel gets
    // Where each shared variable that a kernel reaches lies: pairs of ptx::Module variable index and offset, by kernel.
    std::vector<std::vector<std::pair<uint32_t, uint32_t>>> kernel_shared_offsets;
    std::vector<ModuleVariable> variable_information;
    std::vector<VariableImage> variable_images;
    std::vector<Function> functions;
    std::vector<std::string> source_files;
    std::vector<std::string> mnemonics;
    std::shared_ptr<const DebugInformation> debug;  // null: nobody looks at its warps
    std::shared_ptr<ProgramProfile> profile;        // null: nothing is counted (Checks::profile)
    uint32_t cache_entries = 1;                     // the first is of instructions that have none of their own
};

// What registers and memory hold before anything is written: a pattern that is neither zero nor a valid address.
inline constexpr int poison_byte = 0xcb;

// Addresses of what is not in device memory. No mapping of a user process lies above 2^47, so they meet no allocation;
// and they lie so far above that what runs out of an allocation, by whatever it is, is not taken for one of them.
namespace window {
inline constexpr uint64_t heap = uint64_t{0x18000} << 32;  // malloc in kernels: global memory, hence below `first`
inline constexpr uint64_t shared = uint64_t{0x18001} << 32;
inline constexpr uint64_t local = uint64_t{0x18002} << 32;
inline constexpr uint64_t parameters = uint64_t{0x18003} << 32;
inline constexpr uint64_t grid_workspace = uint64_t{0x18004} << 32;
inline constexpr uint64_t functions = uint64_t{0x18005} << 32;  // one address per function, 16 bytes apart
inline constexpr uint64_t size = uint64_t{1} << 32;
// Of the window of shared memory a block's own is the first part. The k-th after it is that of the cluster's block of
// rank k - 1: what mapa gives, in 32 bits too.
inline constexpr uint64_t block_size = uint64_t{1} << 24;
inline constexpr uint64_t first = shared;
}  // namespace window

}  // namespace cuprum::simulator
