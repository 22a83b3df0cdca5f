// What the profile counts, line by line.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <sstream>

#include "engine/checks/profile.hpp"
#include "simulated_device.hpp"

namespace cuprum::simulator::test {
namespace {

using testing::HasSubstr;
using testing::Not;

// Of a line of the table: its numbers, in the order of the columns.
struct Row {
    uint64_t instructions = 0, active = 0, divergent = 0, bytes = 0, more_sectors = 0, conflicts = 0;
    friend bool operator==(const Row&, const Row&) = default;
};
std::ostream& operator<<(std::ostream& out, const Row& row) {
    return out << row.instructions << ' ' << row.active << " % " << row.divergent << ' ' << row.bytes << ' '
               << row.more_sectors << ' ' << row.conflicts;
}

// Runs one kernel of this name, whose parameter is a buffer of 4096 words, with %r0 the thread's number.
void run(const std::string& name, const std::string& body, uint32_t threads = 32, uint32_t blocks = 1) {
    DeviceModel model;
    model.worker_threads = 2;
    model.checks.profile = true;
    SimulatedDevice device(model);
    device.load(
        ".version 7.0\n.target sm_80\n.address_size 64\n.file 1 \"" + name + ".cu\"\n.visible .entry " + name +
        "(.param .u64 p)\n{\n.reg .pred %p<4>; .reg .b32 %r<9>; .reg .b64 %d<9>; .shared .align 16 .b8 s[8192];\n"
        ".loc 1 1 0\nmov.u32 %r0, %tid.x; ld.param.u64 %d0, [p];\n" +
        body + "\n.loc 1 99 0\nret;\n}\n");
    const auto fault =
        device.launch(name, {{blocks}, {threads}}, Arguments(device.upload(std::vector<uint32_t>(4096))));
    if (fault) throw std::runtime_error(fault->message);
}

Row row_of(const std::string& kernel, const std::string& place) {
    std::istringstream table(profile_table());
    bool inside = false;
    for (std::string line; std::getline(table, line);) {
        if (line.starts_with("kernel ")) inside = line == "kernel '" + kernel + "'";
        if (!inside || !line.ends_with("  " + place)) continue;
        std::istringstream numbers(line);
        std::string percent;
        Row row;
        numbers >> row.instructions >> row.active >> percent >> row.divergent >> row.bytes >> row.more_sectors >>
            row.conflicts;
        return row;
    }
    throw std::runtime_error("no line " + place + " of " + kernel + "\n" + profile_table());
}

TEST(Profile, CountsInstructionsOfEachLineAndTheirLanes) {
    run("lines",
        ".loc 1 5 0\nsetp.lt.u32 %p0, %r0, 8; add.u32 %r1, %r0, 1;\n"
        ".loc 1 6 0\n@%p0 add.u32 %r1, %r1, 1;",
        64, 3);
    EXPECT_EQ(row_of("lines", "lines.cu:5"), (Row{12, 100, 0, 0, 0, 0}));
    EXPECT_EQ(row_of("lines", "lines.cu:6"), (Row{6, 13, 0, 0, 0, 0}));  // 8 of the 64 lanes of a block
}

TEST(Profile, CountsBranchesThatSomeLanesTake) {
    run("branches",
        "setp.lt.u32 %p0, %r0, 8; setp.lt.u32 %p1, %r0, 99;\n.loc 1 7 0\n@%p0 bra A;\n.loc 1 8 0\nmov.u32 %r1, 1; A:\n"
        ".loc 1 9 0\n@%p1 bra B; B:");
    EXPECT_EQ(row_of("branches", "branches.cu:7"), (Row{1, 25, 1, 0, 0, 0}));
    EXPECT_EQ(row_of("branches", "branches.cu:8"), (Row{1, 75, 0, 0, 0, 0}));
    EXPECT_EQ(row_of("branches", "branches.cu:9").divergent, 0u);
}

TEST(Profile, CountsSectorsThatAccessesOfGlobalMemoryTouchInVain) {
    run("sectors",
        "mul.wide.u32 %d1, %r0, 4; add.u64 %d1, %d0, %d1;\n.loc 1 3 0\nld.global.u32 %r1, [%d1];\n"
        "mul.wide.u32 %d1, %r0, 32; add.u64 %d1, %d0, %d1;\n.loc 1 4 0\nld.global.u32 %r1, [%d1];\n"
        ".loc 1 5 0\nst.global.u32 [%d0], %r1;\n"
        ".loc 1 6 0\nld.global.v4.u32 {%r1, %r2, %r3, %r4}, [%d0+16];");
    EXPECT_EQ(row_of("sectors", "sectors.cu:4"), (Row{1, 100, 0, 128, 28, 0}));  // 32 sectors, where 4 would do
    EXPECT_EQ(row_of("sectors", "sectors.cu:5"), (Row{1, 100, 0, 128, 0, 0}));
    EXPECT_EQ(row_of("sectors", "sectors.cu:6"), (Row{1, 100, 0, 512, 0, 0}));
    EXPECT_EQ(row_of("sectors", "sectors.cu:3").bytes, 128u);
    EXPECT_EQ(row_of("sectors", "sectors.cu:3").more_sectors, 0u);
}

TEST(Profile, CountsConflictsOfBanks) {
    run("banks",
        "mul.lo.u32 %r1, %r0, 4; mov.u32 %r2, s; add.u32 %r1, %r1, %r2;\n"
        ".loc 1 3 0\nst.shared.u32 [%r1], %r0;\n"
        ".loc 1 4 0\nld.shared.u32 %r3, [s];\n.loc 1 1 0\n"
        "mul.lo.u32 %r1, %r0, 128; add.u32 %r1, %r1, %r2;\n.loc 1 5 0\nst.shared.u32 [%r1], %r0;\n.loc 1 1 0\n"
        "mul.lo.u32 %r1, %r0, 8; add.u32 %r1, %r1, %r2;\n.loc 1 6 0\nld.shared.u32 %r3, [%r1];\n"
        ".loc 1 7 0\nld.shared.v2.u32 {%r3, %r4}, [%r1];\n.loc 1 1 0\n"
        "cvt.u64.u32 %d1, %r1; cvta.shared.u64 %d1, %d1;\n.loc 1 8 0\nld.u32 %r3, [%d1];");
    EXPECT_EQ(row_of("banks", "banks.cu:3").conflicts, 0u);
    EXPECT_EQ(row_of("banks", "banks.cu:4").conflicts, 0u);   // one word for all
    EXPECT_EQ(row_of("banks", "banks.cu:5").conflicts, 31u);  // all of one bank
    EXPECT_EQ(row_of("banks", "banks.cu:6").conflicts, 1u);
    EXPECT_EQ(row_of("banks", "banks.cu:7").conflicts, 0u);
    EXPECT_EQ(row_of("banks", "banks.cu:8"), (Row{1, 100, 0, 128, 0, 1}));  // a generic address is one of either
}

TEST(Profile, WithoutLinesOfASourceThoseOfThePtxAreCounted) {
    DeviceModel model;
    model.checks.profile = true;
    SimulatedDevice device(model);
    device.load(
        ".version 7.0\n.target sm_80\n.address_size 64\n.visible .entry plain()\n{\n.reg .b32 %r;\nmov.u32 %r, 1;"
        "\nret;\n}\n");
    ASSERT_FALSE(device.launch("plain", {{1}, {32}}, Arguments()).has_value());
    EXPECT_EQ(row_of("plain", "PTX:7"), (Row{1, 100, 0, 0, 0, 0}));
    EXPECT_THAT(profile_page(), HasSubstr("mov.u32 %r, 1;"));
}

TEST(Profile, ThePageHasTheSourceBesideTheNumbersAndSaysWhatTheyAre) {
    const std::string file = testing::TempDir() + "page";
    std::ofstream(file + ".cu") << "first\nif (a < b) second\nthird\n";
    DeviceModel model;
    model.checks.profile = true;
    SimulatedDevice device(model);
    device.load(".version 7.0\n.target sm_80\n.address_size 64\n.file 1 \"" + file +
                ".cu\"\n.visible .entry page()\n{\n.reg .b32 %r;\n.loc 1 2 0\nmov.u32 %r, 1; ret;\n}\n");
    ASSERT_FALSE(device.launch("page", {{1}, {32}}, Arguments()).has_value());
    EXPECT_THAT(profile_page(),
                HasSubstr("0.60)\">2</td><td style=\"background: rgba(0, 90, 220, 0.00)\">100&#8239;%</td>"));
    EXPECT_THAT(profile_page(), HasSubstr("if (a &lt; b) second"));
    EXPECT_THAT(profile_page(), HasSubstr("not times"));
    EXPECT_THAT(profile_page(), HasSubstr("page.cu</h3>"));
}

TEST(Profile, AKernelThatHasNotRunIsNotListed) {
    DeviceModel model;
    model.checks.profile = true;
    SimulatedDevice device(model);
    device.load(".version 7.0\n.target sm_80\n.address_size 64\n.visible .entry idle()\n{\nret;\n}\n");
    EXPECT_THAT(profile_table(), Not(HasSubstr("'idle'")));
}

}  // namespace
}  // namespace cuprum::simulator::test
