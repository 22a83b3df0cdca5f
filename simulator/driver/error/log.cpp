#include "driver/error/log.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <vector>

namespace cuprum::simulator::libcuda {

namespace {

const char* const dropped_notice = "[older log lines have been dropped]\n";
const char* const truncated_notice = "[only the most recent log lines fit into the buffer]\n";

void append(int file, const std::string& line) {
    const std::string text = line + "\n";
    size_t written = 0;
    while (written < text.size()) {
        const ssize_t count = ::write(file, text.data() + written, text.size() - written);
        if (count <= 0) return;
        written += static_cast<size_t>(count);
    }
}

}  // namespace

bool Log::trace_to(const std::string& path) {
    const std::lock_guard lock(mutex_);
    if (trace_file_ >= 0) ::close(trace_file_);
    trace_file_ = -1;
    if (path.empty()) return true;
    trace_file_ = ::open(path.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0644);
    return trace_file_ >= 0;
}

bool Log::tracing() const {
    const std::lock_guard lock(mutex_);
    return trace_file_ >= 0;
}

void Log::trace(const std::string& line) {
    const std::lock_guard lock(mutex_);
    if (trace_file_ >= 0) append(trace_file_, line);
}

void Log::write(CUlogLevel level, const std::string& line) {
    std::vector<Callback> callbacks;
    {
        const std::lock_guard lock(mutex_);
        lines_.push_back(line);
        if (lines_.size() > capacity) lines_.pop_front();
        ++next_number_;
        if (trace_file_ >= 0) append(trace_file_, (level == CU_LOG_LEVEL_ERROR ? "error: " : "warning: ") + line);
        for (const auto& [handle, callback] : callbacks_) {
            callbacks.push_back(callback);
        }
    }
    // Outside the lock, so that a callback may call the driver.
    for (const Callback& callback : callbacks) {
        std::string copy = line;
        callback.function(callback.user_data, level, copy.data(), copy.size());
    }
}

CUlogsCallbackHandle Log::add_callback(CUlogsCallback callback, void* user_data) {
    const std::lock_guard lock(mutex_);
    const uintptr_t handle = next_callback_++;
    callbacks_[handle] = {callback, user_data};
    return reinterpret_cast<CUlogsCallbackHandle>(handle);
}

bool Log::remove_callback(CUlogsCallbackHandle handle) {
    const std::lock_guard lock(mutex_);
    return callbacks_.erase(reinterpret_cast<uintptr_t>(handle)) == 1;
}

CUlogIterator Log::current() const {
    const std::lock_guard lock(mutex_);
    return next_number_;
}

std::string Log::lines_from(CUlogIterator first, CUlogIterator* next) const {
    const std::lock_guard lock(mutex_);
    const CUlogIterator oldest = next_number_ - static_cast<CUlogIterator>(lines_.size());
    std::string text;
    if (first < oldest) text = dropped_notice;
    for (CUlogIterator number = std::max(first, oldest); number < next_number_; ++number) {
        text += lines_[number - oldest] + "\n";
    }
    *next = next_number_;
    return text;
}

std::string Log::recent_lines(CUlogIterator first, size_t room, CUlogIterator* next) const {
    std::string all = lines_from(first, next);
    if (all.size() <= room) return all;
    const std::string notice = truncated_notice;
    if (room <= notice.size()) return {};
    // Drop whole lines from the front until the rest fits beside the notice.
    size_t start = all.size() - (room - notice.size());
    start = all.find('\n', start - 1) + 1;
    if (start >= all.size()) return {};
    return notice + all.substr(start);
}

Log& log() {
    // Never destroyed: threads may log while the process exits.
    static Log* const instance = new Log;
    return *instance;
}

}  // namespace cuprum::simulator::libcuda
