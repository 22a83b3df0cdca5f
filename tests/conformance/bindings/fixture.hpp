// A device with its primary context, for tests that call the driver as C programs do.
#pragma once

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "cuprum/bindings/driver.hpp"
#include "shows.hpp"

namespace cuprum::bindings::test {

#define EXPECT_OK(call) EXPECT_EQ(static_cast<int>(call), 0) << #call
#define ASSERT_OK(call) ASSERT_EQ(static_cast<int>(call), 0) << #call

class WithContext : public testing::Test {
protected:
    void SetUp() override {
        ASSERT_OK(driver::cuInit(0));
        ASSERT_OK(driver::cuDeviceGet(&device, 0));
        ASSERT_OK(driver::cuDevicePrimaryCtxRetain(&context, device));
        ASSERT_OK(driver::cuCtxSetCurrent(context));
    }
    void TearDown() override {
        EXPECT_OK(driver::cuCtxSynchronize());
        EXPECT_OK(driver::cuCtxSetCurrent(nullptr));
        EXPECT_OK(driver::cuDevicePrimaryCtxRelease(device));
    }

    int attribute(CUdevice_attribute which) const {
        int value = 0;
        EXPECT_OK(driver::cuDeviceGetAttribute(&value, which, device));
        return value;
    }

    template <class Value>
    static std::vector<Value> download(CUdeviceptr from, std::size_t count) {
        std::vector<Value> values(count);
        EXPECT_OK(driver::cuMemcpyDtoH(values.data(), from, count * sizeof(Value)));
        return values;
    }

    CUdevice device = 0;
    CUcontext context = nullptr;
};

/// Adds `amount` to each of `count` numbers.
inline const std::string add_source = R"(
extern "C" __global__ void add(int* numbers, int amount, unsigned int count) {
    const unsigned int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < count) numbers[i] += amount;
})";

/// The same in PTX, with a variable, `offset`, that is added too.
inline const std::string add_ptx = R"(.version 7.0
.target sm_70
.address_size 64
.visible .const .align 4 .u32 offset;
.visible .entry add(.param .u64 numbers, .param .u32 amount, .param .u32 count) {
    .reg .pred %outside;
    .reg .b32 %r<8>;
    .reg .b64 %address, %index;
    mov.u32 %r1, %ctaid.x;
    mov.u32 %r2, %ntid.x;
    mov.u32 %r3, %tid.x;
    mad.lo.u32 %r1, %r1, %r2, %r3;
    ld.param.u32 %r4, [count];
    setp.ge.u32 %outside, %r1, %r4;
    @%outside ret;
    ld.param.u64 %address, [numbers];
    cvta.to.global.u64 %address, %address;
    mul.wide.u32 %index, %r1, 4;
    add.u64 %address, %address, %index;
    ld.param.u32 %r5, [amount];
    ld.const.u32 %r6, [offset];
    ld.global.u32 %r7, [%address];
    add.u32 %r7, %r7, %r5;
    add.u32 %r7, %r7, %r6;
    st.global.u32 [%address], %r7;
    ret;
})";

/// What NVRTC makes of a program, as PTX that each device runs.
std::string compiled_to_ptx(const std::string& source, const std::string& architecture = "compute_75");

}  // namespace cuprum::bindings::test
