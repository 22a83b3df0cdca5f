// Whether an algorithm keeps what an execution requires of its results.
#pragma once

#include "cuprum/parallel/execution.hpp"
#include "cuprum/parallel/operator.hpp"
#include "cuprum/parallel/type.hpp"

namespace cuprum::parallel {

// Whether it is known that its operands can be exchanged, as those of all sums can, floating-point ones too.
bool is_commutative(const Operator& op);
// Whether combining elements of the type gives the same bits in any order: integers, by an operator that is known to be
// associative and commutative.
bool is_order_free(const Operator& op, const Type& type);

// Of an algorithm that combines elements in an order that is the same up to `kept`. Throws Unsupported.
void require_determinism(const char* algorithm, const Execution& execution, const Operator& op, const Type& type,
                         Determinism kept);
// The same of one that combines sums in the order in which blocks are ready (decoupled look-back), which the host's
// cores do not.
void require_determinism_of_sums(const char* algorithm, const Execution& execution, const Operator& op,
                                 const Type& type);
// Of one whose results come in an order that is not the same.
void refuse_determinism(const char* algorithm, const Execution& execution, const char* detail);

}  // namespace cuprum::parallel
