// A merge sort by a comparison of one's own: structs, stable, and numbers with values that move with them.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <numeric>
#include <vector>

#include "cuprum/cuprum.hpp"
#include "cuprum/parallel/parallel.hpp"

using namespace cuprum;

namespace {
struct Point {
    float x;
    int tag;
};
}  // namespace

template <>
struct cuprum::parallel::TypeTraits<Point> {
    static Type type() { return Type::structure_of<Point>("Point", field("x", &Point::x), field("tag", &Point::tag)); }
};

int main() {
    try {
        std::vector<Point> points(5000);
        std::vector<int> keys(points.size());
        for (size_t i = 0; i < points.size(); ++i) {
            keys[i] = static_cast<int>(i * 7919 % 10007);
            points[i] = {static_cast<float>(keys[i] % 100), static_cast<int>(i)};
        }
        parallel::sort(points, "a.x < b.x");
        std::vector<int> positions(keys.size());
        std::iota(positions.begin(), positions.end(), 0);
        parallel::sort_by_key(keys, positions, "a % 100 < b % 100");

        // Both sorts are stable and by the same remainder, so they agree.
        bool ok = std::is_sorted(points.begin(), points.end(), [](Point a, Point b) { return a.x < b.x; });
        for (size_t i = 0; i < points.size(); ++i)
            ok = ok && points[i].tag == positions[i];
        std::printf("first %d, last %d: %s\n", positions.front(), positions.back(), ok ? "ok" : "WRONG");
        return ok ? EXIT_SUCCESS : EXIT_FAILURE;
    } catch (const Error& error) {
        std::fprintf(stderr, "%s\n", error.what());
        return EXIT_FAILURE;
    }
}
