// What bulk copies do beside copying: reductions, and what tensors need.
#pragma once

#include <cstddef>
#include <cstdint>

namespace cuprum::simulator {

enum class BulkReduction : uint8_t { none, add, minimum, maximum, increment, decrement, bit_and, bit_or, bit_xor };
// Bits are as unsigned numbers of their size.
enum class ReducedType : uint8_t { u32, s32, u64, s64, f16, bf16, f32, f64 };

constexpr uint32_t bytes_of(ReducedType type) {
    switch (type) {
        case ReducedType::f16:
        case ReducedType::bf16:
            return 2;
        case ReducedType::u64:
        case ReducedType::s64:
        case ReducedType::f64:
            return 8;
        default:
            return 4;
    }
}

// Whether the operation exists for the type. Source: PTX ISA 9.0, 9.7.9.25.5.2.
constexpr bool reduces(BulkReduction reduction, ReducedType type) {
    const bool floating = type >= ReducedType::f16, half = type == ReducedType::f16 || type == ReducedType::bf16;
    switch (reduction) {
        case BulkReduction::minimum:
        case BulkReduction::maximum:
            return !floating || half;
        case BulkReduction::increment:
        case BulkReduction::decrement:
            return type == ReducedType::u32;
        case BulkReduction::bit_and:
        case BulkReduction::bit_or:
        case BulkReduction::bit_xor:
            return !floating;
        default:
            return true;
    }
}

// Element by element, each in one atomic step: to = to <reduction> from. Both are multiples of the element's size.
void reduce(std::byte* to, const std::byte* from, uint32_t bytes, BulkReduction reduction, ReducedType type);

struct BulkEffect {
    BulkReduction reduction = BulkReduction::none;
    ReducedType type = ReducedType::u32;
    bool flushes = false;   // subnormal floats become zeros of their sign
    bool shortens = false;  // floats are rounded to tf32
    uint64_t fill = 0;      // what lies outside of a tensor: the bits of one element, repeated
};

}  // namespace cuprum::simulator
