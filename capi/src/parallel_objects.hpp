// What the handles of the parallel algorithms stand for.
#pragma once

#include <variant>

#include "cuprum/capi/parallel.h"
#include "cuprum/parallel/parallel.hpp"
#include "handle_table.hpp"
#include "objects.hpp"

namespace cuprum::capi {

struct OperatorObject {
    static constexpr HandleType type = HandleType::parallel_operator;
    static constexpr bool needs_driver = false;
    parallel::Operator op;
};

struct IteratorObject {
    static constexpr HandleType type = HandleType::parallel_iterator;
    static constexpr bool needs_driver = false;
    parallel::Iterator iterator;
};

struct AlgorithmObject {
    static constexpr HandleType type = HandleType::parallel_algorithm;
    static constexpr bool needs_driver = true;
    std::variant<parallel::Reduce, parallel::Scan, parallel::RadixSort, parallel::MergeSort, parallel::Transform,
                 parallel::SegmentedReduce, parallel::ArgReduce, parallel::Select, parallel::UniqueByKey>
        algorithm;
    bool on_host = false;
};

template <>
struct ObjectOfHandle<cuprum_parallel_operator> {
    using type = OperatorObject;
};
template <>
struct ObjectOfHandle<cuprum_parallel_iterator> {
    using type = IteratorObject;
};
template <>
struct ObjectOfHandle<cuprum_parallel_algorithm> {
    using type = AlgorithmObject;
};

}  // namespace cuprum::capi
