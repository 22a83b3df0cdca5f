// The two arrays that a sort may go back and forth between.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "cuprum/parallel/algorithm.hpp"

namespace cuprum::parallel {

/// Two arrays of one type and length: the elements are in current(), before a sort and after it; what alternate() has
/// then is not defined. A sort that may overwrite its input needs no other memory for the elements, and says here in
/// which array they are now. Borrows the memory; a value, for one thread at a time.
class DoubleBuffer {
public:
    DoubleBuffer(const Output& current, const Output& alternate) : arrays_{current, alternate} {}

    const Output& current() const { return arrays_[static_cast<size_t>(selector_)]; }
    const Output& alternate() const { return arrays_[static_cast<size_t>(1 - selector_)]; }
    /// Which one is current: 0, the one that was given first, or 1.
    int32_t selector() const { return selector_; }
    /// Makes the other one current. The sort does so.
    void swap() { selector_ = 1 - selector_; }

private:
    std::array<Output, 2> arrays_;
    int32_t selector_ = 0;
};

}  // namespace cuprum::parallel
