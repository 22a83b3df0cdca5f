// Reading fat binaries.
#include "image/fat_binary.hpp"

#include <gmock/gmock.h>

#include <random>

#include "files.hpp"

namespace cuprum::simulator::image {
namespace {

std::vector<FatEntry> entries_of(const std::string& bytes) {
    const auto entries = fat_binary_entries(bytes);
    EXPECT_TRUE(entries);
    return entries.value_or(std::vector<FatEntry>());
}

// fatbinary drops comments and tabs, and pads what it stores.
std::string without_layout(const std::string& text) {
    std::string kept;
    for (size_t begin = 0; begin < text.size(); begin = text.find('\n', begin) + 1) {
        std::string line = text.substr(begin, text.find('\n', begin) - begin);
        line = line.substr(0, std::min(line.find("//"), line.find('\0')));
        std::erase_if(line, [](char letter) { return letter == '\t' || letter == ' '; });
        kept += line;
        if (text.find('\n', begin) == std::string::npos) break;
    }
    return kept;
}

std::string text_of(const FatEntry& entry) {
    const Decompressed content = entry.bytes();
    EXPECT_EQ(content.error, "");
    return without_layout(content.bytes);
}

TEST(FatBinaryTest, EntriesHaveKindAndArchitecture) {
    const std::string bytes = file("stored.fatbin");
    const std::vector<FatEntry> entries = entries_of(bytes);
    ASSERT_EQ(entries.size(), 3u);
    EXPECT_EQ(entries[0].kind, FatEntryKind::ptx);
    EXPECT_EQ(entries[0].architecture, 75u);
    EXPECT_EQ(entries[1].architecture, 90u);
    EXPECT_EQ(entries[2].kind, FatEntryKind::machine_code);
    EXPECT_EQ(entries[2].architecture, 80u);
}

TEST(FatBinaryTest, AllKindsOfCompressionGiveTheSameText) {
    const std::string expected = without_layout(file("add_one.ptx"));
    ASSERT_NE(expected, "");
    const std::pair<const char*, Compression> files[] = {
        {"stored.fatbin", Compression::none}, {"lz4.fatbin", Compression::lz4}, {"zstd.fatbin", Compression::zstd}};
    for (const auto& [name, compression] : files) {
        const std::string bytes = file(name);
        const std::vector<FatEntry> entries = entries_of(bytes);
        ASSERT_FALSE(entries.empty());
        EXPECT_EQ(entries[0].compression, compression) << name;
        EXPECT_EQ(text_of(entries[0]), expected) << name;
    }
}

TEST(FatBinaryTest, CompressedMachineCodeIsReadToo) {
    const std::string bytes = file("zstd.fatbin");
    EXPECT_EQ(entries_of(bytes).at(1).bytes().bytes, file("add_one.cubin"));
}

TEST(FatBinaryTest, TheNewestCodeThatTheDeviceRunsIsTheBest) {
    const std::string bytes = file("stored.fatbin");
    const std::vector<FatEntry> entries = entries_of(bytes);
    EXPECT_EQ(best_entry(entries, FatEntryKind::ptx, 80), &entries[0]);
    EXPECT_EQ(best_entry(entries, FatEntryKind::ptx, 90), &entries[1]);
    EXPECT_EQ(best_entry(entries, FatEntryKind::ptx, 70), nullptr);
    EXPECT_EQ(best_entry(entries, FatEntryKind::lto_ir, 90), nullptr);
    EXPECT_EQ(best_entry(entries, FatEntryKind::machine_code, 89), &entries[2]);
    EXPECT_EQ(best_entry(entries, FatEntryKind::machine_code, 90), nullptr) << "of another major architecture";
}

TEST(FatBinaryTest, CutFilesAreRefused) {
    const std::string bytes = file("zstd.fatbin");
    for (size_t size = 0; size < bytes.size(); ++size)
        EXPECT_FALSE(fat_binary_entries(bytes.substr(0, size))) << size;
}

TEST(FatBinaryTest, DamagedBytesNeverCrash) {
    std::mt19937 random(20261121);
    for (const char* const name : {"stored.fatbin", "lz4.fatbin", "zstd.fatbin"}) {
        const std::string bytes = file(name);
        for (int round = 0; round < 500; ++round) {
            std::string damaged = bytes;
            for (int count = 0; count < 4; ++count)
                damaged[random() % damaged.size()] = static_cast<char>(random());
            const auto entries = fat_binary_entries(damaged);
            if (!entries) continue;
            for (const FatEntry& entry : *entries) {
                const Decompressed content = entry.bytes();
                EXPECT_TRUE(content.error.empty() || content.bytes.empty());
            }
        }
    }
}

TEST(FatBinaryTest, AnIncredibleSizeIsNotAllocated) {
    EXPECT_NE(decompress("four", size_t{1} << 40, Compression::zstd).error, "");
}

}  // namespace
}  // namespace cuprum::simulator::image
