// Every address that the driver knows: device memory, pinned and registered host memory, managed memory, variables.
#pragma once

#include <atomic>
#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "driver/process/cuda_api.hpp"
#include "engine/memory/memory.hpp"

namespace cuprum::simulator::libcuda {

class MemoryPool;
class SharedFile;
class SharedMapping;

// Which devices may touch memory that cuMemPoolSetAccess or cuMemSetAccess is about, and how. Changed by
// AddressSpace::set_access alone; the devices of legacy allocations are a matter of cuCtxEnablePeerAccess instead.
struct MemoryAccess {
    static constexpr uint32_t host = UINT32_MAX;  // beside the ordinals: the host, for memory that programs map
    std::map<uint32_t, CUmemAccess_flags> by_device;
};

struct Allocation {
    enum class Kind { device, pooled, graph, mapped, variable, pinned_host, registered_host, managed };

    Kind kind = Kind::device;
    uint64_t begin = 0;
    uint64_t size = 0;
    int64_t host_offset = 0;  // add to an address to get the pointer by which the simulator reaches the bytes
    uint32_t device = 0;      // ordinal of the owner
    uint64_t context = 0;     // CUcontext of the owner; 0: belongs to a memory pool
    unsigned int flags = 0;   // as given to cuMemHostAlloc, cuMemHostRegister, cuMemAllocManaged
    uint64_t identifier = 0;  // CU_POINTER_ATTRIBUTE_BUFFER_ID
    bool writable = true;
    bool lies_on_host = false;  // of mapped memory: host memory, which cuMemCreate has made
    bool multicast = false;     // of mapped memory: bound to a multicast object, which is what is mapped
    // Stream-ordered memory is known from the call on, but kernels may touch it only from the point in the stream's
    // order at which it is allocated, up to the one at which it is freed.
    bool accessible = true;
    bool free_requested = false;
    std::weak_ptr<MemoryPool> pool;
    std::shared_ptr<SharedMapping> mapping;  // of memory shared between processes; null: the device's own bytes
    bool external = false;                   // cuExternalMemoryGetMappedBuffer's
    bool charged = true;                     // whether the bytes of a mapping count as used: not those of others
    std::shared_ptr<SharedFile> file;        // of shareable pools' memory, for other processes to open
    std::shared_ptr<MemoryAccess> access;    // null: the owner's, and its peers'
    std::shared_ptr<uint8_t[]> written;      // MemoryRange::written
    std::string description;                 // "cuMemAlloc of 4096 bytes"

    bool from_pinned_pool() const { return kind == Kind::pinned_host && context == 0; }
    bool on_host() const { return kind == Kind::pinned_host || kind == Kind::registered_host || lies_on_host; }
    // What cuIpcOpenMemHandle has opened, and cuIpcCloseMemHandle closes.
    bool opened() const { return kind == Kind::device && mapping != nullptr && !external; }
    bool device_only() const { return !on_host() && kind != Kind::managed; }
};

// Thread-safe. Allocations are immutable but for what the members below change, and are handed out by value.
class AddressSpace {
public:
    void add(Allocation allocation);
    // For memory whose address the program chose: false, and nothing added, if it overlaps an allocation.
    bool add_if_free(Allocation allocation);
    // Removes the allocation that begins at `begin`.
    std::optional<Allocation> remove(uint64_t begin);
    // The allocation that holds the address; one past the end belongs to none.
    std::optional<Allocation> find(uint64_t address) const;
    // All that belong to a context.
    std::vector<Allocation> of_context(uint64_t context) const;
    std::vector<Allocation> all() const;

    // For stream-ordered memory, see Allocation::accessible.
    void set_accessible(uint64_t begin, bool accessible);
    // False if its release had been asked for already.
    bool request_free(uint64_t begin);

    void set_access(MemoryAccess& access, uint32_t device, CUmemAccess_flags flags);
    CUmemAccess_flags access_of(const MemoryAccess& access, uint32_t device) const;

    // Addresses that a program has reserved to map memory there.
    void add_reservation(uint64_t begin, uint64_t size);
    bool remove_reservation(uint64_t begin);
    bool reserved(uint64_t address) const;

    // From now on kernels of device `device` reach the memory of context `to`, because context `from` of that device
    // asked for it; or no longer. False if that was so already.
    bool set_peer_access(uint64_t from, uint32_t device, uint64_t to, bool enabled);
    // The context has ended, and with it the access that it had or gave.
    void forget_peer(uint64_t context);

    // What a device may do with an allocation's bytes: nothing, read them, or write them too.
    CUmemAccess_flags reach(uint32_t device, const Allocation& allocation) const;

    // Device memory that is added from now on keeps which bytes have been written (CUPRUM_SIM=check=memory).
    void keep_written() { keeps_written_ = true; }
    // Bytes that a copy or a fill writes, of one allocation or beyond it.
    void note_written(uint64_t address, uint64_t bytes);

    // What kernels of a device may touch now: its own memory, host memory, managed memory, and its peers'.
    SharedSnapshot snapshot(uint32_t device) const;
    // A sentence that places a bad address, freed allocations included.
    std::string describe(uint32_t device, uint64_t address) const;
    // "the cuMemAlloc of 64 bytes at 0x..., freed since" for an address in memory freed a while ago; else empty.
    std::string describe_freed(uint64_t address) const;

private:
    struct Freed {
        uint64_t begin, size, identifier;
        std::string description;
    };
    static constexpr size_t remembered = 4096;  // freed allocations

    struct Peer {
        uint64_t from;
        uint32_t device;
        uint64_t to;
        friend bool operator==(const Peer&, const Peer&) = default;
    };

    using Allocations = std::map<uint64_t, Allocation>;  // by begin

    Allocations& of_kind(Allocation::Kind kind) {
        return kind == Allocation::Kind::variable ? variables_ : allocations_;
    }
    // Where the allocation is that begins at `begin`; null: there is none.
    Allocations* beginning_at(uint64_t begin);
    void add_locked(Allocation allocation);
    void forget_snapshots(bool of_variables_too);
    MemoryRanges ranges_of(const Allocations& allocations, uint32_t device) const;
    CUmemAccess_flags reach_locked(uint32_t device, const Allocation& allocation) const;
    bool keeps_written_ = false;
    std::string describe_freed_locked(uint64_t address) const;

    mutable std::mutex mutex_;
    Allocations allocations_;  // but variables
    Allocations variables_;    // of modules: many, and they change when a module is loaded or unloaded alone
    std::map<uint64_t, Freed> freed_;
    std::deque<std::pair<uint64_t, uint64_t>> freed_order_;  // begin, identifier
    std::vector<Peer> peers_;
    std::map<uint64_t, uint64_t> reservations_;  // begin -> size
    uint64_t next_identifier_ = 1;
    // By device; cleared by every change, those of the variables by changes that concern them.
    mutable std::map<uint32_t, SharedSnapshot> snapshots_;
    mutable std::map<uint32_t, std::shared_ptr<const MemoryRanges>> variable_ranges_;
};

}  // namespace cuprum::simulator::libcuda
