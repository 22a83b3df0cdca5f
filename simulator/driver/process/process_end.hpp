// The end of the process: work that nobody waits for gets a moment, and a fault that no call has returned is reported.
#pragma once

#include <chrono>
#include <string>

#include "driver/process/cuda_api.hpp"

namespace cuprum::simulator::libcuda {

// A context has been put out of service. Thread-safe, as are the others.
void note_fault(CUresult code, const std::string& report);
// The program has been given this code. A call that releases something does not count: what those return is seldom
// looked at, by destructors least of all.
void note_told(const char* call, CUresult code);

// Waits for all work that has been submitted. False if it is not done by then.
bool wait_for_work_until(std::chrono::steady_clock::time_point end);

// From now on the end of the process is watched.
void watch_process_end();
// Host functions are not called any more: what they use may be gone.
bool process_is_ending();

}  // namespace cuprum::simulator::libcuda
