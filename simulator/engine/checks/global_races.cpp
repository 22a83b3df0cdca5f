#include "engine/checks/global_races.hpp"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <new>
#include <string>
#include <utility>

#include "engine/checks/text.hpp"
#include "engine/execution/runtime.hpp"

namespace cuprum::simulator {

// --- of a launch ---

struct GlobalRaces::History {
    std::mutex mutex;  // guards `epochs`, which other clusters look at
    std::vector<Epoch> epochs{1};

    // What follows is for the thread that runs the cluster.
    std::forward_list<Site> sites;
    uint64_t accesses = 0;            // in the last epoch
    Time known = 0;                   // what has been told until then is known
    size_t unended = 0, untold = 0;   // the first epochs without these times
    size_t fenced = 0;                // those before have a fence behind them
    std::vector<uint64_t> listened;   // addresses of strong reads that have not been looked at yet
    uint32_t listened_bytes = 0;      // of each
    bool listened_elsewhere = false;  // and one was not of device memory

    void begin_epoch();
    void fence();
    void tell(Time now);
};

// Later accesses count as those of the epoch that they are in. One that has many epochs gets long ones: more order is
// seen than there is, and the memory for them stays small.
void GlobalRaces::History::begin_epoch() {
    constexpr size_t many = 1024;
    if (accesses < std::max<size_t>(epochs.size() / many, 1)) return;
    epochs.emplace_back();
    accesses = 0;
}

void GlobalRaces::History::fence() {
    const std::lock_guard lock(mutex);
    begin_epoch();
    fenced = epochs.size() - (accesses == 0 ? 1 : 0);
}

void GlobalRaces::History::tell(Time now) {
    const std::lock_guard lock(mutex);
    const size_t end = epochs.size() - (accesses == 0 ? 1 : 0);
    for (; unended < end; ++unended)
        epochs[unended].ended = now;
    for (; untold < fenced; ++untold)
        epochs[untold].told = now;
    begin_epoch();
}

struct GlobalRaces::Shadow {
    explicit Shadow(const MemoryRange& range)
        : begin(range.begin),
          size(range.size),
          pages(static_cast<Page**>(std::calloc(page_number(range.begin + range.size) + 1, sizeof(Page*)))) {
        if (pages == nullptr) throw std::bad_alloc();
    }
    ~Shadow() {
        for (size_t k = 0; k <= page_number(begin + size); ++k)
            delete pages[k];
        std::free(pages);
    }
    Shadow(const Shadow&) = delete;
    Shadow& operator=(const Shadow&) = delete;

    bool holds(uint64_t address, uint32_t bytes) const {
        return address >= begin && address - begin <= size && size - (address - begin) >= bytes;
    }
    size_t page_number(uint64_t address) const { return (address >> page_shift) - (begin >> page_shift); }
    Page& page(size_t number) {
        const std::atomic_ref<Page*> entry(pages[number]);
        if (Page* const page = entry.load(std::memory_order_acquire)) return *page;
        auto fresh = std::make_unique<Page>();
        Page* expected = nullptr;
        if (!entry.compare_exchange_strong(expected, fresh.get(), std::memory_order_acq_rel)) return *expected;
        return *fresh.release();
    }

    const uint64_t begin, size;
    Page** const pages;  // null where nothing was touched. The system's zeros: a range may be large
};

GlobalRaces::GlobalRaces(const Launch& launch) : launch_(launch) {}
GlobalRaces::~GlobalRaces() = default;

GlobalRaces::History& GlobalRaces::begin_cluster() {
    const std::lock_guard lock(mutex_);
    return histories_.emplace_front();
}

// Null: it is no device memory, or not all of one range.
GlobalRaces::Shadow* GlobalRaces::find_shadow(uint64_t address, uint32_t bytes) {
    const SharedSnapshot& memory = launch_.request->memory;
    const MemoryRange* const range = memory ? memory->find(address, bytes) : nullptr;
    if (range == nullptr) return nullptr;
    const std::lock_guard lock(mutex_);
    std::unique_ptr<Shadow>& shadow = shadows_[range->begin];
    if (shadow == nullptr) shadow = std::make_unique<Shadow>(*range);
    return shadow.get();
}

bool GlobalRaces::ordered(const Record& earlier, bool wrote, const History& now) const {
    const Site& site = *earlier.site();
    const std::lock_guard lock(site.history->mutex);
    const Epoch& epoch = site.history->epochs[site.epoch];
    const Time told = wrote && !earlier.strong() ? epoch.told : epoch.ended;
    return told != 0 && told <= now.known;
}

void GlobalRaces::report(const Warp& warp, const Instruction* at, unsigned lane, const GlobalAccess& access,
                         const Record& earlier, bool earlier_wrote, uint64_t word) const {
    const Site& site = *earlier.site();
    bool lacks_fence = false;
    if (earlier_wrote && !earlier.strong()) {
        const std::lock_guard lock(site.history->mutex);
        const Time ended = site.history->epochs[site.epoch].ended;
        lacks_fence = ended != 0 && ended <= warp.block->global_races->known();
    }
    const uint64_t address =
        std::max(access.addresses[lane], word + static_cast<unsigned>(__builtin_ctz(earlier.bytes())));
    std::string text = access.writes ? access.reads ? "updated" : "wrote" : "read";
    text += " byte " + hexadecimal(address) + " of device memory, which block " + dimensions_text(site.block) +
            ", thread " + dimensions_text(thread_index(*warp.block, site.warp, earlier.lane())) +
            (earlier_wrote ? " wrote " : " read ") + place_text(launch_, *site.function, site.at);
    if (lacks_fence) {
        text +=
            ", and no fence stands between that and the flag or atomic through which this block learned of it: call "
            "__threadfence() before the flag is set";
    } else {
        text +=
            ", and nothing orders the two blocks: let one wait for a flag that the other sets after __threadfence(), "
            "use grid.sync() in a cooperative launch, split the work into two launches, or make both accesses atomic";
    }
    text += "; " + launch_.request->memory->describe(address);
    Fault fault = describe_fault(warp, at, lane, Fault::Kind::race, text);
    fault.address = address;
    throw FaultException{std::move(fault)};
}

// --- of a block ---

namespace {

bool is_of(const Dimensions& index, const Block& block) {
    return index.x == block.index.x && index.y == block.index.y && index.z == block.index.z;
}

}  // namespace

// Goes from address to address. The lock of a page is held until another is asked for.
class GlobalRaceObserver::Cursor {
public:
    explicit Cursor(GlobalRaceObserver& observer) : observer_(observer) {}

    // Null: it is no device memory.
    Page* move_to(uint64_t address, uint32_t bytes) {
        if (address >= begin_ && address + bytes <= end_) return page_;
        return turn_page(address, bytes);
    }

private:
    Page* turn_page(uint64_t address, uint32_t bytes) {
        lock_ = {};
        page_ = nullptr;
        begin_ = end_ = 0;
        if (shadow_ == nullptr || !shadow_->holds(address, bytes)) shadow_ = observer_.shadow_of(address, bytes);
        if (shadow_ == nullptr) return nullptr;
        page_ = &shadow_->page(shadow_->page_number(address));
        constexpr uint64_t size = uint64_t{1} << GlobalRaces::page_shift;
        begin_ = std::max(address / size * size, shadow_->begin);
        end_ = std::min(address / size * size + size, shadow_->begin + shadow_->size);
        lock_ = std::unique_lock(page_->mutex);
        return page_;
    }

    GlobalRaceObserver& observer_;
    Shadow* shadow_ = nullptr;
    Page* page_ = nullptr;
    uint64_t begin_ = 0, end_ = 0;  // of what the page has of the range
    std::unique_lock<std::mutex> lock_;
};

void GlobalRaceObserver::start(const GlobalRaceObserver* first) {
    history_ = first != nullptr ? first->history_ : &races_.begin_cluster();
}

GlobalRaceObserver::Time GlobalRaceObserver::known() const {
    return history_->known;
}

const GlobalRaceObserver::Site* GlobalRaceObserver::site_of(const Warp& warp, const Instruction* at) {
    const auto number = reinterpret_cast<uintptr_t>(at) / sizeof(Instruction);
    const Site*& place = sites_[(number + warp.index * 37) % sites_.size()];
    const auto epoch = static_cast<uint32_t>(history_->epochs.size() - 1);
    if (place != nullptr && place->at == at && place->warp == warp.index && place->history == history_ &&
        place->epoch == epoch && is_of(place->block, *warp.block)) {
        return place;
    }
    place =
        &history_->sites.emplace_front(Site{at, warp.frame->function, history_, warp.block->index, warp.index, epoch});
    return place;
}

GlobalRaceObserver::Shadow* GlobalRaceObserver::shadow_of(uint64_t address, uint32_t bytes) {
    for (Shadow* const shadow : shadows_) {
        if (shadow != nullptr && shadow->holds(address, bytes)) return shadow;
    }
    Shadow* const found = races_.find_shadow(address, bytes);
    if (found != nullptr) shadows_[oldest_shadow_++ % shadows_.size()] = found;
    return found;
}

// A check comes before its access. So what a strong read has heard is looked up at the next check of its cluster.
void GlobalRaceObserver::hear() {
    History& history = *history_;
    if (history.listened.empty() && !history.listened_elsewhere) return;
    bool anything = std::exchange(history.listened_elsewhere, false);
    Cursor cursor(*this);
    for (const uint64_t address : history.listened) {
        if (anything) break;
        const Page* const page = cursor.move_to(address, history.listened_bytes);
        anything = page->told == nullptr;
        if (anything) break;
        const size_t word = address / 4 % GlobalRaces::page_words;
        for (size_t k = 0; k == 0 || 4 * k < history.listened_bytes; ++k) {
            const Told& told = (*page->told)[word + k];
            anything |= told.by == nullptr;
            if (told.by != &history) history.known = std::max(history.known, told.time);
        }
    }
    if (anything) history.known = races_.clock_.load();
    history.listened.clear();
}

void GlobalRaceObserver::tell(const GlobalAccess& access) {
    if (access.releases) history_->fence();
    const Time now = ++races_.clock_;
    history_->tell(now);
    Cursor cursor(*this);
    for (uint32_t rest = access.lanes; rest != 0; rest &= rest - 1) {
        const uint64_t address = access.addresses[__builtin_ctz(rest)];
        Page* const page = (address & (access.bytes - 1)) == 0 ? cursor.move_to(address, access.bytes) : nullptr;
        if (page == nullptr) continue;
        if (page->told == nullptr) page->told = std::make_unique<std::array<Told, GlobalRaces::page_words>>();
        const size_t word = address / 4 % GlobalRaces::page_words;
        for (size_t k = 0; k == 0 || 4 * k < access.bytes; ++k) {
            Told& told = (*page->told)[word + k];
            // The other's write may yet come behind this one.
            if (told.by != history_) history_->known = std::max(history_->known, told.time);
            if (told.time < now) told = {now, history_};
        }
    }
}

// One warp's access, word by word.
class GlobalRaceObserver::Visit {
public:
    Visit(const GlobalRaceObserver& observer, const GlobalAccess& access, const Site* site)
        : observer_(observer), access_(access), site_(site) {}

    // What the access races with, or an empty record; else it is noted.
    Record touch(Page& page, size_t word, unsigned lane, uint32_t bytes, uint32_t value) {
        Record mine(site_, lane, bytes, access_.strong);
        if (access_.reads && access_.writes) mine.set_atomic();
        return access_.writes ? write(page, word, mine, value) : read(page, word, mine);
    }
    bool raced_with_write() const { return raced_with_write_; }

private:
    bool is_own(const Record& record) const { return record.site()->history == site_->history; }

    bool races(const Record& earlier, bool wrote, const Record& mine) {
        if (!earlier || earlier.site() == site_ || (earlier.bytes() & mine.bytes()) == 0) return false;
        if ((earlier.strong() && mine.strong()) || is_own(earlier)) return false;
        if ((!wrote && mine.is_atomic()) || (earlier.is_atomic() && !access_.writes)) return false;
        // Neighbouring lanes mostly meet the same site.
        if (earlier.site() == last_ordered_ && wrote == last_wrote_) return false;
        if (!observer_.races_.ordered(earlier, wrote, *observer_.history_)) {
            raced_with_write_ = wrote;
            return true;
        }
        last_ordered_ = earlier.site();
        last_wrote_ = wrote;
        return false;
    }

    Record write(Page& page, size_t word, Record mine, uint32_t value) {
        if (page.writes == nullptr) page.writes = std::make_unique<GlobalRaces::Writes>();
        Record& last = page.writes->last[word];
        uint32_t& last_value = page.writes->values[word];
        const bool races_with_last = races(last, true, mine);
        if (access_.has_values) {
            mine.set_has_value();
            if (last && last.has_value() && (mine.bytes() & ~last.bytes()) == 0 &&
                ((last_value ^ value) & spread(mine.bytes())) == 0) {
                if (races_with_last) last.set_agreed();
                return {};
            }
        }
        if (races_with_last) return last;
        for (const auto& reads : page.reads) {
            if (reads == nullptr) continue;
            Record& read = (*reads)[word];
            if (races(read, false, mine)) return read;
            if ((read.bytes() & ~mine.bytes()) == 0) read = {};
        }
        last = mine;
        last_value = value;
        return {};
    }

    Record read(Page& page, size_t word, const Record& mine) {
        if (page.writes != nullptr) {
            const Record& last = page.writes->last[word];
            if (races(last, true, mine) && !last.is_agreed()) return last;
        }
        if (page.reads[0] == nullptr) page.reads[0] = std::make_unique<GlobalRaces::Reads>();
        Record& first = (*page.reads[0])[word];
        // One of the same cluster makes room for its successor; else the older one does.
        if (first && first.site() != site_ && !is_own(first)) {
            if (page.reads[1] == nullptr) page.reads[1] = std::make_unique<GlobalRaces::Reads>();
            (*page.reads[1])[word] = first;
        }
        first = mine;
        return {};
    }

    // All ones for each byte.
    static uint32_t spread(uint32_t bytes) {
        return (bytes & 1) * 0xffu | (bytes >> 1 & 1) * 0xff00u | (bytes >> 2 & 1) * 0xff0000u |
               (bytes >> 3 & 1) * 0xff000000u;
    }

    const GlobalRaceObserver& observer_;
    const GlobalAccess& access_;
    const Site* const site_;
    const Site* last_ordered_ = nullptr;
    bool last_wrote_ = false;
    bool raced_with_write_ = false;
};

void GlobalRaceObserver::access(const Warp& warp, const Instruction* at, const GlobalAccess& access) {
    hear();
    History& history = *history_;
    const Site* const site = site_of(warp, at);
    ++history.accesses;
    Visit visit(*this, access, site);
    uint64_t last_read = 0;
    {
        Cursor cursor(*this);
        for (uint32_t rest = access.lanes; rest != 0; rest &= rest - 1) {
            const auto lane = static_cast<unsigned>(__builtin_ctz(rest));
            const uint64_t address = access.addresses[lane];
            if ((address & (access.bytes - 1)) != 0) continue;     // a fault of its own
            if (!access.writes && address == last_read) continue;  // all of a warp often read the same
            last_read = address;
            Page* const page = cursor.move_to(address, access.bytes);
            if (page == nullptr) {
                history.listened_elsewhere |= access.strong && access.reads;
                continue;
            }
            const size_t first = address / 4 % GlobalRaces::page_words;
            const uint32_t bytes = access.bytes >= 4 ? 15u : ((1u << access.bytes) - 1) << address % 4;
            for (size_t k = 0; k == 0 || 4 * k < access.bytes; ++k) {
                uint32_t value = 0;
                if (access.has_values) {
                    std::memcpy(&value, access.values[lane].data() + 4 * k, std::min(access.bytes, 4u));
                    value <<= 8 * (address % 4);
                }
                const Record earlier = visit.touch(*page, first + k, lane, bytes, value);
                if (earlier) {
                    races_.report(warp, at, lane, access, earlier, visit.raced_with_write(), address / 4 * 4 + 4 * k);
                }
            }
            if (access.strong && access.reads) history.listened.push_back(address);
        }
    }
    if (!access.strong) return;
    history.listened_bytes = access.bytes;
    if (access.writes) tell(access);
}

void GlobalRaceObserver::fence() {
    history_->fence();
}

}  // namespace cuprum::simulator
