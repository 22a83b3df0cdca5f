// Copies and fills of regions.
#include "choices.hpp"

namespace hammer {

namespace {

// Sometimes all of it fits; the rest is wrong in one way or in several.
cuprum_region a_region(Turn& t) {
    constexpr std::array<uint64_t, 6> extents{1, 1, 2, 4, 16, 0};
    cuprum_region region{};
    region.struct_size = t.struct_size(sizeof region, sizeof region);
    region.width = t.random.pick(extents);
    region.height = t.random.pick(extents);
    region.depth = t.random.pick(extents);
    if (t.random.one_in(3)) region.offset = size(t);
    if (t.random.one_in(3)) region.row_pitch = size(t);
    if (t.random.one_in(3)) region.slice_pitch = size(t);
    if (t.random.one_in(20)) region.width = size(t);
    if (t.random.one_in(20)) region.height = size(t);
    return region;
}

// Mostly of the other's shape.
cuprum_region another_region(Turn& t, const cuprum_region& like) {
    cuprum_region region = a_region(t);
    if (t.random.one_in(8)) return region;
    region.width = like.width;
    region.height = like.height;
    region.depth = like.depth;
    return region;
}

const cuprum_region* given(Turn& t, const cuprum_region& region) {
    return t.random.one_in(20) ? nullptr : &region;
}

// Bytes of host memory, no more than there are.
uint64_t host_bytes(Turn& t) {
    constexpr std::array<uint64_t, 4> sizes{0, 7, 4096, Turn::host_size};
    return t.random.pick(sizes);
}

// Up to four buffers, and the bytes that they take: sometimes a part of one.
struct Batch {
    std::array<cuprum_buffer, 4> buffers;
    uint64_t size;
    explicit Batch(Turn& t) : size(t.random.one_in(12) ? t.random.below(33) : 8 * t.random.below(5)) {
        for (cuprum_buffer& each : buffers)
            each = a_buffer(t);
    }
    const void* given(Turn& t) const { return t.random.one_in(20) ? nullptr : buffers.data(); }
};

struct Locations {
    std::array<int32_t, 8> numbers{};
    uint64_t size;
    explicit Locations(Turn& t) : size(t.random.one_in(12) ? t.random.below(33) : 8 * t.random.below(5)) {
        constexpr std::array<int32_t, 5> kinds{0, 1, 2, 3, 4};
        for (size_t index = 0; index < numbers.size(); index += 2)
            numbers[index] = choice(t, kinds);
    }
};

}  // namespace

std::vector<Function> copy_functions() {
    return {
        {"cuprum_buffer_copy_region", 100,
         [](Turn& t) {
             const cuprum_region to = a_region(t);
             const cuprum_region from = another_region(t, to);
             return cuprum_buffer_copy_region(a_buffer(t), given(t, to), a_buffer(t), given(t, from), memory_stream(t));
         }},
        {"cuprum_buffer_copy_region_from_host", 100,
         [](Turn& t) {
             const cuprum_region to = a_region(t);
             const cuprum_region from = another_region(t, to);
             return cuprum_buffer_copy_region_from_host(a_buffer(t), given(t, to), host(t), host_bytes(t),
                                                        given(t, from), memory_stream(t));
         }},
        {"cuprum_buffer_copy_region_to_host", 100,
         [](Turn& t) {
             const cuprum_region to = a_region(t);
             const cuprum_region from = another_region(t, to);
             return cuprum_buffer_copy_region_to_host(host(t), host_bytes(t), given(t, to), a_buffer(t), given(t, from),
                                                      memory_stream(t));
         }},
        {"cuprum_buffer_fill_region", 100,
         [](Turn& t) {
             constexpr std::array<uint32_t, 6> sizes{0, 1, 2, 3, 4, UINT32_MAX};
             const cuprum_region region = a_region(t);
             return cuprum_buffer_fill_region(a_buffer(t), given(t, region), 0, t.random.pick(sizes), memory_stream(t));
         }},
        {"cuprum_copy_batch", 60,
         [](Turn& t) {
             const Batch from(t), to(t);
             cuprum_copy_options options{};
             options.struct_size = t.struct_size(sizeof options, sizeof options);
             constexpr std::array<int32_t, 4> orders{0, 1, 2, 3};
             options.source_access_order = choice(t, orders);
             options.source_location_kind = static_cast<int32_t>(t.random.below(6));
             return cuprum_copy_batch(memory_stream(t), from.given(t), from.size, to.given(t), to.size,
                                      t.random.one_in(2) ? nullptr : &options);
         }},
        {"cuprum_discard_batch", 40,
         [](Turn& t) {
             const Batch batch(t);
             return cuprum_discard_batch(memory_stream(t), batch.given(t), batch.size);
         }},
        {"cuprum_discard_prefetch_batch", 40,
         [](Turn& t) {
             const Batch batch(t);
             const Locations there(t);
             return cuprum_discard_prefetch_batch(memory_stream(t), batch.given(t), batch.size, there.numbers.data(),
                                                  there.size);
         }},
        {"cuprum_prefetch_batch", 40,
         [](Turn& t) {
             const Batch batch(t);
             const Locations there(t);
             return cuprum_prefetch_batch(memory_stream(t), batch.given(t), batch.size, there.numbers.data(),
                                          there.size);
         }},
        {"cuprum_device_row_pitch", 100,
         [](Turn& t) { return cuprum_device_row_pitch(t.output<uint64_t>(), device(t), size(t)); }},
    };
}

}  // namespace hammer
