#include "image/simulator_object.hpp"

#include <array>

#include "image/elf.hpp"

namespace cuprum::simulator::image {
namespace {

// ELFOSABI_STANDALONE: cubins have 0x33 or 0x41 there.
constexpr unsigned char abi = 255;
constexpr unsigned char object_version = 1;

constexpr char section_name_bytes[] = "\0.shstrtab\0.note.cuprum.simulator\0.cuprum.ptx";
constexpr std::string_view section_names(section_name_bytes, sizeof section_name_bytes);
constexpr uint32_t name_of_names = static_cast<uint32_t>(section_names.find(".shstrtab"));
constexpr uint32_t name_of_note = static_cast<uint32_t>(section_names.find(".note"));
constexpr uint32_t name_of_ptx = static_cast<uint32_t>(section_names.find(".cuprum.ptx"));

// Source: System V ABI, "Note Section".
struct Note {
    uint32_t name_size = sizeof name;
    uint32_t description_size = sizeof description;
    uint32_t type = 1;
    char name[8] = "Cuprum";
    struct Description {
        uint32_t version = object_version;
        uint32_t architecture = 0;
        uint64_t ptx_size = 0;
        uint64_t ptx_checksum = 0;
        char text[96] = "PTX for Cuprum's simulator of the CUDA driver. There is no machine code in this object.";
    } description;
};

// Everything before the PTX, at fixed places, so that it can be read where the object's end is not known.
struct Layout {
    ElfHeader header{};
    std::array<ElfSection, 4> sections{};  // none, names, note, PTX
    Note note;
    char names[48] = {};
};
static_assert(sizeof(Layout) % 8 == 0);
static_assert(section_names.size() <= sizeof(Layout::names));

// 64-bit FNV-1a. Source: draft-eastlake-fnv.
uint64_t checksum(std::string_view bytes) {
    uint64_t value = 0xcbf29ce484222325;
    for (const char byte : bytes) {
        value ^= static_cast<unsigned char>(byte);
        value *= 0x100000001b3;
    }
    return value;
}

Layout make_layout(uint32_t architecture, std::string_view ptx) {
    enum : uint32_t { strings = 3, note = 7, program_bits = 1 };  // SHT_*
    Layout layout;
    ElfHeader& header = layout.header;
    std::memcpy(header.identification, elf_magic.data(), elf_magic.size());
    header.identification[4] = 2;  // ELFCLASS64
    header.identification[5] = 1;  // ELFDATA2LSB
    header.identification[6] = 1;  // EV_CURRENT
    header.identification[7] = abi;
    header.identification[8] = object_version;
    header.type = 2;  // ET_EXEC, as a linked cubin
    header.machine = elf_machine_cuda;
    header.version = 1;
    header.section_headers = offsetof(Layout, sections);
    header.flags = architecture << 8;  // where cubins of CUDA 13 have it
    header.header_size = sizeof(ElfHeader);
    header.section_header_size = sizeof(ElfSection);
    header.section_header_count = static_cast<uint16_t>(layout.sections.size());
    header.name_section = 1;
    std::memcpy(layout.names, section_names.data(), section_names.size());
    layout.sections[1] = {name_of_names, strings, 0, 0, offsetof(Layout, names), section_names.size(), 0, 0, 1, 0};
    layout.sections[2] = {name_of_note, note, 0, 0, offsetof(Layout, note), sizeof(Note), 0, 0, 4, 0};
    layout.sections[3] = {name_of_ptx, program_bits, 0, 0, sizeof(Layout), ptx.size() + 1, 0, 0, 8, 0};
    layout.note.description.architecture = architecture;
    layout.note.description.ptx_size = ptx.size();
    layout.note.description.ptx_checksum = checksum(ptx);
    return layout;
}

}  // namespace

std::string make_simulator_object(uint32_t architecture, std::string_view ptx) {
    const Layout layout = make_layout(architecture, ptx);
    std::string object(reinterpret_cast<const char*>(&layout), sizeof layout);
    object += ptx;
    object += '\0';
    return object;
}

bool is_simulator_object(const void* bytes, std::optional<size_t> size) {
    const auto* const begin = static_cast<const unsigned char*>(bytes);
    return (!size || *size >= sizeof(ElfHeader)) && std::memcmp(begin, elf_magic.data(), elf_magic.size()) == 0 &&
           read<ElfHeader>(begin).machine == elf_machine_cuda && begin[7] == abi;
}

ReadObject read_simulator_object(const void* bytes, std::optional<size_t> size) {
    const auto* const begin = static_cast<const char*>(bytes);
    if (begin[8] != object_version) {
        return {{},
                "it is of version " + std::to_string(static_cast<unsigned char>(begin[8])) + ", this simulator reads " +
                    std::to_string(object_version) + ": compile the program again"};
    }
    if (size && *size < sizeof(Layout)) return {{}, "it is cut short"};
    const auto layout = read<Layout>(begin);
    const Note::Description& description = layout.note.description;
    if (std::string_view(layout.note.name, sizeof layout.note.name) !=
        std::string_view(Note{}.name, sizeof Note{}.name)) {
        return {{}, "its note is damaged"};
    }
    if (size && description.ptx_size > *size - sizeof(Layout)) return {{}, "it is cut short"};
    const std::string_view ptx(begin + sizeof(Layout), description.ptx_size);
    if (checksum(ptx) != description.ptx_checksum) return {{}, "its checksum is wrong: it is damaged"};
    return {SimulatorObject{description.architecture, ptx}, {}};
}

}  // namespace cuprum::simulator::image
