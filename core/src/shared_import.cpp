#include "shared_import.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <map>
#include <mutex>
#include <set>
#include <utility>
#include <vector>

#include "context.hpp"
#include "driver_error.hpp"
#include "memory_resource_state.hpp"
#include "require.hpp"

namespace cuprum::core {

namespace {

using Key = std::array<unsigned char, sizeof(CUmemPoolPtrExportData)>;

struct Import {
    DevicePointer address = 0;
    std::shared_ptr<const MemoryResourceState> pool;  // goes after the memory
    int buffers = 0;
    std::vector<CUevent> uses;  // behind the work in streams of buffers that are closed
};

// Never freed, so that it may be used while the process exits.
struct Imports {
    std::mutex mutex;
    std::map<Key, Import> by_key;
    std::set<Key> freed;  // in the order of a stream, which may still have to
};
Imports& imports() {
    static auto* const all = new Imports;
    return *all;
}

constexpr const char* closing = "closing another process's buffer";

// Behind the work so far in the stream. Null, and reported, where it cannot be made.
CUevent event_behind(const StreamRef& stream) noexcept {
    CUevent event = nullptr;
    CUresult result = driver::cuEventCreate(&event, CU_EVENT_DISABLE_TIMING);
    report_cleanup(result, "cuEventCreate", closing, stream);
    if (result != CUDA_SUCCESS) return nullptr;
    result = driver::cuEventRecord(event, stream.handle());
    report_cleanup(result, "cuEventRecord", closing, stream);
    return event;
}

}  // namespace

DevicePointer open_import(std::shared_ptr<const MemoryResourceState> pool, const CUmemPoolPtrExportData& data) {
    constexpr const char* operation = "opening another process's buffer";
    constexpr size_t most_freed = 1024;
    const auto object = [&] { return describe_pool(*pool); };
    Key key{};
    std::memcpy(key.data(), &data, sizeof data);
    Imports& all = imports();
    const std::lock_guard lock(all.mutex);
    if (const auto known = all.by_key.find(key); known != all.by_key.end()) {
        ++known->second.buffers;
        return known->second.address;
    }
    if (all.freed.contains(key) || all.freed.size() >= most_freed) {
        check(driver::cuCtxSynchronize(), "cuCtxSynchronize", operation, object);
        all.freed.clear();
    }
    CUmemPoolPtrExportData copy = data;  // cuda.h does not take it as const
    CUdeviceptr address = 0;
    check(driver::cuMemPoolImportPointer(&address, pool->pool, &copy), "cuMemPoolImportPointer", operation, object);
    Import& import = all.by_key[key];
    import.address = address;
    import.pool = std::move(pool);
    import.buffers = 1;
    return address;
}

void close_import(const BufferRef& memory, const StreamRef& stream) noexcept {
    clean_up_unless_reset(stream.device_id(), [&] {
        Imports& all = imports();
        std::shared_ptr<const MemoryResourceState> pool;
        const std::lock_guard lock(all.mutex);
        const auto found = std::find_if(all.by_key.begin(), all.by_key.end(),
                                        [&](const auto& each) { return each.second.address == memory.handle(); });
        if (found == all.by_key.end()) return;  // of a parent process
        Import& import = found->second;
        if (--import.buffers > 0) {
            if (const CUevent use = event_behind(stream)) import.uses.push_back(use);
            return;
        }
        for (const CUevent use : import.uses) {
            report_cleanup(driver::cuStreamWaitEvent(stream.handle(), use, 0), "cuStreamWaitEvent", closing, stream);
            report_cleanup(driver::cuEventDestroy(use), "cuEventDestroy", closing, "an event");
        }
        report_cleanup(driver::cuMemFreeAsync(import.address, stream.handle()), "cuMemFreeAsync", closing, memory);
        pool = std::move(import.pool);
        all.freed.insert(found->first);
        all.by_key.erase(found);
    });
}

}  // namespace cuprum::core
