// Copies in batches, and from and to arrays.
#include <algorithm>
#include <functional>
#include <numeric>
#include <vector>

#include "driver_api.hpp"

namespace cuprum::test {
namespace {

using Words = std::vector<unsigned>;

Words counting(size_t count) {
    Words words(count);
    std::iota(words.begin(), words.end(), 0u);
    return words;
}

class CopyBatchTest : public DriverTest {};

TEST_F(CopyBatchTest, CopiesAllItsParts) {
    const CUstream stream = new_stream();
    const CUdeviceptr source = upload(counting(64)), target = upload(Words(64, 0));
    CUdeviceptr from[] = {source, source + 128}, to[] = {target + 128, target};
    size_t sizes[] = {128, 64}, first[] = {0};
    CUmemcpyAttributes attributes{};
    attributes.srcAccessOrder = CU_MEMCPY_SRC_ACCESS_ORDER_STREAM;
    ASSERT_OK(cu().cuMemcpyBatchAsync(to, from, sizes, 2, &attributes, first, 1, stream));
    ASSERT_OK(cu().cuStreamSynchronize(stream));
    const Words result = download<unsigned>(target, 64);
    EXPECT_EQ(result[0], 32u);
    EXPECT_EQ(result[15], 47u);
    EXPECT_EQ(result[16], 0u);
    EXPECT_EQ(result[32], 0u);
    EXPECT_EQ(result[63], 31u);
}

TEST_F(CopyBatchTest, NeedsAStreamThatIsNoDefaultStream) {
    const CUdeviceptr source = upload(counting(4)), target = allocate(16);
    CUdeviceptr from[] = {source}, to[] = {target};
    size_t sizes[] = {16}, first[] = {0};
    CUmemcpyAttributes attributes{};
    attributes.srcAccessOrder = CU_MEMCPY_SRC_ACCESS_ORDER_STREAM;
    EXPECT_CU(CUDA_ERROR_INVALID_VALUE, cu().cuMemcpyBatchAsync(to, from, sizes, 1, &attributes, first, 1, nullptr));
    const CUstream stream = new_stream();
    EXPECT_CU(CUDA_ERROR_INVALID_VALUE, cu().cuMemcpyBatchAsync(to, from, sizes, 0, &attributes, first, 1, stream));
}

TEST_F(CopyBatchTest, NeedsACurrentContext) {
    const CUstream stream = new_stream();
    const CUdeviceptr source = upload(counting(4)), target = allocate(16);
    CUdeviceptr from[] = {source}, to[] = {target};
    size_t sizes[] = {16}, first[] = {0};
    CUmemcpyAttributes attributes{};
    attributes.srcAccessOrder = CU_MEMCPY_SRC_ACCESS_ORDER_STREAM;
    CUcontext popped = nullptr;
    ASSERT_OK(cu().cuCtxPopCurrent(&popped));
    EXPECT_CU(CUDA_ERROR_INVALID_VALUE, cu().cuMemcpyBatchAsync(to, from, sizes, 1, &attributes, first, 1, stream));
    ASSERT_OK(cu().cuCtxPushCurrent(popped));
    EXPECT_OK(cu().cuMemcpyBatchAsync(to, from, sizes, 1, &attributes, first, 1, stream));
    EXPECT_OK(cu().cuStreamSynchronize(stream));
}

TEST_F(CopyBatchTest, CopiesBlocks) {
    const CUstream stream = new_stream();
    const CUdeviceptr source = upload(counting(64)), target = upload(Words(64, 0));
    // Two rows of four words out of rows of eight.
    CUDA_MEMCPY3D_BATCH_OP operation{};
    operation.src.type = operation.dst.type = CU_MEMCPY_OPERAND_TYPE_POINTER;
    operation.src.op.ptr.ptr = source;
    operation.src.op.ptr.rowLength = 32;
    operation.src.op.ptr.layerHeight = 2;
    operation.dst.op.ptr.ptr = target;
    operation.dst.op.ptr.rowLength = 16;
    operation.dst.op.ptr.layerHeight = 2;
    operation.extent = {16, 2, 1};
    operation.srcAccessOrder = CU_MEMCPY_SRC_ACCESS_ORDER_STREAM;
    ASSERT_OK(cu().cuMemcpy3DBatchAsync(1, &operation, 0, stream));
    ASSERT_OK(cu().cuStreamSynchronize(stream));
    EXPECT_EQ(download<unsigned>(target, 8), (Words{0, 1, 2, 3, 8, 9, 10, 11}));
}

class ArrayTest : public DriverTest {
protected:
    void TearDown() override {
        if (array != nullptr) {
            EXPECT_OK(cu().cuArrayDestroy(array));
        }
        DriverTest::TearDown();
    }
    void create(size_t width, size_t height) {
        CUDA_ARRAY_DESCRIPTOR descriptor{width, height, CU_AD_FORMAT_UNSIGNED_INT32, 1};
        ASSERT_OK(cu().cuArrayCreate(&array, &descriptor));
    }

    CUarray array = nullptr;
};

TEST_F(ArrayTest, KnowsItsShape) {
    create(16, 4);
    CUDA_ARRAY_DESCRIPTOR descriptor{};
    ASSERT_OK(cu().cuArrayGetDescriptor(&descriptor, array));
    EXPECT_EQ(descriptor.Width, 16u);
    EXPECT_EQ(descriptor.Height, 4u);
    EXPECT_EQ(descriptor.Format, CU_AD_FORMAT_UNSIGNED_INT32);
    EXPECT_EQ(descriptor.NumChannels, 1u);
}

TEST_F(ArrayTest, OneDimensionIsCopiedLinearly) {
    create(16, 0);
    const Words words = counting(16);
    Words result(8, 0);
    ASSERT_OK(cu().cuMemcpyHtoA(array, 0, words.data(), 64));
    ASSERT_OK(cu().cuMemcpyAtoH(result.data(), array, 32, 32));
    EXPECT_EQ(result, (Words{8, 9, 10, 11, 12, 13, 14, 15}));
    const CUdeviceptr pointer = allocate(64);
    ASSERT_OK(cu().cuMemcpyAtoD(pointer, array, 0, 64));
    EXPECT_EQ(download<unsigned>(pointer, 16), words);
    ASSERT_OK(cu().cuMemcpyDtoA(array, 0, pointer + 32, 32));
    ASSERT_OK(cu().cuMemcpyAtoH(result.data(), array, 0, 32));
    EXPECT_EQ(result[0], 8u);
    EXPECT_CU(CUDA_ERROR_INVALID_VALUE, cu().cuMemcpyHtoA(array, 32, words.data(), 64));
}

TEST_F(ArrayTest, PartsAreCopiedBetweenArrays) {
    create(16, 0);
    const Words words = counting(16);
    ASSERT_OK(cu().cuMemcpyHtoA(array, 0, words.data(), 64));
    CUarray other = nullptr;
    CUDA_ARRAY_DESCRIPTOR shape{8, 0, CU_AD_FORMAT_UNSIGNED_INT32, 1};
    ASSERT_OK(cu().cuArrayCreate(&other, &shape));
    Words result(8, 0);
    ASSERT_OK(cu().cuMemcpyHtoA(other, 0, result.data(), 32));
    ASSERT_OK(cu().cuMemcpyAtoA(other, 8, array, 40, 16));
    ASSERT_OK(cu().cuMemcpyAtoH(result.data(), other, 0, 32));
    EXPECT_EQ(result, (Words{0, 0, 10, 11, 12, 13, 0, 0}));
    EXPECT_CU(CUDA_ERROR_INVALID_VALUE, cu().cuMemcpyAtoA(other, 24, array, 0, 16));
    EXPECT_CU(CUDA_ERROR_INVALID_VALUE, cu().cuMemcpyAtoA(other, 0, array, 56, 16));
    EXPECT_OK(cu().cuArrayDestroy(other));
}

TEST_F(ArrayTest, TwoDimensionsAreCopiedInRectangles) {
    create(8, 4);
    const Words words = counting(32);
    CUDA_MEMCPY2D in{};
    in.srcMemoryType = CU_MEMORYTYPE_HOST;
    in.srcHost = words.data();
    in.srcPitch = 32;
    in.dstMemoryType = CU_MEMORYTYPE_ARRAY;
    in.dstArray = array;
    in.WidthInBytes = 32;
    in.Height = 4;
    ASSERT_OK(cu().cuMemcpy2D(&in));
    Words result(4, 0);
    CUDA_MEMCPY2D out{};
    out.srcMemoryType = CU_MEMORYTYPE_ARRAY;
    out.srcArray = array;
    out.srcXInBytes = 8;
    out.srcY = 1;
    out.dstMemoryType = CU_MEMORYTYPE_HOST;
    out.dstHost = result.data();
    out.dstPitch = 8;
    out.WidthInBytes = 8;
    out.Height = 2;
    ASSERT_OK(cu().cuMemcpy2D(&out));
    EXPECT_EQ(result, (Words{10, 11, 18, 19}));
    out.srcY = 3;
    EXPECT_CU(CUDA_ERROR_INVALID_VALUE, cu().cuMemcpy2D(&out));
}

TEST_F(ArrayTest, ThreeDimensionsAreCopiedInBlocks) {
    CUDA_ARRAY3D_DESCRIPTOR descriptor{4, 4, 4, CU_AD_FORMAT_UNSIGNED_INT32, 1, 0};
    ASSERT_OK(cu().cuArray3DCreate(&array, &descriptor));
    CUDA_ARRAY3D_DESCRIPTOR found{};
    ASSERT_OK(cu().cuArray3DGetDescriptor(&found, array));
    EXPECT_EQ(found.Depth, 4u);
    const Words words = counting(64);
    CUDA_MEMCPY3D in{};
    in.srcMemoryType = CU_MEMORYTYPE_HOST;
    in.srcHost = words.data();
    in.srcPitch = 16;
    in.srcHeight = 4;
    in.dstMemoryType = CU_MEMORYTYPE_ARRAY;
    in.dstArray = array;
    in.WidthInBytes = 16;
    in.Height = in.Depth = 4;
    ASSERT_OK(cu().cuMemcpy3D(&in));
    Words result(2, 0);
    CUDA_MEMCPY3D out{};
    out.srcMemoryType = CU_MEMORYTYPE_ARRAY;
    out.srcArray = array;
    out.srcXInBytes = 4;
    out.srcY = 2;
    out.srcZ = 3;
    out.dstMemoryType = CU_MEMORYTYPE_HOST;
    out.dstHost = result.data();
    out.WidthInBytes = 8;
    out.Height = out.Depth = 1;
    ASSERT_OK(cu().cuMemcpy3D(&out));
    EXPECT_EQ(result, (Words{57, 58}));
}

TEST_F(ArrayTest, BadShapesAreRefused) {
    CUDA_ARRAY_DESCRIPTOR descriptor{16, 4, CU_AD_FORMAT_UNSIGNED_INT32, 3};
    EXPECT_CU(CUDA_ERROR_INVALID_VALUE, cu().cuArrayCreate(&array, &descriptor));
    descriptor = {0, 0, CU_AD_FORMAT_UNSIGNED_INT32, 1};
    EXPECT_CU(CUDA_ERROR_INVALID_VALUE, cu().cuArrayCreate(&array, &descriptor));
}

class CopyFormTest : public DriverTest {};

// The forms of copies that take a stream, or pitches of any size, all of the same rows.
TEST_F(CopyFormTest, AllFormsCopyTheSame) {
    const CUstream stream = new_stream();
    std::vector<unsigned char> bytes(64);
    for (size_t index = 0; index < bytes.size(); ++index) {
        bytes[index] = static_cast<unsigned char>(index);
    }
    const CUdeviceptr from = upload(bytes), to = allocate(64);
    CUDA_MEMCPY2D rows{};
    rows.srcMemoryType = rows.dstMemoryType = CU_MEMORYTYPE_DEVICE;
    rows.srcDevice = from;
    rows.srcPitch = 12;
    rows.dstDevice = to;
    rows.dstPitch = 16;
    rows.WidthInBytes = 10;
    rows.Height = 3;
    CUDA_MEMCPY3D box{};
    box.srcMemoryType = box.dstMemoryType = CU_MEMORYTYPE_DEVICE;
    box.srcDevice = from;
    box.srcPitch = 12;
    box.srcHeight = 3;
    box.dstDevice = to;
    box.dstPitch = 16;
    box.dstHeight = 3;
    box.WidthInBytes = 10;
    box.Height = 3;
    box.Depth = 1;
    CUDA_MEMCPY3D_PEER between{};
    between.srcMemoryType = between.dstMemoryType = CU_MEMORYTYPE_DEVICE;
    between.srcDevice = from;
    between.srcContext = between.dstContext = context;
    between.srcPitch = 12;
    between.srcHeight = 3;
    between.dstDevice = to;
    between.dstPitch = 16;
    between.dstHeight = 3;
    between.WidthInBytes = 10;
    between.Height = 3;
    between.Depth = 1;
    std::vector<unsigned char> expected(64, 0xEE);
    for (size_t row = 0; row < 3; ++row) {
        std::copy_n(bytes.begin() + static_cast<long>(12 * row), 10, expected.begin() + static_cast<long>(16 * row));
    }
    const auto copies = [&](const char* form, const std::function<CUresult()>& copy) {
        ASSERT_OK(cu().cuMemsetD8(to, 0xEE, 64));
        ASSERT_OK(cu().cuCtxSynchronize());
        EXPECT_OK(copy()) << form;
        ASSERT_OK(cu().cuCtxSynchronize());
        EXPECT_EQ(download<unsigned char>(to, 64), expected) << form;
    };
    copies("cuMemcpy2D", [&] { return cu().cuMemcpy2D(&rows); });
    copies("cuMemcpy2DUnaligned", [&] { return cu().cuMemcpy2DUnaligned(&rows); });
    copies("cuMemcpy2DAsync", [&] { return cu().cuMemcpy2DAsync(&rows, stream); });
    copies("cuMemcpy3D", [&] { return cu().cuMemcpy3D(&box); });
    copies("cuMemcpy3DAsync", [&] { return cu().cuMemcpy3DAsync(&box, stream); });
    copies("cuMemcpy3DPeerAsync", [&] { return cu().cuMemcpy3DPeerAsync(&between, stream); });
    ASSERT_OK(cu().cuMemcpyAsync(to, from, 64, stream));
    ASSERT_OK(cu().cuStreamSynchronize(stream));
    EXPECT_EQ(download<unsigned char>(to, 64), bytes);
    ASSERT_OK(cu().cuMemsetD8(to, 0xEE, 64));
    ASSERT_OK(cu().cuCtxSynchronize());
    ASSERT_OK(cu().cuMemcpyPeerAsync(to, context, from, context, 64, stream));
    ASSERT_OK(cu().cuStreamSynchronize(stream));
    EXPECT_EQ(download<unsigned char>(to, 64), bytes);
}

TEST_F(CopyFormTest, ArraysAreCopiedInStreams) {
    const CUstream stream = new_stream();
    CUDA_ARRAY_DESCRIPTOR shape{};
    shape.Width = 16;
    shape.Format = CU_AD_FORMAT_UNSIGNED_INT8;
    shape.NumChannels = 1;
    CUarray array = nullptr;
    ASSERT_OK(cu().cuArrayCreate(&array, &shape));
    const std::vector<unsigned char> in = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16};
    std::vector<unsigned char> out(16);
    ASSERT_OK(cu().cuMemcpyHtoAAsync(array, 0, in.data(), 16, stream));
    ASSERT_OK(cu().cuMemcpyAtoHAsync(out.data(), array, 4, 12, stream));
    ASSERT_OK(cu().cuStreamSynchronize(stream));
    EXPECT_TRUE(std::equal(in.begin() + 4, in.end(), out.begin()));
    EXPECT_OK(cu().cuArrayDestroy(array));
}

}  // namespace
}  // namespace cuprum::test
