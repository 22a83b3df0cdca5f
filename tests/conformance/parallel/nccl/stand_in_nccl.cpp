// A libnccl.so.2 for the tests: the functions that Cuprum's transport calls. Messages between ranks of one process are
// copies by the driver; between processes they go through files in shared memory. Both are in the order of the streams,
// and wait there for the other side, as NCCL's kernels do.
//
// CUPRUM_TEST_NCCL=version=2.10   is that version
// CUPRUM_TEST_NCCL=fail=ncclSend  that function fails
// CUPRUM_TEST_NCCL=silent         does not notice that another process has ended
// CUPRUM_TEST_NCCL_FOLDER         where the files are, else /dev/shm
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <deque>
#include <filesystem>
#include <fstream>
#include <map>
#include <memory>
#include <mutex>
#include <random>
#include <string>
#include <thread>
#include <tuple>
#include <vector>

#include "cuprum/bindings/driver.hpp"
#include "cuprum/bindings/nccl_header.hpp"

namespace driver = cuprum::bindings::driver;
namespace files = std::filesystem;

struct ncclComm {
    std::string folder;
    int rank = 0, size = 0;
    std::map<int, uint64_t> sent, received;  // messages so far, by peer
    std::atomic<bool> is_aborted{false};
    std::atomic<int> error{ncclSuccess};
    bool is_ready = false;

    std::string file_of(int of_rank) const { return folder + "/rank-" + std::to_string(of_rank); }
};

namespace {

std::string setting(const char* name) {
    const char* const text = std::getenv("CUPRUM_TEST_NCCL");
    const std::string all = text == nullptr ? "" : text;
    const size_t at = all.find(name);
    if (at == std::string::npos) return {};
    const size_t begin = at + std::strlen(name);
    return begin == all.size() ? std::string("on") : all.substr(begin, all.find(',', begin) - begin);
}

// What the stand-in itself needs.
void must(CUresult result) {
    if (result == CUDA_SUCCESS) return;
    std::fprintf(stderr, "the stand-in for NCCL: the driver failed with %d\n", static_cast<int>(result));
    std::abort();
}

bool fails(const char* function) {
    return setting("fail=") == function;
}

// Page-locked, so that copies are asynchronous.
struct Message {
    ncclComm* communicator = nullptr;
    std::string file;
    int peer = 0;
    void* bytes = nullptr;
    size_t size = 0;
    bool is_receive = false;
    std::atomic<bool> is_done{false};
};

struct Operation {
    ncclComm* communicator;
    bool is_send;
    CUdeviceptr memory;
    size_t size;
    int peer;
    CUstream stream;
};

std::mutex mutex;
std::map<std::pair<std::string, int>, ncclComm*> communicators;  // of this process, by folder and rank
std::vector<std::unique_ptr<Message>> messages;
thread_local int depth = 0;
thread_local std::vector<Operation> operations;

class ContextOf {
public:
    explicit ContextOf(CUstream stream) {
        CUcontext context = nullptr;
        driver::cuStreamGetCtx(stream, &context);
        driver::cuCtxPushCurrent(context);
    }
    ~ContextOf() {
        CUcontext context = nullptr;
        driver::cuCtxPopCurrent(&context);
    }
    ContextOf(const ContextOf&) = delete;
    ContextOf& operator=(const ContextOf&) = delete;
};

bool has_ended(const std::string& file_of_rank) {
    int pid = 0;
    if (!(std::ifstream(file_of_rank) >> pid)) return false;  // it has left in order
    std::ifstream status("/proc/" + std::to_string(pid) + "/stat");
    std::string name, state;
    return !(status >> pid >> name >> state) || state == "Z";
}

void publish(void* data) {
    auto& message = *static_cast<Message*>(data);
    std::ofstream(message.file + ".new", std::ios::binary)
        .write(static_cast<const char*>(message.bytes), static_cast<std::streamsize>(message.size));
    std::error_code ignored;
    files::rename(message.file + ".new", message.file, ignored);
    message.is_done = true;
}

void await(void* data) {
    auto& message = *static_cast<Message*>(data);
    ncclComm& communicator = *message.communicator;
    const bool is_silent = !setting("silent").empty();
    for (int turn = 0; !communicator.is_aborted; ++turn) {
        std::error_code ignored;
        if (files::exists(message.file, ignored)) {
            const bool fits = files::file_size(message.file, ignored) == message.size;
            std::ifstream(message.file, std::ios::binary)
                .read(static_cast<char*>(message.bytes), static_cast<std::streamsize>(message.size));
            files::remove(message.file, ignored);
            if (!fits) communicator.error = ncclInvalidUsage;
            break;
        }
        if (!is_silent && turn % 64 == 63 && has_ended(communicator.file_of(message.peer)))
            communicator.error = ncclRemoteError;  // and waits on, as a kernel does
        std::this_thread::sleep_for(std::chrono::microseconds(200));
    }
    message.is_done = true;
}

Message& stage(const Operation& operation, uint64_t number, int from, int to) {
    auto message = std::make_unique<Message>();
    message->communicator = operation.communicator;
    message->file = operation.communicator->folder + "/" + std::to_string(from) + "-" + std::to_string(to) + "-" +
                    std::to_string(number);
    message->peer = operation.peer;
    message->size = operation.size;
    message->is_receive = !operation.is_send;
    must(driver::cuMemHostAlloc(&message->bytes, operation.size, CU_MEMHOSTALLOC_PORTABLE));
    messages.push_back(std::move(message));
    return *messages.back();
}

using Pair = std::tuple<std::string, int, int>;

bool is_here(const Operation& operation) {
    return communicators.contains({operation.communicator->folder, operation.peer});
}

void send(const Operation& operation, std::map<Pair, std::deque<Operation>>& local) {
    ncclComm& communicator = *operation.communicator;
    if (is_here(operation)) {
        local[{communicator.folder, communicator.rank, operation.peer}].push_back(operation);
        return;
    }
    const ContextOf context(operation.stream);
    Message& message = stage(operation, communicator.sent[operation.peer]++, communicator.rank, operation.peer);
    must(driver::cuMemcpyDtoHAsync(message.bytes, operation.memory, operation.size, operation.stream));
    must(driver::cuLaunchHostFunc(operation.stream, publish, &message));
}

ncclResult_t receive(const Operation& operation, std::map<Pair, std::deque<Operation>>& local) {
    ncclComm& communicator = *operation.communicator;
    const ContextOf context(operation.stream);
    if (!is_here(operation)) {
        Message& message = stage(operation, communicator.received[operation.peer]++, operation.peer, communicator.rank);
        must(driver::cuLaunchHostFunc(operation.stream, await, &message));
        must(driver::cuMemcpyHtoDAsync(operation.memory, message.bytes, operation.size, operation.stream));
        return ncclSuccess;
    }
    auto& queue = local[{communicator.folder, operation.peer, communicator.rank}];
    if (queue.empty() || queue.front().size != operation.size) return ncclInvalidUsage;
    const Operation source = queue.front();
    queue.pop_front();
    CUevent written = nullptr, copied = nullptr;
    {
        const ContextOf of_source(source.stream);
        driver::cuEventCreate(&written, CU_EVENT_DISABLE_TIMING);
        driver::cuEventRecord(written, source.stream);
    }
    driver::cuStreamWaitEvent(operation.stream, written, 0);
    CUcontext here = nullptr, there = nullptr;
    driver::cuStreamGetCtx(operation.stream, &here);
    driver::cuStreamGetCtx(source.stream, &there);
    if (driver::cuMemcpyPeerAsync(operation.memory, here, source.memory, there, operation.size, operation.stream) !=
        CUDA_SUCCESS)
        return ncclUnhandledCudaError;
    driver::cuEventCreate(&copied, CU_EVENT_DISABLE_TIMING);
    driver::cuEventRecord(copied, operation.stream);
    driver::cuStreamWaitEvent(source.stream, copied, 0);
    driver::cuEventDestroy(written);
    driver::cuEventDestroy(copied);
    return ncclSuccess;
}

// Those of receives are still read after they are done: by the copy that follows.
void free_staged() {
    std::erase_if(messages, [](const std::unique_ptr<Message>& message) {
        if (!message->is_done || message->is_receive) return false;
        driver::cuMemFreeHost(message->bytes);
        return true;
    });
}

ncclResult_t run_group() {
    const std::lock_guard lock(mutex);
    if (!operations.empty()) {
        const ContextOf context(operations.front().stream);
        free_staged();
    }
    const std::vector<Operation> group = std::move(operations);
    operations.clear();
    std::map<Pair, std::deque<Operation>> local;
    ncclResult_t result = ncclSuccess;
    // What is sent first: no rank waits for what this thread has still to send.
    for (const Operation& operation : group) {
        if (operation.is_send) send(operation, local);
    }
    for (const Operation& operation : group) {
        if (operation.is_send) continue;
        if (const ncclResult_t received = receive(operation, local); received != ncclSuccess) result = received;
    }
    for (const auto& [pair, left] : local) {
        if (!left.empty()) result = ncclInvalidUsage;
    }
    return result;
}

void leave(ncclComm* communicator) {
    const std::lock_guard lock(mutex);
    std::error_code ignored;
    communicators.erase({communicator->folder, communicator->rank});
    files::remove(communicator->file_of(communicator->rank), ignored);
    files::remove(communicator->folder, ignored);  // where it is the last one
    // The communicator itself stays: a stream may still be at its messages.
}

ncclResult_t add(ncclComm* communicator, bool is_send, const void* memory, size_t count, ncclDataType_t type, int peer,
                 cudaStream_t stream) {
    if (type != ncclUint8 || peer < 0 || peer >= communicator->size) return ncclInvalidArgument;
    operations.push_back(
        {communicator, is_send, reinterpret_cast<CUdeviceptr>(memory), count, peer, static_cast<CUstream>(stream)});
    return depth > 0 ? ncclSuccess : run_group();
}

}  // namespace

#define EXPORTED extern "C" __attribute__((visibility("default")))

EXPORTED ncclResult_t ncclGetVersion(int* version) {
    int major = 2, minor = 32;
    std::sscanf(setting("version=").c_str(), "%d.%d", &major, &minor);
    *version = major * 10000 + minor * 100;
    return ncclSuccess;
}

EXPORTED const char* ncclGetErrorString(ncclResult_t result) {
    return result == ncclRemoteError ? "remote process exited or there was a network error" : "unhandled error";
}

EXPORTED const char* ncclGetLastError(ncclComm_t) {
    return "the stand-in was told to";
}

EXPORTED ncclResult_t ncclGetUniqueId(ncclUniqueId* identifier) {
    if (fails("ncclGetUniqueId")) return ncclSystemError;
    const char* const base = std::getenv("CUPRUM_TEST_NCCL_FOLDER");
    std::snprintf(identifier->internal, sizeof(identifier->internal), "%s/cuprum-nccl-%08x%08x",
                  base == nullptr ? "/dev/shm" : base, std::random_device()(), std::random_device()());
    return ncclSuccess;
}

EXPORTED ncclResult_t ncclCommInitRankConfig(ncclComm_t* result, int size, ncclUniqueId identifier, int rank,
                                             ncclConfig_t* config) {
    if (fails("ncclCommInitRankConfig")) return ncclSystemError;
    if (config->magic != NCCL_API_MAGIC || config->blocking != 0 || rank >= size) return ncclInvalidArgument;
    auto communicator = std::make_unique<ncclComm>();
    communicator->folder = identifier.internal;
    communicator->rank = rank;
    communicator->size = size;
    std::error_code ignored;
    files::create_directory(communicator->folder, ignored);
    std::ofstream(communicator->file_of(rank) + ".new") << getpid();
    files::rename(communicator->file_of(rank) + ".new", communicator->file_of(rank), ignored);
    const std::lock_guard lock(mutex);
    communicators[{communicator->folder, rank}] = communicator.get();
    *result = communicator.release();
    return ncclInProgress;
}

EXPORTED ncclResult_t ncclCommGetAsyncError(ncclComm_t communicator, ncclResult_t* result) {
    *result = static_cast<ncclResult_t>(communicator->error.load());
    if (*result != ncclSuccess || communicator->is_ready) return ncclSuccess;
    std::error_code ignored;
    for (int rank = 0; rank < communicator->size; ++rank) {
        if (!files::exists(communicator->file_of(rank), ignored)) {
            *result = ncclInProgress;
            return ncclSuccess;
        }
    }
    communicator->is_ready = true;
    return ncclSuccess;
}

EXPORTED ncclResult_t ncclGroupStart() {
    ++depth;
    return ncclSuccess;
}

EXPORTED ncclResult_t ncclGroupEnd() {
    if (--depth > 0) return ncclSuccess;
    if (!fails("ncclGroupEnd")) return run_group();
    operations.clear();
    return ncclInternalError;
}

EXPORTED ncclResult_t ncclSend(const void* memory, size_t count, ncclDataType_t type, int peer, ncclComm_t communicator,
                               cudaStream_t stream) {
    if (fails("ncclSend")) return ncclInternalError;
    return add(communicator, true, memory, count, type, peer, stream);
}

EXPORTED ncclResult_t ncclRecv(void* memory, size_t count, ncclDataType_t type, int peer, ncclComm_t communicator,
                               cudaStream_t stream) {
    return add(communicator, false, memory, count, type, peer, stream);
}

EXPORTED ncclResult_t ncclCommFinalize(ncclComm_t) {
    return ncclSuccess;
}

EXPORTED ncclResult_t ncclCommDestroy(ncclComm_t communicator) {
    leave(communicator);
    return ncclSuccess;
}

EXPORTED ncclResult_t ncclCommAbort(ncclComm_t communicator) {
    communicator->is_aborted = true;
    leave(communicator);
    return ncclSuccess;
}
