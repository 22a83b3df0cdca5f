// What kernels may not do with images: each is a fault that the report names.
#include <string>

#include "driver_api.hpp"
#include "driver_log.hpp"

namespace cuprum::test {
namespace {

// A kernel whose one instruction uses the handle.
std::string module_with(const std::string& instruction) {
    return ".version 9.0\n.target sm_75\n.address_size 64\n"
           ".visible .entry k(.param .u64 handle)\n{\n.reg .b64 %t;\n.reg .b32 %r<5>;\n.reg .f32 %f<5>;\n"
           "ld.param.u64 %t, [handle];\nmov.b32 %r1, 1;\nmov.b32 %r2, 100;\nmov.f32 %f1, 0f3f000000;\n" +
           instruction + "\nret;\n}\n";
}

// Each in a process of its own, whose context is lost: there is nothing to tear down.
class ImageFaultTest : public DriverTest {
protected:
    void TearDown() override {}
    CUarray array() {
        const CUDA_ARRAY3D_DESCRIPTOR shape{8, 8, 0, CU_AD_FORMAT_UNSIGNED_INT32, 1, CUDA_ARRAY3D_SURFACE_LDST};
        CUarray made = nullptr;
        EXPECT_OK(cu().cuArray3DCreate(&made, &shape));
        return made;
    }
    static CUDA_RESOURCE_DESC resource(CUarray of) {
        CUDA_RESOURCE_DESC description{};
        description.resType = CU_RESOURCE_TYPE_ARRAY;
        description.res.array.hArray = of;
        return description;
    }
    CUtexObject texture(const CUDA_RESOURCE_DESC& of) {
        const CUDA_TEXTURE_DESC how{};
        CUtexObject made = 0;
        EXPECT_OK(cu().cuTexObjectCreate(&made, &of, &how, nullptr));
        return made;
    }
    CUsurfObject surface(CUarray of) {
        const CUDA_RESOURCE_DESC description = resource(of);
        CUsurfObject made = 0;
        EXPECT_OK(cu().cuSurfObjectCreate(&made, &description));
        return made;
    }
    // What the driver says when a kernel with this instruction is run, and that it returns this code.
    std::string fault_of(CUresult expected, const std::string& instruction, unsigned long long handle) {
        const std::string text = module_with(instruction);
        CUmodule loaded = nullptr;
        CUfunction kernel = nullptr;
        EXPECT_OK(cu().cuModuleLoadData(&loaded, text.c_str()));
        EXPECT_OK(cu().cuModuleGetFunction(&kernel, loaded, "k"));
        return log_of([&] {
            EXPECT_OK(launch(kernel, 1, 1, nullptr, {&handle}));
            EXPECT_CU(expected, cu().cuCtxSynchronize());
        });
    }
};

constexpr const char* read_plane = "tex.2d.v4.u32.f32 {%r1, %r2, %r3, %r4}, [%t, {%f1, %f1}];";
constexpr const char* write_plane = "sust.b.2d.b32.trap [%t, {%r2, %r1}], {%r1};";

TEST_F(ImageFaultTest, AHandleThatIsNone) {
    if (!in_process_of_its_own()) return;
    EXPECT_TRUE(says(fault_of(CUDA_ERROR_ILLEGAL_ADDRESS, read_plane, 0), {"kernel 'k'", "texture object", "is null"}));
}

TEST_F(ImageFaultTest, AHandleThatWasDestroyed) {
    if (!in_process_of_its_own()) return;
    const CUtexObject gone = texture(resource(array()));
    ASSERT_OK(cu().cuTexObjectDestroy(gone));
    EXPECT_TRUE(says(fault_of(CUDA_ERROR_ILLEGAL_ADDRESS, read_plane, gone), {"did not exist when the kernel began"}));
}

TEST_F(ImageFaultTest, ASurfaceReadAsATexture) {
    if (!in_process_of_its_own()) return;
    EXPECT_TRUE(says(fault_of(CUDA_ERROR_ILLEGAL_ADDRESS, read_plane, surface(array())),
                     {"as a texture object", "an object of the other kind"}));
}

TEST_F(ImageFaultTest, AnArrayThatWasDestroyed) {
    if (!in_process_of_its_own()) return;
    const CUarray made = array();
    const CUtexObject left = texture(resource(made));
    ASSERT_OK(cu().cuArrayDestroy(made));
    EXPECT_TRUE(says(fault_of(CUDA_ERROR_ILLEGAL_ADDRESS, read_plane, left),
                     {"an array of 8 x 8 elements", "was destroyed (cuArrayDestroy)"}));
}

TEST_F(ImageFaultTest, MemoryThatWasFreed) {
    if (!in_process_of_its_own()) return;
    CUDA_RESOURCE_DESC linear{};
    linear.resType = CU_RESOURCE_TYPE_LINEAR;
    ASSERT_OK(cu().cuMemAlloc(&linear.res.linear.devPtr, 512));
    linear.res.linear.format = CU_AD_FORMAT_UNSIGNED_INT32;
    linear.res.linear.numChannels = 1;
    linear.res.linear.sizeInBytes = 512;
    const CUtexObject left = texture(linear);
    ASSERT_OK(cu().cuMemFree(linear.res.linear.devPtr));
    EXPECT_TRUE(says(fault_of(CUDA_ERROR_ILLEGAL_ADDRESS, "tex.1d.v4.u32.s32 {%r1, %r2, %r3, %r4}, [%t, {%r1}];", left),
                     {"whose memory is not there"}));
}

TEST_F(ImageFaultTest, AnotherGeometry) {
    if (!in_process_of_its_own()) return;
    EXPECT_TRUE(says(
        fault_of(CUDA_ERROR_ILLEGAL_INSTRUCTION, "tex.3d.v4.u32.f32 {%r1, %r2, %r3, %r4}, [%t, {%f1, %f1, %f1, %f1}];",
                 texture(resource(array()))),
        {"three dimensions", "an array of 8 x 8 elements"}));
}

TEST_F(ImageFaultTest, OutsideASurface) {
    if (!in_process_of_its_own()) return;
    EXPECT_TRUE(says(fault_of(CUDA_ERROR_ILLEGAL_ADDRESS, write_plane, surface(array())),
                     {"(100 bytes, 1, 0)", "lies outside an array of 8 x 8 elements"}));
}

TEST_F(ImageFaultTest, BetweenTwoElementsOfASurface) {
    if (!in_process_of_its_own()) return;
    EXPECT_TRUE(
        says(fault_of(CUDA_ERROR_MISALIGNED_ADDRESS, "sust.b.2d.b32.trap [%t, {%r1, %r1}], {%r1};", surface(array())),
             {"kernel 'k'"}));
}

}  // namespace
}  // namespace cuprum::test
