// Images that are cut, grown or changed: a driver takes no size, so what claims more than there is must not reach it.
#include <cuda.h>
#include <elf.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstring>
#include <fstream>
#include <iterator>
#include <string>
#include <string_view>
#include <vector>

#include "cuprum/core/object_code.hpp"
#include "cuprum/pathfinder/error.hpp"
#include "fake_driver.hpp"

namespace cuprum::core {
namespace {

using test::FakeDriver;
using testing::AllOf;
using testing::HasSubstr;

// A driver's reader, which believes all that an image says and follows its offsets anywhere. `left` records where.
class TrustingReader {
public:
    TrustingReader(const void* image, size_t size) : begin_(static_cast<const char*>(image)), size_(size) {}

    bool has_left() const { return has_left_; }

    void read(uint64_t begin) {
        if (is_at(begin,
                  "\x7f"
                  "ELF"))
            read_elf(begin);
        if (is_at(begin, "\x50\xed\x55\xba")) read_fat_binary(begin);
    }

private:
    void touch(uint64_t begin, uint64_t size) {
        if (begin > size_ || size > size_ - begin) has_left_ = true;
    }
    template <class T>
    T at(uint64_t place) {
        T value{};
        touch(place, sizeof(T));
        if (!has_left_) std::memcpy(&value, begin_ + place, sizeof(T));
        return value;
    }
    bool is_at(uint64_t place, const char* magic) {
        return place <= size_ && size_ - place >= 4 && std::memcmp(begin_ + place, magic, 4) == 0;
    }
    void read_text(uint64_t begin) {
        if (!has_left_ && (begin > size_ || std::memchr(begin_ + begin, 0, size_ - begin) == nullptr)) has_left_ = true;
    }

    void read_elf(uint64_t begin) {
        const auto header = at<Elf64_Ehdr>(begin);
        for (uint64_t i = 0; i < header.e_phnum && !has_left_; ++i) {
            const auto segment = at<Elf64_Phdr>(begin + header.e_phoff + i * sizeof(Elf64_Phdr));
            touch(begin + segment.p_offset, segment.p_filesz);
        }
        const auto section = [&](uint64_t i) {
            return at<Elf64_Shdr>(begin + header.e_shoff + i * sizeof(Elf64_Shdr));
        };
        uint64_t count = header.e_shnum;
        if (count == 0 && header.e_shoff != 0) count = section(0).sh_size;
        for (uint64_t i = 0; i < count && !has_left_; ++i) {
            const Elf64_Shdr one = section(i);
            if (one.sh_type == SHT_NULL) continue;
            read_text(begin + section(header.e_shstrndx).sh_offset + one.sh_name);
            if (one.sh_type == SHT_NOBITS) continue;
            touch(begin + one.sh_offset, one.sh_size);
            if (one.sh_type != SHT_SYMTAB) continue;
            for (uint64_t k = 0; k < one.sh_size / sizeof(Elf64_Sym) && !has_left_; ++k) {
                const auto symbol = at<Elf64_Sym>(begin + one.sh_offset + k * sizeof(Elf64_Sym));
                if (symbol.st_name != 0) read_text(begin + section(one.sh_link).sh_offset + symbol.st_name);
            }
        }
    }

    void read_fat_binary(uint64_t begin) {
        uint64_t place = begin + at<uint16_t>(begin + 6);
        const uint64_t end = place + at<uint64_t>(begin + 8);
        while (place < end && !has_left_) {
            const auto kind = at<uint16_t>(place);
            const auto header_size = at<uint32_t>(place + 4);
            const auto size = at<uint64_t>(place + 8);
            touch(place, 64);
            touch(place, header_size);
            touch(place + header_size, size);
            touch(place + header_size, at<uint32_t>(place + 16));
            if (has_left_ || header_size + size == 0) return;
            if (kind == 2 && (at<uint64_t>(place + 40) & 0xa000) == 0) read(place + header_size);
            place += header_size + size;
        }
    }

    const char* begin_;
    size_t size_;
    bool has_left_ = false;
};

size_t size_given = 0;
int loads = 0;
int reads_beyond_the_end = 0;

CUresult load_trustingly(CUlibrary*, const void* image, CUjit_option*, void**, unsigned int, CUlibraryOption*, void**,
                         unsigned int) {
    ++loads;
    TrustingReader reader(image, size_given + 1);  // with the NUL that follows
    reader.read(0);
    if (reader.has_left()) ++reads_beyond_the_end;
    return CUDA_ERROR_INVALID_IMAGE;
}

std::string file(const std::string& name) {
    std::ifstream stream(std::string(CUPRUM_TEST_DATA_FOLDER "/fat_binaries/") + name, std::ios::binary);
    EXPECT_TRUE(stream) << name;
    return {std::istreambuf_iterator<char>(stream), {}};
}

template <class T>
std::string with(std::string image, size_t place, T value) {
    std::memcpy(image.data() + place, &value, sizeof(value));
    return image;
}

class Images : public testing::Test {
protected:
    Images() : load("cuLibraryLoadData") {
        loads = 0;
        reads_beyond_the_end = 0;
    }

    // Whether the driver is given it.
    bool reaches_the_driver(CodeType type, const std::string& image) {
        const int before = loads;
        size_given = image.size();
        const ObjectCode code = type == CodeType::cubin    ? ObjectCode::from_cubin(image)
                                : type == CodeType::fatbin ? ObjectCode::from_fatbin(image)
                                                           : ObjectCode::from_ptx(image);
        try {
            static_cast<void>(code.handle());
        } catch (const InvalidArgument& error) {
            detail = error.detail();
        } catch (const Error&) {
            // The driver's own.
        }
        return loads > before;
    }
    std::string reason(CodeType type, const std::string& image) {
        return reaches_the_driver(type, image) ? "the driver was given it" : detail;
    }

    FakeDriver driver;
    struct Loading {
        explicit Loading(const char* name) : replaced(bindings::driver::library(), name, &load_trustingly) {}
        bindings::TableOverride replaced;
    } load;
    std::string detail;
    const std::string cubin = file("add_one.cubin");
    const std::string fat_binary = file("stored.fatbin");
    struct Named {
        const char* name;
        CodeType type;
        std::string bytes;
    };
    const std::vector<Named> all{{"cubin", CodeType::cubin, cubin},
                                 {"fat binary", CodeType::fatbin, fat_binary},
                                 {"LZ4", CodeType::fatbin, file("lz4.fatbin")},
                                 {"Zstandard", CodeType::fatbin, file("zstd.fatbin")},
                                 {"one cubin", CodeType::fatbin, file("machine_code_only.fatbin")},
                                 {"PTX", CodeType::ptx, file("add_one.ptx")}};
};

TEST_F(Images, ThatAreWholeReachTheDriver) {
    for (const Named& image : all)
        EXPECT_TRUE(reaches_the_driver(image.type, image.bytes)) << image.name << ": " << detail;
    EXPECT_TRUE(reaches_the_driver(CodeType::cubin, file("add_one.ptx"))) << "a driver takes PTX as well: " << detail;
    EXPECT_EQ(reads_beyond_the_end, 0);
}

TEST_F(Images, CutAnywhereDoNot) {
    for (const Named& image : all) {
        if (image.type == CodeType::ptx) continue;  // text may end anywhere
        for (size_t length = 1; length < image.bytes.size(); ++length) {
            ASSERT_THAT(reason(image.type, image.bytes.substr(0, length)),
                        HasSubstr(std::to_string(length) + (length == 1 ? " byte" : " bytes")))
                << image.name;
        }
    }
}

TEST_F(Images, ThatHaveGrownDo) {
    for (const Named& image : all)
        EXPECT_TRUE(reaches_the_driver(image.type, image.bytes + std::string(100, '\0'))) << image.name << detail;
    EXPECT_EQ(reads_beyond_the_end, 0);
}

TEST_F(Images, ChangedAtAnyByteSendNoReaderBeyondTheirEnd) {
    for (const Named& image : all) {
        for (size_t at = 0; at < image.bytes.size(); ++at) {
            for (const int change : {0x01, 0x02, 0x04, 0x08, 0x10, 0x20, 0x40, 0x80, 0xff}) {
                reaches_the_driver(image.type, with(image.bytes, at, static_cast<char>(image.bytes[at] ^ change)));
                ASSERT_EQ(reads_beyond_the_end, 0) << image.name << ": byte " << at << " changed by " << change;
            }
        }
    }
    EXPECT_GT(loads, 1000) << "nothing reached the driver";
}

// Every number of 8 bytes within an image, as large as can be and so that sums wrap around.
TEST_F(Images, WithNumbersThatWrapAroundSendNoReaderBeyondTheirEnd) {
    for (const Named& image : all) {
        for (size_t at = 0; at + sizeof(uint64_t) <= image.bytes.size(); at += 4) {
            for (const uint64_t value : {UINT64_MAX, UINT64_MAX - 63, uint64_t{1} << 63, UINT64_MAX - at}) {
                reaches_the_driver(image.type, with(image.bytes, at, value));
                ASSERT_EQ(reads_beyond_the_end, 0) << image.name << ": byte " << at << " is " << value;
            }
        }
    }
}

TEST_F(Images, AreRefusedWithTheirKindAndWhatIsWrong) {
    EXPECT_THAT(reason(CodeType::cubin, cubin.substr(0, 40)),
                AllOf(HasSubstr("the cubin is cut short"), HasSubstr("the ELF header"), HasSubstr("40 bytes given"),
                      HasSubstr("64 expected")));
    EXPECT_THAT(reason(CodeType::cubin, cubin.substr(0, cubin.size() - 1)),
                HasSubstr("3239 bytes given, 3240 expected"));
    EXPECT_THAT(reason(CodeType::fatbin, fat_binary.substr(0, fat_binary.size() - 1)),
                AllOf(HasSubstr("the fat binary is cut short"), HasSubstr("4679 bytes given, 4680 expected")));
    // The header says that more follows than does.
    EXPECT_THAT(reason(CodeType::fatbin, with(fat_binary, 8, uint64_t{1} << 30)), HasSubstr("1073741840 expected"));
    EXPECT_THAT(reason(CodeType::fatbin, with(fat_binary, 16 + 8, uint64_t{5000})), HasSubstr("entry 1"));
    // The cubin in the third entry.
    EXPECT_THAT(reason(CodeType::fatbin, with(fat_binary, 1376 + 64 + 40, uint64_t{4000})),
                HasSubstr("the cubin in entry 3 of the fat binary is cut short"));
    EXPECT_THAT(reason(CodeType::ptx, std::string(".version 7.0\0.target", 20)), HasSubstr("NUL at byte 12 of 20"));
    EXPECT_THAT(reason(CodeType::ptx, cubin), HasSubstr("expected PTX, and it is a cubin"));
    EXPECT_THAT(reason(CodeType::ptx, fat_binary), HasSubstr("expected PTX, and it is a fat binary"));
    EXPECT_THAT(reason(CodeType::fatbin, with(std::string(24, '\0'), 0, 0x466243b1)), HasSubstr("wrapper"));
    EXPECT_THAT(reason(CodeType::cubin, with(std::string(24, '\0'), 0, 0x7f4e43ed)), HasSubstr("LTO-IR"));
    EXPECT_THAT(reason(CodeType::cubin, "this is no cubin"), HasSubstr("expected a cubin, and the 16 bytes given"));
}

// Sections that lie upon each other, each with all symbols: time in proportion to the sections times the symbols.
TEST_F(Images, WithOverlappingSymbolsAreRefusedAtOnce) {
    constexpr uint64_t sections = 20'000, symbols = 40'000;
    Elf64_Ehdr header{};
    std::memcpy(header.e_ident,
                "\x7f"
                "ELF\x02\x01\x01",
                7);
    header.e_shoff = sizeof(header);
    header.e_shnum = sections;
    header.e_shentsize = sizeof(Elf64_Shdr);
    header.e_shstrndx = 1;
    const uint64_t data = sizeof(header) + sections * sizeof(Elf64_Shdr);
    std::string image(reinterpret_cast<const char*>(&header), sizeof(header));
    for (uint64_t i = 0; i < sections; ++i) {
        Elf64_Shdr section{};
        section.sh_type = i == 0 ? SHT_NULL : i == 1 ? SHT_STRTAB : SHT_SYMTAB;
        section.sh_offset = data;
        section.sh_size = symbols * sizeof(Elf64_Sym);
        section.sh_link = 1;
        section.sh_entsize = sizeof(Elf64_Sym);
        image.append(reinterpret_cast<const char*>(&section), sizeof(section));
    }
    image.append(symbols * sizeof(Elf64_Sym), '\0');
    EXPECT_THAT(reason(CodeType::cubin, image), HasSubstr("symbols overlap"));
}

}  // namespace
}  // namespace cuprum::core
