#include "cuprum/core/opaque_array.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <memory>
#include <optional>
#include <string>

#include "allocation.hpp"
#include "array_format.hpp"
#include "capture_keeping.hpp"
#include "context.hpp"
#include "cuprum/core/live_objects.hpp"
#include "driver_error.hpp"
#include "require.hpp"

namespace cuprum::core {

namespace {

constexpr const char* creating = "creating an array";
constexpr const char* creating_mipmaps = "creating a mipmapped array";
constexpr const char* destroying = "destroying an array";

std::string shape_text(const ArrayShape& shape) {
    std::string text = std::to_string(shape.width);
    if (shape.height != 0 || shape.depth != 0) text += " x " + std::to_string(shape.height);
    if (shape.depth != 0) text += " x " + std::to_string(shape.depth);
    return text + (text == "1" ? " element" : " elements");
}

CUDA_ARRAY3D_DESCRIPTOR describe_array(const char* operation, const Device& device, const ArrayShape& shape,
                                       ArrayFormat format, int32_t num_channels, bool is_surface_load_store) {
    if (shape.width == 0 || (shape.depth != 0 && shape.height == 0)) {
        throw InvalidArgument(operation, describe_device(device.device_id()),
                              "there is no array of " + shape_text(shape),
                              "give a width, a width and a height, or these and a depth, of at least 1 each");
    }
    require_channels(operation, describe_device(device.device_id()), num_channels);
    return {shape.width,
            shape.height,
            shape.depth,
            native_format(format),
            static_cast<unsigned int>(num_channels),
            is_surface_load_store ? static_cast<unsigned int>(CUDA_ARRAY3D_SURFACE_LDST) : 0U};
}

// Bytes, or the most that a number holds.
uint64_t bytes_of_all(const ArrayShape& shape, uint64_t element_bytes) {
    uint64_t bytes = element_bytes;
    for (const uint64_t size : {shape.width, std::max<uint64_t>(shape.height, 1), std::max<uint64_t>(shape.depth, 1)}) {
        if (__builtin_mul_overflow(bytes, size, &bytes)) return UINT64_MAX;
    }
    return bytes;
}

void check_array_creation(CUresult result, const char* function, const char* operation, const Device& device,
                          const CUDA_ARRAY3D_DESCRIPTOR& descriptor) {
    if (result == CUDA_SUCCESS) return;
    const ArrayShape shape{descriptor.Width, descriptor.Height, descriptor.Depth};
    if (result == CUDA_ERROR_OUT_OF_MEMORY) {
        check_allocation(
            result, function, device,
            bytes_of_all(shape, uint64_t{bytes_of(known_format(descriptor.Format))} * descriptor.NumChannels));
    }
    throw_driver_error(result, function, operation, shape_text(shape) + " on " + describe_device(device.device_id()));
}

CUDA_ARRAY3D_DESCRIPTOR descriptor_of(CUarray handle, const char* operation) {
    CUDA_ARRAY3D_DESCRIPTOR descriptor{};
    check(driver::cuArray3DGetDescriptor(&descriptor, handle), "cuArray3DGetDescriptor", operation, "array");
    return descriptor;
}

}  // namespace

struct MipmappedArray::State {
    detail::Alive<ObjectKind::mipmapped_array> alive;
    CUmipmappedArray handle = nullptr;
    int32_t device_id = 0;
    int32_t num_levels = 1;
    CUDA_ARRAY3D_DESCRIPTOR descriptor{};

    State() = default;
    State(const State&) = delete;
    State& operator=(const State&) = delete;
    ~State() {
        if (handle == nullptr) return;
        clean_up(device_id, [this] {
            const OutsideOfCaptures outside;
            report_cleanup(driver::cuMipmappedArrayDestroy(handle), "cuMipmappedArrayDestroy", destroying,
                           [this] { return describe_device(device_id); });
        });
    }
};

struct OpaqueArray::State {
    detail::Alive<ObjectKind::opaque_array> alive;
    CUarray handle = nullptr;
    int32_t device_id = 0;
    bool owned = false;
    CUDA_ARRAY3D_DESCRIPTOR descriptor{};
    std::shared_ptr<const MipmappedArray::State> whole;  // that it is a level of

    State() = default;
    State(const State&) = delete;
    State& operator=(const State&) = delete;
    ~State() {
        if (!owned) return;
        clean_up(device_id, [this] {
            const OutsideOfCaptures outside;
            report_cleanup(driver::cuArrayDestroy(handle), "cuArrayDestroy", destroying,
                           [this] { return describe_device(device_id); });
        });
    }

    ArrayShape shape() const { return {descriptor.Width, descriptor.Height, descriptor.Depth}; }
    uint32_t element_bytes() const { return bytes_of(known_format(descriptor.Format)) * descriptor.NumChannels; }
    uint64_t size_bytes() const { return bytes_of_all(shape(), element_bytes()); }
    std::string text() const { return "array of " + shape_text(shape()) + " on " + describe_device(device_id); }
};

namespace {

// One side of a copy of all elements; the other one is the array.
struct Memory {
    CUmemorytype type;
    uint64_t address;
};

void require_room_for_elements(const char* operation, const std::string& object, uint64_t size, uint64_t needed) {
    if (size >= needed) return;
    throw InvalidArgument(operation, object,
                          "the memory has " + std::to_string(size) + " bytes, the array " + std::to_string(needed),
                          "give memory for all elements of the array (size_bytes)");
}

CUDA_MEMCPY3D whole_copy(const ArrayShape& shape, uint32_t element_bytes) {
    CUDA_MEMCPY3D copy{};
    copy.WidthInBytes = shape.width * element_bytes;
    copy.Height = std::max<uint64_t>(shape.height, 1);
    copy.Depth = std::max<uint64_t>(shape.depth, 1);
    copy.srcPitch = copy.dstPitch = copy.WidthInBytes;
    copy.srcHeight = copy.dstHeight = copy.Height;
    return copy;
}

void copy_whole(const std::shared_ptr<const OpaqueArray::State>& whole, bool to_array, const Memory& memory,
                const char* operation, StreamRef stream) {
    const OpaqueArray::State& array = *whole;
    CUDA_MEMCPY3D copy = whole_copy(array.shape(), array.element_bytes());
    copy.srcMemoryType = to_array ? memory.type : CU_MEMORYTYPE_ARRAY;
    copy.dstMemoryType = to_array ? CU_MEMORYTYPE_ARRAY : memory.type;
    (to_array ? copy.dstArray : copy.srcArray) = array.handle;
    if (to_array) {
        copy.srcDevice = memory.address;
        copy.srcHost = reinterpret_cast<const void*>(memory.address);
    } else {
        copy.dstDevice = memory.address;
        copy.dstHost = reinterpret_cast<void*>(memory.address);
    }
    const ContextScope scope(stream, array.device_id);
    if (is_any_graph_being_built()) [[unlikely]]
        keep_in_current_context(stream, {whole}, std::array{memory.address}, operation);
    check(driver::cuMemcpy3DAsync(&copy, stream.handle()), "cuMemcpy3DAsync", operation,
          [&array] { return array.text(); });
}

Memory memory_of(const BufferRef& buffer) {
    return {buffer.is_host_accessible() ? CU_MEMORYTYPE_UNIFIED : CU_MEMORYTYPE_DEVICE, buffer.handle()};
}

Memory memory_at(const void* address, const char* operation, const OpaqueArray::State& array) {
    if (address == nullptr) {
        throw InvalidArgument(operation, array.text(), "the address of the host memory is null");
    }
    return {CU_MEMORYTYPE_HOST, reinterpret_cast<uintptr_t>(address)};
}

}  // namespace

OpaqueArray::OpaqueArray(const Device& device, const OpaqueArrayOptions& options) {
    const CUDA_ARRAY3D_DESCRIPTOR descriptor = describe_array(creating, device, options.shape, options.format,
                                                              options.num_channels, options.is_surface_load_store);
    auto made = std::make_shared<State>();
    const ContextScope scope(device.device_id());
    check_array_creation(driver::cuArray3DCreate(&made->handle, &descriptor), "cuArray3DCreate", creating, device,
                         descriptor);
    made->owned = true;
    made->device_id = device.device_id();
    made->descriptor = descriptor;
    state_ = std::move(made);
}

OpaqueArray OpaqueArray::from_handle(CUarray handle, const Device& device) {
    constexpr const char* operation = "borrowing an array";
    if (handle == nullptr) throw InvalidArgument(operation, "", "the handle is null, which is not an array");
    auto borrowed = std::make_shared<State>();
    const ContextScope scope(device.device_id());
    borrowed->descriptor = descriptor_of(handle, operation);
    known_format(borrowed->descriptor.Format);  // refuses what has no name here
    borrowed->handle = handle;
    borrowed->device_id = device.device_id();
    return OpaqueArray(std::move(borrowed));
}

const OpaqueArray::State& OpaqueArray::state(const char* operation) const {
    if (!state_) {
        throw InvalidState(operation, "array", "the array is closed or default-constructed", "create a new one");
    }
    return *state_;
}

CUarray OpaqueArray::handle() const {
    return state("asking for an array's handle").handle;
}

ArrayShape OpaqueArray::shape() const {
    return state("asking for an array's shape").shape();
}

ArrayFormat OpaqueArray::format() const {
    return known_format(state("asking for an array's format").descriptor.Format);
}

int32_t OpaqueArray::num_channels() const {
    return static_cast<int32_t>(state("asking for an array's channels").descriptor.NumChannels);
}

uint32_t OpaqueArray::element_bytes() const {
    return state("asking for the size of an array's elements").element_bytes();
}

uint64_t OpaqueArray::size_bytes() const {
    return state("asking for an array's size").size_bytes();
}

bool OpaqueArray::is_surface_load_store() const {
    return (state("asking whether an array is for surfaces").descriptor.Flags & CUDA_ARRAY3D_SURFACE_LDST) != 0;
}

Device OpaqueArray::device() const {
    return Device(device_id());
}

int32_t OpaqueArray::device_id() const {
    return state("asking for an array's device").device_id;
}

void OpaqueArray::copy_from(BufferRef source, StreamRef stream) const {
    constexpr const char* operation = "copying a buffer to an array";
    const State& array = state(operation);
    require_valid(stream, operation);
    require_open(source, operation);
    require_room_for_elements(operation, describe(source), source.size(), array.size_bytes());
    copy_whole(state_, true, memory_of(source), operation, stream);
}

void OpaqueArray::copy_to(BufferRef destination, StreamRef stream) const {
    constexpr const char* operation = "copying an array to a buffer";
    const State& array = state(operation);
    require_valid(stream, operation);
    require_open(destination, operation);
    require_room_for_elements(operation, describe(destination), destination.size(), array.size_bytes());
    copy_whole(state_, false, memory_of(destination), operation, stream);
}

void OpaqueArray::copy_from_host(const void* source, uint64_t size, StreamRef stream) const {
    constexpr const char* operation = "copying host memory to an array";
    const State& array = state(operation);
    require_valid(stream, operation);
    require_room_for_elements(operation, array.text(), size, array.size_bytes());
    copy_whole(state_, true, memory_at(source, operation, array), operation, stream);
}

void OpaqueArray::copy_to_host(void* destination, uint64_t size, StreamRef stream) const {
    constexpr const char* operation = "copying an array to host memory";
    const State& array = state(operation);
    require_valid(stream, operation);
    require_room_for_elements(operation, array.text(), size, array.size_bytes());
    copy_whole(state_, false, memory_at(destination, operation, array), operation, stream);
}

MipmappedArray::MipmappedArray(const Device& device, const MipmappedArrayOptions& options) {
    const CUDA_ARRAY3D_DESCRIPTOR descriptor = describe_array(creating_mipmaps, device, options.shape, options.format,
                                                              options.num_channels, options.is_surface_load_store);
    const uint64_t longest = std::max({options.shape.width, options.shape.height, options.shape.depth});
    const auto most = static_cast<int32_t>(std::bit_width(longest));
    if (options.num_levels < 1 || options.num_levels > most) {
        throw InvalidArgument(creating_mipmaps, shape_text(options.shape),
                              "num_levels is " + std::to_string(options.num_levels),
                              "give 1 to " + std::to_string(most) + " levels");
    }
    auto made = std::make_shared<State>();
    const ContextScope scope(device.device_id());
    check_array_creation(
        driver::cuMipmappedArrayCreate(&made->handle, &descriptor, static_cast<unsigned int>(options.num_levels)),
        "cuMipmappedArrayCreate", creating_mipmaps, device, descriptor);
    made->device_id = device.device_id();
    made->num_levels = options.num_levels;
    made->descriptor = descriptor;
    state_ = std::move(made);
}

const MipmappedArray::State& MipmappedArray::state(const char* operation) const {
    if (!state_) {
        throw InvalidState(operation, "mipmapped array", "the mipmapped array is closed or default-constructed",
                           "create a new one");
    }
    return *state_;
}

CUmipmappedArray MipmappedArray::handle() const {
    return state("asking for a mipmapped array's handle").handle;
}

ArrayShape MipmappedArray::shape() const {
    const CUDA_ARRAY3D_DESCRIPTOR& descriptor = state("asking for a mipmapped array's shape").descriptor;
    return {descriptor.Width, descriptor.Height, descriptor.Depth};
}

ArrayFormat MipmappedArray::format() const {
    return known_format(state("asking for a mipmapped array's format").descriptor.Format);
}

int32_t MipmappedArray::num_channels() const {
    return static_cast<int32_t>(state("asking for a mipmapped array's channels").descriptor.NumChannels);
}

int32_t MipmappedArray::num_levels() const {
    return state("asking for a mipmapped array's levels").num_levels;
}

bool MipmappedArray::is_surface_load_store() const {
    return (state("asking whether a mipmapped array is for surfaces").descriptor.Flags & CUDA_ARRAY3D_SURFACE_LDST) !=
           0;
}

Device MipmappedArray::device() const {
    return Device(device_id());
}

int32_t MipmappedArray::device_id() const {
    return state("asking for a mipmapped array's device").device_id;
}

OpaqueArray MipmappedArray::get_level(int32_t level) const {
    constexpr const char* operation = "getting a level of a mipmapped array";
    const State& whole = state(operation);
    if (level < 0 || level >= whole.num_levels) {
        throw InvalidArgument(operation, "level " + std::to_string(level),
                              "the mipmapped array has " + std::to_string(whole.num_levels) +
                                  (whole.num_levels == 1 ? " level" : " levels"),
                              "give a level from 0 to " + std::to_string(whole.num_levels - 1));
    }
    auto part = std::make_shared<OpaqueArray::State>();
    const ContextScope scope(whole.device_id);
    check(driver::cuMipmappedArrayGetLevel(&part->handle, whole.handle, static_cast<unsigned int>(level)),
          "cuMipmappedArrayGetLevel", operation, [level] { return "level " + std::to_string(level); });
    part->descriptor = descriptor_of(part->handle, operation);
    // The driver leaves out the flags of a level, or has them, as its version goes.
    part->descriptor.Flags = whole.descriptor.Flags;
    part->device_id = whole.device_id;
    part->whole = state_;
    return OpaqueArray(std::move(part));
}

}  // namespace cuprum::core
