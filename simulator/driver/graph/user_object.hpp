// User objects: what a program wants to be told of when no graph needs it any more.
#pragma once

#include <memory>
#include <mutex>

#include "driver/process/cuda_api.hpp"

namespace cuprum::simulator::libcuda {

// Thread-safe. When the last reference goes its handle becomes invalid and its destructor is called, on a thread of the
// driver.
class UserObject : public std::enable_shared_from_this<UserObject> {
public:
    UserObject(void* pointer, CUhostFn destroy, unsigned int references)
        : pointer_(pointer), destroy_(destroy), references_(references) {}

    void set_handle(CUuserObject handle) { handle_ = handle; }
    void retain(unsigned int count);
    // False, and nothing done, if there are not that many references.
    bool release(unsigned int count);

private:
    static void destroy_ended();

    void* const pointer_;
    const CUhostFn destroy_;
    std::mutex mutex_;
    unsigned int references_;
    CUuserObject handle_ = nullptr;
};

}  // namespace cuprum::simulator::libcuda
