#include "compact.hpp"
#include "registration.hpp"

namespace cuprum::parallel::host {

namespace {

constexpr TypeNumber boolean = 0;

// Elements by their part, or positions in the outputs.
struct Parts {
    uint64_t first = 0, second = 0, rest = 0;

    Parts& operator+=(const Parts& others) {
        first += others.first;
        second += others.second;
        rest += others.rest;
        return *this;
    }
};
constexpr Marks in_first{1};
constexpr Marks in_second{2};

// Those of a block that are in one part, to the output from that position on; returns how many they are.
size_t copy_part(const std::byte* block, const Marks* parts, Marks part, size_t count, size_t size, std::byte* output,
                 uint64_t position) {
    std::array<Marks, block_elements> marks;
    for (size_t i = 0; i < count; ++i)
        marks[i] = parts[i] == part ? Marks{1} : Marks{0};
    Block kept;
    const size_t found = keep_marked(block, marks.data(), count, size, kept.bytes);
    std::memcpy(output + position * size, kept.bytes, found * size);
    return found;
}

Status three_way_partition(const Source* input, uint64_t count, OpNumber first, OpNumber second, void* first_out,
                           void* second_out, void* rest_out, uint64_t* counts) {
    const Pipeline elements(*input);
    Pipeline first_conditions(*input);
    first_conditions.apply(first, boolean);
    Pipeline second_conditions(*input);
    second_conditions.apply(second, boolean);
    const size_t size = elements.element_size();
    const auto mark = [&](uint64_t begin, size_t in_block, Marks* parts) {
        Scratch scratch;
        std::array<Marks, block_elements> others;
        first_conditions.read_to(begin, in_block, scratch, parts);
        second_conditions.read_to(begin, in_block, scratch, others.data());
        for (size_t i = 0; i < in_block; ++i)
            parts[i] = parts[i] != Marks{0} ? in_first : others[i] != Marks{0} ? in_second : Marks{0};
    };
    const auto tally = [](const Marks* parts, size_t in_block, Parts& sum) {
        for (size_t i = 0; i < in_block; ++i) {
            sum.first += parts[i] == in_first ? 1 : 0;
            sum.second += parts[i] == in_second ? 1 : 0;
            sum.rest += parts[i] == Marks{0} ? 1 : 0;
        }
    };
    const auto copy = [&](uint64_t begin, size_t in_block, const Marks* parts, Parts& position) {
        Scratch scratch;
        const std::byte* const block = elements.read(begin, in_block, scratch);
        const auto copy_to = [&](Marks part, void* output, uint64_t& next) {
            next += copy_part(block, parts, part, in_block, size, static_cast<std::byte*>(output), next);
        };
        copy_to(in_first, first_out, position.first);
        copy_to(in_second, second_out, position.second);
        copy_to(Marks{0}, rest_out, position.rest);
    };
    const Parts total = sort_into<Parts>(count, false, mark, tally, copy);
    counts[0] = total.first;
    counts[1] = total.second;
    return success;
}

const Registration registration(&Functions::three_way_partition, three_way_partition);

}  // namespace

}  // namespace cuprum::parallel::host
