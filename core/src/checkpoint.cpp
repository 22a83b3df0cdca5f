#include "cuprum/core/checkpoint.hpp"

#include <charconv>
#include <string_view>

#include "context.hpp"
#include "driver_error.hpp"

namespace cuprum::core::checkpoint {

namespace {

// For errors, of a process by its number. Nothing here asks the driver, which may be locked.
auto process_text(int32_t pid) {
    return [pid] { return "process " + std::to_string(pid); };
}

// The 16 bytes of "GPU-xxxxxxxx-xxxx-xxxx-xxxx-xxxxxxxxxxxx"; the prefix may be left out.
CUuuid parse_uuid(std::string_view text, int32_t pid) {
    std::string digits;
    for (const char c : text.substr(text.starts_with("GPU-") ? 4 : 0)) {
        if (c != '-') digits += c;
    }
    CUuuid uuid{};
    bool is_valid = digits.size() == 2 * sizeof(uuid.bytes);
    for (size_t i = 0; is_valid && i < sizeof(uuid.bytes); ++i) {
        const char* const begin = digits.data() + 2 * i;
        unsigned int byte = 0;
        is_valid = std::from_chars(begin, begin + 2, byte, 16).ptr == begin + 2;
        uuid.bytes[i] = static_cast<char>(byte);
    }
    if (!is_valid) {
        throw InvalidArgument("restoring a process", process_text(pid)(),
                              "'" + std::string(text) + "' is no UUID of a GPU",
                              "a GPU's UUID is GPU- and 32 hexadecimal digits in groups");
    }
    return uuid;
}

}  // namespace

Process::Process(int32_t pid) : pid_(pid) {
    if (pid <= 0) {
        throw InvalidArgument("naming a process", "process " + std::to_string(pid),
                              "the number of a process is at least 1", "");
    }
}

ProcessState Process::state() const {
    initialize_driver();
    CUprocessState state = CU_PROCESS_STATE_RUNNING;
    check(driver::cuCheckpointProcessGetState(pid_, &state), "cuCheckpointProcessGetState",
          "asking for the state of a process", process_text(pid_));
    return static_cast<ProcessState>(state);
}

int32_t Process::restore_thread_id() const {
    initialize_driver();
    int thread = 0;
    check(driver::cuCheckpointProcessGetRestoreThreadId(pid_, &thread), "cuCheckpointProcessGetRestoreThreadId",
          "asking for the thread that restores a process", process_text(pid_));
    return thread;
}

void Process::lock(uint32_t timeout_ms) const {
    initialize_driver();
    CUcheckpointLockArgs arguments{};
    arguments.timeoutMs = timeout_ms;
    check(driver::cuCheckpointProcessLock(pid_, &arguments), "cuCheckpointProcessLock", "locking a process",
          process_text(pid_));
}

void Process::checkpoint() const {
    initialize_driver();
    check(driver::cuCheckpointProcessCheckpoint(pid_, nullptr), "cuCheckpointProcessCheckpoint",
          "checkpointing a process", process_text(pid_));
}

void Process::restore(const std::vector<GpuPair>& gpus) const {
    initialize_driver();
    std::vector<CUcheckpointGpuPair> pairs;
    pairs.reserve(gpus.size());
    for (const GpuPair& pair : gpus)
        pairs.push_back({parse_uuid(pair.old_uuid, pid_), parse_uuid(pair.new_uuid, pid_)});
    CUcheckpointRestoreArgs arguments{};
    arguments.gpuPairs = pairs.data();
    arguments.gpuPairsCount = static_cast<unsigned int>(pairs.size());
    check(driver::cuCheckpointProcessRestore(pid_, pairs.empty() ? nullptr : &arguments), "cuCheckpointProcessRestore",
          "restoring a process", process_text(pid_));
}

void Process::unlock() const {
    initialize_driver();
    check(driver::cuCheckpointProcessUnlock(pid_, nullptr), "cuCheckpointProcessUnlock", "unlocking a process",
          process_text(pid_));
}

}  // namespace cuprum::core::checkpoint
