// UTF-8, JSON, half precision, compile options: what the C ABI does to values on their way in and out.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <random>
#include <string>
#include <vector>

#include "float16.hpp"
#include "json_writer.hpp"
#include "program_options.hpp"
#include "utf8.hpp"

namespace cuprum::capi {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

TEST(Utf8Test, WellFormedTextIsLeftAlone) {
    for (const std::string text : {"", "plain", "\xC3\xA9", "\xE2\x82\xAC", "\xF0\x9F\x98\x80", "\xED\x9F\xBF",
                                   "\xEE\x80\x80", "\xF4\x8F\xBF\xBF"}) {
        EXPECT_TRUE(is_utf8(text)) << text;
        EXPECT_EQ(to_utf8(text), text);
    }
}

TEST(Utf8Test, EveryStrayByteIsReplaced) {
    const std::string replacement = "\xEF\xBF\xBD";
    EXPECT_EQ(to_utf8("a\xFF"
                      "b"),
              "a" + replacement + "b");
    EXPECT_EQ(to_utf8("\xC3"), replacement) << "cut short";
    EXPECT_EQ(to_utf8("\xE2\x82"), replacement + replacement);
    EXPECT_FALSE(is_utf8("\xC0\x80")) << "overlong";
    EXPECT_FALSE(is_utf8("\xE0\x9F\xBF")) << "overlong";
    EXPECT_FALSE(is_utf8("\xF0\x8F\xBF\xBF")) << "overlong";
    EXPECT_FALSE(is_utf8("\xED\xA0\x80")) << "a surrogate";
    EXPECT_FALSE(is_utf8("\xF4\x90\x80\x80")) << "beyond U+10FFFF";
    EXPECT_FALSE(is_utf8("\x80"));
}

TEST(Utf8Test, AnyBytesBecomeWellFormed) {
    std::mt19937 random(7);
    for (int round = 0; round < 2000; ++round) {
        std::string bytes;
        for (int index = 0; index < 12; ++index) {
            bytes += static_cast<char>(random() % 256);
        }
        ASSERT_TRUE(is_utf8(to_utf8(bytes)));
    }
}

TEST(JsonTest, StringsAreEscaped) {
    EXPECT_EQ(json_string("a\"b\\c\n\t\r\x01"), "\"a\\\"b\\\\c\\n\\t\\u000d\\u0001\"");
    EXPECT_EQ(json_string("\xC3\xA9"), "\"\xC3\xA9\"");
    EXPECT_EQ(json_string("\xE9"), "\"\xEF\xBF\xBD\"");
}

TEST(JsonTest, MembersAndElementsAreSeparatedByCommas) {
    JsonWriter json;
    json.begin_object();
    json.key("list");
    json.begin_array();
    json.number(int32_t{-1});
    json.number(uint64_t{0xFFFFFFFF00000001});
    json.begin_object();
    json.end_object();
    json.end_array();
    json.member("text", "x");
    json.key("flag");
    json.boolean(true);
    json.end_object();
    EXPECT_EQ(json.get(), R"({"list":[-1,18446744069414584321,{}],"text":"x","flag":true})");
}

double from_float16(uint16_t half) {
    const int exponent = half >> 10 & 0x1F;
    const double fraction = half & 0x3FF;
    const double magnitude = exponent == 0 ? std::ldexp(fraction, -24) : std::ldexp(1024 + fraction, exponent - 25);
    return (half & 0x8000) != 0 ? -magnitude : magnitude;
}

TEST(Float16Test, EveryFiniteHalfSurvivesTheRoundTrip) {
    for (uint32_t half = 0; half <= 0xFFFF; ++half) {
        if ((half & 0x7C00) != 0x7C00) {
            ASSERT_EQ(to_float16(from_float16(static_cast<uint16_t>(half))), half);
        }
    }
}

TEST(Float16Test, RoundsToTheNearestWithTiesToEven) {
    for (uint16_t half = 0; half < 0x7BFF; ++half) {
        const double low = from_float16(half);
        const double high = from_float16(static_cast<uint16_t>(half + 1));
        const double middle = (low + high) / 2;
        const auto even = static_cast<uint16_t>((half & 1) == 0 ? half : half + 1);
        ASSERT_EQ(to_float16(middle), even) << std::hex << half;
        ASSERT_EQ(to_float16(std::nextafter(middle, 0)), half) << std::hex << half;
        ASSERT_EQ(to_float16(std::nextafter(middle, 1e9)), half + 1) << std::hex << half;
        ASSERT_EQ(to_float16(-middle), even | 0x8000) << std::hex << half;
    }
}

TEST(Float16Test, TheEndsOfTheRange) {
    EXPECT_EQ(to_float16(65519.999), 0x7BFF);
    EXPECT_EQ(to_float16(65520), 0x7C00);
    EXPECT_EQ(to_float16(1e300), 0x7C00);
    EXPECT_EQ(to_float16(std::ldexp(1, -25)), 0) << "half of the smallest, a tie";
    EXPECT_EQ(to_float16(std::nextafter(std::ldexp(1, -25), 1)), 1);
    EXPECT_EQ(to_float16(5e-324), 0);
    EXPECT_EQ(to_float16(-0.0), 0x8000);
}

TEST(ProgramOptionsTest, EveryFormOfAnIncludeFolderIsRecognised) {
    const std::vector<std::string> given = {"-I/a",           "-I /b", "-I=/c", "-I", "/d", "--include-path=/e",
                                            "--include-path", "/f"};
    const core::ProgramOptions options = parse_options(given);
    EXPECT_THAT(options.include_path, ElementsAre("/a", "/b", "/c", "/d", "/e", "/f"));
    EXPECT_THAT(options.extra_options, IsEmpty());
}

TEST(ProgramOptionsTest, ArchitectureAndStandardStandInForTheDefaults) {
    for (const std::vector<std::string>& given : std::vector<std::vector<std::string>>{
             {"-arch=sm_90", "-std=c++20"},
             {"--gpu-architecture=sm_90", "--std=c++20"},
             {"-arch", "sm_90", "-std=c++20"},
             {"--gpu-architecture", "sm_90", "--std=c++20"},
             {"-arch=sm_75", "-arch=sm_90", "-std=c++14", "-std=c++20"},
         }) {
        const core::ProgramOptions options = parse_options(given);
        EXPECT_EQ(options.arch, "sm_90");
        EXPECT_EQ(options.std, "c++20");
        EXPECT_THAT(options.extra_options, IsEmpty());
    }
}

TEST(ProgramOptionsTest, AllOthersArePassedOnInTheirOrder) {
    const std::vector<std::string> given = {"-DN=4", "--use_fast_math", "-architecture", "-I", ""};
    const core::ProgramOptions options = parse_options(std::span(given).first(4));
    EXPECT_THAT(options.extra_options, ElementsAre("-DN=4", "--use_fast_math", "-architecture", "-I"));
    EXPECT_EQ(options.arch, core::ProgramOptions().arch);
    EXPECT_EQ(options.std, core::ProgramOptions().std);
}

}  // namespace
}  // namespace cuprum::capi
