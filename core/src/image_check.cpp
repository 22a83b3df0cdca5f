#include "image_check.hpp"

#include <cstdint>
#include <cstring>
#include <utility>

#include "cuprum/pathfinder/error.hpp"

namespace cuprum::core {

namespace {

constexpr const char* loading = "loading code";

constexpr uint32_t elf_magic = 0x464c457f;
constexpr uint32_t fat_binary_magic = 0xba55ed50;
constexpr uint32_t wrapper_magic = 0x466243b1;  // __fatBinC_Wrapper_t (fatbinary_section.h)
constexpr uint32_t lto_magic = 0x7f4e43ed;

// `code` need not be aligned and has at least sizeof(Value) bytes at `offset`.
template <class Value>
Value read(std::string_view code, uint64_t offset) {
    Value value;
    std::memcpy(&value, code.data() + offset, sizeof(value));
    return value;
}

std::string bytes(uint64_t count) {
    return std::to_string(count) + (count == 1 ? " byte" : " bytes");
}

// What an image consists of, one part within the other, for errors: "the cubin in entry 2 of the fat binary".
class Image {
public:
    Image(std::string kind, std::string_view code, const std::string& object)
        : kind_(std::move(kind)), code_(code), object_(object) {}

    std::string_view code() const { return code_; }
    uint64_t size() const { return code_.size(); }
    const std::string& object() const { return object_; }

    // Throws unless `size` bytes from `begin` on are there.
    void require(uint64_t begin, uint64_t size, const std::string& what) const {
        if (begin <= code_.size() && size <= code_.size() - begin) return;
        const std::string expected =
            begin > UINT64_MAX - size ? "more than any file has" : std::to_string(begin + size) + " expected";
        refuse("is cut short or damaged: " + what + " is not within it", ", " + expected);
    }
    [[noreturn]] void refuse_damaged(const std::string& what) const { refuse("is damaged: " + what, {}); }

private:
    [[noreturn]] void refuse(const std::string& detail, const std::string& expected) const {
        throw InvalidArgument(loading, object_,
                              "the " + kind_ + " " + detail + " (" + bytes(code_.size()) + " given" + expected + ")",
                              "give the whole image, as the compiler made it");
    }

    std::string kind_;
    std::string_view code_;
    const std::string& object_;
};

// ELF, 64 bits, little-endian. Source: System V ABI, chapters 4 and 5; <elf.h>.
struct ElfHeader {
    unsigned char identification[16];
    uint16_t type, machine;
    uint32_t version;
    uint64_t entry, segments, sections;
    uint32_t flags;
    uint16_t header_size, segment_size, segment_count, section_size, section_count, names;
};
struct ElfSection {
    uint32_t name, type;
    uint64_t flags, address, offset, size;
    uint32_t link, info;
    uint64_t alignment, entry_size;
};
struct ElfSegment {
    uint32_t type, flags;
    uint64_t offset, address, physical_address, size_in_file, size_in_memory, alignment;
};
struct ElfSymbol {
    uint32_t name;
    unsigned char info, other;
    uint16_t section;
    uint64_t value, size;
};
static_assert(sizeof(ElfHeader) == 64 && sizeof(ElfSection) == 64 && sizeof(ElfSegment) == 56 &&
              sizeof(ElfSymbol) == 24);

constexpr uint32_t section_of_nothing = 0;        // SHT_NULL
constexpr uint32_t section_of_symbols = 2;        // SHT_SYMTAB
constexpr uint32_t section_of_strings = 3;        // SHT_STRTAB
constexpr uint32_t section_without_bytes = 8;     // SHT_NOBITS
constexpr uint16_t number_is_elsewhere = 0xffff;  // SHN_XINDEX, PN_XNUM: the first section has the number

// Whether sections of the type have bytes in the file. CUDA's own types were read off what NVRTC 13.0 makes: variables
// of a relocatable cubin have types of their own, and no bytes where they are not initialised.
bool has_bytes(uint32_t type) {
    constexpr uint32_t last_seen = 0x70000086;
    switch (type) {
        case section_of_nothing:
        case section_without_bytes:
        case 0x70000007:  // .nv.global
        case 0x70000009:  // .nv.local
        case 0x7000000a:  // .nv.shared
        case 0x70000015:  // .nv.merc.nv.shared.reserved
            return false;
        default:
            // Of later types it is not known.
            return type <= last_seen;
    }
}

class ElfFile {
public:
    explicit ElfFile(const Image& image) : image_(image) {
        image.require(0, sizeof(ElfHeader), "the ELF header");
        header_ = read<ElfHeader>(image.code(), 0);
        constexpr unsigned char class_64 = 2, little_endian = 1;
        if (header_.identification[4] != class_64 || header_.identification[5] != little_endian) {
            image.refuse_damaged("its ELF header is not one of 64 bits in little-endian order");
        }
        count_sections();
        require_table("section", header_.sections, section_count_, header_.section_size, sizeof(ElfSection));
        require_table("program", header_.segments, segment_count_, header_.segment_size, sizeof(ElfSegment));
    }

    void check() {
        for (uint64_t i = 0; i < segment_count_; ++i) {
            const auto segment = read<ElfSegment>(image_.code(), header_.segments + i * sizeof(ElfSegment));
            image_.require(segment.offset, segment.size_in_file, "segment " + std::to_string(i));
        }
        if (section_count_ == 0) return;
        if (names_ >= section_count_)
            image_.refuse_damaged("the index of its section names is beyond its last section");
        for (uint64_t i = 0; i < section_count_; ++i)
            check_section(i);
    }

private:
    // Where the numbers do not fit into the header they are in the first section.
    void count_sections() {
        section_count_ = header_.section_count;
        segment_count_ = header_.segment_count;
        names_ = header_.names;
        if (header_.sections == 0) return;
        const bool is_first_needed =
            section_count_ == 0 || segment_count_ == number_is_elsewhere || names_ == number_is_elsewhere;
        if (!is_first_needed) return;
        image_.require(header_.sections, sizeof(ElfSection), "the first section's header");
        const auto first = read<ElfSection>(image_.code(), header_.sections);
        if (section_count_ == 0) section_count_ = first.size;
        if (segment_count_ == number_is_elsewhere) segment_count_ = first.info;
        if (names_ == number_is_elsewhere) names_ = first.link;
    }

    void require_table(const char* what, uint64_t begin, uint64_t count, uint16_t given_size, uint64_t size) const {
        if (count == 0) return;
        const std::string table = std::string("the ") + what + " header table";
        if (given_size != size) {
            image_.refuse_damaged(table + " has entries of " + bytes(given_size) + ", expected " +
                                  std::to_string(size));
        }
        if (count > UINT64_MAX / size) image_.refuse_damaged(table + " has " + std::to_string(count) + " entries");
        image_.require(begin, count * size, table);
    }

    ElfSection section(uint64_t index) const {
        return read<ElfSection>(image_.code(), header_.sections + index * sizeof(ElfSection));
    }

    // Empty where there are none.
    std::string_view bytes_of(const ElfSection& of, const std::string& what) const {
        if (!has_bytes(of.type)) return {};
        image_.require(of.offset, of.size, what);
        return image_.code().substr(of.offset, of.size);
    }

    std::string_view strings(uint64_t index, const std::string& of) const {
        if (index >= section_count_) image_.refuse_damaged(of + " is linked to a section that does not exist");
        return bytes_of(section(index), "section " + std::to_string(index));
    }

    void check_section(uint64_t index) {
        const ElfSection of = section(index);
        const std::string what = "section " + std::to_string(index);
        const std::string_view content = bytes_of(of, what);
        if (of.type == section_of_nothing) return;
        const std::string_view names = strings(names_, what);
        if (of.name >= names.size()) image_.refuse_damaged(what + " has a name that is not within the names");
        if (of.type == section_of_strings && !content.empty() && content.back() != '\0') {
            image_.refuse_damaged(what + " holds strings, and the last one does not end");
        }
        if (of.type == section_of_symbols) check_symbols(of, content, what);
    }

    void check_symbols(const ElfSection& of, std::string_view content, const std::string& what) {
        if (of.entry_size != sizeof(ElfSymbol) || content.size() % sizeof(ElfSymbol) != 0) {
            image_.refuse_damaged(what + " holds symbols of another size than " + bytes(sizeof(ElfSymbol)));
        }
        // Each byte is looked at once: tables upon each other would take time out of proportion.
        symbol_bytes_ += content.size();
        if (symbol_bytes_ > image_.size()) image_.refuse_damaged("its tables of symbols overlap");
        const std::string_view names = strings(of.link, what);
        for (uint64_t at = 0; at < content.size(); at += sizeof(ElfSymbol)) {
            const auto symbol = read<ElfSymbol>(content, at);
            if (symbol.name >= names.size() && symbol.name != 0) {
                image_.refuse_damaged(what + " has a symbol whose name is not within the names");
            }
        }
    }

    const Image& image_;
    ElfHeader header_{};
    uint64_t section_count_ = 0, segment_count_ = 0, names_ = 0;
    uint64_t symbol_bytes_ = 0;
};

// The layout is not documented; it was read off files that fatbinary of CUDA 12.9 and 13.0 made.
struct FatBinaryHeader {
    uint32_t magic;
    uint16_t version, header_size;
    uint64_t body_size;
};
struct FatBinaryEntry {
    uint16_t kind, version;
    uint32_t header_size;
    uint64_t size;  // of what follows the header, padding included
    uint32_t compressed_size;
    uint32_t options;
    uint16_t minor, major;
    uint32_t architecture;
    uint32_t name, name_size;
    uint64_t flags, unused, uncompressed_size;
};
static_assert(sizeof(FatBinaryHeader) == 16 && sizeof(FatBinaryEntry) == 64);

constexpr uint16_t known_version = 1;
constexpr uint16_t kind_machine_code = 2;
constexpr uint64_t is_compressed = 0x2000 | 0x8000;  // LZ4, Zstandard

uint32_t magic_of(std::string_view code) {
    return code.size() < sizeof(uint32_t) ? 0 : read<uint32_t>(code, 0);
}

void check_elf(const Image& image) {
    ElfFile(image).check();
}

// The bytes of one entry, its header included.
uint64_t check_entry(const Image& body, uint64_t begin, const std::string& which) {
    body.require(begin, sizeof(FatBinaryEntry), "the header of " + which);
    const auto entry = read<FatBinaryEntry>(body.code(), begin);
    if (entry.header_size < sizeof(FatBinaryEntry)) {
        body.refuse_damaged("the header of " + which + " has " + bytes(entry.header_size) + ", expected at least " +
                            std::to_string(sizeof(FatBinaryEntry)));
    }
    body.require(begin, entry.header_size, "the header of " + which);
    body.require(begin + entry.header_size, entry.size, which);
    const uint64_t size = entry.header_size + entry.size;
    if (entry.compressed_size > entry.size) {
        body.refuse_damaged("the compressed code of " + which + " has " + bytes(entry.compressed_size) +
                            ", its entry only " + std::to_string(entry.size));
    }
    if (entry.options > size || entry.name > size || entry.name_size > size - entry.name) {
        body.refuse_damaged("options or name of " + which + " are not within it");
    }
    const std::string_view code = body.code().substr(begin + entry.header_size, entry.size);
    if ((entry.flags & is_compressed) == 0 && entry.kind == kind_machine_code && magic_of(code) == elf_magic) {
        check_elf(Image("cubin in " + which + " of the fat binary", code, body.object()));
    }
    return size;
}

void check_fat_binary(const Image& image) {
    image.require(0, sizeof(FatBinaryHeader), "the header");
    const auto header = read<FatBinaryHeader>(image.code(), 0);
    if (header.header_size < sizeof(FatBinaryHeader)) {
        image.refuse_damaged("its header says that it has " + bytes(header.header_size));
    }
    image.require(0, header.header_size, "the header");
    image.require(header.header_size, header.body_size, "what the header counts");
    if (header.version != known_version) return;
    const Image body("fat binary", image.code().substr(0, header.header_size + header.body_size), image.object());
    uint64_t at = header.header_size;
    for (uint64_t number = 1; at < body.size(); ++number)
        at += check_entry(body, at, "entry " + std::to_string(number));
}

const char* name_of(CodeType type) {
    switch (type) {
        case CodeType::ptx:
            return "PTX";
        case CodeType::cubin:
            return "a cubin";
        case CodeType::fatbin:
            return "a fat binary";
        default:
            return "code";
    }
}

// Text ends at its first NUL for the driver.
void check_text(CodeType type, std::string_view text, const std::string& object) {
    if (type != CodeType::ptx && text.find(".version") == std::string_view::npos) {
        throw InvalidArgument(loading, object,
                              std::string("expected ") + name_of(type) + ", and the " + bytes(text.size()) +
                                  " given start like neither that nor PTX",
                              "give the whole image, as the compiler made it");
    }
    const size_t end = text.find('\0');
    if (end == std::string_view::npos) return;
    throw InvalidArgument(loading, object,
                          "the PTX has a NUL at byte " + std::to_string(end) + " of " + std::to_string(text.size()) +
                              ", and the driver would read no further",
                          "give the text of one module");
}

}  // namespace

void check_image(CodeType type, std::string_view code, const std::string& object) {
    const auto refuse = [&](const char* found, const char* advice) {
        throw InvalidArgument(loading, object, std::string("expected ") + name_of(type) + ", and it is " + found,
                              advice);
    };
    switch (magic_of(code)) {
        case elf_magic:
            if (type == CodeType::ptx) refuse("a cubin", "give it as a cubin");
            return check_elf(Image("cubin", code, object));
        case fat_binary_magic:
            if (type == CodeType::ptx) refuse("a fat binary", "give it as a fat binary");
            return check_fat_binary(Image("fat binary", code, object));
        case wrapper_magic:
            refuse("the wrapper of a fat binary, which holds an address and no size",
                   "give the bytes of the fat binary that it points to");
            break;
        case lto_magic:
            refuse("LTO-IR, which no device runs", "link it first, with a linker");
            break;
        default:
            check_text(type, code, object);
    }
}

uint32_t architecture_of_cubin(std::string_view code) {
    ElfHeader header{};
    if (code.size() < sizeof header || magic_of(code) != elf_magic) return 0;
    std::memcpy(&header, code.data(), sizeof header);
    constexpr uint16_t machine_cuda = 190;
    if (header.machine != machine_cuda) return 0;
    // Where it stands depends on the version of the ABI: 7 is CUDA 12's, 8 that of 13 (LLVM's ELF.h, EF_CUDA_SM).
    constexpr unsigned char abi_of_cuda12 = 7;
    return (header.identification[8] == abi_of_cuda12 ? header.flags : header.flags >> 8) & 0xFF;
}

}  // namespace cuprum::core
