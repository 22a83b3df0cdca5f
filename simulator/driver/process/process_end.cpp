#include "driver/process/process_end.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <mutex>
#include <string_view>
#include <vector>

#include "driver/error/error_table.hpp"
#include "driver/process/driver.hpp"

namespace cuprum::simulator::libcuda {

namespace {

// For all work together. Kernels that end at all mostly end sooner; one that does not must not keep the process.
constexpr std::chrono::milliseconds longest_wait{500};

struct Fault {
    CUresult code = CUDA_SUCCESS;
    std::string report;
    bool told = false;
};

struct Faults {
    std::mutex mutex;
    std::vector<Fault> all;
    std::atomic<bool> any{false};
};

Faults& noted_faults() {
    // Never destroyed: threads may fail while the process exits.
    static Faults* const instance = new Faults;
    return *instance;
}

std::atomic<bool> ending{false};

bool releases_something(std::string_view call) {
    static constexpr std::array<std::string_view, 6> words{"Free",    "Destroy",    "Unload",
                                                           "Release", "Unregister", "Unmap"};
    return std::ranges::any_of(words, [&](std::string_view word) { return call.find(word) != std::string_view::npos; });
}

void end_process() {
    // A forked child has none of the threads, and perhaps locks that they held.
    if (driver().forked()) return;
    ending.store(true, std::memory_order_release);
    // A host function that ends the process would wait for itself.
    if (!inside_host_function()) wait_for_work_until(std::chrono::steady_clock::now() + longest_wait);
    const std::lock_guard lock(noted_faults().mutex);
    for (const Fault& fault : noted_faults().all) {
        if (fault.told) continue;
        std::fprintf(stderr,
                     "Cuprum simulator: %s: %s\n"
                     "No call has returned this error to the program: wait for the kernel's stream before the program "
                     "ends.\n",
                     error_name(fault.code), fault.report.c_str());
    }
}

}  // namespace

void note_fault(CUresult code, const std::string& report) {
    const std::lock_guard lock(noted_faults().mutex);
    noted_faults().all.push_back({code, report});
    noted_faults().any.store(true, std::memory_order_release);
}

void note_told(const char* call, CUresult code) {
    if (!noted_faults().any.load(std::memory_order_acquire) || releases_something(call)) return;
    const std::lock_guard lock(noted_faults().mutex);
    for (Fault& fault : noted_faults().all) {
        if (fault.code == code) fault.told = true;
    }
}

bool wait_for_work_until(std::chrono::steady_clock::time_point end) {
    for (const std::shared_ptr<Context>& context : handles().contexts.all()) {
        if (!context->active()) continue;
        for (const std::shared_ptr<Stream>& stream : context->streams()) {
            if (!stream->wait_until(stream->last_ticket(), end)) return false;
        }
    }
    return true;
}

void watch_process_end() {
    std::atexit(&end_process);
}

bool process_is_ending() {
    return ending.load(std::memory_order_acquire);
}

}  // namespace cuprum::simulator::libcuda
