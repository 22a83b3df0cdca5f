#include "image/host_object.hpp"

#include <charconv>

#include "image/elf.hpp"
#include "image/fat_binary.hpp"

namespace cuprum::simulator::image {
namespace {

// Archive members: a header of 60 characters, then the bytes, then a newline if they are odd in number.
// Source: ar(5).
constexpr std::string_view library_magic = "!<arch>\n";
constexpr size_t member_header_size = 60, member_name_size = 16, member_size_offset = 48, member_size_digits = 10;

void add_fat_binaries(std::string_view object, const std::string& member, std::vector<EmbeddedFatBinary>& found) {
    // nvcc's own sections; the first is for relocatable code.
    for (const char* name : {"__nv_relfatbin", ".nv_fatbin"}) {
        for (std::string_view section : elf_sections(object, name)) {
            while (const std::optional<size_t> size = fat_binary_size(section)) {
                found.push_back({member, section.substr(0, *size)});
                section.remove_prefix(*size);
                // Several lie one after the other, each on a boundary of 8 bytes.
                while (!section.empty() && section.front() == '\0')
                    section.remove_prefix(1);
            }
        }
    }
}

}  // namespace

std::vector<std::string_view> elf_sections(std::string_view file, std::string_view name) {
    std::vector<std::string_view> found;
    if (file.size() < sizeof(ElfHeader) || file.substr(0, elf_magic.size()) != elf_magic) return found;
    const auto header = read<ElfHeader>(file.data());
    const uint64_t count = header.section_header_count;
    if (header.section_header_size != sizeof(ElfSection) || header.section_headers > file.size() ||
        count > (file.size() - header.section_headers) / sizeof(ElfSection) || header.name_section >= count) {
        return found;
    }
    const auto section = [&](uint64_t index) {
        return read<ElfSection>(file.data() + header.section_headers + index * sizeof(ElfSection));
    };
    const auto bytes = [&](const ElfSection& of) -> std::string_view {
        if (of.type == elf_section_without_bytes || of.offset > file.size() || of.size > file.size() - of.offset)
            return {};
        return file.substr(of.offset, of.size);
    };
    const std::string_view names = bytes(section(header.name_section));
    for (uint64_t index = 1; index < count; ++index) {
        const ElfSection candidate = section(index);
        if (candidate.name >= names.size()) continue;
        const std::string_view own = names.substr(candidate.name);
        if (own.substr(0, own.find('\0')) == name) found.push_back(bytes(candidate));
    }
    return found;
}

bool is_library(std::string_view file) {
    return file.substr(0, library_magic.size()) == library_magic;
}

std::vector<EmbeddedFatBinary> embedded_fat_binaries(std::string_view file) {
    std::vector<EmbeddedFatBinary> found;
    if (!is_library(file)) {
        add_fat_binaries(file, {}, found);
        return found;
    }
    file.remove_prefix(library_magic.size());
    while (file.size() >= member_header_size) {
        const char* const digits = file.data() + member_size_offset;
        uint64_t size = 0;
        if (std::from_chars(digits, digits + member_size_digits, size).ec != std::errc{}) break;
        std::string member(file.substr(0, member_name_size));
        member.erase(member.find_last_not_of(" /") + 1);
        file.remove_prefix(member_header_size);
        if (size > file.size()) break;
        add_fat_binaries(file.substr(0, size), member, found);
        file.remove_prefix(std::min<uint64_t>(file.size(), size + size % 2));
    }
    return found;
}

}  // namespace cuprum::simulator::image
