// The extreme of each block by vector code; where it is only in blocks that have a new extreme.
#include <cstring>

#include "operators.hpp"
#include "pipeline.hpp"
#include "registration.hpp"

namespace cuprum::parallel::host {

namespace {

struct alignas(64) Candidate {
    std::byte value[max_element_size];
    uint64_t position;
    bool is_nan;
};

class Search {
public:
    Search(const Source& input, bool is_maximum)
        : elements_(input),
          size_(elements_.element_size()),
          fold_(fold_block(is_maximum ? maximum : minimum, elements_.type())),
          is_before_(binary_block(is_maximum ? greater : less, elements_.type())),
          find_(find_block(elements_.type())),
          find_nan_(find_nan(elements_.type())) {}

    size_t size() const { return size_; }
    bool is_before(const Candidate& left, const Candidate& right) const {
        bool answer = false;
        is_before_(left.value, right.value, &answer, 1);
        return answer;
    }

    // Of at least one element. The first NaN ends the search.
    void run(uint64_t begin, uint64_t end, Candidate& best) const {
        Scratch scratch;
        for (uint64_t position = begin; position < end; position += block_elements) {
            const auto count = static_cast<size_t>(std::min<uint64_t>(end - position, block_elements));
            const std::byte* const block = elements_.read(position, count, scratch);
            if (const size_t nan = find_nan_(block, count); nan < count) {
                take(block, nan, position, best);
                best.is_nan = true;
                return;
            }
            Candidate extreme;
            std::memcpy(extreme.value, block, size_);
            fold_(block, count, extreme.value);
            if (position == begin || is_before(extreme, best)) {
                take(block, find_(block, count, extreme.value), position, best);
                best.is_nan = false;
            }
        }
    }

private:
    void take(const std::byte* block, size_t index, uint64_t position, Candidate& best) const {
        std::memcpy(best.value, block + index * size_, size_);
        best.position = position + index;
    }

    Pipeline elements_;
    size_t size_;
    FoldBlock fold_;
    CombineBlocks is_before_;
    FindBlock find_;
    FindNan find_nan_;
};

Status arg_reduce(const Source* input, uint64_t count, int32_t is_maximum, int64_t* index, void* value) {
    const Search search(*input, is_maximum != 0);
    if (count == 0) {
        *index = -1;
        std::memset(value, 0, search.size());
        return success;
    }
    const Chunks chunks(count);
    std::array<Candidate, Chunks::max_count> candidates;
    for_each_index(chunks.count(),
                   [&](size_t chunk) { search.run(chunks.begin(chunk), chunks.end(chunk), candidates[chunk]); });
    const Candidate* best = candidates.data();
    for (size_t chunk = 1; chunk < chunks.count() && !best->is_nan; ++chunk) {
        const Candidate& next = candidates[chunk];
        if (next.is_nan || search.is_before(next, *best)) best = &next;
    }
    *index = static_cast<int64_t>(best->position);
    std::memcpy(value, best->value, search.size());
    return success;
}

const Registration registration(&Functions::arg_reduce, arg_reduce);

}  // namespace

}  // namespace cuprum::parallel::host
