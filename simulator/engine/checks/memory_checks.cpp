#include "engine/checks/memory_checks.hpp"

#include <algorithm>

#include "engine/checks/text.hpp"
#include "engine/execution/runtime.hpp"
#include "engine/instructions/memory/addressing_aux.hpp"

namespace cuprum::simulator {

// --- races ---

RaceDetector::RaceDetector(uint32_t warps, uint32_t shared_bytes) : clocks_(warps), cells_(shared_bytes) {}

void RaceDetector::start() {
    ++block_;
    objects_.clear();
    for (size_t warp = 0; warp < clocks_.size(); ++warp) {
        clocks_[warp].known.assign(clocks_.size(), 0);
        clocks_[warp].known[warp] = 1;
        clocks_[warp].meetings = 0;
    }
}

void RaceDetector::release(uint32_t warp, uint64_t object) {
    Clock& known = clocks_[warp].known;
    Clock& clock = objects_[object];
    clock.resize(clocks_.size(), 0);
    for (size_t k = 0; k < clock.size(); ++k)
        clock[k] = std::max(clock[k], known[k]);
    ++known[warp];
}

void RaceDetector::acquire(uint32_t warp, uint64_t object) {
    const auto found = objects_.find(object);
    if (found == objects_.end()) return;
    Clock& known = clocks_[warp].known;
    for (size_t k = 0; k < known.size(); ++k)
        known[k] = std::max(known[k], found->second[k]);
    ++clocks_[warp].meetings;  // it may have been a lane of this warp that released
}

bool RaceDetector::ordered(const Stamp& earlier, const Warp& warp, unsigned lane, bool strong) const {
    if (earlier.block != block_ || (earlier.strong && strong)) return true;
    if (earlier.in_flight) return earlier.instant == instant_;
    const uint32_t other = earlier.thread / lanes_per_warp;
    if (other != warp.index) return clocks_[warp.index].known[other] >= earlier.clock;
    return earlier.thread % lanes_per_warp == lane || earlier.instant == instant_ ||
           earlier.meetings < clocks_[warp.index].meetings;
}

std::string RaceDetector::thread_text(const Warp& warp, const Stamp& earlier) const {
    return "thread " +
           dimensions_text(thread_index(*warp.block, earlier.thread / lanes_per_warp, earlier.thread % lanes_per_warp));
}

void RaceDetector::report(const Warp& warp, const Instruction* at, unsigned lane, uint64_t offset, bool writes,
                          const Stamp& earlier, bool earlier_wrote) const {
    const char* const did = earlier.in_flight ? " copies to " : earlier_wrote ? " wrote " : " read ";
    const char* const missing = earlier.in_flight ? ", with no wait for that copy" : ", with no barrier in between";
    throw FaultException{describe_fault(warp, at, lane, Fault::Kind::race,
                                        std::string(writes ? "wrote" : "read") + " byte " + hexadecimal(offset) +
                                            " of shared memory, which " + thread_text(warp, earlier) + did +
                                            place_text(*warp.block->launch, *earlier.function, earlier.at) + missing)};
}

void RaceDetector::report_rivals(const Warp& warp, const Instruction* at, unsigned lane, uint64_t offset,
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

void RaceDetector::write(Cell& cell, const Warp& warp, unsigned lane, uint64_t byte, const Stamp& stamp) {
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

void RaceDetector::access(const Warp& warp, const Instruction* at, unsigned lane, uint64_t offset, uint32_t bytes,
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

void RaceDetector::start_copy(const Warp& warp, const Instruction* at, unsigned lane, uint64_t offset, uint32_t bytes) {
    // Nothing orders a copy with what else writes there: no reader has to come.
    for (uint64_t byte = offset; byte < offset + bytes; ++byte) {
        const Stamp& write = cells_[byte].write;
        if (!ordered(write, warp, lane, false)) report(warp, at, lane, byte, true, write, true);
    }
    access(warp, at, lane, offset, bytes, {.writes = true});
    for (uint64_t byte = offset; byte < offset + bytes; ++byte)
        cells_[byte].write.in_flight = true;
}

void RaceDetector::finish_copy(uint32_t warp, unsigned lane, uint64_t offset, uint32_t bytes) {
    for (uint64_t byte = offset; byte < offset + bytes; ++byte) {
        Stamp& write = cells_[byte].write;
        if (!write.in_flight || write.block != block_ || write.thread != warp * lanes_per_warp + lane) continue;
        write.in_flight = false;
        write.clock = clocks_[warp].known[warp];
        write.meetings = clocks_[warp].meetings;
        write.instant = instant_;
    }
}

// --- every access ---

namespace {

// Where it is kept which bytes have been written, for an access that is in bounds; null if it is not kept.
uint8_t* written_bytes(const Warp& warp, unsigned lane, uint64_t address, uint32_t bytes) {
    Block& block = *warp.block;
    const auto inside = [&](uint64_t base, uint64_t size) {
        return address >= base && address - base <= size && size - (address - base) >= bytes;
    };
    if (const SharedPlace place = shared_place(warp, address);
        place.block != nullptr && place.offset + bytes <= warp.shared_bytes) {
        return place.block->written.shared.data() + place.offset;
    }
    if (inside(window::local, warp.local_stride)) {
        const size_t thread = static_cast<size_t>(warp.index) * lanes_per_warp + lane;
        return block.written.local.data() + thread * warp.local_stride + (address - window::local);
    }
    const SharedSnapshot& memory = block.launch->request->memory;
    if (address >= window::heap || memory == nullptr) return nullptr;
    const MemoryRange* const range = memory->find(address, bytes);
    return range == nullptr || !range->written ? nullptr : range->written.get() + (address - range->begin);
}

const char* space_name(uint64_t address) {
    return address - window::shared < window::size  ? "shared"
           : address - window::local < window::size ? "local"
                                                    : "device";
}

std::string bytes_text(uint64_t address, uint32_t bytes) {
    const uint64_t base = address - window::shared < window::size  ? window::shared
                          : address - window::local < window::size ? window::local
                                                                   : 0;
    return std::to_string(bytes) + " bytes of " + space_name(address) + " memory at " + hexadecimal(address - base);
}

[[noreturn]] void fault_unwritten_memory(const Warp& warp, const Instruction* at, unsigned lane, uint64_t address,
                                         const std::string& what) {
    Fault fault = describe_fault(warp, at, lane, Fault::Kind::uninitialised_memory, what);
    fault.address = address;
    throw FaultException{std::move(fault)};
}

// One lane's access: what it reads that nothing has written, and which bytes it writes.
void follow(Warp& warp, const Instruction* at, unsigned lane, uint64_t address, uint32_t bytes) {
    WrittenBytes& memory = warp.block->written;
    const bool reads = (at->aux & check_aux::reads) != 0, writes = (at->aux & check_aux::writes) != 0;
    uint8_t* const written = written_bytes(warp, lane, address, bytes);
    const uint32_t element = at->cache;
    for (uint32_t k = 0; k * element < bytes; ++k) {
        uint8_t* const part = written == nullptr ? nullptr : written + k * element;
        const bool complete = part == nullptr || all_written(part, element);
        if (reads && !complete) {
            if (writes) {
                fault_unwritten_memory(
                    warp, at, lane, address,
                    "updated " + bytes_text(address, bytes) + ", not all of which have been written");
            }
            memory.unwritten[k] |= 1u << lane;
            memory.reads[warp.index * lanes_per_warp + lane] = {at, warp.frame->function, address, bytes};
        }
        if (!writes) continue;
        const bool known =
            (at->aux & check_aux::tracked << k) == 0 || (warp.predicate(at->operand[k]) >> lane & 1) != 0;
        const bool is_message = part != nullptr && (at->aux & check_aux::strong) != 0;
        if (!known && address < window::first && !is_message) {
            fault_unwritten_memory(warp, at, lane, address,
                                   "stored in " + bytes_text(address, bytes) + " a value that nothing has written" +
                                       unwritten_read_text(warp, lane));
        }
        if (part != nullptr) set_written(part, element, known);
    }
}

}  // namespace

std::string unwritten_read_text(const Warp& warp, unsigned lane) {
    const WrittenBytes& memory = warp.block->written;
    if (memory.reads.empty()) return {};
    const WrittenBytes::Read& read = memory.reads[warp.index * lanes_per_warp + lane];
    if (read.at == nullptr) return {};
    return "; " + place_text(*warp.block->launch, *read.function, read.at) + " the thread has read " +
           bytes_text(read.address, read.bytes) + ", not all of which have been written";
}

uint32_t written_by_load(const Warp& warp, unsigned element) {
    return ~warp.block->written.unwritten[element];
}

void note_written(const Warp& warp, unsigned lane, uint64_t address, uint32_t bytes) {
    if (!warp.block->launch->model->checks.memory) return;
    if (uint8_t* const written = written_bytes(warp, lane, address, bytes)) set_written(written, bytes, true);
}

const Instruction* check_access(Warp& warp, const Instruction* at) {
    Block& block = *warp.block;
    const Checks& checks = block.launch->model->checks;
    const uint32_t bytes = at->aux >> check_aux::bytes_shift & 0xff;
    const bool reads = (at->aux & check_aux::reads) != 0, writes = (at->aux & check_aux::writes) != 0;
    const bool strong = (at->aux & check_aux::strong) != 0;
    const auto space = static_cast<AddressSpace>(at->aux & memory_aux::space_mask);
    if (block.races) block.races->next_instruction();
    if (reads) block.written.unwritten = {};
    for (uint32_t rest = warp.active; rest != 0; rest &= rest - 1) {
        const auto lane = static_cast<unsigned>(__builtin_ctz(rest));
        const bool narrow = (at->aux & memory_aux::narrow_address) != 0;
        uint64_t address = generic_address(warp, at->operand[4], narrow, false, lane);
        address += static_cast<uint64_t>(at->immediate);
        if (narrow && memory_aux::wraps(at->aux)) address = static_cast<uint32_t>(address);
        if (space == AddressSpace::shared) address += window::shared;
        if (space == AddressSpace::local) address += window::local;
        if (checks.memory) follow(warp, at, lane, address, bytes);
        if (!block.races) continue;
        const uint64_t offset = address - window::shared;
        if (offset <= warp.shared_bytes && warp.shared_bytes - offset >= bytes) {
            block.races->access(warp, at, lane, offset, bytes, {reads, writes, strong});
        }
        if (strong) {
            if (reads) block.races->acquire(warp.index, address);
            if (writes) block.races->release(warp.index, address);
        }
    }
    return at + 1;
}

}  // namespace cuprum::simulator
