#include "driver/memory/address_space.hpp"

#include <algorithm>

#include "driver/error/driver_error.hpp"

namespace cuprum::simulator::libcuda {

void AddressSpace::add(Allocation allocation) {
    const std::lock_guard lock(mutex_);
    add_locked(std::move(allocation));
}

bool AddressSpace::add_if_free(Allocation allocation) {
    const std::lock_guard lock(mutex_);
    const auto next = allocations_.lower_bound(allocation.begin);
    if (next != allocations_.end() && next->first < allocation.begin + allocation.size) return false;
    if (next != allocations_.begin()) {
        const Allocation& previous = std::prev(next)->second;
        if (previous.begin + previous.size > allocation.begin) return false;
    }
    add_locked(std::move(allocation));
    return true;
}

void AddressSpace::add_locked(Allocation allocation) {
    allocation.identifier = next_identifier_++;
    // Its addresses may be those of something freed long ago.
    auto old = freed_.lower_bound(allocation.begin);
    if (old != freed_.begin() && std::prev(old)->second.begin + std::prev(old)->second.size > allocation.begin) --old;
    while (old != freed_.end() && old->first < allocation.begin + allocation.size) {
        old = freed_.erase(old);
    }
    snapshots_.clear();
    // Variables have initial values, and what the host reaches it writes unseen.
    using Kind = Allocation::Kind;
    if (keeps_written_ &&
        (allocation.kind == Kind::device || allocation.kind == Kind::pooled || allocation.kind == Kind::graph)) {
        allocation.written = std::make_shared<uint8_t[]>(allocation.size);
    }
    const uint64_t begin = allocation.begin;
    allocations_[begin] = std::move(allocation);
}

std::optional<Allocation> AddressSpace::remove(uint64_t begin) {
    const std::lock_guard lock(mutex_);
    const auto found = allocations_.find(begin);
    if (found == allocations_.end()) return std::nullopt;
    Allocation allocation = std::move(found->second);
    allocations_.erase(found);
    snapshots_.clear();
    freed_[begin] = {begin, allocation.size, allocation.identifier, allocation.description};
    freed_order_.emplace_back(begin, allocation.identifier);
    if (freed_order_.size() > remembered) {
        // What was freed there later stays.
        const auto [oldest, identifier] = freed_order_.front();
        freed_order_.pop_front();
        const auto forgotten = freed_.find(oldest);
        if (forgotten != freed_.end() && forgotten->second.identifier == identifier) freed_.erase(forgotten);
    }
    return allocation;
}

std::optional<Allocation> AddressSpace::find(uint64_t address) const {
    const std::lock_guard lock(mutex_);
    auto found = allocations_.upper_bound(address);
    if (found == allocations_.begin()) return std::nullopt;
    --found;
    if (address - found->second.begin >= found->second.size) return std::nullopt;
    return found->second;
}

std::vector<Allocation> AddressSpace::of_context(uint64_t context) const {
    const std::lock_guard lock(mutex_);
    std::vector<Allocation> result;
    for (const auto& [begin, allocation] : allocations_) {
        if (allocation.context == context) result.push_back(allocation);
    }
    return result;
}

std::vector<Allocation> AddressSpace::all() const {
    const std::lock_guard lock(mutex_);
    std::vector<Allocation> result;
    result.reserve(allocations_.size());
    for (const auto& [begin, allocation] : allocations_) {
        result.push_back(allocation);
    }
    return result;
}

void AddressSpace::set_accessible(uint64_t begin, bool accessible) {
    const std::lock_guard lock(mutex_);
    const auto found = allocations_.find(begin);
    if (found == allocations_.end()) return;
    found->second.accessible = accessible;
    snapshots_.clear();
}

bool AddressSpace::request_free(uint64_t begin) {
    const std::lock_guard lock(mutex_);
    const auto found = allocations_.find(begin);
    if (found == allocations_.end() || found->second.free_requested) return false;
    found->second.free_requested = true;
    return true;
}

void AddressSpace::set_access(MemoryAccess& access, uint32_t device, CUmemAccess_flags flags) {
    const std::lock_guard lock(mutex_);
    access.by_device[device] = flags;
    snapshots_.clear();
}

CUmemAccess_flags AddressSpace::access_of(const MemoryAccess& access, uint32_t device) const {
    const std::lock_guard lock(mutex_);
    const auto found = access.by_device.find(device);
    return found == access.by_device.end() ? CU_MEM_ACCESS_FLAGS_PROT_NONE : found->second;
}

void AddressSpace::add_reservation(uint64_t begin, uint64_t size) {
    const std::lock_guard lock(mutex_);
    reservations_[begin] = size;
}

bool AddressSpace::remove_reservation(uint64_t begin) {
    const std::lock_guard lock(mutex_);
    return reservations_.erase(begin) == 1;
}

bool AddressSpace::reserved(uint64_t address) const {
    const std::lock_guard lock(mutex_);
    auto found = reservations_.upper_bound(address);
    if (found == reservations_.begin()) return false;
    --found;
    return address - found->first < found->second;
}

bool AddressSpace::set_peer_access(uint64_t from, uint32_t device, uint64_t to, bool enabled) {
    const std::lock_guard lock(mutex_);
    const Peer peer{from, device, to};
    const bool was_enabled = std::erase(peers_, peer) > 0;
    if (enabled) peers_.push_back(peer);
    snapshots_.clear();
    return was_enabled != enabled;
}

void AddressSpace::forget_peer(uint64_t context) {
    const std::lock_guard lock(mutex_);
    std::erase_if(peers_, [&](const Peer& peer) { return peer.from == context || peer.to == context; });
    snapshots_.clear();
}

CUmemAccess_flags AddressSpace::reach(uint32_t device, const Allocation& allocation) const {
    const std::lock_guard lock(mutex_);
    return reach_locked(device, allocation);
}

// Any context of a device reaches what one of them was given access to, as on an H200.
CUmemAccess_flags AddressSpace::reach_locked(uint32_t device, const Allocation& allocation) const {
    CUmemAccess_flags reach = CU_MEM_ACCESS_FLAGS_PROT_READWRITE;
    if (allocation.access) {
        const auto granted = allocation.access->by_device.find(device);
        reach = granted != allocation.access->by_device.end() ? granted->second : CU_MEM_ACCESS_FLAGS_PROT_NONE;
    } else if (allocation.device_only() && allocation.device != device) {
        const bool peer = std::ranges::any_of(
            peers_, [&](const Peer& each) { return each.device == device && each.to == allocation.context; });
        if (!peer) reach = CU_MEM_ACCESS_FLAGS_PROT_NONE;
    }
    return reach;
}

void AddressSpace::note_written(uint64_t address, uint64_t bytes) {
    if (!keeps_written_) return;
    const std::lock_guard lock(mutex_);
    auto found = allocations_.upper_bound(address);
    if (found == allocations_.begin()) return;
    const Allocation& allocation = std::prev(found)->second;
    const uint64_t offset = address - allocation.begin;
    if (!allocation.written || offset >= allocation.size) return;
    set_written(allocation.written.get() + offset, std::min(bytes, allocation.size - offset), true);
}

SharedSnapshot AddressSpace::snapshot(uint32_t device) const {
    const std::lock_guard lock(mutex_);
    SharedSnapshot& cached = snapshots_[device];
    if (!cached) {
        auto built = std::make_shared<MemorySnapshot>();
        for (const auto& [begin, allocation] : allocations_) {
            if (!allocation.accessible) continue;
            const CUmemAccess_flags reach = reach_locked(device, allocation);
            if (reach == CU_MEM_ACCESS_FLAGS_PROT_NONE) continue;
            built->ranges.push_back({allocation.begin, allocation.size, allocation.host_offset,
                                     allocation.writable && reach == CU_MEM_ACCESS_FLAGS_PROT_READWRITE,
                                     allocation.written, allocation.description});
        }
        cached = std::move(built);
    }
    return cached;
}

std::string AddressSpace::describe_freed_locked(uint64_t address) const {
    auto found = freed_.upper_bound(address);
    if (found == freed_.begin()) return {};
    --found;
    const Freed& freed = found->second;
    if (address - freed.begin >= freed.size) return {};
    return "inside the " + freed.description + " at " + hexadecimal(freed.begin) + ", which has been freed";
}

std::string AddressSpace::describe_freed(uint64_t address) const {
    const std::lock_guard lock(mutex_);
    return describe_freed_locked(address);
}

std::string AddressSpace::describe(uint32_t device, uint64_t address) const {
    {
        const std::lock_guard lock(mutex_);
        const std::string freed = describe_freed_locked(address);
        if (!freed.empty()) return freed;
    }
    return snapshot(device)->describe(address);
}

}  // namespace cuprum::simulator::libcuda
