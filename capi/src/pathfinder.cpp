#include "cuprum/capi/pathfinder.h"

#include "call.hpp"
#include "cuprum/pathfinder/pathfinder.hpp"
#include "info.hpp"

using namespace cuprum::capi;

namespace {

// Both texts are lent before either output is written: lending may fail.
template <class Located>
void give_location(const Located& located, const char** path_out, const char** found_via_out) {
    const char* path = lend(located.abs_path, 0);
    const char* found_via = lend(located.found_via, 1);
    *path_out = path;
    if (found_via_out != nullptr) {
        *found_via_out = found_via;
    }
}

}  // namespace

cuprum_status cuprum_find_library(const char** path_out, const char** found_via_out, const char* name) {
    return run("cuprum_find_library", [&](const Call& call) {
        call.require(path_out, "path_out");
        call.require(name, "name");
        give_location(cuprum::pathfinder::find_nvidia_dynamic_lib(name), path_out, found_via_out);
    });
}

cuprum_status cuprum_find_header_directory(const char** path_out, const char** found_via_out, const char* name) {
    return run("cuprum_find_header_directory", [&](const Call& call) {
        call.require(path_out, "path_out");
        call.require(name, "name");
        give_location(cuprum::pathfinder::find_nvidia_header_directory(name), path_out, found_via_out);
    });
}

cuprum_status cuprum_info_json(const char** json_out) {
    return run("cuprum_info_json", [&](const Call& call) {
        call.require(json_out, "json_out");
        *json_out = lend(info_json());
    });
}

cuprum_status cuprum_add_wheel_directory(const char* site_packages) {
    return run("cuprum_add_wheel_directory", [&](const Call& call) {
        call.require(site_packages, "site_packages");
        cuprum::pathfinder::add_wheel_directory(site_packages);
    });
}
