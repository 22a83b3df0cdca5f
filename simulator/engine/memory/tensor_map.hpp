// Tensor maps: what the 128 bytes of a CUtensorMap say on a simulated device.
//
// The driver encodes them (driver/images/tensor_map.hpp), a program passes them to kernels as parameters or in memory,
// and cp.async.bulk.tensor reads them. A real device's layout is secret, so this one is the simulator's own. Source:
// CUDA driver API, "Tensor Map Object Management"; PTX ISA 9.0, 5.5 and 9.7.9.25.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

namespace cuprum::simulator {

// How a box of elements is found in the tensor.
enum class TensorMapMode : uint8_t { tiled, im2col, im2col_wide, im2col_wide_128 };

// What an element is, numbered as CUtensorMapDataType is.
enum class TensorElement : uint8_t {
    u8,
    u16,
    u32,
    s32,
    u64,
    s64,
    f16,
    f32,
    f64,
    bf16,
    f32_flushed,  // subnormal numbers become zero
    tf32,
    tf32_flushed,
    packed_u4_align8,   // 16 numbers of 4 bits in 8 bytes
    packed_u4_align16,  // the same, in shared memory with 8 bytes of padding behind each 8
    packed_u6_align16,  // 16 numbers of 6 bits in 12 bytes, in shared memory with 4 bytes of padding behind
    count
};

constexpr uint32_t bits_of(TensorElement element) {
    constexpr std::array<uint8_t, static_cast<size_t>(TensorElement::count)> bits{8,  16, 32, 32, 64, 64, 16, 32,
                                                                                  64, 16, 32, 32, 32, 4,  4,  6};
    return bits[static_cast<size_t>(element)];
}

constexpr bool is_floating(TensorElement element) {
    return element >= TensorElement::f16 && element <= TensorElement::tf32_flushed;
}

// Numbered as CUtensorMapInterleave, CUtensorMapSwizzle and CUtensorMapFloatOOBfill are.
enum class TensorInterleave : uint8_t { none, bytes_16, bytes_32, count };
enum class TensorSwizzle : uint8_t {
    none,
    bytes_32,  // chunks of 16 bytes within 32, 64 and 128
    bytes_64,
    bytes_128,
    bytes_128_atom_32,         // chunks of 32 bytes within 128
    bytes_128_atom_32_flip_8,  // the same, and the halves of each 16 bytes change places in every other row
    bytes_128_atom_64,
    count
};
enum class TensorFill : uint8_t { zero, nan, count };  // of elements outside the tensor
// The NaN that fills them, repeated in wider elements; fma.oob knows it. NVIDIA documents no value.
inline constexpr uint16_t out_of_bounds_nan = 0x7ff7;

// The span within which a pattern moves chunks, in bytes; 0 without a pattern.
constexpr uint32_t span_of(TensorSwizzle swizzle) {
    switch (swizzle) {
        case TensorSwizzle::none:
            return 0;
        case TensorSwizzle::bytes_32:
            return 32;
        case TensorSwizzle::bytes_64:
            return 64;
        default:
            return 128;
    }
}

// Dimensions are numbered from the innermost, 0; in the im2col modes they are C, W, H, D, N without those that the rank
// has no room for (rank 3: C, W, N).
struct alignas(8) TensorMap {
    static constexpr uint32_t max_rank = 5;
    static constexpr uint64_t valid_mark = 0x70616D726F736E74;  // "tnsormap"

    uint64_t mark = valid_mark;  // else it is no tensor map
    TensorMapMode mode = TensorMapMode::tiled;
    uint8_t rank = 1;
    TensorElement element = TensorElement::u8;
    TensorInterleave interleave = TensorInterleave::none;
    TensorSwizzle swizzle = TensorSwizzle::none;
    TensorFill fill = TensorFill::zero;
    uint8_t l2_promotion = 0;  // CUtensorMapL2promotion; changes no result
    uint8_t unused = 0;
    uint64_t address = 0;
    std::array<uint64_t, max_rank> size{};        // in elements, 1 to 2^32
    std::array<uint64_t, max_rank - 1> stride{};  // in bytes, from element to element of dimension i + 1
    // Tiled only: how many elements the box spans, 1 to 256; ceil(box / element_stride) of them are moved.
    std::array<uint16_t, max_rank> box{};
    // im2col only: offsets of the pixels' bounding box from the tensor's corners, those of W, H, D in this order, as
    // many as the rank has; the wide modes have W's only.
    std::array<int16_t, 3> lower_corner{};
    std::array<int16_t, 3> upper_corner{};
    uint16_t channels = 0;  // im2col only: elements of a pixel (C), 1 to 256
    uint16_t pixels = 0;    // im2col only: pixels of a column, 1 to 1024; not in im2col_wide_128
    // 1 to 8. That of dimension 0 means nothing unless the tensor is interleaved.
    std::array<uint8_t, max_rank> element_stride{};
    uint8_t unused_end = 0;

    bool valid() const {
        return mark == valid_mark && mode <= TensorMapMode::im2col_wide_128 && rank >= 1 && rank <= max_rank &&
               element < TensorElement::count && interleave < TensorInterleave::count &&
               swizzle < TensorSwizzle::count && fill < TensorFill::count;
    }
};

static_assert(sizeof(TensorMap) == 128);
static_assert(offsetof(TensorMap, address) == 16);

}  // namespace cuprum::simulator
