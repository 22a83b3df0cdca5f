// Fat binaries: what nvcc, fatbinary and nvFatbin make, code of several kinds for several architectures in one image.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "image/compression.hpp"

namespace cuprum::simulator::image {

inline constexpr uint32_t fat_binary_magic = 0xba55ed50;
inline constexpr uint32_t fat_binary_wrapper_magic = 0x466243b1;

// What a host program registers: a pointer to the fat binary (fatbinary_section.h).
struct FatBinaryWrapper {
    uint32_t magic;
    uint32_t version;
    const void* data;
    const void* objects;  // version 2: an array of the objects' fat binaries, before they were linked; null ends it
};

enum class FatEntryKind : uint16_t { ptx = 1, machine_code = 2, lto_ir = 8 };

struct FatEntry {
    FatEntryKind kind{};
    uint32_t architecture = 0;  // 80 for sm_80
    Compression compression = Compression::none;
    std::string_view packed;
    uint64_t size = 0;  // of the bytes when they are not compressed

    Decompressed bytes() const { return decompress(packed, size, compression); }
};

// Bytes in all, by the header's own account; nothing if `bytes` does not begin with a whole fat binary.
std::optional<size_t> fat_binary_size(std::string_view bytes);
// The same where the end of the memory is not known. `begin` holds a fat binary's magic number.
size_t fat_binary_size(const void* begin);

// The entries in their order; nothing if the fat binary is damaged.
std::optional<std::vector<FatEntry>> fat_binary_entries(std::string_view bytes);

// The entry of that kind for the highest architecture up to `capability` (80 for 8.0), null if there is none; machine
// code of another major architecture is none.
const FatEntry* best_entry(const std::vector<FatEntry>& entries, FatEntryKind kind, uint32_t capability);

}  // namespace cuprum::simulator::image
