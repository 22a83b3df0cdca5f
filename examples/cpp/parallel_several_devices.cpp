// Algorithms over data that is spread over several devices: each has a shard of it. With one device it has all.
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <numeric>
#include <vector>

#include "cuprum/cuprum.hpp"
#include "cuprum/parallel/parallel.hpp"

namespace {

using namespace cuprum;
namespace distributed = parallel::distributed;

// As many numbers on each device, in memory of that device.
struct Numbers {
    std::vector<core::Buffer> memory;
    std::vector<distributed::Shard> shards;

    Numbers(const distributed::Communicator& communicator, uint64_t each) {
        for (size_t rank = 0; rank < communicator.size(); ++rank) {
            memory.push_back(communicator.device(rank).allocate(each * sizeof(int32_t)));
            shards.push_back(distributed::Shard::of<int32_t>(memory.back()));
        }
    }
    std::vector<int32_t> all() const {
        std::vector<int32_t> numbers;
        for (const core::Buffer& each : memory) {
            std::vector<int32_t> shard(each.size() / sizeof(int32_t));
            each.copy_to_host(shard);
            numbers.insert(numbers.end(), shard.begin(), shard.end());
        }
        return numbers;
    }
};

int run() {
    const distributed::Communicator communicator(core::Device::get_all_devices());
    const size_t devices = communicator.size();
    constexpr uint64_t each = 5000;
    const auto n = static_cast<int32_t>(devices * each);

    // n - 1, n - 2, ... 0
    const Numbers numbers(communicator, each);
    for (size_t rank = 0; rank < devices; ++rank) {
        std::vector<int32_t> shard(each);
        for (size_t i = 0; i < each; ++i)
            shard[i] = n - 1 - static_cast<int32_t>(rank * each + i);
        numbers.memory[rank].copy_from_host(shard);
    }

    const parallel::Type type = parallel::Type::of<int32_t>();
    const Numbers maxima(communicator, 1);
    distributed::Reduce(communicator, type, parallel::OpKind::maximum, type)(numbers.shards, maxima.shards);
    distributed::RadixSort(parallel::SortOrder::ascending, communicator, type)(numbers.shards, numbers.shards);

    std::vector<int32_t> expected(static_cast<size_t>(n));
    std::iota(expected.begin(), expected.end(), 0);
    const bool ok = numbers.all() == expected && maxima.all() == std::vector<int32_t>(devices, n - 1);
    std::printf("%d numbers sorted by %d device(s): %s\n", n, static_cast<int>(devices), ok ? "ok" : "WRONG");
    return ok ? EXIT_SUCCESS : EXIT_FAILURE;
}

}  // namespace

int main() {
    try {
        return run();
    } catch (const std::exception& error) {
        std::fprintf(stderr, "%s\n", error.what());
        return EXIT_FAILURE;
    }
}
