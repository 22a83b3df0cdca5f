// Finding fat binaries in host objects and static libraries.
#include "image/host_object.hpp"

#include <gmock/gmock.h>

#include "files.hpp"
#include "image/elf.hpp"

namespace cuprum::simulator::image {
namespace {

using testing::IsEmpty;

// An object file with one section.
std::string object(const std::string& section, const std::string& bytes) {
    const std::string names = std::string("\0", 1) + section + '\0';
    ElfHeader header{};
    std::memcpy(header.identification, elf_magic.data(), elf_magic.size());
    header.section_headers = sizeof header;
    header.section_header_size = sizeof(ElfSection);
    header.section_header_count = 3;
    header.name_section = 1;
    ElfSection sections[3] = {};
    sections[1].offset = sizeof header + sizeof sections;
    sections[1].size = names.size();
    sections[2].name = 1;
    sections[2].offset = sections[1].offset + names.size();
    sections[2].size = bytes.size();
    std::string file(reinterpret_cast<const char*>(&header), sizeof header);
    file.append(reinterpret_cast<const char*>(sections), sizeof sections);
    return file + names + bytes;
}

std::string member(const std::string& name, const std::string& bytes) {
    std::string header(60, ' ');
    header.replace(0, name.size() + 1, name + "/");
    const std::string size = std::to_string(bytes.size());
    header.replace(48, size.size(), size);
    return header + bytes + (bytes.size() % 2 == 1 ? "\n" : "");
}

TEST(HostObjectTest, TheFatBinariesOfASectionAreFoundOneByOne) {
    const std::string first = file("lz4.fatbin"), second = file("zstd.fatbin");
    const std::string host = object(".nv_fatbin", first + second);
    const std::vector<EmbeddedFatBinary> found = embedded_fat_binaries(host);
    ASSERT_EQ(found.size(), 2u);
    EXPECT_EQ(found[0].bytes, first);
    EXPECT_EQ(found[1].bytes, second);
}

TEST(HostObjectTest, RelocatableCodeIsFound) {
    const std::string host = object("__nv_relfatbin", file("lz4.fatbin"));
    EXPECT_EQ(embedded_fat_binaries(host).size(), 1u);
}

TEST(HostObjectTest, MembersOfALibraryAreNamed) {
    const std::string library =
        "!<arch>\n" + member("none.o", "odd") + member("some.o", object(".nv_fatbin", file("lz4.fatbin")));
    ASSERT_TRUE(is_library(library));
    const std::vector<EmbeddedFatBinary> found = embedded_fat_binaries(library);
    ASSERT_EQ(found.size(), 1u);
    EXPECT_EQ(found[0].member, "some.o");
    EXPECT_EQ(found[0].bytes, file("lz4.fatbin"));
}

TEST(HostObjectTest, OtherFilesHaveNone) {
    EXPECT_THAT(embedded_fat_binaries(""), IsEmpty());
    EXPECT_THAT(embedded_fat_binaries(file("lz4.fatbin")), IsEmpty());
    EXPECT_THAT(embedded_fat_binaries(object(".text", file("lz4.fatbin"))), IsEmpty());
}

TEST(HostObjectTest, CutFilesNeverCrash) {
    const std::string library = "!<arch>\n" + member("a.o", object(".nv_fatbin", file("lz4.fatbin")));
    for (size_t size = 0; size < library.size(); ++size)
        EXPECT_THAT(embedded_fat_binaries(library.substr(0, size)), IsEmpty()) << size;
}

}  // namespace
}  // namespace cuprum::simulator::image
