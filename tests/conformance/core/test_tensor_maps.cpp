// Tensor maps, as descriptors and as what kernels are given. What kernels copy by them: tests/conformance/execution.
#include <array>
#include <cstring>

#include <cuda.h>

#include "cuprum/bindings/driver.hpp"
#include "fixture.hpp"

namespace cuprum::core {
namespace {

using test::error_of;
using test::values_of;
using testing::HasSubstr;
using Bytes = std::array<std::byte, 128>;

// A device with tensor maps: on the simulator the test test_core_clusters, of compute capability 9.0.
class TensorMaps : public testing::Test {
protected:
    void SetUp() override {
        if (device.attribute(CU_DEVICE_ATTRIBUTE_TENSOR_MAP_ACCESS_SUPPORTED) == 0) GTEST_SKIP() << "no tensor maps";
    }
    TensorMapTensor tensor(std::vector<uint64_t> shape, std::vector<uint64_t> strides = {}) const {
        return {memory.handle(), TensorMapDataType::float32, std::move(shape), std::move(strides)};
    }

    Device device{0};
    Buffer memory = device.allocate(1 << 20);
};

TEST_F(TensorMaps, AreWhatTheDriverEncodes) {
    const TensorMapDescriptor map = TensorMapDescriptor::tiled(device, tensor({32, 64}), {8, 16});
    const std::array<cuuint64_t, 2> sizes{64, 32};
    const std::array<cuuint64_t, 1> strides{256};
    const std::array<cuuint32_t, 2> box{16, 8}, steps{1, 1};
    CUtensorMap expected{};
    device.set_current();
    ASSERT_EQ(bindings::driver::cuTensorMapEncodeTiled(
                  &expected, CU_TENSOR_MAP_DATA_TYPE_FLOAT32, 2, reinterpret_cast<void*>(memory.handle()), sizes.data(),
                  strides.data(), box.data(), steps.data(), CU_TENSOR_MAP_INTERLEAVE_NONE, CU_TENSOR_MAP_SWIZZLE_NONE,
                  CU_TENSOR_MAP_L2_PROMOTION_NONE, CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE),
              CUDA_SUCCESS);
    EXPECT_EQ(std::memcmp(map.bytes().data(), &expected, sizeof expected), 0);
    EXPECT_EQ(map.device_id(), 0);
    EXPECT_EQ(TensorMapDescriptor::tiled(device, tensor({32, 64}, {64, 1}), {8, 16}).bytes(), map.bytes());
    EXPECT_NE(TensorMapDescriptor::tiled(device, tensor({32, 64}, {128, 1}), {8, 16}).bytes(), map.bytes());
}

TEST_F(TensorMaps, TakeAnotherAddress) {
    TensorMapDescriptor map = TensorMapDescriptor::tiled(device, tensor({32, 64}), {8, 16});
    TensorMapTensor elsewhere = tensor({32, 64});
    elsewhere.address += 4096;
    const Bytes expected = TensorMapDescriptor::tiled(device, elsewhere, {8, 16}).bytes();
    map.replace_address(elsewhere.address);
    EXPECT_EQ(map.bytes(), expected);
    EXPECT_THROW(map.replace_address(memory.handle() + 1), DriverError);
    EXPECT_EQ(map.bytes(), expected) << "a failed call changed it";
    map.replace_address(memory);
    EXPECT_NE(map.bytes(), expected);
}

TEST_F(TensorMaps, OfColumnsOfPixels) {
    const TensorMapTensor pixels = tensor({2, 32, 32, 16});
    const TensorMapDescriptor map = TensorMapDescriptor::im2col(device, pixels, {-1, -1}, {-1, -1}, 16, 64);
    EXPECT_TRUE(map.is_valid());
    EXPECT_THAT(
        error_of<InvalidArgument>([&] { TensorMapDescriptor::im2col(device, pixels, {-1}, {-1, -1}, 16, 64); }).what(),
        HasSubstr("a corner of 1 offsets"));
    EXPECT_THROW(TensorMapDescriptor::im2col(device, tensor({32, 64}), {}, {}, 16, 64), InvalidArgument);
    // cuTensorMapEncodeIm2colWide: "swizzle must be one of" 64B, 128B, 128B_ATOM_32B. An H200's driver (580) takes
    // none, though the call is for devices of compute capability 10.0.
    if (!device.is_simulator()) return;
    EXPECT_THROW(TensorMapDescriptor::im2col_wide(device, pixels, -1, -1, 16, 64, TensorMapIm2ColWideMode::w, {}),
                 Error);
}

TEST_F(TensorMaps, OfOneDimension) {
    EXPECT_TRUE(TensorMapDescriptor::tiled(device, tensor({64}), {16}).is_valid());
}

TEST_F(TensorMaps, AreGivenToKernels) {
    const Program program(R"(
        struct alignas(64) Map { unsigned long long words[16]; };
        extern "C" __global__ void copy_map(const __grid_constant__ Map map, unsigned long long* out, int first) {
            out[threadIdx.x] = map.words[threadIdx.x] + first;
        })");
    const Kernel kernel = program.compile().get_kernel("copy_map");
    const TensorMapDescriptor map = TensorMapDescriptor::tiled(device, tensor({32, 64}), {8, 16});
    const Buffer out = device.allocate(sizeof(Bytes));
    const Stream stream = device.create_stream();
    launch(stream, {1, 16}, kernel, map, out, 0);
    stream.sync();
    std::array<uint64_t, 16> expected{};
    std::memcpy(expected.data(), map.bytes().data(), sizeof expected);
    EXPECT_THAT(values_of<uint64_t>(out), testing::ElementsAreArray(expected));
    EXPECT_THROW(launch(stream, {1, 16}, kernel, TensorMapDescriptor(), out, 0), InvalidArgument);
}

TEST_F(TensorMaps, RefuseWhatIsNoTensor) {
    const auto refusal = [&](const TensorMapTensor& of, const std::vector<uint32_t>& box,
                             const TensorMapDescriptorOptions& options = {}) {
        return std::string(
            error_of<InvalidArgument>([&] { TensorMapDescriptor::tiled(device, of, box, options); }).what());
    };
    EXPECT_THAT(refusal(tensor({}), {}), HasSubstr("0 dimensions"));
    EXPECT_THAT(refusal(tensor({1, 1, 1, 1, 1, 4}), {}), HasSubstr("6 dimensions"));
    EXPECT_THAT(refusal(tensor({32, 64}), {16}), HasSubstr("1 box dimensions for a tensor of 2"));
    EXPECT_THAT(refusal(tensor({32, 64}, {1, 32}), {8, 16}), HasSubstr("side by side"));
    EXPECT_THAT(refusal(tensor({32, 64}), {8, 16}, {.element_strides = {1}}), HasSubstr("element strides"));
    const std::string large =
        error_of<DriverError>([&] { TensorMapDescriptor::tiled(device, tensor({32, 64}), {8, 300}); }).what();
    const std::string rule = "boxDim[0] is 300, not 1 to 256";
    EXPECT_THAT(large, HasSubstr(rule));
    EXPECT_EQ(large.find(rule), large.rfind(rule)) << "the simulator's driver says it too: once is enough";
    EXPECT_THROW(TensorMapDescriptor().replace_address(memory), InvalidArgument);
    EXPECT_THROW(bytes_of(static_cast<TensorMapDataType>(13)), InvalidArgument);
}

TEST(TensorMapsOfOlderDevices, AreRefused) {
    const Device device(0);
    if (device.attribute(CU_DEVICE_ATTRIBUTE_TENSOR_MAP_ACCESS_SUPPORTED) != 0) GTEST_SKIP() << "there are tensor maps";
    EXPECT_THROW(TensorMapDescriptor::tiled(device, {0, TensorMapDataType::float32, {32, 64}}, {8, 16}), Unsupported);
}

}  // namespace
}  // namespace cuprum::core
