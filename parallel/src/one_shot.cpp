#include "one_shot.hpp"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cstdlib>
#include <cstring>
#include <map>
#include <mutex>
#include <string>
#include <unordered_map>
#include <utility>

#include "call.hpp"
#include "cuprum/bindings/driver.hpp"
#include "cuprum/core/memory_resource.hpp"
#include "cuprum/pathfinder/error.hpp"
#include "layout.hpp"

namespace cuprum::parallel {

// What one job has for itself, and leaves for the next one. The stream is declared first: the rest is freed in its
// order.
struct KeptResources {
    core::Stream stream;
    core::MemoryResource from;  // what `memory` was allocated from
    core::Buffer memory;        // of the device; invalid before it was wanted
    core::Buffer staging;       // page-locked
    std::vector<core::Event> events;
    // What a job would have needed to be done with these.
    uint64_t wanted = 0, staging_wanted = 0;
};

namespace {

namespace driver = bindings::driver;

constexpr uint64_t alignment = 256;  // of Device::allocate
constexpr uint64_t mebibyte = uint64_t{1} << 20;
// What is kept of a device's memory between calls, at most: by the resources that were given back first, and by each
// of the others, which threads that call at the same time have left.
constexpr uint64_t most_kept = 256 * mebibyte, most_kept_beside = 16 * mebibyte;
constexpr size_t most_idle = 4;
// Elements up to this size are copied through page-locked memory of our own. For larger ones the driver's copies from
// and to pageable memory are faster: on an H200's host from 1 MiB on to the device (4 MiB: 369 us instead of 472), and
// from 3 MiB on back (4 MiB: 350 us instead of 403).
constexpr uint64_t most_staged_up = mebibyte / 2, most_staged_down = 2 * mebibyte;
// From this size on the copies to and from page-locked memory overlap with those to and from the device.
constexpr uint64_t least_overlapped = mebibyte / 2;
constexpr uint64_t pieces = 4;
// From this size on it is worth asking whether the caller's memory is page-locked already.
constexpr uint64_t least_asked = mebibyte / 8;

struct IdleResources {
    std::mutex mutex;
    std::map<int32_t, std::vector<std::unique_ptr<KeptResources>>> of_device;
};

// Lives for ever: calls may be made while the process exits.
IdleResources& idle_resources() {
    static IdleResources* const instance = new IdleResources;
    return *instance;
}

// Before the driver ends, while there is nobody who calls: after core's own handler was registered, so before it runs.
void close_at_exit() {
    static const pid_t process = getpid();
    static const bool is_registered = std::atexit([] {
                                          if (getpid() != process) return;  // a fork: all of it is the parent's
                                          decltype(IdleResources::of_device) closing;
                                          IdleResources& idle = idle_resources();
                                          // Held by a thread that still runs: what is idle is then the driver's to
                                          // free.
                                          const std::unique_lock lock(idle.mutex, std::try_to_lock);
                                          if (lock.owns_lock()) closing.swap(idle.of_device);
                                      }) == 0;
    static_cast<void>(is_registered);
}

std::unique_ptr<KeptResources> take_resources(const core::Device& device) {
    IdleResources& idle = idle_resources();
    {
        const std::lock_guard lock(idle.mutex);
        auto& of_device = idle.of_device[device.device_id()];
        if (!of_device.empty()) {
            std::unique_ptr<KeptResources> resources = std::move(of_device.back());
            of_device.pop_back();
            return resources;
        }
    }
    auto resources = std::make_unique<KeptResources>();
    resources->stream = device.create_stream();
    close_at_exit();
    return resources;
}

void give_back(const core::Device& device, std::unique_ptr<KeptResources> resources) {
    IdleResources& idle = idle_resources();
    core::Buffer closing;  // without the mutex
    const std::lock_guard lock(idle.mutex);
    auto& of_device = idle.of_device[device.device_id()];
    if (of_device.size() >= most_idle) return;
    if (resources->memory.size() > (of_device.empty() ? most_kept : most_kept_beside)) {
        closing = std::exchange(resources->memory, core::Buffer());
        resources->wanted = 0;
    }
    of_device.push_back(std::move(resources));
}

bool is_page_locked(const void* memory) {
    CUmemorytype type{};
    std::array names{CU_POINTER_ATTRIBUTE_MEMORY_TYPE};
    std::array<void*, names.size()> values{&type};
    // Of addresses that it does not know it tells nothing.
    const CUresult result =
        driver::cuPointerGetAttributes(names.size(), names.data(), values.data(), reinterpret_cast<uintptr_t>(memory));
    return result == CUDA_SUCCESS && type == CU_MEMORYTYPE_HOST;
}

bool goes_through_staging(const void* memory, uint64_t bytes, uint64_t most) {
    return bytes <= most && (bytes < least_asked || !is_page_locked(memory));
}

// The part of `bytes` that one copy of several moves.
uint64_t piece_of(uint64_t bytes) {
    return bytes < least_overlapped ? bytes : align_up(bytes / pieces, alignment);
}

// Somewhat more than was needed, so that growing calls allocate rarely.
uint64_t rounded(uint64_t bytes) {
    constexpr uint64_t least = mebibyte / 16, step = 16 * mebibyte;
    return bytes < step ? std::bit_ceil(std::max(bytes, least)) : align_up(bytes, step);
}

// While another stream of this thread is captured, what is kept may be allocated all the same.
core::Buffer allocate_page_locked(uint64_t bytes, const core::Stream& stream) {
    CUstreamCaptureMode mode = CU_STREAM_CAPTURE_MODE_RELAXED;
    driver::cuThreadExchangeStreamCaptureMode(&mode);
    core::Buffer buffer;
    try {
        buffer = core::LegacyPinnedMemoryResource().allocate(bytes, stream);
    } catch (const OutOfMemory&) {
        // Then pageable memory is copied, as on the first call.
    }
    driver::cuThreadExchangeStreamCaptureMode(&mode);
    return buffer;
}

}  // namespace

Job::Job(int32_t device_id) : device_(device_id) {
    // The copies need the device's context to be current: once for all of them.
    CUcontext current = nullptr;
    CUcontext const wanted = device_.context().handle();
    driver::cuCtxGetCurrent(&current);
    is_pushed_ = current != wanted && driver::cuCtxPushCurrent(wanted) == CUDA_SUCCESS;
    try {
        resources_ = take_resources(device_);
        // A resource of the program's own sees every call's memory come and go; another pool serves from now on.
        const core::MemoryResource now = device_.memory_resource();
        KeptResources& kept = *resources_;
        if (!(kept.from == now)) {
            kept.memory.close();
            kept.wanted = 0;
            kept.from = now;
        }
        if (kept.memory.size() < kept.wanted) {
            kept.memory.close();
            try {
                kept.memory = device_.allocate(kept.wanted, kept.stream);
            } catch (const OutOfMemory&) {
                kept.wanted = 0;  // piece by piece there may be enough
            }
        }
        if (kept.staging.size() < kept.staging_wanted) {
            kept.staging.close();
            kept.staging = allocate_page_locked(kept.staging_wanted, kept.stream);
        }
    } catch (...) {
        if (is_pushed_) driver::cuCtxPopCurrent(&current);
        throw;
    }
}

Job::~Job() {
    extra_.clear();
    if (is_clean_) {
        KeptResources& kept = *resources_;
        if (needed_ <= most_kept && !kept.from.has_allocator()) kept.wanted = std::max(kept.wanted, rounded(needed_));
        if (staging_needed_ > 0) kept.staging_wanted = std::max(kept.staging_wanted, rounded(staging_needed_));
        try {
            give_back(device_, std::move(resources_));
        } catch (const std::bad_alloc&) {
            // They are closed instead.
        }
    } else {
        // Copies that are under way use the caller's memory.
        try {
            resources_->stream.sync();
        } catch (const Error&) {
            // Told by wait(), or on the way out for another error.
        }
    }
    resources_.reset();
    CUcontext popped = nullptr;
    if (is_pushed_) driver::cuCtxPopCurrent(&popped);
}

const core::Stream& Job::stream() const {
    return resources_->stream;
}

core::BufferRef Job::memory(uint64_t bytes) {
    const uint64_t size = align_up(bytes, alignment);
    needed_ += size;
    const core::Buffer& kept = resources_->memory;
    if (kept.is_valid() && size <= kept.size() - used_) {
        used_ += size;
        return kept.slice(used_ - size, bytes);
    }
    return extra_.emplace_back(device_.allocate(bytes, resources_->stream));
}

std::byte* Job::staging(uint64_t bytes) {
    const uint64_t size = align_up(bytes, alignment);
    staging_needed_ += size;
    const core::Buffer& kept = resources_->staging;
    if (!kept.is_valid() || size > kept.size() - staging_used_) return nullptr;
    staging_used_ += size;
    return reinterpret_cast<std::byte*>(kept.handle()) + staging_used_ - size;
}

core::BufferRef Job::upload(const Type& type, const void* data, uint64_t count) {
    if (data == nullptr && count > 0) {
        throw InvalidArgument("copying to the device", "host memory",
                              "it is null, expected " + std::to_string(count) + " elements");
    }
    const core::BufferRef buffer = memory_for(type, count);
    const uint64_t bytes = buffer.size();
    if (bytes == 0) return buffer;
    std::byte* const staged = goes_through_staging(data, bytes, most_staged_up) ? staging(bytes) : nullptr;
    if (staged == nullptr) {
        buffer.copy_from_host(data, bytes, stream());
        return buffer;
    }
    const uint64_t piece = piece_of(bytes);
    for (uint64_t at = 0; at < bytes; at += piece) {
        const uint64_t size = std::min(piece, bytes - at);
        std::memcpy(staged + at, static_cast<const std::byte*>(data) + at, size);
        buffer.slice(at, size).copy_from_host(staged + at, size, stream());
    }
    return buffer;
}

void Job::download(const core::BufferRef& buffer, void* data) {
    const uint64_t bytes = buffer.size();
    if (bytes == 0) return;
    is_clean_ = false;
    std::byte* const staged = goes_through_staging(data, bytes, most_staged_down) ? staging(bytes) : nullptr;
    if (staged == nullptr) {
        buffer.copy_to_host(data, bytes, stream());
        return;
    }
    const uint64_t piece = piece_of(bytes);
    for (uint64_t at = 0; at < bytes; at += piece) {
        const uint64_t size = std::min(piece, bytes - at);
        buffer.slice(at, size).copy_to_host(staged + at, size, stream());
        core::EventRef copied;
        if (at + size < bytes) {
            std::vector<core::Event>& events = resources_->events;
            if (events_used_ == events.size()) events.push_back(device_.create_event());
            copied = events[events_used_++];
            stream().record(copied);
        }
        arrivals_.push_back({staged + at, static_cast<std::byte*>(data) + at, size, copied});
    }
}

void Job::wait() {
    bool is_done = false;
    for (const Arrival& arrival : arrivals_) {
        if (!is_done && arrival.copied.is_valid()) {
            arrival.copied.sync();
        } else if (!is_done) {
            stream().sync();
            is_done = true;
        }
        std::memcpy(arrival.to, arrival.from, arrival.size);
    }
    if (!is_done) stream().sync();
    arrivals_.clear();
    staging_used_ = 0;
    events_used_ = 0;
    is_clean_ = true;
}

CallOptions Job::options(uint64_t storage_bytes, const Operator* op) {
    CallOptions options;
    if (storage_bytes > 0) options.temp_storage = memory(storage_bytes);
    if (op != nullptr && op->state()) options.op = op;
    return options;
}

CallKey::CallKey(std::string_view algorithm, const Execution& execution)
    : text_(algorithm), device_id_(execution.device_id()), is_kept_(execution.kind() == Execution::Kind::device) {
    if (!is_kept_) {
        text_.clear();
        return;
    }
    // Where no device is, or none can be used after a fork, that is said before anything is locked.
    static_cast<void>(core::Device(device_id_));
    add(device_id_).add(static_cast<int32_t>(execution.determinism()));
    // A process may be sent to another CCCL or table.
    for (const char* const variable : {"CUPRUM_CCCL_PATH", "CUPRUM_TUNINGS"}) {
        const char* const value = std::getenv(variable);
        text_.append("\n");
        if (value != nullptr) text_.append(value);
    }
}

CallKey& CallKey::add(const Type& type) {
    if (is_kept_) text_.append("\n").append(type.text());
    return *this;
}

CallKey& CallKey::add(const std::optional<Type>& type) {
    if (type) return add(*type);
    if (is_kept_) text_.append("\n");
    return *this;
}

CallKey& CallKey::add(int32_t number) {
    if (is_kept_) text_.append("\n").append(std::to_string(number));
    return *this;
}

CallKey& CallKey::add(const Operator& op) {
    if (op.compiled_function() != nullptr) {
        is_kept_ = false;
        text_.clear();
    }
    if (!is_kept_) return *this;
    // Texts have any characters but NUL.
    text_.append(op.kind() ? "\nknown " : "\ntext ").append(op.text()).push_back('\0');
    if (op.kind()) text_.append(op.expression()).push_back('\0');
    if (op.state()) text_.append(op.state()->type().text());
    return *this;
}

namespace {

struct KeptAlgorithm {
    std::shared_ptr<const void> algorithm;
    uint64_t last_use;
};

struct KeptAlgorithms {
    static constexpr size_t most = 128;
    std::mutex mutex;
    std::unordered_map<std::string, KeptAlgorithm> by_key;
    uint64_t uses = 0;
};

// Lives for ever, as what is built does.
KeptAlgorithms& kept_algorithms() {
    static KeptAlgorithms* const instance = new KeptAlgorithms;
    return *instance;
}

}  // namespace

std::shared_ptr<const void> find_kept(const CallKey& key) {
    if (key.text().empty()) return nullptr;
    KeptAlgorithms& kept = kept_algorithms();
    const std::lock_guard lock(kept.mutex);
    const auto known = kept.by_key.find(key.text());
    if (known == kept.by_key.end()) return nullptr;
    known->second.last_use = ++kept.uses;
    return known->second.algorithm;
}

void keep(const CallKey& key, std::shared_ptr<const void> algorithm) {
    if (key.text().empty()) return;
    KeptAlgorithms& kept = kept_algorithms();
    std::shared_ptr<const void> closing;  // without the mutex: its code may be unloaded
    const std::lock_guard lock(kept.mutex);
    if (kept.by_key.size() >= KeptAlgorithms::most) {
        const auto oldest = std::min_element(
            kept.by_key.begin(), kept.by_key.end(),
            [](const auto& left, const auto& right) { return left.second.last_use < right.second.last_use; });
        closing = std::move(oldest->second.algorithm);
        kept.by_key.erase(oldest);
    }
    kept.by_key.insert_or_assign(key.text(), KeptAlgorithm{std::move(algorithm), ++kept.uses});
}

void require_same_count(const char* operation, uint64_t first, uint64_t second) {
    if (first != second) {
        throw InvalidArgument(
            operation, "host memory",
            "one part has " + std::to_string(first) + " elements and the other " + std::to_string(second));
    }
}

void require_memory(const char* operation, const HostInput& elements) {
    if (elements.data != nullptr || elements.count == 0) return;
    throw InvalidArgument(operation, "host memory",
                          "it is null, expected " + std::to_string(elements.count) + " elements");
}

void require_memory(const char* operation, const HostOutput& elements) {
    require_memory(operation, HostInput{elements.type, elements.data, elements.count});
}

namespace {

bool overlap(const HostInput& first, const HostInput& second) {
    const auto address = [](const HostInput& elements) { return reinterpret_cast<uintptr_t>(elements.data); };
    return parallel::overlap(address(first), first.count * first.type.size(), address(second),
                             second.count * second.type.size());
}

HostInput as_read(const HostOutput& elements) {
    return {elements.type, elements.data, elements.count};
}

}  // namespace

void refuse_overlap(const char* operation, const HostInput& read, const HostOutput& written, bool may_be_same) {
    if (!overlap(read, as_read(written))) return;
    const bool is_same =
        read.data == written.data && read.count * read.type.size() == written.count * written.type.size();
    if (is_same && may_be_same) return;
    throw InvalidArgument(operation, "host memory",
                          is_same ? "what is written is what is read" : "what is written overlaps what is read",
                          "write to other memory");
}

void refuse_overlap(const char* operation, const HostOutput& first, const HostOutput& second) {
    if (!overlap(as_read(first), as_read(second))) return;
    throw InvalidArgument(operation, "host memory", "two arrays that are written overlap", "write to other memory");
}

void require_same_type(const char* operation, const char* what, const Type& type, const Type& expected) {
    if (type != expected)
        throw InvalidArgument(operation, what, "it is of " + type.text() + ", expected " + expected.text());
}

namespace {

template <class Offset>
void check_segments(const char* operation, const void* begins, const void* ends, uint64_t segments, uint64_t count) {
    for (uint64_t i = 0; i < segments; ++i) {
        const int64_t begin = static_cast<const Offset*>(begins)[i], end = static_cast<const Offset*>(ends)[i];
        if (begin >= 0 && begin <= end && static_cast<uint64_t>(end) <= count) continue;
        throw InvalidArgument(operation, "segment " + std::to_string(i),
                              "it goes from " + std::to_string(begin) + " to " + std::to_string(end) +
                                  "; expected positions of " + std::to_string(count) + " elements, in that order");
    }
}

}  // namespace

uint64_t require_segments(const char* operation, const HostInput& begins, const HostInput& ends, uint64_t count) {
    require_same_type(operation, "the segments' ends", ends.type, begins.type);
    require_same_count(operation, begins.count, ends.count);
    require_memory(operation, begins);
    require_memory(operation, ends);
    if (begins.type == Type(TypeKind::int32)) {
        check_segments<int32_t>(operation, begins.data, ends.data, begins.count, count);
    } else if (begins.type == Type(TypeKind::int64)) {
        check_segments<int64_t>(operation, begins.data, ends.data, begins.count, count);
    } else {
        throw InvalidArgument(operation, "the segments' begins",
                              "they are of " + begins.type.text() + ", expected int32 or int64");
    }
    return begins.count;
}

Execution runnable(const char* operation, Execution execution) {
    if (execution.is_ahead_of_time()) {
        throw InvalidArgument(operation, "an execution ahead of time",
                              "it is for an algorithm that is built to be saved; this call runs one at once",
                              "give a device or the host's cores");
    }
    return execution;
}

}  // namespace cuprum::parallel
