// suld, sust and sured. Source: PTX ISA 9.0, 9.7.11.
#include <atomic>
#include <optional>
#include <string>

#include "engine/instructions/images/image_access.hpp"
#include "engine/instructions/images/texels.hpp"

namespace cuprum::simulator {
namespace {

using namespace images;

struct SurfaceAccess {
    uint32_t aux;

    Geometry geometry() const { return static_cast<Geometry>(aux & geometry_mask); }
    Outside outside() const { return static_cast<Outside>(aux >> access::outside_shift & 3); }
    uint32_t register_bytes() const { return 1u << (aux >> access::size_shift & 3); }  // of one, in the image
    uint32_t count() const { return aux >> access::count_shift & 7; }
    bool stores() const { return (aux & access::stores) != 0; }
    bool formatted() const { return (aux & access::formatted) != 0; }
    bool reduces() const { return (aux & access::reduces) != 0; }
    bool is_signed() const { return (aux & access::signed_values) != 0; }
    Reduction reduction() const { return static_cast<Reduction>(aux >> access::reduction_shift & 7); }
};

[[noreturn]] void fault_outside(Warp& warp, const Instruction* at, unsigned lane, const Image& image,
                                const std::array<int64_t, 3>& place) {
    fault_at(warp, at, lane, Fault::Kind::illegal_address,
             ("used a surface at (" + std::to_string(place[0]) + " bytes, " + std::to_string(place[1]) + ", " +
              std::to_string(place[2]) + "), which lies outside " + image.description)
                 .c_str());
}

// Where the lane's access begins, or null: outside, where loads give zeros and stores do nothing.
std::byte* place_of_access(Warp& warp, const Instruction* at, unsigned lane, const Image& image,
                           const SurfaceAccess& access) {
    const ImageLevel& level = image.levels.front();
    const uint32_t element = image.format.element_bytes();
    const Geometry geometry = access.geometry();
    const uint32_t bytes = access.formatted() ? element : access.register_bytes() * access.count();
    uint32_t row = Row::coordinates;
    const uint32_t layer = is_layered(geometry) ? staged<uint32_t>(warp, row++, lane) : 0;
    std::array<int64_t, 3> place{};
    for (uint32_t axis = 0; axis < dimensions_of(geometry); ++axis)
        place[axis] = staged<int32_t>(warp, row++, lane);
    if (access.formatted()) place[0] *= element;
    if (is_layered(geometry)) place[2] = layer;
    if (place[0] % bytes != 0 && access.outside() == Outside::trap) {
        fault_misaligned(warp, at, lane, static_cast<uint64_t>(place[0]), bytes);
    }
    const std::array<int64_t, 3> last{int64_t{level.width} * element - bytes, int64_t{level.height} - 1,
                                      int64_t{level.slices} - 1};
    for (size_t axis = 0; axis < 3; ++axis) {
        if (place[axis] >= 0 && place[axis] <= last[axis]) continue;
        if (access.outside() == Outside::zero) return nullptr;
        if (access.outside() == Outside::trap || last[axis] < 0) fault_outside(warp, at, lane, image, place);
        place[axis] = place[axis] < 0 ? 0 : last[axis];
    }
    if (place[0] % bytes != 0) fault_misaligned(warp, at, lane, static_cast<uint64_t>(place[0]), bytes);
    return bytes_of_level(warp, at, lane, image, level) + static_cast<uint64_t>(place[2]) * level.slice_bytes +
           static_cast<uint64_t>(place[1]) * level.row_bytes + static_cast<uint64_t>(place[0]);
}

// What a register has, or gets: in the low bytes, the others being zero.
void load(const Warp& warp, const Instruction* at, unsigned lane, const SurfaceAccess& access, const std::byte* place) {
    for (uint32_t k = 0; k < access.count(); ++k) {
        uint64_t value = 0;
        if (place != nullptr) std::memcpy(&value, place + k * access.register_bytes(), access.register_bytes());
        std::memcpy(warp.row<std::byte>(at->operand[k]) + lane * static_cast<uint32_t>(at->displacement), &value,
                    static_cast<size_t>(at->displacement));
    }
}

uint64_t stored_value(const Warp& warp, const Instruction* at, unsigned lane, uint32_t k) {
    return at->displacement == 8 ? staged<uint64_t>(warp, Row::data + k, lane)
                                 : staged<uint32_t>(warp, Row::data + k, lane);
}

void store(const Warp& warp, const Instruction* at, unsigned lane, const SurfaceAccess& access, const Image& image,
           std::byte* place) {
    const uint32_t channel_bytes = bytes_of(image.format.channel);
    for (uint32_t k = 0; k < access.count(); ++k) {
        const uint64_t value = stored_value(warp, at, lane, k);
        if (!access.formatted())
            std::memcpy(place + k * access.register_bytes(), &value, access.register_bytes());
        else if (k < image.format.channels)
            write_channel(place + k * channel_bytes, image.format.channel, static_cast<uint32_t>(value));
    }
}

template <class T>
T reduced(Reduction reduction, T old, T value) {
    switch (reduction) {
        case Reduction::add:
            return static_cast<T>(static_cast<uint64_t>(old) + static_cast<uint64_t>(value));
        case Reduction::min:
            return value < old ? value : old;
        case Reduction::max:
            return old < value ? value : old;
        case Reduction::and_:
            return old & value;
        case Reduction::or_:
            return old | value;
    }
    return old;
}

template <class T>
void reduce_as(Reduction reduction, std::byte* place, uint64_t value) {
    std::atomic_ref<T> element(*reinterpret_cast<T*>(place));
    T old = element.load(std::memory_order_relaxed);
    while (!element.compare_exchange_weak(old, reduced(reduction, old, static_cast<T>(value)))) {}
}

void reduce(const SurfaceAccess& access, const Image& image, std::byte* place, uint64_t value) {
    const Reduction reduction = access.reduction();
    const bool is_signed = access.formatted() ? image.format.channel == ImageChannel::s32 : access.is_signed();
    if (access.register_bytes() == 8)
        return is_signed ? reduce_as<int64_t>(reduction, place, value) : reduce_as<uint64_t>(reduction, place, value);
    return is_signed ? reduce_as<int32_t>(reduction, place, value) : reduce_as<uint32_t>(reduction, place, value);
}

void require_surface_geometry(Warp& warp, const Instruction* at, unsigned lane, const Image& image,
                              const SurfaceAccess& access) {
    // The faces of cubes are layers of a surface.
    Image seen = image;
    seen.layered = image.layered || image.cube;
    seen.cube = false;
    require_geometry(warp, at, lane, seen, access.geometry());
    if (access.reduces() && access.formatted() && bytes_of(image.format.channel) != 4) {
        fault_at(warp, at, lane, Fault::Kind::illegal_instruction,
                 ("updated " + image.description + ", whose channels have not 32 bits").c_str());
    }
}

}  // namespace

const Instruction* surface_access(Warp& warp, const Instruction* at) {
    const SurfaceAccess access{at->aux};
    Objects objects(warp, at);
    const Image* checked = nullptr;
    for (uint32_t rest = warp.active; rest != 0; rest &= rest - 1) {
        const auto lane = static_cast<unsigned>(__builtin_ctz(rest));
        const Image& image = objects.surface(lane);
        if (checked != &image) require_surface_geometry(warp, at, lane, image, access);
        checked = &image;
        std::byte* const place = place_of_access(warp, at, lane, image, access);
        if (!access.stores())
            load(warp, at, lane, access, place);
        else if (place != nullptr && access.reduces())
            reduce(access, image, place, stored_value(warp, at, lane, 0));
        else if (place != nullptr)
            store(warp, at, lane, access, image, place);
    }
    return at + 1;
}

}  // namespace cuprum::simulator
