#include "driver/memory/virtual_memory.hpp"

#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "driver/error/driver_error.hpp"
#include "driver/process/driver.hpp"

namespace cuprum::simulator::libcuda {

namespace {

constexpr int flags_of_reservation = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE;

[[noreturn]] void refuse_range(const std::string& why) {
    throw DriverError(CUDA_ERROR_INVALID_VALUE, why);
}

[[noreturn]] void out_of_memory(uint64_t size) {
    throw DriverError(CUDA_ERROR_OUT_OF_MEMORY, format("the system cannot give %llu bytes: %s",
                                                       static_cast<unsigned long long>(size), std::strerror(errno)));
}

std::string range_text(uint64_t address, uint64_t size) {
    return format("the %llu bytes at ", static_cast<unsigned long long>(size)) + hexadecimal(address);
}

bool show_nothing(uint64_t address, uint64_t size) {
    return ::mmap(reinterpret_cast<void*>(address), size, PROT_NONE, flags_of_reservation | MAP_FIXED, -1, 0) !=
           MAP_FAILED;
}

bool show_file(uint64_t address, uint64_t size, const SharedFile& file, uint64_t offset, CUmemAccess_flags flags) {
    const int protection = flags == CU_MEM_ACCESS_FLAGS_PROT_READ ? PROT_READ : PROT_READ | PROT_WRITE;
    return ::mmap(reinterpret_cast<void*>(address), size, protection, MAP_SHARED | MAP_FIXED, file.descriptor(),
                  static_cast<off_t>(offset)) != MAP_FAILED;
}

void require_granules(uint64_t address, uint64_t size, uint64_t offset) {
    constexpr uint64_t granularity = PhysicalMemory::granularity;
    if (size != 0 && (address | size | offset) % granularity == 0) return;
    refuse_range(range_text(address, size) + " are not a multiple of the granularity (cuMemGetAllocationGranularity)");
}

}  // namespace

PhysicalMemory::PhysicalMemory(Device& device, uint64_t size, const CUmemAllocationProp& properties)
    : device_(device), size_(size), properties_(properties), charged_(!lies_on_host()) {
    if (charged_ && !device.arena().charge(size)) {
        throw DriverError(
            CUDA_ERROR_OUT_OF_MEMORY,
            format("%llu bytes do not fit: %llu of the device's are free", static_cast<unsigned long long>(size),
                   static_cast<unsigned long long>(device.arena().total_bytes() - device.arena().used_bytes())));
    }
    try {
        file_ = SharedFile::create(size + SharedHeader::bytes);
        // The host's is taken from the system when it is first used.
        if (charged_) file_.fill(0, std::to_integer<int>(DeviceArena::poison), size);
        const SharedHeader header{SharedHeader::Content::physical_memory, size, properties};
        file_.write(size, &header, sizeof header);
    } catch (...) {
        if (charged_) device.arena().discharge(size);
        throw;
    }
}

PhysicalMemory::PhysicalMemory(Device& device, SharedFile file, const SharedHeader& header)
    : device_(device), size_(header.size), properties_(header.properties), charged_(false), file_(std::move(file)) {}

PhysicalMemory::~PhysicalMemory() {
    if (charged_) device_.arena().discharge(size_);
}

uint64_t VirtualMemory::reserve(uint64_t size, uint64_t alignment, uint64_t wanted) {
    alignment = std::max(alignment, PhysicalMemory::granularity);
    // Enough to find an aligned part in; the rest is given back.
    const uint64_t room = size + alignment;
    const auto take = [&](void* hint) {
        void* taken = ::mmap(hint, room, PROT_NONE, flags_of_reservation, -1, 0);
        if (taken == MAP_FAILED) out_of_memory(size);
        const auto begin = reinterpret_cast<uint64_t>(taken);
        const uint64_t aligned = (begin + alignment - 1) / alignment * alignment;
        if (aligned > begin) ::munmap(taken, aligned - begin);
        const uint64_t rest = begin + room - (aligned + size);
        if (rest > 0) ::munmap(reinterpret_cast<void*>(aligned + size), rest);
        return aligned;
    };
    const std::lock_guard lock(mutex_);
    const uint64_t seen = take(reinterpret_cast<void*>(wanted));
    uint64_t held = 0;
    // Behind another reservation: fills go over both where their bytes are at one distance, which this tries.
    const auto before = std::find_if(reservations_.begin(), reservations_.end(), [seen](const auto& reservation) {
        return reservation.first + reservation.second.size == seen;
    });
    if (before != reservations_.end()) {
        held = take(reinterpret_cast<void*>(seen + static_cast<uint64_t>(before->second.host_offset)));
    } else {
        held = take(nullptr);
    }
    reservations_[seen] = {size, static_cast<int64_t>(held - seen)};
    driver().addresses().add_reservation(seen, size);
    return seen;
}

void VirtualMemory::free(uint64_t address, uint64_t size) {
    const std::lock_guard lock(mutex_);
    const auto found = reservations_.find(address);
    if (found == reservations_.end() || found->second.size != size) {
        refuse_range(range_text(address, size) + " are not one whole reservation");
    }
    const auto mapped = mappings_.lower_bound(address);
    if (mapped != mappings_.end() && mapped->first < address + size) {
        refuse_range("memory is still mapped at " + hexadecimal(mapped->first));
    }
    driver().addresses().remove_reservation(address);
    ::munmap(reinterpret_cast<void*>(address), size);
    ::munmap(reinterpret_cast<void*>(address + static_cast<uint64_t>(found->second.host_offset)), size);
    reservations_.erase(found);
}

const VirtualMemory::Reservation& VirtualMemory::reservation_around(uint64_t address, uint64_t size) const {
    auto reservation = reservations_.upper_bound(address);
    if (reservation == reservations_.begin())
        refuse_range(hexadecimal(address) + " is not reserved (cuMemAddressReserve)");
    --reservation;
    if (address - reservation->first >= reservation->second.size ||
        size > reservation->second.size - (address - reservation->first)) {
        refuse_range(range_text(address, size) + " are not within one reservation (cuMemAddressReserve)");
    }
    return reservation->second;
}

bool VirtualMemory::is_mapped_anywhere(uint64_t address, uint64_t size) const {
    const auto next = mappings_.lower_bound(address);
    const bool overlaps_next = next != mappings_.end() && next->first < address + size;
    const bool overlaps_previous =
        next != mappings_.begin() && std::prev(next)->first + std::prev(next)->second.size > address;
    return overlaps_next || overlaps_previous;
}

void VirtualMemory::require_free(uint64_t address, uint64_t size) const {
    static_cast<void>(reservation_around(address, size));
    if (is_mapped_anywhere(address, size))
        refuse_range("something is mapped in " + range_text(address, size) + " already");
}

std::optional<VirtualMemory::Part> VirtualMemory::bound_part(uint64_t address, const Mapping& mapping, uint64_t offset,
                                                             const MulticastObject::Binding& binding) {
    const uint64_t begin = std::max(offset, mapping.object_offset);
    const uint64_t end = std::min(offset + binding.size, mapping.object_offset + mapping.size);
    if (begin >= end) return {};
    return Part{address + (begin - mapping.object_offset), end - begin, *binding.memory,
                binding.memory_offset + (begin - offset)};
}

std::vector<VirtualMemory::Part> VirtualMemory::parts_of(uint64_t address, const Mapping& mapping) {
    if (!mapping.object) return {Part{address, mapping.size, *mapping.memory, 0}};
    std::vector<Part> parts;
    for (const auto& [offset, binding] : mapping.object->bindings) {
        if (const std::optional<Part> part = bound_part(address, mapping, offset, binding)) parts.push_back(*part);
    }
    return parts;
}

void VirtualMemory::show(const Part& part, const Mapping& mapping) {
    const int64_t host_offset = reservation_around(part.address, part.size).host_offset;
    if (!show_file(part.address + static_cast<uint64_t>(host_offset), part.size, part.memory.file(), part.memory_offset,
                   CU_MEM_ACCESS_FLAGS_PROT_READWRITE)) {
        out_of_memory(part.size);
    }
    Allocation allocation;
    allocation.kind = Allocation::Kind::mapped;
    allocation.begin = part.address;
    allocation.size = part.size;
    allocation.host_offset = host_offset;
    allocation.device = part.memory.device().ordinal();
    allocation.lies_on_host = part.memory.lies_on_host();
    allocation.multicast = mapping.object != nullptr;
    allocation.access = mapping.access;
    allocation.description = format("cuMemMap of %llu bytes%s", static_cast<unsigned long long>(part.size),
                                    mapping.object ? " of a multicast object" : "");
    driver().addresses().add(std::move(allocation));
}

void VirtualMemory::hide(const Part& part) {
    const std::optional<Allocation> removed = driver().addresses().remove(part.address);
    if (!removed) return;
    // Where this fails the bytes stay reachable for the simulator, which looks for none there.
    show_nothing(part.address + static_cast<uint64_t>(removed->host_offset), part.size);
    if (removed->lies_on_host) show_nothing(part.address, part.size);
}

void VirtualMemory::map(uint64_t address, uint64_t size, uint64_t offset,
                        const std::shared_ptr<PhysicalMemory>& memory) {
    require_granules(address, size, 0);
    if (offset != 0) refuse_range("offset must be 0");
    if (size > memory->size())
        refuse_range(format("the memory has only %llu bytes", static_cast<unsigned long long>(memory->size())));
    const std::lock_guard lock(mutex_);
    require_free(address, size);
    const Mapping mapping{size, memory, std::make_shared<MemoryAccess>()};
    show({address, size, *memory, 0}, mapping);
    mappings_[address] = mapping;
}

void VirtualMemory::map(uint64_t address, uint64_t size, uint64_t offset,
                        const std::shared_ptr<MulticastObject>& object) {
    require_granules(address, size, offset);
    if (offset > object->size() || size > object->size() - offset) {
        refuse_range(
            format("the multicast object has only %llu bytes", static_cast<unsigned long long>(object->size())));
    }
    static_cast<void>(object->device());  // it must be there
    const std::lock_guard lock(mutex_);
    require_free(address, size);
    const Mapping mapping{size, nullptr, std::make_shared<MemoryAccess>(), object, offset};
    for (const Part& part : parts_of(address, mapping))
        show(part, mapping);
    mappings_[address] = mapping;
}

void VirtualMemory::bind(MulticastObject& object, uint64_t offset, const MulticastObject::Binding& binding) {
    const std::lock_guard lock(mutex_);
    const auto next = object.bindings.lower_bound(offset);
    if ((next != object.bindings.end() && next->first < offset + binding.size) ||
        (next != object.bindings.begin() && std::prev(next)->first + std::prev(next)->second.size > offset)) {
        refuse_range(format("memory is bound already to some of the %llu bytes from %llu on",
                            static_cast<unsigned long long>(binding.size), static_cast<unsigned long long>(offset)));
    }
    object.bindings[offset] = binding;
    for (const auto& [address, mapping] : mappings_) {
        if (mapping.object.get() != &object) continue;
        if (const std::optional<Part> part = bound_part(address, mapping, offset, binding)) show(*part, mapping);
    }
}

void VirtualMemory::unbind(MulticastObject& object, uint64_t offset, uint64_t size) {
    const std::lock_guard lock(mutex_);
    const auto found = object.bindings.find(offset);
    if (found == object.bindings.end() || found->second.size != size) {
        refuse_range(format("the %llu bytes from %llu on are not what one call has bound",
                            static_cast<unsigned long long>(size), static_cast<unsigned long long>(offset)));
    }
    for (const auto& [address, mapping] : mappings_) {
        if (mapping.object.get() != &object) continue;
        if (const std::optional<Part> part = bound_part(address, mapping, offset, found->second)) hide(*part);
    }
    object.bindings.erase(found);
}

std::pair<std::map<uint64_t, VirtualMemory::Mapping>::iterator, std::map<uint64_t, VirtualMemory::Mapping>::iterator>
VirtualMemory::mappings_of(uint64_t address, uint64_t size) {
    const auto first = mappings_.find(address);
    auto last = first;
    uint64_t reached = address;
    while (last != mappings_.end() && last->first == reached && reached < address + size) {
        reached += last->second.size;
        ++last;
    }
    if (reached != address + size || size == 0) {
        refuse_range(range_text(address, size) + " are not a sequence of whole mappings");
    }
    return {first, last};
}

void VirtualMemory::unmap(uint64_t address, uint64_t size) {
    const std::lock_guard lock(mutex_);
    // A GPU's driver (580) unmaps what is reserved and not mapped without complaint.
    if (size != 0 && !is_mapped_anywhere(address, size)) {
        static_cast<void>(reservation_around(address, size));
        return;
    }
    const auto [first, last] = mappings_of(address, size);
    for (auto mapping = first; mapping != last; ++mapping) {
        for (const Part& part : parts_of(mapping->first, mapping->second))
            hide(part);
    }
    mappings_.erase(first, last);
}

void VirtualMemory::set_access(uint64_t address, uint64_t size, uint32_t device, CUmemAccess_flags flags) {
    const std::lock_guard lock(mutex_);
    const auto [first, last] = mappings_of(address, size);
    for (auto mapping = first; mapping != last; ++mapping) {
        driver().addresses().set_access(*mapping->second.access, device, flags);
    }
}

void VirtualMemory::set_host_access(uint64_t address, uint64_t size, CUmemLocationType location,
                                    CUmemAccess_flags flags) {
    const std::lock_guard lock(mutex_);
    const auto [first, last] = mappings_of(address, size);
    for (auto mapping = first; mapping != last; ++mapping) {
        if (mapping->second.object)
            throw DriverError(CUDA_ERROR_NOT_SUPPORTED, "the host cannot be given access to a multicast object");
        const CUmemLocationType lies_at = mapping->second.memory->properties().location.type;
        if (lies_at == CU_MEM_LOCATION_TYPE_DEVICE) {
            throw DriverError(CUDA_ERROR_NOT_SUPPORTED, "the host cannot be given access to a device's memory");
        }
        if (location == CU_MEM_LOCATION_TYPE_HOST_NUMA && lies_at != location) {
            refuse_range("access from a NUMA node (CU_MEM_LOCATION_TYPE_HOST_NUMA) is for memory of one");
        }
    }
    for (auto mapping = first; mapping != last; ++mapping) {
        const bool done = flags == CU_MEM_ACCESS_FLAGS_PROT_NONE ? show_nothing(mapping->first, mapping->second.size)
                                                                 : show_file(mapping->first, mapping->second.size,
                                                                             mapping->second.memory->file(), 0, flags);
        if (!done) out_of_memory(mapping->second.size);
        driver().addresses().set_access(*mapping->second.access, MemoryAccess::host, flags);
    }
}

std::map<uint64_t, VirtualMemory::Mapping>::const_iterator VirtualMemory::mapping_at(uint64_t address) const {
    auto found = mappings_.upper_bound(address);
    if (found != mappings_.begin()) {
        --found;
        if (address - found->first < found->second.size) return found;
    }
    refuse_range("nothing is mapped at " + hexadecimal(address));
}

CUmemAccess_flags VirtualMemory::access_of(uint64_t address, uint32_t device) const {
    const std::lock_guard lock(mutex_);
    return driver().addresses().access_of(*mapping_at(address)->second.access, device);
}

std::pair<std::shared_ptr<PhysicalMemory>, uint64_t> VirtualMemory::memory_at(uint64_t address, uint64_t size) const {
    const std::lock_guard lock(mutex_);
    const auto& [begin, mapping] = *mapping_at(address);
    if (mapping.object)
        refuse_range("what is mapped at " + hexadecimal(address) + " is a multicast object, not memory");
    const uint64_t offset = address - begin;
    if (size > mapping.size - offset)
        refuse_range("not all of " + range_text(address, size) + " are of the memory that is mapped at " +
                     hexadecimal(begin));
    return {mapping.memory, offset};
}

VirtualMemory& virtual_memory() {
    static VirtualMemory* const instance = new VirtualMemory;
    return *instance;
}

}  // namespace cuprum::simulator::libcuda
