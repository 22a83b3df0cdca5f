// Keeping some of many elements, or sorting them into several outputs, in their order. The threads take pieces in
// order: each marks what it keeps, learns from the thread in front how many elements come before its own, hands the sum
// on, and copies.
#pragma once

#include <array>
#include <atomic>
#include <cstring>

#include "chain.hpp"
#include "pipeline.hpp"

namespace cuprum::parallel::host {

// One byte per element: not 0 for those that are kept.
using Marks = std::byte;

// Writes the marked ones of `count` elements, at most a block, to `kept`, and returns how many they are. `kept` has
// room for all of them and may be `elements`.
template <class Element>
size_t keep_marked(const std::byte* elements, const Marks* marks, size_t count, std::byte* kept) {
    size_t result = 0;
    for (size_t i = 0; i < count; ++i) {
        Element element;
        std::memcpy(&element, elements + i * sizeof(Element), sizeof(Element));
        std::memcpy(kept + result * sizeof(Element), &element, sizeof(Element));
        result += marks[i] != std::byte{0} ? 1 : 0;
    }
    return result;
}

// The same for elements of any size.
inline size_t keep_marked(const std::byte* elements, const Marks* marks, size_t count, size_t size, std::byte* kept) {
    switch (size) {
        case 1:
            return keep_marked<uint8_t>(elements, marks, count, kept);
        case 2:
            return keep_marked<uint16_t>(elements, marks, count, kept);
        case 4:
            return keep_marked<uint32_t>(elements, marks, count, kept);
        case 8:
            return keep_marked<uint64_t>(elements, marks, count, kept);
        default:
            break;
    }
    size_t result = 0;
    for (size_t i = 0; i < count; ++i) {
        if (marks[i] != std::byte{0}) std::memmove(kept + result++ * size, elements + i * size, size);
    }
    return result;
}

// Writes the marked ones of a block of `elements` to the output from that position on, and returns how many they are.
inline size_t copy_marked(const Pipeline& elements, uint64_t begin, size_t count, const Marks* marks, std::byte* output,
                          uint64_t position) {
    const size_t size = elements.element_size();
    Scratch scratch;
    Block kept;
    const size_t found = keep_marked(elements.read(begin, count, scratch), marks, count, size, kept.bytes);
    std::memcpy(output + position * size, kept.bytes, found * size);
    return found;
}

// Whether the one is read where the other is written.
inline bool is_in_place(const Source& input, const void* output) {
    return input.kind == Source::memory && input.memory_or_value == output;
}

// Goes over all elements, in pieces by all threads. mark(begin, count, marks) marks a block's elements; tally(marks,
// count, sum) adds what is written for them; copy(begin, count, marks, position) writes that, from the position on, and
// moves the position behind it. `Sum` is both the numbers and the positions of what is written, at first none; it has
// operator+=. Returns the sum for all elements. `alone`: on this thread, block by block, so that the output may be the
// input's memory.
template <class Sum, class Mark, class Tally, class Copy>
Sum sort_into(uint64_t count, bool alone, const Mark& mark, const Tally& tally, const Copy& copy) {
    constexpr uint64_t piece = uint64_t{1} << 14;
    if (alone || thread_count() == 1 || count < 2 * piece) {
        Sum position{};
        std::array<Marks, block_elements> marks;
        for_each_block(0, count, [&](uint64_t begin, size_t size) {
            mark(begin, size, marks.data());
            copy(begin, size, marks.data(), position);
        });
        return position;
    }
    const uint64_t pieces = (count + piece - 1) / piece;
    Chain<Sum> chain;
    std::atomic<uint64_t> next{0};
    for_each_index(std::min<uint64_t>(thread_count(), pieces), [&](size_t) {
        std::array<Marks, piece> marks;
        for (uint64_t index = 0; (index = next.fetch_add(1, std::memory_order_relaxed)) < pieces;) {
            const uint64_t first = index * piece;
            const uint64_t last = std::min(count, first + piece);
            Sum here{};
            for_each_block(first, last, [&](uint64_t begin, size_t size) {
                Marks* const block = marks.data() + (begin - first);
                mark(begin, size, block);
                tally(block, size, here);
            });
            Sum position{};
            chain.pass(index, [&](Sum& sum) {
                position = sum;
                sum += here;
            });
            for_each_block(first, last, [&](uint64_t begin, size_t size) {
                copy(begin, size, marks.data() + (begin - first), position);
            });
        }
    });
    return chain.value();
}

// The same where the marked elements are written: copy(begin, count, marks, position) returns how many they are.
// Returns how many there are in all.
template <class Mark, class Copy>
uint64_t compact(uint64_t count, bool alone, const Mark& mark, const Copy& copy) {
    return sort_into<uint64_t>(
        count, alone, mark,
        [](const Marks* marks, size_t size, uint64_t& sum) {
            uint64_t kept = 0;
            for (size_t i = 0; i < size; ++i)
                kept += marks[i] != Marks{0} ? 1 : 0;
            sum += kept;
        },
        [&](uint64_t begin, size_t size, const Marks* marks, uint64_t& position) {
            position += copy(begin, size, marks, position);
        });
}

// Marks the first of each run of a block's elements that `are_equal` makes true. In place too: as many elements as were
// read have been written at most, each where it was or further front.
inline void mark_first(const Pipeline& elements, CombineBlocks are_equal, uint64_t begin, size_t count, Marks* marks) {
    Scratch scratch;
    const std::byte* const block = elements.read(begin, count, scratch);
    are_equal(block, block + elements.element_size(), marks + 1, count - 1);
    if (begin == 0) {
        marks[0] = Marks{0};
    } else {
        Scratch before;
        are_equal(elements.read(begin - 1, 1, before), block, marks, 1);
    }
    for (size_t i = 0; i < count; ++i)
        marks[i] ^= Marks{1};
}

}  // namespace cuprum::parallel::host
