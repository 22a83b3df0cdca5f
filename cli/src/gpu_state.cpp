#include "gpu_state.hpp"

#include <algorithm>
#include <cstdio>

#include "cuprum/core/error.hpp"
#include "json_writer.hpp"

namespace cuprum::cli {

namespace {

namespace system = core::system;

// What the GPU, or its driver, does not tell is none.
template <class Ask>
auto told(const Ask& ask) -> std::optional<decltype(ask())> {
    try {
        return ask();
    } catch (const Unsupported&) {
        return std::nullopt;
    } catch (const NotFound&) {
        return std::nullopt;  // a function that this NVML lacks
    }
}

std::string process_name(uint32_t pid) {
    try {
        return system::get_process_name(pid);
    } catch (const Error&) {
        return {};  // it has ended, or is another user's
    }
}

GpuState state_of(const system::Device& gpu) {
    GpuState state;
    state.index = gpu.index();
    state.name = gpu.name();
    state.utilization = told([&] { return gpu.utilization(); });
    state.memory = told([&] { return gpu.memory_info(); });
    state.temperature = told([&] { return gpu.temperature(); });
    state.power = told([&] { return gpu.power_usage(); });
    state.power_limit = told([&] { return gpu.power_limit(); });
    state.sm_clock = told([&] { return gpu.clock(system::ClockType::sm); });
    state.memory_clock = told([&] { return gpu.clock(system::ClockType::memory); });
    state.performance_state = told([&] { return gpu.performance_state(); });
    if (told([&] { return gpu.num_fans(); }).value_or(0) > 0) {
        state.fan_speed = told([&] { return gpu.fan_speed(0); });
    }
    for (const system::ProcessInfo& process :
         told([&] { return gpu.compute_running_processes(); }).value_or(std::vector<system::ProcessInfo>())) {
        state.processes.push_back({process, process_name(process.pid)});
    }
    return state;
}

std::string right(const std::string& text, size_t width) {
    return std::string(width - std::min(width, text.size()), ' ') + text;
}

std::string left(std::string text, size_t width) {
    text.resize(std::max(width, text.size()), ' ');
    return text;
}

template <class Value>
std::string number(const std::optional<Value>& value, const char* unit) {
    return value ? std::to_string(*value) + unit : "-";
}

std::string mebibytes(uint64_t bytes) {
    return std::to_string(bytes >> 20U);
}

std::string memory_text(const GpuState& gpu) {
    return gpu.memory ? mebibytes(gpu.memory->used) + " / " + mebibytes(gpu.memory->total) + " MiB" : "-";
}

std::string power_text(const GpuState& gpu) {
    if (!gpu.power) return "-";
    const std::string now = std::to_string(*gpu.power / 1000);
    return gpu.power_limit ? now + " / " + std::to_string(*gpu.power_limit / 1000) + " W" : now + " W";
}

// Busy devices catch the eye, hot ones even more.
std::string coloured(const std::string& text, int32_t value, int32_t warm, int32_t hot, const Style& style) {
    return value >= hot ? style.red(text) : value >= warm ? style.yellow(text) : text;
}

template <class Value>
void member(capi::JsonWriter& json, const char* name, const std::optional<Value>& value) {
    json.key(name);
    if (value) {
        json.number(*value);
    } else {
        json.null();
    }
}

}  // namespace

std::vector<GpuState> read_gpus() {
    std::vector<GpuState> states;
    for (const system::Device& gpu : system::Device::get_all_devices())
        states.push_back(state_of(gpu));
    return states;
}

std::string gpus_report(const std::vector<GpuState>& gpus, const Style& style) {
    if (gpus.empty()) return "NVML sees no GPU\n";
    size_t name_width = 4;
    for (const GpuState& gpu : gpus)
        name_width = std::max(name_width, gpu.name.size());
    std::string text =
        style.heading("  " + left("GPU", name_width + 4) + right("busy", 6) + right("memory", 22) + right("temp", 7) +
                      right("power", 13) + right("SM", 10) + right("state", 7) + right("fan", 6)) +
        "\n";
    for (const GpuState& gpu : gpus) {
        const auto busy = static_cast<int32_t>(gpu.utilization ? gpu.utilization->gpu : 0);
        const std::string busy_text = gpu.utilization ? std::to_string(busy) + " %" : "-";
        text += "  " + left(std::to_string(gpu.index), 4) + style.bold(left(gpu.name, name_width)) +
                coloured(right(busy_text, 6), busy, 50, 101, style) + right(memory_text(gpu), 22) +
                coloured(right(number(gpu.temperature, " C"), 7), gpu.temperature.value_or(0), 70, 85, style) +
                right(power_text(gpu), 13) + right(number(gpu.sm_clock, " MHz"), 10) +
                right(gpu.performance_state ? "P" + std::to_string(*gpu.performance_state) : "-", 7) +
                right(number(gpu.fan_speed, " %"), 6) + "\n";
    }
    bool any = false;
    for (const GpuState& gpu : gpus) {
        for (const GpuProcess& each : gpu.processes) {
            if (!any)
                text += "\n" +
                        style.heading("  " + left("GPU", 4) + right("pid", 10) + right("memory", 14) + "  process") +
                        "\n";
            any = true;
            const auto& used = each.process.used_gpu_memory;
            text += "  " + left(std::to_string(gpu.index), 4) + right(std::to_string(each.process.pid), 10) +
                    right(used ? mebibytes(*used) + " MiB" : "-", 14) + "  " + each.name + "\n";
        }
    }
    return any ? text : text + "\n  no process computes\n";
}

std::string to_json(const std::vector<GpuState>& gpus) {
    using Bytes = std::optional<uint64_t>;
    capi::JsonWriter json;
    json.begin_array();
    for (const GpuState& gpu : gpus) {
        json.begin_object();
        json.key("index");
        json.number(gpu.index);
        json.member("name", gpu.name);
        member(json, "gpu_utilization", gpu.utilization ? Bytes(gpu.utilization->gpu) : Bytes());
        member(json, "memory_utilization", gpu.utilization ? Bytes(gpu.utilization->memory) : Bytes());
        member(json, "memory_total", gpu.memory ? Bytes(gpu.memory->total) : Bytes());
        member(json, "memory_used", gpu.memory ? Bytes(gpu.memory->used) : Bytes());
        member(json, "memory_free", gpu.memory ? Bytes(gpu.memory->free) : Bytes());
        member(json, "temperature", gpu.temperature);
        member(json, "power_usage", gpu.power ? Bytes(*gpu.power) : Bytes());
        member(json, "power_limit", gpu.power_limit ? Bytes(*gpu.power_limit) : Bytes());
        member(json, "sm_clock", gpu.sm_clock ? Bytes(*gpu.sm_clock) : Bytes());
        member(json, "memory_clock", gpu.memory_clock ? Bytes(*gpu.memory_clock) : Bytes());
        member(json, "performance_state", gpu.performance_state);
        member(json, "fan_speed", gpu.fan_speed ? Bytes(*gpu.fan_speed) : Bytes());
        json.key("processes");
        json.begin_array();
        for (const GpuProcess& each : gpu.processes) {
            json.begin_object();
            json.key("pid");
            json.number(uint64_t{each.process.pid});
            json.member("name", each.name);
            member(json, "used_gpu_memory", each.process.used_gpu_memory);
            json.end_object();
        }
        json.end_array();
        json.end_object();
    }
    json.end_array();
    return json.get();
}

}  // namespace cuprum::cli
