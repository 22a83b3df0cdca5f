#include "driver/memory/device_arena.hpp"

#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>

#include "driver/error/driver_error.hpp"
#include "driver/memory/page.hpp"

namespace cuprum::simulator::libcuda {

namespace {

constexpr uint64_t span_factor = 4;                  // addresses per byte of memory
constexpr uint64_t poison_chunk = 2ull << 20;        // the size of the page file that large fresh memory shows
constexpr uint64_t poison_by_mapping = 16ull << 20;  // from this size on memory is poisoned by mapping that file

uint64_t round_up(uint64_t value, uint64_t unit) {
    return (value + unit - 1) / unit * unit;
}

// Distance to the next allocation: larger for larger ones, where an index that runs over runs over by more.
uint64_t gap_after(uint64_t size) {
    return round_up(std::clamp<uint64_t>(size / 16, DeviceArena::alignment, 64 << 10), DeviceArena::alignment);
}

uint64_t footprint(uint64_t size, uint64_t unit) {
    return round_up(round_up(size, DeviceArena::alignment) + gap_after(size), unit);
}

// A file of poisoned pages, to be mapped copy-on-write; -1 if the system has none to give.
int poison_file() {
    static const int file = [] {
        const int created = ::memfd_create("cuprum-simulator-poison", MFD_CLOEXEC);
        if (created < 0) return -1;
        if (::ftruncate(created, static_cast<off_t>(poison_chunk)) == 0) {
            void* view = ::mmap(nullptr, poison_chunk, PROT_READ | PROT_WRITE, MAP_SHARED, created, 0);
            if (view != MAP_FAILED) {
                std::memset(view, std::to_integer<int>(DeviceArena::poison), poison_chunk);
                ::munmap(view, poison_chunk);
                return created;
            }
        }
        ::close(created);
        return -1;
    }();
    return file;
}

// Gives whole pages back to the system. `mapped`: they may show a file, which ends. Where it fails the pages stay,
// which costs memory and nothing else.
void empty_pages(uint64_t held, uint64_t size, bool mapped) {
    void* const pages = reinterpret_cast<void*>(held);
    if (mapped) {
        [[maybe_unused]] void* const renewed =
            ::mmap(pages, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED, -1, 0);
    } else {
        ::madvise(pages, size, MADV_DONTNEED);
    }
}

// The pages that [address, address + size) covers in part: two at most.
template <typename Visit>
void for_each_partial_page(uint64_t address, uint64_t size, const Visit& visit) {
    const uint64_t end = address + size;
    const uint64_t first = address / page * page;
    const uint64_t last = (end - 1) / page * page;
    if (first != address || (last == first && end != first + page)) visit(first);
    if (last != first && end != last + page) visit(last);
}

}  // namespace

DeviceArena::DeviceArena(uint64_t bytes) : total_(bytes), span_(round_up(bytes, poison_chunk) * span_factor) {
    const int flags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE;
    void* seen = ::mmap(nullptr, span_, PROT_NONE, flags, -1, 0);
    void* held = seen == MAP_FAILED ? MAP_FAILED : ::mmap(nullptr, span_, PROT_READ | PROT_WRITE, flags, -1, 0);
    if (held == MAP_FAILED) {
        if (seen != MAP_FAILED) ::munmap(seen, span_);
        throw DriverError(CUDA_ERROR_OUT_OF_MEMORY,
                          format("the simulated device's address space (%llu MiB, twice) cannot be reserved: %s; "
                                 "configure less with CUPRUM_SIM=memory=...",
                                 static_cast<unsigned long long>(span_ >> 20), std::strerror(errno)));
    }
    base_ = reinterpret_cast<uint64_t>(seen);
    next_ = base_;
    host_offset_ = static_cast<int64_t>(reinterpret_cast<uint64_t>(held) - base_);
    free_[base_] = span_;
}

DeviceArena::~DeviceArena() {
    ::munmap(reinterpret_cast<void*>(base_ + host_offset_), span_);
    ::munmap(reinterpret_cast<void*>(base_), span_);
}

// The next addresses that are enough, from next_ on and then from the first one.
std::optional<uint64_t> DeviceArena::take_addresses(uint64_t size, uint64_t unit) {
    const auto begin_in = [&](const auto& range, uint64_t from) { return round_up(std::max(range.first, from), unit); };
    const auto fits = [&](const auto& range, uint64_t from) {
        return begin_in(range, from) + size <= range.first + range.second;
    };
    uint64_t from = next_;
    auto range = free_.upper_bound(from);
    if (range != free_.begin()) --range;
    range = std::find_if(range, free_.end(), [&](const auto& each) { return fits(each, from); });
    if (range == free_.end()) {
        from = 0;
        range = std::find_if(free_.begin(), free_.end(), [&](const auto& each) { return fits(each, from); });
        if (range == free_.end()) return std::nullopt;
    }
    const uint64_t begin = begin_in(*range, from), end = range->first + range->second;
    next_ = begin + size;
    if (begin > range->first) {
        range->second = begin - range->first;
        if (next_ < end) free_.emplace_hint(std::next(range), next_, end - next_);
    } else {
        auto node = free_.extract(range++);
        if (next_ == end) return begin;
        node.key() = next_;
        node.mapped() = end - next_;
        free_.insert(range, std::move(node));
    }
    return begin;
}

std::optional<uint64_t> DeviceArena::allocate(uint64_t size, uint64_t unit) {
    std::optional<uint64_t> address;
    {
        const std::lock_guard lock(mutex_);
        if (size > total_ || used_ > total_ - size) return std::nullopt;
        const uint64_t wanted = footprint(size, unit);
        address = take_addresses(wanted, unit);
        // The longest freed first.
        while (!address && !resting_.empty()) {
            return_addresses(resting_.front().begin, resting_.front().size);
            resting_.pop_front();
            address = take_addresses(wanted, unit);
        }
        if (!address) return std::nullopt;
        used_ += size;
        occupy_partial_pages(*address, size);
    }
    fill_with_poison(*address, size);
    return address;
}

void DeviceArena::occupy_partial_pages(uint64_t address, uint64_t size) {
    for_each_partial_page(address, size, [&](uint64_t partial) { ++occupants_[partial]; });
}

void DeviceArena::leave_partial_pages(uint64_t address, uint64_t size) {
    for_each_partial_page(address, size, [&](uint64_t partial) {
        const auto found = occupants_.find(partial);
        if (--found->second != 0) return;
        occupants_.erase(found);
        vacated_.push_back(partial);
    });
    if (vacated_.size() >= most_vacated) give_back_vacated_pages();
}

void DeviceArena::give_back_vacated_pages() {
    std::sort(vacated_.begin(), vacated_.end());
    uint64_t begin = 0, end = 0;
    for (const uint64_t vacated : vacated_) {
        // It may have been taken again meanwhile, and may be listed twice.
        if (vacated + page == end || occupants_.contains(vacated)) continue;
        if (vacated != end) {
            give_back_pages(begin, end);
            begin = vacated;
        }
        end = vacated + page;
    }
    give_back_pages(begin, end);
    vacated_.clear();
}

void DeviceArena::give_back_pages(uint64_t begin, uint64_t end) {
    if (begin == end) return;
    const bool shared = stop_sharing(begin, end);
    empty_pages(begin + static_cast<uint64_t>(host_offset_), end - begin, shared);
}

bool DeviceArena::stop_sharing(uint64_t begin, uint64_t end) {
    const auto first = shared_pages_.lower_bound(begin), last = shared_pages_.lower_bound(end);
    if (first == last) return false;
    shared_.discard(offset_of(begin), end - begin);
    shared_pages_.erase(first, last);
    return true;
}

void DeviceArena::fill_with_poison(uint64_t address, uint64_t size) {
    auto* bytes = reinterpret_cast<std::byte*>(address + host_offset_);
    const int value = std::to_integer<int>(poison);
    const int file = size >= poison_by_mapping ? poison_file() : -1;
    if (file < 0) {
        std::memset(bytes, value, size);
        return;
    }
    const uint64_t skipped = round_up(reinterpret_cast<uint64_t>(bytes), page) - reinterpret_cast<uint64_t>(bytes);
    std::memset(bytes, value, skipped);
    uint64_t done = skipped;
    while (size - done >= page) {
        const uint64_t part = std::min(poison_chunk, (size - done) / page * page);
        void* mapped =
            ::mmap(bytes + done, part, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_FIXED | MAP_NORESERVE, file, 0);
        if (mapped == MAP_FAILED) break;
        done += part;
    }
    std::memset(bytes + done, value, size - done);
}

void DeviceArena::release(uint64_t address, uint64_t size, uint64_t unit) {
    // Nobody else uses these pages: what takes long is done while others may use the arena.
    const uint64_t begin = round_up(address, page);
    const uint64_t end = (address + size) / page * page;
    if (begin < end) {
        bool mapped = size >= poison_by_mapping;
        {
            const std::lock_guard lock(mutex_);
            mapped |= stop_sharing(begin, end);
        }
        empty_pages(begin + static_cast<uint64_t>(host_offset_), end - begin, mapped);
    }
    const std::lock_guard lock(mutex_);
    leave_partial_pages(address, size);
    used_ -= size;
    resting_.push_back({address, footprint(size, unit)});
    if (resting_.size() <= most_resting) return;
    return_addresses(resting_.front().begin, resting_.front().size);
    resting_.pop_front();
}

const SharedFile& DeviceArena::share(uint64_t address, uint64_t size) {
    const std::lock_guard lock(mutex_);
    if (!shared_.exists()) shared_ = SharedFile::create_sparse(span_);
    const uint64_t end = round_up(address + size, page);
    for (uint64_t begin = address / page * page; begin < end; begin += page) {
        if (shared_pages_.contains(begin)) continue;
        void* const held = reinterpret_cast<void*>(begin + static_cast<uint64_t>(host_offset_));
        shared_.write(begin - base_, held, page);
        if (::mmap(held, page, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED, shared_.descriptor(),
                   static_cast<off_t>(begin - base_)) == MAP_FAILED) {
            throw DriverError(CUDA_ERROR_OUT_OF_MEMORY,
                              std::string("device memory cannot be shared: ") + std::strerror(errno));
        }
        shared_pages_.insert(begin);
    }
    return shared_;
}

bool DeviceArena::charge(uint64_t size) {
    const std::lock_guard lock(mutex_);
    if (size > total_ || used_ > total_ - size) return false;
    used_ += size;
    return true;
}

void DeviceArena::discharge(uint64_t size) {
    const std::lock_guard lock(mutex_);
    used_ -= size;
}

void DeviceArena::return_addresses(uint64_t begin, uint64_t size) {
    auto next = free_.lower_bound(begin);
    if (next != free_.begin()) {
        const auto previous = std::prev(next);
        if (previous->first + previous->second == begin) {
            begin = previous->first;
            size += previous->second;
            free_.erase(previous);
        }
    }
    if (next != free_.end() && begin + size == next->first) {
        size += next->second;
        free_.erase(next);
    }
    free_[begin] = size;
}

uint64_t DeviceArena::used_bytes() const {
    const std::lock_guard lock(mutex_);
    return used_;
}

}  // namespace cuprum::simulator::libcuda
