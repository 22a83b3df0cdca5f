#include "image/fat_binary.hpp"

#include "image/elf.hpp"

namespace cuprum::simulator::image {
namespace {

// The layout is not documented; it was read off files that fatbinary of CUDA 12.9 and 13.0 made.
struct Header {
    uint32_t magic;
    uint16_t version;
    uint16_t header_size;
    uint64_t body_size;
};
struct EntryHeader {
    uint16_t kind;
    uint16_t version;
    uint32_t header_size;
    uint64_t size;             // bytes of the payload, padding included
    uint32_t compressed_size;  // without padding; 0 if it is not compressed
    uint32_t options_offset;
    uint16_t minor, major;  // of the PTX version
    uint32_t architecture;
    uint32_t name_offset, name_size;
    uint64_t flags;
    uint64_t unused;
    uint64_t uncompressed_size;  // 0 if it is not compressed
};
static_assert(sizeof(Header) == 16 && sizeof(EntryHeader) == 64);

constexpr uint64_t flag_lz4 = 0x2000, flag_zstd = 0x8000;
constexpr uint64_t largest_body = uint64_t{1} << 40;

bool is_sound(const Header& header) {
    return header.magic == fat_binary_magic && header.header_size >= sizeof(Header) && header.body_size <= largest_body;
}

}  // namespace

std::optional<size_t> fat_binary_size(std::string_view bytes) {
    if (bytes.size() < sizeof(Header)) return std::nullopt;
    const auto header = read<Header>(bytes.data());
    if (!is_sound(header) || header.header_size + header.body_size > bytes.size()) return std::nullopt;
    return header.header_size + header.body_size;
}

size_t fat_binary_size(const void* begin) {
    const auto header = read<Header>(begin);
    return is_sound(header) ? header.header_size + header.body_size : 0;
}

std::optional<std::vector<FatEntry>> fat_binary_entries(std::string_view bytes) {
    const std::optional<size_t> size = fat_binary_size(bytes);
    if (!size) return std::nullopt;
    const size_t header_size = read<Header>(bytes.data()).header_size;
    bytes = bytes.substr(header_size, *size - header_size);
    std::vector<FatEntry> entries;
    while (bytes.size() >= sizeof(EntryHeader)) {
        const auto header = read<EntryHeader>(bytes.data());
        if (header.header_size < sizeof(EntryHeader) || header.header_size > bytes.size() ||
            header.size > bytes.size() - header.header_size) {
            return std::nullopt;
        }
        FatEntry entry;
        entry.kind = static_cast<FatEntryKind>(header.kind);
        entry.architecture = header.architecture;
        entry.packed = bytes.substr(header.header_size, header.size);
        entry.size = header.size;
        if ((header.flags & (flag_lz4 | flag_zstd)) != 0) {
            if (header.compressed_size > header.size) return std::nullopt;
            entry.compression = (header.flags & flag_zstd) != 0 ? Compression::zstd : Compression::lz4;
            entry.packed = entry.packed.substr(0, header.compressed_size);
            entry.size = header.uncompressed_size;
        }
        entries.push_back(entry);
        bytes.remove_prefix(header.header_size + header.size);
    }
    return entries;
}

const FatEntry* best_entry(const std::vector<FatEntry>& entries, FatEntryKind kind, uint32_t capability) {
    const FatEntry* best = nullptr;
    for (const FatEntry& entry : entries) {
        if (entry.kind != kind || entry.architecture > capability) continue;
        // Machine code runs on its own major architecture alone.
        if (kind == FatEntryKind::machine_code && entry.architecture / 10 != capability / 10) continue;
        if (best == nullptr || entry.architecture >= best->architecture) best = &entry;
    }
    return best;
}

}  // namespace cuprum::simulator::image
