// The first of each run of equal keys, and its value: of sorted readings the first of each sensor.
#include <cstdio>
#include <vector>

#include <cuprum/parallel/parallel.hpp>

int main() {
    namespace parallel = cuprum::parallel;
    std::vector<int> sensors{1, 1, 1, 4, 4, 7, 8, 8};
    std::vector<float> readings{0.5F, 0.7F, 0.9F, 2.5F, 2.0F, 3.5F, 4.0F, 4.5F};
    const auto count = static_cast<size_t>(parallel::unique_by_key(sensors, readings));
    sensors.resize(count);
    readings.resize(count);
    const bool is_right =
        sensors == std::vector<int>{1, 4, 7, 8} && readings == std::vector<float>{0.5F, 2.5F, 3.5F, 4.0F};
    std::printf("first reading of each sensor %s\n", is_right ? "ok" : "WRONG");
    return is_right ? 0 : 1;
}
