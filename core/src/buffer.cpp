#include "cuprum/core/buffer.hpp"

#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "capture_keeping.hpp"
#include "captured_streams.hpp"
#include "context.hpp"
#include "cuprum/core/memory_pool.hpp"
#include "cuprum/core/stream.hpp"
#include "driver_error.hpp"
#include "kept_memory.hpp"
#include "memory_resource_state.hpp"
#include "other_device.hpp"
#include "pattern.hpp"
#include "require.hpp"
#include "shared_import.hpp"
#include "stream_state.hpp"
#include "virtual_memory_state.hpp"

namespace cuprum::core {

namespace {

std::string bytes_text(uint64_t size) {
    return std::to_string(size) + (size == 1 ? " byte" : " bytes");
}

// The buffer is one, the `size` bytes fit, and the host's side of the copy is not null.
template <class Operation>
void require_fit(const BufferRef& buffer, const void* host, uint64_t size, const Operation& operation) {
    if (!buffer.is_valid() && size > 0) [[unlikely]] {
        throw InvalidState(operation(), "buffer", closed_buffer, "allocate a new one");
    }
    if (size > buffer.size()) [[unlikely]] {
        throw InvalidArgument(operation(), describe(buffer), "the buffer has only " + bytes_text(buffer.size()));
    }
    if (host == nullptr && size > 0) [[unlikely]] {
        throw InvalidArgument(operation(), describe(buffer), "the address in host memory is null");
    }
}

auto copying_to_host(uint64_t size) {
    return [size] { return "copying " + bytes_text(size) + " to host memory"; };
}

auto copying_from_host(uint64_t size) {
    return [size] { return "copying " + bytes_text(size) + " from host memory"; };
}

CUdeviceptr address_of(const void* host) {
    return reinterpret_cast<uintptr_t>(host);
}

// Whether the host is known to use the memory too. Copies of such memory ask nothing of the caller: the driver finds
// out what each address is.
bool is_shared(MemoryKind kind) {
    return kind == MemoryKind::pinned || kind == MemoryKind::managed || kind == MemoryKind::host;
}

// Between two places in host memory, after the work so far in the legacy default stream: the driver promises no order
// for such copies.
template <class Operation>
void copy_now(CUdeviceptr destination, CUdeviceptr source, uint64_t size, const Operation& operation,
              const BufferRef& buffer) {
    check(driver::cuStreamSynchronize(CU_STREAM_LEGACY), "cuStreamSynchronize", operation, buffer);
    check(driver::cuMemcpy(destination, source, size), "cuMemcpy", operation, buffer);
}

// A driver that does not wait while some stream is captured; others that do not wait have nothing to wait for any more.
bool is_refusal_during_capture(CUresult result) {
    return result >= CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED && result <= CUDA_ERROR_STREAM_CAPTURE_WRONG_THREAD;
}

// Nobody can wait for a stream whose work is captured, and trying to ends the capture.
bool is_captured(const StreamRef& stream) noexcept {
    CUstreamCaptureStatus status = CU_STREAM_CAPTURE_STATUS_NONE;
    clean_up_unless_reset(stream.device_id(), [&] {
        report_cleanup(driver::cuStreamIsCapturing(stream.handle(), &status), "cuStreamIsCapturing",
                       "asking whether a stream is capturing", stream);
    });
    return status != CU_STREAM_CAPTURE_STATUS_NONE;
}

// Before memory is freed that work in the stream may use. False: it may still be in use.
bool wait_for_cleanup(const StreamRef& stream) noexcept {
    bool has_waited = true;
    clean_up_unless_reset(stream.device_id(), [&] {
        const CUresult result = driver::cuStreamSynchronize(stream.handle());
        has_waited = !is_refusal_during_capture(result);
        report_cleanup(result, "cuStreamSynchronize", "waiting for a stream before memory is freed", stream);
    });
    return has_waited;
}

}  // namespace

bool wait_for_devices_that_use(const BufferRef& memory, int32_t waited_for) noexcept {
    bool has_waited = true;
    for (int32_t id = 0; id < initialized_device_count(); ++id) {
        if (id == waited_for || !has_primary_context(id)) continue;
        clean_up(id, [&] {
            const CUresult result = driver::cuCtxSynchronize();
            has_waited = has_waited && !is_refusal_during_capture(result);
            report_cleanup(result, "cuCtxSynchronize", "waiting for a device before memory is freed", memory);
        });
    }
    return has_waited;
}

BufferRef BufferRef::from_handle(DevicePointer address, uint64_t size, std::optional<int32_t> device_id) {
    if (address == 0 && size > 0) {
        throw InvalidArgument("borrowing device memory", "",
                              "the address is null, and the size is " + bytes_text(size));
    }
    if (size > UINT64_MAX - address) {
        throw InvalidArgument("borrowing device memory", hexadecimal(address),
                              bytes_text(size) + " from that address reach beyond the end of the address space");
    }
    if (!device_id && address != 0) {
        if (const std::optional<Device> its_own = Device::of_memory(address)) device_id = its_own->device_id();
    }
    const int32_t id = device_id ? *device_id : Device::current().device_id();
    device_state(id);
    return {address, size, id, size == 0 ? MemoryKind::device : MemoryKind::unknown};
}

MemoryKind BufferRef::known_kind(const char* operation) const {
    if (!valid_) throw InvalidState(operation, "buffer", closed_buffer);
    if (kind_ != MemoryKind::unknown) return kind_;
    const ContextScope scope(device_id_);
    unsigned int is_managed = 0;
    check(driver::cuPointerGetAttribute(&is_managed, CU_POINTER_ATTRIBUTE_IS_MANAGED, address_),
          "cuPointerGetAttribute", operation, *this);
    if (is_managed != 0) return MemoryKind::managed;
    CUmemorytype type{};
    check(driver::cuPointerGetAttribute(&type, CU_POINTER_ATTRIBUTE_MEMORY_TYPE, address_), "cuPointerGetAttribute",
          operation, *this);
    return type == CU_MEMORYTYPE_HOST ? MemoryKind::pinned : MemoryKind::device;
}

bool BufferRef::is_device_accessible() const {
    return known_kind("asking whether a device can use a buffer") != MemoryKind::host;
}

bool BufferRef::is_host_accessible() const {
    return known_kind("asking whether the host can use a buffer") != MemoryKind::device;
}

bool BufferRef::is_managed() const {
    return known_kind("asking whether a buffer is managed memory") == MemoryKind::managed;
}

void* BufferRef::host_memory(uint64_t element_size, uint64_t element_alignment) const {
    constexpr const char* operation = "viewing a buffer as host memory";
    if (known_kind(operation) == MemoryKind::device) {
        throw InvalidArgument(operation, describe(*this), "the host cannot use a device's memory",
                              "copy it to host memory, or allocate it from a pinned memory resource");
    }
    if (size_ % element_size != 0) {
        throw InvalidArgument(operation, describe(*this),
                              "its size must be a multiple of the elements', " + bytes_text(element_size));
    }
    if (address_ % element_alignment != 0) {
        throw InvalidArgument(
            operation, describe(*this),
            "its address must be a multiple of the elements' alignment, " + bytes_text(element_alignment));
    }
    return reinterpret_cast<void*>(address_);
}

BufferRef BufferRef::slice(uint64_t offset, uint64_t size) const {
    const auto operation = [=] { return "slicing " + bytes_text(size) + " from offset " + std::to_string(offset); };
    if (!valid_) {
        throw InvalidState(operation(), "buffer", closed_buffer);
    }
    if (offset > size_) {
        throw InvalidArgument(operation(), describe(*this),
                              "the offset " + std::to_string(offset) + " is beyond the end of the buffer");
    }
    if (size > size_ - offset) {
        throw InvalidArgument(operation(), describe(*this),
                              offset == 0 ? "the buffer has only " + bytes_text(size_)
                                          : "only " + bytes_text(size_ - offset) + " of the buffer follow offset " +
                                                std::to_string(offset));
    }
    return {address_ + offset, size, device_id_, kind_};
}

void BufferRef::copy_from_host(const void* source, uint64_t size) const {
    const auto operation = copying_from_host(size);
    require_fit(*this, source, size, operation);
    if (size == 0) return;
    const ContextScope scope(device_id_);
    if (is_shared(kind_)) {
        copy_now(address_, address_of(source), size, operation, *this);
        return;
    }
    check(driver::cuMemcpyHtoD(address_, source, size), "cuMemcpyHtoD", operation, *this);
    // From pageable memory the driver returns once the bytes are staged, which a kernel in a nonblocking stream may
    // overtake (CUDA driver API, "API synchronization behavior").
    check(driver::cuStreamSynchronize(CU_STREAM_LEGACY), "cuStreamSynchronize", operation, *this);
}

void BufferRef::copy_from_host(const void* source, uint64_t size, StreamRef stream) const {
    const auto operation = copying_from_host(size);
    require_valid(stream, "copying from host memory");
    require_fit(*this, source, size, operation);
    if (size == 0) return;
    const ContextScope scope(stream, device_id_);
    keep_memory_in_current_context(stream, {address_, address_of(source)}, "copying from host memory");
    if (is_shared(kind_)) {
        check(driver::cuMemcpyAsync(address_, address_of(source), size, stream.handle()), "cuMemcpyAsync", operation,
              *this);
        return;
    }
    check(driver::cuMemcpyHtoDAsync(address_, source, size, stream.handle()), "cuMemcpyHtoDAsync", operation, *this);
}

void BufferRef::copy_to_host(void* destination, uint64_t size) const {
    const auto operation = copying_to_host(size);
    require_fit(*this, destination, size, operation);
    if (size == 0) return;
    const ContextScope scope(device_id_);
    if (is_shared(kind_)) {
        copy_now(address_of(destination), address_, size, operation, *this);
        return;
    }
    check(driver::cuMemcpyDtoH(destination, address_, size), "cuMemcpyDtoH", operation, *this);
}

void BufferRef::copy_to_host(void* destination, uint64_t size, StreamRef stream) const {
    const auto operation = copying_to_host(size);
    require_valid(stream, "copying to host memory");
    require_fit(*this, destination, size, operation);
    if (size == 0) return;
    const ContextScope scope(stream, device_id_);
    keep_memory_in_current_context(stream, {address_, address_of(destination)}, "copying to host memory");
    if (is_shared(kind_)) {
        check(driver::cuMemcpyAsync(address_of(destination), address_, size, stream.handle()), "cuMemcpyAsync",
              operation, *this);
        return;
    }
    check(driver::cuMemcpyDtoHAsync(destination, address_, size, stream.handle()), "cuMemcpyDtoHAsync", operation,
          *this);
}

void BufferRef::copy_from(BufferRef source, StreamRef stream) const {
    const uint64_t size = source.size();
    const auto operation = [&source] { return "copying " + bytes_text(source.size()) + " from " + describe(source); };
    require_valid(stream, "copying between buffers");
    if (!source.is_valid()) {
        throw InvalidState("copying between buffers", "source", closed_buffer);
    }
    require_fit(*this, this, size, operation);
    if (size == 0) return;
    const bool target_is_shared = is_shared(kind_);
    const ContextScope scope(stream, target_is_shared ? source.device_id_ : device_id_);
    keep_memory_in_current_context(stream, {address_, source.address_}, "copying between buffers");
    if (target_is_shared || is_shared(source.kind_)) {
        // cuMemcpyAsync takes an address that the driver does not know for the host's, and would read or write there.
        (target_is_shared ? source : *this).known_kind("copying between buffers");
        check(driver::cuMemcpyAsync(address_, source.handle(), size, stream.handle()), "cuMemcpyAsync", operation,
              *this);
        return;
    }
    if (source.device_id() == device_id_) {
        check(driver::cuMemcpyDtoDAsync(address_, source.handle(), size, stream.handle()), "cuMemcpyDtoDAsync",
              operation, *this);
        return;
    }
    // Says whose memory it is, and so needs no access of one device to the other's.
    check(driver::cuMemcpyPeerAsync(address_, primary_context(device_id_), source.handle(),
                                    primary_context(source.device_id()), size, stream.handle()),
          "cuMemcpyPeerAsync", operation, *this);
}

void BufferRef::fill(uint32_t pattern, uint32_t pattern_size, StreamRef stream) const {
    const auto operation = [=] {
        return "filling with the " + std::to_string(pattern_size) + "-byte pattern " + hexadecimal(pattern);
    };
    require_valid(stream, "filling a buffer");
    require_pattern(pattern, pattern_size, operation, *this);
    if (!valid_) {
        throw InvalidState(operation(), "buffer", closed_buffer);
    }
    if (size_ % pattern_size != 0) {
        throw InvalidArgument(operation(), describe(*this), "the buffer's size must be a multiple of the pattern's");
    }
    if (address_ % pattern_size != 0) {
        throw InvalidArgument(operation(), describe(*this),
                              "the buffer's address must be a multiple of the pattern's size");
    }
    if (size_ == 0) return;
    const ContextScope scope(stream, device_id_);
    keep_memory_in_current_context(stream, {address_}, "filling a buffer");
    const auto check_fill = [&](CUresult result, const char* function) {
        check_reach(result, function, operation, *this, stream, *this);
    };
    switch (pattern_size) {
        case 1:
            check_fill(driver::cuMemsetD8Async(address_, static_cast<unsigned char>(pattern), size_, stream.handle()),
                       "cuMemsetD8Async");
            break;
        case 2:
            check_fill(
                driver::cuMemsetD16Async(address_, static_cast<unsigned short>(pattern), size_ / 2, stream.handle()),
                "cuMemsetD16Async");
            break;
        default:
            check_fill(driver::cuMemsetD32Async(address_, pattern, size_ / 4, stream.handle()), "cuMemsetD32Async");
            break;
    }
}

Buffer::Buffer(Buffer&& other) noexcept {
    take(other);
}

Buffer& Buffer::operator=(Buffer&& other) noexcept {
    if (this != &other) {
        close();
        take(other);
    }
    return *this;
}

// What each allocation and each free goes through is `hot`: the linker puts it side by side, so that after the driver,
// which leaves little in the caches, few lines and pages have to come back.
[[gnu::hot]] Buffer::~Buffer() {
    close();
}

void Buffer::take(Buffer& other) noexcept {
    static_cast<BufferRef&>(*this) = std::exchange(static_cast<BufferRef&>(other), BufferRef());
    freed_by_ = other.freed_by_;
    stream_ = other.stream_;
    stream_owner_ = std::move(other.stream_owner_);
    resource_ = std::move(other.resource_);
    live_ = std::move(other.live_);
}

Buffer Buffer::register_host_memory(void* address, uint64_t size) {
    const auto operation = [size] { return "registering " + bytes_text(size) + " of host memory"; };
    const auto object = [address] { return "host memory at " + hexadecimal(address_of(address)); };
    if (address == nullptr) throw InvalidArgument(operation(), object(), "the address is null");
    if (size == 0) throw InvalidArgument(operation(), object(), "there is nothing to register");
    const int32_t device_id = device_with_context();
    const ContextScope scope(device_id);
    check(driver::cuMemHostRegister(address, size, CU_MEMHOSTREGISTER_PORTABLE), "cuMemHostRegister", operation,
          object);
    Buffer buffer(address_of(address), size, device_id, MemoryKind::pinned, FreedBy::cu_mem_host_unregister);
    CUdeviceptr on_device = 0;
    check(driver::cuMemHostGetDevicePointer(&on_device, address, 0), "cuMemHostGetDevicePointer", operation, object);
    if (on_device != buffer.handle()) {
        throw Unsupported(operation(), object(), "devices would use the memory at another address than the host",
                          "copy it to memory of a pinned memory resource");
    }
    return buffer;
}

Buffer Buffer::from_handle(DevicePointer address, uint64_t size, const MemoryResource& resource) {
    return resource.take_over(address, size, StreamRef(), nullptr);
}

Buffer Buffer::from_handle(DevicePointer address, uint64_t size, const MemoryResource& resource, const Stream& stream) {
    require_valid(stream, "taking memory over into a buffer");
    return resource.take_over(address, size, stream, stream.state_);
}

Buffer Buffer::from_handle(DevicePointer address, uint64_t size, const MemoryResource& resource, StreamRef stream) {
    require_valid(stream, "taking memory over into a buffer");
    return resource.take_over(address, size, stream, nullptr);
}

MemoryResource Buffer::memory_resource() const {
    constexpr const char* operation = "asking for a buffer's memory resource";
    require_open(*this, operation);
    if (resource_ != nullptr || freed_by_ != FreedBy::cu_mem_free_async || address_ == 0)
        return MemoryResource(resource_);
    // Of a pool that was the device's when Device::allocate made it.
    const ContextScope scope(device_id_);
    CUmemoryPool pool = nullptr;
    check(driver::cuPointerGetAttribute(&pool, CU_POINTER_ATTRIBUTE_MEMPOOL_HANDLE, address_), "cuPointerGetAttribute",
          operation, *this);
    std::shared_ptr<const MemoryResourceState> current = current_pool(device_id_);
    return MemoryResource(current->pool == pool ? std::move(current) : borrowed_pool(device_id_, pool));
}

void Buffer::set_deallocation_stream(const Stream& stream) {
    free_in(stream, stream.state_);
}

void Buffer::set_deallocation_stream(StreamRef stream) {
    free_in(stream, nullptr);
}

void Buffer::free_in(StreamRef stream, std::shared_ptr<void> stream_owner) {
    constexpr const char* operation = "choosing the stream in which a buffer is freed";
    require_valid(stream, operation);
    if (!valid_) throw InvalidState(operation, "buffer", closed_buffer);
    if (!is_shared(kind_) && stream.device_id() != device_id_) {
        throw InvalidArgument(operation, describe(stream), "the stream must be one of " + describe_device(device_id_));
    }
    stream_ = stream;
    stream_owner_ = std::move(stream_owner);
}

DevicePointer Buffer::release() {
    if (!valid_) {
        throw InvalidState("releasing a buffer", "buffer", closed_buffer);
    }
    stream_owner_.reset();
    resource_.reset();
    live_.stop_counting();
    return std::exchange(static_cast<BufferRef&>(*this), BufferRef()).handle();
}

void Buffer::close(const Stream& stream) {
    if (valid_) set_deallocation_stream(stream);
    close();
}

void Buffer::close(StreamRef stream) {
    if (valid_) set_deallocation_stream(stream);
    close();
}

namespace {

// Never freed, so that it may be used while the process exits.
struct DeferredBuffers {
    std::mutex mutex;
    std::vector<Buffer> buffers;
};
DeferredBuffers& deferred_buffers() {
    static auto* const deferred = new DeferredBuffers;
    return *deferred;
}

}  // namespace

// Freeing it waits for its stream, which the driver's own calls do not. Not asked of what is freed in order.
bool Buffer::waits_for_stream() const noexcept {
    switch (freed_by_) {
        case FreedBy::close_import:
        case FreedBy::allocator:
            return false;
        default:
            return stream_.is_valid() && !is_captured(stream_);
    }
}

// Likewise for all devices, but for those that the driver waits for: cuMemFree for its own, cuMemFreeHost for one.
bool Buffer::waits_for_devices(bool waits_for_stream) const noexcept {
    switch (freed_by_) {
        case FreedBy::cu_mem_free:
        case FreedBy::close_import:
            return false;
        case FreedBy::allocator:
            return !stream_.is_valid();
        default:
            return !waits_for_stream;
    }
}

void Buffer::close_later(Buffer buffer) noexcept {
    // A stream that is not ours may be gone by then: it is freed after all work instead.
    if (buffer.stream_owner_ == nullptr) buffer.stream_ = StreamRef();
    DeferredBuffers& deferred = deferred_buffers();
    const std::lock_guard lock(deferred.mutex);
    try {
        deferred.buffers.push_back(std::move(buffer));
    } catch (const std::bad_alloc&) {
        static_cast<void>(buffer.release());  // rather leaked than taken from under a kernel
    }
}

void Buffer::close_deferred() noexcept {
    std::vector<Buffer> buffers;
    DeferredBuffers& deferred = deferred_buffers();
    const std::lock_guard lock(deferred.mutex);
    if (deferred.buffers.empty() || is_any_stream_captured()) return;
    buffers.swap(deferred.buffers);
}

namespace {

// Whether graphs use the memory and have taken the buffer over. What a graph allocates is freed when it is closed, as
// the graph needs before its next launch.
bool hand_over(Buffer& closing, const MemoryResourceState* resource) noexcept {
    if (!holds(Circumstance::graphs_keep_memory)) [[likely]]
        return false;
    return !(resource != nullptr && resource->is_graph_memory) && hand_over_to_graphs(closing);
}

}  // namespace

// The common way, of few instructions: what the buffer holds was stored a moment ago, and is read as it was stored.
[[gnu::hot]] void Buffer::free_in_order() noexcept {
    if (hand_over(*this, resource_.get())) [[unlikely]]
        return;
    const DevicePointer address = std::exchange(address_, 0);
    const uint64_t size = std::exchange(size_, 0);
    valid_ = false;
    if (address != 0 && !must_leak() && !is_context_reset(stream_.device_id())) {
        const auto free = [&, device_id = device_id_, kind = kind_] {
            const CUresult result = driver::cuMemFreeAsync(address, stream_.handle());
            if (result == CUDA_SUCCESS) [[likely]]
                return;
            const char* const freeing = is_shared(kind) ? "freeing memory of a pool" : "freeing device memory";
            report_cleanup(result, "cuMemFreeAsync", freeing,
                           [&] { return describe(BufferRef::from_handle(address, size, device_id)); });
        };
        // A stream brings its context along.
        if (is_default_stream(stream_.handle())) {
            clean_up(stream_.device_id(), free);
        } else {
            free();
        }
    }
    static_cast<BufferRef&>(*this) = BufferRef();
    stream_owner_.reset();
    resource_.reset();
}

[[gnu::hot]] void Buffer::close() noexcept {
    if (freed_by_ == FreedBy::cu_mem_free_async) return free_in_order();
    if (hand_over(*this, resource_.get())) return;
    const bool for_stream = address_ != 0 && waits_for_stream();
    bool is_beside_capture = false;
    if (address_ != 0 && waits_for_devices(for_stream)) {
        is_beside_capture = is_any_stream_captured();
        // The program's own memory goes as soon as the registration has ended.
        if (is_beside_capture && freed_by_ != FreedBy::cu_mem_host_unregister) return close_later(std::move(*this));
        if (!is_beside_capture) close_deferred();
    }
    const BufferRef closing = std::exchange(static_cast<BufferRef&>(*this), BufferRef());
    live_.stop_counting();
    const std::shared_ptr<void> stream_owner = std::move(stream_owner_);
    const std::shared_ptr<const MemoryResourceState> resource = std::move(resource_);
    if (closing.handle() == 0) return;
    if (freed_by_ == FreedBy::close_import) {
        close_import(closing, stream_);
        return;
    }
    if (freed_by_ == FreedBy::allocator) {
        free_by_program(*resource, closing, stream_);
        return;
    }
    const OutsideOfCaptures outside;
    bool has_waited = true;
    if (for_stream) {
        has_waited = wait_for_cleanup(stream_);
    } else if (is_beside_capture) {
        wait_for_known_streams(closing);
    } else if (freed_by_ == FreedBy::cu_mem_free_host) {
        has_waited = wait_for_devices_that_use(closing, closing.device_id());
    } else if (freed_by_ != FreedBy::cu_mem_free) {
        has_waited = wait_for_devices_that_use(closing, no_device);
    }
    if (!has_waited) return;  // rather leaked than taken from under a kernel
    clean_up_unless_reset(closing.device_id(), [&] {
        void* const host_memory = reinterpret_cast<void*>(closing.handle());
        switch (freed_by_) {
            case FreedBy::cu_mem_free_host:
                report_cleanup(driver::cuMemFreeHost(host_memory), "cuMemFreeHost", "freeing page-locked host memory",
                               closing);
                break;
            case FreedBy::cu_mem_host_unregister:
                report_cleanup(driver::cuMemHostUnregister(host_memory), "cuMemHostUnregister",
                               "ending the registration of host memory", closing);
                break;
            case FreedBy::resource:
                resource->virtual_memory->free(closing.handle());
                break;
            default:
                report_cleanup(driver::cuMemFree(closing.handle()), "cuMemFree", "freeing device memory", closing);
                break;
        }
    });
}

}  // namespace cuprum::core
