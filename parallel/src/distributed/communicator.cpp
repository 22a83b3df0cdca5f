#include "cuprum/parallel/distributed/communicator.hpp"

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <exception>
#include <memory>
#include <set>
#include <string>
#include <utility>

#include "collective_call.hpp"
#include "cuprum/bindings/driver.hpp"
#include "cuprum/core/error.hpp"
#include "cuprum/core/memory_pool.hpp"
#include "current_context.hpp"
#include "nccl_transport.hpp"

namespace cuprum::parallel::distributed {

// For what small temporary memory a call needs, such as the results of a reduction's blocks (some 5,000 on an H200), or
// of a scan's tiles: a call then asks the driver for none, before its kernels and when they are done.
constexpr uint64_t kept_bytes = uint64_t{1} << 20;

struct Communicator::State {
    size_t size = 0, first_rank = 0;
    std::vector<core::Device> devices;  // of the ranks of this process
    std::vector<core::Stream> streams;
    std::vector<core::Buffer> kept_memory;  // of each rank, for the call that has taken it
    std::vector<core::Event> kept_events;
    mutable std::atomic<bool> is_kept_memory_taken = false;
    std::vector<core::Stream> copy_streams;       // where the driver copies
    bool are_peers = true;                        // each of each other
    std::vector<core::MemoryResource> resources;  // of each device, which its peers have access to
    std::unique_ptr<NcclTransport> nccl;          // null: the driver copies

    explicit State(const std::vector<core::Device>& devices_) : size(devices_.size()), devices(devices_) {
        for (const core::Device& device : devices)
            streams.push_back(device.create_stream());
        for (size_t i = 0; i < devices.size(); ++i) {
            kept_memory.push_back(devices[i].allocate(kept_bytes, streams[i]));
            kept_events.push_back(devices[i].create_event());
        }
    }
    void enable_peers();
};

namespace {

namespace driver = bindings::driver;

constexpr const char* making = "making a communicator";
constexpr const char* exchanging = "exchanging messages";

}  // namespace

void check_driver(CUresult result, const char* function, const core::Device& device, const core::Device& peer) {
    if (result == CUDA_SUCCESS) return;
    const char* name = nullptr;
    driver::cuGetErrorName(result, &name);
    ErrorInfo info;
    info.status = result == CUDA_ERROR_OUT_OF_MEMORY ? Status::out_of_memory : Status::driver_error;
    info.domain = ErrorDomain::driver;
    info.code = result;
    info.name = name == nullptr ? "" : name;
    info.operation = making;
    info.object =
        "device " + std::to_string(device.device_id()) + " as a peer of device " + std::to_string(peer.device_id());
    info.detail = std::string(function) + " failed";
    throw_error(std::move(info));
}

namespace {

// Copies from the peer's memory to the device need not go through host memory then. What cannot be, stays so: the
// copies are the same. Returns whether it is so.
bool enable_peer_access(const core::Device& device, const core::Device& peer) {
    int possible = 0;
    const CUcontext peer_context = peer.context().handle();
    check_driver(driver::cuDeviceCanAccessPeer(&possible, device.device_id(), peer.device_id()),
                 "cuDeviceCanAccessPeer", device, peer);
    if (possible == 0) return false;
    {
        const CurrentContext current(device);
        const CUresult result = driver::cuCtxEnablePeerAccess(peer_context, 0);
        if (result == CUDA_ERROR_TOO_MANY_PEERS) return false;
        if (result != CUDA_ERROR_PEER_ACCESS_ALREADY_ENABLED)
            check_driver(result, "cuCtxEnablePeerAccess", device, peer);
    }
    const core::MemoryResource resource = peer.memory_resource();
    if (!resource.has_pool()) return false;
    core::PooledMemoryResource::of(resource).set_accessible_by(device, true);
    return true;
}

// Throws InvalidArgument.
void check_messages(const Communicator& communicator, std::span<const Message> messages) {
    const auto check_side = [&](size_t number, const char* side, size_t rank, const core::BufferRef& memory) {
        const std::string object = std::string(side) + " of message " + std::to_string(number);
        if (rank >= communicator.size()) {
            throw InvalidArgument(exchanging, object,
                                  "there is no rank " + std::to_string(rank) + ", expected 0 to " +
                                      std::to_string(communicator.size() - 1));
        }
        if (!communicator.is_local(rank) || memory.size() == 0) return;
        if (memory.device_id() != communicator.device(rank).device_id()) {
            throw InvalidArgument(exchanging, object,
                                  "it is memory of device " + std::to_string(memory.device_id()) + ", expected of " +
                                      describe_rank(communicator, rank));
        }
    };
    for (size_t number = 0; number < messages.size(); ++number) {
        const Message& message = messages[number];
        check_side(number, "source", message.from, message.source);
        check_side(number, "destination", message.to, message.destination);
        if (!communicator.is_local(message.from) || !communicator.is_local(message.to)) continue;
        if (message.source.size() == message.destination.size()) continue;
        throw InvalidArgument(exchanging, "message " + std::to_string(number),
                              "the source has " + std::to_string(message.source.size()) +
                                  " bytes, and the destination " + std::to_string(message.destination.size()));
    }
}

// The messages of this process that are not empty. Each rank gets its own first, then that of the next rank, and so on:
// not all at once from one rank. Those of two ranks stay in their order.
std::vector<const Message*> in_order(const Communicator& communicator, std::span<const Message> messages) {
    std::vector<const Message*> ordered;
    for (const Message& message : messages) {
        const bool sends = communicator.is_local(message.from) && message.source.size() > 0;
        const bool receives = communicator.is_local(message.to) && message.destination.size() > 0;
        if (sends || receives) ordered.push_back(&message);
    }
    const size_t ranks = communicator.size();
    std::stable_sort(ordered.begin(), ordered.end(), [ranks](const Message* left, const Message* right) {
        const auto distance = [ranks](const Message& message) { return (message.from + ranks - message.to) % ranks; };
        return distance(*left) < distance(*right);
    });
    return ordered;
}

void check_devices(const std::vector<core::Device>& devices) {
    if (devices.empty()) {
        throw InvalidArgument(making, "devices", "there are none, expected at least one");
    }
    for (size_t rank = 0; rank < devices.size(); ++rank) {
        const auto first = std::find(devices.begin(), devices.end(), devices[rank]);
        if (const auto earlier = static_cast<size_t>(first - devices.begin()); earlier != rank) {
            throw InvalidArgument(making, "device " + std::to_string(devices[rank].device_id()),
                                  "it is rank " + std::to_string(earlier) + " and rank " + std::to_string(rank) +
                                      ", expected a device of its own for each rank");
        }
    }
}

}  // namespace

void Communicator::State::enable_peers() {
    for (const core::Device& device : devices) {
        resources.push_back(device.memory_resource());
        copy_streams.push_back(device.create_stream());
        for (const core::Device& peer : devices) {
            if (!(peer == device) && !enable_peer_access(device, peer)) are_peers = false;
        }
    }
}

Communicator::Communicator(const std::vector<core::Device>& devices) {
    check_devices(devices);
    auto state = std::make_shared<State>(devices);
    state->enable_peers();
    state_ = std::shared_ptr<const State>(std::move(state));
}

Communicator::Communicator(const std::vector<core::Device>& devices, const NcclOptions& options) {
    check_devices(devices);
    NcclTransport::require_library();
    auto state = std::make_shared<State>(devices);
    state->are_peers = false;
    state->nccl =
        std::make_unique<NcclTransport>(devices, 0, devices.size(), NcclTransport::make_identifier(), options.timeout);
    state_ = std::shared_ptr<const State>(std::move(state));
}

Communicator::Communicator(const core::Device& device, const Process& process, const NcclOptions& options) {
    const std::string object = "rank " + std::to_string(process.rank);
    if (process.rank >= process.count) {
        throw InvalidArgument(making, object,
                              "there are " + std::to_string(process.count) + " processes, expected a rank below that");
    }
    if (!process.broadcast) {
        throw InvalidArgument(
            making, object, "it has no broadcast, expected a function that gives rank 0's bytes to all",
            "where torchrun starts the processes, the environment says how by TCP; with MPI, call MPI_Bcast");
    }
    NcclTransport::require_library();
    ncclUniqueId identifier{};
    if (process.rank == 0) identifier = NcclTransport::make_identifier();
    process.broadcast(std::as_writable_bytes(std::span(identifier.internal)));
    auto state = std::make_shared<State>(std::vector{device});
    state->size = process.count;
    state->first_rank = process.rank;
    state->are_peers = false;
    state->nccl =
        std::make_unique<NcclTransport>(state->devices, process.rank, process.count, identifier, options.timeout);
    state_ = std::shared_ptr<const State>(std::move(state));
}

size_t Communicator::size() const {
    return state_->size;
}
size_t Communicator::first_local_rank() const {
    return state_->first_rank;
}
size_t Communicator::local_size() const {
    return state_->devices.size();
}
const core::Device& Communicator::device(size_t rank) const {
    if (!is_local(rank)) {
        throw InvalidArgument("looking up a rank", "rank " + std::to_string(rank),
                              rank < size() ? "it is one of another process, whose devices are not known here"
                                            : "there are " + std::to_string(size()) + " ranks");
    }
    return state_->devices[rank - state_->first_rank];
}
core::StreamRef Communicator::stream(size_t rank) const {
    static_cast<void>(device(rank));
    return state_->streams[rank - state_->first_rank];
}

core::StreamRef Communicator::copy_stream(size_t rank) const {
    return state_->copy_streams[rank];
}

// False: another call has it.
bool Communicator::take_kept_memory() const {
    return !state_->is_kept_memory_taken.exchange(true);
}

void Communicator::return_kept_memory() const {
    state_->is_kept_memory_taken = false;
}

core::BufferRef Communicator::kept_memory(size_t rank) const {
    return state_->kept_memory[rank - state_->first_rank];
}

core::EventRef Communicator::kept_event(size_t rank) const {
    return state_->kept_events[rank - state_->first_rank];
}

void Communicator::sync_copy_streams() const {
    for (const core::Stream& each : state_->copy_streams) {
        try {
            each.sync();
        } catch (const Error&) {}  // of a stream that the device has given up, as the rank's own, which says so
    }
}

bool Communicator::can_read_peers() const {
    if (!state_->are_peers) return false;
    bool are_the_same = true;
    for (size_t rank = 0; rank < size(); ++rank)
        on_rank(*this, rank, [&] { are_the_same &= device(rank).memory_resource() == state_->resources[rank]; });
    return are_the_same;
}

void Communicator::exchange(std::span<const Message> messages) const {
    check_messages(*this, messages);
    const std::vector<const Message*> ordered = in_order(*this, messages);
    const auto copy = [&](const Message& message) {
        on_rank(*this, message.to, [&] { message.destination.copy_from(message.source, stream(message.to)); });
    };
    if (state_->nccl != nullptr) {
        std::vector<const Message*> between_ranks;
        for (const Message* message : ordered) {
            if (message->from == message->to) {
                copy(*message);
            } else {
                between_ranks.push_back(message);
            }
        }
        state_->nccl->exchange(between_ranks, state_->streams);
        return;
    }
    // Pairs of ranks, the one that gets first.
    std::set<std::pair<size_t, size_t>> pairs;
    for (const Message* message : ordered) {
        if (message->from != message->to) pairs.emplace(message->to, message->from);
    }
    std::vector<core::Event> sources(size()), copied(size());
    const auto record = [this](std::vector<core::Event>& events, size_t rank) {
        on_rank(*this, rank, [&] {
            if (!events[rank].is_valid()) events[rank] = stream(rank).record();
        });
    };
    for (const auto& [to, from] : pairs) {
        record(sources, from);
        on_rank(*this, to, [&] { stream(to).wait(sources[from]); });
    }
    for (const Message* message : ordered)
        copy(*message);
    // What a rank does next may change or free what others have read.
    for (const auto& [to, from] : pairs) {
        record(copied, to);
        on_rank(*this, from, [&] { stream(from).wait(copied[to]); });
    }
}

void Communicator::sync() const {
    std::exception_ptr first;
    try {
        if (state_->nccl != nullptr) state_->nccl->sync(*this);
    } catch (const Error&) {
        first = std::current_exception();
    }
    for (size_t i = 0; i < local_size(); ++i) {
        const size_t rank = first_local_rank() + i;
        try {
            on_rank(*this, rank, [&] { stream(rank).sync(); });
        } catch (const Error&) {
            if (first == nullptr) first = std::current_exception();
        }
    }
    if (first != nullptr) std::rethrow_exception(first);
}

void Communicator::abort() const {
    if (state_->nccl != nullptr) state_->nccl->abort("the program gave it up");
}

}  // namespace cuprum::parallel::distributed
