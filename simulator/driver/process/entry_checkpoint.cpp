// Checkpoints of processes. They may be called while other calls are held up.
#include <signal.h>
#include <unistd.h>

#include <array>
#include <cstring>

#include "driver/process/checkpoint.hpp"
#include "driver/process/entry.hpp"

using namespace cuprum::simulator::libcuda;

namespace {

void require_own(int pid) {
    if (pid == ::getpid()) return;
    if (pid <= 0 || ::kill(pid, 0) != 0) {
        throw DriverError(CUDA_ERROR_INVALID_VALUE, format("there is no process %d of this user", pid));
    }
    throw DriverError(CUDA_ERROR_NOT_SUPPORTED,
                      format("process %d is another one: the simulator checkpoints the calling process alone", pid));
}

template <typename Body>
CUresult checkpoint_entry(const char* call, int pid, Body&& body) {
    return entry_unchecked(call, [&] {
        if (!driver().initialised() || driver().forked()) {
            throw DriverError(CUDA_ERROR_NOT_INITIALIZED, "cuInit has not been called in this process");
        }
        require_own(pid);
        return body();
    });
}

template <typename Words>
void require_zeros(const Words& reserved) {
    static constexpr Words zeros{};
    if (std::memcmp(reserved, zeros, sizeof zeros) != 0) {
        throw DriverError(CUDA_ERROR_INVALID_VALUE, "a reserved member of args is not zero");
    }
}

bool is_same(const CUuuid& one, const CUuuid& other) {
    return std::memcmp(&one, &other, sizeof one) == 0;
}

}  // namespace

extern "C" {

CUresult CUDAAPI cuCheckpointProcessGetRestoreThreadId(int pid, int* tid) {
    return checkpoint_entry("cuCheckpointProcessGetRestoreThreadId", pid, [&] {
        require_pointer(tid, "tid");
        *tid = pid;  // any thread can restore it
    });
}

CUresult CUDAAPI cuCheckpointProcessGetState(int pid, CUprocessState* state) {
    return checkpoint_entry("cuCheckpointProcessGetState", pid, [&] {
        require_pointer(state, "state");
        *state = checkpoint().state();
    });
}

CUresult CUDAAPI cuCheckpointProcessLock(int pid, CUcheckpointLockArgs* args) {
    return checkpoint_entry("cuCheckpointProcessLock", pid, [&] {
        if (args != nullptr) require_zeros(args->reserved1);
        std::optional<std::chrono::milliseconds> limit;
        if (args != nullptr && args->timeoutMs != 0) limit = std::chrono::milliseconds(args->timeoutMs);
        if (!checkpoint().lock(limit)) throw DriverError(CUDA_ERROR_NOT_READY, "work has not ended in that time");
    });
}

CUresult CUDAAPI cuCheckpointProcessCheckpoint(int pid, CUcheckpointCheckpointArgs* args) {
    return checkpoint_entry("cuCheckpointProcessCheckpoint", pid, [&] {
        if (args != nullptr) require_zeros(args->reserved);
        checkpoint().advance(CU_PROCESS_STATE_LOCKED, CU_PROCESS_STATE_CHECKPOINTED);
    });
}

CUresult CUDAAPI cuCheckpointProcessRestore(int pid, CUcheckpointRestoreArgs* args) {
    return checkpoint_entry("cuCheckpointProcessRestore", pid, [&] {
        if (args != nullptr && args->gpuPairsCount > 0) require_pointer(args->gpuPairs, "gpuPairs");
        for (unsigned int k = 0; args != nullptr && k < args->gpuPairsCount; ++k) {
            if (!is_same(args->gpuPairs[k].oldUuid, args->gpuPairs[k].newUuid)) {
                throw DriverError(CUDA_ERROR_NOT_SUPPORTED, "restoring onto another device is not simulated");
            }
        }
        checkpoint().advance(CU_PROCESS_STATE_CHECKPOINTED, CU_PROCESS_STATE_LOCKED);
    });
}

CUresult CUDAAPI cuCheckpointProcessUnlock(int pid, CUcheckpointUnlockArgs* args) {
    return checkpoint_entry("cuCheckpointProcessUnlock", pid, [&] {
        if (args != nullptr) require_zeros(args->reserved);
        checkpoint().advance(CU_PROCESS_STATE_LOCKED, CU_PROCESS_STATE_RUNNING);
    });
}

}  // extern "C"
