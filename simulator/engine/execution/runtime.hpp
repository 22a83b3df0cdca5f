// A launch in progress: what its workers share, and the blocks they run.
#pragma once

#include <array>
#include <chrono>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "engine/checks/global_races.hpp"
#include "engine/checks/memory_checks.hpp"
#include "engine/checks/shared_races.hpp"
#include "engine/checks/stream_races.hpp"
#include "engine/execution/execution.hpp"
#include "engine/instructions/asynchronous/bulk.hpp"
#include "engine/instructions/matrix/matrix.hpp"

namespace cuprum::simulator {

// Thrown by handlers and services; ends the launch.
struct FaultException {
    Fault fault;
};

// Bytes whose alignment suits any access.
class AlignedBytes {
public:
    AlignedBytes() = default;
    explicit AlignedBytes(size_t size);  // uninitialised
    std::byte* data() const { return data_.get(); }
    size_t size() const { return size_; }

private:
    struct Free {
        void operator()(std::byte* data) const;
    };
    std::unique_ptr<std::byte, Free> data_;
    size_t size_ = 0;
};

// Lanes of a warp that had not ended when the kernel's time was up.
struct Standing {
    uint64_t block = 0;  // linear index
    uint32_t warp = 0;
    uint32_t lanes = 0;  // 0: all of the warp's
    uint32_t ptx_line = 0;
};

struct Launch {
    const LaunchRequest* request = nullptr;
    const ProgramImage* image = nullptr;
    const Function* kernel = nullptr;
    const KernelInformation* information = nullptr;
    const DeviceModel* model = nullptr;
    ProfileCounts* profile = nullptr;  // of the kernel, by number of the instruction; null: nothing is counted
    uint64_t block_count = 0;
    uint32_t cluster_blocks = 1;  // of one cluster
    uint32_t threads_per_block = 0;
    uint32_t shared_bytes = 0;  // static and dynamic
    uint32_t local_bytes = 0;   // per thread
    uint64_t grid_id = 0;
    AlignedBytes parameters;
    std::unique_ptr<GlobalRaces> races;               // Checks::races, of a launch of several clusters; else null
    AlignedBytes workspace;                           // what cooperative groups keep for grid.sync()
    std::atomic<uint64_t> next_cluster{0};            // without clusters each block is one
    std::atomic<uint64_t> faulted_block{UINT64_MAX};  // the lowest so far
    std::optional<std::chrono::steady_clock::time_point> deadline;
    std::atomic<bool> timed_out{false};

    std::mutex mutex;  // guards what follows
    std::optional<Fault> fault;
    std::string output;  // of printf
    uint64_t output_dropped = 0;
    uint32_t running_workers = 0;
    std::map<std::string, std::vector<Standing>> standing;  // by place, when the time was up
    uint64_t standing_blocks = 0;

    // Keeps the fault of the lowest block, so that the report is the same however the blocks were spread over threads:
    // lower blocks run on, higher ones stop.
    void fail(Fault&& what, uint64_t block);
    bool is_cancelled() const;
    // Cancelled, or out of time: its blocks are to be left as they are.
    bool must_stop();
    // Remembers where these blocks were when the time was up.
    void note_standing(const Block& block);
};

struct FrameStorage {
    Frame frame;
    AlignedBytes bytes;
    std::array<uint32_t, lanes_per_warp> stack_tops{};  // if the function uses alloca
};

// cp.async of one thread, until the thread waits for it.
struct PendingCopy {
    std::byte* to = nullptr;
    const std::byte* from = nullptr;
    uint32_t copied = 0, zeroed = 0;  // bytes
    uint32_t group = 0;
    uint8_t lane = 0;
};

// What the threads of a warp have started and not yet waited for.
struct PendingCopies {
    std::vector<PendingCopy> copies;
    std::array<uint32_t, lanes_per_warp> groups{};  // committed, by lane
};

// Part of a bulk copy: bytes that are moved together.
struct BulkPiece {
    std::byte* to = nullptr;
    const std::byte* from = nullptr;  // null: what is outside of a tensor, filled
    uint32_t bytes = 0;
};
// cp.async.bulk of one thread to one block, or an asynchronous store, until somebody looks whether it is complete.
struct BulkCopy {
    uint32_t first_piece = 0, pieces = 0;  // in Block::bulk_pieces
    BulkEffect effect;
    std::byte* to = nullptr;  // all that is written, where it is shared memory
    uint32_t bytes = 0;
    std::byte* barrier = nullptr;  // counts the bytes; may be null
    uint32_t counted = 0;
    Warp* warp = nullptr;  // who started it, and where
    const Instruction* at = nullptr;
    unsigned lane = 0;
    std::byte value[16] = {};  // of an asynchronous store, which has one piece
    bool by_value = false;
};

struct Block;

// Blocks that run together, on one worker, and see each other's shared memory.
struct Cluster {
    std::vector<Block*> blocks;  // by rank; they live at least as long as one of them runs
    uint32_t live_threads = 0;
    uint32_t arrived = 0;  // threads, at barrier.cluster, that have not ended since
};

struct Block {
    Launch* launch = nullptr;
    // Clusters are numbered as they lie in the grid, and the blocks of each follow one another: without clusters, as
    // they lie in the grid.
    uint64_t linear_index = 0;
    std::shared_ptr<Cluster> cluster;
    uint32_t cluster_rank = 0;
    Worker* worker = nullptr;
    Dimensions index;
    uint32_t stalled_passes = 0;
    std::vector<const Preload*> changing_rows;  // of the kernel's frames: what is not the same for every block
    std::vector<Warp> warps;
    Barriers barriers;
    AlignedBytes shared, local, frames;
    std::vector<Frame> kernel_frames;                                     // one per warp
    std::vector<std::array<uint32_t, lanes_per_warp>> kernel_stack_tops;  // of a kernel that uses alloca
    std::vector<std::unique_ptr<FrameStorage>> owned_frames;              // of called functions
    std::vector<std::vector<std::vector<FrameStorage*>>> free_frames;     // by warp, by function
    std::vector<std::unique_ptr<Exchange[]>> exchanges;                   // of the warps that have needed them
    std::vector<PendingCopies> copies;                                    // by warp; empty until one is started
    std::vector<BulkCopy> bulk_copies;
    std::vector<BulkPiece> bulk_pieces;
    WrittenBytes written;                              // Checks::memory
    std::unique_ptr<SharedRaces> races;                // Checks::races
    std::unique_ptr<GlobalRaceObserver> global_races;  // of a launch that has Launch::races
    std::unique_ptr<StreamRaceObserver> stream_races;  // of a launch that has LaunchRequest::operation

    enum class Status : uint8_t { finished, running, stalled };

    Block(Launch& owner, Worker& runner);
    void start(uint64_t linear_index);
    // Where it lies in the grid, as a number.
    uint64_t grid_index() const;
    // Gives every warp one turn. Throws FaultException.
    Status advance();
    Frame* acquire_frame(Warp& warp, const Function& function, uint32_t local_base);
    void release_frame(Warp& warp, Frame* frame);
    Exchange* make_exchanges();
};

struct Worker {
    std::vector<RangeCache> ranges;
    AlignedBytes stage{matrix::stage_bytes};
    // Runs blocks of the launch until none is left.
    void run(Launch& launch);
};

// Whether some of its lanes wait for nothing.
bool is_ready(const Warp& warp);
// What warps did in their turns.
struct Turns {
    bool advanced = false;  // one or more ran until they could do no more by themselves
    bool yielded = false;   // one or more gave way
};
// Gives a turn to `warp`, if it is ready, and returns the next; or, where warps wait at barriers, to as many of them as
// it can, one after the other.
Warp* run_warps(Warp* warp, const Warp* end, Turns& turns);
// Looks whether the groups that wait for each other in this warp are complete.
void check_warp_sync(Warp& warp);
void check_block_barrier(Block& block, unsigned id);
// Lets those that wait for the cluster's barrier go, if all of its threads have arrived.
void check_cluster_barrier(Cluster& cluster);

// The block of the warp's cluster whose shared memory holds the generic address, and where in it; a null block if there
// is none, or it has ended.
struct SharedPlace {
    Block* block = nullptr;
    uint64_t offset = 0;
};
SharedPlace shared_place(const Warp& warp, uint64_t address);

// Remembers that bytes in bounds are written other than by a store (Checks::memory; memory_checks.cpp).
void note_written(const Warp& warp, unsigned lane, uint64_t address, uint32_t bytes);

// --- asynchronous copies and the barriers that count them (asynchronous_copy.cpp, bulk_copy.cpp, mbarrier.cpp) ---
void finish_copies(Warp& warp, uint32_t lanes);  // of these lanes, all
void finish_bulk_copies(Block& block);           // of its cluster's blocks
bool has_bulk_copies(const Block& block);
// `bytes` that an mbarrier counts have come.
void complete_bytes(Warp& warp, const Instruction* at, unsigned lane, std::byte* barrier, uint32_t bytes);

// The address in an operand as a generic one. `narrow`: of 32 bits; `shared`: an offset in shared memory.
uint64_t generic_address(const Warp& warp, uint32_t operand, bool narrow, bool shared, unsigned lane);
// As resolve, and aligned to `alignment` bytes.
std::byte* resolve_aligned(Warp& warp, const Instruction* at, unsigned lane, uint64_t address, uint32_t bytes,
                           uint32_t alignment, Access access);

// --- reports (report.cpp) ---
Fault describe_fault(const Warp& warp, const Instruction* at, unsigned lane, Fault::Kind kind, const std::string& what);
Fault describe_fault(const Warp& warp, const Function& function, const Instruction* at, unsigned lane, Fault::Kind kind,
                     const std::string& what);  // of a group that is not the running one
Fault describe_deadlock(const Block& block);
Fault describe_timeout(const Launch& launch);  // timeout_report.cpp
Fault describe_divergent_barrier(const Warp& warp, const Group& group, const Group& other);
std::string dimensions_text(const Dimensions& value);
uint32_t ptx_line_of(const Function& function, const Instruction* at);  // 0: unknown
// "at PTX line 5 (ld.u32), source a.cu:3"
std::string place_text(const Launch& launch, const Function& function, const Instruction* at);
Dimensions thread_index(const Block& block, uint32_t warp, unsigned lane);

}  // namespace cuprum::simulator
