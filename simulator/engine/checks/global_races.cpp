#include "engine/checks/global_races.hpp"

#include <algorithm>
#include <cstring>
#include <deque>
#include <new>
#include <string>
#include <utility>

#include "engine/checks/make_once.hpp"
#include "engine/checks/spin_lock.hpp"
#include "engine/checks/text.hpp"
#include "engine/execution/runtime.hpp"

namespace cuprum::simulator {

// --- of a launch ---

struct GlobalRaces::History {
    std::mutex mutex;  // guards `epochs`, which other clusters look at
    std::vector<Epoch> epochs{1};

    // What follows is for the thread that runs the cluster.
    std::deque<Site> sites;
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

// What was done to 1 KiB, word by word. Parts are null until there is something to keep.
//
// Reads are noted without the lock: a read leaves its record and looks for writes then, as a write leaves its record
// and looks for reads then, each with a fence in between, so at least one of two sees the other.
struct GlobalRaces::Page {
    struct Writes {
        std::array<Record, page_words> last;
        std::array<uint32_t, page_words> values;
    };
    using Reads = std::array<Record, page_words>;

    std::atomic<Writes*> writes{nullptr};
    std::array<std::atomic<Reads*>, 2> reads{};  // since the last write, of different clusters; the later first
    std::unique_ptr<std::array<Told, page_words>> told;
    SpinLock lock;  // of what was written and told

    Page() = default;
    Page(const Page&) = delete;
    Page& operator=(const Page&) = delete;
    ~Page() {
        delete writes.load(std::memory_order_relaxed);
        for (const auto& those : reads)
            delete those.load(std::memory_order_relaxed);
    }
};

struct GlobalRaces::Shadow {
    explicit Shadow(const MemoryRange& range)
        : begin(range.begin), size(range.size), groups_(group_number(range.begin + range.size) + 1) {}
    ~Shadow() {
        for (const std::atomic<Group*>& group : groups_)
            delete group.load(std::memory_order_relaxed);
    }
    Shadow(const Shadow&) = delete;
    Shadow& operator=(const Shadow&) = delete;

    bool holds(uint64_t address, uint32_t bytes) const {
        return address >= begin && address - begin <= size && size - (address - begin) >= bytes;
    }
    Page& page_of(uint64_t address) {
        return make_once(groups_[group_number(address)])[(address >> page_shift) % group_pages];
    }

    const uint64_t begin, size;

private:
    // A range may be large, and little of it touched.
    static constexpr size_t group_pages = 1024;
    using Group = std::array<Page, group_pages>;
    size_t group_number(uint64_t address) const {
        return (address >> page_shift) / group_pages - (begin >> page_shift) / group_pages;
    }

    std::vector<std::atomic<Group*>> groups_;
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

// The lanes' places, in the order of the lanes.
struct GlobalRaceObserver::Places {
    std::array<Place, lanes_per_warp> each;
    size_t count = 0;

    const Place* begin() const { return each.data(); }
    const Place* end() const { return each.data() + count; }
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
        &history_->sites.emplace_back(Site{at, warp.frame->function, history_, warp.block->index, warp.index, epoch});
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
    for (const uint64_t address : history.listened) {
        if (anything) break;
        Page& page = shadow_of(address, history.listened_bytes)->page_of(address);
        const std::lock_guard lock(page.lock);
        anything = page.told == nullptr;
        if (anything) break;
        const size_t word = address / 4 % GlobalRaces::page_words;
        for (size_t k = 0; k == 0 || 4 * k < history.listened_bytes; ++k) {
            const Told& told = (*page.told)[word + k];
            anything |= told.by == nullptr;
            if (told.by != &history) history.known = std::max(history.known, told.time);
        }
    }
    if (anything) history.known = races_.clock_.load();
    history.listened.clear();
}

void GlobalRaceObserver::tell(const GlobalAccess& access, const Places& places) {
    if (access.releases) history_->fence();
    history_->tell(++races_.clock_);
    for (const auto& [page, word, lane] : places) {
        const std::lock_guard lock(page->lock);
        if (page->told == nullptr) page->told = std::make_unique<std::array<Told, GlobalRaces::page_words>>();
        // A time of its own, taken under the lock: a word's times rise from one writer to the next, so that none of
        // them covers up what another has told.
        const Time now = ++races_.clock_;
        for (size_t k = 0; k == 0 || 4 * k < access.bytes; ++k) {
            Told& told = (*page->told)[word + k];
            // The other's write may yet come behind this one.
            if (told.by != history_) history_->known = std::max(history_->known, told.time);
            told = {now, history_};
        }
    }
}

// One warp's access, word by word: it is noted for all lanes, then compared with what others have noted.
class GlobalRaceObserver::Visit {
public:
    Visit(const GlobalRaceObserver& observer, const Warp& warp, const Instruction* at, const GlobalAccess& access,
          const Site* site)
        : observer_(observer), warp_(warp), at_(at), access_(access), site_(site) {}

    void read(const Places& places) {
        for (const auto& [page, first, lane] : places) {
            for (size_t k = 0; k < words_; ++k)
                note_read(*page, first + k, lane);
        }
        std::atomic_thread_fence(std::memory_order_seq_cst);
        for (const auto& [page, first, lane] : places) {
            Page::Writes* const writes = page->writes.load(std::memory_order_acquire);
            for (size_t k = 0; writes != nullptr && k < words_; ++k) {
                const Record last = load(writes->last[first + k]);
                if (races(last, true, record(lane)) && !last.is_agreed()) report(lane, k, last, true);
            }
        }
    }

    void write(const Places& places) {
        std::array<uint8_t, lanes_per_warp> noted{};  // by lane, a bit for each word
        {
            std::unique_lock<SpinLock> lock;
            for (const auto& [page, first, lane] : places) {
                if (lock.mutex() != &page->lock) {
                    lock = {};
                    lock = std::unique_lock(page->lock);
                }
                for (size_t k = 0; k < words_; ++k)
                    noted[lane] |= static_cast<uint8_t>(uint32_t{note_write(*page, first + k, lane, k)} << k);
            }
        }
        std::atomic_thread_fence(std::memory_order_seq_cst);
        for (const auto& [page, first, lane] : places) {
            for (size_t k = 0; k < words_; ++k) {
                if ((noted[lane] >> k & 1) != 0) compare_with_reads(*page, first + k, lane, k);
            }
        }
    }

private:
    static Record load(Record& record) { return std::atomic_ref(record).load(std::memory_order_acquire); }
    static void store(Record& record, Record value) { std::atomic_ref(record).store(value, std::memory_order_release); }

    Record record(unsigned lane) const {
        const uint32_t bytes = access_.bytes >= 4 ? 15u : ((1u << access_.bytes) - 1) << access_.addresses[lane] % 4;
        Record mine(site_, lane, bytes, access_.strong);
        if (access_.reads && access_.writes) mine.set_atomic();
        return mine;
    }

    void note_read(Page& page, size_t word, unsigned lane) const {
        Record& place = make_once(page.reads[0])[word];
        const Record first = load(place);
        // One of the same cluster makes room for its successor; else the older one does.
        if (first && first.site() != site_ && !is_own(first)) store(make_once(page.reads[1])[word], first);
        store(place, record(lane));
    }

    // Under the page's lock. Whether it changes anything.
    bool note_write(Page& page, size_t word, unsigned lane, size_t k) {
        Page::Writes& writes = make_once(page.writes);
        Record mine = record(lane);
        Record last = load(writes.last[word]);
        const bool races_with_last = races(last, true, mine);
        uint32_t value = 0;
        if (access_.has_values) {
            // All four bytes at once, which is faster, though a narrow store has set only the first.
            std::memcpy(&value, access_.values[lane].data() + 4 * k, sizeof(value));
            if (access_.bytes < 4) value &= (1u << 8 * access_.bytes) - 1;
            value <<= 8 * (access_.addresses[lane] % 4);
            mine.set_has_value();
            if (last && last.has_value() && (mine.bytes() & ~last.bytes()) == 0 &&
                ((writes.values[word] ^ value) & spread(mine.bytes())) == 0) {
                if (races_with_last) {
                    last.set_agreed();
                    store(writes.last[word], last);
                }
                return false;
            }
        }
        if (races_with_last) report(lane, k, last, true);
        store(writes.last[word], mine);
        writes.values[word] = value;
        return true;
    }

    void compare_with_reads(Page& page, size_t word, unsigned lane, size_t k) {
        const Record mine = record(lane);
        for (const std::atomic<Page::Reads*>& pointer : page.reads) {
            Page::Reads* const reads = pointer.load(std::memory_order_acquire);
            const Record read = reads ? load((*reads)[word]) : Record{};
            if (!read) continue;
            if (races(read, false, mine)) report(lane, k, read, false);
            // One that takes its place now, and is forgotten with it, sees this write.
            if ((read.bytes() & ~mine.bytes()) == 0) store((*reads)[word], {});
        }
    }

    [[noreturn]] void report(unsigned lane, size_t k, const Record& earlier, bool earlier_wrote) const {
        const uint64_t word = access_.addresses[lane] / 4 * 4 + 4 * k;
        observer_.races_.report(warp_, at_, lane, access_, earlier, earlier_wrote, word);
    }

    bool is_own(const Record& record) const { return record.site()->history == site_->history; }

    bool races(const Record& earlier, bool wrote, const Record& mine) {
        if (!earlier || earlier.site() == site_ || (earlier.bytes() & mine.bytes()) == 0) return false;
        if ((earlier.strong() && mine.strong()) || is_own(earlier)) return false;
        if ((!wrote && mine.is_atomic()) || (earlier.is_atomic() && !access_.writes)) return false;
        // Neighbouring lanes mostly meet the same site.
        if (earlier.site() == last_ordered_ && wrote == last_wrote_) return false;
        if (!observer_.races_.ordered(earlier, wrote, *observer_.history_)) return true;
        last_ordered_ = earlier.site();
        last_wrote_ = wrote;
        return false;
    }

    // All ones for each byte.
    static uint32_t spread(uint32_t bytes) {
        return (bytes & 1) * 0xffu | (bytes >> 1 & 1) * 0xff00u | (bytes >> 2 & 1) * 0xff0000u |
               (bytes >> 3 & 1) * 0xff000000u;
    }

    const GlobalRaceObserver& observer_;
    const Warp& warp_;
    const Instruction* const at_;
    const GlobalAccess& access_;
    const Site* const site_;
    const size_t words_ = std::max(access_.bytes / 4, 1u);  // of a lane
    const Site* last_ordered_ = nullptr;
    bool last_wrote_ = false;
};

// Asks for all pages and then for all records at once: they may lie far from each other.
void GlobalRaceObserver::find_places(const GlobalAccess& access, Places& places) {
    Shadow* shadow = nullptr;
    Page* page = nullptr;
    uint64_t page_number = 0;
    uint64_t last_read = 0;
    for (uint32_t rest = access.lanes; rest != 0; rest &= rest - 1) {
        const auto lane = static_cast<unsigned>(__builtin_ctz(rest));
        const uint64_t address = access.addresses[lane];
        if ((address & (access.bytes - 1)) != 0) continue;     // a fault of its own
        if (!access.writes && address == last_read) continue;  // all of a warp often read the same
        last_read = address;
        if (shadow == nullptr || !shadow->holds(address, access.bytes)) {
            shadow = shadow_of(address, access.bytes);
            page = nullptr;
        }
        if (shadow == nullptr) {
            history_->listened_elsewhere |= access.strong && access.reads;
            continue;
        }
        if (page == nullptr || address >> GlobalRaces::page_shift != page_number) {
            page = &shadow->page_of(address);
            page_number = address >> GlobalRaces::page_shift;
            __builtin_prefetch(page, 1);
        }
        places.each[places.count++] = {page, address / 4 % GlobalRaces::page_words, lane};
        if (access.strong && access.reads) history_->listened.push_back(address);
    }
    for (const Place& place : places) {
        if (access.writes)
            __builtin_prefetch(&make_once(place.page->writes).last[place.word], 1);
        else
            __builtin_prefetch(&make_once(place.page->reads[0])[place.word], 1);
    }
}

void GlobalRaceObserver::access(const Warp& warp, const Instruction* at, const GlobalAccess& access) {
    hear();
    const Site* const site = site_of(warp, at);
    ++history_->accesses;
    Places places;
    find_places(access, places);
    Visit visit(*this, warp, at, access, site);
    if (access.writes)
        visit.write(places);
    else
        visit.read(places);
    if (!access.strong) return;
    history_->listened_bytes = access.bytes;
    if (access.writes) tell(access, places);
}

void GlobalRaceObserver::fence() {
    history_->fence();
}

}  // namespace cuprum::simulator
