// Fills: every width, in lines and in rows, waiting and asynchronous.
#include <cstdint>
#include <functional>
#include <vector>

#include "driver_api.hpp"

namespace cuprum::test {
namespace {

constexpr size_t row_bytes = 64, row_count = 4;

class FillTest : public DriverTest {
protected:
    void SetUp() override {
        DriverTest::SetUp();
        memory = allocate(row_bytes * row_count);
        ASSERT_OK(cu().cuMemsetD8(memory, 0xEE, row_bytes * row_count));
    }

    // What the memory holds where elements of `size` bytes were written, `columns` of `rows` rows from the second
    // element on.
    template <typename Element>
    static std::vector<unsigned char> expected(Element value, size_t columns, size_t rows) {
        std::vector<unsigned char> bytes(row_bytes * row_count, 0xEE);
        for (size_t row = 0; row < rows; ++row) {
            for (size_t byte = 0; byte < columns * sizeof value; ++byte) {
                bytes[row * row_bytes + sizeof value + byte] =
                    static_cast<unsigned char>(value >> 8 * (byte % sizeof value));
            }
        }
        return bytes;
    }

    std::vector<unsigned char> written() { return download<unsigned char>(memory, row_bytes * row_count); }

    CUdeviceptr memory = 0;
};

TEST_F(FillTest, LinesOfEveryWidth) {
    ASSERT_OK(cu().cuMemsetD8(memory + 1, 0x12, 7));
    EXPECT_EQ(written(), expected<uint8_t>(0x12, 7, 1));
    ASSERT_OK(cu().cuMemsetD8(memory, 0xEE, row_bytes * row_count));
    ASSERT_OK(cu().cuMemsetD16(memory + 2, 0x1234, 7));
    EXPECT_EQ(written(), expected<uint16_t>(0x1234, 7, 1));
    ASSERT_OK(cu().cuMemsetD8(memory, 0xEE, row_bytes * row_count));
    ASSERT_OK(cu().cuMemsetD32(memory + 4, 0x12345678, 7));
    EXPECT_EQ(written(), expected<uint32_t>(0x12345678, 7, 1));
}

TEST_F(FillTest, RowsOfEveryWidth) {
    ASSERT_OK(cu().cuMemsetD2D8(memory + 1, row_bytes, 0x12, 5, 3));
    EXPECT_EQ(written(), expected<uint8_t>(0x12, 5, 3));
    ASSERT_OK(cu().cuMemsetD8(memory, 0xEE, row_bytes * row_count));
    ASSERT_OK(cu().cuMemsetD2D16(memory + 2, row_bytes, 0x1234, 5, 3));
    EXPECT_EQ(written(), expected<uint16_t>(0x1234, 5, 3));
    ASSERT_OK(cu().cuMemsetD8(memory, 0xEE, row_bytes * row_count));
    ASSERT_OK(cu().cuMemsetD2D32(memory + 4, row_bytes, 0x12345678, 5, 3));
    EXPECT_EQ(written(), expected<uint32_t>(0x12345678, 5, 3));
}

// Each is behind a gate, so that nothing is written before its turn.
TEST_F(FillTest, AsynchronousOnesTakeTheirTurn) {
    const CUstream stream = new_stream();
    const std::vector<unsigned char> untouched(row_bytes * row_count, 0xEE);
    const auto turn = [&](const std::function<CUresult()>& fill, const std::vector<unsigned char>& result) {
        ASSERT_OK(cu().cuMemsetD8(memory, 0xEE, row_bytes * row_count));
        ASSERT_OK(cu().cuCtxSynchronize());
        Gate gate;
        gate.close_in(stream);
        ASSERT_OK(fill());
        EXPECT_EQ(written(), untouched);
        gate.open();
        ASSERT_OK(cu().cuStreamSynchronize(stream));
        EXPECT_EQ(written(), result);
    };
    turn([&] { return cu().cuMemsetD8Async(memory + 1, 0x12, 7, stream); }, expected<uint8_t>(0x12, 7, 1));
    turn([&] { return cu().cuMemsetD16Async(memory + 2, 0x1234, 7, stream); }, expected<uint16_t>(0x1234, 7, 1));
    turn([&] { return cu().cuMemsetD32Async(memory + 4, 0x12345678, 7, stream); },
         expected<uint32_t>(0x12345678, 7, 1));
    turn([&] { return cu().cuMemsetD2D8Async(memory + 1, row_bytes, 0x12, 5, 3, stream); },
         expected<uint8_t>(0x12, 5, 3));
    turn([&] { return cu().cuMemsetD2D16Async(memory + 2, row_bytes, 0x1234, 5, 3, stream); },
         expected<uint16_t>(0x1234, 5, 3));
    turn([&] { return cu().cuMemsetD2D32Async(memory + 4, row_bytes, 0x12345678, 5, 3, stream); },
         expected<uint32_t>(0x12345678, 5, 3));
}

}  // namespace
}  // namespace cuprum::test
