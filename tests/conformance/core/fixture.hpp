// What the conformance tests share. They run against whatever driver CUPRUM_DRIVER chooses: sim or gpu.
#pragma once

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <vector>

#include "cuprum/cuprum.hpp"

namespace cuprum::test {

// The kernels of kernels.cpp, compiled once per process.
const core::ObjectCode& kernels();

// The kernel of that name.
inline core::Kernel kernel(const std::string& name) {
    return kernels().get_kernel(name);
}

// A buffer with the values in it.
template <class T>
core::Buffer buffer_of(const core::Device& device, const std::vector<T>& values) {
    core::Buffer buffer = device.allocate(values.size() * sizeof(T));
    buffer.copy_from_host(values.data(), values.size() * sizeof(T));
    return buffer;
}

template <class T>
std::vector<T> values_of(const core::BufferRef& buffer) {
    std::vector<T> values(buffer.size() / sizeof(T));
    buffer.copy_to_host(values.data(), values.size() * sizeof(T));
    return values;
}

// Blocks of `block` threads for `n` elements.
inline core::LaunchConfig one_thread_each(uint32_t n, uint32_t block = 256) {
    return {(n + block - 1) / block, block};
}

// The error that `action` throws; anything else fails the test by an exception of its own.
template <class Expected, class Action>
Expected error_of(const Action& action) {
    try {
        action();
    } catch (const Expected& error) {
        return error;
    }
    throw std::runtime_error("nothing was thrown");
}

}  // namespace cuprum::test
