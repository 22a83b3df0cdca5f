#include "cuprum/capi/trace.h"

#include <string>
#include <string_view>

#include "call.hpp"
#include "cuprum/core/nvtx.hpp"

using namespace cuprum::capi;
namespace nvtx = cuprum::core::nvtx;

cuprum_status cuprum_nvtx_mark(const char* name) {
    return run("cuprum_nvtx_mark", [&](const Call& call) {
        call.require(name, "name");
        nvtx::mark(name);
    });
}

cuprum_status cuprum_nvtx_push_range(int32_t* depth_out, const char* name) {
    return run("cuprum_nvtx_push_range", [&](const Call& call) {
        call.require(depth_out, "depth_out");
        call.require(name, "name");
        *depth_out = nvtx::push_range(name);
    });
}

cuprum_status cuprum_nvtx_pop_range(int32_t* depth_out) {
    return run("cuprum_nvtx_pop_range", [&](const Call& call) {
        call.require(depth_out, "depth_out");
        *depth_out = nvtx::pop_range();
    });
}

cuprum_status cuprum_nvtx_start_range(uint64_t* range_out, const char* name) {
    return run("cuprum_nvtx_start_range", [&](const Call& call) {
        call.require(range_out, "range_out");
        call.require(name, "name");
        *range_out = nvtx::start_range(name);
    });
}

cuprum_status cuprum_nvtx_end_range(uint64_t range) {
    return run("cuprum_nvtx_end_range", [&](const Call&) { nvtx::end_range(range); });
}

cuprum_status cuprum_handle_kind_count(uint32_t* count_out) {
    return run("cuprum_handle_kind_count", [&](const Call& call) {
        call.require(count_out, "count_out");
        *count_out = static_cast<uint32_t>(last_handle_type);
    });
}

cuprum_status cuprum_live_handles_of_kind(const char** name_out, uint64_t* count_out, uint32_t kind) {
    return run("cuprum_live_handles_of_kind", [&](const Call& call) {
        call.require(name_out, "name_out");
        call.require(count_out, "count_out");
        const auto kinds = static_cast<uint32_t>(last_handle_type);
        if (kind >= kinds) {
            call.refuse("kind", "there are " + std::to_string(kinds) + " kinds, numbered from 0; given " +
                                    std::to_string(kind));
        }
        const auto type = static_cast<HandleType>(kind + 1);
        std::string_view name = to_string(type);
        for (const std::string_view article : {"a ", "an "}) {
            if (name.starts_with(article)) name.remove_prefix(article.size());
        }
        *name_out = lend(name);
        *count_out = process_handles().live(type);
    });
}
