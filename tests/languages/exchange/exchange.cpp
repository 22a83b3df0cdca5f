// usage: exchange save NUMBER FILE | exchange load NUMBER FILE [NUMBER FILE ...]
// Saves a reduction by an operator of that number, or loads some and calls them.
#include <cstdio>
#include <fstream>
#include <iterator>
#include <numeric>
#include <string>
#include <vector>

#include "cuprum/cuprum.hpp"
#include "cuprum/parallel/parallel.hpp"

using namespace cuprum;

int main(int count, char** arguments) {
    try {
        const std::string mode = arguments[1];
        std::vector<int32_t> data(1000);
        std::iota(data.begin(), data.end(), 1);
        for (int i = 2; i + 1 < count; i += 2) {
            const std::string op = "a + b + " + std::string(arguments[i]);
            if (mode == "save") {
                const parallel::Reduce reduce(parallel::Iterator::pointer(parallel::Type::of<int32_t>()), op,
                                              parallel::Type::of<int64_t>(),
                                              parallel::Execution::ahead_of_time({"compute_80"}));
                std::ofstream(arguments[i + 1], std::ios::binary) << reduce.save();
            } else {
                std::ifstream file(arguments[i + 1], std::ios::binary);
                parallel::load_builds(std::string(std::istreambuf_iterator<char>(file), {}));
                std::printf("%lld\n", static_cast<long long>(parallel::reduce(data, int64_t{0}, op)));
            }
        }
        return 0;
    } catch (const Error& error) {
        std::fprintf(stderr, "%s\n", error.what());
        return 1;
    }
}
