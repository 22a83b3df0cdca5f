// What `cuprum top` shows of a GPU at one moment.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "cuprum/core/system.hpp"
#include "style.hpp"

namespace cuprum::cli {

struct GpuProcess {
    core::system::ProcessInfo process;
    std::string name;  // empty where it cannot be read
};

// What a GPU does not tell is none.
struct GpuState {
    int32_t index = 0;
    std::string name;
    std::optional<core::system::Utilization> utilization;  // percent
    std::optional<core::system::MemoryInfo> memory;
    std::optional<int32_t> temperature;  // degrees Celsius
    std::optional<uint32_t> power;       // milliwatts
    std::optional<uint32_t> power_limit;
    std::optional<uint32_t> sm_clock;  // MHz
    std::optional<uint32_t> memory_clock;
    std::optional<int32_t> performance_state;
    std::optional<uint32_t> fan_speed;  // percent
    std::vector<GpuProcess> processes;
};

/// Of all GPUs that NVML sees. Throws NotFound where there is no NVML.
std::vector<GpuState> read_gpus();

/// A table of the GPUs, and one of their processes.
std::string gpus_report(const std::vector<GpuState>& gpus, const Style& style);
/// One line of JSON.
std::string to_json(const std::vector<GpuState>& gpus);

}  // namespace cuprum::cli
