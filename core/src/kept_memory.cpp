#include "kept_memory.hpp"

#include <algorithm>
#include <mutex>
#include <new>
#include <utility>

#include "context.hpp"

namespace cuprum::core {

namespace {

// Never freed, so that it may be used while the process exits.
struct Registry {
    std::mutex mutex;
    std::multimap<DevicePointer, KeptMemory*> users;  // of the memory at an address
};
Registry& registry() {
    static auto* const all = new Registry;
    return *all;
}

}  // namespace

KeptMemory::~KeptMemory() {
    std::vector<std::shared_ptr<const Buffer>> let_go;  // after the lock: closing one takes it
    Registry& all = registry();
    const std::lock_guard lock(all.mutex);
    let_go.swap(buffers_);
    for (const DevicePointer address : addresses_) {
        const auto [begin, end] = all.users.equal_range(address);
        all.users.erase(std::find_if(begin, end, [this](const auto& user) { return user.second == this; }));
    }
    if (all.users.empty()) set(Circumstance::graphs_keep_memory, false);
}

void KeptMemory::add(DevicePointer address) {
    if (address == 0) return;
    Registry& all = registry();
    const std::lock_guard lock(all.mutex);
    if (const auto next = own_.upper_bound(address); next != own_.begin() && address < std::prev(next)->second) return;
    if (!addresses_.insert(address).second) return;
    try {
        all.users.emplace(address, this);
    } catch (...) {
        addresses_.erase(address);
        throw;
    }
    set(Circumstance::graphs_keep_memory, true);
}

void KeptMemory::add_own(DevicePointer address, uint64_t size) {
    const std::lock_guard lock(registry().mutex);
    own_.insert_or_assign(address, address + size);
}

bool hand_over_to_graphs(Buffer& closing) noexcept {
    if (closing.handle() == 0 || must_leak()) return false;
    std::shared_ptr<const Buffer> kept;  // goes after the lock, if nobody has taken it
    Registry& all = registry();
    const std::lock_guard lock(all.mutex);
    const DevicePointer end = closing.handle() + closing.size();
    auto user = all.users.lower_bound(closing.handle());
    if (user == all.users.end() || user->first >= end) return false;
    try {
        std::vector<KeptMemory*> users;
        for (; user != all.users.end() && user->first < end; ++user) {
            if (std::ranges::find(users, user->second) == users.end()) users.push_back(user->second);
        }
        for (KeptMemory* const each : users)
            each->buffers_.reserve(each->buffers_.size() + 1);
        kept = std::make_shared<const Buffer>(std::move(closing));
        for (KeptMemory* const each : users)
            each->buffers_.push_back(kept);
    } catch (const std::bad_alloc&) {
        static_cast<void>(closing.release());  // rather leaked than taken from under a graph
    }
    return true;
}

}  // namespace cuprum::core
