#include "driver/images/image_objects.hpp"

#include <utility>

namespace cuprum::simulator::libcuda {

void ImageObjects::add(uint64_t handle, std::shared_ptr<const Texture> texture) {
    const std::lock_guard lock(mutex_);
    objects_.textures[handle] = std::move(texture);
    taken_.reset();
}

void ImageObjects::add(uint64_t handle, std::shared_ptr<const Image> surface) {
    const std::lock_guard lock(mutex_);
    objects_.surfaces[handle] = std::move(surface);
    taken_.reset();
}

void ImageObjects::remove(uint64_t handle) {
    const std::lock_guard lock(mutex_);
    objects_.textures.erase(handle);
    objects_.surfaces.erase(handle);
    taken_.reset();
}

void ImageObjects::disable(const std::vector<uint64_t>& objects, const std::string& why) {
    const std::lock_guard lock(mutex_);
    for (const uint64_t handle : objects) {
        if (const auto found = objects_.textures.find(handle); found != objects_.textures.end()) {
            auto texture = std::make_shared<Texture>(*found->second);
            texture->image.gone = why;
            found->second = std::move(texture);
        }
        if (const auto found = objects_.surfaces.find(handle); found != objects_.surfaces.end()) {
            auto surface = std::make_shared<Image>(*found->second);
            surface->gone = why;
            found->second = std::move(surface);
        }
    }
    taken_.reset();
}

void ImageObjects::clear() {
    const std::lock_guard lock(mutex_);
    objects_ = {};
    taken_.reset();
}

SharedImages ImageObjects::snapshot() const {
    const std::lock_guard lock(mutex_);
    if (!taken_) taken_ = std::make_shared<const ImageSnapshot>(objects_);
    return taken_;
}

}  // namespace cuprum::simulator::libcuda
