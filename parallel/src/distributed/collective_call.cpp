#include "collective_call.hpp"

#include <optional>
#include <utility>

#include "../call.hpp"
#include "cuprum/core/error.hpp"

namespace cuprum::parallel::distributed {

namespace {

std::string text(uint64_t count, const Type& type) {
    return std::to_string(count) + " elements of " + type.name();
}

void check_shard(const Communicator& communicator, const char* operation, const char* name, size_t rank,
                 const Type& type, const Shard& shard, uint64_t count) {
    const auto refuse = [&](std::string detail, std::string advice = {}) {
        throw InvalidArgument(operation, describe_rank(communicator, rank) + ": " + name, std::move(detail),
                              std::move(advice));
    };
    if (shard.type != type)
        refuse("it is of type " + shard.type.text() + ", expected " + type.text() + " on every rank");
    check_count(operation, count, type.size());
    if (count == 0) return;
    if (!shard.memory.is_valid() || shard.memory.handle() == 0)
        refuse("it has no memory, expected room for " + text(count, type));
    const int32_t expected = communicator.device(rank).device_id();
    if (shard.memory.device_id() != expected) {
        refuse("it is memory of device " + std::to_string(shard.memory.device_id()) + ", expected of device " +
                   std::to_string(expected),
               "shards are in the order of the ranks, each in memory of its rank's device");
    }
    if (shard.memory.size() / type.size() < count) {
        refuse("it has " + std::to_string(shard.memory.size()) + " bytes, expected room for " + text(count, type) +
               " (" + std::to_string(count * type.size()) + " bytes)");
    }
    if (shard.memory.handle() % type.alignment() != 0) {
        refuse("its address is not aligned to " + std::to_string(type.alignment()) + " bytes, which " + type.name() +
               " needs");
    }
}

void check_shards(const Communicator& communicator, const char* operation, const char* name, const Type& type,
                  std::span<const Shard> shards, std::optional<uint64_t> count) {
    if (shards.size() != communicator.size()) {
        throw InvalidArgument(operation, name,
                              std::to_string(shards.size()) + " shards are given, expected " +
                                  std::to_string(communicator.size()) + ", one for each rank",
                              "a rank without elements has a shard with a count of 0");
    }
    for (size_t rank = 0; rank < shards.size(); ++rank)
        check_shard(communicator, operation, name, rank, type, shards[rank], count.value_or(shards[rank].count));
}

}  // namespace

std::string describe_rank(const Communicator& communicator, size_t rank) {
    return "rank " + std::to_string(rank) + " (device " + std::to_string(communicator.device(rank).device_id()) + ")";
}

void throw_of_rank(const Error& error, const Communicator& communicator, size_t rank) {
    ErrorInfo info = error.info();
    info.object = describe_rank(communicator, rank) + (info.object.empty() ? "" : ": " + info.object);
    throw_error(std::move(info));
}

void check_shards(const Communicator& communicator, const char* operation, const char* name, const Type& type,
                  std::span<const Shard> shards) {
    check_shards(communicator, operation, name, type, shards, std::nullopt);
}

void check_room(const Communicator& communicator, const char* operation, const char* name, const Type& type,
                std::span<const Shard> shards, uint64_t count) {
    check_shards(communicator, operation, name, type, shards, count);
}

void check_same_counts(const Communicator& communicator, const char* operation, const char* name,
                       std::span<const Shard> shards, const char* other_name, std::span<const Shard> others) {
    for (size_t rank = 0; rank < shards.size(); ++rank) {
        if (shards[rank].count == others[rank].count) continue;
        throw InvalidArgument(operation, describe_rank(communicator, rank) + ": " + name,
                              "it has " + std::to_string(shards[rank].count) + " elements, and the " + other_name +
                                  " have " + std::to_string(others[rank].count));
    }
}

CollectiveCall::~CollectiveCall() {
    if (is_finished_) return;
    // An error is on its way; what a rank says now follows from that.
    try {
        wait();
    } catch (const std::exception&) {}
}

core::BufferRef CollectiveCall::allocate(size_t rank, uint64_t bytes) {
    memory_.push_back(communicator_.device(rank).allocate(bytes, stream(rank)));
    return memory_.back();
}

bool CollectiveCall::can_read_peers() const {
    return communicator_.can_read_peers();
}

void CollectiveCall::wait_for_each_other() const {
    std::vector<core::Event> events(size());
    on_each_rank([&](size_t rank) { events[rank] = stream(rank).record(); });
    on_each_rank([&](size_t rank) {
        for (size_t other = 0; other < size(); ++other) {
            if (other != rank) stream(rank).wait(events[other]);
        }
    });
}

void CollectiveCall::finish() {
    wait();
    is_finished_ = true;
}

std::byte* CollectiveCall::keep(uint64_t bytes) {
    return host_memory_.emplace_back(bytes).data();
}

}  // namespace cuprum::parallel::distributed
