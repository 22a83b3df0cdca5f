// What Cuprum knows of the machine it runs on, and the same as JSON.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "cuprum/core/compile_cache.hpp"
#include "cuprum/pathfinder/pathfinder.hpp"
#include "cuprum/pathfinder/toolkit.hpp"

namespace cuprum::capi {

/// `error` is why the rest is not there; empty where it is.
struct DriverInformation {
    std::string error;
    std::string path;
    std::string found_via;
    bool is_simulator = false;
    std::string version;  ///< newest CUDA version it serves, "13.0"
};

struct DeviceInformation {
    int32_t id = 0;
    int32_t multiprocessor_count = 0;
    bool is_simulator = false;
    std::string name;
    std::string arch;
    std::string uuid;
    std::string pci_bus_id;
    uint64_t total_memory = 0;  ///< bytes
};

struct ToolkitInformation {
    std::string error;
    std::string root;
    std::string found_via;
    std::string version;
};

struct Information {
    std::string cuprum_version;
    DriverInformation driver;
    std::string devices_error;
    std::vector<DeviceInformation> devices;
    ToolkitInformation toolkit;
    std::vector<pathfinder::PartReport> parts;
    std::vector<pathfinder::Finding> conflicts;
    core::CompileCacheInfo compile_cache;
};

/// Never throws for something that is missing or fails, but for memory.
Information gather_information();

/// The devices of the driver in use. Throws what core::Device throws where there is none.
std::vector<DeviceInformation> gather_devices();

/// "error", "warning" or "note".
const char* to_string(pathfinder::Finding::Severity severity) noexcept;

std::string to_json(const Information& information);
std::string to_json(const std::vector<DeviceInformation>& devices);
std::string to_json(const std::vector<pathfinder::Finding>& findings);
std::string to_json(const pathfinder::PartReport& report);

}  // namespace cuprum::capi
