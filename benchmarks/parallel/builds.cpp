// How long each algorithm takes to build, for an architecture, with no GPU: milliseconds of the first build of a
// process, of one in a process that has built all before it in the table, and of one from the cache on disk.
//
// usage: benchmark_builds [--arch sm_90] [--repeat 3] [ALGORITHM...]
//
// The least of the repeats. The processes have compiled an empty kernel before, so that the compiler is loaded. The
// second build of a process makes the precompiled header.
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "../measure.hpp"
#include "cuprum/core/program.hpp"
#include "cuprum/parallel/parallel.hpp"

namespace {

using namespace cuprum::parallel;

struct Algorithm {
    std::string name;
    std::function<void(const Execution&)> build;
};

std::vector<Algorithm> all_algorithms() {
    const Type f32(TypeKind::float32), u32(TypeKind::uint32), i64(TypeKind::int64);
    const Iterator floats = Iterator::pointer(f32), keys = Iterator::pointer(u32),
                   addresses = Iterator::pointer(Type(TypeKind::uint64));
    const Operator plus(OpKind::plus), positive("a > 0"), larger("fabsf(a) > fabsf(b) ? a : b"), difference("a - b");
    return {
        {"reduce", [=](const Execution& on) { Reduce(floats, plus, f32, on); }},
        {"reduce, own operator", [=](const Execution& on) { Reduce(floats, larger, f32, on); }},
        {"reduce, GPU to GPU",
         [=](const Execution& on) { Reduce(floats, plus, f32, on.require(Determinism::gpu_to_gpu)); }},
        {"arg-min", [=](const Execution& on) { ArgReduce(ArgKind::minimum, floats, on); }},
        {"min and max", [=](const Execution& on) { MinMax(floats, on); }},
        {"segmented reduce", [=](const Execution& on) { SegmentedReduce(floats, plus, f32, i64, on); }},
        {"inclusive scan", [=](const Execution& on) { Scan(ScanKind::inclusive, floats, plus, f32, on); }},
        {"segmented scan",
         [=](const Execution& on) { SegmentedScan(ScanKind::inclusive, floats, plus, f32, i64, on); }},
        {"scan by key",
         [=](const Execution& on) { InclusiveScanByKey(keys, floats, plus, f32, OpKind::equal_to, on); }},
        {"reduce by key", [=](const Execution& on) { ReduceByKey(keys, floats, plus, f32, OpKind::equal_to, on); }},
        {"run-length encode", [=](const Execution& on) { RunLengthEncode(keys, u32, OpKind::equal_to, on); }},
        {"non-trivial runs", [=](const Execution& on) { NonTrivialRuns(keys, i64, OpKind::equal_to, on); }},
        {"radix sort keys", [=](const Execution& on) { RadixSort(SortOrder::ascending, u32, std::nullopt, on); }},
        {"radix sort pairs", [=](const Execution& on) { RadixSort(SortOrder::ascending, u32, u32, on); }},
        {"merge sort keys", [=](const Execution& on) { MergeSort("a < b", f32, std::nullopt, on); }},
        {"merge sort pairs", [=](const Execution& on) { MergeSort("a < b", f32, u32, on); }},
        {"segmented sort keys",
         [=](const Execution& on) { SegmentedSort(SortOrder::ascending, u32, std::nullopt, i64, on); }},
        {"segmented sort pairs", [=](const Execution& on) { SegmentedSort(SortOrder::ascending, u32, u32, i64, on); }},
        {"top keys", [=](const Execution& on) { TopkKeys(SortOrder::descending, floats, on); }},
        {"top pairs", [=](const Execution& on) { TopkPairs(SortOrder::descending, floats, keys, on); }},
        {"transform", [=](const Execution& on) { Transform(floats, "a * a", f32, on); }},
        {"binary transform", [=](const Execution& on) { Transform(floats, floats, plus, f32, on); }},
        {"for each", [=](const Execution& on) { ForEach(floats, "return a > 0;", on); }},
        {"select", [=](const Execution& on) { Select(floats, positive, on); }},
        {"select flagged", [=](const Execution& on) { SelectFlagged(floats, keys, on); }},
        {"partition", [=](const Execution& on) { Partition(floats, positive, on); }},
        {"partition flagged", [=](const Execution& on) { PartitionFlagged(floats, keys, on); }},
        {"three-way partition", [=](const Execution& on) { ThreeWayPartition(floats, positive, "a < -1", on); }},
        {"unique", [=](const Execution& on) { Unique(floats, OpKind::equal_to, on); }},
        {"unique by key", [=](const Execution& on) { UniqueByKey(floats, keys, OpKind::equal_to, on); }},
        {"merge keys", [=](const Execution& on) { MergeKeys(keys, keys, OpKind::less, on); }},
        {"merge pairs", [=](const Execution& on) { MergePairs(keys, floats, keys, floats, OpKind::less, on); }},
        {"lower bound", [=](const Execution& on) { BinarySearch(Bound::lower, keys, keys, OpKind::less, i64, on); }},
        {"find", [=](const Execution& on) { FindIf(floats, positive, i64, on); }},
        {"equal", [=](const Execution& on) { Equal(floats, floats, OpKind::equal_to, on); }},
        {"difference of neighbours",
         [=](const Execution& on) { AdjacentDifference(Neighbour::left, floats, difference, f32, on); }},
        {"histogram even", [=](const Execution& on) { HistogramEven(floats, f32, u32, on); }},
        {"histogram range", [=](const Execution& on) { HistogramRange(floats, f32, u32, on); }},
        {"multi-histogram even", [=](const Execution& on) { MultiHistogramEven(floats, 4, 3, f32, u32, on); }},
        {"batched copy", [=](const Execution& on) { BatchedMemcpy(addresses, addresses, keys, on); }},
    };
}

// In a process of its own: NAME<tab>milliseconds for each.
int build_here(const std::string& architecture, const std::vector<std::string>& names) {
    const Execution on = Execution::ahead_of_time({architecture});
    cuprum::core::ProgramOptions options;
    options.arch = architecture;
    const cuprum::core::Program empty("extern \"C\" __global__ void nothing() {}", cuprum::core::SourceType::cxx,
                                      options);
    empty.compile(cuprum::core::CodeType::cubin);
    for (const Algorithm& algorithm : all_algorithms()) {
        if (!names.empty() && std::find(names.begin(), names.end(), algorithm.name) == names.end()) continue;
        const double begin = cuprum::benchmarks::now_microseconds();
        algorithm.build(on);
        std::printf("%s\t%.1f\n", algorithm.name.c_str(), (cuprum::benchmarks::now_microseconds() - begin) / 1e3);
        std::fflush(stdout);
    }
    return 0;
}

// Runs this program; the least of each name's milliseconds is kept.
void run(const std::string& architecture, const std::vector<std::string>& names, std::map<std::string, double>& least) {
    std::string command = "/proc/" + std::to_string(getpid()) + "/exe --here --arch " + architecture;
    for (const std::string& name : names)
        command += " '" + name + "'";
    FILE* const output = popen(command.c_str(), "r");
    if (output == nullptr) return;
    char line[256];
    while (std::fgets(line, sizeof(line), output) != nullptr) {
        const char* const tab = std::strchr(line, '\t');
        if (tab == nullptr) continue;
        const std::string name(static_cast<const char*>(line), tab);
        const double time = std::atof(tab + 1);
        const auto [known, is_new] = least.try_emplace(name, time);
        if (!is_new) known->second = std::min(known->second, time);
    }
    if (pclose(output) != 0) std::fprintf(stderr, "%s: failed\n", command.c_str());
}

}  // namespace

int main(int count, char** arguments) {
    std::string architecture = "sm_90";
    int repeat = 3;
    bool is_here = false;
    std::vector<std::string> names;
    for (int i = 1; i < count; ++i) {
        const std::string_view argument = arguments[i];
        if (argument == "--arch" && i + 1 < count) {
            architecture = arguments[++i];
        } else if (argument == "--repeat" && i + 1 < count) {
            repeat = std::atoi(arguments[++i]);
        } else if (argument == "--here") {
            is_here = true;
        } else {
            names.emplace_back(argument);
        }
    }
    if (is_here) return build_here(architecture, names);
    if (names.empty()) {
        for (const Algorithm& algorithm : all_algorithms())
            names.push_back(algorithm.name);
    }

    const std::string folder = std::filesystem::temp_directory_path() / ("builds-" + std::to_string(getpid()));
    setenv("CUPRUM_CACHE_DIR", folder.c_str(), 1);
    std::map<std::string, double> first, later, from_disk;
    for (int turn = 0; turn < repeat; ++turn) {
        for (const std::string& name : names) {
            std::filesystem::remove_all(folder);
            run(architecture, {name}, first);
        }
        std::filesystem::remove_all(folder);
        run(architecture, names, later);
        for (const std::string& name : names)
            run(architecture, {name}, from_disk);
    }
    std::filesystem::remove_all(folder);
    std::printf("# milliseconds for %s, the least of %d\n%-26s%10s%10s%10s\n", architecture.c_str(), repeat, "",
                "first", "later", "from disk");
    for (const std::string& name : names)
        std::printf("%-26s%10.0f%10.0f%10.1f\n", name.c_str(), first[name], later[name], from_disk[name]);
    return first.size() == names.size() ? 0 : 1;
}
