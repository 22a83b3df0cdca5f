// One of several processes with a device each, which sort numbers together over NCCL:
//   torchrun --no-python --nproc-per-node=2 parallel_several_processes_cpp
// mpirun and srun will do, with MASTER_ADDR and MASTER_PORT set. Started alone, it is the only one.
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <numeric>
#include <span>
#include <vector>

#include "cuprum/cuprum.hpp"
#include "cuprum/parallel/parallel.hpp"

namespace {

using namespace cuprum;
namespace distributed = parallel::distributed;

distributed::Process find_process() {
    try {
        return distributed::Process::from_environment();
    } catch (const InvalidState&) {
        distributed::Process alone;
        alone.broadcast = [](std::span<std::byte>) {};  // to nobody
        return alone;
    }
}

int run() {
    const distributed::Process process = find_process();
    const core::Device device(static_cast<int32_t>(process.local_rank));
    const distributed::Communicator communicator(device, process);
    constexpr uint64_t each = 5000;
    const auto n = static_cast<int32_t>(process.count * each);
    const auto first = static_cast<int32_t>(process.rank * each);

    // n - 1, n - 2, ... 0 in all, of which this process has its part.
    std::vector<int32_t> numbers(each);
    for (size_t i = 0; i < each; ++i)
        numbers[i] = n - 1 - (first + static_cast<int32_t>(i));
    const core::Buffer memory = device.allocate(each * sizeof(int32_t)), largest = device.allocate(sizeof(int32_t));
    memory.copy_from_host(numbers);

    const auto shard = distributed::Shard::of<int32_t>(memory), maximum = distributed::Shard::of<int32_t>(largest);
    const parallel::Type type = parallel::Type::of<int32_t>();
    distributed::Reduce(communicator, type, parallel::OpKind::maximum, type)({{shard}}, {{maximum}});
    distributed::RadixSort(parallel::SortOrder::ascending, communicator, type)({{shard}}, {{shard}});

    std::vector<int32_t> expected(each), found(1);
    std::iota(expected.begin(), expected.end(), first);
    memory.copy_to_host(numbers);
    largest.copy_to_host(found);
    const bool ok = numbers == expected && found.front() == n - 1;
    std::printf("process %d of %d has %d to %d: %s\n", static_cast<int>(process.rank), static_cast<int>(process.count),
                numbers.front(), numbers.back(), ok ? "ok" : "WRONG");
    return ok ? EXIT_SUCCESS : EXIT_FAILURE;
}

}  // namespace

int main() {
    try {
        return run();
    } catch (const NotFound& error) {
        std::printf("this machine has no NCCL\n%s\n", error.what());
        return EXIT_SUCCESS;
    } catch (const std::exception& error) {
        std::fprintf(stderr, "%s\n", error.what());
        return EXIT_FAILURE;
    }
}
