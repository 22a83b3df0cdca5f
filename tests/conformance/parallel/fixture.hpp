// What the tests of the algorithms share: elements, their way to the device and back, and sizes worth trying.
#pragma once

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <complex>
#include <cstdint>
#include <limits>
#include <random>
#include <string>
#include <vector>

#include "cuprum/cuprum.hpp"
#include "cuprum/parallel/parallel.hpp"

namespace cuprum::test {

// 12 bytes, aligned to 4.
struct Point {
    float x;
    int32_t weight;
    uint16_t tag;
    friend bool operator==(const Point&, const Point&) = default;
};

struct Scale {
    double factor;
    int32_t offset;
};

}  // namespace cuprum::test

template <>
struct cuprum::parallel::TypeTraits<cuprum::test::Point> {
    static Type type() {
        using cuprum::test::Point;
        return Type::structure_of<Point>("Point", field("x", &Point::x), field("weight", &Point::weight),
                                         field("tag", &Point::tag));
    }
};

template <>
struct cuprum::parallel::TypeTraits<cuprum::test::Scale> {
    static Type type() {
        using cuprum::test::Scale;
        return Type::structure_of<Scale>("Scale", field("factor", &Scale::factor), field("offset", &Scale::offset));
    }
};

namespace cuprum::test {

// On each side of where CUB changes its way: none, one, less than a warp, one tile, some, many.
inline const std::vector<uint64_t>& sizes() {
    static const std::vector<uint64_t> all{0, 1, 2, 31, 1000, 4097, 20011, 100003};
    return all;
}

// Seeded by the size: the same every time, different from size to size. Few different values, so that there are ties.
template <class T>
std::vector<T> random_elements(uint64_t count, uint32_t seed = 1) {
    std::mt19937_64 generator(seed * 7919 + count);
    std::vector<T> elements(count);
    for (auto&& element : elements) {
        const uint64_t bits = generator();
        if constexpr (std::is_same_v<T, bool>) {
            element = (bits & 1) != 0;
        } else if constexpr (std::is_same_v<T, Point>) {
            element = {static_cast<float>(bits % 1000) / 8, static_cast<int32_t>(bits >> 20) % 1000,
                       static_cast<uint16_t>(bits >> 40)};
        } else if constexpr (std::is_same_v<T, std::complex<float>> || std::is_same_v<T, std::complex<double>>) {
            element = T(static_cast<typename T::value_type>(bits % 17), static_cast<typename T::value_type>(bits % 5));
        } else if constexpr (std::is_floating_point_v<T>) {
            element = static_cast<T>(static_cast<int64_t>(bits % 4001) - 2000) / T(4);
        } else if constexpr (std::is_integral_v<T>) {
            element = static_cast<T>(bits);
        } else {
            element = {static_cast<uint16_t>(bits)};
        }
    }
    return elements;
}

// What the InvalidArgument says that an action ends in.
template <class Action>
std::string refusal(const Action& action) {
    try {
        action();
    } catch (const InvalidArgument& error) {
        return error.what();
    }
    return "taken";
}

class Parallel : public testing::Test {
protected:
    core::Device device{0};
    core::Stream stream = device.create_stream();

    template <class T>
    core::Buffer upload(const std::vector<T>& elements) const {
        core::Buffer buffer = device.allocate(elements.size() * sizeof(T));
        if constexpr (std::is_same_v<T, bool>) {
            const std::vector<uint8_t> bytes(elements.begin(), elements.end());
            buffer.copy_from_host(bytes.data(), bytes.size());
        } else {
            buffer.copy_from_host(elements.data(), buffer.size());
        }
        return buffer;
    }
    template <class T>
    core::Buffer memory_for(uint64_t count) const {
        return device.allocate(count * sizeof(T));
    }
    template <class T>
    std::vector<T> download(const core::BufferRef& buffer) const {
        stream.sync();
        if constexpr (std::is_same_v<T, bool>) {
            std::vector<uint8_t> bytes(buffer.size());
            buffer.copy_to_host(bytes.data(), bytes.size());
            return {bytes.begin(), bytes.end()};
        } else {
            std::vector<T> elements(buffer.size() / sizeof(T));
            buffer.copy_to_host(elements.data(), buffer.size());
            return elements;
        }
    }
    template <class T>
    T download_one(const core::BufferRef& buffer) const {
        stream.sync();
        T element{};
        buffer.copy_to_host(&element, sizeof(T));
        return element;
    }
};

}  // namespace cuprum::test
