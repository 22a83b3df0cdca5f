// What is wrong with copies of tensors and asynchronous stores is reported; a map may be changed by a kernel. What they
// move: tests/conformance/execution/tensor_test.cpp.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/memory/tensor_map.hpp"
#include "simulated_device.hpp"

namespace cuprum::simulator::test {
namespace {

using testing::HasSubstr;

// Of 16 by 8 numbers of 32 bits; a box has 4 by 2, 32 bytes.
TensorMap plain_map() {
    TensorMap map;
    map.rank = 2;
    map.element = TensorElement::s32;
    map.size = {16, 8};
    map.stride = {64};
    map.box = {4, 2};
    map.element_stride = {1, 1};
    return map;
}

struct Outcome {
    std::optional<Fault> fault;
    std::vector<uint32_t> out;
};

// One thread with: %d0 the map, a parameter; %d1 a tensor of numbers from 0 on; %d2 64 words that are the outcome; %d3
// a map in global memory, as the parameter. `s` is shared, with an mbarrier at s+1024 for one arrival.
Outcome run(const TensorMap& wanted, const std::string& body, Checks checks = {}, bool explicit_cluster = false) {
    DeviceModel model;
    model.compute_capability_major = 9;
    model.checks = checks;
    SimulatedDevice device(model);
    device.load(
        ".version 8.6\n.target sm_90a\n.address_size 64\n"
        ".visible .entry k(.param .align 64 .b8 map[128], .param .u64 tensor, .param .u64 out, .param .u64 other)\n{\n"
        ".reg .pred %p<4>; .reg .b16 %h<4>; .reg .b32 %r<9>; .reg .b64 %d<9>; .shared .align 1024 .b8 s[2048];\n"
        "mov.b64 %d0, map; cvta.param.u64 %d0, %d0; ld.param.u64 %d1, [tensor]; ld.param.u64 %d2, [out]; ld.param.u64 "
        "%d3, [other]; mbarrier.init.shared.b64 [s+1024], 1;\n" +
        body + "\nret;\n}\n");
    std::vector<uint32_t> numbers(128);
    for (uint32_t k = 0; k < numbers.size(); ++k)
        numbers[k] = k;
    const uint64_t tensor = device.upload(numbers), out = device.upload(std::vector<uint32_t>(64));
    TensorMap map = wanted;
    if (map.address == 0) map.address = tensor;
    const uint64_t other = (device.upload(std::vector<TensorMap>(3, map)) + 127) / 128 * 128;
    std::memcpy(device.host(other), &map, sizeof(map));
    SimulatedDevice::Configuration configuration{{1}, {1}};
    configuration.explicit_cluster = explicit_cluster;
    Outcome outcome;
    outcome.fault = device.launch("k", configuration, Arguments(map, tensor, out, other));
    outcome.out = device.download<uint32_t>(out, 64);
    return outcome;
}

constexpr const char* expect = "mbarrier.arrive.expect_tx.shared.b64 _, [s+1024], 32;\n";
constexpr const char* wait =
    "WAIT: mbarrier.try_wait.parity.shared.b64 %p0, [s+1024], 0; @!%p0 bra WAIT;\n"
    "ld.shared.u32 %r1, [s]; st.global.u32 [%d2], %r1; ld.shared.u32 %r1, [s+28]; st.global.u32 [%d2+4], %r1;";

std::string load_of(const std::string& map, const std::string& to = "s") {
    return "cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::bytes [" + to + "], [" + map +
           ", {4, 1}], [s+1024];\n";
}

void expect_fault(const Outcome& outcome, Fault::Kind kind, const std::string& what) {
    ASSERT_TRUE(outcome.fault.has_value()) << what;
    EXPECT_EQ(outcome.fault->kind, kind) << outcome.fault->message;
    EXPECT_THAT(outcome.fault->message, HasSubstr(what));
}

// What lies outside a tensor of halves is the NaN that fma.oob makes zero of.
TEST(TensorCopies, ANumberFromOutsideMakesAGuardedProductZero) {
    TensorMap map = plain_map();
    map.element = TensorElement::f16;
    map.fill = TensorFill::nan;
    map.size = {32, 8};
    map.box = {16, 1};
    const std::string load =
        "cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::bytes [s], [%d0, {24, 0}], [s+1024];\n";
    const Outcome outcome = run(map, expect + load + wait +
                                         "mov.b32 %r2, 0x3c003c00; ld.shared.b32 %r1, [s+28];\n"
                                         "fma.rn.oob.f16x2 %r3, %r1, %r2, %r2; st.global.b32 [%d2+8], %r3;\n"
                                         "fma.rn.f16x2 %r3, %r1, %r2, %r2; st.global.b32 [%d2+12], %r3;\n");
    ASSERT_FALSE(outcome.fault.has_value()) << outcome.fault->message;
    EXPECT_EQ(outcome.out[1], 0x7ff77ff7u);
    EXPECT_EQ(outcome.out[2], 0u);
    EXPECT_EQ(outcome.out[3], 0x7fff7fffu);
}

TEST(TensorCopies, ABoxComesFromTheMapOfAParameterOrOfMemory) {
    for (const char* const map : {"%d0", "%d3"}) {
        const Outcome outcome = run(plain_map(), expect + load_of(map) + wait);
        ASSERT_FALSE(outcome.fault.has_value()) << outcome.fault->message;
        EXPECT_EQ(outcome.out[0], 20u);
        EXPECT_EQ(outcome.out[1], 39u);
    }
}

TEST(TensorCopies, ABoxDoesNotComeBeforeItIsWaitedFor) {
    const Outcome outcome = run(plain_map(), "st.shared.u32 [s], 77;\n" + std::string(expect) + load_of("%d0") +
                                                 "ld.shared.u32 %r1, [s]; st.global.u32 [%d2], %r1;");
    ASSERT_FALSE(outcome.fault.has_value());
    EXPECT_EQ(outcome.out[0], 77u);
    Checks checks;
    checks.races = true;
    EXPECT_TRUE(run(plain_map(), expect + load_of("%d0") + "ld.shared.u32 %r1, [s];", checks).fault.has_value());
    EXPECT_FALSE(run(plain_map(), expect + load_of("%d0") + wait, checks).fault.has_value());
}

TEST(TensorCopies, WhatTheyWriteCountsAsWritten) {
    Checks checks;
    checks.memory = true;
    EXPECT_FALSE(run(plain_map(), expect + load_of("%d0") + wait, checks).fault.has_value());
}

TEST(TensorFaults, AMapIsOneAndForTheInstruction) {
    using enum Fault::Kind;
    TensorMap none = plain_map();
    none.mark = 1;
    expect_fault(run(none, load_of("%d0")), illegal_instruction, "cuTensorMapEncode");
    TensorMap deep = plain_map();
    deep.rank = 3;
    expect_fault(run(deep, load_of("%d0")), illegal_instruction, "a tensor of 3 dimensions as one of 2");
    TensorMap pixels = plain_map();
    pixels.mode = TensorMapMode::im2col;
    expect_fault(run(pixels, load_of("%d0")), illegal_instruction, "with the map of pixels");
    expect_fault(run(plain_map(), "add.u64 %d0, %d0, 32;\n" + load_of("%d0")), misaligned_address, "multiple of 64");
    expect_fault(run(plain_map(), load_of("%d2")), illegal_instruction, "where there is none");
}

// As an H200 does.
TEST(TensorFaults, ATileBeginsAtAMultipleOf16Bytes) {
    using enum Fault::Kind;
    const auto load_at = [](const std::string& first) {
        return "cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::bytes [s], [%d0, {" + first +
               ", 0}], [s+1024];\n";
    };
    expect_fault(run(plain_map(), load_at("2")), illegal_instruction, "multiple of 16");
    expect_fault(run(plain_map(), load_at("-3")), illegal_instruction,
                 "innermost coordinate is -3, 4 bytes each: they must be a multiple of 16 bytes");
    const std::string box = "[%d0, {1, 0}], [s];";
    expect_fault(run(plain_map(), "cp.async.bulk.tensor.2d.global.shared::cta.tile.bulk_group " + box),
                 illegal_instruction, "multiple of 16");
    expect_fault(run(plain_map(), "cp.reduce.async.bulk.tensor.2d.global.shared::cta.add.tile.bulk_group " + box),
                 illegal_instruction, "multiple of 16");
    EXPECT_FALSE(run(plain_map(), expect + load_at("-4") + wait).fault.has_value());
}

// As an H100 does.
TEST(TensorFaults, WhatIsStoredBeginsInsideTheTensorOrBehindIt) {
    using enum Fault::Kind;
    const auto at = [](const std::string& instruction, const std::string& place) {
        return run(plain_map(), instruction + ".tile.bulk_group [%d0, " + place + "], [s];");
    };
    const std::string store = "cp.async.bulk.tensor.2d.global.shared::cta";
    expect_fault(at(store, "{-4, 0}"), illegal_instruction, "coordinate 0 is -4: only loads may begin before");
    expect_fault(at(store, "{0, -1}"), illegal_instruction, "coordinate 1 is -1");
    expect_fault(at("cp.reduce.async.bulk.tensor.2d.global.shared::cta.add", "{0, -1}"), illegal_instruction, "is -1");
    EXPECT_FALSE(at(store, "{4, 0}").fault.has_value());
}

TEST(TensorFaults, MapsThatAreNotSimulatedAreNamed) {
    TensorMap interleaved = plain_map();
    interleaved.interleave = TensorInterleave::bytes_16;
    expect_fault(run(interleaved, load_of("%d0")), Fault::Kind::illegal_instruction, "interleaved");
    TensorMap newer = plain_map();
    newer.swizzle = TensorSwizzle::bytes_128_atom_32;
    expect_fault(run(newer, load_of("%d0")), Fault::Kind::illegal_instruction, "compute capability 10.0");
}

TEST(TensorFaults, BothSidesAreInBounds) {
    TensorMap tall = plain_map();
    tall.size[1] = 40;  // more than the allocation has
    expect_fault(run(tall,
                     "cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::bytes [s], [%d0, {0, "
                     "20}], [s+1024];"),
                 Fault::Kind::illegal_address, "");
    expect_fault(run(plain_map(), load_of("%d0", "s+64")), Fault::Kind::misaligned_address, "128");
    expect_fault(run(plain_map(), load_of("%d0", "s+2048")), Fault::Kind::illegal_address, "shared memory");
}

TEST(TensorFaults, AReductionIsOneOfTheElements) {
    TensorMap bytes = plain_map();
    bytes.element = TensorElement::u8;
    bytes.box = {16, 2};
    expect_fault(run(bytes, "cp.reduce.async.bulk.tensor.2d.global.shared::cta.add.bulk_group [%d0, {0, 0}], [s];"),
                 Fault::Kind::illegal_instruction, "cannot be");
    TensorMap floats = plain_map();
    floats.element = TensorElement::f32;
    expect_fault(run(floats, "cp.reduce.async.bulk.tensor.2d.global.shared::cta.min.bulk_group [%d0, {0, 0}], [s];"),
                 Fault::Kind::illegal_instruction, "do not have");
}

TEST(TensorFaults, AMulticastGoesToBlocksOfTheCluster) {
    expect_fault(run(plain_map(),
                     "mov.u16 %h0, 3;\ncp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx"
                     "::bytes.multicast::cluster [s], [%d0, {0, 0}], [s+1024], %h0;"),
                 Fault::Kind::illegal_address, "rank 1; the cluster has 1");
}

TEST(TensorMaps, AKernelReplacesTheirFields) {
    // A map in shared memory, made of that in global memory; then back.
    const std::string copy =
        "mov.u32 %r2, 0; COPY: cvt.u64.u32 %d5, %r2; add.u64 %d6, %d3, %d5; ld.global.u32 %r3, [%d6]; mov.u32 %r4, s; "
        "add.u32 %r4, %r4, %r2; st.shared.u32 [%r4+512], %r3; add.u32 %r2, %r2, 4; setp.lt.u32 %p1, %r2, 128; @%p1 bra "
        "COPY;\n";
    const Outcome outcome =
        run(plain_map(), copy +
                             "add.u64 %d5, %d1, 64;\n"
                             "tensormap.replace.tile.global_address.shared::cta.b1024.b64 [s+512], %d5;\n"
                             "tensormap.replace.tile.rank.shared::cta.b1024.b32 [s+512], 1;\n"
                             "tensormap.replace.tile.box_dim.shared::cta.b1024.b32 [s+512], 1, 2;\n"
                             "tensormap.replace.tile.global_dim.shared::cta.b1024.b32 [s+512], 0, 5;\n"
                             "tensormap.replace.tile.global_stride.shared::cta.b1024.b64 [s+512], 0, 128;\n"
                             "tensormap.replace.tile.element_stride.shared::cta.b1024.b32 [s+512], 1, 1;\n"
                             "tensormap.replace.tile.elemtype.shared::cta.b1024.b32 [s+512], 2;\n"
                             "tensormap.replace.tile.interleave_layout.shared::cta.b1024.b32 [s+512], 0;\n"
                             "tensormap.replace.tile.swizzle_mode.shared::cta.b1024.b32 [s+512], 0;\n"
                             "tensormap.replace.tile.fill_mode.shared::cta.b1024.b32 [s+512], 0;\n"
                             "tensormap.cp_fenceproxy.global.shared::cta.tensormap::generic.release.gpu.sync.aligned "
                             "[%d3], [s+512], 128;\n"
                             "fence.proxy.tensormap::generic.acquire.gpu [%d3], 128;\n" +
                             expect + load_of("%d3") + wait);
    ASSERT_FALSE(outcome.fault.has_value()) << outcome.fault->message;
    EXPECT_EQ(outcome.out[0], 16u + 32u + 4u);  // the second line of the new tensor, from column 4 on
    EXPECT_EQ(outcome.out[1], 0u);              // outside: five columns are left
    expect_fault(run(plain_map(), "tensormap.replace.tile.box_dim.global.b1024.b32 [%d3], 1, 300;"),
                 Fault::Kind::illegal_instruction, "a size of the box of a tensor map by 300");
}

TEST(AsynchronousStores, GoToSharedMemoryAlone) {
    expect_fault(run(plain_map(),
                     "cvta.shared.u64 %d5, 1024; st.async.mbarrier::complete_tx::bytes.u32 [%d2], %r0, "
                     "[%d5];",
                     {}, true),
                 Fault::Kind::illegal_address, "not in the cluster's shared memory");
}

// As on an H200, which asks for a cluster even within one block.
TEST(AsynchronousStores, NeedALaunchInClusters) {
    const std::string barrier = "mov.u32 %r0, s; add.u32 %r2, %r0, 1024;\n" + std::string(expect);
    for (const char* const store :
         {"st.async.shared::cluster.mbarrier::complete_tx::bytes.u32 [%r0], 7, [%r2];",
          "red.async.relaxed.cluster.shared::cluster.mbarrier::complete_tx::bytes.add.u32 [%r0], 7, [%r2];"}) {
        expect_fault(run(plain_map(), barrier + store), Fault::Kind::illegal_instruction, "without clusters");
        EXPECT_FALSE(run(plain_map(), barrier + store, {}, true).fault.has_value()) << store;
    }
}

}  // namespace
}  // namespace cuprum::simulator::test
