#include "driver/graph/user_object.hpp"

#include <deque>
#include <utility>

#include "driver/process/driver.hpp"
#include "driver/stream/executor.hpp"
#include "driver/stream/stream.hpp"

namespace cuprum::simulator::libcuda {

namespace {

// Those whose destructors are to be called: one after the other, as many as there may be.
struct Ended {
    std::mutex mutex;
    std::deque<std::shared_ptr<UserObject>> objects;
    bool being_destroyed = false;
};

Ended& ended() {
    static Ended* const instance = new Ended;
    return *instance;
}

}  // namespace

void UserObject::destroy_ended() {
    std::unique_lock lock(ended().mutex);
    while (!ended().objects.empty()) {
        const std::shared_ptr<UserObject> object = std::move(ended().objects.front());
        ended().objects.pop_front();
        lock.unlock();
        call_host_function([&] { object->destroy_(object->pointer_); });
        lock.lock();
    }
    ended().being_destroyed = false;
}

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
    const std::lock_guard lock(ended().mutex);
    ended().objects.push_back(shared_from_this());
    if (!std::exchange(ended().being_destroyed, true)) executor().start(&destroy_ended);
    return true;
}

}  // namespace cuprum::simulator::libcuda
