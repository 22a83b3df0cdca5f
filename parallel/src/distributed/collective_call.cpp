#include "collective_call.hpp"

#include <algorithm>
#include <array>
#include <exception>
#include <optional>
#include <utility>

#include "../call.hpp"
#include "../text_hash.hpp"
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
    if (shards.size() != communicator.local_size()) {
        throw InvalidArgument(operation, name,
                              std::to_string(shards.size()) + " shards are given, expected " +
                                  std::to_string(communicator.local_size()) + ", one for each rank" +
                                  (communicator.local_size() == communicator.size() ? "" : " of this process"),
                              "a rank without elements has a shard with a count of 0");
    }
    for (size_t i = 0; i < shards.size(); ++i) {
        check_shard(communicator, operation, name, communicator.first_local_rank() + i, type, shards[i],
                    count.value_or(shards[i].count));
    }
}

}  // namespace

std::string describe_rank(const Communicator& communicator, size_t rank) {
    if (!communicator.is_local(rank)) return "rank " + std::to_string(rank) + " (another process)";
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
    for (size_t i = 0; i < shards.size(); ++i) {
        if (shards[i].count == others[i].count) continue;
        throw InvalidArgument(operation, describe_rank(communicator, communicator.first_local_rank() + i) + ": " + name,
                              "it has " + std::to_string(shards[i].count) + " elements, and the " + other_name +
                                  " have " + std::to_string(others[i].count));
    }
}

void check_initial_value(const char* operation, const Value* init, const Type& accumulator, const char* algorithm) {
    if (init == nullptr || init->type() == accumulator) return;
    throw InvalidArgument(
        operation, "initial value",
        "it is of type " + init->type().text() + ", the " + algorithm + " was built for " + accumulator.text());
}

Digest& Digest::add_text(std::string_view text) {
    add(text.size());
    number_ = text_hash(text, number_);
    return *this;
}

// Its bytes, the lowest first: processors here are little-endian.
Digest& Digest::add(uint64_t number) {
    number_ = text_hash(std::string_view(reinterpret_cast<const char*>(&number), sizeof(number)), number_);
    return *this;
}

Digest& Digest::add(const Value& value) {
    return add(value.type()).add_text(std::string_view(reinterpret_cast<const char*>(value.data()), value.size()));
}

Digest& Digest::add(const Operator& op) {
    add_text(op.text()).add_text(op.expression());
    return op.state() ? add(*op.state()) : *this;
}

AllShards agree(const Communicator& communicator, const char* operation, const Digest& digest,
                std::initializer_list<std::span<const Shard>> shards, const std::function<void()>& check) {
    AllShards all;
    if (communicator.local_size() == communicator.size()) {
        check();
        for (const std::span<const Shard> each : shards)
            all.emplace_back(each.begin(), each.end());
        return all;
    }
    struct Word {
        uint64_t digest, is_refused;
        std::array<uint64_t, 4> counts;
    };
    std::vector<Word> words(communicator.size());
    std::exception_ptr refusal;
    try {
        check();
    } catch (const Error&) {
        refusal = std::current_exception();
    }
    const size_t first = communicator.first_local_rank();
    for (size_t i = 0; i < communicator.local_size(); ++i) {
        Word& word = words[first + i];
        word = {digest.number(), refusal != nullptr ? uint64_t{1} : uint64_t{0}, {}};
        if (refusal != nullptr) continue;
        size_t which = 0;
        for (const std::span<const Shard> each : shards)
            word.counts.at(which++) = each.empty() ? 0 : each[i].count;
    }
    CollectiveCall call(communicator);
    call.gather(words, 1);
    call.finish();
    if (refusal != nullptr) std::rethrow_exception(refusal);
    for (size_t rank = 0; rank < words.size(); ++rank) {
        if (words[rank].is_refused != 0) {
            throw InvalidState(operation, describe_rank(communicator, rank), "it has refused its arguments",
                               "see the error of that process");
        }
        if (words[rank].digest != digest.number()) {
            throw InvalidArgument(operation, describe_rank(communicator, rank),
                                  "it does not agree with " + describe_rank(communicator, first) +
                                      " about the algorithm, its types, its operator or other values",
                                  "all processes make the same calls in one order");
        }
    }
    size_t which = 0;
    for (const std::span<const Shard> each : shards) {
        std::vector<Shard>& of_all = all.emplace_back();
        for (size_t rank = 0; rank < words.size() && !each.empty(); ++rank) {
            if (communicator.is_local(rank)) {
                of_all.push_back(each[rank - first]);
            } else {
                of_all.push_back({each.front().type, {}, words[rank].counts.at(which)});
            }
        }
        ++which;
    }
    return all;
}

CollectiveCall::~CollectiveCall() {
    if (!is_finished_) stop_work();
    if (has_kept_memory_) communicator_.return_kept_memory();
}

// An error is on its way; what a rank says now follows from that. Other processes do not know of it, and wait for what
// this one will not send.
void CollectiveCall::stop_work() noexcept {
    communicator_.sync_copy_streams();
    try {
        if (communicator_.local_size() < size()) communicator_.abort();
        wait();
    } catch (const std::exception&) {}
}

core::BufferRef CollectiveCall::allocate(size_t rank, uint64_t bytes) {
    if (has_kept_memory_) {
        const core::BufferRef kept = communicator_.kept_memory(rank);
        uint64_t& used = kept_used_[rank - first_local_rank()];
        if (bytes <= kept.size() - used) {
            const core::BufferRef memory = kept.slice(used, bytes);
            used = std::min(kept.size(), align_up(used + bytes, 256));
            return memory;
        }
    }
    memory_.push_back(communicator_.device(rank).allocate(bytes, stream(rank)));
    return memory_.back();
}

bool CollectiveCall::can_read_peers() const {
    return communicator_.can_read_peers();
}

void CollectiveCall::wait_for_each_other() const {
    std::vector<core::Event> made(has_kept_memory_ ? 0 : size());
    std::vector<core::EventRef> events(size());
    on_each_rank([&](size_t rank) {
        if (has_kept_memory_) {
            events[rank] = communicator_.kept_event(rank);
            stream(rank).record(events[rank]);
        } else {
            made[rank] = stream(rank).record();
            events[rank] = made[rank];
        }
    });
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
