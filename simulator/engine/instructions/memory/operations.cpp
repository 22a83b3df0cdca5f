// Loads and stores. Source: PTX ISA 9.0, 9.7.9.8 to 9.7.9.12.
//
// operand[0..3] are the data registers (as many as the vector has), operand[4] the address register, `immediate` the
// offset. Two families: the fast one for global and shared memory looks at the whole warp's addresses at once; the
// general one goes lane by lane through any space and makes each access a single copy, as volatile and ordered accesses
// need it.
#include "engine/instructions/memory/addressing.hpp"

namespace cuprum::simulator::CUPRUM_BACKEND {
namespace {

enum class Pattern : uint8_t { none, contiguous, same };

template <class A>
inline __attribute__((always_inline)) bool are_zero(const A* words) {
#if defined(__AVX512F__)
    __m512i bits = _mm512_load_si512(words);
    if constexpr (sizeof(A) == 8) bits = _mm512_or_si512(bits, _mm512_load_si512(words + 8));
    return _mm512_test_epi32_mask(bits, bits) == 0;
#elif defined(__AVX2__)
    const auto* const parts = reinterpret_cast<const __m256i*>(words);
    __m256i bits = _mm256_or_si256(parts[0], parts[1]);
    if constexpr (sizeof(A) == 8) bits = _mm256_or_si256(bits, _mm256_or_si256(parts[2], parts[3]));
    return _mm256_testz_si256(bits, bits) != 0;
#else
    A bits = 0;
    for (unsigned k = 0; k < 16; ++k)
        bits |= words[k];
    return bits == 0;
#endif
}

// Whether each half of the warp reads consecutive elements, or one and the same. Halves, because blocks 16 wide are
// common.
template <class A, uint32_t Bytes>
inline __attribute__((always_inline)) Pattern pattern_of(const A* address) {
    const A first = address[0], second = address[16];
    alignas(64) A differences[16];
    for (unsigned lane = 0; lane < 16; ++lane) {
        const A expected = A{lane} * Bytes;
        differences[lane] = ((address[lane] - first) ^ expected) | ((address[lane + 16] - second) ^ expected);
    }
    if (are_zero(differences)) return Pattern::contiguous;
    for (unsigned lane = 0; lane < 16; ++lane)
        differences[lane] = (address[lane] - first) | (address[lane + 16] - second);
    return are_zero(differences) ? Pattern::same : Pattern::none;
}

// The pointer to a span that starts at a lane's address, or null if lanes must be resolved one by one.
template <AddressSpace Space, Access Kind>
inline __attribute__((always_inline)) std::byte* span(Warp& warp, const Instruction* at, uint64_t address,
                                                      uint64_t length, uint32_t bytes) {
    if ((address & (bytes - 1)) != 0) return nullptr;
    if constexpr (Space == AddressSpace::shared) {
        if (address > warp.shared_bytes || warp.shared_bytes - address < length) return nullptr;
        return warp.shared + address;
    } else {
        const RangeCache& range = warp.ranges[at->cache];
        if (covers(range, address, length)) return host(address, range.host_offset);
        return resolve_span(warp, at, address, length, Kind);
    }
}

template <AddressSpace Space, Access Kind>
inline __attribute__((always_inline)) std::byte* pointer(Warp& warp, const Instruction* at, unsigned lane,
                                                         uint64_t address, uint32_t bytes) {
    if constexpr (Space == AddressSpace::shared)
        return shared_pointer<Kind>(warp, at, lane, address, bytes);
    else
        return global_pointer<Kind>(warp, at, lane, address, bytes);
}

// A lane's address with the instruction's offset: of 32 bits (in shared memory), the sum is one of 32 bits too.
template <class A>
inline __attribute__((always_inline)) A place_of(const Instruction* at, A address) {
    return address + static_cast<A>(at->immediate);
}

// Where an instruction's accesses need no further check: those that begin less than `limit` after `begin`, and are
// aligned. There `base` plus the place is the host's.
struct Window {
    uint64_t begin = 0, limit = 0, base = 0;
};

// The block's shared memory, or the range that the instruction last touched.
template <AddressSpace Space, uint32_t Bytes>
inline __attribute__((always_inline)) Window window_of(const Warp& warp, const Instruction* at) {
    uint64_t begin = 0, size = warp.shared_bytes, base = reinterpret_cast<uint64_t>(warp.shared);
    if constexpr (Space != AddressSpace::shared) {
        const RangeCache& range = warp.ranges[at->cache];
        begin = range.begin;
        size = range.end - range.begin;
        base = static_cast<uint64_t>(range.host_offset);
    }
    // A range that was never touched is empty, and ends before it begins.
    const bool is_empty = size < Bytes || (Space != AddressSpace::shared && size >> 63 != 0);
    return {begin, is_empty ? 0 : size - Bytes + 1, base};
}

// Whether the accesses of all 32 lanes lie there.
template <uint32_t Bytes, class A>
inline __attribute__((always_inline)) bool holds_all(const Window& window, const Instruction* at, const A* address) {
    // A distance outside [0, last] has its own sign bit set, or that of last - distance: any has if the limit is 0.
    const uint64_t last = window.limit - 1;
    uint64_t outside = 0, bits = 0;
    for (unsigned lane = 0; lane < lanes_per_warp; ++lane) {
        const uint64_t place = place_of(at, address[lane]);
        const uint64_t distance = place - window.begin;
        outside |= distance | (last - distance);
        bits |= place;
    }
    return outside >> 63 == 0 && (bits & (Bytes - 1)) == 0;
}

// visit(lane, the host's pointer) for each running lane.
template <AddressSpace Space, Access Kind, uint32_t Bytes, class A, class Visit>
inline __attribute__((always_inline)) void for_each_access(Warp& warp, const Instruction* at, const A* address,
                                                           Visit&& visit) {
    Window window = window_of<Space, Bytes>(warp, at);
    const A offset = static_cast<A>(at->immediate);
    for_each_lane(warp.active, [&](unsigned lane) {
        const uint64_t place = static_cast<A>(address[lane] + offset);
        if (place - window.begin < window.limit && (place & (Bytes - 1)) == 0) {
            visit(lane, reinterpret_cast<std::byte*>(window.base + place));
            return;
        }
        std::byte* const found = pointer<Space, Kind>(warp, at, lane, place, Bytes);
        window = window_of<Space, Bytes>(warp, at);
        visit(lane, found);
    });
}

// T: in memory; R: in the register. Of 32 lanes whose addresses form no pattern; out of line, so that the usual case
// needs no stack.
template <AddressSpace Space, class A, class T, class R, uint32_t N>
__attribute__((noinline)) const Instruction* load_scattered(Warp& warp, const Instruction* at) {
    constexpr uint32_t bytes = sizeof(T) * N;
    const A* const address = warp.row<const A>(at->operand[4]);
    R* target[N];
    for (uint32_t n = 0; n < N; ++n)
        target[n] = warp.row<R>(at->operand[n]);
    if (const Window window = window_of<Space, bytes>(warp, at); holds_all<bytes>(window, at, address)) {
        T values[lanes_per_warp][N];
        for (unsigned lane = 0; lane < lanes_per_warp; ++lane)
            std::memcpy(values[lane], reinterpret_cast<const std::byte*>(window.base + place_of(at, address[lane])),
                        bytes);
        for (uint32_t n = 0; n < N; ++n) {
            for (unsigned lane = 0; lane < lanes_per_warp; ++lane)
                target[n][lane] = static_cast<R>(values[lane][n]);
        }
        return at + 1;
    }
    for_each_access<Space, Access::read, bytes>(warp, at, address, [&](unsigned lane, const std::byte* from) {
        const T* const source = reinterpret_cast<const T*>(from);
        for (uint32_t n = 0; n < N; ++n)
            target[n][lane] = static_cast<R>(source[n]);
    });
    return at + 1;
}

template <bool Partial, AddressSpace Space, class A, class T, class R, uint32_t N>
const Instruction* load(Warp& warp, const Instruction* at) {
    constexpr uint32_t bytes = sizeof(T) * N;
    const A* const address = warp.row<const A>(at->operand[4]);
    R* target[N];
    for (uint32_t n = 0; n < N; ++n)
        target[n] = warp.row<R>(at->operand[n]);
    if constexpr (Partial) {
        for_each_access<Space, Access::read, bytes>(warp, at, address, [&](unsigned lane, const std::byte* from) {
            const T* const source = reinterpret_cast<const T*>(from);
            for (uint32_t n = 0; n < N; ++n)
                target[n][lane] = static_cast<R>(source[n]);
        });
        return at + 1;
    }
    if (warp.active != ~0u) return load<true, Space, A, T, R, N>(warp, at);
    const Pattern pattern = pattern_of<A, bytes>(address);
    if (pattern == Pattern::none) return load_scattered<Space, A, T, R, N>(warp, at);
    const uint64_t length = pattern == Pattern::contiguous ? 16 * bytes : bytes;
    const std::byte* const low = span<Space, Access::read>(warp, at, place_of(at, address[0]), length, bytes);
    const std::byte* const high = span<Space, Access::read>(warp, at, place_of(at, address[16]), length, bytes);
    if (low == nullptr || high == nullptr) return load_scattered<Space, A, T, R, N>(warp, at);
    const T* const a = reinterpret_cast<const T*>(low);
    const T* const b = reinterpret_cast<const T*>(high);
    if (pattern == Pattern::contiguous) {
        // The whole is read before anything is written: a target may be the address register.
        T values[2][16 * N];
        std::memcpy(values[0], a, sizeof(values[0]));
        std::memcpy(values[1], b, sizeof(values[1]));
        for (uint32_t n = 0; n < N; ++n) {
#pragma GCC ivdep
            for (unsigned lane = 0; lane < 16; ++lane) {
                target[n][lane] = static_cast<R>(values[0][lane * N + n]);
                target[n][lane + 16] = static_cast<R>(values[1][lane * N + n]);
            }
        }
    } else {
        for (uint32_t n = 0; n < N; ++n) {
            const R one = static_cast<R>(a[n]), two = static_cast<R>(b[n]);
            for (unsigned lane = 0; lane < 16; ++lane) {
                target[n][lane] = one;
                target[n][lane + 16] = two;
            }
        }
    }
    return at + 1;
}

template <AddressSpace Space, class A, class T, class R, uint32_t N>
__attribute__((noinline)) const Instruction* store_scattered(Warp& warp, const Instruction* at) {
    constexpr uint32_t bytes = sizeof(T) * N;
    const A* const address = warp.row<const A>(at->operand[4]);
    const R* source[N];
    for (uint32_t n = 0; n < N; ++n)
        source[n] = warp.row<const R>(at->operand[n]);
    if (const Window window = window_of<Space, bytes>(warp, at); holds_all<bytes>(window, at, address)) {
        for (unsigned lane = 0; lane < lanes_per_warp; ++lane) {
            T* const target = reinterpret_cast<T*>(window.base + place_of(at, address[lane]));
            for (uint32_t n = 0; n < N; ++n)
                target[n] = static_cast<T>(source[n][lane]);
        }
        return at + 1;
    }
    for_each_access<Space, Access::write, bytes>(warp, at, address, [&](unsigned lane, std::byte* to) {
        T* const target = reinterpret_cast<T*>(to);
        for (uint32_t n = 0; n < N; ++n)
            target[n] = static_cast<T>(source[n][lane]);
    });
    return at + 1;
}

template <bool Partial, AddressSpace Space, class A, class T, class R, uint32_t N>
const Instruction* store(Warp& warp, const Instruction* at) {
    constexpr uint32_t bytes = sizeof(T) * N;
    const A* const address = warp.row<const A>(at->operand[4]);
    const R* source[N];
    for (uint32_t n = 0; n < N; ++n)
        source[n] = warp.row<const R>(at->operand[n]);
    if constexpr (Partial) {
        for_each_access<Space, Access::write, bytes>(warp, at, address, [&](unsigned lane, std::byte* to) {
            T* const target = reinterpret_cast<T*>(to);
            for (uint32_t n = 0; n < N; ++n)
                target[n] = static_cast<T>(source[n][lane]);
        });
        return at + 1;
    }
    if (warp.active != ~0u) return store<true, Space, A, T, R, N>(warp, at);
    if (pattern_of<A, bytes>(address) != Pattern::contiguous) return store_scattered<Space, A, T, R, N>(warp, at);
    std::byte* const low = span<Space, Access::write>(warp, at, place_of(at, address[0]), 16 * bytes, bytes);
    std::byte* const high = span<Space, Access::write>(warp, at, place_of(at, address[16]), 16 * bytes, bytes);
    if (low == nullptr || high == nullptr) return store_scattered<Space, A, T, R, N>(warp, at);
    T* const a = reinterpret_cast<T*>(low);
    T* const b = reinterpret_cast<T*>(high);
    for (uint32_t n = 0; n < N; ++n) {
#pragma GCC ivdep
        for (unsigned lane = 0; lane < 16; ++lane)
            a[lane * N + n] = static_cast<T>(source[n][lane]);
#pragma GCC ivdep
        for (unsigned lane = 0; lane < 16; ++lane)
            b[lane * N + n] = static_cast<T>(source[n][lane + 16]);
    }
    return at + 1;
}

// --- one lane after the other, each access a single copy ---

__extension__ typedef unsigned __int128 Wide;

template <class T>
inline T single_load(const std::byte* from) {
    return __atomic_load_n(reinterpret_cast<const T*>(from), __ATOMIC_RELAXED);
}
template <class T>
inline void single_store(std::byte* to, T value) {
    __atomic_store_n(reinterpret_cast<T*>(to), value, __ATOMIC_RELAXED);
}

// 16 aligned bytes at once: look-back algorithms publish a status and a value in one access. Processors with AVX
// guarantee that an aligned 16-byte move is atomic (Intel SDM 8.1.1, AMD APM 7.3.2).
inline void single_copy(std::byte* to, const std::byte* from, uint32_t bytes, bool storing) {
    switch (bytes) {
        case 1:
            if (storing)
                single_store(to, *reinterpret_cast<const uint8_t*>(from));
            else
                *reinterpret_cast<uint8_t*>(to) = single_load<uint8_t>(from);
            return;
        case 2:
            if (storing)
                single_store(to, *reinterpret_cast<const uint16_t*>(from));
            else
                *reinterpret_cast<uint16_t*>(to) = single_load<uint16_t>(from);
            return;
        case 4:
            if (storing)
                single_store(to, *reinterpret_cast<const uint32_t*>(from));
            else
                *reinterpret_cast<uint32_t*>(to) = single_load<uint32_t>(from);
            return;
        case 8:
            if (storing)
                single_store(to, *reinterpret_cast<const uint64_t*>(from));
            else
                *reinterpret_cast<uint64_t*>(to) = single_load<uint64_t>(from);
            return;
        default:
#if defined(__SSE2__)
            if (bytes == 16) {
                const __m128i value = _mm_load_si128(reinterpret_cast<const __m128i*>(from));
                _mm_store_si128(reinterpret_cast<__m128i*>(to), value);
                __asm__ __volatile__("" ::: "memory");
                return;
            }
#endif
            std::memcpy(to, from, bytes);
            return;
    }
}

template <class T, class R>
const Instruction* load_any(Warp& warp, const Instruction* at) {
    const uint32_t count = at->aux >> memory_aux::vector_shift & 15;
    const auto bytes = static_cast<uint32_t>(count * sizeof(T));
    for_each_lane(warp.active, [&](unsigned lane) {
        const uint64_t address = lane_address(warp, at, lane, at->operand[4]);
        const std::byte* const from = any_pointer<Access::read>(warp, at, lane, address, bytes);
        alignas(16) std::byte buffer[32];
        single_copy(buffer, from, bytes, false);
        for (uint32_t n = 0; n < count; ++n) {
            warp.row<R>(at->operand[n])[lane] = static_cast<R>(reinterpret_cast<const T*>(buffer)[n]);
        }
    });
    if ((at->aux & memory_aux::fence_after) != 0) __atomic_thread_fence(__ATOMIC_ACQUIRE);
    warp.budget -= 16;  // a spinning reader gives way sooner
    return at + 1;
}

template <class T, class R>
const Instruction* store_any(Warp& warp, const Instruction* at) {
    const uint32_t count = at->aux >> memory_aux::vector_shift & 15;
    const auto bytes = static_cast<uint32_t>(count * sizeof(T));
    if ((at->aux & memory_aux::fence_before) != 0) __atomic_thread_fence(__ATOMIC_RELEASE);
    for_each_lane(warp.active, [&](unsigned lane) {
        const uint64_t address = lane_address(warp, at, lane, at->operand[4]);
        std::byte* const to = any_pointer<Access::write>(warp, at, lane, address, bytes);
        alignas(16) std::byte buffer[32];
        for (uint32_t n = 0; n < count; ++n) {
            reinterpret_cast<T*>(buffer)[n] = static_cast<T>(warp.row<R>(at->operand[n])[lane]);
        }
        single_copy(to, buffer, bytes, true);
    });
    return at + 1;
}

// --- selection ---

template <bool Load, AddressSpace Space, class A, class T, class R, uint32_t N>
Handlers fast() {
    if constexpr (Load)
        return {{&load<false, Space, A, T, R, N>, &load<true, Space, A, T, R, N>}};
    else
        return {{&store<false, Space, A, T, R, N>, &store<true, Space, A, T, R, N>}};
}

template <bool Load, class T, class R>
Handlers by_space(uint32_t count, AddressSpace space, bool narrow, bool general) {
    if (general || (space != AddressSpace::global && space != AddressSpace::shared)) {
        if constexpr (Load)
            return both(&load_any<T, R>);
        else
            return both(&store_any<T, R>);
    }
    using enum AddressSpace;
    if (space == global) {
        switch (count) {
            case 1:
                return fast<Load, global, uint64_t, T, R, 1>();
            case 2:
                return fast<Load, global, uint64_t, T, R, 2>();
            default:
                return fast<Load, global, uint64_t, T, R, 4>();
        }
    }
    if (narrow) {
        switch (count) {
            case 1:
                return fast<Load, shared, uint32_t, T, R, 1>();
            case 2:
                return fast<Load, shared, uint32_t, T, R, 2>();
            default:
                return fast<Load, shared, uint32_t, T, R, 4>();
        }
    }
    switch (count) {
        case 1:
            return fast<Load, shared, uint64_t, T, R, 1>();
        case 2:
            return fast<Load, shared, uint64_t, T, R, 2>();
        default:
            return fast<Load, shared, uint64_t, T, R, 4>();
    }
}

template <class T>
Handlers load_into(uint32_t register_size, uint32_t count, AddressSpace space, bool narrow, bool general) {
    // Sign extension goes through the signed type of the register's width.
    if (register_size == 8) {
        using R = std::conditional_t<std::is_signed_v<T>, int64_t, uint64_t>;
        return by_space<true, T, R>(count, space, narrow, general);
    }
    if constexpr (sizeof(T) <= 4) {
        using R = std::conditional_t<std::is_signed_v<T>, int32_t, uint32_t>;
        return by_space<true, T, R>(count, space, narrow, general);
    }
    return {};
}

template <class T>
Handlers store_from(uint32_t register_size, uint32_t count, AddressSpace space, bool narrow, bool general) {
    if (register_size == 8) return by_space<false, T, uint64_t>(count, space, narrow, general);
    if constexpr (sizeof(T) <= 4) return by_space<false, T, uint32_t>(count, space, narrow, general);
    return {};
}

Handlers select_memory(Form& form) {
    const bool loading = form.opcode == Opcode::ld || form.opcode == Opcode::ldu;
    if (!loading && form.opcode != Opcode::st) return {};
    AddressSpace space = AddressSpace::global;
    if (form.take(Modifier::shared) || form.take(Modifier::shared_cta)) space = AddressSpace::shared;
    if (form.take(Modifier::local)) space = AddressSpace::local;
    if (form.take(Modifier::param) || form.take(Modifier::param_entry)) space = AddressSpace::parameter;
    if (form.take(Modifier::param_func)) space = AddressSpace::function_parameter;
    form.take(Modifier::global);
    form.take(Modifier::constant);
    const bool of_cluster = form.take(Modifier::shared_cluster);
    uint32_t count = 1;
    if (form.take(Modifier::v2)) count = 2;
    if (form.take(Modifier::v4)) count = 4;
    bool general = of_cluster;
    for (const Modifier ordered :
         {Modifier::volatile_, Modifier::relaxed, Modifier::acquire, Modifier::release, Modifier::mmio}) {
        general |= form.take(ordered);
    }
    // Caching, scopes and non-coherence ask for no more than every access here gives.
    for (const Modifier hint :
         {Modifier::weak, Modifier::nc, Modifier::ca, Modifier::cg, Modifier::cs, Modifier::lu, Modifier::cv,
          Modifier::wb, Modifier::wt, Modifier::cta, Modifier::gpu, Modifier::sys, Modifier::cluster,
          Modifier::cache_hint, Modifier::eviction, Modifier::prefetch_size, Modifier::unified}) {
        form.take(hint);
    }
    const bool narrow = form.address_bytes == 4;
    const ScalarType type = form.take_type();
    if (type == ScalarType::b128) {
        if (count != 1 || form.data_bytes != 16) return {};
        return loading ? both(&load_any<Wide, Wide>) : both(&store_any<Wide, Wide>);
    }
    if (narrow && space == AddressSpace::global && !of_cluster) return {};
    const uint32_t width = form.data_bytes;
    if (loading) {
        switch (type) {
            case ScalarType::b8:
            case ScalarType::u8:
                return load_into<uint8_t>(width, count, space, narrow, general);
            case ScalarType::s8:
                return load_into<int8_t>(width, count, space, narrow, general);
            case ScalarType::b16:
            case ScalarType::u16:
            case ScalarType::f16:
            case ScalarType::bf16:
                return load_into<uint16_t>(width, count, space, narrow, general);
            case ScalarType::s16:
                return load_into<int16_t>(width, count, space, narrow, general);
            case ScalarType::s32:
                if (width == 8) return load_into<int32_t>(width, count, space, narrow, general);
                return load_into<uint32_t>(width, count, space, narrow, general);
            case ScalarType::b32:
            case ScalarType::u32:
            case ScalarType::f32:
            case ScalarType::f16x2:
            case ScalarType::bf16x2:
                return load_into<uint32_t>(width, count, space, narrow, general);
            case ScalarType::b64:
            case ScalarType::u64:
            case ScalarType::s64:
            case ScalarType::f64:
                return load_into<uint64_t>(width, count, space, narrow, general);
            default:
                return {};
        }
    }
    switch (ptx::size_of(type)) {
        case 1:
            return type == ScalarType::pred ? Handlers{} : store_from<uint8_t>(width, count, space, narrow, general);
        case 2:
            return store_from<uint16_t>(width, count, space, narrow, general);
        case 4:
            return store_from<uint32_t>(width, count, space, narrow, general);
        case 8:
            return store_from<uint64_t>(width, count, space, narrow, general);
        default:
            return {};
    }
}

}  // namespace

template <>
Operations operations<Family::memory>() {
    return {.of_form = &select_memory};
}

}  // namespace cuprum::simulator::CUPRUM_BACKEND
