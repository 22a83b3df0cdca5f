// The environment variable CUPRUM_SIM:
// "seed=7,devices=2,memory=4GiB,cc=8.0,cuda=12.9,timeout=30s,launch=none,trace=FILE,check=leaks,
// profile=FILE,break=kernel:12,video=gpu". All parts are optional.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "engine/engine.hpp"
#include "engine/inspection/inspector.hpp"

namespace cuprum::simulator::libcuda {

inline constexpr int oldest_cuda_version = 12000;
inline constexpr int newest_cuda_version = 13050;
inline constexpr int default_cuda_version = newest_cuda_version;

struct Configuration {
    std::optional<uint64_t> seed;  // given: work in streams is delayed pseudo-randomly, from this seed
    uint32_t devices = 1;
    uint64_t memory = 4ull << 30;  // bytes of each device
    uint32_t capability_major = 8;
    uint32_t capability_minor = 0;
    std::optional<int> cuda_version;  // 13000 for 13.0; see cuda_version.hpp
    uint32_t multiprocessors = 4;
    uint32_t threads = 0;                  // workers of each device's engine; 0: one per hardware thread
    std::chrono::milliseconds timeout{0};  // for a kernel; 0: none
    bool launches = true;                  // false: launches return at once and run nothing, to measure what calls cost
    bool emulates_video = false;           // of the engine (DeviceModel)
    std::string trace;                     // file; empty: none
    Checks checks;                         // of the engine
    bool check_leaks = false;
    std::string profile;  // file of the table, that of the page with .html behind; empty: none
    std::optional<Breakpoint> breakpoint;
    bool shows_faults = false;             // a fault's warp is shown
    std::shared_ptr<Inspector> inspector;  // made by the driver
};

// Throws DriverError(CUDA_ERROR_INVALID_VALUE) whose message names the bad part and what is allowed there.
Configuration parse_configuration(std::string_view text);

}  // namespace cuprum::simulator::libcuda
