// One of several processes with a device each, over NCCL: what test_processes.cpp starts. Its environment says which.
// usage: parallel_nccl_rank SCENARIO
// Prints what was thrown, or "ok"; ends with 1 where results are wrong.
#include <sys/types.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <functional>
#include <map>
#include <numeric>
#include <random>
#include <span>
#include <string>
#include <thread>
#include <vector>

#include "cuprum/cuprum.hpp"
#include "cuprum/parallel/parallel.hpp"

using namespace cuprum;
using namespace cuprum::parallel;
using distributed::Communicator;
using distributed::NcclOptions;
using distributed::Process;
using distributed::Shard;

namespace {

bool is_right = true;

template <class T>
void expect_equal(const char* what, const std::vector<T>& found, const std::vector<T>& expected) {
    if (found == expected) return;
    std::printf("%s: differs, %zu elements, expected %zu\n", what, found.size(), expected.size());
    for (size_t i = 0; i < std::min({found.size(), expected.size(), size_t{3}}); ++i)
        std::printf("    %lld, expected %lld\n", static_cast<long long>(found[i]), static_cast<long long>(expected[i]));
    is_right = false;
}

// MPI_Bcast's part, where no TCP is to be used: through a file.
void broadcast_by_file(const std::string& file, size_t rank, std::span<std::byte> bytes) {
    if (rank == 0) {
        std::ofstream(file + ".new", std::ios::binary)
            .write(reinterpret_cast<const char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
        std::rename((file + ".new").c_str(), file.c_str());
        return;
    }
    for (;;) {
        std::ifstream in(file, std::ios::binary);
        if (in.read(reinterpret_cast<char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()))) return;
        std::this_thread::sleep_for(std::chrono::milliseconds(5));
    }
}

class Rank {
public:
    Rank(const Process& process, std::chrono::milliseconds timeout)
        : rank(process.rank),
          count(process.count),
          device(static_cast<int32_t>(process.local_rank)),
          communicator(device, process, NcclOptions{timeout}) {}

    // This rank's part of what all have made alike.
    template <class T>
    core::Buffer part(const std::vector<T>& all, const std::vector<uint64_t>& counts) const {
        const uint64_t begin = std::accumulate(counts.begin(), counts.begin() + static_cast<std::ptrdiff_t>(rank), 0UL);
        core::Buffer memory = device.allocate(counts[rank] * sizeof(T));
        if (counts[rank] > 0) memory.copy_from_host(all.data() + begin, memory.size());
        return memory;
    }
    template <class T>
    std::vector<T> expected_part(const std::vector<T>& all, const std::vector<uint64_t>& counts) const {
        const auto begin =
            all.begin() +
            std::accumulate(counts.begin(), counts.begin() + static_cast<std::ptrdiff_t>(rank), std::ptrdiff_t{0});
        return {begin, begin + static_cast<std::ptrdiff_t>(counts[rank])};
    }
    template <class T>
    static std::vector<T> download(const core::BufferRef& memory) {
        std::vector<T> elements(memory.size() / sizeof(T));
        memory.copy_to_host(elements);
        return elements;
    }
    std::vector<uint64_t> random_counts(uint64_t total) {
        std::vector<uint64_t> cuts{0, total};
        for (size_t i = 1; i < count; ++i)
            cuts.push_back(random() % 4 == 0 ? cuts[random() % cuts.size()] : random() % (total + 1));
        std::sort(cuts.begin(), cuts.end());
        std::adjacent_difference(cuts.begin(), cuts.end(), cuts.begin());
        return {cuts.begin() + 1, cuts.end()};
    }

    size_t rank, count;
    core::Device device;
    Communicator communicator;
    std::mt19937_64 random{20261128};  // the same numbers in all processes
};

const Type int_type = Type::of<int32_t>();
using Keys = std::vector<int32_t>;

// All five algorithms against the host's, for keys of several kinds, spread in several ways.
void algorithms(Rank& rank) {
    const distributed::Reduce sum(rank.communicator, int_type, OpKind::plus, Type::of<int64_t>());
    const distributed::Scan scan(ScanKind::exclusive, rank.communicator, int_type, OpKind::plus, Type::of<int64_t>());
    const distributed::Scan previous(ScanKind::exclusive, rank.communicator, int_type, "b", int_type);
    const distributed::HistogramEven histogram(rank.communicator, int_type, int_type);
    const distributed::RadixSort sort(SortOrder::ascending, rank.communicator, int_type, Type::of<uint32_t>());
    const distributed::ReduceByKey by_key(rank.communicator, int_type, int_type, OpKind::plus, Type::of<int64_t>());
    const std::vector<std::function<int32_t(uint64_t)>> kinds{
        [&](uint64_t) { return static_cast<int32_t>(rank.random()); },
        [&](uint64_t) { return static_cast<int32_t>(rank.random() % 20) - 10; },
        [](uint64_t) { return 7; },
        [](uint64_t i) { return static_cast<int32_t>(i); },
    };
    for (size_t number = 0; number < kinds.size() + 2; ++number) {
        const uint64_t total = number == kinds.size() ? 0 : number == kinds.size() + 1 ? 1 : 2003;
        Keys keys(total);
        for (uint64_t i = 0; i < total; ++i)
            keys[i] = kinds[number % kinds.size()](i);
        std::vector<uint64_t> counts = rank.random_counts(total), after = rank.random_counts(total);
        if (number == 1) {  // one rank has all
            std::fill(counts.begin(), counts.end(), 0);
            counts.back() = total;
        }
        const core::Buffer in = rank.part(keys, counts);
        const Shard shard = Shard::of<int32_t>(in);

        const core::Buffer total_memory = rank.device.allocate(sizeof(int64_t));
        sum({{shard}}, {{Shard::of<int64_t>(total_memory)}}, int64_t{5});
        expect_equal("reduce", Rank::download<int64_t>(total_memory),
                     {std::accumulate(keys.begin(), keys.end(), int64_t{5})});

        const core::Buffer scanned = rank.device.allocate(counts[rank.rank] * sizeof(int64_t));
        scan({{shard}}, {{Shard::of<int64_t>(scanned)}}, int64_t{9});
        std::vector<int64_t> sums(total);
        std::exclusive_scan(keys.begin(), keys.end(), sums.begin(), int64_t{9});
        expect_equal("scan", Rank::download<int64_t>(scanned), rank.expected_part(sums, counts));

        const core::Buffer shifted = rank.device.allocate(counts[rank.rank] * sizeof(int32_t));
        previous({{shard}}, {{Shard::of<int32_t>(shifted)}}, 1);
        Keys moved = keys;
        moved.insert(moved.begin(), 1);
        moved.pop_back();
        expect_equal("scan in order", Rank::download<int32_t>(shifted), rank.expected_part(moved, counts));

        constexpr uint64_t bins = 10;
        const core::Buffer bin_memory = rank.device.allocate(bins * sizeof(uint32_t));
        histogram({{shard}}, {{Shard::of<uint32_t>(bin_memory)}}, bins, -10, 10);
        std::vector<uint32_t> bin_counts(bins, 0);
        for (const int32_t key : keys) {
            if (key >= -10 && key < 10) ++bin_counts[static_cast<size_t>((key + 10) / 2)];
        }
        expect_equal("histogram", Rank::download<uint32_t>(bin_memory), bin_counts);

        // Values are the positions, which show that the sort is stable.
        std::vector<uint32_t> places(total);
        std::iota(places.begin(), places.end(), 0U);
        const core::Buffer place_memory = rank.part(places, counts);
        const core::Buffer keys_out = rank.device.allocate(after[rank.rank] * sizeof(int32_t));
        const core::Buffer places_out = rank.device.allocate(after[rank.rank] * sizeof(uint32_t));
        sort({{shard}}, {{Shard::of<int32_t>(keys_out)}}, {{Shard::of<uint32_t>(place_memory)}},
             {{Shard::of<uint32_t>(places_out)}});
        std::stable_sort(places.begin(), places.end(), [&](uint32_t a, uint32_t b) { return keys[a] < keys[b]; });
        Keys sorted = keys;
        std::sort(sorted.begin(), sorted.end());
        expect_equal("sort, keys", Rank::download<int32_t>(keys_out), rank.expected_part(sorted, after));
        expect_equal("sort, values", Rank::download<uint32_t>(places_out), rank.expected_part(places, after));

        std::map<int32_t, int64_t> sums_by_key;
        for (const int32_t key : keys)
            sums_by_key[key] += key;
        const std::vector<distributed::ReducedShard> reduced = by_key({{shard}}, {{shard}});
        const Keys found_keys = Rank::download<int32_t>(reduced.at(0).keys);
        const auto found_sums = Rank::download<int64_t>(reduced.at(0).values);
        for (size_t i = 0; i < found_keys.size(); ++i)
            expect_equal("reduce by key", std::vector{found_sums[i]}, std::vector{sums_by_key[found_keys[i]]});
        // No key is missing, and none is on two ranks.
        core::Buffer number_of_keys = rank.device.allocate(sizeof(int32_t));
        number_of_keys.copy_from_host(Keys{static_cast<int32_t>(found_keys.size())});
        sum({{Shard::of<int32_t>(number_of_keys)}}, {{Shard::of<int64_t>(total_memory)}}, int64_t{0});
        expect_equal("keys of all ranks", Rank::download<int64_t>(total_memory),
                     {static_cast<int64_t>(sums_by_key.size())});
    }
}

// Each is to be refused in all processes; then the same communicator works on.
void disagreements(Rank& rank) {
    const bool is_odd = rank.rank == 1;
    const core::Buffer in = rank.part(Keys(40, 1), std::vector<uint64_t>(rank.count, 40 / rank.count));
    const core::Buffer out = rank.device.allocate(sizeof(int64_t));
    const Shard shard = Shard::of<int32_t>(in);
    const auto attempt = [&](const char* what, const std::function<void()>& call) {
        try {
            call();
            std::printf("%s: nothing was thrown\n", what);
            is_right = false;
        } catch (const Error& error) {
            std::printf("%s: %s\n", what, error.what());
        }
    };
    const Type uint_type = Type::of<uint32_t>();
    const distributed::Reduce sum(rank.communicator, int_type, OpKind::plus, int_type);
    const distributed::Reduce of_type(rank.communicator, is_odd ? uint_type : int_type, OpKind::plus,
                                      is_odd ? uint_type : int_type);
    const distributed::Reduce of_operator(rank.communicator, int_type, is_odd ? OpKind::maximum : OpKind::plus,
                                          int_type);
    const Shard result = Shard::of<int32_t>(out);
    attempt("type", [&] {
        if (is_odd) {
            of_type({{Shard::of<uint32_t>(in)}}, {{Shard::of<uint32_t>(out)}}, 0U);
        } else {
            of_type({{shard}}, {{result}}, 0);
        }
    });
    attempt("operator", [&] { of_operator({{shard}}, {{result}}, 0); });
    attempt("initial value", [&] { sum({{shard}}, {{result}}, is_odd ? 1 : 0); });
    const distributed::RadixSort sort(SortOrder::ascending, rank.communicator, int_type);
    attempt("algorithm", [&] {
        if (is_odd) {
            sort({{shard}}, {{shard}});
        } else {
            sum({{shard}}, {{result}}, 0);
        }
    });
    Shard fewer = shard;
    fewer.count -= is_odd ? 1 : 0;
    attempt("count", [&] { sort({{shard}}, {{fewer}}); });
    const distributed::HistogramEven histogram(rank.communicator, int_type, int_type);
    attempt("bins", [&] { histogram({{shard}}, {{Shard::of<uint32_t>(in)}}, is_odd ? 3 : 4, 0, 9); });
    attempt("refusal", [&] { sum({{is_odd ? Shard{int_type, {}, 3} : shard}}, {{result}}, 0); });
    sum({{shard}}, {{result}}, 2);
    Keys total(1);
    out.copy_to_host(total.data(), sizeof(int32_t));
    expect_equal("afterwards", total, {static_cast<int32_t>(2 + rank.count * (40 / rank.count))});
}

// Rank 1 ends, or stops, between two sorts; the others say so, in time, and their memory is free.
void loss(Rank& rank, int signal) {
    const distributed::RadixSort sort(SortOrder::ascending, rank.communicator, int_type);
    const std::vector<uint64_t> counts(rank.count, 1000);
    Keys keys(1000 * rank.count);
    std::iota(keys.rbegin(), keys.rend(), 0);
    const core::Buffer memory = rank.part(keys, counts);
    const Shard shard = Shard::of<int32_t>(memory);
    sort({{shard}}, {{shard}});
    const auto pool = core::PooledMemoryResource::of(rank.device.memory_resource());
    const auto used = [&] {
        rank.communicator.stream(rank.rank).sync();  // frees are in its order
        return pool.attribute(core::MemoryPoolAttribute::used_mem_current);
    };
    const uint64_t before = used();
    if (rank.rank == 1) {
        // After its part in the agreement that begins the call: in the middle of the sort.
        std::thread([signal] {
            std::this_thread::sleep_for(std::chrono::milliseconds(200));
            ::kill(::getpid(), signal);
        }).detach();
        for (;;)
            sort({{shard}}, {{shard}});
    }
    const auto begin = std::chrono::steady_clock::now();
    try {
        for (;;)
            sort({{shard}}, {{shard}});
    } catch (const Error& error) {
        std::printf("%s\n", error.what());
        is_right = error.domain() == ErrorDomain::nccl && is_right;
    }
    const auto seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    expect_equal("memory in use", std::vector{used()}, {before});
    try {
        sort({{shard}}, {{shard}});
        is_right = false;
    } catch (const InvalidState& error) {
        std::printf("then: %s\n", error.what());
    }
    std::printf("seconds: %.1f\n", seconds);
}

int run(const std::string& scenario) {
    Process process = Process::from_environment(std::chrono::seconds(60));
    if (const char* const file = std::getenv("CUPRUM_TEST_BROADCAST_FILE")) {
        process.broadcast = [file, rank = process.rank](std::span<std::byte> bytes) {
            broadcast_by_file(file, rank, bytes);
        };
    }
    if (scenario == "absence" && process.rank == 1) return 0;
    const char* const timeout = std::getenv("CUPRUM_TEST_TIMEOUT_MS");
    Rank rank(process, std::chrono::milliseconds(timeout == nullptr ? 60000 : std::atoi(timeout)));
    if (scenario == "algorithms") algorithms(rank);
    if (scenario == "disagreements") disagreements(rank);
    if (scenario == "death") loss(rank, SIGKILL);
    if (scenario == "stop") loss(rank, SIGSTOP);
    std::printf("%s\n", is_right ? "ok" : "WRONG");
    return is_right ? 0 : 1;
}

}  // namespace

int main(int count, char** arguments) {
    try {
        return run(count > 1 ? arguments[1] : "");
    } catch (const std::exception& error) {
        std::printf("thrown: %s\n", error.what());
        return 2;
    }
}
