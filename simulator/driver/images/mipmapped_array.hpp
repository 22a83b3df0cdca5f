// Mipmapped arrays: an image in several sizes, each half as large as the one before.
#pragma once

#include <memory>
#include <mutex>
#include <vector>

#include "driver/memory/array.hpp"

namespace cuprum::simulator::libcuda {

// Thread-safe. Its levels are arrays, which cannot be destroyed one by one.
class MipmappedArray {
public:
    // As many levels as there can be where more are asked for. Throws DriverError as Array does.
    MipmappedArray(const std::shared_ptr<Context>& context, const CUDA_ARRAY3D_DESCRIPTOR& descriptor,
                   unsigned int levels);

    const std::shared_ptr<Context>& context() const { return levels_.front()->context(); }
    const CUDA_ARRAY3D_DESCRIPTOR& descriptor() const { return levels_.front()->descriptor(); }
    const std::vector<std::shared_ptr<Array>>& levels() const { return levels_; }
    // The handle of a level: always the same one.
    CUarray level_handle(unsigned int level);
    // Makes the handles of the levels invalid.
    void forget_levels();

private:
    std::vector<std::shared_ptr<Array>> levels_;
    std::mutex mutex_;
    std::vector<CUarray> handles_;  // by level; null: nobody has asked for it
};

}  // namespace cuprum::simulator::libcuda
