// Each thread combines its part; the parts' results are combined in their order.
#include <cstring>

#include "pipeline.hpp"
#include "registration.hpp"

namespace cuprum::parallel::host {

namespace {

struct alignas(64) Partial {
    std::byte value[max_element_size];
};

class Reduction {
public:
    Reduction(const Source& input, OpNumber op, TypeNumber accumulator)
        : elements_(input), fold_(fold_block(op, accumulator)), size_(size_of(accumulator)) {
        elements_.convert_to(accumulator);
    }

    size_t size() const { return size_; }

    // Of at least one element.
    void of_range(uint64_t begin, uint64_t end, void* result) const {
        if (const std::byte* const memory = elements_.memory()) {
            fold_first(memory + begin * size_, end - begin, result);
            return;
        }
        Scratch scratch;
        bool is_first = true;
        for_each_block(begin, end, [&](uint64_t position, size_t count) {
            const std::byte* const block = elements_.read(position, count, scratch);
            if (is_first) {
                fold_first(block, count, result);
            } else {
                fold_(block, count, result);
            }
            is_first = false;
        });
    }
    void append(const void* value, void* result) const { fold_(value, 1, result); }

    // With all threads. `init`: null for none.
    void run(uint64_t begin, uint64_t end, const void* init, void* output) const {
        alignas(max_element_size) std::array<std::byte, max_element_size> result;  // `output` may be of the input
        if (init == nullptr && begin == end) return;
        if (init != nullptr) std::memcpy(result.data(), init, size_);
        if (begin < end) {
            // Many: those that wait in a shared cache are read by the thread that comes to them first.
            const Chunks chunks(end - begin, 1U << 13, 16);
            std::array<Partial, Chunks::max_count> partials;
            for_each_index(chunks.count(), [&](size_t chunk) {
                of_range(begin + chunks.begin(chunk), begin + chunks.end(chunk), partials[chunk].value);
            });
            if (init == nullptr) std::memcpy(result.data(), partials[0].value, size_);
            for (size_t chunk = init == nullptr ? 1 : 0; chunk < chunks.count(); ++chunk)
                append(partials[chunk].value, result.data());
        }
        std::memcpy(output, result.data(), size_);
    }

private:
    void fold_first(const std::byte* elements, uint64_t count, void* result) const {
        std::memcpy(result, elements, size_);
        fold_(elements + size_, count - 1, result);
    }

    Pipeline elements_;
    FoldBlock fold_;
    size_t size_;
};

template <class Offset>
void reduce_segments(const Reduction& reduction, uint64_t segments, const void* begins, const void* ends,
                     const void* init, void* output) {
    const auto* const first = static_cast<const Offset*>(begins);
    const auto* const last = static_cast<const Offset*>(ends);
    auto* const results = static_cast<std::byte*>(output);
    if (segments < 4 * thread_count()) {
        // Few: all threads together on each.
        for (uint64_t i = 0; i < segments; ++i) {
            const Offset end = std::max(first[i], last[i]);
            reduction.run(static_cast<uint64_t>(first[i]), static_cast<uint64_t>(end), init,
                          results + i * reduction.size());
        }
        return;
    }
    const Chunks chunks(segments, 1);
    for_each_index(chunks.count(), [&](size_t chunk) {
        for (uint64_t i = chunks.begin(chunk); i < chunks.end(chunk); ++i) {
            std::byte* const result = results + i * reduction.size();
            alignas(max_element_size) std::array<std::byte, max_element_size> sum;
            std::memcpy(result, init, reduction.size());
            if (first[i] >= last[i]) continue;
            reduction.of_range(static_cast<uint64_t>(first[i]), static_cast<uint64_t>(last[i]), sum.data());
            reduction.append(sum.data(), result);
        }
    });
}

Status reduce(const Source* input, uint64_t count, OpNumber op, TypeNumber accumulator, const void* init,
              void* output) {
    Reduction(*input, op, accumulator).run(0, count, init, output);
    return success;
}

Status segmented_reduce(const Source* input, uint64_t segments, const void* begins, const void* ends,
                        uint64_t offsets_size, OpNumber op, TypeNumber accumulator, const void* init, void* output) {
    const Reduction reduction(*input, op, accumulator);
    if (offsets_size == sizeof(int32_t)) {
        reduce_segments<int32_t>(reduction, segments, begins, ends, init, output);
    } else {
        reduce_segments<int64_t>(reduction, segments, begins, ends, init, output);
    }
    return success;
}

const Registration reduce_registration(&Functions::reduce, reduce);
const Registration segmented_reduce_registration(&Functions::segmented_reduce, segmented_reduce);

}  // namespace

}  // namespace cuprum::parallel::host
