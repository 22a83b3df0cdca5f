// Vector clocks (Mattern, Virtual time and global states of distributed systems, 1989): what has happened before what.
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <vector>

namespace cuprum::simulator {

// A place in the order of operations. The operations of one strand follow one another; any two of different strands
// may not.
struct Epoch {
    static constexpr uint32_t no_strand = UINT32_MAX;
    uint32_t strand = no_strand;
    uint64_t number = 0;  // in the strand, from 1 on
};

// By strand, the number of the last operation that has happened before. Immutable, so that it can be passed on.
class VectorClock {
public:
    VectorClock() = default;
    explicit VectorClock(std::vector<uint64_t> numbers) : numbers_(std::move(numbers)) {}

    bool covers(const Epoch& epoch) const {
        return epoch.strand < numbers_.size() && numbers_[epoch.strand] >= epoch.number;
    }
    bool covers(const VectorClock& other) const {
        for (size_t k = 0; k < other.numbers_.size(); ++k) {
            if (other.numbers_[k] > (k < numbers_.size() ? numbers_[k] : 0)) return false;
        }
        return true;
    }
    const std::vector<uint64_t>& numbers() const { return numbers_; }

private:
    std::vector<uint64_t> numbers_;
};

// Null: nothing has happened before.
using SharedClock = std::shared_ptr<const VectorClock>;

inline bool covers(const SharedClock& clock, const Epoch& epoch) {
    return clock != nullptr && clock->covers(epoch);
}

// Later than both.
inline SharedClock join(const SharedClock& a, const SharedClock& b) {
    if (b == nullptr || a == b) return a;
    if (a == nullptr || b->covers(*a)) return b;
    if (a->covers(*b)) return a;
    std::vector<uint64_t> numbers = a->numbers();
    numbers.resize(std::max(numbers.size(), b->numbers().size()));
    for (size_t k = 0; k < b->numbers().size(); ++k)
        numbers[k] = std::max(numbers[k], b->numbers()[k]);
    return std::make_shared<const VectorClock>(std::move(numbers));
}

inline SharedClock join(const SharedClock& clock, const Epoch& epoch) {
    if (epoch.strand == Epoch::no_strand || covers(clock, epoch)) return clock;
    std::vector<uint64_t> numbers = clock ? clock->numbers() : std::vector<uint64_t>();
    numbers.resize(std::max<size_t>(numbers.size(), epoch.strand + 1));
    numbers[epoch.strand] = epoch.number;
    return std::make_shared<const VectorClock>(std::move(numbers));
}

}  // namespace cuprum::simulator
