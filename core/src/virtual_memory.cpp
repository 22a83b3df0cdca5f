#include "cuprum/core/virtual_memory.hpp"

#include <algorithm>
#include <string>
#include <utility>

#include "allocation.hpp"
#include "context.hpp"
#include "driver_error.hpp"
#include "memory_resource_state.hpp"
#include "require.hpp"
#include "virtual_memory_state.hpp"

namespace cuprum::core {

namespace {

constexpr const char* making_virtual_memory = "making a virtual memory resource";
constexpr const char* allocating = "allocating virtual memory";
constexpr const char* freeing = "freeing virtual memory";

std::string device_text(const Device& device) {
    return describe_device(device.device_id());
}

std::string range_text(DevicePointer address, uint64_t size) {
    return hexadecimal(address) + " (" + std::to_string(size) + " bytes)";
}

CUmemAccessDesc access_description(const Device& device, MemoryAccess access) {
    CUmemAccessDesc description{};
    description.location.type = CU_MEM_LOCATION_TYPE_DEVICE;
    description.location.id = device_state(device.device_id()).device;
    description.flags = static_cast<CUmemAccess_flags>(access);
    return description;
}

void require_support(const Device& device) {
    int supported = 0;
    check(driver::cuDeviceGetAttribute(&supported, CU_DEVICE_ATTRIBUTE_VIRTUAL_MEMORY_MANAGEMENT_SUPPORTED,
                                       device_state(device.device_id()).device),
          "cuDeviceGetAttribute", making_virtual_memory, [&] { return device_text(device); });
    if (supported != 0) return;
    throw Unsupported(making_virtual_memory, device_text(device), "the device has no virtual memory management",
                      "use a device memory resource");
}

void require_peer_access(const Device& device, const Device& peer) {
    int possible = 0;
    check(driver::cuDeviceCanAccessPeer(&possible, device_state(peer.device_id()).device,
                                        device_state(device.device_id()).device),
          "cuDeviceCanAccessPeer", making_virtual_memory, [&] { return device_text(peer); });
    if (possible != 0) return;
    throw InvalidArgument(making_virtual_memory, device_text(device),
                          device_text(peer) + " cannot use the memory of " + device_text(device),
                          "leave it out of the peers, and copy between the devices instead");
}

}  // namespace

// Reserved addresses, freed with the object.
class VirtualMemory::Addresses {
public:
    Addresses(int32_t device_id, uint64_t size, uint64_t alignment, DevicePointer hint)
        : device_id_(device_id), size_(size) {
        check(driver::cuMemAddressReserve(&address_, size, alignment, hint, 0), "cuMemAddressReserve", allocating,
              [size] { return "addresses for " + std::to_string(size) + " bytes"; });
    }
    ~Addresses() {
        clean_up(device_id_, [this] {
            report_cleanup(driver::cuMemAddressFree(address_, size_), "cuMemAddressFree", freeing,
                           [this] { return range_text(address_, size_); });
        });
    }
    Addresses(const Addresses&) = delete;
    Addresses& operator=(const Addresses&) = delete;

    DevicePointer address() const { return address_; }

private:
    int32_t device_id_;
    CUdeviceptr address_ = 0;
    uint64_t size_;
};

// Memory of the device, given back with the object and the last of its mappings.
class VirtualMemory::Bytes {
public:
    Bytes(int32_t device_id, uint64_t size, const CUmemAllocationProp& properties)
        : device_id_(device_id), size_(size) {
        check_allocation(driver::cuMemCreate(&handle_, size, &properties, 0), "cuMemCreate", Device(device_id), size);
    }
    ~Bytes() {
        clean_up(device_id_, [this] {
            report_cleanup(driver::cuMemRelease(handle_), "cuMemRelease", freeing,
                           [this] { return std::to_string(size_) + " bytes"; });
        });
    }
    Bytes(const Bytes&) = delete;
    Bytes& operator=(const Bytes&) = delete;

    CUmemGenericAllocationHandle handle() const { return handle_; }
    uint64_t size() const { return size_; }

private:
    int32_t device_id_;
    CUmemGenericAllocationHandle handle_ = 0;
    uint64_t size_;
};

// Memory that can be used at an address for as long as the object lives.
class VirtualMemory::Mapping {
public:
    Mapping(int32_t device_id, DevicePointer address, const Bytes& bytes)
        : device_id_(device_id), address_(address), size_(bytes.size()) {
        check(driver::cuMemMap(address, size_, 0, bytes.handle(), 0), "cuMemMap", allocating,
              [this] { return range_text(address_, size_); });
    }
    ~Mapping() {
        clean_up(device_id_, [this] {
            report_cleanup(driver::cuMemUnmap(address_, size_), "cuMemUnmap", freeing,
                           [this] { return range_text(address_, size_); });
        });
    }
    Mapping(const Mapping&) = delete;
    Mapping& operator=(const Mapping&) = delete;

private:
    int32_t device_id_;
    DevicePointer address_;
    uint64_t size_;
};

VirtualMemory::VirtualMemory(const Device& device, const VirtualMemoryResourceOptions& options)
    : device_id_(device.device_id()), options_(options) {
    primary_context(device_id_);
    require_support(device);
    const uint64_t alignment = options.address_alignment;
    if ((alignment & (alignment - 1)) != 0) {
        throw InvalidArgument(making_virtual_memory, device_text(device),
                              "the alignment of addresses must be a power of two, not " + std::to_string(alignment));
    }
    if (options.self_access != MemoryAccess::none) accesses_.push_back(access_description(device, options.self_access));
    for (const Device& peer : options.peers) {
        if (peer == device || options.peer_access == MemoryAccess::none) continue;
        require_peer_access(device, peer);
        accesses_.push_back(access_description(peer, options.peer_access));
    }
    properties_.type = CU_MEM_ALLOCATION_TYPE_PINNED;
    properties_.requestedHandleTypes = static_cast<CUmemAllocationHandleType>(options.handle_type);
    properties_.location = access_description(device, MemoryAccess::none).location;
    properties_.allocFlags.gpuDirectRDMACapable = options.gpu_direct_rdma ? 1 : 0;
    size_t granularity = 0;
    check(driver::cuMemGetAllocationGranularity(&granularity, &properties_,
                                                static_cast<CUmemAllocationGranularity_flags>(options.granularity)),
          "cuMemGetAllocationGranularity", making_virtual_memory, [&] { return device_text(device); });
    granularity_ = granularity;
}

// Memory that Buffer::release() gave up and nobody has freed.
VirtualMemory::~VirtualMemory() = default;

uint64_t VirtualMemory::rounded_up(uint64_t size) const {
    if (size > UINT64_MAX - granularity_) {
        check_allocation(CUDA_ERROR_OUT_OF_MEMORY, "cuMemCreate", Device(device_id_), size);
    }
    return (size + granularity_ - 1) / granularity_ * granularity_;
}

// Maps the bytes and lets the devices use them; gives the address behind them.
DevicePointer VirtualMemory::map(Range& range, DevicePointer address, const std::shared_ptr<Bytes>& bytes) const {
    auto mapping = std::make_unique<Mapping>(device_id_, address, *bytes);
    if (!accesses_.empty()) {
        check(driver::cuMemSetAccess(address, bytes->size(), accesses_.data(), accesses_.size()), "cuMemSetAccess",
              allocating, [&] { return range_text(address, bytes->size()); });
    }
    range.bytes.push_back(bytes);
    range.mappings.push_back(std::move(mapping));
    range.size += bytes->size();
    return address + bytes->size();
}

// A range of its own with all of these.
VirtualMemory::Range VirtualMemory::whole(uint64_t size, const std::vector<std::shared_ptr<Bytes>>& bytes) const {
    Range range;
    range.addresses.push_back(
        std::make_unique<Addresses>(device_id_, size, options_.address_alignment, options_.address_hint));
    DevicePointer address = range.addresses.front()->address();
    for (const std::shared_ptr<Bytes>& each : bytes)
        address = map(range, address, each);
    return range;
}

DevicePointer VirtualMemory::allocate(uint64_t size) {
    const uint64_t rounded = rounded_up(size);
    Range range = whole(rounded, {std::make_shared<Bytes>(device_id_, rounded, properties_)});
    const DevicePointer address = range.addresses.front()->address();
    const std::lock_guard lock(mutex_);
    ranges_.emplace(address, std::move(range));
    return address;
}

// Whether the addresses behind the range were free.
bool VirtualMemory::extend(DevicePointer address, Range& range, const std::shared_ptr<Bytes>& added) const {
    const DevicePointer wanted = address + range.size;
    auto behind = std::make_unique<Addresses>(device_id_, added->size(), 0, wanted);
    if (behind->address() != wanted) return false;
    range.addresses.push_back(std::move(behind));
    try {
        map(range, wanted, added);
    } catch (...) {
        range.addresses.pop_back();
        throw;
    }
    return true;
}

DevicePointer VirtualMemory::grow(DevicePointer address, uint64_t new_size,
                                  void (*before_moving)(const BufferRef&) noexcept) {
    const uint64_t rounded = rounded_up(new_size);
    const std::lock_guard lock(mutex_);
    const auto found = ranges_.find(address);
    if (found == ranges_.end()) return 0;
    Range& range = found->second;
    if (rounded <= range.size) return address;
    const auto added = std::make_shared<Bytes>(device_id_, rounded - range.size, properties_);
    if (extend(address, range, added)) return address;
    std::vector<std::shared_ptr<Bytes>> all = range.bytes;
    all.push_back(added);
    Range moved = whole(rounded, all);
    const DevicePointer new_address = moved.addresses.front()->address();
    auto node = ranges_.extract(found);
    before_moving(BufferRef::from_handle(address, node.mapped().size, device_id_));
    node.key() = new_address;
    std::swap(node.mapped(), moved);  // what it was goes with `moved`, in its own order
    ranges_.insert(std::move(node));
    return new_address;
}

bool VirtualMemory::free(DevicePointer address) noexcept {
    std::map<DevicePointer, Range>::node_type node;
    {
        const std::lock_guard lock(mutex_);
        node = ranges_.extract(address);
    }
    return !node.empty();
}

VirtualMemoryResource::VirtualMemoryResource(const Device& device, const VirtualMemoryResourceOptions& options)
    : MemoryResource([&] {
          auto state = std::make_shared<MemoryResourceState>();
          state->kind = MemoryKind::device;
          state->device_id = device.device_id();
          state->virtual_memory = std::make_shared<VirtualMemory>(device, options);
          return state;
      }()) {}

VirtualMemoryResource VirtualMemoryResource::of(const MemoryResource& resource) {
    constexpr const char* operation = "using virtual memory";
    VirtualMemoryResource found(resource);
    if (found.opened(operation).virtual_memory == nullptr) {
        throw InvalidArgument(operation, "memory resource", "this memory resource is of another kind",
                              "use a virtual memory resource");
    }
    return found;
}

uint64_t VirtualMemoryResource::granularity() const {
    return opened("asking for the granularity of virtual memory").virtual_memory->granularity();
}

void VirtualMemoryResource::modify_allocation(Buffer& buffer, uint64_t new_size) const {
    const auto operation = [&] { return "growing a buffer to " + std::to_string(new_size) + " bytes"; };
    const MemoryResourceState& state = opened("growing a buffer");
    require_open(buffer, "growing a buffer");
    if (buffer.resource_ == nullptr || buffer.resource_->virtual_memory != state.virtual_memory) {
        throw InvalidArgument(operation(), describe(buffer), "it was not allocated from this memory resource",
                              "use the memory resource that it was allocated from");
    }
    if (new_size < buffer.size()) {
        throw InvalidArgument(operation(), describe(buffer), "a buffer can only become larger",
                              "use a part of it, or allocate a smaller one");
    }
    if (new_size == buffer.size()) return;
    buffer.address_ = buffer.address_ == 0
                          ? state.virtual_memory->allocate(new_size)
                          : state.virtual_memory->grow(buffer.address_, new_size, [](const BufferRef& moved) noexcept {
                                wait_for_devices_that_use(moved, no_device);
                            });
    buffer.size_ = new_size;
}

}  // namespace cuprum::core
