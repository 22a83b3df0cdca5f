#include "driver/memory/address_space.hpp"

#include <algorithm>

#include "driver/error/driver_error.hpp"
#include "driver/stream/running_operation.hpp"

namespace cuprum::simulator::libcuda {
namespace {

bool overlaps(const std::map<uint64_t, Allocation>& allocations, uint64_t begin, uint64_t size) {
    const auto next = allocations.lower_bound(begin);
    if (next != allocations.end() && next->first < begin + size) return true;
    if (next == allocations.begin()) return false;
    const Allocation& previous = std::prev(next)->second;
    return previous.begin + previous.size > begin;
}

// The allocation that holds the address, or null.
const Allocation* allocation_at(const std::map<uint64_t, Allocation>& allocations, uint64_t address) {
    const auto next = allocations.upper_bound(address);
    if (next == allocations.begin()) return nullptr;
    const Allocation& allocation = std::prev(next)->second;
    return address - allocation.begin < allocation.size ? &allocation : nullptr;
}

}  // namespace

void AddressSpace::add(Allocation allocation) {
    const std::lock_guard lock(mutex_);
    add_locked(std::move(allocation));
}

bool AddressSpace::add_if_free(Allocation allocation) {
    const std::lock_guard lock(mutex_);
    if (overlaps(allocations_, allocation.begin, allocation.size) ||
        overlaps(variables_, allocation.begin, allocation.size))
        return false;
    add_locked(std::move(allocation));
    return true;
}

void AddressSpace::add_locked(Allocation allocation) {
    allocation.identifier = next_identifier_++;
    if (StreamRaces* const races = stream_races()) races->forget(allocation.begin, allocation.size);
    // Its addresses may be those of something freed long ago.
    auto old = freed_.lower_bound(allocation.begin);
    if (old != freed_.begin() && std::prev(old)->second.begin + std::prev(old)->second.size > allocation.begin) --old;
    while (old != freed_.end() && old->first < allocation.begin + allocation.size) {
        old = freed_.erase(old);
    }
    forget_snapshots(allocation.kind == Allocation::Kind::variable);
    // Variables have initial values, and what the host reaches it writes unseen.
    using Kind = Allocation::Kind;
    if (keeps_written_ &&
        (allocation.kind == Kind::device || allocation.kind == Kind::pooled || allocation.kind == Kind::graph)) {
        allocation.written = std::make_shared<uint8_t[]>(allocation.size);
    }
    Allocations& allocations = of_kind(allocation.kind);
    const uint64_t begin = allocation.begin;
    allocations[begin] = std::move(allocation);
}

void AddressSpace::forget_snapshots(bool of_variables_too) {
    snapshots_.clear();
    if (of_variables_too) variable_ranges_.clear();
}

AddressSpace::Allocations* AddressSpace::beginning_at(uint64_t begin) {
    if (allocations_.contains(begin)) return &allocations_;
    return variables_.contains(begin) ? &variables_ : nullptr;
}

std::optional<Allocation> AddressSpace::remove(uint64_t begin) {
    const std::lock_guard lock(mutex_);
    Allocations* const allocations = beginning_at(begin);
    if (allocations == nullptr) return std::nullopt;
    Allocation allocation = std::move(allocations->extract(begin).mapped());
    if (StreamRaces* const races = stream_races()) races->forget(begin, allocation.size);
    forget_snapshots(allocations == &variables_);
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
    const Allocation* allocation = allocation_at(allocations_, address);
    if (allocation == nullptr) allocation = allocation_at(variables_, address);
    return allocation == nullptr ? std::nullopt : std::optional(*allocation);
}

std::vector<Allocation> AddressSpace::of_context(uint64_t context) const {
    const std::lock_guard lock(mutex_);
    std::vector<Allocation> result;
    for (const Allocations* const allocations : {&allocations_, &variables_}) {
        for (const auto& [begin, allocation] : *allocations) {
            if (allocation.context == context) result.push_back(allocation);
        }
    }
    return result;
}

std::vector<Allocation> AddressSpace::all() const {
    const std::lock_guard lock(mutex_);
    std::vector<Allocation> result;
    result.reserve(allocations_.size() + variables_.size());
    for (const Allocations* const allocations : {&allocations_, &variables_}) {
        for (const auto& [begin, allocation] : *allocations)
            result.push_back(allocation);
    }
    std::ranges::sort(result, {}, &Allocation::begin);
    return result;
}

void AddressSpace::set_accessible(uint64_t begin, bool accessible) {
    const std::lock_guard lock(mutex_);
    const auto found = allocations_.find(begin);
    if (found == allocations_.end()) return;
    found->second.accessible = accessible;
    forget_snapshots(false);
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
    forget_snapshots(true);
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
    forget_snapshots(true);
    return was_enabled != enabled;
}

void AddressSpace::forget_peer(uint64_t context) {
    const std::lock_guard lock(mutex_);
    std::erase_if(peers_, [&](const Peer& peer) { return peer.from == context || peer.to == context; });
    forget_snapshots(true);
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

MemoryRanges AddressSpace::ranges_of(const Allocations& allocations, uint32_t device) const {
    MemoryRanges ranges;
    ranges.reserve(allocations.size());
    for (const auto& [begin, allocation] : allocations) {
        if (!allocation.accessible) continue;
        const CUmemAccess_flags reach = reach_locked(device, allocation);
        if (reach == CU_MEM_ACCESS_FLAGS_PROT_NONE) continue;
        ranges.push_back({.begin = allocation.begin,
                          .size = allocation.size,
                          .host_offset = allocation.host_offset,
                          .writable = allocation.writable && reach == CU_MEM_ACCESS_FLAGS_PROT_READWRITE,
                          .multicast = allocation.multicast,
                          .host_visible = !allocation.device_only(),
                          .written = allocation.written,
                          .description = allocation.description});
    }
    return ranges;
}

SharedSnapshot AddressSpace::snapshot(uint32_t device) const {
    const std::lock_guard lock(mutex_);
    SharedSnapshot& cached = snapshots_[device];
    if (!cached) {
        std::shared_ptr<const MemoryRanges>& variables = variable_ranges_[device];
        if (!variables) variables = std::make_shared<const MemoryRanges>(ranges_of(variables_, device));
        cached = std::make_shared<const MemorySnapshot>(MemorySnapshot{ranges_of(allocations_, device), variables});
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
