// What the handles of the algorithms over host memory in pieces stand for.
#pragma once

#include <optional>
#include <variant>

#include "../handle_table.hpp"
#include "../objects.hpp"
#include "cuprum/capi/out_of_core.h"
#include "cuprum/parallel/out_of_core/histogram_even.hpp"
#include "cuprum/parallel/out_of_core/radix_sort.hpp"
#include "cuprum/parallel/out_of_core/reduce.hpp"
#include "cuprum/parallel/out_of_core/reduce_by_key.hpp"
#include "cuprum/parallel/out_of_core/scan.hpp"

namespace cuprum::capi {

struct OutOfCoreAlgorithmObject {
    static constexpr HandleType type = HandleType::out_of_core_algorithm;
    static constexpr bool needs_driver = true;

    // Algorithms with their types: C gives elements as bytes.
    template <class Algorithm>
    struct Fold {  // a reduction or a scan
        Algorithm algorithm;
        parallel::Type input, accumulator;
    };
    struct Sort {
        parallel::out_of_core::RadixSort algorithm;
        parallel::Type keys;
        std::optional<parallel::Type> values;
    };
    struct Histogram {
        parallel::out_of_core::HistogramEven algorithm;
        parallel::Type samples, levels, counters;
    };
    struct ReductionByKey {
        parallel::out_of_core::ReduceByKey algorithm;
        parallel::Type keys, values, accumulator;
    };
    std::variant<Fold<parallel::out_of_core::Reduce>, Fold<parallel::out_of_core::Scan>, Sort, Histogram,
                 ReductionByKey>
        built;
};

template <>
struct ObjectOfHandle<cuprum_out_of_core_algorithm> {
    using type = OutOfCoreAlgorithmObject;
};

}  // namespace cuprum::capi
