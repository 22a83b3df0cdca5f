// Breakpoints, and what is shown of a warp.
#include "engine/inspection/inspector.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

#include "simulated_device.hpp"

namespace cuprum::simulator::test {
namespace {

using testing::AllOf;
using testing::ContainsRegex;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

Breakpoint at(const std::string& text) {
    std::string reason;
    const std::optional<Breakpoint> point = Breakpoint::parse(text, reason);
    if (!point) throw std::runtime_error(reason);
    return *point;
}

std::string reason_of(const std::string& text) {
    std::string reason;
    EXPECT_FALSE(Breakpoint::parse(text, reason)) << text;
    return reason;
}

// A device whose warps are looked at.
struct Inspected {
    explicit Inspected(std::optional<Breakpoint> breakpoint) {
        const auto sink = [this](const std::string& text) { shown.push_back(text); };
        model.inspector =
            breakpoint ? std::make_shared<Inspector>(*breakpoint, sink) : std::make_shared<Inspector>(sink);
        model.worker_threads = 1;
    }
    explicit Inspected(const std::string& where) : Inspected(at(where)) {}

    SimulatedDevice& device() {
        if (!made) made = std::make_unique<SimulatedDevice>(model);
        return *made;
    }
    // tests/data/ptx/debug.cu's kernel: 2 blocks of 40 threads, 75 elements, the x and y of element i are i and 100 +
    // i.
    std::optional<Fault> run_scaled(uint32_t n = 75, uint64_t x = 0) {
        device().load(read_ptx("debug.ptx"));
        std::vector<float> first(80), second(80);
        for (size_t i = 0; i < first.size(); ++i) {
            first[i] = static_cast<float>(i);
            second[i] = static_cast<float>(100 + i);
        }
        if (x == 0) x = device().upload(first);
        return device().launch("scaled", {{2}, {40}}, Arguments(3.0f, x, device().upload(second), n));
    }

    DeviceModel model;
    std::vector<std::string> shown;
    std::unique_ptr<SimulatedDevice> made;
};

// A kernel of the PTX alone: lanes 0 to 7 take a branch.
const char* const plain =
    ".version 7.0\n.target sm_80\n.address_size 64\n.visible .entry plain(.param .u64 p)\n{\n"
    ".reg .pred %p<2>; .reg .b32 %r<4>; .reg .b64 %d<2>;\n"
    "ld.param.u64 %d0, [p];\n"                                                 // line 7
    "mov.u32 %r0, %tid.x;\n"                                                   // 8
    "mad.lo.s32 %r1, %r0, 3, 5;\n"                                             // 9
    "setp.lt.u32 %p0, %r0, 8;\n"                                               // 10
    "@%p0 bra SMALL;\n"                                                        // 11
    "mov.u32 %r2, 7;\nbra DONE;\n"                                             // 12, 13
    "SMALL:\nmul.lo.s32 %r2, %r0, %r0;\n"                                      // 15
    "DONE:\nst.global.u32 [%d0], %r2;\nst.global.u32 [%d0], %r1;\nret;\n}\n";  // 17, 18, 19

TEST(Breakpoints, AreReadFromText) {
    EXPECT_EQ(at("scale").kernel, "scale");
    EXPECT_EQ(at("scale").line, 0u);
    EXPECT_EQ(at("ns::scale<float>:12").kernel, "ns::scale<float>");
    EXPECT_EQ(at("ns::scale:12").line, 12u);
    EXPECT_EQ(at("scale:a.cu:12").file, "a.cu");
    EXPECT_TRUE(at("scale:ptx:12").ptx);
    const Breakpoint point = at("scale:12@3.0.1/40");
    EXPECT_EQ(point.line, 12u);
    EXPECT_EQ(point.block->x, 3u);
    EXPECT_EQ(point.block->z, 1u);
    EXPECT_EQ(point.thread->x, 40u);
}

TEST(Breakpoints, SayWhyTheyCannotBeRead) {
    EXPECT_EQ(reason_of(""), "it names no kernel");
    EXPECT_EQ(reason_of("scale:first"), "a line is a number from 1 on");
    EXPECT_EQ(reason_of("scale:0"), "a line is a number from 1 on");
    EXPECT_THAT(reason_of("scale@first"), HasSubstr("a block is one to three numbers"));
    EXPECT_THAT(reason_of("scale/1.2.3.4"), HasSubstr("a thread is one to three numbers"));
}

TEST(Inspection, ShowsPlaceLanesAndVariablesOfTheSource) {
    Inspected run("scaled:18");
    ASSERT_FALSE(run.run_scaled());
    ASSERT_EQ(run.shown.size(), 1u);
    const std::string& text = run.shown[0];
    EXPECT_THAT(text, HasSubstr("breakpoint scaled:18\n"
                                "kernel scaled, grid (2, 1, 1) of blocks (40, 1, 1): block (0, 0, 0), warp 0\n"));
    EXPECT_THAT(text, HasSubstr("source debug.cu:18"));
    EXPECT_THAT(text, ContainsRegex("\n    0-31 +active +threads \\(0, 0, 0\\) to \\(31, 0, 0\\)\n"));
    EXPECT_THAT(text, ContainsRegex("\n    i +int +0, 1, 2 \\.\\.\\. 31\n"));
    EXPECT_THAT(text, ContainsRegex("\n    a +float +3\n"));
    EXPECT_THAT(text, ContainsRegex("\n    n +int +75\n"));
    EXPECT_THAT(text, ContainsRegex("\n    p\\.x +float +0, 1, 2 \\.\\.\\. 31\n"));
    EXPECT_THAT(text, ContainsRegex("\n    p\\.y +float +100, 101, 102 \\.\\.\\. 131\n"));
    EXPECT_THAT(text, ContainsRegex("\n    p\\.tag +int +0, 1, 2 \\.\\.\\. 31\n"));
    EXPECT_THAT(text, ContainsRegex("\n    sum +float +1, 4, 7 \\.\\.\\. 94\n"));
    EXPECT_THAT(text, ContainsRegex("\n    tile\\[0\\] +float +\\(unwritten\\)\n"));
    EXPECT_THAT(text, Not(HasSubstr("term")));  // a scope that has not begun
}

TEST(Inspection, ShowsTheCallsThatLedThereWithTheirVariables) {
    Inspected run("scaled:9");
    ASSERT_FALSE(run.run_scaled());
    ASSERT_EQ(run.shown.size(), 1u);
    EXPECT_THAT(run.shown[0], HasSubstr("    #0  scale(float, float)  debug.cu:9\n    #1  scaled  debug.cu:17\n"));
    EXPECT_THAT(run.shown[0],
                ContainsRegex("variables of scale\\(float, float\\)\n +value +float +3\n +by +float +0, 1, 2"));
    EXPECT_THAT(run.shown[0], ContainsRegex("\n    product +float +0, 3, 6 \\.\\.\\. 93\n"));
    EXPECT_THAT(run.shown[0], ContainsRegex("variables of scaled\n"));
}

TEST(Inspection, LocationsOfVariablesFollowTheProgram) {
    Inspected run("scaled:21");
    ASSERT_FALSE(run.run_scaled());
    ASSERT_EQ(run.shown.size(), 1u);
    EXPECT_THAT(run.shown[0], ContainsRegex("\n    k +int +0\n"));
    EXPECT_THAT(run.shown[0], ContainsRegex("\n    term +double +0\n"));
    EXPECT_THAT(run.shown[0], ContainsRegex("\n    tile\\[3\\] +float +2\n"));
}

TEST(Inspection, ABlockAndAThreadCanBeChosen) {
    Inspected run("scaled:18@1/33");
    ASSERT_FALSE(run.run_scaled());
    ASSERT_EQ(run.shown.size(), 1u);
    EXPECT_THAT(run.shown[0], HasSubstr("block (1, 0, 0), warp 1\n"));
    // Threads 35 to 39 of the second block have no element.
    EXPECT_THAT(run.shown[0], ContainsRegex("\n    0-2 +active +threads \\(32, 0, 0\\) to \\(34, 0, 0\\)\n"));
    EXPECT_THAT(run.shown[0],
                ContainsRegex("\n    3-7 +not running +threads \\(35, 0, 0\\) to \\(39, 0, 0\\), at PTX line"));
    EXPECT_THAT(run.shown[0], ContainsRegex("\n    i +int +72 73 74\n|\n    i +int +0-2: +72 73 74\n"));
}

TEST(Inspection, InlinedFunctionsAreCallsToo) {
    Inspected run("nested:3");
    run.device().load(read_ptx("inlined.ptx"));
    const uint64_t x = run.device().upload(std::vector<float>(32, 6)), by = run.device().upload(std::vector<float>{2});
    ASSERT_FALSE(run.device().launch("nested", {{1}, {32}}, Arguments(x, by)));
    ASSERT_EQ(run.shown.size(), 1u);
    EXPECT_THAT(run.shown[0], HasSubstr("    #0  inner(float, float const*)  inlined.cu:3 (inlined)\n"
                                        "    #1  outer(float, float const*)  inlined.cu:6 (inlined)\n"
                                        "    #2  nested  inlined.cu:10\n"));
    EXPECT_THAT(run.shown[0], ContainsRegex("registers\n"));
    EXPECT_THAT(run.shown[0], ContainsRegex("\n    %f1 +\\.f32 +6\n"));
    EXPECT_THAT(run.shown[0], ContainsRegex("\n    nested_param_0 +\\.u64 +0x"));
}

TEST(Inspection, TheLineOfAnInlinedCallIsALineOfTheKernel) {
    Inspected run("nested:10");
    run.device().load(read_ptx("inlined.ptx"));
    const uint64_t x = run.device().upload(std::vector<float>(32, 6)), by = run.device().upload(std::vector<float>{2});
    ASSERT_FALSE(run.device().launch("nested", {{1}, {32}}, Arguments(x, by)));
    EXPECT_EQ(run.shown.size(), 1u);
}

TEST(Inspection, TemplatesAreFoundByTheirBareName) {
    Inspected run("typed");
    run.device().load(read_ptx("inlined.ptx"));
    ASSERT_FALSE(run.device().launch("_Z5typedIfEvPT_", {{1}, {32}}, Arguments(run.device().allocate(128))));
    ASSERT_EQ(run.shown.size(), 1u);
    EXPECT_THAT(run.shown[0], HasSubstr("kernel void typed<float>(float*)"));
}

TEST(Inspection, PtxAloneIsShownByItsRegisters) {
    Inspected run("plain:ptx:15");
    run.device().load(plain);
    ASSERT_FALSE(run.device().launch("plain", {{1}, {32}}, Arguments(run.device().allocate(4))));
    ASSERT_EQ(run.shown.size(), 1u);
    const std::string& text = run.shown[0];
    EXPECT_THAT(text, HasSubstr("at PTX line 15 (mul.lo.s32)"));
    EXPECT_THAT(text, ContainsRegex("\n    0-7 +active"));
    EXPECT_THAT(text, ContainsRegex("\n    8-31 +not running"));
    EXPECT_THAT(text, ContainsRegex("\n    %r0 +\\.[us]32 +0, 1, 2 \\.\\.\\. 7\n"));
    EXPECT_THAT(text, ContainsRegex("\n    %r1 +\\.s32 +5, 8, 11 \\.\\.\\. 26\n"));
    EXPECT_THAT(text, Not(HasSubstr("%p0")));  // nobody reads it any more
    EXPECT_THAT(text, ContainsRegex("\n    p +\\.u64 +0x"));
}

TEST(Inspection, EachLaunchIsShownOnceAndTenAtMost) {
    Inspected run("plain");
    run.device().load(plain);
    const uint64_t memory = run.device().allocate(4);
    for (int k = 0; k < 12; ++k)
        ASSERT_FALSE(run.device().launch("plain", {{3}, {64}}, Arguments(memory)));
    ASSERT_EQ(run.shown.size(), 10u);
    EXPECT_THAT(run.shown[9], HasSubstr("further launches are not shown"));
    EXPECT_THAT(run.model.inspector->why_nothing_was_shown(), IsEmpty());
}

TEST(Inspection, NamesTheKernelsWhereThereIsNoSuchOne) {
    Inspected run("scalled:18");
    ASSERT_FALSE(run.run_scaled());
    EXPECT_THAT(run.shown, IsEmpty());
    EXPECT_EQ(
        run.model.inspector->why_nothing_was_shown(),
        "breakpoint scalled:18: the program has loaded no kernel of the name 'scalled'; it has loaded these: scaled\n");
}

TEST(Inspection, NamesTheLinesWhereThereIsNoSuchOne) {
    Inspected run("scaled:1000");
    ASSERT_FALSE(run.run_scaled());
    EXPECT_EQ(
        run.model.inspector->why_nothing_was_shown(),
        "breakpoint scaled:1000: kernel 'scaled' has no instructions at line 1000; these lines have instructions: "
        "debug.cu: 7-9, 12, 14-21, 23, 25\n");
    Inspected without("plain:12");
    without.device().load(plain);
    EXPECT_EQ(
        without.model.inspector->why_nothing_was_shown(),
        "breakpoint plain:12: kernel 'plain' has no instructions at line 12; it was compiled without line numbers "
        "(-lineinfo or -G); lines of the PTX are written plain:ptx:LINE, from 7 to 19\n");
}

TEST(Inspection, SaysThatNobodyCameThere) {
    Inspected run("scaled:18@7");
    ASSERT_FALSE(run.run_scaled());
    EXPECT_EQ(run.model.inspector->why_nothing_was_shown(),
              "breakpoint scaled:18@7: no warp of block (7, 0, 0) has come there\n");
}

TEST(Inspection, ShowsTheWarpOfAFault) {
    Inspected run(std::nullopt);
    run.model.inspector->want_faults(true);
    const std::optional<Fault> fault = run.run_scaled(75, 0x700000ffff00);
    ASSERT_TRUE(fault);
    EXPECT_THAT(fault->inspection, HasSubstr("source debug.cu:16"));
    EXPECT_THAT(fault->inspection, ContainsRegex("\n    i +int +0, 1, 2 \\.\\.\\. 31\n"));
    EXPECT_THAT(fault->inspection, ContainsRegex("\n    x +pointer +0x700000ffff00\n"));
}

TEST(Inspection, ADeadlockShowsTheFirstWarpThatWaits) {
    Inspected run(std::nullopt);
    run.model.inspector->want_faults(true);
    run.device().load(
        ".version 7.0\n.target sm_80\n.address_size 64\n.visible .entry stuck()\n{\n.reg .b32 %r<2>;\n"
        "mov.u32 %r0, %tid.x;\nbarrier.sync 0, 96;\nadd.u32 %r1, %r0, 1;\nret;\n}\n");
    const std::optional<Fault> fault = run.device().launch("stuck", {{1}, {64}}, Arguments());
    ASSERT_TRUE(fault);
    EXPECT_EQ(fault->kind, Fault::Kind::deadlock);
    EXPECT_THAT(fault->inspection, HasSubstr("warp 0\nat PTX line 8 (barrier.sync)"));
}

TEST(Inspection, WithoutIt) {
    Inspected run(std::nullopt);
    const std::optional<Fault> fault = run.run_scaled(75, 0x700000ffff00);
    ASSERT_TRUE(fault);
    EXPECT_THAT(fault->inspection, IsEmpty());
    // What is asked for later finds programs that were loaded before.
    run.model.inspector->want_faults(true);
    const std::optional<Fault> later =
        run.device().launch("scaled", {{1}, {32}}, Arguments(3.0f, uint64_t{0x700000ffff00}, uint64_t{0}, 32));
    ASSERT_TRUE(later);
    EXPECT_THAT(later->inspection, AllOf(HasSubstr("source debug.cu:16"), HasSubstr("registers: unknown")));
}

TEST(Inspection, ChangesNoResult) {
    std::vector<std::vector<float>> results;
    for (const bool inspected : {false, true}) {
        Inspected run(inspected ? std::optional(at("scaled:21")) : std::nullopt);
        run.device().load(read_ptx("debug.ptx"));
        const uint64_t x = run.device().upload(std::vector<float>(80, 5)),
                       y = run.device().upload(std::vector<float>(80, 7));
        ASSERT_FALSE(run.device().launch("scaled", {{2}, {40}}, Arguments(3.0f, x, y, 75)));
        results.push_back(run.device().download<float>(x, 80));
    }
    EXPECT_EQ(results[0], results[1]);
    EXPECT_EQ(results[0][0], 3.0f * 5 + 1 + 1.5f + 7);
}

}  // namespace
}  // namespace cuprum::simulator::test
