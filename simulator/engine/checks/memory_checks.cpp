#include "engine/checks/memory_checks.hpp"

#include "engine/checks/checked_access.hpp"
#include "engine/checks/text.hpp"
#include "engine/execution/runtime.hpp"

namespace cuprum::simulator {

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
    const uint32_t bytes = at->aux >> check_aux::bytes_shift & 0xff;
    if ((at->aux & check_aux::reads) != 0) warp.block->written.unwritten = {};
    Addresses addresses;
    find_addresses(warp, at, addresses);
    for (uint32_t rest = warp.active; rest != 0; rest &= rest - 1) {
        const auto lane = static_cast<unsigned>(__builtin_ctz(rest));
        follow(warp, at, lane, addresses[lane], bytes);
    }
    return at + 1;
}

}  // namespace cuprum::simulator
