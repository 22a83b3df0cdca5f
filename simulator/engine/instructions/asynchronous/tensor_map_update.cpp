// tensormap.replace and tensormap.cp_fenceproxy. Source: PTX ISA 9.0, 9.7.9.28 and 9.7.13.13.
#include <array>
#include <cstring>

#include "engine/checks/text.hpp"
#include "engine/instructions/asynchronous/pending.hpp"
#include "engine/instructions/asynchronous/tensor_map_aux.hpp"
#include "engine/memory/tensor_map.hpp"

namespace cuprum::simulator {
namespace {

using namespace tensor_map_aux;

// What the instruction calls .elemtype, by its numbers.
constexpr std::array elements = {TensorElement::u8,          TensorElement::u16,  TensorElement::u32,
                                 TensorElement::s32,         TensorElement::u64,  TensorElement::s64,
                                 TensorElement::f16,         TensorElement::f32,  TensorElement::f32_flushed,
                                 TensorElement::f64,         TensorElement::bf16, TensorElement::tf32,
                                 TensorElement::tf32_flushed};

void replace(Warp& warp, const Instruction* at, unsigned lane) {
    const uint64_t address = address_of_copy(warp, at, 0, lane);
    std::byte* const place = resolve_aligned(warp, at, lane, address, sizeof(TensorMap), 64, Access::write);
    TensorMap map;
    std::memcpy(&map, place, sizeof(map));
    const auto fault = [&](const std::string& what) {
        fault_at(warp, at, lane, Fault::Kind::illegal_instruction, what.c_str());
    };
    if (!map.valid() || map.mode != TensorMapMode::tiled)
        fault("replaced a field of a tensor map of tiles at " + hexadecimal(address) + " where there is none");
    const auto field = static_cast<Field>(at->aux >> field_shift & 15);
    const bool wide = field == global_address || field == global_stride;
    const uint64_t value = wide ? warp.row<uint64_t>(at->operand[3])[lane] : warp.row<uint32_t>(at->operand[3])[lane];
    const auto ordinal = static_cast<uint32_t>(at->immediate);
    const auto require = [&](bool valid, const char* name) {
        if (!valid) fault("replaced " + std::string(name) + " of a tensor map by " + std::to_string(value));
    };
    switch (field) {
        case global_address:
            require(value % 16 == 0, "the address");
            map.address = value;
            break;
        case rank:  // one less is given
            require(value < TensorMap::max_rank, "the rank");
            map.rank = static_cast<uint8_t>(value + 1);
            break;
        case box_dim:
            require(value >= 1 && value <= 256, "a size of the box");
            map.box[ordinal] = static_cast<uint16_t>(value);
            break;
        case global_dim:
            require(value >= 1, "a size");
            map.size[ordinal] = value;
            break;
        case global_stride:
            require(value % 16 == 0 && value >> 40 == 0 && ordinal < map.stride.size(), "a stride");
            map.stride[ordinal] = value;
            break;
        case element_stride:
            require(value >= 1 && value <= 8, "a stride of elements");
            map.element_stride[ordinal] = static_cast<uint8_t>(value);
            break;
        case elemtype:
            require(value < elements.size(), "the type of the elements");
            map.element = elements[value];
            break;
        case interleave_layout:
            require(value < static_cast<uint64_t>(TensorInterleave::count), "the interleaved layout");
            map.interleave = static_cast<TensorInterleave>(value);
            break;
        case swizzle_mode:
            require(value <= static_cast<uint64_t>(TensorSwizzle::bytes_128), "the swizzle");
            map.swizzle = static_cast<TensorSwizzle>(value);
            break;
        default:
            require(value < static_cast<uint64_t>(TensorFill::count), "the filling");
            map.fill = static_cast<TensorFill>(value);
            break;
    }
    std::memcpy(place, &map, sizeof(map));
}

}  // namespace

const Instruction* tensor_map_update(Warp& warp, const Instruction* at) {
    if ((at->aux & copies) == 0) {
        for (uint32_t rest = warp.active; rest != 0; rest &= rest - 1)
            replace(warp, at, static_cast<unsigned>(__builtin_ctz(rest)));
        return at + 1;
    }
    // One copy for the warp.
    const auto lane = static_cast<unsigned>(__builtin_ctz(warp.active));
    const uint64_t to = address_of_copy(warp, at, 0, lane), from = address_of_copy(warp, at, 1, lane);
    std::byte* const place = resolve_aligned(warp, at, lane, to, sizeof(TensorMap), 128, Access::write);
    note_written(warp, lane, to, sizeof(TensorMap));
    std::memcpy(place, resolve_aligned(warp, at, lane, from, sizeof(TensorMap), 128, Access::read), sizeof(TensorMap));
    return at + 1;
}

}  // namespace cuprum::simulator
