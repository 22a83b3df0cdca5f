#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support.hpp"

namespace cuprum::simulator::ptx {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using Kind = Operand::Kind;

// An instruction together with the module its names point into.
struct Parsed {
    explicit Parsed(std::string_view text) : module(parse_kernel(text)) {}
    const Instruction& operator[](size_t i) const { return module.functions[0].instructions[i]; }
    const Operand& operand(size_t i) const { return (*this)[0].operands[i]; }
    std::string register_name(const Operand& operand) const {
        return module.functions[0].registers[operand.index].name;
    }
    Module module;
};

TEST(Instruction, SplitsTheOpcodeFromItsModifiers) {
    const Parsed parsed("ld.global.nc.L2::128B.v2.u64 {%rd1, %rd2}, [%rd3];");
    EXPECT_EQ(parsed[0].mnemonic, "ld.global.nc.L2::128B.v2.u64");
    EXPECT_EQ(parsed[0].opcode, "ld");
    EXPECT_THAT(parsed[0].modifiers, ElementsAre("global", "nc", "L2::128B", "v2", "u64"));
    EXPECT_EQ(parsed[0].location.line, 8u);
    EXPECT_EQ(parsed[0].location.column, 1u);
    EXPECT_FALSE(parsed[0].guarded);
}

TEST(Instruction, MayHaveBlanksBeforeItsModifiers) {
    EXPECT_THAT(Parsed("ld .global\n.u32 %r1, [data];")[0].modifiers, ElementsAre("global", "u32"));
}

TEST(Instruction, NeedsNoOperands) {
    const Parsed parsed("ret; bar.warp.sync 0xffffffff; exit ;");
    EXPECT_THAT(parsed[0].operands, IsEmpty());
    EXPECT_EQ(parsed[2].opcode, "exit");
}

TEST(Instruction, WithAnUnknownOpcodeIsLeftToOthers) {
    EXPECT_EQ(Parsed("frobnicate.sync.u32 %r1, %r2;")[0].opcode, "frobnicate");
}

TEST(Instruction, RemembersItsGuard) {
    const Parsed parsed("@%p2 mov.u32 %r1, 1; @!%p3 bra end; end: ret;");
    EXPECT_TRUE(parsed[0].guarded);
    EXPECT_FALSE(parsed[0].guard_negated);
    EXPECT_EQ(parsed.module.functions[0].registers[parsed[0].guard_register].name, "%p2");
    EXPECT_TRUE(parsed[1].guard_negated);
    EXPECT_EQ(parsed.module.functions[0].registers[parsed[1].guard_register].name, "%p3");
    EXPECT_FALSE(parsed[2].guarded);
}

TEST(Instruction, NeedsAPredicateRegisterForItsGuard) {
    EXPECT_THAT(diagnostics_of(kernel_text("@%r1 ret;")), ElementsAre(HasSubstr("'%r1' is not")));
    EXPECT_THAT(diagnostics_of(kernel_text("@%q1 ret;")), ElementsAre(HasSubstr("undefined name '%q1'")));
    EXPECT_THAT(diagnostics_of(kernel_text("@data ret;")), ElementsAre(HasSubstr("'data' is not")));
}

TEST(Operand, CanBeAnImmediate) {
    const Parsed parsed("x %r1, -5, 0xffffffffffffffff, 0f3F800000, 0d3FF0000000000000, 0.5, (1+2)*3, WARP_SZ, ~1;");
    EXPECT_EQ(parsed.operand(1).kind, Kind::immediate);
    EXPECT_EQ(static_cast<int64_t>(parsed.operand(1).bits), -5);
    EXPECT_EQ(parsed.operand(2).bits, ~uint64_t{0});
    EXPECT_EQ(parsed.operand(3).kind, Kind::immediate_f32);
    EXPECT_EQ(parsed.operand(3).bits, 0x3f800000u);
    EXPECT_EQ(parsed.operand(4).kind, Kind::immediate_f64);
    EXPECT_EQ(parsed.operand(4).bits, 0x3ff0000000000000u);
    EXPECT_EQ(parsed.operand(5).kind, Kind::immediate_f64);
    EXPECT_EQ(parsed.operand(5).bits, 0x3fe0000000000000u);
    EXPECT_EQ(parsed.operand(6).bits, 9u);
    EXPECT_EQ(parsed.operand(7).bits, 32u);
    EXPECT_EQ(static_cast<int64_t>(parsed.operand(8).bits), -2);
}

TEST(Operand, CanBeAnAddress) {
    const Parsed parsed("x [%rd1], [%rd1+8], [%r1+-4], [%rd2-16], [data+4], [16], [data], [0x10+4*2], [data+4+4];");
    const auto expect = [&](size_t i, Kind base, int64_t offset) {
        EXPECT_EQ(parsed.operand(i).kind, Kind::address) << i;
        ASSERT_EQ(parsed.operand(i).elements.size(), 1u) << i;
        EXPECT_EQ(parsed.operand(i).elements[0].kind, base) << i;
        EXPECT_EQ(parsed.operand(i).elements[0].offset, 0) << i;
        EXPECT_EQ(parsed.operand(i).offset, offset) << i;
    };
    expect(0, Kind::reg, 0);
    expect(1, Kind::reg, 8);
    expect(2, Kind::reg, -4);
    expect(3, Kind::reg, -16);
    expect(4, Kind::symbol, 4);
    expect(5, Kind::immediate, 0);
    expect(6, Kind::symbol, 0);
    expect(7, Kind::immediate, 0);
    expect(8, Kind::symbol, 8);
    EXPECT_EQ(parsed.register_name(parsed.operand(2).elements[0]), "%r1");
    EXPECT_EQ(parsed.operand(5).elements[0].bits, 16u);
    EXPECT_EQ(parsed.operand(7).elements[0].bits, 24u);
}

TEST(Operand, MayHaveCoordinatesInItsAddress) {
    const Parsed parsed("tex.2d.v4.f32.f32 {%f1, %f2, %f3, _}, [%rd1, {%f1, %f2}]; ld.global.u32 %r1, [%rd1].unified;");
    EXPECT_EQ(parsed.operand(0).elements[3].kind, Kind::sink);
    EXPECT_THAT(parsed[0].modifiers, ElementsAre("2d", "v4", "f32", "f32"));
    ASSERT_EQ(parsed.operand(1).elements.size(), 2u);
    EXPECT_EQ(parsed.operand(1).elements[1].kind, Kind::vector);
    EXPECT_EQ(parsed[1].operands[1].name, "unified");
}

TEST(Operand, CanBeTheAddressOfASymbol) {
    const Parsed parsed("mov.u64 %rd1, data; mov.u64 %rd1, data+12; mov.u64 %rd1, k;");
    EXPECT_EQ(parsed.operand(1).kind, Kind::symbol);
    EXPECT_EQ(parsed[1].operands[1].offset, 12);
    EXPECT_EQ(parsed.module.symbols[parsed[2].operands[1].index].kind, Symbol::Kind::function);
}

TEST(Operand, CanBeASinkAPairOrNegated) {
    const Parsed parsed("setp.lt.and.s32 %p1|%p2, %r1, %r2, !%p3; x _|%p1, %p2|_, _, -%r1, %r2.b3, -%r3.h10;");
    ASSERT_EQ(parsed.operand(0).kind, Kind::pair);
    EXPECT_EQ(parsed.register_name(parsed.operand(0).elements[1]), "%p2");
    EXPECT_TRUE(parsed.operand(3).negated);
    EXPECT_FALSE(parsed.operand(2).negated);
    const std::vector<Operand>& others = parsed[1].operands;
    EXPECT_EQ(others[0].elements[0].kind, Kind::sink);
    EXPECT_EQ(others[1].elements[1].kind, Kind::sink);
    EXPECT_EQ(others[2].kind, Kind::sink);
    EXPECT_TRUE(others[3].negated);
    EXPECT_EQ(others[4].name, "b3");
    EXPECT_EQ(others[5].name, "h10");
    EXPECT_TRUE(others[5].negated);
}

TEST(Operand, CanBeAnySpecialRegister) {
    for (const char* name : {"%tid.x",
                             "%ntid.y",
                             "%ctaid.z",
                             "%nctaid.w",
                             "%laneid",
                             "%warpid",
                             "%nwarpid",
                             "%smid",
                             "%nsmid",
                             "%gridid",
                             "%lanemask_eq",
                             "%lanemask_le",
                             "%lanemask_lt",
                             "%lanemask_ge",
                             "%lanemask_gt",
                             "%clock",
                             "%clock_hi",
                             "%clock64",
                             "%pm0",
                             "%pm7",
                             "%pm3_64",
                             "%envreg0",
                             "%envreg31",
                             "%globaltimer",
                             "%globaltimer_lo",
                             "%globaltimer_hi",
                             "%total_smem_size",
                             "%aggr_smem_size",
                             "%dynamic_smem_size",
                             "%current_graph_exec",
                             "%clusterid.x",
                             "%nclusterid.y",
                             "%cluster_ctaid.x",
                             "%cluster_nctaid.z",
                             "%cluster_ctarank",
                             "%cluster_nctarank",
                             "%is_explicit_cluster",
                             "%reserved_smem_offset_1",
                             "%tid",
                             "%ctaid"}) {
        const Parsed parsed("mov.u32 %r1, " + std::string(name) + ";");
        EXPECT_EQ(parsed.operand(1).kind, Kind::special_register) << name;
        EXPECT_EQ(parsed.operand(1).name, name);
    }
    for (const char* name : {"%envreg32", "%pm8", "%pm", "%envreg", "%tidx", "%laneid2", "%envreg01"}) {
        EXPECT_THAT(diagnostics_of(kernel_text("mov.u32 %r1, " + std::string(name) + ";")),
                    ElementsAre(HasSubstr("undefined name '" + std::string(name) + "'")));
    }
}

TEST(Operand, MustBeADeclaredName) {
    EXPECT_THAT(diagnostics_of(kernel_text("mov.u32 %r1, %zz; .reg .b32 %zz;")),
                ElementsAre(HasSubstr("8:14: undefined name '%zz'")));
    EXPECT_THAT(diagnostics_of(kernel_text("ld.u32 %r1, [later+4];") + ".global .u32 later;"),
                ElementsAre("8:14: undefined name 'later': an address needs a register or a variable"));
    EXPECT_THAT(diagnostics_of(kernel_text("mov.u64 %rd1, later;") + ".global .u32 later;"),
                ElementsAre(HasSubstr("8:15: undefined name 'later'")));
    EXPECT_THAT(diagnostics_of(kernel_text("here: ld.u32 %r1, [here];")),
                ElementsAre(HasSubstr("8:20: an address must begin with")));
    EXPECT_THAT(diagnostics_of(kernel_text("mov.u32 %r1, %r2.x;")), ElementsAre(HasSubstr("has no component '.x'")));
}

TEST(Operand, LimitsHowDeepItNests) {
    EXPECT_THAT(diagnostics_of(kernel_text("x " + std::string(100000, '{') + ";")),
                ElementsAre(HasSubstr("operands are nested too deeply")));
    EXPECT_THAT(diagnostics_of(kernel_text("x " + std::string(100000, '[') + ";")),
                ElementsAre(HasSubstr("operands are nested too deeply")));
    EXPECT_THAT(diagnostics_of(kernel_text("call " + std::string(100000, '(') + ";")),
                ElementsAre(HasSubstr("operands are nested too deeply")));
}

}  // namespace
}  // namespace cuprum::simulator::ptx
