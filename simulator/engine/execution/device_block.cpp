// A block of threads that can be run, left and resumed.
#include <algorithm>
#include <cstring>
#include <new>

#include "engine/execution/runtime.hpp"

namespace cuprum::simulator {
namespace {

constexpr uint32_t poison_word = 0xcbcbcbcbu;

uint64_t sign_extended(uint64_t bits, ScalarType type) {
    switch (type) {
        case ScalarType::s8:
            return static_cast<uint64_t>(static_cast<int64_t>(static_cast<int8_t>(bits)));
        case ScalarType::s16:
            return static_cast<uint64_t>(static_cast<int64_t>(static_cast<int16_t>(bits)));
        case ScalarType::s32:
            return static_cast<uint64_t>(static_cast<int64_t>(static_cast<int32_t>(bits)));
        default:
            return bits;
    }
}

uint32_t lane_mask(Special special, unsigned lane) {
    const uint32_t self = 1u << lane;
    switch (special) {
        case Special::lanemask_eq:
            return self;
        case Special::lanemask_lt:
            return self - 1;
        case Special::lanemask_le:
            return self | (self - 1);
        case Special::lanemask_gt:
            return ~(self | (self - 1));
        default:
            return ~(self - 1);  // ge
    }
}

uint64_t special_value(const Warp& warp, const Preload& preload, unsigned lane) {
    const Block& block = *warp.block;
    const Launch& launch = *block.launch;
    const Dimensions& threads = launch.request->block;
    const Dimensions& grid = launch.request->grid;
    const Dimensions& cluster = launch.request->cluster;
    const uint32_t linear = warp.index * lanes_per_warp + lane;
    switch (preload.special) {
        case Special::tid_x:
            return linear % threads.x;
        case Special::tid_y:
            return linear / threads.x % threads.y;
        case Special::tid_z:
            return linear / threads.x / threads.y;
        case Special::ntid_x:
            return threads.x;
        case Special::ntid_y:
            return threads.y;
        case Special::ntid_z:
            return threads.z;
        case Special::ctaid_x:
            return block.index.x;
        case Special::ctaid_y:
            return block.index.y;
        case Special::ctaid_z:
            return block.index.z;
        case Special::nctaid_x:
            return grid.x;
        case Special::nctaid_y:
            return grid.y;
        case Special::nctaid_z:
            return grid.z;
        case Special::laneid:
            return lane;
        case Special::warpid:
            return warp.index;
        case Special::nwarpid:
            return block.warps.size();
        case Special::smid: {
            const uint32_t number = block.index.x + block.index.y + block.index.z;
            const auto* const own = launch.request->multiprocessors.get();
            return own != nullptr ? (*own)[number % own->size()] : number % launch.model->multiprocessors;
        }
        case Special::nsmid:
            return launch.model->multiprocessors;
        case Special::gridid:
            return launch.grid_id;
        case Special::lanemask_eq:
        case Special::lanemask_le:
        case Special::lanemask_lt:
        case Special::lanemask_ge:
        case Special::lanemask_gt:
            return lane_mask(preload.special, lane);
        case Special::envreg:
            // Cooperative groups find the grid's workspace in envreg 1 (high) and 2 (low).
            if (!launch.request->cooperative) return 0;
            return preload.index == 1   ? window::grid_workspace >> 32
                   : preload.index == 2 ? window::grid_workspace & 0xffffffff
                                        : 0;
        case Special::dynamic_smem_size:
            return launch.request->dynamic_shared_bytes;
        case Special::total_smem_size:
            return launch.shared_bytes;
        case Special::one:
            return 1;
        case Special::is_explicit_cluster:
            return launch.request->explicit_cluster ? 1 : 0;
        case Special::cluster_ctarank:
            return block.cluster_rank;
        case Special::cluster_nctarank:
            return launch.cluster_blocks;
        case Special::cluster_ctaid_x:
            return block.index.x % cluster.x;
        case Special::cluster_ctaid_y:
            return block.index.y % cluster.y;
        case Special::cluster_ctaid_z:
            return block.index.z % cluster.z;
        case Special::cluster_nctaid_x:
            return cluster.x;
        case Special::cluster_nctaid_y:
            return cluster.y;
        case Special::cluster_nctaid_z:
            return cluster.z;
        case Special::clusterid_x:
            return block.index.x / cluster.x;
        case Special::clusterid_y:
            return block.index.y / cluster.y;
        case Special::clusterid_z:
            return block.index.z / cluster.z;
        case Special::nclusterid_x:
            return grid.x / cluster.x;
        case Special::nclusterid_y:
            return grid.y / cluster.y;
        case Special::nclusterid_z:
            return grid.z / cluster.z;
        default:
            return 0;
    }
}

uint64_t preload_value(const Warp& warp, const Frame& frame, const Preload& preload, unsigned lane) {
    const Launch& launch = *warp.block->launch;
    switch (preload.kind) {
        case Preload::Kind::literal:
            return preload.value;
        case Preload::Kind::special:
            return special_value(warp, preload, lane);
        case Preload::Kind::parameter: {
            uint64_t bits = 0;
            std::memcpy(&bits, launch.parameters.data() + preload.index, ptx::size_of(preload.type));
            return sign_extended(bits, preload.type);
        }
        case Preload::Kind::variable_address:
            return launch.request->variable_addresses[preload.index] + preload.value;
        case Preload::Kind::shared_address:
            for (const auto& [variable, offset] : launch.image->kernel_shared_offsets[launch.request->kernel]) {
                if (variable == preload.index) return offset + preload.value;
            }
            return preload.value;  // not reached from this kernel
        case Preload::Kind::function_address:
            return window::functions + 16 * static_cast<uint64_t>(preload.index);
        case Preload::Kind::local_base:
            return frame.local_base + preload.value;
    }
    return 0;
}

// What is the same in all lanes and warps and changes with every block: worth its own loop.
template <class Element>
void fill_with_one(std::byte* row, uint64_t value) {
    std::fill_n(reinterpret_cast<Element*>(row), lanes_per_warp, static_cast<Element>(value));
}

void fill(const Warp& warp, const Frame& frame, const Preload& preload) {
    std::byte* const row = frame.registers + preload.offset;
    for (unsigned lane = 0; lane < lanes_per_warp; ++lane) {
        const uint64_t value = preload_value(warp, frame, preload, lane);
        if (preload.bytes == 8) {
            std::memcpy(row + 8 * lane, &value, 8);
        } else if (preload.bytes == 4) {
            const auto narrow = static_cast<uint32_t>(value);
            std::memcpy(row + 4 * lane, &narrow, 4);
        } else {
            // A predicate: one word for all lanes.
            const uint32_t word = value != 0 ? ~0u : 0u;
            std::memcpy(row, &word, 4);
            return;
        }
    }
}

void fill_in_all_warps(const Block& block, const Preload& preload) {
    const uint64_t value = preload_value(block.warps[0], block.kernel_frames[0], preload, 0);
    for (const Frame& frame : block.kernel_frames) {
        std::byte* const row = frame.registers + preload.offset;
        preload.bytes == 8 ? fill_with_one<uint64_t>(row, value) : fill_with_one<uint32_t>(row, value);
    }
}

void show_in_mask(Warp& warp) {
    for (unsigned lane = 0; lane < lanes_per_warp; ++lane)
        warp.mask[lane] = (warp.active >> lane & 1) != 0 ? ~0u : 0u;
    warp.masked = warp.active;
}

void poison_registers(const Function& function, std::byte* registers) {
    for (size_t k = 0; k < function.poisoned_rows.size(); ++k) {
        std::byte* const row = registers + function.poisoned_rows[k];
        // Sizes that the compiler knows: what it makes of others takes longer to begin than these to be done.
        switch (function.poisoned_bytes[k]) {
            case 0:
                std::memset(row, poison_byte, 4);
                break;
            case 4:
                std::memset(row, poison_byte, 4 * lanes_per_warp);
                break;
            case 8:
                std::memset(row, poison_byte, 8 * lanes_per_warp);
                break;
            default:
                std::memset(row, poison_byte, size_t{function.poisoned_bytes[k]} * lanes_per_warp);
        }
    }
}

void reset_stack(const Frame& frame) {
    if (frame.stack_tops == nullptr) return;
    std::fill_n(frame.stack_tops, lanes_per_warp, frame.local_base + frame.function->local_bytes);
}

Dimensions at_position(uint64_t position, const Dimensions& size) {
    return {static_cast<uint32_t>(position % size.x), static_cast<uint32_t>(position / size.x % size.y),
            static_cast<uint32_t>(position / size.x / size.y)};
}

}  // namespace

AlignedBytes::AlignedBytes(size_t size)
    : data_(static_cast<std::byte*>(::operator new(size == 0 ? 64 : size, std::align_val_t{64}))), size_(size) {}

void AlignedBytes::Free::operator()(std::byte* data) const {
    ::operator delete(data, std::align_val_t{64});
}

// Bytes of a vector load.
constexpr size_t widest_access = 16;

Block::Block(Launch& owner, Worker& runner) : launch(&owner), worker(&runner) {
    const Function& kernel = *owner.kernel;
    const uint32_t warp_count = (owner.threads_per_block + lanes_per_warp - 1) / lanes_per_warp;
    const size_t frame_bytes = (kernel.frame_bytes() + 63) / 64 * 64;
    shared = AlignedBytes((owner.shared_bytes + widest_access - 1) / widest_access * widest_access);
    local = AlignedBytes(static_cast<size_t>(owner.local_bytes) * warp_count * lanes_per_warp);
    frames = AlignedBytes(frame_bytes * warp_count);
    warps = std::vector<Warp>(warp_count);
    kernel_frames.resize(warp_count);
    if (kernel.allocates_stack) kernel_stack_tops.resize(warp_count);
    if (owner.model->checks.memory) {
        written.shared.resize(owner.shared_bytes);
        written.local.resize(local.size());
        written.reads.resize(static_cast<size_t>(warp_count) * lanes_per_warp);
    }
    if (owner.model->checks.races) races = std::make_unique<SharedRaces>(warp_count, owner.shared_bytes);
    barriers.races = races != nullptr;
    barriers.warps_begin = warps.data();
    barriers.warps_end = warps.data() + warps.size();
    if (owner.races) global_races = std::make_unique<GlobalRaceObserver>(*owner.races);
    if (owner.request->operation && owner.request->memory)
        stream_races = std::make_unique<StreamRaceObserver>(owner.request->operation, *owner.request->memory);
    cluster = std::make_shared<Cluster>();
    cluster->blocks = {this};
    const Backend& interpreter = backend();
    for (uint32_t number = 0; number < warp_count; ++number) {
        Warp& warp = warps[number];
        Frame& frame = kernel_frames[number];
        frame.function = &kernel;
        frame.registers = frames.data() + number * frame_bytes;
        if (kernel.allocates_stack) frame.stack_tops = kernel_stack_tops[number].data();
        warp.block = this;
        warp.worker = worker;
        warp.interpreter = &interpreter;
        warp.barriers = &barriers;
        warp.stage = worker->stage.data();
        warp.index = number;
        warp.ranges = worker->ranges.data();
        warp.shared = shared.data();
        warp.shared_bytes = owner.shared_bytes;
        warp.local_stride = owner.local_bytes;
        warp.local = local.data() + static_cast<size_t>(number) * lanes_per_warp * owner.local_bytes;
        const uint32_t threads = owner.threads_per_block - number * lanes_per_warp;
        warp.existing = threads >= lanes_per_warp ? ~0u : (1u << threads) - 1;
        for (const Preload& preload : kernel.preloads) {
            if (!preload.per_block()) fill(warp, frame, preload);
        }
    }
    for (const Preload& preload : kernel.preloads) {
        if (preload.per_block()) changing_rows.push_back(&preload);
    }
}

void Block::start(uint64_t linear_index_) {
    linear_index = linear_index_;
    const Dimensions& grid = launch->request->grid;
    const Dimensions& per_cluster = launch->request->cluster;
    if (launch->cluster_blocks == 1) {
        cluster_rank = 0;
        index = at_position(linear_index, grid);
    } else {
        const Dimensions clusters{grid.x / per_cluster.x, grid.y / per_cluster.y, grid.z / per_cluster.z};
        const Dimensions of_cluster = at_position(linear_index / launch->cluster_blocks, clusters);
        cluster_rank = static_cast<uint32_t>(linear_index % launch->cluster_blocks);
        const Dimensions within = at_position(cluster_rank, per_cluster);
        index = {of_cluster.x * per_cluster.x + within.x, of_cluster.y * per_cluster.y + within.y,
                 of_cluster.z * per_cluster.z + within.z};
    }
    if (cluster_rank == 0) *cluster = {std::move(cluster->blocks), 0, 0};
    cluster->live_threads += launch->threads_per_block;
    stalled_passes = 0;
    // Those that the block before has left in use; the rest are as new.
    for (; barriers.waited_for != 0; barriers.waited_for &= barriers.waited_for - 1)
        barriers.of[__builtin_ctz(barriers.waited_for)] = Barrier{};
    barriers.live_threads = launch->threads_per_block;
    copies.clear();
    std::fill(written.shared.begin(), written.shared.end(), uint8_t{0});
    std::fill(written.local.begin(), written.local.end(), uint8_t{0});
    std::fill(written.reads.begin(), written.reads.end(), WrittenBytes::Read{});
    if (races) races->start();
    if (global_races) global_races->start(cluster_rank == 0 ? nullptr : cluster->blocks[0]->global_races.get());
    bulk_copies.clear();
    bulk_pieces.clear();
    if (shared.size() > 0) std::memset(shared.data(), poison_byte, shared.size());
    for (const Preload* const preload : changing_rows)
        fill_in_all_warps(*this, *preload);
    for (Warp& warp : warps) {
        Frame& frame = kernel_frames[warp.index];
        poison_registers(*launch->kernel, frame.registers);
        reset_stack(frame);
        frame.lanes = warp.existing;
        warp.live = warp.existing;
        warp.carry = poison_word;
        warp.cluster_arrived = warp.cluster_met = 0;
        warp.group_count = 1;
        warp.turn = 0;
        warp.rotate = false;
        warp.paused = true;
        warp.active = warp.existing;
        if (warp.masked != warp.active) show_in_mask(warp);
        warp.partial = false;
        warp.granted = false;
        warp.current = 0;
        warp.frame = &frame;
        warp.registers = frame.registers;
        warp.groups[0] = Group{};
        warp.groups[0].lanes = warp.existing;
        warp.groups[0].pc = launch->kernel->code.data();
        warp.groups[0].frame = &frame;
    }
}

uint64_t Block::grid_index() const {
    const Dimensions& grid = launch->request->grid;
    return index.x + grid.x * (index.y + static_cast<uint64_t>(grid.y) * index.z);
}

Block::Status Block::advance() {
    Turns turns;
    Warp* const end = warps.data() + warps.size();
    for (Warp* warp = warps.data(); warp != end;) {
        // Warps that use up their turns make a pass long.
        if (turns.yielded && launch->must_stop()) return Status::running;
        warp = run_warps(warp, end, turns);
    }
    if (barriers.live_threads == 0) return Status::finished;
    if (!turns.advanced && !turns.yielded) {
        // The cluster's other blocks may yet bring what this one waits for.
        const bool hopeless = std::ranges::none_of(cluster->blocks, [](const Block* block) {
            return block != nullptr && std::ranges::any_of(block->warps, &is_ready);
        });
        if (hopeless) throw FaultException{describe_deadlock(*this)};
        ++stalled_passes;
        return Status::stalled;
    }
    if (turns.yielded && !turns.advanced) {
        ++stalled_passes;
        return Status::stalled;
    }
    stalled_passes = 0;
    return Status::running;
}

Frame* Block::acquire_frame(Warp& warp, const Function& function, uint32_t local_base) {
    const auto which = static_cast<size_t>(&function - launch->image->functions.data());
    if (free_frames.empty()) free_frames.resize(warps.size());
    auto& by_function = free_frames[warp.index];
    if (by_function.empty()) by_function.resize(launch->image->functions.size());
    auto& free_list = by_function[which];
    Frame* frame = nullptr;
    bool fresh = false;
    if (!free_list.empty()) {
        frame = &free_list.back()->frame;
        free_list.pop_back();
    } else {
        auto storage = std::make_unique<FrameStorage>();
        storage->bytes = AlignedBytes(function.frame_bytes());
        storage->frame.function = &function;
        storage->frame.registers = storage->bytes.data();
        if (function.allocates_stack) storage->frame.stack_tops = storage->stack_tops.data();
        frame = &storage->frame;
        owned_frames.push_back(std::move(storage));
        fresh = true;
    }
    frame->local_base = local_base;
    reset_stack(*frame);
    for (const Preload& preload : function.preloads) {
        if (fresh || preload.per_activation()) fill(warp, *frame, preload);
    }
    poison_registers(function, frame->registers);
    return frame;
}

void Block::release_frame(Warp& warp, Frame* frame) {
    const auto which = static_cast<size_t>(frame->function - launch->image->functions.data());
    static_assert(offsetof(FrameStorage, frame) == 0);
    free_frames[warp.index][which].push_back(reinterpret_cast<FrameStorage*>(frame));
}

Exchange* Block::make_exchanges() {
    exchanges.push_back(std::make_unique<Exchange[]>(lanes_per_warp));
    return exchanges.back().get();
}

}  // namespace cuprum::simulator
