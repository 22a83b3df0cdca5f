// The threads take pieces from front to back, and stop behind the first position that one of them has found.
#include <array>
#include <atomic>

#include "pipeline.hpp"
#include "registration.hpp"

namespace cuprum::parallel::host {

namespace {

constexpr TypeNumber boolean = 0;

// Lowers it to `found`.
void take_first(std::atomic<uint64_t>& first, uint64_t found) {
    uint64_t known = first.load(std::memory_order_relaxed);
    while (found < known && !first.compare_exchange_weak(known, found, std::memory_order_relaxed)) {}
}

Status search(const Source* first, const Source* second, uint64_t count, OpNumber op, int32_t wanted,
              uint64_t* position) {
    Pipeline elements(*first);
    const Pipeline others(second != nullptr ? *second : *first);
    const CombineBlocks compare = second != nullptr ? binary_block(op, elements.type()) : nullptr;
    if (second == nullptr) elements.apply(op, boolean);
    std::atomic<uint64_t> found{count};
    std::atomic<uint64_t> next{0};
    constexpr uint64_t piece = uint64_t{8} * block_elements;
    const uint64_t pieces = (count + piece - 1) / piece;
    for_each_index(std::clamp<uint64_t>(thread_count(), 1, std::max<uint64_t>(pieces, 1)), [&](size_t) {
        Scratch scratch;
        Scratch other;
        std::array<bool, block_elements> answers;
        for (uint64_t index = 0; (index = next.fetch_add(1, std::memory_order_relaxed)) < pieces;) {
            for_each_block(index * piece, std::min(count, (index + 1) * piece), [&](uint64_t begin, size_t in_block) {
                if (found.load(std::memory_order_relaxed) < begin) return;
                if (compare != nullptr) {
                    compare(elements.read(begin, in_block, scratch), others.read(begin, in_block, other),
                            answers.data(), in_block);
                } else {
                    elements.read_to(begin, in_block, scratch, reinterpret_cast<std::byte*>(answers.data()));
                }
                const auto* const at = std::find(answers.begin(), answers.begin() + in_block, wanted != 0);
                if (at != answers.begin() + in_block)
                    take_first(found, begin + static_cast<uint64_t>(at - answers.begin()));
            });
        }
    });
    *position = found.load(std::memory_order_relaxed);
    return success;
}

const Registration registration(&Functions::search, search);

}  // namespace

}  // namespace cuprum::parallel::host
