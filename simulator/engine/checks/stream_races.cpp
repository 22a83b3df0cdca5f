#include "engine/checks/stream_races.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <utility>

#include "engine/checks/global_races.hpp"
#include "engine/checks/page_table.hpp"
#include "engine/checks/spin_lock.hpp"
#include "engine/checks/text.hpp"
#include "engine/execution/runtime.hpp"

namespace cuprum::simulator {

namespace {

constexpr uint32_t most_strands = 512;
constexpr size_t most_footprints = 8;  // of a page
constexpr size_t most_guesses = 4;     // of a kernel

// Of a word of 64 bytes, those from byte `from` of the page up to byte `to`.
uint64_t bits_between(uint64_t from, uint64_t to, size_t word) {
    const uint64_t begin = std::max(from, word * 64) - word * 64, end = std::min<uint64_t>(to - word * 64, 64);
    return (end == 64 ? ~uint64_t{0} : (uint64_t{1} << end) - 1) & ~((uint64_t{1} << begin) - 1);
}

bool is_write(StreamRaces::Access access) {
    return access == StreamRaces::Access::write || access == StreamRaces::Access::strong_write;
}

// What has happened before the operation. Threads ask for the same one again and again.
const SharedClock& clock_of(const StreamOperation& operation) {
    struct Asked {
        const StreamOperation* operation = nullptr;
        Epoch epoch;  // another operation may have come to lie at the same place
        uint32_t version = 0;
        SharedClock clock;
    };
    thread_local Asked last;
    const Epoch& epoch = operation.epoch();
    const uint32_t version = operation.version();
    if (last.operation != &operation || last.epoch.strand != epoch.strand || last.epoch.number != epoch.number ||
        last.version != version)
        last = {&operation, epoch, version, operation.before()};
    return last.clock;
}

}  // namespace

// --- operations ---

StreamOperation::StreamOperation(StreamRaces& races, SharedClock before, Place place)
    : races_(races), place_(std::move(place)), epoch_(races.begin_strand(before)), before_(std::move(before)) {}

void StreamOperation::finish() {
    if (!finished_.exchange(true, std::memory_order_acq_rel) && is_watched()) races_.end_strand(epoch_);
}

SharedClock StreamOperation::before() const {
    const std::lock_guard lock(mutex_);
    return before_;
}

SharedClock StreamOperation::after() const {
    return join(before(), epoch_);
}

void StreamOperation::hear(const SharedClock& clock) {
    const std::lock_guard lock(mutex_);
    SharedClock joined = join(before_, clock);
    if (joined == before_) return;
    before_ = std::move(joined);
    version_.fetch_add(1, std::memory_order_release);
}

// --- what is known of memory ---

// Of one operation, in one page.
struct StreamRaces::Footprint {
    std::shared_ptr<StreamOperation> operation;
    std::array<std::unique_ptr<Bits>, 4> bits;  // by Access; null: none
    uint32_t told = 0;                          // the operation's version that the page has been told of

    uint64_t of(Access access, size_t word) const {
        const std::unique_ptr<Bits>& those = bits[static_cast<size_t>(access)];
        return those ? (*those)[word] : 0;
    }
    void set(Access access, size_t word, uint64_t mask) {
        std::unique_ptr<Bits>& those = bits[static_cast<size_t>(access)];
        if (those == nullptr) those = std::make_unique<Bits>();
        (*those)[word] |= mask;
    }
    void clear(Access access, size_t word, uint64_t mask) {
        const std::unique_ptr<Bits>& those = bits[static_cast<size_t>(access)];
        if (those != nullptr) (*those)[word] &= ~mask;
    }
    void clear_all(size_t word, uint64_t mask) {
        for (const Access access : {Access::read, Access::write, Access::strong_read, Access::strong_write})
            clear(access, word, mask);
    }
    bool is_empty() const {
        return std::ranges::all_of(bits, [](const std::unique_ptr<Bits>& those) {
            return those == nullptr || std::ranges::all_of(*those, [](uint64_t word) { return word == 0; });
        });
    }
    // Of what a later operation has touched: who races with this one races with that one too.
    void give_way_to(const Footprint& later) {
        for (size_t word = 0; word < std::tuple_size_v<Bits>; ++word) {
            const uint64_t read = later.of(Access::read, word), written = later.of(Access::write, word);
            const uint64_t updated = later.of(Access::strong_write, word);
            clear(Access::strong_read, word, read | written | updated | later.of(Access::strong_read, word));
            clear(Access::read, word, read | written | (updated & of(Access::strong_write, word)));
            clear(Access::strong_write, word, written | updated);
            clear(Access::write, word, written);
        }
    }
};

// The last operations that have touched a page.
struct StreamRaces::Touched {
    std::vector<Footprint> footprints;  // the latest last
    SharedClock told;                   // by strong writes

    Footprint* find(const StreamOperation& operation) {
        for (size_t k = footprints.size(); k-- > 0;) {
            if (footprints[k].operation.get() == &operation) return &footprints[k];
        }
        return nullptr;
    }
    Footprint& add(const std::shared_ptr<StreamOperation>& operation) {
        if (footprints.size() > 1) give_way();
        if (footprints.size() >= most_footprints) footprints.erase(footprints.begin());
        footprints.emplace_back().operation = operation;
        return footprints.back();
    }
    // What still runs keeps its guesses.
    void give_way() {
        for (const Footprint& later : footprints) {
            const SharedClock before = later.operation->before();
            for (Footprint& earlier : footprints) {
                if (&earlier != &later && earlier.operation->is_finished() &&
                    covers(before, earlier.operation->epoch()))
                    earlier.give_way_to(later);
            }
        }
        forget_empty();
    }
    void forget_empty() {
        std::erase_if(footprints, [](const Footprint& footprint) { return footprint.is_empty(); });
    }
    void tell(const StreamOperation& operation) {
        Footprint* const own = find(operation);
        const uint32_t version = operation.version();
        if (own != nullptr && own->told == version) return;
        told = join(told, operation.after());
        if (own != nullptr) own->told = version;
    }
};

// Most accesses touch what nothing can race with: there a page is no more than a lock and where to leave bits.
struct StreamRaces::Page {
    SpinLock lock;  // of all that follows and all that is behind it
    // An operation that comes after all others here: nothing that is kept here races with what it does. With its
    // footprint's bits of plain reads and writes, if it has them. Null: not known.
    const StreamOperation* latest = nullptr;
    std::array<std::atomic<Bits*>, 2> latest_bits{};  // atomic: prefetched without the lock
    std::unique_ptr<Touched> touched;                 // null: by nobody

    Touched& touched_or_new() {
        if (touched == nullptr) touched = std::make_unique<Touched>();
        return *touched;
    }
    void set_latest(const Footprint* footprint) {
        latest = footprint ? footprint->operation.get() : nullptr;
        for (size_t k = 0; k < latest_bits.size(); ++k)
            latest_bits[k].store(footprint ? footprint->bits[k].get() : nullptr, std::memory_order_relaxed);
    }
    // True if that was done.
    bool touch_as_latest(const StreamOperation& operation, Access access, size_t word, uint64_t mask) {
        if (latest != &operation || static_cast<size_t>(access) >= latest_bits.size()) return false;
        Bits* const bits = latest_bits[static_cast<size_t>(access)].load(std::memory_order_relaxed);
        if (bits != nullptr) (*bits)[word] |= mask;
        return bits != nullptr;
    }
    void prefetch_bits(Access access, size_t word) const {
        const size_t kind = static_cast<size_t>(access) % latest_bits.size();
        if (const Bits* const bits = latest_bits[kind].load(std::memory_order_relaxed))
            __builtin_prefetch(bits->data() + word, 1);
    }
};

class StreamRaces::Pages : public PageTable<Page> {};

// Goes from page to page, and holds the lock of the one that it is at.
class StreamRaces::Cursor {
public:
    explicit Cursor(StreamRaces& races) : races_(races) {}

    Page& move_to(uint64_t number) {
        if (page_ != nullptr && number == number_) return *page_;
        lock_ = {};
        page_ = &(*races_.pages_)[number];
        lock_ = std::unique_lock(page_->lock);
        number_ = number;
        return *page_;
    }

private:
    StreamRaces& races_;
    std::unique_lock<SpinLock> lock_;
    Page* page_ = nullptr;
    uint64_t number_ = 0;
};

StreamRaces::StreamRaces() : pages_(std::make_unique<Pages>()) {}
StreamRaces::~StreamRaces() = default;

std::optional<StreamRaces::Conflict> StreamRaces::touch(Page& page, const std::shared_ptr<StreamOperation>& operation,
                                                        Access access, size_t word, uint64_t mask) const {
    if (page.touch_as_latest(*operation, access, word, mask)) return {};
    if (!operation->is_watched()) return {};
    Touched& touched = page.touched_or_new();
    Footprint* own = touched.find(*operation);
    if (own != nullptr && (own->of(access, word) & mask) == mask) return {};
    const SharedClock& before = clock_of(*operation);
    std::optional<Conflict> found;
    bool is_latest = true;
    for (const Footprint& other : touched.footprints) {
        if (other.operation == operation || covers(before, other.operation->epoch())) continue;
        is_latest = false;
        const auto its = [&](Access kind) { return other.of(kind, word) & mask; };
        const uint64_t written = its(Access::write), updated = its(Access::strong_write);
        uint64_t read = 0;
        if (access == Access::write) read = its(Access::read) | its(Access::strong_read);
        // A plain read is a guess as long as an update may follow.
        if (access == Access::strong_write && other.operation->is_finished()) read = its(Access::read) & ~updated;
        const uint64_t weak = written | read | (access == Access::write ? updated : 0);
        if (weak != 0) {
            found = Conflict{other.operation, weak, (weak & (written | updated)) != 0, false};
            break;
        }
        if (access == Access::read && updated != 0) found = Conflict{other.operation, updated, true, true};
    }
    if (own == nullptr) own = &touched.add(operation);
    own->set(access, word, mask);
    page.set_latest(is_latest ? own : nullptr);
    return found;
}

std::string StreamRaces::report(const StreamOperation& later, bool writes, const Conflict& conflict, uint64_t address) {
    const StreamOperation::Place& mine = later.place();
    const StreamOperation::Place& its = conflict.earlier->place();
    const auto where = [](const StreamOperation::Place& place) {
        return (place.graph_run != 0 ? "in a graph in " : "in ") + place.stream;
    };
    std::string text = where(mine) + (writes ? " wrote" : " read") + " byte " + hexadecimal(address) +
                       " of memory, which " + conflict.earlier->description() + " " + where(its) +
                       (conflict.earlier_wrote ? " wrote" : " read");
    if (mine.graph_run != 0 && mine.graph_run == its.graph_run)
        return text + ", and no edge orders the two nodes: add one (cuGraphAddDependencies)";
    return text + ", and nothing orders the two: record an event in " + its.stream + " after " +
           conflict.earlier->description() + " and let " + mine.stream +
           " wait for it (cuEventRecord, cuStreamWaitEvent), let the host wait for the one before it starts the other, "
           "or put both into one stream";
}

std::optional<StreamRaces::Race> StreamRaces::access(const std::shared_ptr<StreamOperation>& operation,
                                                     uint64_t address, uint64_t bytes, Access access) {
    const uint64_t end = address + bytes;
    Cursor cursor(*this);
    for (uint64_t at = address; at < end; at = at / 64 * 64 + 64) {
        const uint64_t page_begin = at / page_bytes * page_bytes;
        const size_t word = (at - page_begin) / 64;
        const uint64_t mask = bits_between(at - page_begin, end - page_begin, word);
        Page& page = cursor.move_to(at >> page_shift);
        if (access == Access::strong_read) operation->hear(page.touched_or_new().told);
        if (const auto conflict = touch(page, operation, access, word, mask)) {
            const uint64_t byte = at / 64 * 64 + static_cast<unsigned>(std::countr_zero(conflict->bytes));
            return Race{byte, operation->description() + " " + report(*operation, is_write(access), *conflict, byte)};
        }
        if (access == Access::strong_write) page.touched_or_new().tell(*operation);
    }
    return {};
}

void StreamRaces::hear_writers(StreamOperation& operation, uint64_t address, uint64_t bytes) {
    Cursor cursor(*this);
    const Touched& touched = cursor.move_to(address >> page_shift).touched_or_new();
    operation.hear(touched.told);
    const uint64_t mask = ((uint64_t{1} << bytes) - 1) << address % 64;
    for (const Footprint& footprint : touched.footprints) {
        if (footprint.operation.get() == &operation) continue;
        if ((footprint.of(Access::write, address % page_bytes / 64) & mask) != 0)
            operation.hear(footprint.operation->after());
    }
}

std::optional<Fault> StreamRaces::finish_kernel(StreamOperation& operation) {
    std::vector<StreamOperation::Guess> guesses;
    {
        const std::lock_guard lock(operation.mutex_);
        guesses.swap(operation.guesses_);
    }
    Cursor cursor(*this);
    for (StreamOperation::Guess& guess : guesses) {
        const Footprint* const own = cursor.move_to(guess.address >> page_shift).touched_or_new().find(operation);
        const uint64_t updated = own ? own->of(Access::strong_write, guess.address % page_bytes / 64) : ~uint64_t{0};
        if ((updated >> guess.address % 64 & 1) == 0) return std::move(guess.fault);
    }
    return {};
}

void StreamRaces::forget(uint64_t begin, uint64_t size) {
    if (size == 0) return;
    const uint64_t end = begin + size, first = begin >> page_shift, last = (end - 1) >> page_shift;
    // Pages on the edges may hold something else too.
    pages_->for_each(first, last, [&](uint64_t number, Page& page) {
        const std::lock_guard lock(page.lock);
        if (page.touched == nullptr) return;
        const uint64_t page_begin = number << page_shift;
        const uint64_t from = begin > page_begin ? begin - page_begin : 0;
        const uint64_t to = std::min(end - page_begin, page_bytes);
        for (Footprint& footprint : page.touched->footprints) {
            for (size_t word = from / 64; word * 64 < to; ++word)
                footprint.clear_all(word, bits_between(from, to, word));
        }
        page.set_latest(nullptr);
        page.touched->forget_empty();
        if (page.touched->footprints.empty()) page.touched = nullptr;
    });
}

// --- strands, and the host ---

Epoch StreamRaces::begin_strand(const SharedClock& before) {
    const std::lock_guard lock(mutex_);
    for (size_t k = free_strands_.size(); k-- > 0;) {
        if (!covers(before, free_strands_[k])) continue;
        const Epoch next{free_strands_[k].strand, free_strands_[k].number + 1};
        free_strands_.erase(free_strands_.begin() + static_cast<std::ptrdiff_t>(k));
        return next;
    }
    return strands_ < most_strands ? Epoch{strands_++, 1} : Epoch{};
}

void StreamRaces::end_strand(const Epoch& last) {
    const std::lock_guard lock(mutex_);
    free_strands_.push_back(last);
}

SharedClock StreamRaces::host() const {
    const std::lock_guard lock(mutex_);
    return host_;
}

void StreamRaces::host_learns(const SharedClock& clock) {
    const std::lock_guard lock(mutex_);
    host_ = join(host_, clock);
}

void StreamRaces::tell_host(StreamOperation& operation) {
    const uint32_t version = operation.version();
    if (operation.told_host_.exchange(version, std::memory_order_relaxed) == version) return;
    host_learns(operation.after());
}

// --- of a block ---

StreamRaceObserver::StreamRaceObserver(std::shared_ptr<StreamOperation> operation, const MemorySnapshot& memory)
    : operation_(std::move(operation)), races_(operation_->races()), memory_(memory) {}

// Null where others cannot reach the memory, or it is not all in one range.
const MemoryRange* StreamRaceObserver::range_of(uint64_t address, uint32_t bytes) {
    const auto holds = [&](const MemoryRange& range) {
        return address >= range.begin && address - range.begin <= range.size &&
               range.size - (address - range.begin) >= bytes;
    };
    if (range_ == nullptr || !holds(*range_)) range_ = memory_.find(address, bytes);
    return range_;
}

void StreamRaceObserver::hear() {
    if (std::exchange(listened_to_host_, false)) operation_->hear(races_.host());
    if (listened_.empty()) return;
    StreamRaces::Cursor cursor(races_);
    for (const uint64_t number : listened_)
        operation_->hear(cursor.move_to(number).touched_or_new().told);
    listened_.clear();
}

namespace {

// Bytes of one word of a page, and the first lane that touches some of them.
struct WordAccess {
    uint64_t word;  // its address, by 64
    uint64_t mask;
    unsigned lane;
};

unsigned lane_at(const GlobalAccess& access, unsigned first, uint64_t byte) {
    for (uint32_t rest = access.lanes >> first << first; rest != 0; rest &= rest - 1) {
        const auto lane = static_cast<unsigned>(__builtin_ctz(rest));
        if (byte - access.addresses[lane] < access.bytes) return lane;
    }
    return first;
}

}  // namespace

void StreamRaceObserver::access(const Warp& warp, const Instruction* at, const GlobalAccess& access) {
    using enum StreamRaces::Access;
    hear();
    const StreamRaces::Access kind =
        access.strong ? (access.writes ? strong_write : strong_read) : (access.writes ? write : read);
    // Neighbouring lanes mostly touch neighbouring bytes: they are looked at together.
    std::array<WordAccess, lanes_per_warp> words;
    size_t count = 0;
    for (uint32_t rest = access.lanes; rest != 0; rest &= rest - 1) {
        const auto lane = static_cast<unsigned>(__builtin_ctz(rest));
        const uint64_t address = access.addresses[lane];
        if ((address & (access.bytes - 1)) != 0) continue;  // a fault of its own
        const MemoryRange* const range = range_of(address, access.bytes);
        if (range == nullptr) continue;
        if (range->host_visible && access.writes) races_.tell_host(*operation_);
        listened_to_host_ |= range->host_visible && access.strong && access.reads;
        const uint64_t mask = ((uint64_t{1} << access.bytes) - 1) << address % 64;
        if (count == 0 || words[count - 1].word != address / 64) words[count++] = {address / 64, 0, lane};
        words[count - 1].mask |= mask;
    }
    // They may lie far from each other.
    std::array<StreamRaces::Page*, lanes_per_warp> pages;
    for (size_t k = 0; k < count; ++k) {
        pages[k] = &(*races_.pages_)[words[k].word * 64 >> StreamRaces::page_shift];
        __builtin_prefetch(pages[k], 1);
    }
    for (size_t k = 0; k < count; ++k)
        pages[k]->prefetch_bits(kind, words[k].word % (StreamRaces::page_bytes / 64));
    StreamRaces::Cursor cursor(races_);
    for (size_t k = 0; k < count; ++k) {
        const auto& [word, mask, first_lane] = words[k];
        const uint64_t number = word * 64 >> StreamRaces::page_shift;
        if (access.strong && access.reads && (listened_.empty() || listened_.back() != number))
            listened_.push_back(number);
        StreamRaces::Page& page = cursor.move_to(number);
        if (const auto conflict = races_.touch(page, operation_, kind, word % (StreamRaces::page_bytes / 64), mask)) {
            const uint64_t byte = word * 64 + static_cast<unsigned>(std::countr_zero(conflict->bytes));
            Fault fault = describe_fault(
                warp, at, lane_at(access, first_lane, byte), Fault::Kind::race,
                StreamRaces::report(*operation_, access.writes, *conflict, byte) + "; " + memory_.describe(byte));
            fault.address = byte;
            if (!conflict->is_guess) throw FaultException{std::move(fault)};
            const std::lock_guard lock(operation_->mutex_);
            if (operation_->guesses_.size() < most_guesses) operation_->guesses_.push_back({byte, std::move(fault)});
        }
        if (access.strong && access.writes) page.touched_or_new().tell(*operation_);
    }
}

}  // namespace cuprum::simulator
