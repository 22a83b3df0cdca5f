#include "info.hpp"

#include <exception>
#include <new>

#include "cuprum/capi/base.h"
#include "cuprum/core/compile_cache.hpp"
#include "cuprum/core/device.hpp"
#include "json_writer.hpp"

namespace cuprum::capi {

namespace {

// Runs `gather`; what it throws becomes `error`. Memory is not a part that may be missing.
template <class Gather>
void or_error(std::string& error, Gather&& gather) {
    try {
        gather();
    } catch (const std::bad_alloc&) {
        throw;
    } catch (const std::exception& exception) {
        error = exception.what();
    }
}

void gather_driver(DriverInformation& driver) {
    const pathfinder::LocatedPart& located = pathfinder::locate_nvidia_dynamic_lib("cuda");
    driver.path = located.abs_path;
    driver.found_via = located.found_via;
    driver.is_simulator = located.is_simulator;
    const int32_t version = core::driver_version();
    driver.version = std::to_string(version / 1000) + '.' + std::to_string(version % 1000 / 10);
}

void write_findings(JsonWriter& json, const std::vector<pathfinder::Finding>& findings) {
    json.begin_array();
    for (const pathfinder::Finding& finding : findings) {
        json.begin_object();
        json.member("severity", to_string(finding.severity));
        json.member("subject", finding.subject);
        json.member("problem", finding.problem);
        json.member("remedy", finding.remedy);
        json.end_object();
    }
    json.end_array();
}

void write_part(JsonWriter& json, const pathfinder::PartReport& report) {
    json.begin_object();
    json.member("kind", pathfinder::to_string(report.part.kind));
    json.member("name", report.part.name);
    if (report.found) {
        json.member("path", report.part.abs_path);
        json.member("found_via", report.part.found_via);
        json.member("version", report.part.version.text());
    } else {
        json.key("path");
        json.null();
    }
    json.key("rejected");
    json.begin_array();
    for (const RejectedCandidate& candidate : report.part.rejected) {
        json.begin_object();
        json.member("path", candidate.path);
        json.member("reason", candidate.reason);
        json.end_object();
    }
    json.end_array();
    json.end_object();
}

void write_driver(JsonWriter& json, const DriverInformation& driver) {
    json.begin_object();
    if (!driver.path.empty()) {
        json.member("path", driver.path);
        json.member("found_via", driver.found_via);
        json.key("simulator");
        json.boolean(driver.is_simulator);
    }
    if (driver.error.empty()) {
        json.member("version", driver.version);
    } else {
        json.member("error", driver.error);
    }
    json.end_object();
}

void write_devices(JsonWriter& json, const std::vector<DeviceInformation>& devices) {
    json.begin_array();
    for (const DeviceInformation& device : devices) {
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

void write_toolkit(JsonWriter& json, const ToolkitInformation& toolkit) {
    json.begin_object();
    if (toolkit.error.empty()) {
        json.member("root", toolkit.root);
        json.member("found_via", toolkit.found_via);
        json.member("version", toolkit.version);
    } else {
        json.member("error", toolkit.error);
    }
    json.end_object();
}

void write_compile_cache(JsonWriter& json, const core::CompileCacheInfo& info) {
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
    number("evicted", info.evicted);
    json.end_object();
}

}  // namespace

std::vector<DeviceInformation> gather_devices() {
    std::vector<DeviceInformation> devices;
    for (const core::Device& device : core::Device::get_all_devices()) {
        devices.push_back({device.device_id(), device.properties().multiprocessor_count, device.is_simulator(),
                           device.name(), device.arch(), device.uuid(), device.pci_bus_id(), device.total_memory()});
    }
    return devices;
}

Information gather_information() {
    Information information;
    information.cuprum_version = std::to_string(CUPRUM_VERSION_MAJOR) + '.' + std::to_string(CUPRUM_VERSION_MINOR) +
                                 '.' + std::to_string(CUPRUM_VERSION_PATCH);
    or_error(information.driver.error, [&] { gather_driver(information.driver); });
    or_error(information.devices_error, [&] { information.devices = gather_devices(); });
    or_error(information.toolkit.error, [&] {
        const pathfinder::Toolkit toolkit = pathfinder::Toolkit::in_use();
        information.toolkit = {"", toolkit.root(), toolkit.found_via(), toolkit.version().text()};
        information.conflicts = toolkit.check();
    });
    information.parts = pathfinder::find_all_parts();
    information.compile_cache = core::compile_cache_info();
    return information;
}

const char* to_string(pathfinder::Finding::Severity severity) noexcept {
    switch (severity) {
        case pathfinder::Finding::Severity::note:
            return "note";
        case pathfinder::Finding::Severity::warning:
            return "warning";
        case pathfinder::Finding::Severity::error:
            break;
    }
    return "error";
}

std::string to_json(const Information& information) {
    JsonWriter json;
    json.begin_object();
    json.key("cuprum");
    json.begin_object();
    json.member("version", information.cuprum_version);
    json.end_object();
    json.key("driver");
    write_driver(json, information.driver);
    json.key("devices");
    if (information.devices_error.empty()) {
        write_devices(json, information.devices);
    } else {
        json.begin_object();
        json.member("error", information.devices_error);
        json.end_object();
    }
    json.key("toolkit");
    write_toolkit(json, information.toolkit);
    json.key("parts");
    json.begin_array();
    for (const pathfinder::PartReport& report : information.parts) {
        write_part(json, report);
    }
    json.end_array();
    json.key("conflicts");
    write_findings(json, information.conflicts);
    json.key("compile_cache");
    write_compile_cache(json, information.compile_cache);
    json.end_object();
    return json.get();
}

std::string to_json(const std::vector<DeviceInformation>& devices) {
    JsonWriter json;
    write_devices(json, devices);
    return json.get();
}

std::string to_json(const std::vector<pathfinder::Finding>& findings) {
    JsonWriter json;
    write_findings(json, findings);
    return json.get();
}

std::string to_json(const pathfinder::PartReport& report) {
    JsonWriter json;
    write_part(json, report);
    return json.get();
}

}  // namespace cuprum::capi
