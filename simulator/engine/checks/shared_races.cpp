#include "engine/checks/shared_races.hpp"

#include <algorithm>

#include "engine/checks/text.hpp"
#include "engine/execution/runtime.hpp"

namespace cuprum::simulator {

SharedRaces::SharedRaces(uint32_t warps, uint32_t shared_bytes) : clocks_(warps), cells_(shared_bytes) {}

void SharedRaces::start() {
    ++block_;
    objects_.clear();
    for (size_t warp = 0; warp < clocks_.size(); ++warp) {
        clocks_[warp].known.assign(clocks_.size(), 0);
        clocks_[warp].known[warp] = 1;
        clocks_[warp].meetings = 0;
    }
}

void SharedRaces::release(uint32_t warp, uint64_t object) {
    Clock& known = clocks_[warp].known;
    Clock& clock = objects_[object];
    clock.resize(clocks_.size(), 0);
    for (size_t k = 0; k < clock.size(); ++k)
        clock[k] = std::max(clock[k], known[k]);
    ++known[warp];
}

void SharedRaces::acquire(uint32_t warp, uint64_t object) {
    const auto found = objects_.find(object);
    if (found == objects_.end()) return;
    Clock& known = clocks_[warp].known;
    for (size_t k = 0; k < known.size(); ++k)
        known[k] = std::max(known[k], found->second[k]);
    ++clocks_[warp].meetings;  // it may have been a lane of this warp that released
}

bool SharedRaces::ordered(const Stamp& earlier, const Warp& warp, unsigned lane, bool strong) const {
    if (earlier.block != block_ || (earlier.strong && strong)) return true;
    if (earlier.in_flight) return earlier.instant == instant_;
    const uint32_t other = earlier.thread / lanes_per_warp;
    if (other != warp.index) return clocks_[warp.index].known[other] >= earlier.clock;
    return earlier.thread % lanes_per_warp == lane || earlier.instant == instant_ ||
           earlier.meetings < clocks_[warp.index].meetings;
}

std::string SharedRaces::thread_text(const Warp& warp, const Stamp& earlier) const {
    return "thread " +
           dimensions_text(thread_index(*warp.block, earlier.thread / lanes_per_warp, earlier.thread % lanes_per_warp));
}

void SharedRaces::report(const Warp& warp, const Instruction* at, unsigned lane, uint64_t offset, bool writes,
                         const Stamp& earlier, bool earlier_wrote) const {
    const char* const did = earlier.in_flight ? " copies to " : earlier_wrote ? " wrote " : " read ";
    const char* const missing = earlier.in_flight ? ", with no wait for that copy" : ", with no barrier in between";
    throw FaultException{describe_fault(warp, at, lane, Fault::Kind::race,
                                        std::string(writes ? "wrote" : "read") + " byte " + hexadecimal(offset) +
                                            " of shared memory, which " + thread_text(warp, earlier) + did +
                                            place_text(*warp.block->launch, *earlier.function, earlier.at) + missing)};
}

void SharedRaces::report_rivals(const Warp& warp, const Instruction* at, unsigned lane, uint64_t offset,
                                const Cell& cell) const {
    const Launch& launch = *warp.block->launch;
    const auto wrote = [&](const Stamp& write) {
        return thread_text(warp, write) + " wrote " + place_text(launch, *write.function, write.at);
    };
    throw FaultException{describe_fault(warp, at, lane, Fault::Kind::race,
                                        "read byte " + hexadecimal(offset) + " of shared memory, which " +
                                            wrote(cell.rival) + " and " + wrote(cell.write) +
                                            ", with no barrier in between")};
}

void SharedRaces::write(Cell& cell, const Warp& warp, unsigned lane, uint64_t byte, const Stamp& stamp) {
    if (!ordered(cell.write, warp, lane, stamp.strong)) {
        if (cell.write.in_flight) report(warp, stamp.at, lane, byte, true, cell.write, true);
        cell.rival = cell.write;
    } else if (cell.rival.at != nullptr && ordered(cell.rival, warp, lane, stamp.strong)) {
        cell.rival = {};
    }
    for (const Stamp& read : cell.reads) {
        if (!ordered(read, warp, lane, stamp.strong)) report(warp, stamp.at, lane, byte, true, read, false);
    }
    cell.write = stamp;
    cell.reads = {};
}

void SharedRaces::access(const Warp& warp, const Instruction* at, unsigned lane, uint64_t offset, uint32_t bytes,
                         Access access) {
    const WarpClock& clock = clocks_[warp.index];
    Stamp stamp;
    stamp.at = at;
    stamp.function = warp.frame->function;
    stamp.block = block_;
    stamp.clock = clock.known[warp.index];
    stamp.meetings = clock.meetings;
    stamp.instant = instant_;
    stamp.thread = static_cast<uint16_t>(warp.index * lanes_per_warp + lane);
    stamp.strong = access.strong;
    for (uint64_t byte = offset; byte < offset + bytes; ++byte) {
        Cell& cell = cells_[byte];
        if (access.reads) {
            if (!ordered(cell.write, warp, lane, access.strong)) {
                report(warp, at, lane, byte, access.writes, cell.write, true);
            }
            if (cell.rival.at != nullptr && cell.rival.block == block_) report_rivals(warp, at, lane, byte, cell);
        }
        if (access.writes) {
            write(cell, warp, lane, byte, stamp);
            continue;
        }
        // One of this warp makes room for its successor; else the older one does.
        const bool replaces_first =
            cell.reads[0].block != block_ || cell.reads[0].thread / lanes_per_warp == warp.index;
        if (!replaces_first) cell.reads[1] = cell.reads[0];
        cell.reads[0] = stamp;
    }
}

void SharedRaces::start_copy(const Warp& warp, const Instruction* at, unsigned lane, uint64_t offset, uint32_t bytes) {
    // Nothing orders a copy with what else writes there: no reader has to come.
    for (uint64_t byte = offset; byte < offset + bytes; ++byte) {
        const Stamp& write = cells_[byte].write;
        if (!ordered(write, warp, lane, false)) report(warp, at, lane, byte, true, write, true);
    }
    access(warp, at, lane, offset, bytes, {.writes = true});
    for (uint64_t byte = offset; byte < offset + bytes; ++byte)
        cells_[byte].write.in_flight = true;
}

void SharedRaces::finish_copy(uint32_t warp, unsigned lane, uint64_t offset, uint32_t bytes) {
    for (uint64_t byte = offset; byte < offset + bytes; ++byte) {
        Stamp& write = cells_[byte].write;
        if (!write.in_flight || write.block != block_ || write.thread != warp * lanes_per_warp + lane) continue;
        write.in_flight = false;
        write.clock = clocks_[warp].known[warp];
        write.meetings = clocks_[warp].meetings;
        write.instant = instant_;
    }
}

}  // namespace cuprum::simulator
