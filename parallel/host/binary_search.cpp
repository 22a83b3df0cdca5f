// Each value by itself. The elements that are compared lie in memory, or are made one by one.
#include <cstring>

#include "operators.hpp"
#include "pipeline.hpp"
#include "registration.hpp"

namespace cuprum::parallel::host {

namespace {

class Search {
public:
    Search(const Source& data, uint64_t count, OpNumber op, bool is_upper)
        : data_(data),
          count_(count),
          size_(data_.element_size()),
          compare_(binary_block(op, data_.type())),
          is_upper_(is_upper) {}

    uint64_t operator()(const std::byte* value, Scratch& scratch) const {
        uint64_t first = 0;
        for (uint64_t length = count_; length > 0;) {
            const uint64_t half = length / 2;
            if (goes_on(element(first + half, scratch), value)) {
                first += half + 1;
                length -= half + 1;
            } else {
                length = half;
            }
        }
        return first;
    }

private:
    const std::byte* element(uint64_t position, Scratch& scratch) const {
        const std::byte* const memory = data_.memory();
        return memory != nullptr ? memory + position * size_ : data_.read(position, 1, scratch);
    }
    bool goes_on(const std::byte* element, const std::byte* value) const {
        bool result = false;
        if (is_upper_) {
            compare_(value, element, &result, 1);
        } else {
            compare_(element, value, &result, 1);
        }
        return result != is_upper_;
    }

    Pipeline data_;
    uint64_t count_;
    size_t size_;
    CombineBlocks compare_;
    bool is_upper_;
};

Status binary_search(const Source* data, uint64_t data_count, const Source* values, uint64_t count, OpNumber op,
                     int32_t is_upper, uint64_t position_size, void* output) {
    const Search search(*data, data_count, op, is_upper != 0);
    const Pipeline wanted(*values);
    const size_t size = wanted.element_size();
    auto* const positions = static_cast<std::byte*>(output);
    const Chunks chunks(count, 64);
    for_each_index(chunks.count(), [&](size_t chunk) {
        Scratch value_scratch;
        Scratch scratch;
        for_each_block(chunks.begin(chunk), chunks.end(chunk), [&](uint64_t begin, size_t in_block) {
            const std::byte* const block = wanted.read(begin, in_block, value_scratch);
            for (size_t i = 0; i < in_block; ++i) {
                const uint64_t position = search(block + i * size, scratch);
                // Little-endian: the low half is in front.
                std::memcpy(positions + (begin + i) * position_size, &position, position_size);
            }
        });
    });
    return success;
}

const Registration registration(&Functions::binary_search, binary_search);

}  // namespace

}  // namespace cuprum::parallel::host
