// One algorithm beside its peer, which nvcc compiled ahead of time: built, timed in turns, results compared.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "cub/problem.hpp"
#include "cuprum/cuprum.hpp"
#include "cuprum/parallel/parallel.hpp"

namespace cuprum::benchmarks {

// What algorithms read: n elements of each, made anew for each n.
enum class Data {
    bits,          // uint32, at random
    numbers,       // float32 in [0, 1)
    same_numbers,  // a copy
    runs,          // uint32 in runs of 1, 4, 16 and 64
    flags,         // uint8, 0 or 1
    sorted,        // uint32 over their whole range
    also_sorted,   // others
    segments,      // int32: where segments of segment_length begin, and the end of the last one
    levels,        // float32: the bounds of bin_count bins of [0, 1)
    sources,       // uint64: addresses in `bits`, one for each copy_slot bytes
    targets,       // uint64: the same in the first output
    sizes,         // uint32 in [1, copy_slot], multiples of 4 and other ones
};

enum class Compared { bits, nearly, in_any_order };

struct Output {
    double bytes_each;     // for each of the n elements: at most 4
    uint64_t bytes_fixed;  // beside them
    Compared how = Compared::bits;
    uint64_t bytes(uint64_t n) const {
        return static_cast<uint64_t>(static_cast<double>(n) * bytes_each) + bytes_fixed;
    }
};

// The memory of one call; in the row's order.
struct Memory {
    std::vector<core::BufferRef> in, out;
};

struct Algorithm {
    std::function<uint64_t(uint64_t n)> storage_bytes;
    std::function<void(const core::Stream&, const Memory&, uint64_t n, const parallel::CallOptions&)> call;
};

// `call` of an algorithm as the rows give it: (algorithm, stream, memory, n, options).
template <class Built, class Call>
Algorithm algorithm(Built built, Call call) {
    const auto shared = std::make_shared<const Built>(std::move(built));
    return {[shared](uint64_t n) -> uint64_t {
                if constexpr (requires { shared->temp_storage_bytes(n); }) return shared->temp_storage_bytes(n);
                return 0;
            },
            [shared, call](const core::Stream& stream, const Memory& memory, uint64_t n,
                           const parallel::CallOptions& options) { call(*shared, stream, memory, n, options); }};
}

struct Row {
    std::string name;
    std::string peer;       // the function in the baseline
    std::string peer_name;  // what it is, where it is not CUB's own algorithm of that name
    std::vector<Data> in;
    std::vector<Output> out;
    double bytes_each;  // read and written for each element, for the throughput
    std::function<Algorithm()> make;
};

std::vector<Row> rows_of_sums();        // rows_sums.cpp
std::vector<Row> rows_of_orders();      // rows_orders.cpp
std::vector<Row> rows_of_selections();  // rows_selections.cpp
std::vector<Row> rows_of_others();      // rows_others.cpp

class Peer;

class Bench {
public:
    // `libraries`: dlopen's, of the baseline; those after the first may lack rows. None to measure calls alone.
    Bench(std::vector<void*> libraries, int largest);

    // Prints a line for each size; false where results differ.
    bool measure(const Row& row, const std::vector<int>& sizes);
    // The results alone, of one call each.
    bool check(const Row& row, int size);
    // What a call costs the host.
    void measure_calls(const Row& row);

    const core::Device& device() const { return device_; }
    void sync() const { stream_.sync(); }

private:
    Algorithm build(const Row& row) const;
    void fill(uint64_t n);
    Memory memory(const Row& row, const std::vector<core::Buffer>& out, bool theirs) const;
    // Those that have the row.
    std::vector<void*> baselines(const Row& row) const;
    bool equal(const Row& row, uint64_t n, const std::vector<std::shared_ptr<Peer>>& peers) const;

    std::vector<void*> libraries_;
    core::Device device_{0};
    core::Stream stream_ = device_.create_stream();
    core::Kernel fill_, compare_;
    core::Buffer bits_, numbers_, same_numbers_, runs_, flags_, sorted_, also_sorted_, segments_, levels_, sources_,
        targets_, their_targets_, sizes_, differences_;
    std::vector<core::Buffer> ours_, theirs_;
};

}  // namespace cuprum::benchmarks
