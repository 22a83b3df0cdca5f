// Pairs of floats (.f32x2) against the instructions of single floats: the same bits in each half, whichever lanes take
// part. Their results: tests/conformance/ptx/forms/packed_floats.txt.
#include <gtest/gtest.h>

#include <random>

#include "simulated_device.hpp"

namespace cuprum::simulator::test {
namespace {

// Threads of every third number leave their result as it was.
std::string module_of(const std::string& form, bool fused) {
    const std::string last = fused ? ", %d5" : "", low = fused ? ", %f5" : "", high = fused ? ", %f6" : "";
    return ".version 8.6\n.target sm_100\n.address_size 64\n"
           ".visible .entry k(.param .u64 in, .param .u64 pairs, .param .u64 singles)\n{\n"
           ".reg .pred %p<2>; .reg .b32 %r<4>; .reg .b64 %d<12>; .reg .f32 %f<9>;\n"
           "mov.u32 %r0, %tid.x; ld.param.u64 %d0, [in]; mad.wide.u32 %d0, %r0, 24, %d0;\n"
           "ld.param.u64 %d1, [pairs]; mad.wide.u32 %d1, %r0, 8, %d1; ld.param.u64 %d2, [singles];\n"
           "mad.wide.u32 %d2, %r0, 8, %d2; rem.u32 %r1, %r0, 3; setp.ne.u32 %p0, %r1, 0;\n"
           "ld.global.b64 %d3, [%d0]; ld.global.b64 %d4, [%d0+8]; ld.global.b64 %d5, [%d0+16];\n"
           "mov.b64 {%f1, %f2}, %d3; mov.b64 {%f3, %f4}, %d4; mov.b64 {%f5, %f6}, %d5;\n"
           "mov.b64 %d6, 7; @%p0 " +
           form + ".f32x2 %d6, %d3, %d4" + last + ";\nst.global.b64 [%d1], %d6;\n" + form + ".f32 %f7, %f1, %f3" + low +
           ";\n" + form + ".f32 %f8, %f2, %f4" + high +
           ";\nmov.b64 %d7, {%f7, %f8}; selp.b64 %d7, %d7, 7, %p0;\nst.global.b64 [%d2], %d7;\nret;\n}\n";
}

TEST(PackedFloats, EachHalfIsAsTheInstructionOfSingleFloats) {
    constexpr unsigned threads = 1024;
    std::mt19937 random(7);
    std::vector<uint32_t> in(6 * threads);
    for (uint32_t& bits : in) {
        bits = static_cast<uint32_t>(random());
        // Near one, subnormal, or anything.
        if (random() % 2 == 0)
            bits = (bits & 0x807fffff) | 0x3f000000;
        else if (random() % 3 == 0)
            bits &= 0x807fffff;
    }
    DeviceModel model;
    model.compute_capability_major = 10;
    for (const std::string operation : {"add", "sub", "mul", "fma"}) {
        for (const std::string rounding : {".rn", ".rz", ".rm", ".rp"}) {
            for (const std::string flush : {"", ".ftz"}) {
                SimulatedDevice device(model);
                device.load(module_of(operation + rounding + flush, operation == "fma"));
                const uint64_t operands = device.upload(in);
                const uint64_t pairs = device.allocate(8 * threads), singles = device.allocate(8 * threads);
                ASSERT_FALSE(device.launch("k", {{1}, {threads}}, Arguments(operands, pairs, singles)).has_value());
                EXPECT_EQ(device.download<uint64_t>(pairs, threads), device.download<uint64_t>(singles, threads))
                    << operation << rounding << flush;
            }
        }
    }
}

}  // namespace
}  // namespace cuprum::simulator::test
