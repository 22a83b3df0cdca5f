#include "info.hpp"

#include <exception>
#include <new>
#include <string_view>
#include <vector>

#include "cuprum/capi/base.h"
#include "cuprum/core/compile_cache.hpp"
#include "cuprum/core/device.hpp"
#include "cuprum/core/program.hpp"
#include "cuprum/pathfinder/pathfinder.hpp"
#include "json_writer.hpp"

namespace cuprum::capi {

namespace {

// Runs `write`; what it throws becomes the member "error" of the object that is open. Memory is not a part that may be
// missing.
template <class Write>
void or_error(JsonWriter& json, Write&& write) {
    try {
        write();
    } catch (const std::bad_alloc&) {
        throw;
    } catch (const std::exception& error) {
        json.member("error", error.what());
    }
}

void write_rejected(JsonWriter& json, const std::vector<RejectedCandidate>& rejected) {
    json.key("rejected");
    json.begin_array();
    for (const RejectedCandidate& candidate : rejected) {
        json.begin_object();
        json.member("path", candidate.path);
        json.member("reason", candidate.reason);
        json.end_object();
    }
    json.end_array();
}

void write_driver(JsonWriter& json) {
    json.begin_object();
    or_error(json, [&] {
        const pathfinder::LocatedLibrary driver = pathfinder::find_nvidia_dynamic_lib("cuda");
        json.member("path", driver.abs_path);
        json.member("found_via", driver.found_via);
        json.key("simulator");
        json.boolean(driver.is_simulator);
        const int32_t version = core::driver_version();
        json.member("version", std::to_string(version / 1000) + '.' + std::to_string(version % 1000 / 10));
    });
    json.end_object();
}

struct DeviceDescription {
    int32_t id, multiprocessor_count;
    bool is_simulator;
    std::string name, arch, uuid, pci_bus_id;
    uint64_t total_memory;
};

void write_devices(JsonWriter& json) {
    std::vector<DeviceDescription> devices;
    try {
        for (const core::Device& device : core::Device::get_all_devices()) {
            devices.push_back({device.device_id(), device.properties().multiprocessor_count, device.is_simulator(),
                               device.name(), device.arch(), device.uuid(), device.pci_bus_id(),
                               device.total_memory()});
        }
    } catch (const std::bad_alloc&) {
        throw;
    } catch (const std::exception& error) {
        json.begin_object();
        json.member("error", error.what());
        json.end_object();
        return;
    }
    json.begin_array();
    for (const DeviceDescription& device : devices) {
        json.begin_object();
        json.key("id");
        json.number(device.id);
        json.member("name", device.name);
        json.key("simulator");
        json.boolean(device.is_simulator);
        json.member("arch", device.arch);
        json.member("uuid", device.uuid);
        json.member("pci_bus_id", device.pci_bus_id);
        json.key("multiprocessor_count");
        json.number(device.multiprocessor_count);
        json.key("total_memory");
        json.number(device.total_memory);
        json.end_object();
    }
    json.end_array();
}

void write_toolkit(JsonWriter& json) {
    json.begin_object();
    for (const pathfinder::ToolkitPart& part : pathfinder::find_toolkit_parts()) {
        const bool is_library = part.kind == pathfinder::ToolkitPart::Kind::library;
        if (is_library && part.name == "cuda") {
            continue;  // the driver, which has a place of its own
        }
        json.key(is_library ? part.name : part.name + " headers");
        json.begin_object();
        if (part.found) {
            json.member("path", part.abs_path);
            json.member("found_via", part.found_via);
            or_error(json, [&] {
                // NVRTC itself knows best; the others would have to be opened and are not.
                const bool is_nvrtc = is_library && part.name == "nvrtc";
                const auto [major, minor] = is_nvrtc ? core::nvrtc_version() : std::pair<int32_t, int32_t>();
                json.member("version",
                            is_nvrtc ? std::to_string(major) + '.' + std::to_string(minor) : part.version.text());
            });
        } else {
            json.member("error", "not found; set CUDA_PATH to a CUDA toolkit, or install its wheels");
        }
        write_rejected(json, part.rejected);
        json.end_object();
    }
    json.end_object();
}

void write_compile_cache(JsonWriter& json) {
    const core::CompileCacheInfo info = core::compile_cache_info();
    json.begin_object();
    json.key("enabled");
    json.boolean(info.enabled);
    json.member("path", info.directory);
    json.member("disabled_reason", info.disabled_reason);
    const auto number = [&json](const char* key, uint64_t value) {
        json.key(key);
        json.number(value);
    };
    number("size_limit", info.size_limit);
    number("entries", info.entries);
    number("bytes", info.size);
    number("hits", info.hits);
    number("misses", info.misses);
    number("bypassed", info.bypassed);
    number("dropped", info.dropped);
    json.end_object();
}

}  // namespace

std::string info_json() {
    JsonWriter json;
    json.begin_object();
    json.key("cuprum");
    json.begin_object();
    json.member("version", std::to_string(CUPRUM_VERSION_MAJOR) + '.' + std::to_string(CUPRUM_VERSION_MINOR) + '.' +
                               std::to_string(CUPRUM_VERSION_PATCH));
    json.end_object();
    json.key("driver");
    write_driver(json);
    json.key("devices");
    write_devices(json);
    json.key("toolkit");
    write_toolkit(json);
    json.key("compile_cache");
    write_compile_cache(json);
    json.end_object();
    return json.get();
}

}  // namespace cuprum::capi
