// A Source as it is read: block by block, each through all that is done to its elements.
#pragma once

#include <array>
#include <cstddef>
#include <cstring>
#include <type_traits>
#include <vector>

#include "blocks.hpp"
#include "threads.hpp"

namespace cuprum::parallel::host {

// A thread's memory for blocks on their way. Not cleared.
struct alignas(64) Block {
    std::byte bytes[block_elements * max_element_size];
};
struct Scratch {
    Block first, second;
};

class Pipeline {
public:
    explicit Pipeline(const Source& source);

    // What follows the stages that the source has.
    void apply(OpNumber op, TypeNumber result);
    void convert_to(TypeNumber type);

    // -1 for structs.
    TypeNumber type() const { return type_; }
    size_t element_size() const { return result_size_; }
    // The elements, where they lie in memory as they are to be read; else null.
    const std::byte* memory() const { return steps_ == 0 && source_.kind == Source::memory ? data_ : nullptr; }

    // `count` <= block_elements elements from `begin` on: where they are, within the source's memory or `scratch`.
    const std::byte* read(uint64_t begin, size_t count, Scratch& scratch) const;
    // The same, into `result`, which may be the source's memory.
    void read_to(uint64_t begin, size_t count, Scratch& scratch, std::byte* result) const;

    // The elements at any positions, which may be below 0 where the memory reaches there.
    void gather(const int64_t* positions, size_t count, std::byte* result) const;

private:
    const std::byte* run(uint64_t begin, size_t count, Scratch& scratch, std::byte* result) const;
    // Of what is made of others: the elements before the steps.
    void read_strided(uint64_t begin, size_t count, std::byte* result) const;
    void read_permuted(uint64_t begin, size_t count, std::byte* result) const;
    void read_zipped(uint64_t begin, size_t count, std::byte* result) const;

    const Source& source_;
    const std::byte* data_;
    size_t element_size_, result_size_;
    TypeNumber type_;
    std::vector<Pipeline> parts_;
    size_t steps_ = 0;
    std::array<ConvertBlock, 2 * (max_stages + 1) + 1> step_;
};

// Copies elements of one size: places(i) is where to, and where from.
template <class Places>
void move_elements(size_t size, size_t count, const Places& places) {
    const auto move = [&](auto constant) {
        for (size_t i = 0; i < count; ++i) {
            const auto [to, from] = places(i);
            std::memcpy(to, from, constant == 0 ? size : constant);
        }
    };
    switch (size) {
        case 4:
            return move(std::integral_constant<size_t, 4>{});
        case 8:
            return move(std::integral_constant<size_t, 8>{});
        default:
            return move(std::integral_constant<size_t, 0>{});
    }
}

// function(begin, count) for each block of [begin, end).
template <class Function>
void for_each_block(uint64_t begin, uint64_t end, const Function& function) {
    for (; begin < end; begin += block_elements)
        function(begin, static_cast<size_t>(std::min<uint64_t>(end - begin, block_elements)));
}

}  // namespace cuprum::parallel::host
