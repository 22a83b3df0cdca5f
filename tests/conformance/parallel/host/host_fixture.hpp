// What the tests of the host's cores share.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <type_traits>
#include <vector>

#include "../fixture.hpp"

namespace cuprum::test {

using parallel::Execution;

inline const Execution host = Execution::host();

// From none to several threads' worth, at and beside the bounds of blocks and of what one thread does alone.
inline const std::vector<uint64_t>& host_sizes() {
    static const std::vector<uint64_t> all{0, 1, 2, 49, 1024, 1025, 40000, 150001};
    return all;
}

// std::vector<bool> is no memory.
template <class T>
using Stored = std::conditional_t<std::is_same_v<T, bool>, uint8_t, T>;

// Some elements of a type with a type's description, bool too.
template <class T>
struct Elements {
    std::vector<Stored<T>> values;

    explicit Elements(uint64_t count, uint32_t seed = 1) {
        for (const auto& element : random_elements<T>(count, seed))
            values.push_back(element);
    }
    std::span<const T> span() const { return {reinterpret_cast<const T*>(values.data()), values.size()}; }
    std::span<T> span() { return {reinterpret_cast<T*>(values.data()), values.size()}; }
};

template <class Expected, class Action>
std::string refusal(Action action) {
    try {
        action();
    } catch (const Expected& error) {
        return error.what();
    }
    return "taken";
}

}  // namespace cuprum::test
