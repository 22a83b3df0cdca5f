// Finding the image that a handle stands for, and its bytes: what the operations on textures and surfaces share.
#pragma once

#include <cstring>

#include "engine/execution/runtime.hpp"
#include "engine/instructions/images/images.hpp"
#include "engine/instructions/matrix/matrix.hpp"

namespace cuprum::simulator::images {

// A lane's operand of type T in a row of the stage.
template <class T>
T staged(const Warp& warp, uint32_t row, unsigned lane) {
    T value;
    std::memcpy(&value, warp.stage + row * matrix::row_bytes + lane * sizeof(T), sizeof(T));
    return value;
}

// The objects that a lane's handle names; the lanes of a warp mostly have the same one, which is looked up once. Throws
// the fault where there is no such object, or it must no longer be used.
class Objects {
public:
    Objects(Warp& warp, const Instruction* at) : warp_(warp), at_(at) {}
    const Texture& texture(unsigned lane);
    const Image& surface(unsigned lane);

private:
    uint64_t handle_of(unsigned lane) const { return warp_.row<uint64_t>(at_->operand[handle_operand])[lane]; }
    [[noreturn]] void refuse(unsigned lane, uint64_t handle, const char* wanted) const;
    void require_usable(unsigned lane, const Image& image) const;

    Warp& warp_;
    const Instruction* at_;
    uint64_t known_ = 0;
    const Texture* texture_ = nullptr;
    const Image* surface_ = nullptr;
};

// Throws the fault where the instruction's geometry is not the image's.
void require_geometry(Warp& warp, const Instruction* at, unsigned lane, const Image& image, Geometry geometry);

// The level's first byte. Throws the fault where it is device memory that is not there any more.
std::byte* bytes_of_level(Warp& warp, const Instruction* at, unsigned lane, const Image& image,
                          const ImageLevel& level);

}  // namespace cuprum::simulator::images
