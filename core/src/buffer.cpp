#include "cuprum/core/buffer.hpp"

#include <string>
#include <utility>

#include "context.hpp"
#include "cuprum/core/stream.hpp"
#include "driver_error.hpp"
#include "require.hpp"
#include "stream_state.hpp"

namespace cuprum::core {

namespace {

std::string bytes_text(uint64_t size) {
    return std::to_string(size) + (size == 1 ? " byte" : " bytes");
}

// The buffer is one, the `size` bytes fit, and the host's side of the copy is not null.
template <class Operation>
void require_fit(const BufferRef& buffer, const void* host, uint64_t size, const Operation& operation) {
    if (!buffer.is_valid() && size > 0) [[unlikely]] {
        throw InvalidState(operation(), "buffer", "the buffer is closed, moved-from or default-constructed",
                           "allocate a new one");
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

}  // namespace

BufferRef BufferRef::from_handle(DevicePointer address, uint64_t size, int32_t device_id) {
    if (address == 0 && size > 0) {
        throw InvalidArgument("borrowing device memory", "",
                              "the address is null, and the size is " + bytes_text(size));
    }
    if (size > UINT64_MAX - address) {
        throw InvalidArgument("borrowing device memory", hexadecimal(address),
                              bytes_text(size) + " from that address on reach beyond the end of the address space");
    }
    device_state(device_id);
    return {address, size, device_id};
}

BufferRef BufferRef::slice(uint64_t offset, uint64_t size) const {
    const auto operation = [=] { return "slicing " + bytes_text(size) + " from offset " + std::to_string(offset); };
    if (!valid_) {
        throw InvalidState(operation(), "buffer", "the buffer is closed, moved-from or default-constructed");
    }
    if (offset > size_) {
        throw InvalidArgument(operation(), describe(*this),
                              "the offset " + std::to_string(offset) + " lies beyond the end of the buffer");
    }
    if (size > size_ - offset) {
        throw InvalidArgument(operation(), describe(*this),
                              offset == 0 ? "the buffer has only " + bytes_text(size_)
                                          : "only " + bytes_text(size_ - offset) + " of the buffer lie behind offset " +
                                                std::to_string(offset));
    }
    return {address_ + offset, size, device_id_};
}

void BufferRef::copy_from_host(const void* source, uint64_t size) const {
    const auto operation = copying_from_host(size);
    require_fit(*this, source, size, operation);
    if (size == 0) return;
    const ContextScope scope(device_id_);
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
    check(driver::cuMemcpyHtoDAsync(address_, source, size, stream.handle()), "cuMemcpyHtoDAsync", operation, *this);
}

void BufferRef::copy_to_host(void* destination, uint64_t size) const {
    const auto operation = copying_to_host(size);
    require_fit(*this, destination, size, operation);
    if (size == 0) return;
    const ContextScope scope(device_id_);
    check(driver::cuMemcpyDtoH(destination, address_, size), "cuMemcpyDtoH", operation, *this);
}

void BufferRef::copy_to_host(void* destination, uint64_t size, StreamRef stream) const {
    const auto operation = copying_to_host(size);
    require_valid(stream, "copying to host memory");
    require_fit(*this, destination, size, operation);
    if (size == 0) return;
    const ContextScope scope(stream, device_id_);
    check(driver::cuMemcpyDtoHAsync(destination, address_, size, stream.handle()), "cuMemcpyDtoHAsync", operation,
          *this);
}

void BufferRef::copy_from(BufferRef source, StreamRef stream) const {
    const uint64_t size = source.size();
    const auto operation = [&source] { return "copying " + bytes_text(source.size()) + " from " + describe(source); };
    require_valid(stream, "copying between buffers");
    if (!source.is_valid()) {
        throw InvalidState("copying between buffers", "source",
                           "the buffer is closed, moved-from or default-constructed");
    }
    require_fit(*this, this, size, operation);
    if (size == 0) return;
    const ContextScope scope(stream, device_id_);
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
    if (pattern_size != 1 && pattern_size != 2 && pattern_size != 4) {
        throw InvalidArgument(operation(), describe(*this), "a pattern has 1, 2 or 4 bytes");
    }
    if (pattern_size < 4 && (pattern >> (8 * pattern_size)) != 0) {
        throw InvalidArgument(operation(), describe(*this), "the pattern does not fit into that many bytes");
    }
    if (!valid_) {
        throw InvalidState(operation(), "buffer", "the buffer is closed, moved-from or default-constructed");
    }
    if (size_ % pattern_size != 0) {
        throw InvalidArgument(operation(), describe(*this), "the buffer's size must be a multiple of the pattern's");
    }
    if (address_ % pattern_size != 0) {
        throw InvalidArgument(operation(), describe(*this),
                              "the buffer's address must be a multiple of the pattern's size");
    }
    if (size_ == 0) return;
    const ContextScope scope(stream);
    switch (pattern_size) {
        case 1:
            check(driver::cuMemsetD8Async(address_, static_cast<unsigned char>(pattern), size_, stream.handle()),
                  "cuMemsetD8Async", operation, *this);
            break;
        case 2:
            check(driver::cuMemsetD16Async(address_, static_cast<unsigned short>(pattern), size_ / 2, stream.handle()),
                  "cuMemsetD16Async", operation, *this);
            break;
        default:
            check(driver::cuMemsetD32Async(address_, pattern, size_ / 4, stream.handle()), "cuMemsetD32Async",
                  operation, *this);
            break;
    }
}

Buffer::Buffer(Buffer&& other) noexcept
    : BufferRef(std::exchange(static_cast<BufferRef&>(other), BufferRef())),
      is_stream_ordered_(other.is_stream_ordered_),
      stream_(other.stream_),
      stream_owner_(std::move(other.stream_owner_)) {}

Buffer& Buffer::operator=(Buffer&& other) noexcept {
    if (this != &other) {
        close();
        static_cast<BufferRef&>(*this) = std::exchange(static_cast<BufferRef&>(other), BufferRef());
        is_stream_ordered_ = other.is_stream_ordered_;
        stream_ = other.stream_;
        stream_owner_ = std::move(other.stream_owner_);
    }
    return *this;
}

Buffer::~Buffer() {
    close();
}

DevicePointer Buffer::release() {
    if (!valid_) {
        throw InvalidState("releasing a buffer", "buffer", "the buffer is closed, moved-from or default-constructed");
    }
    stream_owner_.reset();
    return std::exchange(static_cast<BufferRef&>(*this), BufferRef()).handle();
}

void Buffer::close() noexcept {
    const BufferRef closing = std::exchange(static_cast<BufferRef&>(*this), BufferRef());
    const std::shared_ptr<void> stream_owner = std::move(stream_owner_);
    if (closing.handle() == 0) return;
    clean_up(closing.device_id(), [&] {
        if (is_stream_ordered_) {
            report_cleanup(driver::cuMemFreeAsync(closing.handle(), stream_), "cuMemFreeAsync", "freeing device memory",
                           closing);
        } else {
            report_cleanup(driver::cuMemFree(closing.handle()), "cuMemFree", "freeing device memory", closing);
        }
    });
}

}  // namespace cuprum::core
