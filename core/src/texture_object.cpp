#include "cuprum/core/texture_object.hpp"

#include <algorithm>
#include <string>

#include "array_format.hpp"
#include "context.hpp"
#include "cuprum/core/live_objects.hpp"
#include "driver_error.hpp"
#include "require.hpp"

namespace cuprum::core {

namespace {

constexpr const char* describing = "describing an image";
constexpr const char* creating_texture = "creating a texture object";
constexpr const char* creating_surface = "creating a surface object";

uint32_t element_bytes_of(const BufferRef& buffer, ArrayFormat format, int32_t num_channels) {
    require_open(buffer, describing);
    require_channels(describing, describe(buffer), num_channels);
    native_format(format);
    return bytes_of(format) * static_cast<uint32_t>(num_channels);
}

int32_t device_of_image(const ResourceDescriptor& resource, const char* operation) {
    switch (resource.kind()) {
        case ResourceDescriptor::Kind::opaque_array:
            return resource.opaque_array().device_id();
        case ResourceDescriptor::Kind::mipmapped_array:
            return resource.mipmapped_array().device_id();
        case ResourceDescriptor::Kind::linear:
        case ResourceDescriptor::Kind::pitch2d:
            require_open(resource.buffer(), operation);
            return resource.buffer().device_id();
        case ResourceDescriptor::Kind::none:
            break;
    }
    throw InvalidArgument(operation, "resource", "the resource descriptor is default-constructed",
                          "make one of an array or a buffer, as ResourceDescriptor::from_opaque_array does");
}

void require_device(const Device& device, const ResourceDescriptor& resource, const char* operation) {
    const int32_t owner = device_of_image(resource, operation);
    if (owner == device.device_id()) return;
    throw InvalidArgument(operation, describe_device(device.device_id()), "the image is on " + describe_device(owner),
                          "create the object on the image's device");
}

CUDA_RESOURCE_DESC native_resource(const ResourceDescriptor& resource) {
    CUDA_RESOURCE_DESC native{};
    switch (resource.kind()) {
        case ResourceDescriptor::Kind::opaque_array:
            native.resType = CU_RESOURCE_TYPE_ARRAY;
            native.res.array.hArray = resource.opaque_array().handle();
            break;
        case ResourceDescriptor::Kind::mipmapped_array:
            native.resType = CU_RESOURCE_TYPE_MIPMAPPED_ARRAY;
            native.res.mipmap.hMipmappedArray = resource.mipmapped_array().handle();
            break;
        case ResourceDescriptor::Kind::pitch2d:
            native.resType = CU_RESOURCE_TYPE_PITCH2D;
            native.res.pitch2D.devPtr = resource.buffer().handle();
            native.res.pitch2D.format = native_format(resource.format());
            native.res.pitch2D.numChannels = static_cast<unsigned int>(resource.num_channels());
            native.res.pitch2D.width = resource.width();
            native.res.pitch2D.height = resource.height();
            native.res.pitch2D.pitchInBytes = resource.pitch_bytes();
            break;
        default:
            native.resType = CU_RESOURCE_TYPE_LINEAR;
            native.res.linear.devPtr = resource.buffer().handle();
            native.res.linear.format = native_format(resource.format());
            native.res.linear.numChannels = static_cast<unsigned int>(resource.num_channels());
            native.res.linear.sizeInBytes = resource.size_bytes();
            break;
    }
    return native;
}

ArrayFormat format_of(const ResourceDescriptor& resource) {
    switch (resource.kind()) {
        case ResourceDescriptor::Kind::opaque_array:
            return resource.opaque_array().format();
        case ResourceDescriptor::Kind::mipmapped_array:
            return resource.mipmapped_array().format();
        default:
            return resource.format();
    }
}

bool gives_integers(ArrayFormat format, ReadMode mode) {
    if (format == ArrayFormat::uint32 || format == ArrayFormat::int32) return true;
    return format != ArrayFormat::float16 && format != ArrayFormat::float32 && mode == ReadMode::element_type;
}

void check_options(const ResourceDescriptor& resource, const TextureObjectOptions& options) {
    const auto refuse = [](const std::string& object, std::string problem, std::string advice) {
        throw InvalidArgument(creating_texture, object, std::move(problem), std::move(advice));
    };
    for (const AddressMode mode : options.address_mode) {
        if (mode < AddressMode::wrap || mode > AddressMode::border)
            refuse("address mode", "there is no address mode " + std::to_string(static_cast<int32_t>(mode)),
                   "give wrap, clamp, mirror or border");
    }
    for (const FilterMode mode : {options.filter_mode, options.mipmap_filter_mode}) {
        if (mode != FilterMode::point && mode != FilterMode::linear)
            refuse("filter mode", "there is no filter mode " + std::to_string(static_cast<int32_t>(mode)),
                   "give point or linear");
    }
    if (options.read_mode != ReadMode::element_type && options.read_mode != ReadMode::normalized_float)
        refuse("read mode", "there is no read mode " + std::to_string(static_cast<int32_t>(options.read_mode)),
               "give element_type or normalized_float");
    if (options.max_anisotropy < 0)
        refuse("anisotropy", "it is " + std::to_string(options.max_anisotropy), "give 0 or more");
    if (options.filter_mode == FilterMode::linear && gives_integers(format_of(resource), options.read_mode))
        refuse("filter mode", "integers cannot be filtered linearly",
               "read integers of 8 or 16 bits as normalized floats, or filter by point");
}

CUDA_TEXTURE_DESC native_texture(const TextureObjectOptions& options) {
    CUDA_TEXTURE_DESC native{};
    for (size_t axis = 0; axis < 3; ++axis)
        native.addressMode[axis] = static_cast<CUaddress_mode>(options.address_mode[axis]);
    native.filterMode = static_cast<CUfilter_mode>(options.filter_mode);
    native.mipmapFilterMode = static_cast<CUfilter_mode>(options.mipmap_filter_mode);
    native.maxAnisotropy = static_cast<unsigned int>(options.max_anisotropy);
    native.mipmapLevelBias = options.mipmap_level_bias;
    native.minMipmapLevelClamp = options.min_mipmap_level_clamp;
    native.maxMipmapLevelClamp = options.max_mipmap_level_clamp;
    std::copy(options.border_color.begin(), options.border_color.end(), native.borderColor);
    const auto flag = [&](bool set, unsigned int bit) { native.flags |= set ? bit : 0U; };
    flag(options.read_mode == ReadMode::element_type, CU_TRSF_READ_AS_INTEGER);
    flag(options.normalized_coords, CU_TRSF_NORMALIZED_COORDINATES);
    flag(options.srgb, CU_TRSF_SRGB);
    flag(options.disable_trilinear_optimization, CU_TRSF_DISABLE_TRILINEAR_OPTIMIZATION);
    flag(options.seamless_cubemap, CU_TRSF_SEAMLESS_CUBEMAP);
    return native;
}

}  // namespace

ResourceDescriptor ResourceDescriptor::from_opaque_array(OpaqueArray array) {
    array.handle();  // throws where it is closed
    ResourceDescriptor resource;
    resource.kind_ = Kind::opaque_array;
    resource.array_ = std::move(array);
    return resource;
}

ResourceDescriptor ResourceDescriptor::from_mipmapped_array(MipmappedArray array) {
    array.handle();  // throws where it is closed
    ResourceDescriptor resource;
    resource.kind_ = Kind::mipmapped_array;
    resource.mipmaps_ = std::move(array);
    return resource;
}

ResourceDescriptor ResourceDescriptor::from_linear(const BufferRef& buffer, ArrayFormat format, int32_t num_channels,
                                                   std::optional<uint64_t> size_bytes) {
    const uint32_t element = element_bytes_of(buffer, format, num_channels);
    const uint64_t size = size_bytes.value_or(buffer.size());
    if (size < element || size > buffer.size()) {
        throw InvalidArgument(
            describing, describe(buffer), "an image of " + std::to_string(size) + " bytes",
            "give at least one element's " + std::to_string(element) + " bytes, and no more than the buffer has");
    }
    ResourceDescriptor resource;
    resource.kind_ = Kind::linear;
    resource.buffer_ = buffer;
    resource.format_ = format;
    resource.num_channels_ = num_channels;
    resource.size_bytes_ = size;
    return resource;
}

ResourceDescriptor ResourceDescriptor::from_pitch2d(const BufferRef& buffer, ArrayFormat format, int32_t num_channels,
                                                    uint64_t width, uint64_t height, uint64_t pitch_bytes) {
    const uint32_t element = element_bytes_of(buffer, format, num_channels);
    uint64_t row = 0;
    uint64_t size = 0;
    const bool overflows = __builtin_mul_overflow(width, uint64_t{element}, &row) ||
                           __builtin_mul_overflow(height - 1, pitch_bytes, &size) ||
                           __builtin_add_overflow(size, row, &size);
    if (width == 0 || height == 0 || overflows || row > pitch_bytes || size > buffer.size()) {
        throw InvalidArgument(describing, describe(buffer),
                              "an image of " + std::to_string(width) + " x " + std::to_string(height) +
                                  " elements with rows " + std::to_string(pitch_bytes) + " bytes apart",
                              "give at least one row and column, a pitch of at least a row's bytes, and a buffer that "
                              "holds all rows");
    }
    ResourceDescriptor resource;
    resource.kind_ = Kind::pitch2d;
    resource.buffer_ = buffer;
    resource.format_ = format;
    resource.num_channels_ = num_channels;
    resource.width_ = width;
    resource.height_ = height;
    resource.pitch_bytes_ = pitch_bytes;
    return resource;
}

struct TextureObject::State {
    detail::Alive<ObjectKind::texture_object> alive;
    CUtexObject handle = 0;
    int32_t device_id = 0;
    ResourceDescriptor resource;
    TextureObjectOptions options;

    State() = default;
    State(const State&) = delete;
    State& operator=(const State&) = delete;
    ~State() {
        if (handle == 0) return;
        clean_up(device_id, [this] {
            report_cleanup(driver::cuTexObjectDestroy(handle), "cuTexObjectDestroy", "destroying a texture object",
                           [this] { return describe_device(device_id); });
        });
    }
};

TextureObject::TextureObject(const Device& device, const ResourceDescriptor& resource,
                             const TextureObjectOptions& options) {
    require_device(device, resource, creating_texture);
    check_options(resource, options);
    auto made = std::make_shared<State>();
    made->resource = resource;
    made->options = options;
    made->device_id = device.device_id();
    const CUDA_RESOURCE_DESC native = native_resource(resource);
    const CUDA_TEXTURE_DESC reading = native_texture(options);
    const ContextScope scope(device.device_id());
    check(driver::cuTexObjectCreate(&made->handle, &native, &reading, nullptr), "cuTexObjectCreate", creating_texture,
          [&device] { return describe_device(device.device_id()); });
    state_ = std::move(made);
}

const TextureObject::State& TextureObject::state(const char* operation) const {
    if (!state_) {
        throw InvalidState(operation, "texture object", "the texture object is closed or default-constructed",
                           "create a new one");
    }
    return *state_;
}

uint64_t TextureObject::handle() const {
    return state("asking for a texture object's handle").handle;
}

const ResourceDescriptor& TextureObject::resource() const {
    return state("asking for a texture object's resource").resource;
}

const TextureObjectOptions& TextureObject::options() const {
    return state("asking for a texture object's options").options;
}

Device TextureObject::device() const {
    return Device(device_id());
}

int32_t TextureObject::device_id() const {
    return state("asking for a texture object's device").device_id;
}

const uint64_t* TextureObject::address_of_handle() const {
    static_assert(sizeof(CUtexObject) == sizeof(uint64_t));
    return reinterpret_cast<const uint64_t*>(&state("launching a kernel").handle);
}

struct SurfaceObject::State {
    detail::Alive<ObjectKind::surface_object> alive;
    CUsurfObject handle = 0;
    int32_t device_id = 0;
    ResourceDescriptor resource;

    State() = default;
    State(const State&) = delete;
    State& operator=(const State&) = delete;
    ~State() {
        if (handle == 0) return;
        clean_up(device_id, [this] {
            report_cleanup(driver::cuSurfObjectDestroy(handle), "cuSurfObjectDestroy", "destroying a surface object",
                           [this] { return describe_device(device_id); });
        });
    }
};

SurfaceObject::SurfaceObject(const Device& device, const ResourceDescriptor& resource) {
    require_device(device, resource, creating_surface);
    if (resource.kind() != ResourceDescriptor::Kind::opaque_array) {
        throw InvalidArgument(creating_surface, "resource", "a surface is of an array alone",
                              "give an array, or a level of a mipmapped array");
    }
    if (!resource.opaque_array().is_surface_load_store()) {
        throw InvalidArgument(creating_surface, "resource", "the array was not made for surfaces",
                              "create it with the option is_surface_load_store");
    }
    auto made = std::make_shared<State>();
    made->resource = resource;
    made->device_id = device.device_id();
    const CUDA_RESOURCE_DESC native = native_resource(resource);
    const ContextScope scope(device.device_id());
    check(driver::cuSurfObjectCreate(&made->handle, &native), "cuSurfObjectCreate", creating_surface,
          [&device] { return describe_device(device.device_id()); });
    state_ = std::move(made);
}

const SurfaceObject::State& SurfaceObject::state(const char* operation) const {
    if (!state_) {
        throw InvalidState(operation, "surface object", "the surface object is closed or default-constructed",
                           "create a new one");
    }
    return *state_;
}

uint64_t SurfaceObject::handle() const {
    return state("asking for a surface object's handle").handle;
}

const ResourceDescriptor& SurfaceObject::resource() const {
    return state("asking for a surface object's resource").resource;
}

Device SurfaceObject::device() const {
    return Device(device_id());
}

int32_t SurfaceObject::device_id() const {
    return state("asking for a surface object's device").device_id;
}

const uint64_t* SurfaceObject::address_of_handle() const {
    static_assert(sizeof(CUsurfObject) == sizeof(uint64_t));
    return reinterpret_cast<const uint64_t*>(&state("launching a kernel").handle);
}

}  // namespace cuprum::core
