#include "doctor.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "cuprum/bindings/driver.hpp"
#include "cuprum/bindings/fault.hpp"
#include "cuprum/bindings/nvml.hpp"
#include "cuprum/bindings/options.hpp"
#include "cuprum/core/compile_cache.hpp"
#include "cuprum/parallel/algorithm.hpp"
#include "cuprum/pathfinder/doctor.hpp"
#include "cuprum/pathfinder/error.hpp"

namespace cuprum::capi {

namespace {

using pathfinder::Finding;
using Severity = Finding::Severity;
using Findings = std::vector<Finding>;

std::optional<std::string> environment(const char* name) {
    const char* const value = std::getenv(name);
    return value != nullptr && *value != '\0' ? std::optional<std::string>(value) : std::nullopt;
}

Finding wrong_variable(Severity severity, const std::string& name, const std::string& value, const std::string& problem,
                       const std::string& comment = "") {
    return {severity, name, value + ": " + problem, "unset " + name + (comment.empty() ? "" : "  # " + comment)};
}

// A cache that cannot be used fails no compile, and makes each of them slow.
void diagnose_compile_cache(Findings& findings) {
    const core::CompileCacheInfo cache = core::compile_cache_info();
    std::string problem = cache.disabled_reason;
    if (cache.enabled && access(cache.directory.c_str(), W_OK | X_OK) != 0) {
        problem = "nothing can be written to the folder " + cache.directory + ": " + std::strerror(errno);
    }
    if (problem.empty() || problem.starts_with("CUPRUM_CACHE is ")) {
        return;  // it works, or it is off because somebody said so
    }
    Finding finding{Severity::warning, "compile cache", problem + ", so that every program is compiled anew", ""};
    if (problem.starts_with("CUPRUM_CACHE_SIZE")) {
        finding.remedy = "unset CUPRUM_CACHE_SIZE  # or write a size such as 512MiB";
    } else if (environment("CUPRUM_CACHE_DIR")) {
        finding.remedy = "unset CUPRUM_CACHE_DIR  # ~/.cache/cuprum is then used; or name a folder of your own";
    } else {
        finding.remedy =
            "export CUPRUM_CACHE_DIR=\"${TMPDIR:-/var/tmp}/cuprum-$(id -u)\"  # or another folder of your own";
    }
    findings.push_back(std::move(finding));
}

// The first call of any CUDA library fails where the trace cannot be written.
void diagnose_trace(Findings& findings) {
    const auto path = environment("CUPRUM_TRACE");
    if (!path) {
        return;
    }
    std::string file = *path;
    for (std::size_t at = file.find("%p"); at != std::string::npos; at = file.find("%p", at)) {
        file.replace(at, 2, std::to_string(getpid()));
    }
    // Not truncated: this process may be writing its own trace there.
    const int opened = open(file.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
    if (opened < 0) {
        findings.push_back(wrong_variable(Severity::error, "CUPRUM_TRACE", *path,
                                          "the file cannot be written: " + std::string(std::strerror(errno))));
        return;
    }
    close(opened);
}

void diagnose_faults(Findings& findings) {
    const auto list = environment("CUPRUM_FAULT");
    if (!list) {
        return;
    }
    std::string_view rest = *list;
    try {
        while (!rest.empty()) {
            const std::size_t comma = std::min(rest.find(','), rest.size());
            const bindings::FaultInjection tried(rest.substr(0, comma));
            rest.remove_prefix(std::min(comma + 1, rest.size()));
        }
    } catch (const InvalidArgument& error) {
        findings.push_back(wrong_variable(Severity::error, "CUPRUM_FAULT", *list, error.detail(), error.advice()));
        return;
    }
    findings.push_back(wrong_variable(Severity::warning, "CUPRUM_FAULT", *list, "it makes these calls fail"));
}

void diagnose_default_stream(Findings& findings) {
    try {
        static_cast<void>(bindings::per_thread_default_stream());
    } catch (const InvalidArgument& error) {
        findings.push_back(wrong_variable(Severity::error, "CUPRUM_PER_THREAD_DEFAULT_STREAM",
                                          *environment("CUPRUM_PER_THREAD_DEFAULT_STREAM"), error.detail()));
    }
}

void diagnose_tunings(Findings& findings) {
    try {
        parallel::check_tunings();
    } catch (const InvalidArgument& error) {
        findings.push_back(wrong_variable(Severity::error, "CUPRUM_TUNINGS", *environment("CUPRUM_TUNINGS"),
                                          error.object() + ": " + error.detail(), "Cuprum's own table is then used"));
    }
}

// The simulator's own NVML does not start with settings that it does not know; which they are, it prints.
void diagnose_settings_of_nvml(Findings& findings) {
    const auto settings = environment("CUPRUM_SIM_NVML");
    if (!settings || !bindings::driver::simulator_is_chosen()) return;
    if (bindings::nvml::nvmlInit_v2() == NVML_SUCCESS) {
        bindings::nvml::nvmlShutdown();
        return;
    }
    findings.push_back(wrong_variable(Severity::error, "CUPRUM_SIM_NVML", *settings, "the simulator refuses it",
                                      "docs/system.md lists what it sets"));
}

// A variable that names a file, or a folder with a certain file in it.
struct NamedPath {
    const char* variable;
    const char* file;  // in the folder; null where the variable names the file itself
    const char* comment;
};
constexpr NamedPath named_paths[] = {
    {"CUPRUM_CCCL_PATH", "cub/cub.cuh", "the toolkit's own CCCL is then used"},
    {"CUPRUM_LIBRARY_PATH", "libcuprum.so.0", "the C# package then takes its own libraries"},
    {"CUPRUM_SIM_NVRTC", nullptr, "the real NVRTC is then looked for"},
    {"CUPRUM_SIM_NVJITLINK", nullptr, "the real nvJitLink is then looked for"},
};

void diagnose_named_paths(Findings& findings) {
    for (const NamedPath& named : named_paths) {
        const auto value = environment(named.variable);
        if (!value) {
            continue;
        }
        const std::string file = named.file == nullptr ? *value : *value + "/" + named.file;
        if (access(file.c_str(), R_OK) != 0) {
            const std::string problem =
                named.file == nullptr ? std::strerror(errno) : "has no " + std::string(named.file);
            findings.push_back(wrong_variable(Severity::warning, named.variable, *value, problem, named.comment));
        }
    }
}

}  // namespace

std::vector<Finding> diagnose() {
    Findings findings = pathfinder::diagnose();
    diagnose_compile_cache(findings);
    diagnose_trace(findings);
    diagnose_faults(findings);
    diagnose_default_stream(findings);
    diagnose_tunings(findings);
    diagnose_settings_of_nvml(findings);
    diagnose_named_paths(findings);
    std::stable_sort(findings.begin(), findings.end(),
                     [](const Finding& a, const Finding& b) { return a.severity > b.severity; });
    return findings;
}

}  // namespace cuprum::capi
