// CUB's algorithms with operators of one's own: over host data in one call, and on the device, built once.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <numeric>
#include <span>
#include <vector>

#include "cuprum/cuprum.hpp"
#include "cuprum/parallel/parallel.hpp"

using namespace cuprum;

namespace {

struct Particle {
    float x;
    float mass;
};

bool all_ok = true;

void check(const char* what, bool ok) {
    std::printf("%-28s %s\n", what, ok ? "ok" : "WRONG");
    all_ok = all_ok && ok;
}

}  // namespace

template <>
struct cuprum::parallel::TypeTraits<Particle> {
    static Type type() {
        return Type::structure_of<Particle>("Particle", field("x", &Particle::x), field("mass", &Particle::mass));
    }
};

namespace {

void on_host_data() {
    std::vector<int> data(10000);
    for (size_t i = 0; i < data.size(); ++i)
        data[i] = static_cast<int>(i * 7919 % 10007);
    const std::span values(data);

    check("reduce", parallel::reduce(values, 0, "a + b") == std::accumulate(data.begin(), data.end(), 0));
    check("argmin", parallel::argmin(values) == std::min_element(data.begin(), data.end()) - data.begin());

    std::vector<long> sums(data.size());
    parallel::exclusive_scan(values, std::span(sums), 0L);
    check("exclusive scan", sums.back() + data.back() == std::accumulate(data.begin(), data.end(), 0L));

    std::vector<double> roots(data.size());
    parallel::transform(values, std::span(roots), "sqrt((double)a)");
    check("transform", roots[1] * roots[1] > 7918.999 && roots[1] * roots[1] < 7919.001);

    parallel::sort(values, parallel::SortOrder::descending);
    check("radix sort", std::is_sorted(data.rbegin(), data.rend()));
    parallel::sort(values, "a % 100 < b % 100");
    check("merge sort", std::is_sorted(data.begin(), data.end(), [](int a, int b) { return a % 100 < b % 100; }));
}

void on_the_device() {
    const core::Device device(0);
    const core::Stream stream = device.create_stream();
    std::vector<Particle> particles(5000);
    for (size_t i = 0; i < particles.size(); ++i)
        particles[i] = {static_cast<float>(i % 10), 0.5F};
    const core::Buffer input = device.allocate(particles.size() * sizeof(Particle));
    input.copy_from_host(std::span<const Particle>(particles));
    const core::Buffer output = device.allocate(5 * sizeof(float));

    // The moment of each: read through a function, so that nothing is stored in between.
    const parallel::Iterator moments = parallel::Iterator::transform(parallel::Iterator::pointer<Particle>(input),
                                                                     "a.x * a.mass", parallel::Type::of<float>());
    const parallel::Reduce sum(moments, parallel::OpKind::plus, parallel::Type::of<float>());
    sum(stream, moments, output, particles.size(), 0.0F);

    const std::vector<int> segments{0, 10, 30, 60, 5000};
    const core::Buffer offsets = device.allocate(segments.size() * sizeof(int));
    offsets.copy_from_host(std::span<const int>(segments));
    const parallel::SegmentedReduce sums(moments, parallel::OpKind::plus, parallel::Type::of<float>(),
                                         parallel::Type::of<int>());
    sums(stream, moments, output.slice(sizeof(float), 4 * sizeof(float)), 4, offsets, offsets.slice(4, 16), 0.0F);
    stream.sync();
    std::vector<float> result(5);
    output.copy_to_host(std::span(result));
    check("transform-reduce", result[0] == 5000 / 10 * 22.5F);
    check("segmented reduce", result[1] == 22.5F && result[2] == 45.0F && result[3] == 67.5F);
}

}  // namespace

int main() {
    try {
        std::printf("on %s\n", core::Device(0).name().c_str());
        on_host_data();
        on_the_device();
    } catch (const Error& error) {
        std::fprintf(stderr, "%s\n", error.what());
        return EXIT_FAILURE;
    }
    return all_ok ? EXIT_SUCCESS : EXIT_FAILURE;
}
