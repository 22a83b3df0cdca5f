// What the tests of the algorithms over host memory in pieces share: host memory of each kind, and a pool of a device's
// memory that is smaller than the data.
#pragma once

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>
#include <numeric>
#include <string>
#include <vector>

#include "../fixture.hpp"

namespace cuprum::test {

enum class HostKind : uint8_t { pageable, page_locked, registered };

// Elements in host memory of a kind.
template <class T>
class HostElements {
public:
    HostElements(HostKind kind, uint64_t count) : count_(count), own_(kind == HostKind::page_locked ? 0 : count) {
        if (count == 0 || kind == HostKind::pageable) return;
        if (kind == HostKind::page_locked) {
            locked_ = core::LegacyPinnedMemoryResource().allocate(count * sizeof(T));
        } else {
            locked_ = core::Buffer::register_host_memory(own_.data(), count * sizeof(T));
        }
    }
    HostElements(HostKind kind, const std::vector<T>& elements) : HostElements(kind, elements.size()) {
        std::copy(elements.begin(), elements.end(), data());
    }

    T* data() { return own_.empty() && count_ > 0 ? locked_.as_span<T>().data() : own_.data(); }
    std::vector<T> get() { return {data(), data() + count_}; }
    parallel::HostInput input() { return {parallel::Type::of<T>(), data(), count_}; }
    parallel::HostOutput output() { return {parallel::Type::of<T>(), data(), count_}; }

private:
    uint64_t count_;
    std::vector<T> own_;
    core::Buffer locked_;
};

class OutOfCore : public testing::Test {
protected:
    static constexpr uint64_t limit = uint64_t{64} << 10;

    // A call takes all its memory from here.
    parallel::out_of_core::DeviceMemory memory() const { return {device, limit, pool}; }
    // What goes through it twice, with an odd tail, in elements of that many bytes.
    static uint64_t twice(uint64_t size) { return 2 * limit / size + 7; }

    void SetUp() override {
        for (const core::DeviceMemoryResource& each : {pool, of_device})
            each.set_attribute(core::MemoryPoolAttribute::used_mem_high, 0);
    }
    void TearDown() override {
        EXPECT_LE(pool.attribute(core::MemoryPoolAttribute::used_mem_high), limit);
        EXPECT_EQ(pool.attribute(core::MemoryPoolAttribute::used_mem_current), 0U);
        EXPECT_EQ(of_device.attribute(core::MemoryPoolAttribute::used_mem_high), 0U)
            << "memory was taken that nobody gave";
    }

    core::Device device{0};
    core::DeviceMemoryResource pool{device, {.max_size = limit}};
    core::DeviceMemoryResource of_device{device};
    std::mt19937_64 random{20261128};
};

constexpr std::array host_kinds{HostKind::pageable, HostKind::page_locked, HostKind::registered};

}  // namespace cuprum::test
