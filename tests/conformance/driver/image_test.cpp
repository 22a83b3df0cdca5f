// What modules are loaded from: fat binaries, stored and compressed, and machine code.
#include <cstring>
#include <fstream>
#include <iterator>

#include "driver_api.hpp"

namespace cuprum::test {
namespace {

class ImageTest : public DriverTest {
protected:
    static std::vector<char> image(const std::string& name) {
        std::ifstream file(data_folder() + "/fat_binaries/" + name, std::ios::binary);
        EXPECT_TRUE(file) << name;
        return {std::istreambuf_iterator<char>(file), {}};
    }

    // The module must have the kernel add_one, and it must work.
    void expect_runs(CUmodule loaded) {
        CUfunction add_one = nullptr;
        ASSERT_OK(cu().cuModuleGetFunction(&add_one, loaded, "add_one"));
        CUdeviceptr values = upload<int>({1, 2, 3});
        int count = 3;
        ASSERT_OK(launch(add_one, 1, 32, nullptr, {&values, &count}));
        EXPECT_EQ(download<int>(values, 3), (std::vector<int>{2, 3, 4}));
        EXPECT_OK(cu().cuModuleUnload(loaded));
    }

    void expect_loads(const std::string& name) {
        const std::vector<char> bytes = image(name);
        CUmodule loaded = nullptr;
        ASSERT_OK(cu().cuModuleLoadData(&loaded, bytes.data()));
        expect_runs(loaded);
    }

    int compute_capability() const {
        int major = 0, minor = 0;
        EXPECT_OK(cu().cuDeviceGetAttribute(&major, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR, device));
        EXPECT_OK(cu().cuDeviceGetAttribute(&minor, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR, device));
        return 10 * major + minor;
    }
};

TEST_F(ImageTest, FatBinariesAreLoaded) {
    expect_loads("stored.fatbin");
}

TEST_F(ImageTest, FatBinariesCompressedWithLz4AreLoaded) {
    expect_loads("lz4.fatbin");
}

TEST_F(ImageTest, FatBinariesCompressedWithZstdAreLoaded) {
    expect_loads("zstd.fatbin");
}

TEST_F(ImageTest, FatBinariesAreLoadedFromFiles) {
    CUmodule loaded = nullptr;
    ASSERT_OK(cu().cuModuleLoad(&loaded, (data_folder() + "/fat_binaries/zstd.fatbin").c_str()));
    expect_runs(loaded);
}

TEST_F(ImageTest, FatBinariesAreLoadedByTheCallOfTheirName) {
    const std::vector<char> bytes = image("lz4.fatbin");
    CUmodule loaded = nullptr;
    ASSERT_OK(cu().cuModuleLoadFatBinary(&loaded, bytes.data()));
    expect_runs(loaded);
}

// What host programs hold: a pointer to the fat binary (fatbinary_section.h).
TEST_F(ImageTest, OnlyLibrariesAreLoadedThroughAFatBinarysWrapper) {
    const std::vector<char> bytes = image("lz4.fatbin");
    const struct {
        int magic, version;
        const void* data;
        const void* unused;
    } wrapper = {0x466243b1, 1, bytes.data(), nullptr};
    CUmodule loaded = nullptr;
    EXPECT_CU(CUDA_ERROR_INVALID_IMAGE, cu().cuModuleLoadFatBinary(&loaded, &wrapper));
    EXPECT_CU(CUDA_ERROR_INVALID_IMAGE, cu().cuModuleLoadData(&loaded, &wrapper));
    CUlibrary library = nullptr;
    ASSERT_OK(cu().cuLibraryLoadData(&library, &wrapper, nullptr, nullptr, 0, nullptr, nullptr, 0));
    CUkernel add_one = nullptr;
    ASSERT_OK(cu().cuLibraryGetKernel(&add_one, library, "add_one"));
    CUdeviceptr values = upload<int>({1, 2, 3});
    int count = 3;
    ASSERT_OK(launch(reinterpret_cast<CUfunction>(add_one), 1, 32, nullptr, {&values, &count}));
    EXPECT_EQ(download<int>(values, 3), (std::vector<int>{2, 3, 4}));
    EXPECT_OK(cu().cuLibraryUnload(library));
}

// What nvcc -rdc=true makes: linked machine code, and beside it the binaries of the objects, which are linked where
// that code does not serve.
TEST_F(ImageTest, TheObjectsInAWrapperServeWhereItsLinkedCodeDoesNot) {
    const std::vector<char> linked = image("newer_only.fatbin"), object = image("lz4.fatbin");
    const void* const objects[] = {object.data(), nullptr};
    const struct {
        int magic, version;
        const void* data;
        const void* objects;
    } wrapper = {0x466243b1, 2, linked.data(), objects};
    CUlibrary library = nullptr;
    ASSERT_OK(cu().cuLibraryLoadData(&library, &wrapper, nullptr, nullptr, 0, nullptr, nullptr, 0));
    CUkernel add_one = nullptr;
    EXPECT_OK(cu().cuLibraryGetKernel(&add_one, library, "add_one"));
    EXPECT_OK(cu().cuLibraryUnload(library));
}

TEST_F(ImageTest, CodeForNewerDevicesAloneIsRefused) {
    if (compute_capability() >= 90) {
        expect_loads("newer_only.fatbin");
        return;
    }
    const std::vector<char> bytes = image("newer_only.fatbin");
    CUmodule loaded = nullptr;
    EXPECT_CU(CUDA_ERROR_NO_BINARY_FOR_GPU, cu().cuModuleLoadData(&loaded, bytes.data()));
}

TEST_F(ImageTest, MachineCodeForAnotherDeviceIsRefused) {
    if (!cu().simulated && compute_capability() / 10 == 8) return;  // a GPU that runs it
    for (const char* const name : {"machine_code_only.fatbin", "add_one.cubin"}) {
        const std::vector<char> bytes = image(name);
        CUmodule loaded = nullptr;
        EXPECT_CU(CUDA_ERROR_NO_BINARY_FOR_GPU, cu().cuModuleLoadData(&loaded, bytes.data())) << name;
    }
}

}  // namespace
}  // namespace cuprum::test
