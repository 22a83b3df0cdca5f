// Device memory.
#include <algorithm>
#include <array>
#include <concepts>
#include <numeric>
#include <ranges>
#include <span>
#include <string>
#include <vector>

#include "fixture.hpp"

namespace cuprum::core {
namespace {

using test::buffer_of;
using test::error_of;
using test::kernel;
using test::values_of;
using testing::AllOf;
using testing::HasSubstr;

class Memory : public testing::Test {
protected:
    Device device{0};
    Stream stream = device.create_stream();
};

TEST_F(Memory, GivesBackWhatWasCopiedIn) {
    std::vector<uint8_t> bytes(100003);
    for (size_t i = 0; i < bytes.size(); ++i)
        bytes[i] = static_cast<uint8_t>(i * 31 + 7);
    EXPECT_EQ(values_of<uint8_t>(buffer_of(device, bytes)), bytes);
}

TEST_F(Memory, IsAlignedFor256Bytes) {
    const Buffer small = device.allocate(1);
    const Buffer next = device.allocate(1);
    EXPECT_EQ(small.handle() % 256, 0U);
    EXPECT_EQ(next.handle() % 256, 0U);
}

TEST_F(Memory, IsCopiedBetweenBuffersAndSlices) {
    std::vector<int> values(64);
    std::iota(values.begin(), values.end(), 100);
    const Buffer source = buffer_of(device, values);
    const Buffer target = buffer_of(device, std::vector<int>(64, -1));
    target.slice(16, 32).copy_from(source.slice(128, 32), stream);
    stream.sync();
    std::vector<int> expected(64, -1);
    std::copy_n(values.begin() + 32, 8, expected.begin() + 4);
    EXPECT_EQ(values_of<int>(target), expected);
}

TEST_F(Memory, IsFilledWithPatternsOfEveryWidth) {
    const Buffer buffer = device.allocate(8);
    buffer.fill(0xab, 1, stream);
    stream.sync();
    EXPECT_EQ(values_of<uint64_t>(buffer)[0], 0xababababababababULL);
    buffer.fill(0x1234, 2, stream);
    stream.sync();
    EXPECT_EQ(values_of<uint64_t>(buffer)[0], 0x1234123412341234ULL);
    buffer.fill(0xdeadbeef, 4, stream);
    buffer.slice(4, 2).fill(0, 2, stream);
    stream.sync();
    EXPECT_EQ(values_of<uint64_t>(buffer)[0], 0xdead0000deadbeefULL);
}

template <class T>
std::vector<T> after_a_round_trip(const Device& device, const auto& source, auto&& destination) {
    const Buffer buffer = device.allocate(sizeof(T) * std::ranges::size(source));
    buffer.copy_from_host(source);
    buffer.copy_to_host(destination);
    return {std::ranges::begin(destination), std::ranges::end(destination)};
}

TEST_F(Memory, IsCopiedFromAndToEveryContiguousRange) {
    const std::vector<double> expected{1.5, 2.5, 3.5};
    std::vector<double> vector(3);
    EXPECT_EQ(after_a_round_trip<double>(device, expected, vector), expected);
    std::array<double, 3> array{};
    EXPECT_EQ(after_a_round_trip<double>(device, vector, array), expected);
    double plain[3] = {};
    EXPECT_EQ(after_a_round_trip<double>(device, array, plain), expected);
    std::vector<double> part(4);
    EXPECT_EQ(after_a_round_trip<double>(device, plain, std::span(part).first(3)), expected);
    EXPECT_EQ(after_a_round_trip<double>(device, std::span<const double>(expected), std::span<double, 3>(plain)),
              expected);
    std::string text(2, ' ');
    EXPECT_EQ(after_a_round_trip<char>(device, std::string("ab"), text), std::vector<char>({'a', 'b'}));

    const Buffer buffer = device.allocate(sizeof(plain));
    buffer.copy_from_host(vector, stream);
    buffer.copy_from_host(plain, stream);
    buffer.copy_from_host(plain, sizeof(plain), stream);  // no other number is a stream
    stream.sync();
    buffer.copy_to_host(array, device.default_stream());
    buffer.copy_to_host(std::span(part).first(3), stream);
    stream.sync();
    buffer.copy_from_host(std::vector<double>{4, 5});  // done before the temporary goes
    buffer.copy_to_host(plain);
    EXPECT_EQ(plain[0], 4);
    EXPECT_THROW(buffer.copy_from_host(part), InvalidArgument);
}

template <class Range>
concept CopiedFrom = requires(const Buffer& to, Range&& range) { to.copy_from_host(static_cast<Range&&>(range)); };
template <class Range>
concept CopiedFromLater = requires(const Buffer& to, Range&& range, const Stream& stream) {
    to.copy_from_host(static_cast<Range&&>(range), stream);
};
template <class Range>
concept CopiedTo = requires(const Buffer& from, Range&& range) { from.copy_to_host(static_cast<Range&&>(range)); };
template <class Range>
concept CopiedToLater = requires(const Buffer& from, Range&& range, const Stream& stream) {
    from.copy_to_host(static_cast<Range&&>(range), stream);
};
static_assert(CopiedFrom<std::vector<int>> && CopiedFromLater<std::vector<int>&> && CopiedFromLater<std::span<int>>);
static_assert(!CopiedFromLater<std::vector<int>>, "it is gone before the copy");
static_assert(CopiedTo<std::vector<int>&> && CopiedTo<std::span<int>> && CopiedToLater<int (&)[3]>);
static_assert(!CopiedTo<std::vector<int>> && !CopiedToLater<std::vector<int>>, "what is copied would be lost");
static_assert(!CopiedTo<const std::vector<int>&> && !CopiedTo<std::span<const int>> && !CopiedTo<const int (&)[3]>);
static_assert(!CopiedFrom<std::vector<bool>&> && !CopiedFrom<std::vector<std::string>&> && !CopiedFrom<int*>);

TEST_F(Memory, OfNoBytesIsABufferToo) {
    const Buffer empty = device.allocate(0);
    EXPECT_EQ(empty.size(), 0U);
    EXPECT_NO_THROW(empty.copy_from_host(nullptr, 0));
    EXPECT_EQ(values_of<int>(empty), std::vector<int>());
}

TEST_F(Memory, IsAllocatedAndFreedInStreamOrder) {
    std::vector<int> result(256);
    {
        const Buffer x = device.allocate(1024, stream);
        x.fill(41, 4, stream);
        launch(stream, {1, 256}, kernel("increment"), x, 256);
        x.copy_to_host(result.data(), 1024, stream);
    }  // freed in the stream's order, while the work may still be under way
    stream.sync();
    EXPECT_EQ(result, std::vector<int>(256, 42));
}

TEST_F(Memory, InStreamOrderOutlivesItsStreamsOwner) {
    Buffer x = device.allocate(1024, stream);
    stream.close();
    device.sync();  // nothing else orders the allocation before what another stream does
    const Stream other = device.create_stream();
    x.fill(7, 4, other);
    other.sync();
    EXPECT_EQ(values_of<int>(x), std::vector<int>(256, 7));
    x.close();
    device.sync();
}

TEST_F(Memory, IsCountedWhileItIsHeld) {
    constexpr uint64_t size = 64 << 20;
    const uint64_t before = device.free_memory();
    Buffer buffer = device.allocate(size);
    EXPECT_LE(device.free_memory() + size, before);
    buffer.close();
    EXPECT_EQ(device.free_memory(), before);
}

TEST_F(Memory, ThatTheDeviceDoesNotHaveIsAnErrorWithBothSizes) {
    const uint64_t size = device.total_memory() * 4;
    const auto error = error_of<OutOfMemory>([&] { static_cast<void>(device.allocate(size)); });
    EXPECT_EQ(error.requested_bytes(), size);
    EXPECT_THAT(error.what(), AllOf(HasSubstr("allocating " + std::to_string(size) + " bytes"), HasSubstr("are free")));
    EXPECT_EQ(values_of<int>(buffer_of(device, std::vector<int>{5})), std::vector<int>{5});
}

TEST_F(Memory, IsNotTouchedByACopyThatDoesNotFit) {
    const Buffer buffer = buffer_of(device, std::vector<int>{1, 2});
    std::vector<int> host{7, 8, 9};
    EXPECT_THROW(buffer.copy_from_host(host.data(), 12), InvalidArgument);
    EXPECT_THROW(buffer.copy_to_host(host.data(), 12), InvalidArgument);
    EXPECT_EQ(values_of<int>(buffer), (std::vector<int>{1, 2}));
    EXPECT_EQ(host, (std::vector<int>{7, 8, 9}));
}

TEST_F(Memory, CanBeReleasedAndBorrowed) {
    Buffer buffer = buffer_of(device, std::vector<int>{3});
    const uint64_t before = device.free_memory();
    const BufferRef borrowed = BufferRef::from_handle(buffer.release(), 4);
    EXPECT_EQ(values_of<int>(borrowed), std::vector<int>{3});
    EXPECT_EQ(device.free_memory(), before);
}

}  // namespace
}  // namespace cuprum::core
