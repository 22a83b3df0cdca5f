// The driver's error log: what the cuLogs* functions read.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <map>
#include <mutex>
#include <string>

#include "driver/process/cuda_api.hpp"

namespace cuprum::simulator::libcuda {

// Every failing call leaves one line here that says which call, on what, what was expected and what was given. Holds
// the last `capacity` lines. All members may be called from any thread.
class Log {
public:
    static constexpr size_t capacity = 100;
    static constexpr size_t dump_limit = 25600;  // bytes, as cuda.h documents for cuLogsDumpToMemory

    // Also appends every line to this file from now on; false if it cannot be opened. Empty: stop.
    bool trace_to(const std::string& path);

    void write(CUlogLevel level, const std::string& line);
    // A line for the trace file alone.
    void trace(const std::string& line);
    bool tracing() const;

    CUlogsCallbackHandle add_callback(CUlogsCallback callback, void* user_data);
    // False if there is no such callback.
    bool remove_callback(CUlogsCallbackHandle handle);

    // The number of the next line to be written.
    CUlogIterator current() const;
    // All lines from number `first` on, each ended by a newline, and the number of the line after them. Says so when
    // older lines have been dropped.
    std::string lines_from(CUlogIterator first, CUlogIterator* next) const;
    // The same for the most recent lines that fit into `room` bytes, which must hold at least one.
    std::string recent_lines(CUlogIterator first, size_t room, CUlogIterator* next) const;

private:
    struct Callback {
        CUlogsCallback function;
        void* user_data;
    };

    mutable std::mutex mutex_;
    std::deque<std::string> lines_;
    CUlogIterator next_number_ = 0;
    std::map<uintptr_t, Callback> callbacks_;
    uintptr_t next_callback_ = 1;
    int trace_file_ = -1;
};

Log& log();

}  // namespace cuprum::simulator::libcuda
