// CUPRUM_SIM_NVML: what the simulated devices report that no simulation has: "temperature=60,power=180,fan=40".
#pragma once

#include <optional>
#include <string>

namespace cuprum::simulator::nvml {

// What is not set follows from what the device does (measurement.hpp).
struct Settings {
    std::optional<unsigned int> temperature;  // degrees Celsius
    std::optional<unsigned int> power;        // watts
    std::optional<unsigned int> utilization;  // percent
    std::optional<unsigned int> fan;          // percent; without it the devices have no fan
};

// Nothing for a text that is not of that form; standard error is told why.
std::optional<Settings> parse_settings(const std::string& text);

}  // namespace cuprum::simulator::nvml
