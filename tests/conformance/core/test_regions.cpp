// Copies and fills of regions: rows and slices at any distance from each other.
#include <algorithm>
#include <random>
#include <span>
#include <string>
#include <vector>

#include "fixture.hpp"

namespace cuprum::core {
namespace {

using test::buffer_of;
using test::error_of;
using test::values_of;
using testing::AllOf;
using testing::HasSubstr;

using Bytes = std::vector<uint8_t>;

Bytes numbered(uint64_t size, int first) {
    Bytes bytes(size);
    for (uint64_t index = 0; index < size; ++index)
        bytes[index] = static_cast<uint8_t>(first + 7 * static_cast<int>(index % 31) + static_cast<int>(index / 31));
    return bytes;
}

// Where each byte of a region is, in its order: the words of the documentation, one by one.
std::vector<uint64_t> places(const Region& region) {
    const uint64_t row_pitch = region.row_pitch != 0 ? region.row_pitch : region.width;
    const uint64_t slice_pitch = region.slice_pitch != 0 ? region.slice_pitch : region.height * row_pitch;
    std::vector<uint64_t> found;
    for (uint64_t slice = 0; slice < region.depth; ++slice) {
        for (uint64_t row = 0; row < region.height; ++row) {
            for (uint64_t column = 0; column < region.width; ++column)
                found.push_back(region.offset + slice * slice_pitch + row * row_pitch + column);
        }
    }
    return found;
}

Bytes after_copy(Bytes destination, const Region& destination_region, const Bytes& source,
                 const Region& source_region) {
    const std::vector<uint64_t> to = places(destination_region);
    const std::vector<uint64_t> from = places(source_region);
    for (size_t index = 0; index < to.size(); ++index)
        destination.at(to[index]) = source.at(from.at(index));
    return destination;
}

uint64_t size_for(const Region& region) {
    const std::vector<uint64_t> all = places(region);
    return *std::max_element(all.begin(), all.end()) + 1;
}

// Contiguous and with gaps, aligned and not, and with slices that are no multiple of rows.
Region region_of_shape(const Region& shape, std::mt19937& random) {
    const auto number = [&](uint64_t most) { return std::uniform_int_distribution<uint64_t>(0, most)(random); };
    Region region = shape;
    region.offset = number(1) * number(9);
    region.row_pitch = number(2) == 0 ? 0 : region.width + number(1) * number(11);
    const uint64_t rows =
        (region.row_pitch != 0 ? region.row_pitch : region.width) * (region.height - 1) + region.width;
    region.slice_pitch = number(2) == 0 ? 0 : rows + number(1) * number(40);
    return region;
}

class Regions : public testing::Test {
protected:
    InvalidArgument refusal(const Region& region) {
        return error_of<InvalidArgument>([&] { buffer.fill_region(region, 1, 1, stream); });
    }

    Device device{0};
    Stream stream = device.create_stream();
    Buffer buffer = buffer_of<uint8_t>(device, numbered(1000, 0));
};

TEST_F(Regions, AnyRegionIsCopiedToAnyOtherOfItsShapeAndNothingElseIsChanged) {
    std::mt19937 random(20261123);  // NOLINT(cert-msc32-c,cert-msc51-cpp): the same cases each time
    const auto number = [&](uint64_t most) { return std::uniform_int_distribution<uint64_t>(1, most)(random); };
    for (int round = 0; round < 200; ++round) {
        const Region shape{.width = number(20), .height = number(5), .depth = number(4)};
        const Region to = region_of_shape(shape, random);
        const Region from = region_of_shape(shape, random);
        SCOPED_TRACE("round " + std::to_string(round));
        const Bytes old = numbered(size_for(to) + 5, 3);
        const Bytes source = numbered(size_for(from) + 5, 100);
        const Bytes expected = after_copy(old, to, source, from);

        const Buffer on_device = buffer_of(device, old);
        on_device.copy_region_from_host(to, std::as_bytes(std::span(source)), from);
        EXPECT_EQ(values_of<uint8_t>(on_device), expected);

        const Buffer in_stream = buffer_of(device, old);
        in_stream.copy_region_from_host(to, std::as_bytes(std::span(source)), from, stream);
        stream.sync();
        EXPECT_EQ(values_of<uint8_t>(in_stream), expected);

        const Buffer source_buffer = buffer_of(device, source);
        Bytes host = old;
        source_buffer.copy_region_to_host(std::as_writable_bytes(std::span(host)), to, from);
        EXPECT_EQ(host, expected);
        host = old;
        source_buffer.copy_region_to_host(std::as_writable_bytes(std::span(host)), to, from, stream);
        stream.sync();
        EXPECT_EQ(host, expected);

        const Buffer between = buffer_of(device, old);
        between.copy_region_from(to, source_buffer, from, stream);
        stream.sync();
        EXPECT_EQ(values_of<uint8_t>(between), expected);
        if (HasFailure()) return;
    }
}

TEST_F(Regions, PageLockedMemoryIsCopiedLikeADevices) {
    const Region to{.width = 3, .height = 4, .depth = 2, .offset = 1, .row_pitch = 7, .slice_pitch = 40};
    const Region from{.width = 3, .height = 4, .depth = 2, .row_pitch = 5};
    const Bytes source = numbered(60, 9);
    const Bytes expected = after_copy(Bytes(80, 0), to, source, from);
    const Buffer pinned = LegacyPinnedMemoryResource().allocate(80);
    const Buffer on_device = buffer_of(device, source);
    const std::span<uint8_t> seen = pinned.as_span<uint8_t>();
    const auto is_as_expected = [&] { return std::equal(seen.begin(), seen.end(), expected.begin(), expected.end()); };

    std::fill(seen.begin(), seen.end(), uint8_t{0});
    pinned.copy_region_from(to, on_device, from, stream);
    stream.sync();
    EXPECT_TRUE(is_as_expected());

    std::fill(seen.begin(), seen.end(), uint8_t{0});
    pinned.copy_region_from_host(to, std::as_bytes(std::span(source)), from, stream);
    stream.sync();
    EXPECT_TRUE(is_as_expected());

    std::fill(seen.begin(), seen.end(), uint8_t{0});
    pinned.copy_region_from_host(to, std::as_bytes(std::span(source)), from);
    EXPECT_TRUE(is_as_expected());

    const Buffer back = buffer_of(device, Bytes(60, 0));
    back.copy_region_from(from, pinned, to, stream);
    stream.sync();
    EXPECT_EQ(values_of<uint8_t>(back), after_copy(Bytes(60, 0), from, expected, to));

    // Borrowed memory: the driver is asked what it is.
    const BufferRef borrowed = BufferRef::from_handle(pinned.handle(), pinned.size());
    std::fill(seen.begin(), seen.end(), uint8_t{0});
    borrowed.copy_region_from(to, on_device, from, stream);
    stream.sync();
    EXPECT_TRUE(is_as_expected());
}

TEST_F(Regions, AreFilledWithPatternsOfEachSize) {
    for (const uint32_t pattern_size : {1U, 2U, 4U}) {
        for (const uint64_t slice_pitch : {0U, 64U, 72U}) {
            const Region region{
                .width = 8, .height = 3, .depth = 3, .offset = 4, .row_pitch = 16, .slice_pitch = slice_pitch};
            const Buffer filled = buffer_of(device, numbered(300, 50));
            const uint32_t pattern = 0x04030201U & static_cast<uint32_t>((uint64_t{1} << (8 * pattern_size)) - 1);
            filled.fill_region(region, pattern, pattern_size, stream);
            stream.sync();
            Bytes expected = numbered(300, 50);
            uint32_t turn = 0;
            for (const uint64_t place : places(region))
                expected.at(place) = static_cast<uint8_t>(1 + turn++ % pattern_size);
            EXPECT_EQ(values_of<uint8_t>(filled), expected) << pattern_size << " bytes, " << slice_pitch;
        }
    }
    // Without gaps, and on page-locked memory.
    const Buffer pinned = LegacyPinnedMemoryResource().allocate(16);
    pinned.fill_region({.width = 4, .height = 4}, 7, 1, stream);
    pinned.fill_region({.width = 2, .height = 2, .row_pitch = 8}, 9, 1, stream);
    stream.sync();
    EXPECT_THAT(pinned.as_span<uint8_t>(), testing::ElementsAre(9, 9, 7, 7, 7, 7, 7, 7, 9, 9, 7, 7, 7, 7, 7, 7));
}

TEST_F(Regions, ColumnsOfOneMatrixAreCopiedToOthersOfIt) {
    // Interleaved, without a byte in common.
    const Region left{.width = 4, .height = 10, .row_pitch = 10};
    const Region right{.width = 4, .height = 10, .offset = 6, .row_pitch = 10};
    buffer.copy_region_from(right, buffer, left, stream);
    stream.sync();
    const Bytes before = numbered(1000, 0);
    EXPECT_EQ(values_of<uint8_t>(buffer), after_copy(before, right, before, left));
}

TEST_F(Regions, ThatOverlapAreRefused) {
    const Region left{.width = 6, .height = 10, .row_pitch = 10};
    const Region right{.width = 6, .height = 10, .offset = 5, .row_pitch = 10};
    const auto error = error_of<InvalidArgument>([&] { buffer.copy_region_from(right, buffer, left, stream); });
    EXPECT_THAT(error.what(), AllOf(HasSubstr("copying a region between buffers"), HasSubstr("overlaps the source"),
                                    HasSubstr("6 bytes x 10 rows at offset 5, row pitch 10")));
    EXPECT_THROW(buffer.copy_region_from(left, buffer, left, stream), InvalidArgument);
    // One byte, in the last slice.
    const Region deep{.width = 2, .height = 2, .depth = 2, .row_pitch = 4, .slice_pitch = 20};
    const Region last{.width = 2, .height = 2, .depth = 2, .offset = 25, .row_pitch = 4, .slice_pitch = 20};
    EXPECT_THROW(buffer.copy_region_from(last, buffer, deep, stream), InvalidArgument);
    // What the host sees of page-locked memory is the same memory.
    const Buffer pinned = LegacyPinnedMemoryResource().allocate(100);
    EXPECT_THROW(pinned.copy_region_from_host(right, pinned.as_span(), left), InvalidArgument);
}

TEST_F(Regions, ThatDoNotFitAreRefusedBeforeTheDriverIsAsked) {
    EXPECT_THAT(refusal({.width = 10, .height = 100, .offset = 1}).what(),
                AllOf(HasSubstr("filling a region"), HasSubstr("10 bytes x 100 rows at offset 1"),
                      HasSubstr("ends at byte 1001"), HasSubstr("the buffer has 1000 bytes")));
    EXPECT_NO_THROW(buffer.fill_region({.width = 10, .height = 100}, 1, 1, stream));
    EXPECT_THAT(refusal({.width = 10, .height = 2, .offset = 0, .row_pitch = 991}).what(),
                HasSubstr("ends at byte 1001"));
    EXPECT_NO_THROW(buffer.fill_region({.width = 10, .height = 2, .row_pitch = 990}, 1, 1, stream));
    EXPECT_THAT(refusal({.width = 10, .height = 2, .row_pitch = 9}).what(),
                HasSubstr("row pitch smaller than its width"));
    EXPECT_THAT(refusal({.width = 10, .height = 2, .depth = 2, .row_pitch = 20, .slice_pitch = 29}).what(),
                AllOf(HasSubstr("slice pitch smaller than a slice"), HasSubstr("30 bytes")));
    for (const Region& empty : {Region{}, Region{.width = 1, .height = 0}, Region{.width = 1, .height = 1, .depth = 0}})
        EXPECT_THAT(refusal(empty).what(), HasSubstr("has no bytes"));
}

TEST_F(Regions, WhoseSizeOverflowsAreRefused) {
    constexpr uint64_t most = UINT64_MAX;
    for (const Region& region :
         {Region{.width = 1, .offset = most}, Region{.width = most}, Region{.width = 2, .height = most},
          Region{.width = 1, .height = 2, .row_pitch = most},
          Region{.width = 1, .height = 3, .row_pitch = most / 2 + 1}, Region{.width = 1, .height = 1, .depth = most},
          Region{.width = 1, .height = 1, .depth = 3, .slice_pitch = most},
          Region{.width = most / 2, .height = 2, .depth = 2}, Region{.width = 4, .height = most / 4, .depth = 4}}) {
        EXPECT_THAT(refusal(region).what(), AllOf(HasSubstr("ends "), HasSubstr("the buffer has 1000 bytes")));
    }
}

TEST_F(Regions, OfHostMemoryAreCheckedAsWell) {
    const Bytes small(99);
    const auto error = error_of<InvalidArgument>([&] {
        buffer.copy_region_from_host({.width = 10, .height = 10}, std::as_bytes(std::span(small)),
                                     {.width = 10, .height = 10});
    });
    EXPECT_THAT(error.what(), AllOf(HasSubstr("copying a region from host memory"), HasSubstr("ends at byte 100"),
                                    HasSubstr("the host memory has 99 bytes")));
    Bytes target(99);
    EXPECT_THROW(buffer.copy_region_to_host(std::as_writable_bytes(std::span(target)), {.width = 10, .height = 10},
                                            {.width = 10, .height = 10}, stream),
                 InvalidArgument);
    EXPECT_THROW(buffer.copy_region_to_host({}, {.width = 1}, {.width = 1}), InvalidArgument);
}

TEST_F(Regions, OfDifferentShapesAreRefused) {
    const Bytes source(100);
    const auto error = error_of<InvalidArgument>([&] {
        buffer.copy_region_from_host({.width = 10, .height = 10}, std::as_bytes(std::span(source)),
                                     {.width = 20, .height = 5});
    });
    EXPECT_THAT(error.what(),
                AllOf(HasSubstr("10 bytes x 10 rows"), HasSubstr("another shape than the source, 20 bytes x 5 rows"),
                      HasSubstr("the same width, height and depth")));
}

TEST_F(Regions, PatternsThatDoNotSuitThemAreRefused) {
    const auto refused = [&](const Region& region, uint32_t pattern, uint32_t pattern_size) {
        return std::string(
            error_of<InvalidArgument>([&] { buffer.fill_region(region, pattern, pattern_size, stream); }).what());
    };
    for (const Region& region :
         {Region{.width = 6}, Region{.width = 4, .offset = 2}, Region{.width = 4, .height = 2, .row_pitch = 6},
          Region{.width = 4, .height = 1, .depth = 2, .slice_pitch = 10}}) {
        EXPECT_THAT(refused(region, 1, 4), HasSubstr("multiples of the pattern's size"));
    }
    EXPECT_THAT(refused({.width = 6}, 1, 3), HasSubstr("1, 2 or 4 bytes, not 3"));
    EXPECT_THAT(refused({.width = 6}, 256, 1), HasSubstr("does not fit"));
}

TEST_F(Regions, NeedBuffersAndStreamsThatAreOpen) {
    const Region region{.width = 1};
    Bytes host(10);
    const Buffer closed;
    EXPECT_THROW(closed.fill_region(region, 1, 1, stream), InvalidState);
    EXPECT_THROW(closed.copy_region_from(region, buffer, region, stream), InvalidState);
    EXPECT_THROW(buffer.copy_region_from(region, closed, region, stream), InvalidState);
    EXPECT_THROW(closed.copy_region_from_host(region, std::as_bytes(std::span(host)), region), InvalidState);
    EXPECT_THROW(closed.copy_region_to_host(std::as_writable_bytes(std::span(host)), region, region), InvalidState);
    EXPECT_THROW(buffer.fill_region(region, 1, 1, StreamRef()), InvalidArgument);
    EXPECT_THROW(buffer.copy_region_from(region, buffer, region, StreamRef()), InvalidArgument);
}

TEST_F(Regions, RowsFurtherApartThanTheDriversLargestPitchAreCopiedOneByOne) {
    // 2 GiB and more, of which only the ends are touched.
    const auto largest = static_cast<uint64_t>(device.attribute(11));  // CU_DEVICE_ATTRIBUTE_MAX_PITCH
    const Region apart{.width = 3, .height = 2, .row_pitch = largest + 2};
    const Buffer large = device.allocate(largest + 5);
    const Bytes source{1, 2, 3, 4, 5, 6};
    large.copy_region_from_host(apart, std::as_bytes(std::span(source)), apart.packed(), stream);
    Bytes back(6);
    large.copy_region_to_host(std::as_writable_bytes(std::span(back)), apart.packed(), apart, stream);
    stream.sync();
    EXPECT_EQ(back, source);
}

TEST_F(Regions, ARowPitchKeepsRowsAlignedAsAllocationsAre) {
    const uint64_t pitch = device.row_pitch(100);
    EXPECT_GE(pitch, 100U);
    EXPECT_LT(pitch, 100 + 1024U);
    EXPECT_EQ(buffer.handle() % device.row_pitch(1), 0U);
    EXPECT_EQ(device.row_pitch(pitch), pitch);
    EXPECT_EQ(device.row_pitch(0), 0U);
    EXPECT_THROW(device.row_pitch(UINT64_MAX), InvalidArgument);
    const Region region{.width = 100, .height = 4, .row_pitch = pitch};
    const Buffer rows = device.allocate(4 * pitch);
    const Bytes source = numbered(400, 1);
    rows.copy_region_from_host(region, std::as_bytes(std::span(source)), region.packed());
    Bytes back(400);
    rows.copy_region_to_host(std::as_writable_bytes(std::span(back)), region.packed(), region);
    EXPECT_EQ(back, source);
}

}  // namespace
}  // namespace cuprum::core
