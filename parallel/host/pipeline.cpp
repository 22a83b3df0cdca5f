#include "pipeline.hpp"

#include <cstring>
#include <utility>

#include "operators.hpp"
#include "shuffle.hpp"

namespace cuprum::parallel::host {

namespace {

void fill(const void* value, size_t size, std::byte* to, size_t count) {
    for (size_t i = 0; i < count; ++i)
        std::memcpy(to + i * size, value, size);
}

}  // namespace

Pipeline::Pipeline(const Source& source)
    : source_(source),
      data_(static_cast<const std::byte*>(source.memory_or_value)),
      element_size_(source.element_size),
      result_size_(source.element_size),
      type_(source.type) {
    parts_.reserve(static_cast<size_t>(source.part_count));
    for (int32_t i = 0; i < source.part_count; ++i)
        parts_.emplace_back(source.parts[i]);
    // Positions.
    if (source.kind == Source::permutation) parts_[1].convert_to(position_type);
    for (int32_t i = 0; i < source.stage_count; ++i)
        apply(source.stages[i].op, source.stages[i].to);
}

void Pipeline::apply(OpNumber op, TypeNumber result) {
    if (op != identity) {
        step_[steps_++] = unary_block(op, type_);
        type_ = result_of(op, type_);
        result_size_ = size_of(type_);
    }
    convert_to(result);
}

void Pipeline::convert_to(TypeNumber type) {
    if (type == type_) return;
    step_[steps_++] = convert_block(type_, type);
    type_ = type;
    result_size_ = size_of(type_);
}

void Pipeline::gather(const int64_t* positions, size_t count, std::byte* result) const {
    if (const std::byte* const elements = memory()) {
        move_elements(result_size_, count, [&](size_t i) {
            return std::pair{result + i * result_size_, elements + positions[i] * static_cast<int64_t>(result_size_)};
        });
        return;
    }
    Scratch scratch;
    for (size_t i = 0; i < count; ++i)
        read_to(static_cast<uint64_t>(positions[i]), 1, scratch, result + i * result_size_);
}

void Pipeline::read_strided(uint64_t begin, size_t count, std::byte* result) const {
    const Pipeline& base = parts_[0];
    const int64_t first = source_.start + static_cast<int64_t>(begin) * source_.step;
    if (source_.step == 1 || source_.step == -1) {
        const bool is_reverse = source_.step == -1;
        const int64_t lowest = is_reverse ? first - static_cast<int64_t>(count) + 1 : first;
        Scratch scratch;
        const std::byte* const elements = base.read(static_cast<uint64_t>(lowest), count, scratch);
        move_elements(element_size_, count, [&](size_t i) {
            return std::pair{result + i * element_size_, elements + (is_reverse ? count - 1 - i : i) * element_size_};
        });
        return;
    }
    std::array<int64_t, block_elements> positions;
    for (size_t i = 0; i < count; ++i)
        positions[i] = first + static_cast<int64_t>(i) * source_.step;
    base.gather(positions.data(), count, result);
}

void Pipeline::read_permuted(uint64_t begin, size_t count, std::byte* result) const {
    std::array<int64_t, block_elements> positions;
    {
        Scratch scratch;
        std::memcpy(positions.data(), parts_[1].read(begin, count, scratch), count * sizeof(int64_t));
    }
    parts_[0].gather(positions.data(), count, result);
}

void Pipeline::read_zipped(uint64_t begin, size_t count, std::byte* result) const {
    std::memset(result, 0, count * element_size_);  // between the fields
    for (size_t part = 0; part < parts_.size(); ++part) {
        Scratch scratch;
        const std::byte* const elements = parts_[part].read(begin, count, scratch);
        const size_t size = parts_[part].element_size();
        std::byte* const field = result + source_.parts[part].offset;
        move_elements(size, count, [&](size_t i) { return std::pair{field + i * element_size_, elements + i * size}; });
    }
}

const std::byte* Pipeline::run(uint64_t begin, size_t count, Scratch& scratch, std::byte* result) const {
    const auto destination = [&](size_t step) {
        if (result != nullptr && step == steps_) return result;
        return step % 2 == 0 ? scratch.first.bytes : scratch.second.bytes;
    };
    const std::byte* block = nullptr;
    switch (source_.kind) {
        case Source::memory:
            block = data_ + begin * element_size_;
            break;
        case Source::constant:
            fill(data_, element_size_, destination(0), count);
            block = destination(0);
            break;
        case Source::counting:
            count_block(source_.type)(data_, begin, destination(0), count);
            block = destination(0);
            break;
        case Source::strided:
            read_strided(begin, count, destination(0));
            block = destination(0);
            break;
        case Source::permutation:
            read_permuted(begin, count, destination(0));
            block = destination(0);
            break;
        case Source::zip:
            read_zipped(begin, count, destination(0));
            block = destination(0);
            break;
        default:  // a shuffle
            for (size_t i = 0; i < count; ++i) {
                const int64_t number =
                    shuffled(begin + i, static_cast<uint64_t>(source_.start), static_cast<uint64_t>(source_.step));
                std::memcpy(destination(0) + i * sizeof(number), &number, sizeof(number));
            }
            block = destination(0);
            break;
    }
    for (size_t i = 0; i < steps_; ++i) {
        step_[i](block, destination(i + 1), count);
        block = destination(i + 1);
    }
    return block;
}

const std::byte* Pipeline::read(uint64_t begin, size_t count, Scratch& scratch) const {
    return run(begin, count, scratch, nullptr);
}

void Pipeline::read_to(uint64_t begin, size_t count, Scratch& scratch, std::byte* result) const {
    const std::byte* const block = run(begin, count, scratch, result);
    if (block != result) std::memcpy(result, block, count * result_size_);
}

}  // namespace cuprum::parallel::host
