#pragma once

#include "cuprum/parallel/iterator.hpp"
#include "layout.hpp"

namespace cuprum::parallel {

// Of an operator as the kernel is passed it: its state, or one byte for none.
Layout state_layout(const Operator& op);

}  // namespace cuprum::parallel
