#include "driver_log.hpp"

#include <array>
#include <mutex>
#include <string_view>

#include "driver_api.hpp"

namespace cuprum::core {

namespace {

struct Log {
    std::mutex mutex;
    CUlogIterator next = 0;
    bool available = false;
};

// Leaked: errors are also made while the process exits.
Log& log() {
    static Log* const instance = new Log;
    return *instance;
}

// Keeps the last lines, whole, within a limit that an error text can carry.
std::string_view newest_lines(std::string_view text) {
    constexpr size_t limit = 4096;
    while (!text.empty() && (text.back() == '\n' || text.back() == '\0'))
        text.remove_suffix(1);
    if (text.size() <= limit) return text;
    text.remove_prefix(text.size() - limit);
    const size_t line_end = text.find('\n');
    if (line_end != std::string_view::npos) text.remove_prefix(line_end + 1);
    return text;
}

}  // namespace

void start_driver_log() noexcept {
    Log& state = log();
    const std::lock_guard lock(state.mutex);
    state.available = driver::cuLogsCurrent(&state.next, 0) == CUDA_SUCCESS;
    if (!state.available) bindings::take_resolution_failure();  // a driver without a log is as good
}

void read_driver_log_from_beginning() noexcept {
    Log& state = log();
    const std::lock_guard lock(state.mutex);
    CUlogIterator current = 0;
    state.next = 0;
    state.available = driver::cuLogsCurrent(&current, 0) == CUDA_SUCCESS;
    if (!state.available) bindings::take_resolution_failure();
}

std::string driver_log_lines() {
    Log& state = log();
    const std::lock_guard lock(state.mutex);
    if (!state.available) return {};
    // 25600 bytes are all that the driver keeps (cuda.h, cuLogsDumpToMemory).
    std::string text(25600, '\0');
    size_t size = text.size();
    if (driver::cuLogsDumpToMemory(&state.next, text.data(), &size, 0) != CUDA_SUCCESS || size > text.size()) return {};
    return std::string(newest_lines(std::string_view(text).substr(0, size)));
}

void discard_driver_log() noexcept {
    Log& state = log();
    const std::lock_guard lock(state.mutex);
    if (state.available) state.available = driver::cuLogsCurrent(&state.next, 0) == CUDA_SUCCESS;
}

}  // namespace cuprum::core
