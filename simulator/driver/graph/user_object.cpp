#include "driver/graph/user_object.hpp"

#include "driver/process/driver.hpp"
#include "driver/stream/executor.hpp"
#include "driver/stream/stream.hpp"

namespace cuprum::simulator::libcuda {

void UserObject::retain(unsigned int count) {
    const std::lock_guard lock(mutex_);
    references_ += count;
}

bool UserObject::release(unsigned int count) {
    {
        const std::lock_guard lock(mutex_);
        if (count > references_) return false;
        references_ -= count;
        if (references_ > 0) return true;
    }
    handles().user_objects.remove(handle_);
    executor().start([self = shared_from_this()] { call_host_function([&] { self->destroy_(self->pointer_); }); });
    return true;
}

}  // namespace cuprum::simulator::libcuda
