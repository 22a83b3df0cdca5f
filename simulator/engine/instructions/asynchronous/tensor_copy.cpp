// cp.async.bulk.tensor and cp.reduce.async.bulk.tensor. Source: PTX ISA 9.0, 9.7.9.25.5.
#include <algorithm>
#include <cstring>

#include "engine/checks/text.hpp"
#include "engine/instructions/asynchronous/pending.hpp"
#include "engine/instructions/asynchronous/tensor_box.hpp"
#include "engine/instructions/matrix/matrix.hpp"

namespace cuprum::simulator {
namespace {

// A copy's chunks that a swizzle moves.
constexpr uint64_t chunk_bytes = 16;
// Of which an H200 wants a tile to begin at a multiple, within its line and outside the tensor too.
constexpr int64_t tile_granularity = 16;

// The tensor copy of one lane.
struct Copier {
    Warp& warp;
    const Instruction* at;
    unsigned lane;
    TensorMap map;
    TensorPosition position;
    BoxShape shape;

    [[noreturn]] void fault(const std::string& what) const {
        fault_at(warp, at, lane, Fault::Kind::illegal_instruction, what.c_str());
    }

    // operand[1]
    void read_map() {
        const uint64_t address = address_of_copy(warp, at, 1, lane);
        std::memcpy(&map, resolve_aligned(warp, at, lane, address, sizeof(map), 64, Access::read), sizeof(map));
        if (!map.valid())
            fault("used a tensor map at " + hexadecimal(address) + " where there is none (cuTensorMapEncode*)");
        const uint32_t rank = at->aux >> copy_aux::rank_shift & 7;
        if (map.rank != rank) {
            fault("copied from or to a tensor of " + std::to_string(map.rank) + " dimensions as one of " +
                  std::to_string(rank));
        }
        const bool gathers = (at->aux & copy_aux::gathers) != 0;
        if (gathers != (map.mode != TensorMapMode::tiled)) {
            fault(gathers ? "copied pixels with the map of tiles" : "copied a tile with the map of pixels (im2col)");
        }
        require_supported();
        shape = shape_of(map);
    }

    void require_supported() const {
        if (map.interleave != TensorInterleave::none) fault("used an interleaved tensor map, which is not simulated");
        if (map.element >= TensorElement::packed_u4_align8 || map.swizzle > TensorSwizzle::bytes_128 ||
            map.mode > TensorMapMode::im2col) {
            fault(
                "used a tensor map that needs compute capability 10.0 (packed elements, swizzles of other atoms, wide "
                "im2col), which is not simulated");
        }
    }

    void require_aligned_coordinate() const {
        const uint32_t bytes = bits_of(map.element) / 8;
        const int64_t first = position.coordinates[0];
        if (map.mode != TensorMapMode::tiled || first * bytes % tile_granularity == 0) return;
        fault("moved a tile whose innermost coordinate is " + std::to_string(first) + ", " + std::to_string(bytes) +
              " bytes each: they must be a multiple of 16 bytes");
    }

    // Of what is written. Seen on an H100, where the stores of a box that begins before the tensor, in any dimension,
    // are illegal instructions; reductions are taken to be the same.
    void require_no_negative_coordinate() const {
        for (uint32_t k = 0; k < map.rank; ++k) {
            if (position.coordinates[k] >= 0) continue;
            fault("stored a tile whose coordinate " + std::to_string(k) + " is " +
                  std::to_string(position.coordinates[k]) + ": only loads may begin before the tensor");
        }
    }

    // Coordinates, and offsets of pixels behind them, lie on the stage.
    void read_position() {
        const auto value = [&](uint32_t row) {
            return reinterpret_cast<const int32_t*>(warp.stage + row * matrix::row_bytes)[lane];
        };
        for (uint32_t k = 0; k < map.rank; ++k)
            position.coordinates[k] = value(k);
        if ((at->aux & copy_aux::gathers) == 0 || map.rank < 3) return;
        if ((at->aux & copy_aux::counts) == 0) return;  // to global memory: .im2col_no_offs
        for (uint32_t k = 0; k + 2 < map.rank; ++k)
            position.offsets[k] = static_cast<int32_t>(static_cast<uint32_t>(value(TensorMap::max_rank + k)) & 0xffff);
    }

    // Calls visit(offset in shared memory, offset within the line, bytes) for each part that lies together.
    template <class Visit>
    void each_chunk(uint64_t line_offset, uint32_t first, uint32_t bytes, Visit&& visit) const {
        for (uint32_t done = 0; done < bytes;) {
            const uint64_t offset = line_offset + first + done;
            uint32_t part = bytes - done;
            if (map.swizzle != TensorSwizzle::none)
                part = static_cast<uint32_t>(std::min<uint64_t>(part, chunk_bytes - offset % chunk_bytes));
            visit(swizzled(offset, map.swizzle), done, part);
            done += part;
        }
    }

    // The generic address of the box in shared memory, and its bytes.
    std::byte* shared_box(uint64_t address, Access access) const {
        if (shared_place(warp, address).block == nullptr) fault("named as a tensor's box what is not in shared memory");
        return resolve_aligned(warp, at, lane, address, shape.shared_bytes(), 128, access);
    }

    void load(uint64_t to, uint64_t barrier) const {
        BulkCopy copy = begin_bulk_copy(warp, at, lane);
        copy.effect.flushes = map.element == TensorElement::f32_flushed || map.element == TensorElement::tf32_flushed;
        copy.effect.shortens = map.element == TensorElement::tf32 || map.element == TensorElement::tf32_flushed;
        copy.effect.fill = fill();
        copy.to = shared_box(to, Access::write);
        copy.bytes = shape.shared_bytes();
        copy.counted = shape.moved_bytes();
        copy.barrier = resolve_aligned(warp, at, lane, barrier, 8, 8, Access::atomic);
        note_written(warp, lane, to, copy.bytes);
        note_copy_start(warp, at, lane, copy.to, copy.bytes);
        // Patterns are of addresses in shared memory, not of places in the box.
        const uint64_t box = (to - window::shared) % window::block_size;
        BoxWalk walk(map, position);
        for (uint32_t number = 0; number < shape.lines; ++number, walk.advance()) {
            const BoxLine line = walk.line();
            const uint64_t begin = box + number * shape.pitch;
            const auto place = [&](uint64_t offset) { return copy.to + (offset - box); };
            const auto fill_part = [&](uint64_t offset, uint32_t, uint32_t bytes) {
                add_piece(warp, copy, {place(offset), nullptr, bytes});
            };
            each_chunk(begin, 0, line.before, fill_part);
            if (line.inside != 0) {
                const std::byte* const from = resolve(warp, at, lane, line.address, line.inside, Access::read);
                each_chunk(begin, line.before, line.inside, [&](uint64_t offset, uint32_t done, uint32_t bytes) {
                    add_piece(warp, copy, {place(offset), from + done, bytes});
                });
            }
            each_chunk(begin, line.before + line.inside, line.behind, fill_part);
        }
        warp.block->bulk_copies.push_back(copy);
    }

    void store(uint64_t from) const {
        BulkCopy copy = begin_bulk_copy(warp, at, lane);
        const bool reduces = copy.effect.reduction != BulkReduction::none;
        if (reduces) copy.effect.type = reduced_type(copy.effect.reduction);
        const std::byte* const source = shared_box(from, Access::read);
        const uint64_t box = (from - window::shared) % window::block_size;
        BoxWalk walk(map, position);
        for (uint32_t number = 0; number < shape.lines; ++number, walk.advance()) {
            const BoxLine line = walk.line();
            if (line.inside == 0) continue;
            std::byte* const to =
                resolve(warp, at, lane, line.address, line.inside, reduces ? Access::atomic : Access::write);
            note_written(warp, lane, line.address, line.inside);
            each_chunk(box + number * shape.pitch, line.before, line.inside,
                       [&](uint64_t offset, uint32_t done, uint32_t bytes) {
                           add_piece(warp, copy, {to + done, source + (offset - box), bytes});
                       });
        }
        warp.block->bulk_copies.push_back(copy);
    }

    // A NaN, or zero.
    uint64_t fill() const {
        return map.fill == TensorFill::zero ? 0 : out_of_bounds_nan * uint64_t{0x0001000100010001};
    }

    ReducedType reduced_type(BulkReduction reduction) const {
        using enum TensorElement;
        ReducedType type{};
        switch (map.element) {
            case u32:
                type = ReducedType::u32;
                break;
            case s32:
                type = ReducedType::s32;
                break;
            case u64:
                type = ReducedType::u64;
                break;
            case s64:
                type = ReducedType::s64;
                break;
            case f16:
                type = ReducedType::f16;
                break;
            case bf16:
                type = ReducedType::bf16;
                break;
            case f32:
            case f32_flushed:
                type = ReducedType::f32;
                break;
            case f64:
                type = ReducedType::f64;
                break;
            default:
                fault("reduced a tensor whose elements (CUtensorMapDataType " +
                      std::to_string(static_cast<unsigned>(map.element)) + ") cannot be");
        }
        if (!reduces(reduction, type)) {
            fault("reduced a tensor by an operation that its elements (CUtensorMapDataType " +
                  std::to_string(static_cast<unsigned>(map.element)) + ") do not have");
        }
        return type;
    }
};

}  // namespace

// operand[0] the box in shared memory, [1] the map, [3] the mbarrier, [4] the blocks of a multicast.
const Instruction* tensor_copy(Warp& warp, const Instruction* at) {
    if (warp.block->races) warp.block->races->next_instruction();
    for (uint32_t rest = warp.active; rest != 0; rest &= rest - 1) {
        const auto lane = static_cast<unsigned>(__builtin_ctz(rest));
        Copier copier{warp, at, lane, {}, {}, {}};
        copier.read_map();
        copier.read_position();
        copier.require_aligned_coordinate();
        const uint64_t box = address_of_copy(warp, at, 0, lane);
        if ((at->aux & copy_aux::counts) == 0) {
            copier.require_no_negative_coordinate();
            copier.store(box);
            continue;
        }
        const uint64_t barrier = address_of_copy(warp, at, 3, lane);
        if ((at->aux & copy_aux::multicasts) == 0) {
            copier.load(box, barrier);
            continue;
        }
        for_each_destination(warp, at, lane, warp.row<uint32_t>(at->operand[4])[lane] & 0xffff, [&](uint32_t rank) {
            copier.load(place_in_block(box, rank), place_in_block(barrier, rank));
        });
    }
    return at + 1;
}

}  // namespace cuprum::simulator
