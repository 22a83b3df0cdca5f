// What goes wrong with memory and the objects in it, and how it is reported.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "simulated_device.hpp"

namespace cuprum::simulator::test {
namespace {

using testing::AllOf;
using testing::HasSubstr;

constexpr const char* heap_declarations =
    ".extern .func (.param .b64 r) malloc(.param .b64 n);\n.extern .func free(.param .b64 p);\n";

// The fault of one thread that runs `body`, which begins at line 8; %out is the address of 64 bytes.
Fault fault_of(const std::string& body, const std::string& declarations = "") {
    SimulatedDevice device;
    device.load(
        ".version 8.0\n.target sm_80\n.address_size 64\n" + declarations +
        ".visible .entry k(.param .u64 out)\n{\n.shared .align 16 .b8 s[64]; .reg .pred %p<4>; .reg .b32 %r<9>; "
        ".reg .b64 %d<9>; .reg .b64 %out; .reg .f32 %f<4>;\nld.param.u64 %out, [out];\n" +
        body + "\nret;\n}\n");
    auto fault = device.launch("k", {{1}, {1}}, Arguments(device.allocate(64)));
    if (!fault) throw std::runtime_error("no fault was reported");
    return *fault;
}

std::string malloc_call(const std::string& bytes, const std::string& result) {
    return "{ .param .b64 n; .param .b64 r; st.param.b64 [n], " + bytes + "; call.uni (r), malloc, (n); ld.param.b64 " +
           result + ", [r]; }\n";
}
std::string free_call(const std::string& pointer) {
    return "{ .param .b64 p; st.param.b64 [p], " + pointer + "; call.uni free, (p); }\n";
}

// Programs' memory ends at 2^47, often in the last TiB before it.
TEST(WildPointers, AreTakenForNoOtherMemory) {
    for (const char* const address : {"0x7fffffffff00", "0x800000000000", "0x800100000000", "0x800200000000",
                                      "0x800300000000", "0x800400000000", "0x810000000000"}) {
        const Fault fault = fault_of("mov.b64 %d0, " + std::string(address) + "; ld.b32 %r0, [%d0];");
        EXPECT_EQ(fault.kind, Fault::Kind::illegal_address);
        EXPECT_THAT(fault.message, HasSubstr("read 4 bytes at " + std::string(address)));
    }
}

TEST(MbarrierFaults, AnObjectThatWasNotInitialisedOrNoLongerIs) {
    EXPECT_THAT(fault_of("mbarrier.arrive.shared.b64 %d0, [s];").message,
                AllOf(HasSubstr("mbarrier at offset 0x0"), HasSubstr("not been initialised")));
    EXPECT_THAT(fault_of("mbarrier.init.shared.b64 [s+8], 1; mbarrier.inval.shared.b64 [s+8];\n"
                         "mbarrier.test_wait.parity.shared.b64 %p0, [s+8], 0;")
                    .message,
                AllOf(HasSubstr("offset 0x8"), HasSubstr("PTX line 9")));
}

TEST(MbarrierFaults, CountsThatItCannotHave) {
    EXPECT_THAT(fault_of("mbarrier.init.shared.b64 [s], 0;").message, HasSubstr("1 to 1048575"));
    EXPECT_THAT(fault_of("mbarrier.init.shared.b64 [s], 2; mbarrier.arrive.noComplete.shared.b64 %d0, [s], 3;").message,
                HasSubstr("3 arrived at once and 2 were expected"));
    EXPECT_THAT(fault_of("mbarrier.init.shared.b64 [s], 1; mbarrier.arrive.noComplete.shared.b64 %d0, [s], 1;").message,
                HasSubstr(".noComplete"));
}

TEST(MbarrierFaults, AnObjectOutsideSharedMemory) {
    EXPECT_EQ(fault_of("mbarrier.init.b64 [%out], 1;").kind, Fault::Kind::illegal_address);
    EXPECT_EQ(fault_of("mbarrier.init.shared.b64 [s+4], 1;").kind, Fault::Kind::misaligned_address);
}

TEST(CopyFaults, AreReportedWhereTheCopyWasStarted) {
    const Fault past = fault_of("\ncp.async.ca.shared.global [s], [%out+60], 8;\ncp.async.wait_all;");
    EXPECT_EQ(past.kind, Fault::Kind::misaligned_address);
    const Fault outside = fault_of("\ncp.async.ca.shared.global [s], [%out+64], 8;\ncp.async.wait_all;");
    EXPECT_EQ(outside.kind, Fault::Kind::illegal_address);
    EXPECT_EQ(outside.ptx_line, 9u);
    EXPECT_THAT(fault_of("mov.u32 %r0, 5; cp.async.ca.shared.global [s], [%out], 4, %r0;").message,
                HasSubstr("5 bytes in a cp.async of 4"));
}

// ptxas extends it by zeros.
TEST(CopyFaults, OfASourceThatIs32BitsNameItsAddress) {
    const Fault fault =
        fault_of("mov.u32 %r0, 0xfffffff0; cp.async.ca.shared.global [s], [%r0], 4; cp.async.wait_all;");
    EXPECT_EQ(fault.kind, Fault::Kind::illegal_address);
    EXPECT_EQ(fault.address, 0xfffffff0u);
}

TEST(Copies, ComeNoEarlierThanTheirThreadWaits) {
    SimulatedDevice device;
    device.load(
        ".version 8.0\n.target sm_80\n.address_size 64\n.visible .entry k(.param .u64 out)\n{\n"
        ".shared .align 16 .b8 s[16]; .reg .b64 %d<3>; .reg .b64 %out;\nld.param.u64 %out, [out];\n"
        "st.shared.u64 [s], 1; cp.async.ca.shared.global [s], [%out+8], 8; ld.shared.u64 %d0, [s];\n"
        "cp.async.wait_all; ld.shared.u64 %d1, [s]; st.global.v2.u64 [%out+16], {%d0, %d1};\nret;\n}\n");
    const uint64_t memory = device.upload(std::vector<uint64_t>{0, 7, 0, 0});
    ASSERT_FALSE(device.launch("k", {{1}, {1}}, Arguments(memory)));
    EXPECT_EQ(device.download<uint64_t>(memory, 4), (std::vector<uint64_t>{0, 7, 1, 7}));
}

TEST(HeapFaults, AccessPastTheEndAndAfterTheFree) {
    const Fault past = fault_of(malloc_call("10", "%d0") + "st.u8 [%d0+10], 1;", heap_declarations);
    EXPECT_EQ(past.kind, Fault::Kind::illegal_address);
    EXPECT_THAT(past.message, HasSubstr("0 bytes past the end of the malloc of 10 bytes"));
    const Fault after =
        fault_of(malloc_call("16", "%d0") + free_call("%d0") + "ld.u32 %r0, [%d0+4];", heap_declarations);
    EXPECT_EQ(after.kind, Fault::Kind::illegal_address);
    EXPECT_THAT(after.message, HasSubstr("byte 4 of the malloc of 16 bytes"));
    EXPECT_THAT(after.message, HasSubstr("freed since"));
}

TEST(HeapFaults, FreeingTwiceOrWhatIsNoAllocation) {
    EXPECT_THAT(fault_of(malloc_call("16", "%d0") + free_call("%d0") + free_call("%d0"), heap_declarations).message,
                HasSubstr("freed since"));
    EXPECT_THAT(fault_of(free_call("%out"), heap_declarations).message, HasSubstr("not the address of an allocation"));
}

TEST(StackFaults, AllocaBeyondTheStack) {
    const Fault fault = fault_of("alloca.u64 %d0, 1000000;");
    EXPECT_EQ(fault.kind, Fault::Kind::stack_overflow);
    EXPECT_THAT(fault.message, HasSubstr("alloca of 1000000 bytes"));
}

TEST(AtomicFaults, AVectorMustBeAlignedAsAWhole) {
    DeviceModel model;
    model.compute_capability_major = 9;
    SimulatedDevice device(model);
    device.load(
        ".version 8.1\n.target sm_90\n.address_size 64\n.visible .entry k(.param .u64 out)\n{\n.reg .b64 %d;\n"
        "ld.param.u64 %d, [out]; red.global.add.v2.f32 [%d+4], {0f00000000, 0f00000000}; ret;\n}\n");
    const auto fault = device.launch("k", {{1}, {1}}, Arguments(device.allocate(64)));
    ASSERT_TRUE(fault);
    EXPECT_EQ(fault->kind, Fault::Kind::misaligned_address);
}

}  // namespace
}  // namespace cuprum::simulator::test
