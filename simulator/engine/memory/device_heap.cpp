#include "engine/memory/device_heap.hpp"

#include <cstring>

#include "engine/checks/text.hpp"
#include "engine/program/executable.hpp"

namespace cuprum::simulator {
namespace {

constexpr uint64_t spacing = 64;  // between allocations: an index that runs over meets nothing

}  // namespace

uint64_t DeviceHeap::allocate(uint64_t bytes) {
    const std::lock_guard lock(mutex_);
    if (bytes > capacity_ - used_) return 0;
    const uint64_t room = (bytes + 15) / 16 * 16 + spacing;
    // Addresses rest until the window is used up: then the search begins again at its start.
    for (int attempt = 0; attempt < 2; ++attempt, next_ = 0) {
        while (next_ + room <= window::size) {
            const uint64_t address = window::heap + next_;
            const auto after = pieces_.lower_bound(address);
            const bool free_after = after == pieces_.end() || after->first >= address + room;
            if (free_after) {
                auto storage = std::make_unique_for_overwrite<std::byte[]>(static_cast<size_t>(bytes) + 16);
                std::memset(storage.get(), poison_byte, static_cast<size_t>(bytes) + 16);
                pieces_[address] = Piece{bytes, std::move(storage)};
                used_ += bytes;
                next_ += room;
                return address;
            }
            next_ = after->first + (after->second.size + 15) / 16 * 16 + spacing - window::heap;
        }
    }
    return 0;
}

bool DeviceHeap::release(uint64_t address) {
    const std::lock_guard lock(mutex_);
    const auto found = pieces_.find(address);
    if (found == pieces_.end() || found->second.bytes == nullptr) return false;
    found->second.bytes.reset();
    used_ -= found->second.size;
    freed_.push_back(address);
    if (freed_.size() > remembered) {
        pieces_.erase(freed_.front());
        freed_.pop_front();
    }
    return true;
}

std::byte* DeviceHeap::find(uint64_t address, uint64_t bytes) const {
    const std::lock_guard lock(mutex_);
    auto found = pieces_.upper_bound(address);
    if (found == pieces_.begin()) return nullptr;
    --found;
    const uint64_t offset = address - found->first;
    const Piece& piece = found->second;
    if (piece.bytes == nullptr || offset > piece.size || piece.size - offset < bytes) return nullptr;
    return piece.bytes.get() + offset;
}

std::string DeviceHeap::describe(uint64_t address) const {
    const std::lock_guard lock(mutex_);
    auto found = pieces_.upper_bound(address);
    if (found == pieces_.begin()) return hexadecimal(address) + " is not in any allocation of the kernels' heap";
    --found;
    const auto& [begin, piece] = *found;
    const uint64_t offset = address - begin;
    const std::string place = offset < piece.size ? "byte " + std::to_string(offset) + " of"
                                                  : std::to_string(offset - piece.size) + " bytes past the end of";
    return hexadecimal(address) + " is " + place + " the malloc of " + std::to_string(piece.size) + " bytes at " +
           hexadecimal(begin) + (piece.bytes == nullptr ? ", freed since" : "");
}

uint64_t DeviceHeap::used() const {
    const std::lock_guard lock(mutex_);
    return used_;
}

}  // namespace cuprum::simulator
