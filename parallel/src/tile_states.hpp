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

// What a program has compiled for `tiles_t`; its constants are appended to a request's, and read from that place on.
struct TileStateSizes {
    uint64_t description_bytes, payload_bytes, padding;

    static constexpr size_t count = 3;
    static std::vector<std::string> constants() {
        return {"tiles_t::description_bytes_per_tile", "tiles_t::payload_bytes_per_tile",
                "tiles_t::TILE_STATUS_PADDING"};
    }
    TileStateSizes(const Build& build, size_t first)
        : description_bytes(build.size_constant(first)),
          payload_bytes(build.size_constant(first + 1)),
          padding(build.size_constant(first + 2)) {}
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
