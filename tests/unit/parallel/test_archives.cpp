// Saved builds of which nothing is true: whatever numbers they hold, loading ends soon, takes no memory beyond theirs,
// and throws.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/resource.h>

#include <chrono>
#include <cstring>
#include <random>
#include <string>
#include <string_view>

#include "cuprum/parallel/algorithm.hpp"
#include "cuprum/pathfinder/error.hpp"

namespace cuprum::parallel {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

std::string number(uint64_t value) {
    std::string bytes(sizeof(value), '\0');
    std::memcpy(bytes.data(), &value, sizeof(value));
    return bytes;
}
std::string text(std::string_view value) {
    return number(value.size()).append(value);
}

// FNV-1a, as archives have it.
uint64_t checksum(std::string_view bytes) {
    uint64_t hash = 0xcbf29ce484222325;
    for (const char byte : bytes)
        hash = (hash ^ static_cast<unsigned char>(byte)) * 0x100000001b3;
    return hash;
}

// With a right checksum: nothing but the body is wrong.
std::string archive(const std::string& body) {
    return "cuprum builds 2\n" + text(CUPRUM_TEST_VERSION) + number(checksum(body)) + text(body);
}

constexpr uint64_t ptx = 1, cubin = 2;
std::string build(std::string_view architecture = "sm_75", uint64_t type = ptx, std::string_view key = "key",
                  uint64_t codes = 1) {
    std::string bytes = text(architecture) + number(type) + text(key) + number(1) + text("kernel<int>") +
                        text("_Z6kernel") + number(codes);
    for (uint64_t i = 0; i < codes; ++i)
        bytes += text(".version 7.0");
    return bytes + number(2) + number(256) + number(4);
}

std::string reason(const std::string& bytes) {
    try {
        load_builds(bytes);
    } catch (const InvalidArgument& error) {
        return error.detail();
    }
    return "taken";
}

// KiB at its highest so far.
long peak_memory() {
    rusage usage{};
    getrusage(RUSAGE_SELF, &usage);
    return usage.ru_maxrss;
}

TEST(Archive, OfTwoBuildsIsLoaded) {
    EXPECT_THAT(load_builds(archive(number(2) + build() + build("sm_90", cubin))), ElementsAre("compute_75", "sm_90"));
}

TEST(Archive, OfABuildWithACodeForEachKernelIsLoaded) {
    EXPECT_THAT(load_builds(archive(number(1) + build("sm_90", cubin, "apart", 3))), ElementsAre("sm_90"));
}

TEST(Archive, WithACountThatItCannotHoldTakesNoMemoryForIt) {
    const long before = peak_memory();
    for (const uint64_t count : {uint64_t{3}, uint64_t{1} << 24, uint64_t{1} << 40, UINT64_MAX}) {
        EXPECT_THAT(reason(archive(number(count) + build() + build())), HasSubstr("end too early")) << count;
        const std::string names = text("sm_75") + number(ptx) + text("key") + number(count);
        EXPECT_THAT(reason(archive(number(1) + names)), HasSubstr("end too early")) << count;
        const std::string codes = names.substr(0, names.size() - 8) + number(0) + number(count);
        EXPECT_THAT(reason(archive(number(1) + codes + text("code"))), HasSubstr("end too early")) << count;
        const std::string constants = codes.substr(0, codes.size() - 8) + number(1) + text("code") + number(count);
        EXPECT_THAT(reason(archive(number(1) + constants + number(1))), HasSubstr("end too early")) << count;
    }
    EXPECT_LT(peak_memory() - before, 64 * 1024);
}

TEST(Archive, WithWhatIsNoBuildIsRefused) {
    EXPECT_THAT(reason(archive(number(1) + build("sm_75", 7))), HasSubstr("neither cubin nor PTX"));
    EXPECT_THAT(reason(archive(number(1) + build("sm_75", UINT64_MAX))), HasSubstr("neither cubin nor PTX"));
    for (const char* const name : {"", "sm_", "sm_x", "75", "sm_0", "sm_-75", "sm_75x", "sm_99999999999"})
        EXPECT_THAT(reason(archive(number(1) + build(name))), HasSubstr("architecture")) << name;
    EXPECT_THAT(reason(archive(number(1) + build() + "x")), HasSubstr("behind the last build"));
    EXPECT_THAT(reason(archive(number(1) + build("sm_75", ptx, "key", 0))), HasSubstr("no code"));
}

TEST(Archive, OfManyArchitecturesIsLoadedInTimeInProportion) {
    std::string body = number(50'000);
    for (int i = 1; i <= 50'000; ++i)
        body += build("sm_" + std::to_string(i), ptx, "many");
    const auto start = std::chrono::steady_clock::now();
    EXPECT_EQ(load_builds(archive(body)).size(), 50'000U);
    EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(5));
}

TEST(Archive, CutGrownOrChangedAtAnyByteNeverDoesHarm) {
    const std::string body = number(2) + build() + build("sm_90", cubin);
    const std::string whole = archive(body);
    for (size_t length = 0; length < whole.size(); ++length)
        EXPECT_NE(reason(whole.substr(0, length)), "taken") << length;
    EXPECT_NE(reason(whole + '\0'), "taken");
    for (size_t at = 0; at < whole.size(); ++at) {
        for (const int change : {1, 0x80, 0xff}) {
            std::string changed = whole;
            changed[at] = static_cast<char>(changed[at] ^ change);
            try {
                load_builds(changed);
                FAIL() << "byte " << at << " is not looked at";
            } catch (const Error&) {
                // Damaged, or of another version.
            }
        }
    }
    // With a right checksum: the body itself is read.
    for (size_t length = 0; length < body.size(); ++length)
        EXPECT_NE(reason(archive(body.substr(0, length))), "taken") << length;
    for (size_t at = 0; at < body.size(); ++at) {
        for (int value = 0; value < 256; ++value) {
            std::string changed = body;
            changed[at] = static_cast<char>(value);
            reason(archive(changed));
        }
    }
}

}  // namespace
}  // namespace cuprum::parallel
