// One thread that calls functions of the C ABI with arguments chosen at random: what it chooses from, and what a call
// must have kept to.
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <type_traits>
#include <vector>

#include "cuprum/cuprum.h"

namespace hammer {

// xorshift64*: seeded, and of no standard library's.
class Random {
public:
    explicit Random(uint64_t seed) : state_(seed * 0x9e3779b97f4a7c15 + 1) {}
    uint64_t next() {
        state_ ^= state_ >> 12;
        state_ ^= state_ << 25;
        state_ ^= state_ >> 27;
        return state_ * 0x2545f4914f6cdd1d;
    }
    uint64_t below(uint64_t limit) { return (next() >> 16) % limit; }
    bool one_in(uint64_t number) { return below(number) == 0; }
    template <class T, size_t N>
    const T& pick(const std::array<T, N>& all) {
        return all[below(N)];
    }
    template <class T>
    const T& pick(const std::vector<T>& all) {
        return all[below(all.size())];
    }

private:
    uint64_t state_;
};

enum Kind : int {
    stream,
    event,
    buffer,
    program,
    object_code,
    kernel,
    toolkit,
    parallel_operator,
    parallel_iterator,
    parallel_algorithm,
    linker,
    memory_resource,
    context,
    compile_batch,
    graph_builder,
    graph_definition,
    graph,
    opaque_array,
    mipmapped_array,
    texture_object,
    surface_object,
    system_events,
    communicator,
    distributed_algorithm,
    reduced_shards,
    kind_count
};

cuprum_status destroy(Kind kind, uint64_t handle);

template <class Handle>
Handle as_handle(uint64_t value) {
    return reinterpret_cast<Handle>(static_cast<uintptr_t>(value));
}
template <class Handle>
uint64_t value_of(Handle handle) {
    return reinterpret_cast<uintptr_t>(handle);
}

// The handles of one kind that calls have made, for all threads to use and destroy. Each is in it once, or destroyed.
class Pool {
public:
    // One that is there, or 0. Another thread may destroy it at any time.
    uint64_t look(Random& random) const { return slots_[random.below(slots_.size())].load(std::memory_order_relaxed); }
    uint64_t take(Random& random) { return slots_[random.below(slots_.size())].exchange(0); }
    // Returns the one that had to make room, or 0.
    uint64_t put(Random& random, uint64_t handle) { return slots_[random.below(slots_.size())].exchange(handle); }
    std::vector<uint64_t> take_all();

private:
    std::array<std::atomic<uint64_t>, 48> slots_{};
};

// What all threads share. Everything but the pools is made before they start.
struct Shared {
    std::array<Pool, kind_count> pools;
    std::array<std::vector<uint64_t>, kind_count> lasting;  // handles that nobody destroys before the end
    std::array<std::atomic<uint64_t>, 64> stale{};          // of any kind, destroyed
    std::array<std::atomic<uint64_t>, 16> faults{};

    std::string ptx, saved_builds;
    std::vector<std::string> images;  // of all kinds, whole and damaged
    uint64_t input = 0;               // device memory that is never written: 64 times int32
    cuprum_buffer input_buffer = nullptr;
    std::string multiprocessors;  // resources, one after another
    uint64_t segment_begins = 0, segment_ends = 0;
    uint64_t memory = 0;  // device memory for results: memory_per_thread bytes for each thread
    static constexpr uint64_t memory_per_thread = 64 * 1024;
    std::vector<cuprum_buffer> own_buffers;  // of these bytes, by thread
    std::vector<uint64_t> native_streams;
};

struct Turn {
    Turn(Shared& shared_, uint64_t seed, unsigned thread_) : shared(shared_), random(seed), thread(thread_) {}

    // Forgets the call before.
    void begin() { outputs_.clear(); }

    // Where a function puts a T; NULL now and then. What was there before is remembered.
    template <class T>
    T* output(bool may_be_null = true) {
        if (may_be_null && random.one_in(40)) return nullptr;
        return static_cast<T*>(new_output(sizeof(T), -1, std::is_same_v<T, const char*>));
    }
    template <class Handle>
    Handle* output_handle(Kind kind) {
        if (random.one_in(40)) return nullptr;
        return static_cast<Handle*>(new_output(sizeof(Handle), kind, false));
    }
    // A struct to be filled: its struct_size is right, or anything.
    template <class Struct>
    Struct* output_struct() {
        if (random.one_in(40)) return nullptr;
        auto* const out = static_cast<Struct*>(new_output(sizeof(Struct), -1, false));
        out->struct_size = struct_size(sizeof(Struct), sizeof(Struct));
        std::memcpy(outputs_.back().before.data(), out, sizeof(Struct));
        return out;
    }
    // At most `room`, so that what is filled is there.
    uint32_t struct_size(uint32_t size, uint32_t room) {
        if (!random.one_in(8)) return size;
        return random.one_in(2) ? static_cast<uint32_t>(random.below(room + 1)) : 0xFFFFFFFF;
    }

    // Handles of the kind: mostly live ones, also NULL, destroyed ones, other kinds' and made-up numbers.
    uint64_t handle(Kind kind);
    // One of `lasting[kind]`, by its place, or one as above.
    uint64_t handle(Kind kind, size_t place);
    // To be destroyed: taken out of its pool, or already destroyed, or none. Never a lasting one.
    uint64_t doomed(Kind kind);
    // A number near the handles there are.
    uint64_t bad_handle(Kind kind, bool for_destroying);

    // After a call: puts what it has made into the pools, and says what it has not kept to; empty if all is well.
    // `sets_the_error`: not so the cuprum_error_* functions.
    std::string finish(cuprum_status status, bool sets_the_error);

    // Device memory that this thread alone writes.
    uint64_t own_memory() const { return shared.memory + thread * Shared::memory_per_thread; }

    Shared& shared;
    Random random;
    const unsigned thread;
    // Host memory, which outlives the copies that are under way.
    static constexpr size_t host_size = 64 * 1024;
    alignas(64) std::array<unsigned char, host_size> host{};
    std::array<cuprum_argument, 8> arguments{};
    std::array<const char*, 8> texts{};

private:
    struct Output {
        size_t place, size;
        int kind;  // of a handle; -1: no handle
        bool is_text;
        std::array<unsigned char, 128> before;
    };
    void* new_output(size_t size, int kind, bool is_text);

    std::vector<Output> outputs_;
    alignas(64) std::array<unsigned char, 1024> memory_{};
};

// One function of capi/symbols.txt.
struct Function {
    const char* name;
    unsigned weight;  // how often it is called, next to the others; 0: the row says why not
    cuprum_status (*call)(Turn&);
    // What the calls with nothing wrong about them return: of what the simulated device does not have, UNSUPPORTED.
    cuprum_status best = CUPRUM_SUCCESS;
};
const std::vector<Function>& functions();

}  // namespace hammer
