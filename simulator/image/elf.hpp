// What is needed of ELF: 64-bit files in little-endian order.
//
// Source: System V ABI, chapter 4 (object files); <elf.h>.
#pragma once

#include <cstdint>
#include <cstring>
#include <optional>
#include <string_view>
#include <vector>

namespace cuprum::simulator::image {

struct ElfHeader {
    unsigned char identification[16];
    uint16_t type, machine;
    uint32_t version;
    uint64_t entry, program_headers, section_headers;
    uint32_t flags;
    uint16_t header_size, program_header_size, program_header_count, section_header_size, section_header_count,
        name_section;
};
static_assert(sizeof(ElfHeader) == 64);

struct ElfSection {
    uint32_t name, type;
    uint64_t flags, address, offset, size;
    uint32_t link, info;
    uint64_t alignment, entry_size;
};
static_assert(sizeof(ElfSection) == 64);

inline constexpr std::string_view elf_magic(
    "\x7f"
    "ELF",
    4);
inline constexpr uint16_t elf_machine_cuda = 190;         // EM_CUDA
inline constexpr uint32_t elf_section_without_bytes = 8;  // SHT_NOBITS

// `from` need not be aligned.
template <typename Value>
Value read(const void* from) {
    Value value;
    std::memcpy(&value, from, sizeof value);
    return value;
}

// The bytes of every section of that name; nothing if `file` is no ELF file or lies about its own layout.
std::vector<std::string_view> elf_sections(std::string_view file, std::string_view name);

}  // namespace cuprum::simulator::image
