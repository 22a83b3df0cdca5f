#include "piece_call.hpp"

#include <algorithm>
#include <exception>
#include <optional>
#include <string>
#include <utility>

#include "../layout.hpp"
#include "../source.hpp"
#include "cuprum/core/memory_resource.hpp"
#include "cuprum/pathfinder/error.hpp"

namespace cuprum::parallel::out_of_core {

namespace {

constexpr uint64_t alignment = 256;  // of what the kernels work on
// Of a piece that is read once: the copy of so many bytes takes a millisecond or more, and the launches for it some
// hundredths of that.
constexpr uint64_t one_pass_bytes = uint64_t{64} << 20;

void check_elements(const char* operation, const char* name, const Type& expected, const Type& type, const void* data,
                    uint64_t count) {
    if (!(type == expected)) {
        throw InvalidArgument(operation, name,
                              "they are of type " + type.text() + ", the algorithm was built for " + expected.text());
    }
    check_count(operation, count, type.size());
    if (data == nullptr && count > 0) {
        throw InvalidArgument(operation, name, "they are null, expected " + std::to_string(count) + " elements");
    }
}

uint64_t bytes_of_buffer(const Needs& needs, uint64_t elements) {
    uint64_t bytes = 0;
    for (const uint64_t size : needs.sizes)
        bytes += align_up((elements + needs.extra_elements) * size, alignment);
    return bytes;
}

uint64_t bytes_of(const Needs& needs, uint64_t elements, size_t buffers) {
    return align_up(needs.temp_storage_bytes(elements), alignment) + buffers * bytes_of_buffer(needs, elements) +
           needs.other_bytes;
}

// What a call may take.
uint64_t available_bytes(const DeviceMemory& memory) {
    return memory.limit > 0 ? memory.limit : memory.device.free_memory() / 8 * 7;
}

void sync_after_error(const core::Stream& stream) noexcept {
    try {
        stream.sync();
    } catch (const std::exception&) {}
}

}  // namespace

void check_elements(const char* operation, const char* name, const Type& type, const HostInput& elements) {
    check_elements(operation, name, type, elements.type, elements.data, elements.count);
}

void check_elements(const char* operation, const char* name, const Type& type, const HostOutput& elements) {
    check_elements(operation, name, type, elements.type, elements.data, elements.count);
}

void check_room(const char* operation, const char* name, const Type& type, const HostOutput& elements, uint64_t count) {
    check_elements(operation, name, type, elements);
    if (elements.count >= count) return;
    throw InvalidArgument(
        operation, name,
        "there is room for " + std::to_string(elements.count) + " elements, expected " + std::to_string(count));
}

void check_same_count(const char* operation, const char* name, uint64_t count, const char* other_name, uint64_t other) {
    if (count == other) return;
    throw InvalidArgument(operation, name,
                          "there are " + std::to_string(count) + ", and " + std::to_string(other) + " " + other_name);
}

void check_initial_value(const char* operation, const Value* init, const Type& accumulator) {
    if (init == nullptr || init->type() == accumulator) return;
    throw InvalidArgument(
        operation, "initial value",
        "it is of type " + init->type().text() + ", the algorithm was built for " + accumulator.text());
}

Extent extent_of(const char* name, const HostInput& elements) {
    return {name, reinterpret_cast<uintptr_t>(elements.data), elements.count * elements.type.size()};
}

Extent extent_of(const char* name, const HostOutput& elements, uint64_t count) {
    return {name, reinterpret_cast<uintptr_t>(elements.data), count * elements.type.size()};
}

PieceSizes one_pass(const ElementSizes& sizes) {
    const uint64_t elements = std::max<uint64_t>(one_pass_bytes / (sizes[0] + sizes[1]), 1);
    return {elements, 1, elements};
}

Plan plan_pieces(const DeviceMemory& memory, const Needs& needs, uint64_t count, const PieceSizes& sizes) {
    Plan plan;
    plan.needs = needs;
    plan.count = count;
    const uint64_t available = available_bytes(memory);
    const auto fits = [&](uint64_t elements, size_t buffers) {
        return bytes_of(needs, elements, buffers) <= available;
    };
    // More elements in one piece need another program, which is compiled when it is wanted.
    const uint64_t most = std::min({count, sizes.preferred, narrow_limit});
    const bool may_be_alone = count <= std::min(sizes.most_alone, narrow_limit);
    if (may_be_alone && fits(count, needs.buffers_alone)) {
        plan.piece = std::max<uint64_t>(count, 1);
        plan.buffers = needs.buffers_alone;
    } else {
        uint64_t too_many = most + 1;
        while (too_many - plan.piece > 1) {
            const uint64_t middle = plan.piece + (too_many - plan.piece) / 2;
            (fits(middle, needs.buffers) ? plan.piece : too_many) = middle;
        }
        plan.buffers = needs.buffers;
    }
    const uint64_t least = std::max<uint64_t>(std::min(sizes.least, count), 1);
    if (plan.piece < least) {
        const uint64_t needed = std::min(bytes_of(needs, least, needs.buffers),
                                         may_be_alone ? bytes_of(needs, count, needs.buffers_alone) : UINT64_MAX);
        throw InvalidArgument(needs.operation, "memory of device " + std::to_string(memory.device.device_id()),
                              std::to_string(available) + " bytes may be taken, and " + std::to_string(count) +
                                  " elements need at least " + std::to_string(needed),
                              "give more memory");
    }
    plan.pieces = ceil_divide(count, plan.piece);
    plan.bytes = bytes_of(needs, plan.piece, plan.buffers);
    return plan;
}

Plan with_pieces_of(Plan plan, uint64_t piece) {
    plan.piece = piece;
    plan.pieces = ceil_divide(plan.count, piece);
    plan.buffers = plan.needs.buffers;
    plan.bytes = bytes_of(plan.needs, piece, plan.buffers);
    return plan;
}

PieceCall::PieceCall(const DeviceMemory& memory, const Plan& plan)
    : in_(memory.device.create_stream()),
      work_(memory.device.create_stream()),
      out_(memory.device.create_stream()),
      transfers_(memory.device, plan.piece * std::max(plan.needs.sizes[0], plan.needs.sizes[1])) {
    memory_ = memory.resource.is_valid() ? memory.resource.allocate(plan.bytes, work_)
                                         : memory.device.allocate(plan.bytes, work_);
    in_.wait(work_);
    out_.wait(work_);
    uint64_t begin = 0;
    const auto part = [&](uint64_t bytes) {
        const core::BufferRef slice = memory_.slice(begin, bytes);
        begin += align_up(bytes, alignment);
        return slice;
    };
    for (size_t i = 0; i < plan.buffers; ++i) {
        Slot& slot = slots_.emplace_back();
        for (size_t column = 0; column < plan.needs.sizes.size(); ++column)
            slot.buffer.columns[column] = part((plan.piece + plan.needs.extra_elements) * plan.needs.sizes[column]);
        slot.event = memory.device.create_event();
        slot.buffer.ready = slot.event;
        free_.push_back(i);
    }
    temp_storage_ = part(plan.needs.temp_storage_bytes(plan.piece));
    other_begin_ = begin;
}

PieceCall::~PieceCall() {
    if (is_finished_) return;
    stop();
    memory_.close();
    sync_after_error(work_);
}

void PieceCall::stop() noexcept {
    if (is_finished_) return;
    for (const core::Stream* const stream : {&in_, &work_, &out_})
        sync_after_error(*stream);
}

core::BufferRef PieceCall::reserve(uint64_t bytes) {
    const core::BufferRef part = memory_.slice(other_begin_ + reserved_, bytes);
    reserved_ += align_up(bytes, alignment);
    return part;
}

// An algorithm that needs no temporary storage would take an empty buffer for none at all.
CallOptions PieceCall::options() const {
    CallOptions options;
    if (temp_storage_.size() > 0) options.temp_storage = temp_storage_;
    return options;
}

const core::Buffer& PieceCall::allocate_page_locked(uint64_t bytes) {
    page_locked_.push_back(core::LegacyPinnedMemoryResource().allocate(bytes, work_));
    return page_locked_.back();
}

size_t PieceCall::take(const core::Stream& stream) {
    const size_t number = free_.front();
    free_.pop_front();
    stream.wait(slots_[number].event);
    return number;
}

void PieceCall::run(uint64_t pieces, const Stages& stages, uint64_t first, uint64_t step) {
    const auto pass_on = [this](size_t number, const core::Stream& from, const core::Stream& to) {
        from.record(slots_[number].event);
        to.wait(slots_[number].event);
    };
    const auto release = [this](size_t number, const core::Stream& after) {
        after.record(slots_[number].event);
        free_.push_back(number);
    };
    std::optional<size_t> worked;  // the results of the piece before
    const auto copy_out = [&](uint64_t piece) {
        out_.wait(slots_[*worked].event);
        stages.copy_out(piece, slots_[*worked].buffer);
        release(*worked, out_);
        worked.reset();
    };
    uint64_t piece = first;
    for (; piece < pieces; piece += step) {
        const size_t in = take(in_);
        stages.copy_in(piece, slots_[in].buffer);
        pass_on(in, in_, work_);
        const std::optional<size_t> other = stages.takes_other ? std::optional(take(work_)) : std::nullopt;
        const bool is_in_place = stages.work(piece, slots_[in].buffer, other ? slots_[*other].buffer : PieceBuffer{});
        const size_t results = is_in_place || !other ? in : *other;
        if (other) release(is_in_place ? *other : in, work_);
        if (!stages.copy_out) {
            release(results, work_);
            continue;
        }
        work_.record(slots_[results].event);
        if (worked) copy_out(piece - step);
        worked = results;
    }
    if (worked) copy_out(piece - step);
}

void PieceCall::wait() {
    in_.sync();
    work_.sync();
    out_.sync();
    transfers_.finish();
}

// Afterwards the memory is free for whoever wants it, in any stream.
void PieceCall::finish() {
    wait();
    is_finished_ = true;
    memory_.close();
    work_.sync();
}

}  // namespace cuprum::parallel::out_of_core
