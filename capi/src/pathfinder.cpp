#include "cuprum/capi/pathfinder.h"

#include <string_view>

#include "call.hpp"
#include "cuprum/pathfinder/pathfinder.hpp"
#include "cuprum/pathfinder/toolkit.hpp"
#include "doctor.hpp"
#include "info.hpp"

using namespace cuprum::capi;
namespace pathfinder = cuprum::pathfinder;
using pathfinder::PartKind;

static_assert(CUPRUM_PART_DYNAMIC_LIBRARY == static_cast<int32_t>(PartKind::dynamic_library));
static_assert(CUPRUM_PART_HEADERS == static_cast<int32_t>(PartKind::headers));
static_assert(CUPRUM_PART_BITCODE_LIBRARY == static_cast<int32_t>(PartKind::bitcode_library));
static_assert(CUPRUM_PART_STATIC_LIBRARY == static_cast<int32_t>(PartKind::static_library));
static_assert(CUPRUM_PART_BINARY_UTILITY == static_cast<int32_t>(PartKind::binary_utility));
static_assert(CUPRUM_SEVERITY_NOTE == static_cast<int32_t>(pathfinder::Finding::Severity::note));
static_assert(CUPRUM_SEVERITY_WARNING == static_cast<int32_t>(pathfinder::Finding::Severity::warning));
static_assert(CUPRUM_SEVERITY_ERROR == static_cast<int32_t>(pathfinder::Finding::Severity::error));
static_assert(CUPRUM_ORIGIN_TOOLKIT == static_cast<int32_t>(pathfinder::PartOrigin::toolkit));
static_assert(CUPRUM_ORIGIN_ADD_ON == static_cast<int32_t>(pathfinder::PartOrigin::add_on));
static_assert(CUPRUM_ORIGIN_DRIVER == static_cast<int32_t>(pathfinder::PartOrigin::driver));

namespace {

PartKind kind_of(const Call& call, int32_t kind) {
    if (kind < CUPRUM_PART_DYNAMIC_LIBRARY || kind > CUPRUM_PART_BINARY_UTILITY) {
        call.refuse("kind", "there is no kind of part " + std::to_string(kind) + ": they go from 0 to 4");
    }
    return static_cast<PartKind>(kind);
}

// Both texts are lent before either output is written: lending may fail.
void give_location(const pathfinder::LocatedPart& located, const char** path_out, const char** found_via_out) {
    const char* path = lend(located.abs_path, 0);
    const char* found_via = lend(located.found_via, 1);
    *path_out = path;
    if (found_via_out != nullptr) {
        *found_via_out = found_via;
    }
}

void give_library(const pathfinder::LoadedLibrary& library, const char** path_out, const char** found_via_out,
                  uint64_t* native_handle_out, int32_t* was_already_loaded_out) {
    give_location(library, path_out, found_via_out);
    *native_handle_out = reinterpret_cast<uintptr_t>(library.handle);
    *was_already_loaded_out = library.was_already_loaded ? 1 : 0;
}

cuprum_status find_part(Operation operation, PartKind kind, const char** path_out, const char** found_via_out,
                        const char* name) {
    return run(operation, [&](const Call& call) {
        call.require(path_out, "path_out");
        call.require(name, "name");
        give_location(pathfinder::locate(kind, name), path_out, found_via_out);
    });
}

template <class Item>
const Item& item(const Call& call, const std::vector<Item>& items, uint32_t index) {
    if (index >= items.size()) {
        call.refuse("index", "it is " + std::to_string(index) + ", and there are " + std::to_string(items.size()));
    }
    return items[index];
}

}  // namespace

cuprum_status cuprum_find_part(const char** path_out, const char** found_via_out, int32_t kind, const char* name) {
    return run("cuprum_find_part", [&](const Call& call) {
        call.require(path_out, "path_out");
        call.require(name, "name");
        give_location(pathfinder::locate(kind_of(call, kind), name), path_out, found_via_out);
    });
}

cuprum_status cuprum_find_library(const char** path_out, const char** found_via_out, const char* name) {
    return find_part("cuprum_find_library", PartKind::dynamic_library, path_out, found_via_out, name);
}

cuprum_status cuprum_find_header_directory(const char** path_out, const char** found_via_out, const char* name) {
    return find_part("cuprum_find_header_directory", PartKind::headers, path_out, found_via_out, name);
}

cuprum_status cuprum_find_bitcode_library(const char** path_out, const char** found_via_out, const char* name) {
    return find_part("cuprum_find_bitcode_library", PartKind::bitcode_library, path_out, found_via_out, name);
}

cuprum_status cuprum_find_static_library(const char** path_out, const char** found_via_out, const char* name) {
    return find_part("cuprum_find_static_library", PartKind::static_library, path_out, found_via_out, name);
}

cuprum_status cuprum_find_binary_utility(const char** path_out, const char** found_via_out, const char* name) {
    return find_part("cuprum_find_binary_utility", PartKind::binary_utility, path_out, found_via_out, name);
}

cuprum_status cuprum_load_library(const char** path_out, const char** found_via_out, uint64_t* native_handle_out,
                                  int32_t* was_already_loaded_out, const char* name) {
    return run("cuprum_load_library", [&](const Call& call) {
        call.require(path_out, "path_out");
        call.require(native_handle_out, "native_handle_out");
        call.require(was_already_loaded_out, "was_already_loaded_out");
        call.require(name, "name");
        give_library(pathfinder::load_nvidia_dynamic_lib(name), path_out, found_via_out, native_handle_out,
                     was_already_loaded_out);
    });
}

cuprum_status cuprum_include_directory_count(uint32_t* count_out) {
    return run("cuprum_include_directory_count", [&](const Call& call) {
        call.require(count_out, "count_out");
        *count_out = static_cast<uint32_t>(pathfinder::find_cuda_include_dirs().size());
    });
}

cuprum_status cuprum_include_directory(const char** path_out, uint32_t index) {
    return run("cuprum_include_directory", [&](const Call& call) {
        call.require(path_out, "path_out");
        *path_out = lend(item(call, pathfinder::find_cuda_include_dirs(), index));
    });
}

cuprum_status cuprum_part_count(uint32_t* count_out, int32_t kind) {
    return run("cuprum_part_count", [&](const Call& call) {
        call.require(count_out, "count_out");
        *count_out = static_cast<uint32_t>(pathfinder::supported_parts(kind_of(call, kind)).size());
    });
}

cuprum_status cuprum_part_info(const char** name_out, const char** file_out, int32_t* origin_out, int32_t kind,
                               uint32_t index) {
    return run("cuprum_part_info", [&](const Call& call) {
        call.require(name_out, "name_out");
        call.require(file_out, "file_out");
        call.require(origin_out, "origin_out");
        const pathfinder::SupportedPart& part = item(call, pathfinder::supported_parts(kind_of(call, kind)), index);
        const char* name = lend(part.name, 0);
        *file_out = lend(part.file, 1);
        *name_out = name;
        *origin_out = static_cast<int32_t>(part.origin);
    });
}

cuprum_status cuprum_add_wheel_directory(const char* site_packages) {
    return run("cuprum_add_wheel_directory", [&](const Call& call) {
        call.require(site_packages, "site_packages");
        pathfinder::add_wheel_directory(site_packages);
    });
}

cuprum_status cuprum_reset_pathfinder(void) {
    return run("cuprum_reset_pathfinder", [](const Call&) { pathfinder::reset_cache(); });
}

cuprum_status cuprum_toolkit_find(cuprum_toolkit* toolkit_out, const char* version, const char* const* from_elsewhere,
                                  uint32_t from_elsewhere_count) {
    return run("cuprum_toolkit_find", [&](const Call& call) {
        call.require(toolkit_out, "toolkit_out");
        pathfinder::ToolkitOptions options;
        options.version = version != nullptr ? version : "";
        if (from_elsewhere_count != 0) {
            call.require(from_elsewhere, "from_elsewhere");
        }
        for (uint32_t i = 0; i < from_elsewhere_count; ++i) {
            call.require(from_elsewhere[i], "from_elsewhere");
            options.from_elsewhere.emplace_back(from_elsewhere[i]);
        }
        *toolkit_out = call.give<cuprum_toolkit>(ToolkitObject{pathfinder::Toolkit::find(options)});
    });
}

cuprum_status cuprum_toolkit_in_use(cuprum_toolkit* toolkit_out) {
    return run("cuprum_toolkit_in_use", [&](const Call& call) {
        call.require(toolkit_out, "toolkit_out");
        *toolkit_out = call.give<cuprum_toolkit>(ToolkitObject{pathfinder::Toolkit::in_use()});
    });
}

cuprum_status cuprum_toolkit_use(cuprum_toolkit toolkit) {
    return run("cuprum_toolkit_use", [&](const Call& call) { call.use(toolkit, "toolkit")->toolkit.use(); });
}

cuprum_status cuprum_toolkit_destroy(cuprum_toolkit toolkit) {
    return run("cuprum_toolkit_destroy", [&](const Call& call) { call.destroy(toolkit, "toolkit"); });
}

cuprum_status cuprum_toolkit_describe(const char** root_out, const char** found_via_out, const char** version_out,
                                      cuprum_toolkit toolkit) {
    return run("cuprum_toolkit_describe", [&](const Call& call) {
        call.require(root_out, "root_out");
        call.require(version_out, "version_out");
        const auto pin = call.use(toolkit, "toolkit");
        const char* root = lend(pin->toolkit.root(), 0);
        const char* found_via = lend(pin->toolkit.found_via(), 1);
        *version_out = lend(pin->toolkit.version().text(), 2);
        *root_out = root;
        if (found_via_out != nullptr) {
            *found_via_out = found_via;
        }
    });
}

cuprum_status cuprum_toolkit_find_part(const char** path_out, const char** found_via_out, cuprum_toolkit toolkit,
                                       int32_t kind, const char* name) {
    return run("cuprum_toolkit_find_part", [&](const Call& call) {
        call.require(path_out, "path_out");
        call.require(name, "name");
        const auto pin = call.use(toolkit, "toolkit");
        give_location(pin->toolkit.locate(kind_of(call, kind), name), path_out, found_via_out);
    });
}

cuprum_status cuprum_toolkit_load_library(const char** path_out, const char** found_via_out,
                                          uint64_t* native_handle_out, int32_t* was_already_loaded_out,
                                          cuprum_toolkit toolkit, const char* name) {
    return run("cuprum_toolkit_load_library", [&](const Call& call) {
        call.require(path_out, "path_out");
        call.require(native_handle_out, "native_handle_out");
        call.require(was_already_loaded_out, "was_already_loaded_out");
        call.require(name, "name");
        const auto pin = call.use(toolkit, "toolkit");
        give_library(pin->toolkit.load(name), path_out, found_via_out, native_handle_out, was_already_loaded_out);
    });
}

cuprum_status cuprum_toolkit_check(uint32_t* count_out, cuprum_toolkit toolkit) {
    return run("cuprum_toolkit_check", [&](const Call& call) {
        call.require(count_out, "count_out");
        const auto pin = call.use(toolkit, "toolkit");
        findings() = pin->toolkit.check();
        *count_out = static_cast<uint32_t>(findings().size());
    });
}

cuprum_status cuprum_doctor(uint32_t* count_out) {
    return run("cuprum_doctor", [&](const Call& call) {
        call.require(count_out, "count_out");
        findings() = diagnose();
        *count_out = static_cast<uint32_t>(findings().size());
    });
}

cuprum_status cuprum_finding(int32_t* severity_out, const char** subject_out, const char** problem_out,
                             const char** remedy_out, uint32_t index) {
    return run("cuprum_finding", [&](const Call& call) {
        call.require(severity_out, "severity_out");
        call.require(subject_out, "subject_out");
        call.require(problem_out, "problem_out");
        call.require(remedy_out, "remedy_out");
        const pathfinder::Finding& finding = item(call, findings(), index);
        const char* subject = lend(finding.subject, 0);
        const char* problem = lend(finding.problem, 1);
        *remedy_out = lend(finding.remedy, 2);
        *subject_out = subject;
        *problem_out = problem;
        *severity_out = static_cast<int32_t>(finding.severity);
    });
}

cuprum_status cuprum_info_json(const char** json_out) {
    return run("cuprum_info_json", [&](const Call& call) {
        call.require(json_out, "json_out");
        *json_out = lend(to_json(gather_information()));
    });
}
