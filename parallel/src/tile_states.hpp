// The temporary storage of a pass with decoupled look-back: cub::ScanTileState, the tiles' descriptors; and where a
// value does not fit into them, two arrays of payloads.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "call.hpp"

namespace cuprum::parallel {

constexpr int64_t tile_states_init_threads = 128;  // any number serves; CUB's own

// What a program has compiled for `tiles_t`.
struct TileStateSizes {
    uint64_t description_bytes, payload_bytes, padding;

    // For a request.
    static void add_constants(std::vector<BuildRequest::Constant>& constants) {
        constants.push_back({"description bytes", "tiles_t::description_bytes_per_tile"});
        constants.push_back({"payload bytes", "tiles_t::payload_bytes_per_tile"});
        constants.push_back({"padding", "tiles_t::TILE_STATUS_PADDING"});
    }
    explicit TileStateSizes(const CompiledProgram& compiled)
        : description_bytes(compiled.size("description bytes")),
          payload_bytes(compiled.size("payload bytes")),
          padding(compiled.size("padding")) {}
};

struct TileStates {
    uint64_t descriptions, partial, inclusive;  // in the storage
    bool has_payloads;

    TileStates(const TileStateSizes& sizes, uint64_t tiles, StorageLayout& storage)
        : descriptions(storage.add((tiles + sizes.padding) * sizes.description_bytes)),
          partial(storage.add((tiles + sizes.padding) * sizes.payload_bytes)),
          inclusive(storage.add((tiles + sizes.padding) * sizes.payload_bytes)),
          has_payloads(sizes.payload_bytes > 0) {}

    // As the kernels are passed it.
    struct Parameter {
        std::array<core::DevicePointer, 3> pointers;
        bool has_payloads;
        Raw bytes() const { return {pointers.data(), has_payloads ? sizeof(pointers) : sizeof(pointers[0])}; }
    };
    Parameter parameter(const Workspace& workspace) const {
        return {{workspace[descriptions], workspace[partial], workspace[inclusive]}, has_payloads};
    }
};

}  // namespace cuprum::parallel
