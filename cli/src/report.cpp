#include "report.hpp"

#include <algorithm>
#include <cstdio>

namespace cuprum::cli {

namespace {

using pathfinder::Finding;
using pathfinder::PartKind;

// Lines after the first are indented like the first one's text.
std::string indented(std::string text, std::size_t columns) {
    for (std::size_t at = text.find('\n'); at != std::string::npos; at = text.find('\n', at + 1)) {
        text.insert(at + 1, columns, ' ');
    }
    return text;
}

std::string padded(std::string text, std::size_t width) {
    text.resize(std::max(text.size(), width), ' ');
    return text;
}

std::string gibibytes(uint64_t bytes) {
    char text[32];
    std::snprintf(text, sizeof text, "%.1f GiB", static_cast<double>(bytes) / (1024.0 * 1024.0 * 1024.0));
    return text;
}

constexpr std::size_t label_width = 12;

std::string line(const Style& style, const std::string& label, const std::string& text) {
    return style.heading(label) + std::string(label_width - std::min(label.size(), label_width), ' ') +
           indented(text, label_width) + "\n";
}

std::string device_details(const capi::DeviceInformation& device) {
    return std::string(device.is_simulator ? "simulator" : "GPU") + ", sm_" + device.arch + ", " +
           std::to_string(device.multiprocessor_count) + " multiprocessors, " + gibibytes(device.total_memory);
}

std::string heading_of(PartKind kind) {
    switch (kind) {
        case PartKind::dynamic_library:
            return "dynamic libraries";
        case PartKind::headers:
            return "header folders";
        case PartKind::bitcode_library:
            return "bitcode libraries";
        case PartKind::static_library:
            return "static libraries";
        case PartKind::binary_utility:
            return "binary utilities";
    }
    return "parts";
}

std::string parts_of_kind(const std::vector<pathfinder::PartReport>& parts, PartKind kind, bool verbose,
                          const Style& style) {
    constexpr std::size_t version_width = 6;
    std::size_t name_width = 0;
    std::string missing;
    for (const pathfinder::PartReport& report : parts) {
        if (report.part.kind == kind && report.found) {
            name_width = std::max(name_width, report.part.name.size() + 2);
        }
    }
    std::string text = "\n" + style.heading(heading_of(kind)) + "\n";
    for (const pathfinder::PartReport& report : parts) {
        if (report.part.kind != kind) {
            continue;
        }
        if (report.found) {
            text += "  " + padded(report.part.name, name_width) + padded(report.part.version.text(), version_width) +
                    report.part.abs_path + "  " + style.dim("(" + report.part.found_via + ")") + "\n";
        } else {
            missing += (missing.empty() ? "" : ", ") + report.part.name;
        }
    }
    if (!missing.empty() && verbose) {
        text += "  " + style.dim("not found: " + missing) + "\n";
    }
    return text;
}

}  // namespace

std::string part_report(const pathfinder::LocatedPart& part, bool verbose, const Style& style) {
    std::string text = part.abs_path + "\n";
    if (!verbose) {
        return text;
    }
    text += style.dim("found via ") + part.found_via;
    if (part.version.known()) {
        text += style.dim(", CUDA ") + part.version.text();
    }
    text += '\n';
    for (const RejectedCandidate& candidate : part.rejected) {
        text += style.dim("before that, " + candidate.path + ": " + candidate.reason) + "\n";
    }
    return text;
}

std::string devices_report(const std::vector<capi::DeviceInformation>& devices, const Style& style) {
    std::string text;
    for (const capi::DeviceInformation& device : devices) {
        text += style.heading(std::to_string(device.id)) + "  " + device.name + "  " + device_details(device) + "\n" +
                "   " + style.dim(device.uuid + "  PCI " + device.pci_bus_id) + "\n";
    }
    return text;
}

std::string findings_report(const std::vector<Finding>& findings, const Style& style) {
    std::string text;
    for (const Finding& finding : findings) {
        switch (finding.severity) {
            case Finding::Severity::error:
                text += style.red("error");
                break;
            case Finding::Severity::warning:
                text += style.yellow("warning");
                break;
            case Finding::Severity::note:
                text += style.bold("note");
                break;
        }
        text += ": " + finding.subject + ": " + indented(finding.problem, 2) + "\n";
        if (!finding.remedy.empty()) {
            text += "  " + style.bold("fix:") + " " + indented(finding.remedy, 7) + "\n";
        }
    }
    return text;
}

std::string information_report(const capi::Information& information, bool verbose, const Style& style) {
    const auto missing = [&](const std::string& error) { return style.red("none") + "\n" + error; };
    std::string text = line(style, "Cuprum", information.cuprum_version);

    const capi::DriverInformation& driver = information.driver;
    text += line(style, "driver",
                 driver.error.empty() ? (driver.is_simulator ? "simulator, CUDA " : "CUDA ") + driver.version + "  " +
                                            driver.path + "  " + style.dim("(" + driver.found_via + ")")
                                      : missing(driver.error));
    for (const capi::DeviceInformation& device : information.devices) {
        text += line(style, "device " + std::to_string(device.id),
                     device.name + "  " + style.dim("(" + device_details(device) + ")"));
    }
    if (driver.error.empty() && !information.devices_error.empty()) {
        text += line(style, "devices", missing(information.devices_error));
    }
    const capi::ToolkitInformation& toolkit = information.toolkit;
    text += line(style, "toolkit",
                 toolkit.error.empty() ? "CUDA " + (toolkit.version.empty() ? "of unknown version" : toolkit.version) +
                                             "  " + toolkit.root + "  " + style.dim("(" + toolkit.found_via + ")")
                                       : missing(toolkit.error));
    for (const PartKind kind : {PartKind::dynamic_library, PartKind::headers, PartKind::bitcode_library,
                                PartKind::static_library, PartKind::binary_utility}) {
        text += parts_of_kind(information.parts, kind, verbose, style);
    }
    const core::CompileCacheInfo& cache = information.compile_cache;
    text += line(style, "compiles",
                 cache.enabled ? cache.directory + "  " +
                                     style.dim("(" + std::to_string(cache.entries) + " kept, " + gibibytes(cache.size) +
                                               " of at most " + gibibytes(cache.size_limit) + ")")
                               : "not kept: " + cache.disabled_reason);
    text += "\n" + style.heading("conflicts") + "\n";
    text += information.conflicts.empty() ? "  " + style.green("none") + "\n"
                                          : findings_report(information.conflicts, style);
    return text;
}

}  // namespace cuprum::cli
