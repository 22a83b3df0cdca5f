// What compilers and programs do at the edges of a warp and of shared memory, and GPUs bear.
#include "driver_api.hpp"

namespace cuprum::test {
namespace {

constexpr const char* source = R"ptx(
.version 7.0
.target sm_75
.address_size 64
.extern .shared .align 16 .b8 words[];

// Each thread reports what match.all gives for a full mask and the value 7.
.visible .entry match_all(.param .u64 out)
{
    .reg .pred %same;
    .reg .b32 %lane, %set;
    .reg .b64 %address, %offset;
    ld.param.u64 %address, [out];
    mov.u32 %lane, %tid.x;
    match.all.sync.b32 %set|%same, 7, 0xffffffff;
    @!%same mov.u32 %set, 0;
    mul.wide.u32 %offset, %lane, 4;
    add.u64 %address, %address, %offset;
    st.global.u32 [%address], %set;
    ret;
}

// Sums seven words of dynamic shared memory, the last three by a vector load of four.
.visible .entry sum_of_seven(.param .u64 out)
{
    .reg .b32 %a<9>;
    .reg .b64 %address;
    ld.param.u64 %address, [out];
    st.shared.v4.u32 [words], {1, 2, 3, 4};
    st.shared.v2.u32 [words+16], {5, 6};
    st.shared.u32 [words+24], 7;
    ld.shared.v4.u32 {%a0, %a1, %a2, %a3}, [words];
    ld.shared.v4.u32 {%a4, %a5, %a6, %a7}, [words+16];
    add.u32 %a0, %a0, %a1;
    add.u32 %a2, %a2, %a3;
    add.u32 %a4, %a4, %a5;
    add.u32 %a0, %a0, %a2;
    add.u32 %a0, %a0, %a4;
    add.u32 %a0, %a0, %a6;
    st.global.u32 [%address], %a0;
    ret;
}
)ptx";

class EdgeAccessTest : public DriverTest {
protected:
    void SetUp() override {
        DriverTest::SetUp();
        ASSERT_OK(cu().cuModuleLoadData(&loaded_, source));
    }
    void TearDown() override {
        EXPECT_OK(cu().cuModuleUnload(loaded_));
        DriverTest::TearDown();
    }
    CUfunction kernel(const char* name) {
        CUfunction found = nullptr;
        EXPECT_OK(cu().cuModuleGetFunction(&found, loaded_, name));
        return found;
    }

private:
    CUmodule loaded_ = nullptr;
};

TEST_F(EdgeAccessTest, AMatchInAPartOfAWarpGivesTheThreadsThereAre) {
    CUdeviceptr out = allocate(10 * sizeof(int));
    ASSERT_OK(launch(kernel("match_all"), 1, 10, nullptr, {&out}));
    EXPECT_EQ(download<int>(out, 10), std::vector<int>(10, 0x3ff));
}

TEST_F(EdgeAccessTest, AVectorLoadMayReachPastTheEndOfSharedMemory) {
    CUdeviceptr out = allocate(sizeof(int));
    ASSERT_OK(launch(kernel("sum_of_seven"), 1, 1, nullptr, {&out}, 7 * sizeof(int)));
    EXPECT_EQ(download<int>(out, 1), std::vector<int>{28});
}

}  // namespace
}  // namespace cuprum::test
