// What a test needs to run PTX: memory whose device addresses are not host pointers, and launches.
#pragma once

#include <algorithm>
#include <cstring>
#include <memory>
#include <string>
#include <vector>

#include "engine/engine.hpp"

namespace cuprum::simulator::test {

// Text of a file in tests/data/ptx.
std::string read_ptx(const std::string& name);

// Packs kernel arguments as C lays them out.
class Arguments {
public:
    template <class... T>
    explicit Arguments(const T&... values) {
        (add(values), ...);
    }
    std::vector<std::byte> bytes;

private:
    template <class T>
    void add(const T& value) {
        const size_t offset = (bytes.size() + alignof(T) - 1) / alignof(T) * alignof(T);
        bytes.resize(offset + sizeof(T));
        std::memcpy(bytes.data() + offset, &value, sizeof(T));
    }
};

class SimulatedDevice {
public:
    explicit SimulatedDevice(DeviceModel model = {});

    // Loads a module; a failure throws std::runtime_error with the log.
    void load(const std::string& ptx);
    // The log of a module that must not load; empty if it did load.
    std::string load_error(const std::string& ptx, LoadError::Kind* kind = nullptr);

    uint64_t allocate(size_t bytes, const std::string& description = "test buffer");
    template <class T>
    uint64_t upload(const std::vector<T>& values) {
        const uint64_t address = allocate(values.size() * sizeof(T));
        std::memcpy(host(address), values.data(), values.size() * sizeof(T));
        if (model_.checks.memory)
            std::fill_n(allocations_.back()->written.get(), values.size() * sizeof(T), uint8_t{1});
        return address;
    }
    template <class T>
    std::vector<T> download(uint64_t address, size_t count) {
        std::vector<T> values(count);
        std::memcpy(values.data(), host(address), count * sizeof(T));
        return values;
    }
    std::byte* host(uint64_t address);
    uint64_t variable(const std::string& name) const;

    struct Configuration {
        Dimensions grid, block;
        uint32_t dynamic_shared_bytes = 0;
        bool cooperative = false;
        Dimensions cluster = {};
        bool explicit_cluster = false;
    };
    std::optional<Fault> launch(const std::string& kernel, const Configuration& configuration,
                                const Arguments& arguments);
    const KernelInformation& information(const std::string& kernel) const;
    DeviceHeap& heap() { return *heap_; }

private:
    struct Allocation {
        uint64_t address;
        std::vector<uint64_t> storage;
        size_t bytes;
        std::string description;
        std::shared_ptr<uint8_t[]> written;  // Checks::memory
    };
    SharedSnapshot snapshot();

    DeviceModel model_;
    Engine engine_;
    std::shared_ptr<const Program> program_;
    std::vector<std::unique_ptr<Allocation>> allocations_;
    std::vector<uint64_t> variable_addresses_;
    uint64_t next_address_ = 0x700000000000;
    SharedSnapshot snapshot_;
    std::shared_ptr<DeviceHeap> heap_ = std::make_shared<DeviceHeap>(64 << 10);
};

}  // namespace cuprum::simulator::test
