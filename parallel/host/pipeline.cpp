#include "pipeline.hpp"

#include <cstring>

#include "operators.hpp"

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
      element_size_(size_of(source.type)),
      type_(source.type) {
    for (int32_t i = 0; i < source.stage_count; ++i)
        apply(source.stages[i].op, source.stages[i].to);
}

void Pipeline::apply(OpNumber op, TypeNumber result) {
    if (op != identity) {
        step_[steps_++] = unary_block(op, type_);
        type_ = result_of(op, type_);
    }
    convert_to(result);
}

void Pipeline::convert_to(TypeNumber type) {
    if (type == type_) return;
    step_[steps_++] = convert_block(type_, type);
    type_ = type;
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
        default:
            count_block(source_.type)(data_, begin, destination(0), count);
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
    if (block != result) std::memcpy(result, block, count * size_of(type_));
}

}  // namespace cuprum::parallel::host
