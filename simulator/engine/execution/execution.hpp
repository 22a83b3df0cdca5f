// What exists while a kernel runs: frames, groups of lanes, warps, blocks. Used by the interpreter, which is compiled
// for several instruction sets, so nothing here may emit code that the linker could share between them: only plain data
// and declarations.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>

#include "engine/program/executable.hpp"

namespace cuprum::simulator {

struct Block;
struct Worker;
struct Launch;

// The range that a memory instruction last touched.
struct RangeCache {
    uint64_t begin = 1, end = 0;  // empty
    int64_t host_offset = 0;
    uint64_t writable = 0;
};

// One activation of a function by some lanes of a warp.
struct Frame {
    const Function* function = nullptr;
    Frame* parent = nullptr;
    const Instruction* return_to = nullptr;  // in the parent, after the call
    const CallSite* site = nullptr;
    uint32_t lanes = 0;  // that have not returned
    uint32_t depth = 0;
    uint32_t local_base = 0;         // where its variables start in each thread's local memory
    uint32_t* stack_tops = nullptr;  // by lane, where they end; only of functions that use alloca
    std::byte* registers = nullptr;  // 64-byte aligned rows; the parameter area follows
};

// What the lanes of a set brought to a .sync instruction that they reached at different places of the program.
struct Exchange {
    uint64_t value[lanes_per_warp] = {};
    uint32_t lanes = 0;   // the set, less those that had exited when it was complete
    uint32_t unread = 0;  // lanes that have not taken their results yet
};

// Why the interpreter handed back control.
enum class Event : uint8_t {
    none,
    reschedule,  // lanes split, returned or reached the place where others wait; the groups say where they are
    yielded,     // spin budget used up, or a hint that the lanes wait for others
    parked,      // the group waits (its state says for what)
    exited,      // all running lanes are done
};

// Lanes of a warp that are at the same place.
struct Group {
    enum class State : uint8_t { ready, at_warp_sync, at_block_barrier, at_cluster_barrier };
    State state = State::ready;
    bool granted = false;  // what it waited for has come: execute without waiting
    uint8_t barrier = 0;   // at_block_barrier
    uint8_t exchange = 0;  // granted, with lanes at other places: 1 + the index in Warp::exchanges
    uint32_t lanes = 0;
    uint32_t members = 0;  // at_warp_sync: the lanes it waits for
    uint32_t value = 0;    // granted block reduction: the number of true predicates, and
    uint32_t threads = 0;  // of how many threads
    uint32_t turn = 0;     // when it last gave way
    const Instruction* pc = nullptr;
    Frame* frame = nullptr;
};

struct Backend;

struct Barrier {
    uint32_t arrived = 0;    // threads
    uint32_t expected = 0;   // 0: every thread of the block that has not exited
    uint32_t value = 0;      // threads whose predicate was true
    uint32_t reduction = 0;  // barrier_aux of those that wait
    bool mixed = false;      // somebody has come otherwise than as a whole warp that waits for all others
};

// The barriers of a block.
struct Barriers {
    Barrier of[16];
    uint32_t waited_for = 0;  // a bit for each barrier where threads have arrived
    uint32_t live_threads = 0;
    bool races = false;                                 // Checks::races: who arrives tells what it knows
    Warp *warps_begin = nullptr, *warps_end = nullptr;  // of the block
};

struct Warp {
    // --- read by nearly every handler
    std::byte* registers = nullptr;  // of the running frame
    uint32_t active = 0;             // the running lanes
    int32_t budget = 0;              // backward branches until the group gives way
    RangeCache* ranges = nullptr;
    std::byte* shared = nullptr;  // the block's shared memory
    uint64_t shared_bytes = 0;
    std::byte* local = nullptr;  // of lane 0; the others follow at local_stride
    uint64_t local_stride = 0;
    uint32_t carry = 0;  // condition code CC.CF, one bit per lane
    // Lanes that have arrived at the cluster's barrier and not waited for it: before, and after, all others had
    // arrived.
    uint32_t cluster_arrived = 0, cluster_met = 0;
    uint32_t live = 0;  // lanes that exist and have not exited
    uint32_t existing = 0;
    bool partial = false;  // active != live: the masked bodies run
    bool granted = false;  // see Group
    // All live lanes are together, and when nothing holds them (groups[0].state) they go on as they are: at the
    // beginning, and at a barrier of the block.
    bool paused = false;
    Event event = Event::none;
    uint8_t current = 0;  // index of the running group
    uint8_t group_count = 0;
    uint8_t exchange = 0;  // see Group
    uint32_t granted_value = 0, granted_threads = 0;
    Frame* frame = nullptr;
    Block* block = nullptr;
    Worker* worker = nullptr;
    const Backend* interpreter = nullptr;
    Barriers* barriers = nullptr;   // the block's
    std::byte* stage = nullptr;     // of the worker, for operands of instructions on matrices
    uint32_t index = 0;             // within the block
    uint32_t turn = 0;              // counts groups that gave way
    bool rotate = false;            // the next group is the one that waited longest, not the one furthest back
    Exchange* exchanges = nullptr;  // one per lane, made when lanes first meet from different places
    uint32_t masked = 0;            // the lanes for which mask is all ones: while they run, active
    alignas(64) uint32_t mask[lanes_per_warp] = {};  // by lane, all ones or zeros
    uint64_t brought[lanes_per_warp] = {};           // by lanes that wait at a .sync instruction
    Group groups[lanes_per_warp];

    template <class T>
    T* row(uint32_t offset) const {
        return reinterpret_cast<T*>(registers + offset);
    }
    uint32_t& predicate(uint32_t offset) const { return *reinterpret_cast<uint32_t*>(registers + offset); }
    std::byte* parameter_area(unsigned lane) const;
};

inline __attribute__((always_inline)) std::byte* Warp::parameter_area(unsigned lane) const {
    const Function& function = *frame->function;
    return registers + function.register_area_bytes + static_cast<size_t>(lane) * function.parameter_area_bytes;
}

// Instruction::aux of bar and barrier: operand[0] result, [1] barrier, [2] count, [3] predicate.
namespace barrier_aux {
inline constexpr uint32_t arrive = 1;
inline constexpr uint32_t popc = 2, all = 4, any = 6, reduction_mask = 6;
inline constexpr uint32_t counted = 8;
inline constexpr uint32_t aligned = 16;
inline constexpr uint32_t negated = 32;
inline constexpr uint32_t literal_id = 64;  // operand[1] is the same for all lanes, and in `immediate`
}  // namespace barrier_aux

// Instruction::aux of barrier.cluster: arrive, else wait.
namespace cluster_aux {
inline constexpr uint32_t arrive = 1;
}  // namespace cluster_aux

// Instruction::aux of .sync instructions within a warp.
namespace warp_aux {
inline constexpr uint32_t negated = 1;      // vote: the predicate
inline constexpr uint32_t literal_set = 2;  // operand[5] is the same for all lanes
inline constexpr uint32_t noted = 4;        // races are looked for
}  // namespace warp_aux

// Instruction::aux of mbarrier: operand[0] the result, [1] the address, [2] the count, the state or the parity.
namespace mbarrier_aux {
enum Operation : uint32_t { init, inval, expect, complete, arrive, wait, pending };
inline constexpr uint32_t operation_mask = 15;
inline constexpr uint32_t narrow_address = 16;  // 32 bits: always an offset in shared memory
inline constexpr uint32_t shared = 32;          // the address is an offset in shared memory, else generic
inline constexpr uint32_t counted = 64;         // arrive: operand[2] is given
inline constexpr uint32_t expects = 128;        // arrive: operand[2] is the bytes to expect, of one arrival
inline constexpr uint32_t drops = 256;          // arrive: and for good
inline constexpr uint32_t incomplete = 512;     // arrive: must not complete the phase
inline constexpr uint32_t parity = 1024;        // wait: operand[2] is a parity, else a state
inline constexpr uint32_t suspends = 2048;      // wait: gives way while the phase is not complete
inline constexpr uint32_t discards = 4096;      // arrive: nobody takes the state
}  // namespace mbarrier_aux

// Instruction::aux of alloca, stacksave and stackrestore: operand[0] the pointer, [1] the size; `immediate`: alignment.
namespace stack_aux {
inline constexpr uint32_t allocate = 1, save = 2, restore = 4, wide = 8;
}  // namespace stack_aux

// Instruction::aux of cp.async: operand[0] destination, [1] source, [2] bytes of the source or `ignore` predicate,
// [3] mbarrier. `immediate`: the size, or the groups that may be left.
namespace copy_aux {
enum Operation : uint32_t { copy, commit, wait, wait_all, bulk, bulk_commit, bulk_wait };
inline constexpr uint32_t operation_mask = 15;
inline constexpr unsigned narrow_shift = 4;          // 4 bits: the address in operand k has 32 bits
inline constexpr unsigned shared_shift = 8;          // 4 bits: the address in operand k is an offset in shared memory
inline constexpr uint32_t partial_source = 1 << 12;  // operand[2] is given: bytes
inline constexpr uint32_t ignores_source = 1 << 13;  // operand[2] is given: a predicate
inline constexpr uint32_t negated = 1 << 14;         // the predicate
inline constexpr uint32_t counts = 1 << 15;          // bulk: completes bytes on the mbarrier in operand[3]
inline constexpr uint32_t multicasts = 1 << 16;      // bulk: to the blocks of the cluster in operand[4], a bit for each
inline constexpr uint32_t gathers = 1 << 17;         // of a tensor: pixels of images (im2col), else a tile
inline constexpr unsigned rank_shift = 18;           // 3 bits: of a tensor, its dimensions
inline constexpr unsigned reduction_shift = 21;      // 4 bits: BulkReduction
inline constexpr unsigned type_shift = 25;           // 3 bits: ReducedType, where the instruction says it
}  // namespace copy_aux

// How unwritten registers are tracked: operations on a row of one bit per lane, operand[0], which says whose register
// has been written. Those that compute it from operands' rows have these in operand[1] to operand[3], as far as
// row_aux::present says; the others are written.
enum class RowOperation : uint8_t {
    clear,
    mark,
    load,  // as the check of the access before it has found; row_aux::element_shift says of which element
    check,
    join,      // where all operands are written
    select,    // where the condition and the operand that it chooses are; operand[4] the condition
    settle,    // also where one operand alone settles the result: its predicate in operand[4], and
    settle_2,  // ... another's in operand[5], for the rows in operand[1] and operand[2]
};
// Instruction::aux of a row operation, beside the operation in the lowest byte.
namespace row_aux {
inline constexpr unsigned present_shift = 8;           // 3 bits
inline constexpr unsigned element_shift = 16;          // of a load
inline constexpr uint32_t settles_if_true = 1u << 11;  // a predicate settles a result if it is true, else if false
}  // namespace row_aux

// --- services for handlers, compiled once for all instruction sets ---

enum class Access : uint8_t { read, write, atomic };
enum class AddressSpace : uint8_t { global, shared, local, parameter, function_parameter };

// The pointer to [address, address + bytes) for one lane; throws the fault otherwise. `cache` may be updated.
std::byte* resolve(Warp& warp, const Instruction* at, unsigned lane, uint64_t address, uint32_t bytes, Access access);
// The pointer for a span that several lanes share, or null when they must be resolved one by one.
std::byte* resolve_span(Warp& warp, const Instruction* at, uint64_t address, uint64_t bytes, Access access);
// Whether a generic address is one of a .const variable of the module that runs.
bool in_constant_variable(const Warp& warp, uint64_t address);
[[noreturn]] void fault_misaligned(Warp& warp, const Instruction* at, unsigned lane, uint64_t address, uint32_t bytes);
[[noreturn]] void fault_shared(Warp& warp, const Instruction* at, unsigned lane, uint64_t offset, uint32_t bytes);
[[noreturn]] void fault_local(Warp& warp, const Instruction* at, unsigned lane, uint64_t offset, uint32_t bytes);
[[noreturn]] void fault_parameter(Warp& warp, const Instruction* at, unsigned lane, uint64_t offset, uint32_t bytes);
[[noreturn]] void fault_at(Warp& warp, const Instruction* at, unsigned lane, Fault::Kind kind, const char* what);

// Lanes `taken` go to `target`, the rest to `fallthrough`. Always ends in an event.
const Instruction* split(Warp& warp, uint32_t taken, const Instruction* target, const Instruction* fallthrough);
const Instruction* yield(Warp& warp, const Instruction* next);
const Instruction* exit_lanes(Warp& warp, const Instruction* at);
const Instruction* call_function(Warp& warp, const Instruction* at, const Function& callee, const CallSite& site);
const Instruction* call_builtin(Warp& warp, const Instruction* at, const CallSite& site);
const Instruction* call_indirect(Warp& warp, const Instruction* at);
const Instruction* return_lanes(Warp& warp, const Instruction* at);
const Instruction* branch_indexed(Warp& warp, const Instruction* at);
// The running lanes have met: what orders their accesses (Checks::races).
void note_meeting(Warp& warp);
// True when all lanes named by the members of the running lanes are here; else the group is parked (and `at` runs
// again, granted, when they are) and the handler must return null. What the lanes bring is in Warp::brought.
bool warp_synchronised(Warp& warp, const Instruction* at, const uint32_t* members);
// Arrives at a block barrier. Null: parked.
const Instruction* block_barrier(Warp& warp, const Instruction* at);
// Arrives at the cluster's barrier, or waits for it. Null: parked.
const Instruction* cluster_barrier(Warp& warp, const Instruction* at);
// mapa, getctarank: addresses of the shared memory of the cluster's blocks.
const Instruction* map_address(Warp& warp, const Instruction* at);
const Instruction* rank_of_address(Warp& warp, const Instruction* at);
uint64_t read_special(Warp& warp, Special special);
[[noreturn]] void fault_unwritten(Warp& warp, const Instruction* at, uint32_t lanes);
// For which lanes the load whose access was checked last reads an element that has been written (Checks::memory).
uint32_t written_by_load(const Warp& warp, unsigned element);
const Instruction* check_access(Warp& warp, const Instruction* at);      // memory_checks.cpp
const Instruction* check_races(Warp& warp, const Instruction* at);       // race_checks.cpp
const Instruction* note_fence(Warp& warp, const Instruction* at);        // race_checks.cpp
const Instruction* profile_probe(Warp& warp, const Instruction* at);     // profile.cpp
const Instruction* break_probe(Warp& warp, const Instruction* at);       // inspection/inspector.cpp
const Instruction* mbarrier(Warp& warp, const Instruction* at);          // mbarrier.cpp
const Instruction* matrix_access(Warp& warp, const Instruction* at);     // matrix_memory.cpp: wmma.load, wmma.store
const Instruction* matrix_rows(Warp& warp, const Instruction* at);       // ldmatrix, stmatrix
const Instruction* matrix_transpose(Warp& warp, const Instruction* at);  // movmatrix
const Instruction* texture_fetch(Warp& warp, const Instruction* at);     // texture_fetch.cpp: tex, tld4
const Instruction* surface_access(Warp& warp, const Instruction* at);    // surface_access.cpp: suld, sust, sured
const Instruction* image_query(Warp& warp, const Instruction* at);       // image_query.cpp: txq, suq
void require_warpgroup(Warp& warp, const Instruction* at);
[[noreturn]] void fault_incomplete_warp(Warp& warp, const Instruction* at);
const Instruction* asynchronous_copy(Warp& warp, const Instruction* at);  // asynchronous_copy.cpp
const Instruction* tensor_copy(Warp& warp, const Instruction* at);        // tensor_copy.cpp
const Instruction* tensor_map_update(Warp& warp, const Instruction* at);  // tensor_map_update.cpp
const Instruction* remote_store(Warp& warp, const Instruction* at);       // bulk_copy.cpp: st.async, red.async
const Instruction* stack_pointer(Warp& warp, const Instruction* at);      // call.cpp

// --- the interpreter, once per instruction set ---

// What the decoder asks for by name: instructions whose meaning is in their operands rather than in a form.
enum class Control : uint8_t {
    guard,
    jump,
    jump_back,
    branch,
    branch_back,
    branch_indexed,
    call,
    call_indirect,
    ret,
    exit,
    trap,
    breakpoint,
    written_row,
    check_access,
    check_races,
    note_fence,
    profile_probe,
    break_probe,
    fence,
    fence_block,
    no_operation,
    sleep,
    special32,
    special64,
    is_space,
    add_window,
    block_barrier,
    cluster_barrier,
    map_address,
    rank_of_address,
    to_stage,
    from_stage,
    matrix_product,
    warpgroup_product,
    matrix_access,
    matrix_rows,
    matrix_transpose,
    texture_fetch,
    surface_access,
    image_query,
    mbarrier,
    asynchronous_copy,
    tensor_copy,
    tensor_map_update,
    remote_store,
    stack_pointer,
};

// What became of warps that a barrier had let go.
struct Resumed {
    Warp* next = nullptr;      // the first that was not dealt with
    bool paused = false;       // one or more ran and are paused again
    bool interrupted = false;  // `next` ran and is not paused: Warp::event says why
};

struct Backend {
    Handlers (*control)(Control which);
    // The implementation of an instruction form; takes what it honours out of `form`. Empty: there is none.
    Handlers (*select)(Form& form);
    // Runs the current group of the warp until an event. `stop`: a place where other lanes wait, or null.
    void (*run)(Warp& warp, const Instruction* start, const Instruction* stop);
    // Runs paused warps from `warp` on, those that may go on, until one does not pause again, is not paused, or is
    // `end`.
    Resumed (*resume)(Warp* warp, const Warp* end, int32_t budget);
    // For a comparison that a branch on its result follows, or the step of a loop before those: what does all of them,
    // if there is such a thing, else null. It is for lanes that are together (Handlers::body[0]).
    Handler (*joined_with_branch)(const Instruction* at);
};
const Backend& baseline_backend();
const Backend& v3_backend();
const Backend& v4_backend();
const Backend& backend();  // the best that this processor can run

}  // namespace cuprum::simulator
