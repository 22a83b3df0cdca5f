// txq and suq. Source: PTX ISA 9.0, 9.7.10.3 and 9.7.11.4.
#include "engine/instructions/images/image_access.hpp"

namespace cuprum::simulator {
namespace {

using namespace images;

uint32_t property_of_image(const Image& image, const Texture* texture, Property property, uint32_t number) {
    // A level that the image has not: nothing.
    if (number >= image.levels.size()) return 0;
    const ImageLevel& level = image.levels[number];
    switch (property) {
        case Property::width:
            return level.width;
        case Property::height:
            return image.dimensions > 1 ? level.height : 0;
        case Property::depth:
            return image.dimensions > 2 ? level.slices : 0;
        case Property::array_size:
            return image.layered ? level.slices / (image.cube ? 6 : 1) : 0;
        case Property::levels:
            return static_cast<uint32_t>(image.levels.size());
        case Property::samples:
            return 1;
        case Property::normalised:
            return texture != nullptr && texture->normalised ? 1 : 0;
    }
    return 0;
}

}  // namespace

const Instruction* image_query(Warp& warp, const Instruction* at) {
    Objects objects(warp, at);
    const auto property = static_cast<Property>(at->aux & query::property_mask);
    for (uint32_t rest = warp.active; rest != 0; rest &= rest - 1) {
        const auto lane = static_cast<unsigned>(__builtin_ctz(rest));
        const Texture* const texture = (at->aux & query::surface) != 0 ? nullptr : &objects.texture(lane);
        const Image& image = texture != nullptr ? texture->image : objects.surface(lane);
        const uint32_t level = (at->aux & query::level) != 0 ? warp.row<uint32_t>(at->operand[1])[lane] : 0;
        warp.row<uint32_t>(at->operand[0])[lane] = property_of_image(image, texture, property, level);
    }
    return at + 1;
}

}  // namespace cuprum::simulator
