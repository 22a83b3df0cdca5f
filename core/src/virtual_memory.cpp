#include "cuprum/core/virtual_memory.hpp"

#include <algorithm>
#include <optional>
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

constexpr const char* allocating = "allocating virtual memory";
constexpr const char* freeing = "freeing virtual memory";

std::string range_text(DevicePointer address, uint64_t size) {
    return hexadecimal(address) + " (" + std::to_string(size) + " bytes)";
}

void set_accesses(DevicePointer address, uint64_t size, const std::vector<CUmemAccessDesc>& accesses) {
    if (accesses.empty()) return;
    check(driver::cuMemSetAccess(address, size, accesses.data(), accesses.size()), "cuMemSetAccess",
          "letting devices use virtual memory", [&] { return range_text(address, size); });
}

bool same_location(const CUmemLocation& left, const CUmemLocation& right) {
    return left.type == right.type && left.id == right.id;
}

// What turns the accesses that memory has into others: those that are not among them end.
std::vector<CUmemAccessDesc> change_of(const std::vector<CUmemAccessDesc>& from,
                                       const std::vector<CUmemAccessDesc>& to) {
    std::vector<CUmemAccessDesc> change = to;
    for (CUmemAccessDesc each : from) {
        const bool stays = std::any_of(to.begin(), to.end(), [&](const CUmemAccessDesc& other) {
            return same_location(each.location, other.location);
        });
        if (stays) continue;
        each.flags = CU_MEM_ACCESS_FLAGS_PROT_NONE;
        change.push_back(each);
    }
    return change;
}

void check_creation(CUresult result, int32_t device_id, const CUmemLocation& location, uint64_t size) {
    if (location.type == CU_MEM_LOCATION_TYPE_DEVICE || result == CUDA_SUCCESS) {
        check_allocation(result, "cuMemCreate", Device(device_id), size);
        return;
    }
    std::string operation = "allocating " + std::to_string(size) + " bytes";
    if (result != CUDA_ERROR_OUT_OF_MEMORY) {
        throw_driver_error(result, "cuMemCreate", std::move(operation), describe_location(location));
    }
    throw OutOfMemory(driver_error_info(result, "cuMemCreate", std::move(operation), describe_location(location)),
                      size);
}

uint64_t rounded_up(uint64_t size, int32_t device_id, const VirtualMemoryConfiguration& configuration) {
    const uint64_t unit = configuration.granularity();
    if (size > UINT64_MAX - unit) {
        check_creation(CUDA_ERROR_OUT_OF_MEMORY, device_id, configuration.properties().location, size);
    }
    return (size + unit - 1) / unit * unit;
}

}  // namespace

// Reserved addresses, freed with the object: of more bytes than are asked for, so that what lies there can grow: an
// H200 (driver 580) did not copy 6 MB that lay in three reservations side by side ("Copy range not fully allocated").
class VirtualMemory::Addresses {
public:
    Addresses(int32_t device_id, uint64_t size, uint64_t alignment, DevicePointer hint)
        : device_id_(device_id), size_(with_room_to_grow(size)) {
        check(driver::cuMemAddressReserve(&address_, size_, alignment, hint, 0), "cuMemAddressReserve", allocating,
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
    uint64_t size() const { return size_; }

private:
    // A multiple of `size`, and so of every granularity. Addresses cost nothing, but there are 2^47 bytes of them.
    static uint64_t with_room_to_grow(uint64_t size) {
        constexpr uint64_t most = uint64_t{1} << 40U;
        return size > most ? size : size * 4;
    }

    int32_t device_id_;
    CUdeviceptr address_ = 0;
    uint64_t size_;
};

// Memory, given back with the object and the last of its mappings.
class VirtualMemory::Bytes {
public:
    Bytes(int32_t device_id, uint64_t size, const CUmemAllocationProp& properties)
        : device_id_(device_id), size_(size) {
        check_creation(driver::cuMemCreate(&handle_, size, &properties, 0), device_id, properties.location, size);
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

// Changes who can use a range, and changes it back unless it is kept.
class VirtualMemory::AccessChange {
public:
    AccessChange(int32_t device_id, DevicePointer address, Range& range, const std::vector<CUmemAccessDesc>& accesses)
        : device_id_(device_id), address_(address), size_(range.size), range_(range), before_(range.accesses) {
        set_accesses(address, size_, change_of(before_, accesses));
        range.accesses = accesses;
    }
    ~AccessChange() {
        if (kept_) return;
        clean_up(device_id_, [this] {
            const std::vector<CUmemAccessDesc> back = change_of(range_.accesses, before_);
            if (back.empty()) return;
            report_cleanup(driver::cuMemSetAccess(address_, size_, back.data(), back.size()), "cuMemSetAccess",
                           "letting devices use virtual memory as before",
                           [this] { return range_text(address_, size_); });
        });
        range_.accesses = std::move(before_);
    }
    AccessChange(const AccessChange&) = delete;
    AccessChange& operator=(const AccessChange&) = delete;

    void keep() { kept_ = true; }

private:
    int32_t device_id_;
    DevicePointer address_;
    uint64_t size_;
    Range& range_;
    std::vector<CUmemAccessDesc> before_;
    bool kept_ = false;
};

VirtualMemory::VirtualMemory(const Device& device, const VirtualMemoryResourceOptions& options)
    : device_id_(device.device_id()),
      configuration_(std::make_shared<const VirtualMemoryConfiguration>(device, options)) {}

// Memory that Buffer::release() gave up and nobody has freed.
VirtualMemory::~VirtualMemory() = default;

std::shared_ptr<const VirtualMemoryConfiguration> VirtualMemory::configuration() const {
    const std::lock_guard lock(mutex_);
    return configuration_;
}

std::shared_ptr<const VirtualMemoryConfiguration> VirtualMemory::changed(
    const VirtualMemoryResourceOptions& options) const {
    const auto made = std::make_shared<const VirtualMemoryConfiguration>(Device(device_id_), options);
    const std::shared_ptr<const VirtualMemoryConfiguration> current = configuration();
    if (made->lies_where(*current)) return made;
    const std::string here = describe_location(current->properties().location);
    throw InvalidArgument("growing a buffer", here,
                          "the options' location is " + describe_location(made->properties().location) +
                              ", and a buffer lies in one place",
                          "leave the location as it is: " + here);
}

void VirtualMemory::configure(std::shared_ptr<const VirtualMemoryConfiguration> configuration) {
    if (configuration == nullptr) return;
    const std::lock_guard lock(mutex_);
    configuration_ = std::move(configuration);
}

// Maps the bytes and lets the devices use them; gives the address behind them.
DevicePointer VirtualMemory::map(Range& range, DevicePointer address, const std::shared_ptr<Bytes>& bytes) const {
    auto mapping = std::make_unique<Mapping>(device_id_, address, *bytes);
    set_accesses(address, bytes->size(), range.accesses);
    range.bytes.push_back(bytes);
    range.mappings.push_back(std::move(mapping));
    range.size += bytes->size();
    return address + bytes->size();
}

// A range of its own with all of these.
VirtualMemory::Range VirtualMemory::whole(const VirtualMemoryConfiguration& configuration,
                                          const std::vector<CUmemAccessDesc>& accesses, uint64_t size,
                                          const std::vector<std::shared_ptr<Bytes>>& bytes) const {
    Range range;
    range.accesses = accesses;
    range.addresses =
        std::make_unique<Addresses>(device_id_, size, configuration.address_alignment(), configuration.address_hint());
    DevicePointer address = range.addresses->address();
    for (const std::shared_ptr<Bytes>& each : bytes)
        address = map(range, address, each);
    return range;
}

DevicePointer VirtualMemory::allocate(uint64_t size, const VirtualMemoryConfiguration* configuration) {
    const std::shared_ptr<const VirtualMemoryConfiguration> own = this->configuration();
    const VirtualMemoryConfiguration& chosen = configuration != nullptr ? *configuration : *own;
    const uint64_t rounded = rounded_up(size, device_id_, chosen);
    Range range =
        whole(chosen, chosen.accesses(), rounded, {std::make_shared<Bytes>(device_id_, rounded, chosen.properties())});
    const DevicePointer address = range.addresses->address();
    const std::lock_guard lock(mutex_);
    ranges_.emplace(address, std::move(range));
    return address;
}

// More bytes, so that it has `size` at least.
DevicePointer VirtualMemory::add(std::map<DevicePointer, Range>::iterator found, uint64_t size,
                                 const VirtualMemoryConfiguration& configuration,
                                 void (*before_change)(const BufferRef&) noexcept) {
    const DevicePointer address = found->first;
    Range& range = found->second;
    const uint64_t more = rounded_up(size - range.size, device_id_, configuration);
    const auto added = std::make_shared<Bytes>(device_id_, more, configuration.properties());
    if (more <= range.addresses->size() - range.size) {
        map(range, address + range.size, added);
        return address;
    }
    std::vector<std::shared_ptr<Bytes>> all = range.bytes;
    all.push_back(added);
    Range moved = whole(configuration, range.accesses, range.size + more, all);
    const DevicePointer new_address = moved.addresses->address();
    auto node = ranges_.extract(found);
    before_change(BufferRef::from_handle(address, node.mapped().size, device_id_));
    node.key() = new_address;
    std::swap(node.mapped(), moved);  // what it was goes with `moved`, in its own order
    ranges_.insert(std::move(node));
    return new_address;
}

DevicePointer VirtualMemory::grow(DevicePointer address, uint64_t new_size,
                                  const VirtualMemoryConfiguration* configuration,
                                  void (*before_change)(const BufferRef&) noexcept) {
    const std::lock_guard lock(mutex_);
    const auto found = ranges_.find(address);
    if (found == ranges_.end()) return 0;
    const VirtualMemoryConfiguration& chosen = configuration != nullptr ? *configuration : *configuration_;
    std::optional<AccessChange> change;
    if (configuration != nullptr) {
        before_change(BufferRef::from_handle(address, found->second.size, device_id_));
        change.emplace(device_id_, address, found->second, chosen.accesses());
    }
    const DevicePointer new_address =
        new_size <= found->second.size ? address : add(found, new_size, chosen, before_change);
    if (change) change->keep();
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
          state->virtual_memory = std::make_shared<VirtualMemory>(device, options);
          const bool on_host = state->virtual_memory->lies_on_host();
          state->kind = on_host ? MemoryKind::pinned : MemoryKind::device;
          state->device_id = on_host ? -1 : device.device_id();
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
    modify(buffer, new_size, nullptr);
}

void VirtualMemoryResource::modify_allocation(Buffer& buffer, uint64_t new_size,
                                              const VirtualMemoryResourceOptions& options) const {
    modify(buffer, new_size, &options);
}

void VirtualMemoryResource::modify(Buffer& buffer, uint64_t new_size,
                                   const VirtualMemoryResourceOptions* options) const {
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
    VirtualMemory& memory = *state.virtual_memory;
    std::shared_ptr<const VirtualMemoryConfiguration> changed;
    if (options != nullptr) {
        changed = memory.changed(*options);
    } else if (new_size == buffer.size()) {
        return;
    }
    if (buffer.address_ != 0) {
        buffer.address_ = memory.grow(buffer.address_, new_size, changed.get(), [](const BufferRef& moved) noexcept {
            wait_for_devices_that_use(moved, no_device);
        });
    } else if (new_size > 0) {
        buffer.address_ = memory.allocate(new_size, changed.get());
    }
    buffer.size_ = new_size;
    memory.configure(std::move(changed));
}

}  // namespace cuprum::core
