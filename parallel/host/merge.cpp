// The threads share the result; each finds which elements of both sequences are in its part of it (merge path), block
// by block, and merges them.
#include <array>
#include <cstring>

#include "pipeline.hpp"
#include "registration.hpp"

namespace cuprum::parallel::host {

namespace {

class Sequence {
public:
    Sequence(const Source& keys, const Source* values, uint64_t count) : keys_(keys), count_(count) {
        if (values != nullptr) values_.emplace_back(*values);
    }

    uint64_t count() const { return count_; }
    const Pipeline& keys() const { return keys_; }
    const Pipeline& values() const { return values_.front(); }
    const std::byte* key(uint64_t position, Scratch& scratch) const {
        const std::byte* const memory = keys_.memory();
        return memory != nullptr ? memory + position * keys_.element_size() : keys_.read(position, 1, scratch);
    }

private:
    Pipeline keys_;
    std::vector<Pipeline> values_;  // none or one
    uint64_t count_;
};

class Merging {
public:
    Merging(const Sequence& first, const Sequence& second, OpNumber op)
        : first_(first), second_(second), comes_before_(binary_block(op, first.keys().type())) {}

    // How many of the first `diagonal` elements of the result are of the first sequence.
    uint64_t of_first(uint64_t diagonal) const {
        Scratch one;
        Scratch other;
        uint64_t low = diagonal > second_.count() ? diagonal - second_.count() : 0;
        uint64_t high = std::min(diagonal, first_.count());
        while (low < high) {
            const uint64_t middle = low + (high - low) / 2;
            if (comes_before(second_.key(diagonal - 1 - middle, one), first_.key(middle, other))) {
                high = middle;
            } else {
                low = middle + 1;
            }
        }
        return low;
    }

    // Elements `begin` to `end` of the result, at most a block, of which `first_begin` to `first_end` are of the first
    // sequence.
    void block(uint64_t begin, uint64_t end, uint64_t first_begin, uint64_t first_end, std::byte* keys_out,
               std::byte* values_out) const {
        const auto count = static_cast<size_t>(end - begin);
        const auto first_count = static_cast<size_t>(first_end - first_begin);
        const uint64_t second_begin = begin - first_begin;
        const size_t size = first_.keys().element_size();
        Scratch one;
        Scratch other;
        const std::byte* first = first_.keys().read(first_begin, first_count, one);
        const std::byte* second = second_.keys().read(second_begin, count - first_count, other);
        const std::byte* const first_end_key = first + first_count * size;
        const std::byte* const second_end_key = second + (count - first_count) * size;
        std::array<bool, block_elements> is_second;
        std::byte* to = keys_out + begin * size;
        for (size_t i = 0; i < count; ++i, to += size) {
            is_second[i] = first == first_end_key || (second != second_end_key && comes_before(second, first));
            const std::byte*& from = is_second[i] ? second : first;
            std::memcpy(to, from, size);
            from += size;
        }
        if (values_out == nullptr) return;
        const size_t value_size = first_.values().element_size();
        first = first_.values().read(first_begin, first_count, one);
        second = second_.values().read(second_begin, count - first_count, other);
        move_elements(value_size, count, [&](size_t i) {
            const std::byte*& from = is_second[i] ? second : first;
            const std::byte* const value = from;
            from += value_size;
            return std::pair(values_out + (begin + i) * value_size, value);
        });
    }

private:
    bool comes_before(const std::byte* one, const std::byte* other) const {
        bool result = false;
        comes_before_(one, other, &result, 1);
        return result;
    }

    const Sequence& first_;
    const Sequence& second_;
    CombineBlocks comes_before_;
};

Status merge(const Source* first_keys, const Source* first_values, uint64_t first_count, const Source* second_keys,
             const Source* second_values, uint64_t second_count, OpNumber op, void* keys_out, void* values_out) {
    const Sequence first(*first_keys, first_values, first_count);
    const Sequence second(*second_keys, second_values, second_count);
    const Merging merging(first, second, op);
    const Chunks chunks(first_count + second_count);
    for_each_index(chunks.count(), [&](size_t chunk) {
        uint64_t of_first = merging.of_first(chunks.begin(chunk));
        for_each_block(chunks.begin(chunk), chunks.end(chunk), [&](uint64_t begin, size_t count) {
            const uint64_t next = merging.of_first(begin + count);
            merging.block(begin, begin + count, of_first, next, static_cast<std::byte*>(keys_out),
                          static_cast<std::byte*>(values_out));
            of_first = next;
        });
    });
    return success;
}

const Registration registration(&Functions::merge, merge);

}  // namespace

}  // namespace cuprum::parallel::host
