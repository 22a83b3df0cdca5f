#include "driver/event/shared_event.hpp"

#include <linux/futex.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <climits>
#include <cstring>
#include <string>

#include "driver/error/driver_error.hpp"

namespace cuprum::simulator::libcuda {

SharedEvent::SharedEvent(SharedFile file) : file_(std::move(file)) {
    void* const view = ::mmap(nullptr, file_bytes, PROT_READ | PROT_WRITE, MAP_SHARED, file_.descriptor(), 0);
    if (view == MAP_FAILED) {
        throw DriverError(CUDA_ERROR_OUT_OF_MEMORY,
                          std::string("an event between processes cannot be mapped: ") + std::strerror(errno));
    }
    state_ = static_cast<State*>(view);  // zeros are its initial state
}

std::shared_ptr<SharedEvent> SharedEvent::create() {
    return std::make_shared<SharedEvent>(SharedFile::create(file_bytes));
}

SharedEvent::~SharedEvent() {
    ::munmap(state_, file_bytes);
}

uint32_t SharedEvent::begin_recording() {
    return state_->recorded.fetch_add(1) + 1;
}

uint32_t SharedEvent::last_recording() const {
    return state_->recorded.load();
}

void SharedEvent::complete(uint32_t recording) {
    // Of two in one slot the later one stays, also where the earlier one comes to pass after it.
    std::atomic<uint32_t>& done = state_->done[recording % slots];
    uint32_t seen = done.load();
    while (static_cast<int32_t>(recording - seen) > 0 && !done.compare_exchange_weak(seen, recording)) {}
    state_->changes.fetch_add(1);
    ::syscall(SYS_futex, &state_->changes, FUTEX_WAKE, INT_MAX, nullptr, nullptr, 0);
}

bool SharedEvent::completed(uint32_t recording) const {
    // A later recording in the same slot is a later one of the event by 256.
    return static_cast<int32_t>(state_->done[recording % slots].load() - recording) >= 0;
}

void SharedEvent::wait(uint32_t recording) const {
    while (true) {
        const uint32_t seen = state_->changes.load();
        if (completed(recording)) return;
        ::syscall(SYS_futex, &state_->changes, FUTEX_WAIT, seen, nullptr, nullptr, 0);
    }
}

}  // namespace cuprum::simulator::libcuda
