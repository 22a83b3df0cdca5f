#include "engine/instructions/images/image_access.hpp"

#include <string>

#include "engine/checks/text.hpp"

namespace cuprum::simulator::images {
namespace {

const char* geometry_name(Geometry geometry) {
    switch (geometry) {
        case Geometry::line:
            return "one dimension";
        case Geometry::plane:
            return "two dimensions";
        case Geometry::volume:
            return "three dimensions";
        case Geometry::lines:
            return "layers of one dimension";
        case Geometry::planes:
            return "layers of two dimensions";
        case Geometry::cube:
            return "a cube";
        case Geometry::cubes:
            return "layers of cubes";
    }
    return "";
}

}  // namespace

void Objects::refuse(unsigned lane, uint64_t handle, const char* wanted) const {
    const ImageSnapshot* const images = warp_.block->launch->request->images.get();
    const bool other = images != nullptr && (images->textures.contains(handle) || images->surfaces.contains(handle));
    const std::string what = "used " + hexadecimal(handle) + " as a " + wanted + " object, which " +
                             (other         ? "is an object of the other kind"
                              : handle == 0 ? "is null"
                                            : "did not exist when the kernel began");
    fault_at(warp_, at_, lane, Fault::Kind::illegal_address, what.c_str());
}

void Objects::require_usable(unsigned lane, const Image& image) const {
    if (image.gone.empty()) return;
    fault_at(warp_, at_, lane, Fault::Kind::illegal_address,
             ("used an image, " + image.description + ", " + image.gone).c_str());
}

const Texture& Objects::texture(unsigned lane) {
    const uint64_t handle = handle_of(lane);
    if (texture_ != nullptr && handle == known_) return *texture_;
    const ImageSnapshot* const images = warp_.block->launch->request->images.get();
    if (images == nullptr) refuse(lane, handle, "texture");
    const auto found = images->textures.find(handle);
    if (found == images->textures.end()) refuse(lane, handle, "texture");
    known_ = handle;
    texture_ = found->second.get();
    require_usable(lane, texture_->image);
    return *texture_;
}

const Image& Objects::surface(unsigned lane) {
    const uint64_t handle = handle_of(lane);
    if (surface_ != nullptr && handle == known_) return *surface_;
    const ImageSnapshot* const images = warp_.block->launch->request->images.get();
    if (images == nullptr) refuse(lane, handle, "surface");
    const auto found = images->surfaces.find(handle);
    if (found == images->surfaces.end()) refuse(lane, handle, "surface");
    known_ = handle;
    surface_ = found->second.get();
    require_usable(lane, *surface_);
    return *surface_;
}

void require_geometry(Warp& warp, const Instruction* at, unsigned lane, const Image& image, Geometry geometry) {
    const ImageLevel& level = image.levels.front();
    // A missing dimension is one of size 1.
    const bool fits = dimensions_of(geometry) == 1   ? level.height == 1 && (image.layered || level.slices == 1)
                      : dimensions_of(geometry) == 2 ? image.dimensions >= 2 && (image.layered || level.slices == 1)
                                                     : image.dimensions == 3;
    const bool matches = is_cube(geometry) ? image.cube && image.layered == is_layered(geometry)
                                           : !image.cube && image.layered == is_layered(geometry) && fits;
    if (matches) return;
    fault_at(warp, at, lane, Fault::Kind::illegal_instruction,
             (std::string("read or wrote as an image of ") + geometry_name(geometry) + " what is " + image.description)
                 .c_str());
}

std::byte* bytes_of_level(Warp& warp, const Instruction* at, unsigned lane, const Image& image,
                          const ImageLevel& level) {
    if (level.bytes != nullptr) return level.bytes;
    const MemorySnapshot& memory = *warp.block->launch->request->memory;
    const uint64_t size = level.size(image.format.element_bytes());
    const MemoryRange* const range = memory.find(level.address, size);
    if (range == nullptr) {
        fault_at(warp, at, lane, Fault::Kind::illegal_address,
                 ("used an image, " + image.description + ", whose memory is not there: " + hexadecimal(level.address) +
                  " lies " + memory.describe(level.address))
                     .c_str());
    }
    return reinterpret_cast<std::byte*>(level.address + static_cast<uint64_t>(range->host_offset));
}

}  // namespace cuprum::simulator::images
