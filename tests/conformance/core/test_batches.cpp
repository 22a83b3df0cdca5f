// Many copies, and many ranges of managed memory, in one call.
#include <cuda.h>

#include <array>
#include <string>
#include <vector>

#include "cuprum/bindings/driver.hpp"
#include "fixture.hpp"

namespace cuprum::core {
namespace {

using test::buffer_of;
using test::error_of;
using test::values_of;
using testing::AllOf;
using testing::HasSubstr;

class Batches : public testing::Test {
protected:
    void SetUp() override {
        for (const size_t size : {1U, 7U, 0U, 1000U}) {
            sources.push_back(buffer_of(device, std::vector<uint8_t>(size, static_cast<uint8_t>(size))));
            destinations.push_back(buffer_of(device, std::vector<uint8_t>(size, 99)));
        }
    }
    static std::vector<BufferRef> refs(const std::vector<Buffer>& buffers) { return {buffers.begin(), buffers.end()}; }
    void expect_copied() {
        for (size_t index = 0; index < sources.size(); ++index)
            EXPECT_EQ(values_of<uint8_t>(destinations[index]), values_of<uint8_t>(sources[index])) << index;
    }

    Device device{0};
    Stream stream = device.create_stream();
    std::vector<Buffer> sources;
    std::vector<Buffer> destinations;
};

TEST_F(Batches, OfBuffersAreCopied) {
    for (const CopySourceAccessOrder order :
         {CopySourceAccessOrder::stream, CopySourceAccessOrder::during_api_call, CopySourceAccessOrder::any}) {
        for (const Buffer& each : destinations)
            each.fill(99, 1, stream);
        stream.sync();
        copy_batch(stream, refs(sources), refs(destinations),
                   {.source_access_order = order, .prefer_overlap_with_compute = true});
        stream.sync();
        expect_copied();
    }
    EXPECT_NO_THROW(copy_batch(stream, {}, {}));
}

TEST_F(Batches, AreCopiedInDefaultStreamsToo) {
    copy_batch(device.default_stream(), refs(sources), refs(destinations),
               {.source_access_order = CopySourceAccessOrder::during_api_call});
    device.default_stream().sync();
    expect_copied();
}

TEST_F(Batches, OfPageLockedMemoryAreCopiedBothWays) {
    const LegacyPinnedMemoryResource pinned;
    const Buffer first = pinned.allocate(1000), second = pinned.allocate(7);
    copy_batch(stream, std::array<BufferRef, 2>{sources[3], sources[1]}, std::array<BufferRef, 2>{first, second});
    copy_batch(stream, std::array<BufferRef, 2>{first, second},
               std::array<BufferRef, 2>{destinations[3], destinations[1]});
    stream.sync();
    EXPECT_EQ(values_of<uint8_t>(destinations[3]), values_of<uint8_t>(sources[3]));
    EXPECT_EQ(values_of<uint8_t>(destinations[1]), values_of<uint8_t>(sources[1]));
}

// What a driver before CUDA 12.8 has in its place is that the call is missing.
CUresult no_batches(CUdeviceptr*, CUdeviceptr*, size_t*, size_t, CUmemcpyAttributes*, size_t*, size_t,
#if CUDA_VERSION < 13000
                    size_t*,
#endif
                    CUstream) {
    return CUDA_ERROR_NOT_SUPPORTED;
}

TEST_F(Batches, AreCopiedOneAfterAnotherWhereTheDriverHasNoBatches) {
    const bindings::TableOverride missing(bindings::driver::library(), "cuMemcpyBatchAsync", &no_batches);
    copy_batch(stream, refs(sources), refs(destinations),
               {.source_access_order = CopySourceAccessOrder::during_api_call});
    for (const Buffer& each : sources)
        each.fill(5, 1, stream);  // after the copies, which have read them
    stream.sync();
    EXPECT_EQ(values_of<uint8_t>(destinations[1]), std::vector<uint8_t>(7, 7));
}

TEST_F(Batches, MustBeOfPairsOfTheSameSize) {
    const auto refused = [&](std::vector<BufferRef> from, std::vector<BufferRef> to) {
        return std::string(error_of<InvalidArgument>([&] { copy_batch(stream, from, to); }).what());
    };
    EXPECT_THAT(refused({sources[0], sources[1]}, {destinations[0]}),
                HasSubstr("sources is 2, that of destinations 1"));
    EXPECT_THAT(refused({sources[0], sources[1]}, {destinations[0], destinations[3]}),
                AllOf(HasSubstr("destination 1 has another size than source 1"), HasSubstr("copying a batch")));
    EXPECT_EQ(values_of<uint8_t>(destinations[0]), std::vector<uint8_t>{99}) << "copied all the same";
    const Buffer closed;
    EXPECT_THAT(std::string(error_of<InvalidState>([&] {
                                copy_batch(stream, std::array<BufferRef, 1>{closed},
                                           std::array<BufferRef, 1>{destinations[0]});
                            }).what()),
                HasSubstr("source 0"));
    EXPECT_THROW(copy_batch(StreamRef(), {}, {}), InvalidArgument);
}

TEST_F(Batches, WhoseMemoryOverlapsAreRefused) {
    const BufferRef whole = sources[3], other = destinations[3];
    const auto refused = [&](std::vector<BufferRef> from, std::vector<BufferRef> to) {
        return std::string(error_of<InvalidArgument>([&] { copy_batch(stream, from, to); }).what());
    };
    EXPECT_THAT(refused({whole.slice(0, 10), whole.slice(20, 10)}, {other.slice(5, 10), other.slice(0, 10)}),
                HasSubstr("destination 1 overlaps destination 0"));
    EXPECT_THAT(refused({whole.slice(0, 10), whole.slice(20, 10)}, {other.slice(0, 10), whole.slice(9, 10)}),
                HasSubstr("destination 1 overlaps source 0"));
    EXPECT_THAT(refused({whole}, {whole}), HasSubstr("destination 0 overlaps source 0"));
    // Side by side is no overlap, and sources may overlap one another.
    copy_batch(stream, std::array<BufferRef, 2>{whole.slice(0, 10), whole.slice(5, 10)},
               std::array<BufferRef, 2>{other.slice(10, 10), other.slice(0, 10)});
    stream.sync();
    EXPECT_EQ(values_of<uint8_t>(other.slice(0, 21))[20], 99);
    EXPECT_EQ(values_of<uint8_t>(other.slice(0, 21))[19], 1000 % 256);
}

class ManagedBatches : public testing::Test {
protected:
    Device device{0};
    Stream stream = device.create_stream();
    ManagedMemoryResource pool;
    Buffer first = pool.allocate(4096, stream);
    Buffer second = pool.allocate(100, stream);
    std::array<BufferRef, 2> both{first, second};
    // A pool's memory, which the driver of CUDA 13.0 does not move.
    template <class Action>
    static void unless_unsupported(const Action& action) {
        try {
            action();
        } catch (const Unsupported&) {
            EXPECT_FALSE(Device(0).is_simulator());
        }
    }
};

TEST_F(ManagedBatches, ArePrefetchedToOneLocationOrToOneEach) {
    for (const Buffer& each : {std::ref(first), std::ref(second)})
        each.fill(7, 1, stream);
    unless_unsupported([&] { prefetch_batch(stream, both, std::array<MemoryLocation, 1>{device}); });
    unless_unsupported([&] {
        prefetch_batch(stream, both, std::array<MemoryLocation, 2>{MemoryLocation::host(), MemoryLocation(device)});
    });
    stream.sync();
    EXPECT_EQ(values_of<uint8_t>(first), std::vector<uint8_t>(4096, 7));
    EXPECT_EQ(values_of<uint8_t>(second), std::vector<uint8_t>(100, 7));
}

TEST_F(ManagedBatches, AreDiscarded) {
    unless_unsupported([&] { discard_batch(stream, both); });
    unless_unsupported([&] { discard_prefetch_batch(stream, both, std::array<MemoryLocation, 1>{device}); });
    first.fill(3, 1, stream);
    stream.sync();
    EXPECT_EQ(values_of<uint8_t>(first), std::vector<uint8_t>(4096, 3));
    EXPECT_NO_THROW(discard_batch(stream, {}));
}

TEST_F(ManagedBatches, OfOtherMemoryAreRefused) {
    const Buffer of_device = device.allocate(16);
    const std::array<BufferRef, 2> mixed{first, of_device};
    const std::array<MemoryLocation, 1> there{device};
    EXPECT_THAT(error_of<InvalidArgument>([&] { prefetch_batch(stream, mixed, there); }).what(),
                AllOf(HasSubstr("buffer 1 is not managed memory"), HasSubstr("prefetching a batch")));
    EXPECT_THROW(discard_batch(stream, mixed), InvalidArgument);
    EXPECT_THROW(discard_prefetch_batch(stream, mixed, there), InvalidArgument);
    EXPECT_THAT(error_of<InvalidArgument>([&] { prefetch_batch(stream, both, {}); }).what(),
                HasSubstr("buffers is 2, that of locations 0"));
    EXPECT_THROW(discard_batch(stream, std::array<BufferRef, 1>{Buffer()}), InvalidState);
    EXPECT_THROW(discard_batch(StreamRef(), both), InvalidArgument);
}

}  // namespace
}  // namespace cuprum::core
