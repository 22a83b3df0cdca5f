// The engine's workers. Blocks are handed out in order from a counter, so that the lowest unfinished block is always
// being run; algorithms that look back at earlier blocks rely on that. The thread that launches works too, and small
// grids wake nobody.
#include <algorithm>
#include <condition_variable>
#include <cstdio>
#include <cstring>
#include <deque>
#include <thread>

#include "engine/execution/runtime.hpp"

namespace cuprum::simulator {
namespace {

// Passes over a block in which every warp only spun, before its worker starts another block beside it. A cooperative
// launch promises that all blocks are resident; otherwise only an unusual kernel needs it.
constexpr uint32_t patience = 2048;
constexpr uint32_t cooperative_patience = 1;
constexpr size_t most_resident = 64;

}  // namespace

void Launch::fail(Fault&& what, uint64_t block) {
    const std::lock_guard lock(mutex);
    if (fault && block >= faulted_block.load(std::memory_order_relaxed)) return;
    fault = std::move(what);
    faulted_block.store(block, std::memory_order_relaxed);
}

bool Launch::is_cancelled() const {
    return request->cancel != nullptr && request->cancel->load(std::memory_order_relaxed);
}

bool Launch::must_stop() {
    if (is_cancelled() || timed_out.load(std::memory_order_relaxed)) return true;
    if (!deadline || std::chrono::steady_clock::now() < *deadline) return false;
    timed_out.store(true, std::memory_order_relaxed);
    return true;
}

void Worker::run(Launch& launch) {
    std::deque<std::unique_ptr<Block>> resident;
    std::vector<std::unique_ptr<Block>> spare;
    const bool cooperative = launch.request->cooperative;
    const uint32_t limit = cooperative ? cooperative_patience : patience;
    const uint32_t together = launch.cluster_blocks;
    const uint64_t clusters = launch.block_count / together;
    ranges.assign(launch.image->cache_entries, RangeCache{});
    // After a fault a lower block still matters, unless it waits: for what, nobody can say any more. A cluster ends as
    // one.
    const auto has_become_pointless = [&](const Block& block) {
        const uint64_t faulted = launch.faulted_block.load(std::memory_order_relaxed);
        return faulted != UINT64_MAX &&
               (cooperative || block.linear_index > faulted || block.linear_index / together == faulted / together ||
                block.stalled_passes >= limit);
    };
    // Of the cluster of that number, one after the other, all before any of them runs.
    const auto start_cluster = [&](uint64_t number) {
        const size_t first = resident.size();
        while (spare.size() < together)
            spare.push_back(std::make_unique<Block>(launch, *this));
        for (uint32_t rank = 0; rank < together; ++rank) {
            resident.push_back(std::move(spare.back()));
            spare.pop_back();
        }
        if (together > 1) {
            const auto cluster = std::make_shared<Cluster>();
            for (uint32_t rank = 0; rank < together; ++rank) {
                cluster->blocks.push_back(resident[first + rank].get());
                cluster->blocks.back()->cluster = cluster;
            }
        }
        for (uint32_t rank = 0; rank < together; ++rank)
            resident[first + rank]->start(number * together + rank);
    };
    // Passes until the block has finished, or something else than it is to be looked at.
    const auto advance = [&](Block& block) {
        while (true) {
            const Block::Status status = block.advance();
            if (status == Block::Status::finished) return true;
            const bool is_alone = resident.size() == 1 && status == Block::Status::running;
            if (!is_alone || launch.faulted_block.load(std::memory_order_relaxed) != UINT64_MAX || launch.must_stop())
                return false;
        }
    };
    try {
        while (!launch.must_stop()) {
            std::erase_if(resident, [&](const auto& block) { return has_become_pointless(*block); });
            const bool stuck =
                !resident.empty() && std::all_of(resident.begin(), resident.end(), [&](const auto& block) {
                    return block->barriers.live_threads == 0 || block->stalled_passes >= limit;
                });
            if (resident.empty() || (stuck && (cooperative || resident.size() < most_resident))) {
                const uint64_t end =
                    std::min(clusters, launch.faulted_block.load(std::memory_order_relaxed) / together);
                const uint64_t next = launch.next_cluster.load(std::memory_order_relaxed) < end
                                          ? launch.next_cluster.fetch_add(1, std::memory_order_relaxed)
                                          : end;
                if (next < end) {
                    start_cluster(next);
                } else if (resident.empty()) {
                    return;
                } else if (stuck) {
                    std::this_thread::yield();
                }
            }
            for (size_t k = 0; k < resident.size() && !launch.must_stop();) {
                Block& block = *resident[k];
                bool faulted = false;
                bool finished = false;
                try {
                    finished = advance(block);
                } catch (FaultException& thrown) {
                    launch.fail(std::move(thrown.fault), block.linear_index);
                    faulted = true;
                }
                // A cluster's blocks leave together: until then the others find out that one has ended.
                const bool leaves = faulted || (finished && (together == 1 || block.cluster->live_threads == 0));
                if (!leaves) {
                    ++k;
                    continue;
                }
                if (together > 1 && faulted) break;  // the rest of its cluster goes with it
                if (finished) spare.push_back(std::move(resident[k]));
                resident.erase(resident.begin() + static_cast<std::ptrdiff_t>(k));
            }
        }
        if (!launch.timed_out.load(std::memory_order_relaxed)) return;
        for (const std::unique_ptr<Block>& block : resident)
            launch.note_standing(*block);
    } catch (const std::bad_alloc&) {
        Fault fault;
        fault.kind = Fault::Kind::unsupported;
        fault.kernel = launch.information->name;
        fault.message = "kernel '" + fault.kernel +
                        "': the host has no memory left for the registers, shared and local "
                        "memory of another block; launch smaller or fewer blocks";
        launch.fail(std::move(fault), 0);
    }
}

struct Engine::State {
    DeviceModel model;
    std::mutex mutex;
    std::condition_variable wake, done;
    std::deque<std::shared_ptr<Launch>> waiting;  // launches that still want helpers, once per helper wanted
    std::vector<std::thread> threads;
    std::vector<std::unique_ptr<Worker>> idle_workers;  // of launching threads
    std::atomic<uint64_t> grids{0};
    bool ending = false;

    void serve() {
        Worker worker;
        std::unique_lock lock(mutex);
        while (true) {
            wake.wait(lock, [&] { return ending || !waiting.empty(); });
            if (ending) return;
            const std::shared_ptr<Launch> launch = std::move(waiting.front());
            waiting.pop_front();
            ++launch->running_workers;
            lock.unlock();
            worker.run(*launch);
            lock.lock();
            if (--launch->running_workers == 0) done.notify_all();
        }
    }
};

Engine::Engine(const DeviceModel& model) : state_(std::make_unique<State>()) {
    state_->model = model;
    uint32_t workers = model.worker_threads != 0 ? model.worker_threads : std::thread::hardware_concurrency();
    workers = std::max(workers, 1u);
    // The launching thread is one of them.
    for (uint32_t k = 1; k < workers; ++k) {
        state_->threads.emplace_back([state = state_.get()] { state->serve(); });
    }
}

Engine::~Engine() {
    {
        const std::lock_guard lock(state_->mutex);
        state_->ending = true;
    }
    state_->wake.notify_all();
    for (std::thread& thread : state_->threads)
        thread.join();
}

std::optional<Fault> Engine::launch(const LaunchRequest& request) {
    const auto& image = static_cast<const ProgramImage&>(*request.program);
    auto launch = std::make_shared<Launch>();
    launch->request = &request;
    launch->image = &image;
    launch->information = &image.kernel_information[request.kernel];
    launch->kernel = &image.functions[image.kernel_functions[request.kernel]];
    launch->model = &state_->model;
    if (launch->image->profile) launch->profile = launch->image->profile->of_kernel(request.kernel);
    if (state_->model.kernel_timeout.count() > 0) {
        launch->deadline = std::chrono::steady_clock::now() + state_->model.kernel_timeout;
    }
    launch->block_count = static_cast<uint64_t>(request.grid.x) * request.grid.y * request.grid.z;
    launch->cluster_blocks = request.cluster.x * request.cluster.y * request.cluster.z;
    launch->threads_per_block = request.block.x * request.block.y * request.block.z;
    if (state_->model.checks.races && launch->block_count > launch->cluster_blocks) {
        launch->races = std::make_unique<GlobalRaces>(*launch);
    }
    launch->shared_bytes = launch->information->static_shared_bytes + request.dynamic_shared_bytes;
    launch->local_bytes = image.kernel_local_bytes[request.kernel];
    launch->grid_id = state_->grids.fetch_add(1) + 1;
    // Rows read up to 8 bytes of a parameter, hence the slack.
    const size_t parameter_bytes = std::max<size_t>(request.parameters.size(), launch->information->parameter_bytes);
    launch->parameters = AlignedBytes(parameter_bytes + 16);
    std::memset(launch->parameters.data(), 0, parameter_bytes + 16);
    if (!request.parameters.empty()) {
        std::memcpy(launch->parameters.data(), request.parameters.data(), request.parameters.size());
    }
    launch->workspace = AlignedBytes(64);
    std::memset(launch->workspace.data(), 0, 64);

    std::unique_ptr<Worker> worker;
    {
        const std::lock_guard lock(state_->mutex);
        if (!state_->idle_workers.empty()) {
            worker = std::move(state_->idle_workers.back());
            state_->idle_workers.pop_back();
        }
        const uint64_t helpers =
            std::min<uint64_t>(launch->block_count / launch->cluster_blocks - 1, state_->threads.size());
        for (uint64_t k = 0; k < helpers; ++k) {
            state_->waiting.push_back(launch);
            state_->wake.notify_one();
        }
    }
    if (!worker) worker = std::make_unique<Worker>();
    worker->run(*launch);
    {
        std::unique_lock lock(state_->mutex);
        std::erase(state_->waiting, launch);  // helpers that never came
        state_->done.wait(lock, [&] { return launch->running_workers == 0; });
        state_->idle_workers.push_back(std::move(worker));
    }
    if (!launch->output.empty()) {
        std::fwrite(launch->output.data(), 1, launch->output.size(), stdout);
        std::fflush(stdout);
    }
    // Not if its last block ended just then.
    const bool is_unfinished =
        launch->standing_blocks > 0 || launch->next_cluster.load() * launch->cluster_blocks < launch->block_count;
    if (!launch->fault && launch->timed_out.load() && is_unfinished) return describe_timeout(*launch);
    if (!launch->fault && request.cancel != nullptr && request.cancel->load()) {
        Fault fault;
        fault.kind = Fault::Kind::cancelled;
        fault.kernel = launch->information->name;
        fault.message = "kernel '" + fault.kernel + "' was cancelled: its context is being torn down";
        return fault;
    }
    if (!launch->fault && request.operation) return request.operation->races().finish_kernel(*request.operation);
    return std::move(launch->fault);
}

}  // namespace cuprum::simulator
