// The algorithms beside CUB compiled ahead of time (cub/), in one process, in turns. parallel_table.py runs it.
// usage: benchmark_parallel BASELINE.so [BASELINE_64.so] [--sizes 16,20,24,28] [--after NAME] [--only NAME]...
//        benchmark_parallel BASELINE.so [BASELINE_64.so] --check LOG2   the results alone, of one call each
//        benchmark_parallel --calls     what a call costs the host; with CUPRUM_SIM=launch=none the kernels do not run
// A row: algorithm, log2 n, microseconds per call here, of the peer and of the second one, where it has the algorithm;
// time here by that of the faster peer, throughput here, whether all results are equal, and what the peer is where CUB
// has no such algorithm. All get their temporary storage beforehand. A row that fails is named, and the next one
// begins; where the device can no longer be used, or a row takes too long, the program exits with 3, and is called
// again with --after the row it was at.
#include <dlfcn.h>
#include <signal.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <memory>
#include <string>
#include <vector>

#include "bench.hpp"

using namespace cuprum::benchmarks;

namespace {

constexpr unsigned seconds_per_row = 60;
constexpr int exit_unusable = 3;

std::vector<Row> all_rows() {
    std::vector<Row> all;
    for (const auto part : {rows_of_sums, rows_of_orders, rows_of_selections, rows_of_others}) {
        for (Row& row : part())
            all.push_back(std::move(row));
    }
    return all;
}

std::vector<int> numbers(const std::string& text) {
    std::vector<int> found;
    for (size_t at = 0; at <= text.size();) {
        const size_t end = std::min(text.find(',', at), text.size());
        found.push_back(std::stoi(text.substr(at, end - at)));
        at = end + 1;
    }
    return found;
}

void give_up(int /*signal*/) {
    constexpr char text[] = "# FAILED: it took too long\n";
    if (write(STDOUT_FILENO, text, sizeof(text) - 1) < 0) _exit(exit_unusable + 1);
    _exit(exit_unusable);
}

struct Options {
    std::vector<void*> libraries;
    std::vector<int> sizes{16, 20, 24, 28};
    std::string after;
    std::vector<std::string> only;
    int checked = 0;  // log2 n; 0: times are measured
    bool calls = false;
};

Options parse(int count, char** arguments) {
    Options options;
    const auto fail = [](const char* reason) {
        std::fprintf(stderr,
                     "usage: benchmark_parallel BASELINE.so [BASELINE_64.so] [--sizes 16,20,24,28] [--after NAME] "
                     "[--only NAME]... "
                     "[--check LOG2]\n       benchmark_parallel --calls\n%s\n",
                     reason);
        std::exit(2);
    };
    for (int i = 1; i < count; ++i) {
        const std::string argument = arguments[i];
        if (argument == "--calls") {
            options.calls = true;
        } else if (argument.starts_with("--")) {
            if (++i == count) fail((argument + " needs a value").c_str());
            const std::string value = arguments[i];
            if (argument == "--sizes") {
                options.sizes = numbers(value);
            } else if (argument == "--after") {
                options.after = value;
            } else if (argument == "--only") {
                options.only.push_back(value);
            } else if (argument == "--check") {
                options.checked = std::stoi(value);
            } else {
                fail((argument + " is unknown").c_str());
            }
        } else {
            options.libraries.push_back(dlopen(argument.c_str(), RTLD_NOW));
            if (options.libraries.back() == nullptr) fail(dlerror());
        }
    }
    if (options.libraries.empty() && !options.calls) fail("the baseline is missing");
    return options;
}

bool run(Bench& bench, const Row& row, const Options& options) {
    if (options.calls) {
        bench.measure_calls(row);
        return true;
    }
    return options.checked != 0 ? bench.check(row, options.checked) : bench.measure(row, options.sizes);
}

}  // namespace

int main(int count, char** arguments) {
    const Options options = parse(count, arguments);
    int largest = 16;
    if (!options.calls) {
        largest =
            options.checked != 0 ? options.checked : *std::max_element(options.sizes.begin(), options.sizes.end());
    }
    Bench bench(options.libraries, largest);
    if (options.after.empty()) {
        std::printf(
            "# on %s; algorithm, n, here, CUB, CUB with counts of 64 bits, here / the faster one, here, here, results, "
            "the "
            "peer if it is another one\n",
            bench.device().name().c_str());
    }
    if (options.checked == 0) signal(SIGALRM, give_up);
    bool all_well = true;
    bool skips = !options.after.empty();
    for (const Row& row : all_rows()) {
        const bool is_chosen =
            options.only.empty() || std::find(options.only.begin(), options.only.end(), row.name) != options.only.end();
        const bool is_skipped = skips || !is_chosen;
        if (row.name == options.after) skips = false;
        if (is_skipped) continue;
        std::printf("# row %s\n", row.name.c_str());
        std::fflush(stdout);
        if (options.checked == 0) alarm(seconds_per_row);
        try {
            all_well = run(bench, row, options) && all_well;
        } catch (const std::exception& error) {
            std::printf("# FAILED: %s\n", error.what());
            std::fflush(stdout);
            all_well = false;
            try {
                bench.sync();
            } catch (const std::exception&) {
                _exit(exit_unusable);  // nothing more can be freed
            }
        }
    }
    return all_well ? 0 : 1;
}
