// The texture and surface objects of a context, as its kernels see them.
#pragma once

#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "engine/memory/image.hpp"

namespace cuprum::simulator::libcuda {

// Thread-safe. A launch takes a snapshot, which is made anew only after something has changed.
class ImageObjects {
public:
    void add(uint64_t handle, std::shared_ptr<const Texture> texture);
    void add(uint64_t handle, std::shared_ptr<const Image> surface);
    void remove(uint64_t handle);
    // Their memory is gone: a kernel that uses them is told `why`, as the end of a sentence.
    void disable(const std::vector<uint64_t>& objects, const std::string& why);
    void clear();
    SharedImages snapshot() const;

private:
    mutable std::mutex mutex_;
    ImageSnapshot objects_;
    mutable SharedImages taken_;  // null after every change
};

}  // namespace cuprum::simulator::libcuda
