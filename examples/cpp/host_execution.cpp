// The parallel algorithms on the host's own cores: real data, no GPU, no driver.
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <numeric>
#include <vector>

#include "cuprum/parallel/parallel.hpp"

using namespace cuprum;

namespace {

const parallel::Execution host = parallel::Execution::host();
bool all_ok = true;

void check(const char* what, bool ok) {
    std::printf("%-28s %s\n", what, ok ? "ok" : "WRONG");
    all_ok = all_ok && ok;
}

}  // namespace

int main() {
    std::vector<int32_t> data(1000000);
    for (size_t i = 0; i < data.size(); ++i)
        data[i] = static_cast<int32_t>(i * 7919 % 1000003);
    const int64_t sum = std::accumulate(data.begin(), data.end(), int64_t{0});

    check("reduce", parallel::reduce(data, int64_t{0}, "a + b", host) == sum);
    check("argmax", data[static_cast<size_t>(parallel::argmax(data, host))] == *std::ranges::max_element(data));
    std::vector<int64_t> sums(data.size());
    parallel::inclusive_scan(data, sums, parallel::OpKind::plus, host);
    check("inclusive scan", sums.back() == sum);
    std::vector<int32_t> positions(data.size());
    std::iota(positions.begin(), positions.end(), 0);
    std::vector<int32_t> sorted = data;
    parallel::sort_by_key(sorted, positions, parallel::SortOrder::descending, host);
    check("sort by key", std::ranges::is_sorted(sorted, std::greater<>()) &&
                             data[static_cast<size_t>(positions.front())] == sorted.front());

    std::vector<int32_t> selected(data.size());
    const uint64_t others = parallel::select(data, selected, parallel::OpKind::identity, host);
    check("select what is not 0", others == data.size() - 1 && selected.front() == data[1]);

    // Built once: how many zeros there are, read through a function of the elements.
    const parallel::Iterator is_zero = parallel::Iterator::transform(
        parallel::Iterator::pointer(parallel::Type::of<int32_t>(), reinterpret_cast<uintptr_t>(data.data())),
        parallel::OpKind::logical_not, parallel::Type::of<int64_t>());
    const parallel::Reduce count(is_zero, parallel::OpKind::plus, parallel::Type::of<int64_t>(), host);
    int64_t zeros = -1;
    count({}, is_zero, &zeros, data.size(), int64_t{0});
    check("transform-reduce", zeros == std::ranges::count(data, 0));
    return all_ok ? 0 : 1;
}
