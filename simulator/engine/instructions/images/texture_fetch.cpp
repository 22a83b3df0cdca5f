// tex and tld4. Source: PTX ISA 9.0, 9.7.10.
#include "engine/instructions/half/half.hpp"
#include "engine/instructions/images/image_access.hpp"
#include "engine/instructions/images/sampling.hpp"

namespace cuprum::simulator {
namespace {

using namespace images;

class BytesInLaunch final : public LevelBytes {
public:
    BytesInLaunch(Warp& warp, const Instruction* at) : warp_(warp), at_(at) {}
    void look_at(const Image& image, unsigned lane) {
        image_ = &image;
        lane_ = lane;
    }
    const std::byte* of(size_t level) override {
        return bytes_of_level(warp_, at_, lane_, *image_, image_->levels[level]);
    }

private:
    Warp& warp_;
    const Instruction* at_;
    const Image* image_ = nullptr;
    unsigned lane_ = 0;
};

Sample sample_of(const Warp& warp, const Instruction* at, unsigned lane) {
    const uint32_t aux = at->aux;
    Sample sample;
    sample.geometry = static_cast<Geometry>(aux & geometry_mask);
    const uint32_t axes = dimensions_of(sample.geometry);
    uint32_t row = Row::coordinates;
    if (is_layered(sample.geometry)) sample.layer = staged<uint32_t>(warp, row++, lane);
    if ((aux & fetch::integer_coordinates) != 0) sample.texel.emplace();
    for (uint32_t axis = 0; axis < axes; ++axis, ++row) {
        if (sample.texel)
            (*sample.texel)[axis] = staged<int32_t>(warp, row, lane);
        else
            sample.at[axis] = staged<float>(warp, row, lane);
    }
    if ((aux & fetch::level) != 0) {
        sample.detail = (aux & fetch::integer_level) != 0 ? static_cast<float>(staged<int32_t>(warp, Row::detail, lane))
                                                          : staged<float>(warp, Row::detail, lane);
    }
    if ((aux & fetch::gradient) != 0) sample.gradient.emplace();
    for (uint32_t axis = 0; axis < axes; ++axis) {
        if (sample.gradient) {
            (*sample.gradient)[0][axis] = staged<float>(warp, Row::gradient_x + axis, lane);
            (*sample.gradient)[1][axis] = staged<float>(warp, Row::gradient_y + axis, lane);
        }
        if ((aux & fetch::offsets) != 0) sample.offsets[axis] = staged<int32_t>(warp, Row::texel_offsets + axis, lane);
    }
    if ((aux & fetch::gather) != 0) sample.gathered = aux >> fetch::component_shift & 3;
    return sample;
}

uint32_t half_of(const Texture& texture, uint32_t word) {
    if (!texture.as_float) return word & 0xffff;
    return double_to_half(static_cast<double>(bits_float(word)));
}

void store_results(const Warp& warp, const Instruction* at, unsigned lane, const Texture& texture, const Words& words) {
    const auto result = [&](unsigned k) -> uint32_t& { return warp.row<uint32_t>(at->operand[k])[lane]; };
    if ((at->aux & fetch::halves) == 0) {
        for (unsigned k = 0; k < 4; ++k)
            result(k) = words[k];
    } else if ((at->aux & fetch::pairs_of_halves) == 0) {
        for (unsigned k = 0; k < 4; ++k)
            result(k) = half_of(texture, words[k]);
    } else {
        for (unsigned k = 0; k < 2; ++k)
            result(k) = half_of(texture, words[2 * k]) | half_of(texture, words[2 * k + 1]) << 16;
    }
}

}  // namespace

const Instruction* texture_fetch(Warp& warp, const Instruction* at) {
    Objects objects(warp, at);
    BytesInLaunch bytes(warp, at);
    for (uint32_t rest = warp.active; rest != 0; rest &= rest - 1) {
        const auto lane = static_cast<unsigned>(__builtin_ctz(rest));
        const Texture& texture = objects.texture(lane);
        const Sample sample = sample_of(warp, at, lane);
        require_geometry(warp, at, lane, texture.image, sample.geometry);
        bytes.look_at(texture.image, lane);
        store_results(warp, at, lane, texture, read_texture(texture, sample, bytes));
    }
    if ((at->aux & fetch::has_residency) != 0) {
        // All of an image is always there.
        warp.predicate(at->operand[residency_operand]) |= warp.active;
    }
    return at + 1;
}

}  // namespace cuprum::simulator
