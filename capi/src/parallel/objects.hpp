// What the handles of the parallel algorithms stand for.
#pragma once

#include <any>
#include <string>
#include <utility>

#include "../handle_table.hpp"
#include "../objects.hpp"
#include "cuprum/capi/parallel_algorithms.h"
#include "cuprum/capi/parallel_arrays.h"
#include "cuprum/parallel/iterator.hpp"
#include "cuprum/parallel/operator.hpp"

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

// A built algorithm of any kind, and what can be asked of all kinds.
class AlgorithmObject {
public:
    static constexpr HandleType type = HandleType::parallel_algorithm;
    static constexpr bool needs_driver = true;

    template <class Algorithm>
    AlgorithmObject(Algorithm algorithm, bool on_host)
        : on_host_(on_host), algorithm_(std::move(algorithm)), functions_(&functions_of<Algorithm>) {}

    // Null for another kind.
    template <class Algorithm>
    const Algorithm* get_if() const {
        return std::any_cast<Algorithm>(&algorithm_);
    }
    bool on_host() const { return on_host_; }
    // 0 where the algorithm needs none.
    uint64_t temp_storage_bytes(uint64_t count) const { return functions_->temp_storage_bytes(algorithm_, count); }
    std::string save() const { return functions_->save(algorithm_); }

private:
    struct Functions {
        uint64_t (*temp_storage_bytes)(const std::any& algorithm, uint64_t count);
        std::string (*save)(const std::any& algorithm);
    };
    template <class Algorithm>
    static constexpr Functions functions_of{
        [](const std::any& algorithm, [[maybe_unused]] uint64_t count) -> uint64_t {
            if constexpr (requires(const Algorithm& built) { built.temp_storage_bytes(count); }) {
                return std::any_cast<Algorithm>(&algorithm)->temp_storage_bytes(count);
            } else {
                return 0;
            }
        },
        [](const std::any& algorithm) { return std::any_cast<Algorithm>(&algorithm)->save(); }};

    bool on_host_;
    std::any algorithm_;
    const Functions* functions_;
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
