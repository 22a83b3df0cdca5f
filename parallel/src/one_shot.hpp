// What the algorithms' calls over host memory share.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "cuprum/core/device.hpp"
#include "cuprum/parallel/algorithm.hpp"
#include "cuprum/parallel/host_memory.hpp"
#include "cuprum/parallel/value.hpp"

namespace cuprum::parallel {

struct KeptResources;

// One call: a stream of its own, memory in its order, and the copies. Nothing here waits for other work on the device.
// The stream, some memory of the device and some page-locked memory are kept for the next call on that device.
class Job {
public:
    explicit Job(int32_t device_id);
    ~Job();
    Job(const Job&) = delete;
    Job& operator=(const Job&) = delete;

    const core::Stream& stream() const;
    // Until the end of the job.
    core::BufferRef memory_for(const Type& type, uint64_t count) { return memory(count * type.size()); }
    core::BufferRef upload(const Type& type, const void* data, uint64_t count);
    // `data` is written by the next wait().
    void download(const core::BufferRef& buffer, void* data);
    void wait();

    // Options for a call with temporary storage of the job's, and with the operators' own states: an algorithm that was
    // kept may have been built with others.
    CallOptions options(uint64_t storage_bytes, const Operator* op = nullptr);

private:
    core::BufferRef memory(uint64_t bytes);
    // Page-locked; null where there is no more, and then is more in the next job.
    std::byte* staging(uint64_t bytes);

    struct Arrival {
        const std::byte* from;
        void* to;
        uint64_t size;
        core::EventRef copied;  // invalid: known when the stream is done
    };

    core::Device device_;
    bool is_pushed_ = false;  // the device's context, on this thread
    std::unique_ptr<KeptResources> resources_;
    std::vector<core::Buffer> extra_;  // what the kept memory has no room for
    std::vector<Arrival> arrivals_;
    uint64_t used_ = 0, needed_ = 0;                  // device memory, in bytes
    uint64_t staging_used_ = 0, staging_needed_ = 0;  // page-locked memory
    size_t events_used_ = 0;
    bool is_clean_ = false;  // the stream has nothing left to do, and all went well
};

// What an algorithm of a call over host memory is built for, as text: calls with the same one share what was built.
class CallKey {
public:
    CallKey(std::string_view algorithm, const Execution& execution);
    CallKey& add(const Type& type);
    CallKey& add(const std::optional<Type>& type);
    CallKey& add(int32_t number);
    CallKey& add(const Operator& op);

    // Empty where nothing is kept: on the host's cores nothing is compiled, and code that was compiled elsewhere is no
    // text.
    const std::string& text() const { return text_; }
    int32_t device_id() const { return device_id_; }

private:
    std::string text_;
    int32_t device_id_;
    bool is_kept_;
};

// Null where there is none. The pointer is to an algorithm of the kind that the key names.
std::shared_ptr<const void> find_kept(const CallKey& key);
void keep(const CallKey& key, std::shared_ptr<const void> algorithm);

// The algorithm that was built for an earlier call with that key, or else what `make` builds. Throws what that throws.
template <class Make>
auto kept_or_built(const CallKey& key, const Make& make) {
    using Algorithm = std::invoke_result_t<Make>;
    if (const auto known = find_kept(key)) return *static_cast<const Algorithm*>(known.get());
    Algorithm built = make();
    keep(key, std::make_shared<const Algorithm>(built));
    return built;
}

// Throws InvalidArgument.
void require_same_count(const char* operation, uint64_t first, uint64_t second);

// Throws InvalidArgument for none where there are elements.
void require_memory(const char* operation, const HostInput& elements);
void require_memory(const char* operation, const HostOutput& elements);

// What is written may not overlap what is read, though on a device both are copies: so that a call that runs there runs
// on the host's cores, too. `may_be_same`: it may be the very memory that is read. Throws InvalidArgument.
void refuse_overlap(const char* operation, const HostInput& read, const HostOutput& written, bool may_be_same = false);
// Of two that are written.
void refuse_overlap(const char* operation, const HostOutput& first, const HostOutput& second);

// Throws InvalidArgument unless both are of one type. `what`: what is of `type`, "second keys".
void require_same_type(const char* operation, const char* what, const Type& type, const Type& expected);

// Throws InvalidArgument for positions that are not int32 or int64, and for segments that are not within `count`
// elements. Returns how many segments there are.
uint64_t require_segments(const char* operation, const HostInput& begins, const HostInput& ends, uint64_t count);

// Throws InvalidArgument for what cannot be called.
Execution runnable(const char* operation, Execution execution);

// For the host's cores, which work where the memory is.
inline Input in_place(const HostInput& input) {
    return {static_cast<const std::byte*>(input.data)};
}
inline Output in_place(const HostOutput& output) {
    return {static_cast<std::byte*>(output.data)};
}

}  // namespace cuprum::parallel
