// The temporary storage of a pass with decoupled look-back: cub::ScanTileState, the tiles' descriptors; and where a
// value does not fit into them, two arrays of payloads.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>
#include <vector>

#include "call.hpp"

namespace cuprum::parallel {

constexpr int64_t tile_states_init_threads = 128;  // any number serves; CUB's own

// How large a tile's state is, which a state of small values with keys does not say, nor any before CCCL 3.0. Behind
// the headers of agents.
constexpr std::string_view tile_states_helper = R"(
#if CCCL_VERSION >= 3000000
template <class T> constexpr long long cuprum_description_bytes(decltype(T::description_bytes_per_tile)*) {
    return T::description_bytes_per_tile;
}
template <class T> constexpr long long cuprum_description_bytes(...) { return sizeof(typename T::TxnWord); }
template <class T> constexpr long long cuprum_payload_bytes(decltype(T::payload_bytes_per_tile)*) {
    return T::payload_bytes_per_tile;
}
template <class T> constexpr long long cuprum_payload_bytes(...) { return 0; }
#else
template <class T> constexpr long long cuprum_description_bytes(typename T::TxnWord*) { return sizeof(typename T::TxnWord); }
template <class T> constexpr long long cuprum_description_bytes(...) { return sizeof(typename T::StatusWord); }
template <class V> constexpr long long cuprum_payload_of(const cub::ScanTileState<V, false>*) {
    return sizeof(cub::Uninitialized<V>);
}
constexpr long long cuprum_payload_of(...) { return 0; }
template <class T> constexpr long long cuprum_payload_bytes(...) { return cuprum_payload_of(static_cast<const T*>(nullptr)); }
#endif
)";

// What a program has compiled for `tiles_t`.
struct TileStateSizes {
    uint64_t description_bytes, payload_bytes, padding;

    // For a request whose program has the helper.
    static void add_constants(std::vector<BuildRequest::Constant>& constants) {
        constants.push_back({"description bytes", "cuprum_description_bytes<tiles_t>(nullptr)"});
        constants.push_back({"payload bytes", "cuprum_payload_bytes<tiles_t>(nullptr)"});
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
