#include "cuprum/capi/checkpoint.h"

#include <string>
#include <vector>

#include "call.hpp"
#include "cuprum/core/checkpoint.hpp"
#include "texts.hpp"

using namespace cuprum::capi;
using namespace cuprum::core::checkpoint;

cuprum_status cuprum_checkpoint_process_state(int32_t* state_out, int32_t pid) {
    return run("cuprum_checkpoint_process_state", [&](const Call& call) {
        call.require(state_out, "state_out");
        *state_out = static_cast<int32_t>(Process(pid).state());
    });
}

cuprum_status cuprum_checkpoint_process_restore_thread_id(int32_t* thread_out, int32_t pid) {
    return run("cuprum_checkpoint_process_restore_thread_id", [&](const Call& call) {
        call.require(thread_out, "thread_out");
        *thread_out = Process(pid).restore_thread_id();
    });
}

cuprum_status cuprum_checkpoint_process_lock(int32_t pid, uint32_t timeout_ms) {
    return run("cuprum_checkpoint_process_lock", [&](const Call&) { Process(pid).lock(timeout_ms); });
}

cuprum_status cuprum_checkpoint_process_checkpoint(int32_t pid) {
    return run("cuprum_checkpoint_process_checkpoint", [&](const Call&) { Process(pid).checkpoint(); });
}

cuprum_status cuprum_checkpoint_process_restore(int32_t pid, const char* const* old_uuids, uint32_t old_uuid_count,
                                                const char* const* new_uuids, uint32_t new_uuid_count) {
    return run("cuprum_checkpoint_process_restore", [&](const Call& call) {
        if (old_uuid_count != new_uuid_count) {
            call.refuse("new_uuid_count", "there are " + std::to_string(new_uuid_count) + " new GPUs for " +
                                              std::to_string(old_uuid_count) + " old ones; give as many");
        }
        const std::vector<std::string> old_texts = read_texts(call, "old_uuids", old_uuids, old_uuid_count);
        const std::vector<std::string> new_texts = read_texts(call, "new_uuids", new_uuids, new_uuid_count);
        std::vector<GpuPair> gpus;
        gpus.reserve(old_texts.size());
        for (size_t i = 0; i < old_texts.size(); ++i)
            gpus.push_back({old_texts[i], new_texts[i]});
        Process(pid).restore(gpus);
    });
}

cuprum_status cuprum_checkpoint_process_unlock(int32_t pid) {
    return run("cuprum_checkpoint_process_unlock", [&](const Call&) { Process(pid).unlock(); });
}
