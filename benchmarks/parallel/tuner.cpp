// Looks for the shapes of an algorithm's kernels that are fastest on this GPU, and prints the row of a table for them
// (docs/parallel.md, Tuning).
// usage: benchmark_tuner scan|select|partition|radix_sort [--type TYPE] [--value TYPE] [--op TEXT] [--most LOG2]
// [--tries N]
// [--table FILE] [--candidates FILE]
//        benchmark_tuner scan|select|partition|radix_sort --compare yes [...]   what the tables say beside CUB's own
//        two choices
// TYPE: as Type::parse takes it, for radix_sort that of the keys; --op: of the caller's own, or a well-known one's
// name. Without --type and --op: the rows that Cuprum comes with for that algorithm. --table: rows are added to the
// file. --candidates: tries those in the file instead; a line is what a row has after its colon.
//
// Every candidate is built, in a process for each core, and timed at 2^24 and 2^28 elements (--most: at most 2^LOG2)
// beside CUB's own two choices, for counts of 32 and of 64 bits. The fastest is then compared with the faster of these
// from 2^14 elements on. A candidate whose result is not CUB's is named, and not taken.
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <fstream>
#include <functional>
#include <memory>
#include <numeric>
#include <optional>
#include <random>
#include <string>
#include <thread>
#include <vector>

#include "../measure.hpp"
#include "cuprum/cuprum.hpp"
#include "cuprum/parallel/parallel.hpp"
#include "tuning.hpp"

namespace {

using namespace cuprum;
using namespace cuprum::parallel;
using benchmarks::median;

constexpr int least_log2 = 14;

struct Memory {
    core::BufferRef in, more_in, out, more_out, count;  // more_in, more_out: a sort's values
};

// A built algorithm.
struct Built {
    std::function<uint64_t(uint64_t)> storage_bytes;
    std::function<void(const core::Stream&, const Memory&, uint64_t, const CallOptions&)> call;
};

// What is tuned.
struct Subject {
    std::string title;
    TuningCase what;
    Type element;
    std::optional<Type> value;
    std::vector<std::string> candidates;
    std::function<Built(const Execution&, const BuildOptions&)> build;
};

// Shapes of a kernel whose blocks stay (parallel/src/tile_pipeline.hpp). Two tiles and what blocks add up must fit into
// 48 KiB of a block's shared memory, and all blocks' into a multiprocessor's 227.
std::vector<std::string> pipeline_candidates() {
    std::vector<std::string> all;
    for (const int threads : {96, 128, 160, 192, 224, 256, 320, 384, 512}) {
        for (const int vectors : {3, 5, 7}) {
            for (const int blocks : {2, 3, 4, 5, 6, 7, 8}) {
                const int bytes = 2 * threads * vectors * 16 + 1024;
                if (bytes > 48 * 1024 || bytes * blocks > 227 * 1024) continue;
                if (threads * blocks > 1536 || threads * blocks < 384) continue;
                all.push_back("threads=" + std::to_string(threads) + " vectors=" + std::to_string(vectors) +
                              " blocks=" + std::to_string(blocks));
            }
        }
    }
    return all;
}

// Tiles of more than 6,500 keys or values, in 48 KiB, each also fetching ahead by as many tiles as there are
// multiprocessors.
std::vector<std::string> radix_candidates(uint64_t largest) {
    std::vector<std::string> all;
    const std::string ahead = " ahead=" + std::to_string(core::Device(0).properties().multiprocessor_count);
    for (const int threads : {256, 320, 384, 448, 512, 576}) {
        for (int items = 5; items < 28; ++items) {
            const uint64_t bytes = static_cast<uint64_t>(threads) * static_cast<uint64_t>(items) * largest;
            if (bytes > 47 * 1024 || bytes < 25 * 1024) continue;
            // With fewer registers than a thread of so many items needs it is not worth trying.
            for (int blocks = largest > 8 ? 1 : 2; blocks <= 4; ++blocks) {
                const int registers = 65536 / (threads * blocks);
                if (registers < 40 || registers > (largest > 8 ? 168 : 96) || threads * blocks > 2048) continue;
                const std::string shape = "threads=" + std::to_string(threads) + " items=" + std::to_string(items) +
                                          " blocks=" + std::to_string(blocks) +
                                          " histogram_threads=1024 histogram_items=16 look_back=4";
                all.push_back(shape);
                all.push_back(shape + ahead);
            }
        }
    }
    return all;
}

template <class Algorithm, class Call>
Built built(Algorithm algorithm, const Call& call) {
    const auto shared = std::make_shared<const Algorithm>(std::move(algorithm));
    return {[shared](uint64_t count) { return shared->temp_storage_bytes(count); },
            [shared, call](const core::Stream& stream, const Memory& memory, uint64_t count,
                           const CallOptions& options) { call(*shared, stream, memory, count, options); }};
}

Operator operator_of(const std::string& text) {
    for (int kind = 0; to_string(static_cast<OpKind>(kind)) != "unknown"; ++kind) {
        if (to_string(static_cast<OpKind>(kind)) == text) return Operator(static_cast<OpKind>(kind));
    }
    return Operator(text);
}

Subject scan_of(const Type& type, const std::string& text) {
    const Operator op = operator_of(text);
    return {"scan of " + type.name() + ", " + text,
            {"scan", {{"element", {std::to_string(type.size())}}, {"operator", tuning_names(op)}}},
            type,
            std::nullopt,
            pipeline_candidates(),
            [type, op](const Execution& execution, const BuildOptions& options) {
                return built(Scan(ScanKind::inclusive, Iterator::pointer(type), op, type, execution, options),
                             [](const Scan& scan, const core::Stream& stream, const Memory& memory, uint64_t count,
                                const CallOptions& call) { scan(stream, memory.in, memory.out, count, call); });
            }};
}

template <class Selection>
Subject selection_of(const char* algorithm, const Type& type, const std::string& text) {
    const Operator op = operator_of(text);
    return {std::string(algorithm) + " of " + type.name() + ", " + text,
            {algorithm, {{"element", {std::to_string(type.size())}}, {"operator", tuning_names(op)}}},
            type,
            std::nullopt,
            pipeline_candidates(),
            [type, op](const Execution& execution, const BuildOptions& options) {
                return built(Selection(Iterator::pointer(type), op, execution, options),
                             [](const Selection& selection, const core::Stream& stream, const Memory& memory,
                                uint64_t count, const CallOptions& call) {
                                 selection(stream, memory.in, memory.out, memory.count, count, call);
                             });
            }};
}

Subject select_of(const Type& type, const std::string& text) {
    return selection_of<Select>("select", type, text);
}

Subject partition_of(const Type& type, const std::string& text) {
    return selection_of<Partition>("partition", type, text);
}

Subject sort_of(const Type& keys, const std::optional<Type>& values) {
    const uint64_t value_size = values ? values->size() : 0;
    return {"radix sort of " + keys.name() + (values ? " with " + values->name() : ""),
            {"radix_sort", {{"key", {std::to_string(keys.size())}}, {"value", {std::to_string(value_size)}}}},
            keys,
            values,
            radix_candidates(std::max(keys.size(), value_size)),
            [keys, values](const Execution& execution, const BuildOptions& options) {
                return built(RadixSort(SortOrder::ascending, keys, values, execution, options),
                             [values](const RadixSort& sort, const core::Stream& stream, const Memory& memory,
                                      uint64_t count, const CallOptions& call) {
                                 if (values) {
                                     sort(stream, memory.in, memory.out, memory.more_in, memory.more_out, count, {},
                                          call);
                                 } else {
                                     sort(stream, memory.in, memory.out, count, {}, call);
                                 }
                             });
            }};
}

// Small whole numbers of floating-point types, so that sums are exact in any order; all bits of others. 2^24 elements,
// again and again.
void fill(const core::BufferRef& memory, const Type& type, uint64_t count) {
    const uint64_t distinct = std::min(count, uint64_t{1} << 24);
    std::vector<std::byte> host(distinct * type.size());
    std::mt19937_64 random(count);
    const auto numbers = [&]<class T>(T) {
        for (uint64_t i = 0; i < distinct; ++i) {
            const T number = static_cast<T>(static_cast<int>(random() % 3) - 1);
            std::memcpy(host.data() + i * sizeof(T), &number, sizeof(T));
        }
    };
    if (type.kind() == TypeKind::float32) {
        numbers(0.0F);
    } else if (type.kind() == TypeKind::float64) {
        numbers(0.0);
    } else {
        for (size_t at = 0; at < host.size(); at += sizeof(uint64_t)) {
            const uint64_t bits = random();
            std::memcpy(host.data() + at, &bits, std::min(sizeof(bits), host.size() - at));
        }
    }
    for (uint64_t at = 0; at < count * type.size(); at += host.size())
        memory.slice(at, host.size()).copy_from_host(host.data(), host.size());
}

class Bench {
public:
    // `most`: a power of two.
    Bench(const Subject& subject, uint64_t most)
        : device_(0),
          stream_(device_.create_stream()),
          in_(device_.allocate(most * subject.element.size())),
          out_(device_.allocate(most * subject.element.size())),
          count_(device_.allocate(sizeof(uint64_t))) {
        fill(in_, subject.element, most);
        if (subject.value) {
            more_in_ = device_.allocate(most * subject.value->size());
            more_out_ = device_.allocate(most * subject.value->size());
            fill(more_in_, *subject.value, most);
        }
        stream_.sync();
        device_.sync();
        memory_ = {in_, more_in_, out_, more_out_, count_};
    }

    // Microseconds, median.
    double time(const Built& built, uint64_t count, int repeats) {
        const CallOptions options = storage(built, count);
        constexpr int warm_up = 2;
        std::vector<double> times;
        for (int i = 0; i < warm_up + repeats; ++i) {
            const core::Event begin = stream_.record({.timing_enabled = true});
            built.call(stream_, memory_, count, options);
            const core::Event end = stream_.record({.timing_enabled = true});
            end.sync();
            if (i >= warm_up) times.push_back(static_cast<double>(core::elapsed_time(begin, end)) * 1000);
        }
        return median(std::move(times));
    }

    // The bytes that a call writes, behind what it leaves as it was.
    std::vector<std::byte> results(const Built& built, uint64_t count) {
        out_.fill(0, 1, stream_);
        if (more_out_.size() > 0) more_out_.fill(0, 1, stream_);
        count_.fill(0, 1, stream_);
        built.call(stream_, memory_, count, storage(built, count));
        stream_.sync();
        std::vector<std::byte> bytes(out_.size() + more_out_.size() + count_.size());
        out_.copy_to_host(bytes.data(), out_.size());
        if (more_out_.size() > 0) more_out_.copy_to_host(bytes.data() + out_.size(), more_out_.size());
        count_.copy_to_host(bytes.data() + out_.size() + more_out_.size(), count_.size());
        return bytes;
    }

private:
    CallOptions storage(const Built& built, uint64_t count) {
        const uint64_t bytes = std::max(built.storage_bytes(count), uint64_t{1});
        if (bytes > storage_.size()) {
            storage_ = device_.allocate(bytes);
            device_.sync();
        }
        CallOptions options;
        options.temp_storage = storage_;
        return options;
    }

    core::Device device_;
    core::Stream stream_;
    core::Buffer in_, out_, count_, more_in_, more_out_, storage_;
    Memory memory_;
};

// None for a candidate that does not build: too large a shape, of shared memory or of registers.
std::optional<Built> build(const Subject& subject, size_t candidate, const Execution& execution) {
    BuildOptions options;
    options.tuning = subject.candidates[candidate];
    try {
        return subject.build(execution, options);
    } catch (const std::exception&) {
        return std::nullopt;
    }
}

// What a process of its own does: every `processes`-th candidate of each subject, into the cache on disk.
void fill_cache(const std::vector<Subject>& subjects, size_t process, size_t processes, const std::string& arch) {
    const Execution execution = Execution::ahead_of_time({"sm_" + arch});
    for (const Subject& subject : subjects) {
        for (size_t i = process; i < subject.candidates.size(); i += processes)
            static_cast<void>(build(subject, i, execution));
    }
}

// NVRTC's front end compiles one program at a time in a process: so this program is started once for each core, with
// its own arguments and those of fill_cache.
void fill_cache_on_all_cores(const std::vector<std::string>& arguments) {
    const unsigned processes = std::max(std::thread::hardware_concurrency(), 1U);
    const std::string arch = core::Device(0).arch();
    std::vector<pid_t> started;
    started.reserve(processes);
    for (unsigned i = 0; i < processes; ++i) {
        std::vector<std::string> all = arguments;
        all.insert(all.end(), {"--fill-cache", std::to_string(i), std::to_string(processes), arch});
        std::vector<char*> pointers;
        pointers.reserve(all.size() + 1);
        for (std::string& argument : all)
            pointers.push_back(argument.data());
        pointers.push_back(nullptr);
        pid_t process = 0;
        if (posix_spawn(&process, "/proc/self/exe", nullptr, nullptr, pointers.data(), environ) == 0)
            started.push_back(process);
    }
    for (const pid_t process : started)
        waitpid(process, nullptr, 0);
}

struct Choice {
    size_t candidate;
    double score;  // CUB's time over its own, geometric mean over the sizes
};

// `row`: what was found; false where nothing is faster than CUB.
bool tune(const Subject& subject, int most_log2, std::string& row) {
    std::printf("# %s: %zu candidates\n", subject.title.c_str(), subject.candidates.size());
    BuildOptions cub, wide;
    cub.tuning = wide.tuning = std::string(cubs_own_tuning);
    wide.always_wide = true;
    const Built cub32 = subject.build({}, cub), cub64 = subject.build({}, wide);
    std::vector<std::optional<Built>> candidates;
    candidates.reserve(subject.candidates.size());
    for (size_t i = 0; i < subject.candidates.size(); ++i)
        candidates.push_back(build(subject, i, {}));
    Bench bench(subject, uint64_t{1} << most_log2);
    const auto cubs_time = [&](uint64_t count, int repeats) {
        return std::min(bench.time(cub32, count, repeats), bench.time(cub64, count, repeats));
    };

    std::vector<Choice> choices;
    for (size_t i = 0; i < candidates.size(); ++i) {
        if (candidates[i]) choices.push_back({i, 0});
    }
    const std::vector<int> sizes = most_log2 > 24 ? std::vector<int>{24, most_log2} : std::vector<int>{most_log2};
    for (const int log2 : sizes) {
        const uint64_t count = uint64_t{1} << log2;
        const int repeats = log2 > 26 ? 5 : 15;
        const double cubs = cubs_time(count, repeats);
        for (Choice& choice : choices)
            choice.score += std::log(cubs / bench.time(*candidates[choice.candidate], count, repeats));
    }
    for (Choice& choice : choices)
        choice.score = std::exp(choice.score / static_cast<double>(sizes.size()));
    std::ranges::sort(choices, std::greater(), &Choice::score);
    constexpr size_t shown = 5;
    for (size_t i = 0; i < std::min(choices.size(), shown); ++i)
        std::printf("# %.3f x CUB's speed: %s\n", choices[i].score, subject.candidates[choices[i].candidate].c_str());

    // An odd count: the last tile is not a whole one.
    const uint64_t checked = (uint64_t{1} << std::min(most_log2, 22)) - 3;
    const std::vector<std::byte> expected = bench.results(cub32, checked);
    for (const Choice& choice : choices) {
        const std::string& shape = subject.candidates[choice.candidate];
        const Built& best = *candidates[choice.candidate];
        if (choice.score < 1.01) break;
        if (bench.results(best, checked) != expected) {
            std::printf("# WRONG: %s\n", shape.c_str());
            continue;
        }
        // From which size on it is not slower. A tenth of a percent is no difference.
        uint64_t from = uint64_t{1} << most_log2;
        bool is_faster = true;
        for (int log2 = most_log2; log2 >= least_log2; --log2) {
            const uint64_t count = uint64_t{1} << log2;
            const int repeats = log2 > 26 ? 7 : 31;
            const double cubs = cubs_time(count, repeats), own = bench.time(best, count, repeats);
            is_faster = is_faster && own <= 1.001 * cubs;
            if (is_faster) from = count;
            std::printf("# 2^%d\t%10.2f us\tCUB %10.2f us\t%.3f x\n", log2, own, cubs, cubs / own);
        }
        row = tuning_row("sm_" + core::Device(0).arch(), subject.what, shape);
        row += " from=" + std::to_string(from * subject.element.size());
        std::printf("%s\n", row.c_str());
        return true;
    }
    std::printf("# nothing is faster than CUB's own\n");
    return false;
}

// What a build takes from the tables, beside CUB's own.
void compare(const Subject& subject, int most_log2) {
    std::printf("# %s\n", subject.title.c_str());
    BuildOptions cub, wide;
    cub.tuning = wide.tuning = std::string(cubs_own_tuning);
    wide.always_wide = true;
    const Built cub32 = subject.build({}, cub), cub64 = subject.build({}, wide), own = subject.build({}, {});
    Bench bench(subject, uint64_t{1} << most_log2);
    for (int log2 = 16; log2 <= most_log2; log2 += 4) {
        const uint64_t count = uint64_t{1} << log2;
        const int repeats = log2 > 26 ? 7 : 31;
        const double narrow = bench.time(cub32, count, repeats), far = bench.time(cub64, count, repeats);
        const double time = bench.time(own, count, repeats);
        std::printf("2^%d\t%10.2f us\tCUB %10.2f us\tCUB, 64-bit counts %10.2f us\t%.3f x the faster one's speed\n",
                    log2, time, narrow, far, std::min(narrow, far) / time);
    }
}

std::vector<Subject> shipped(const std::string& algorithm) {
    const auto u32 = Type::of<uint32_t>();
    const auto u64 = Type::of<uint64_t>();
    if (algorithm == "scan") return {scan_of(Type::of<float>(), "plus"), scan_of(Type::of<double>(), "plus")};
    if (algorithm == "select") return {select_of(Type::of<float>(), "a < 0"), select_of(Type::of<double>(), "a < 0")};
    if (algorithm == "partition")
        return {partition_of(Type::of<float>(), "a < 0"), partition_of(Type::of<double>(), "a < 0")};
    return {sort_of(u32, std::nullopt),
            sort_of(u32, u32),
            sort_of(u32, u64),
            sort_of(u64, std::nullopt),
            sort_of(u64, u32),
            sort_of(u64, u64),
            sort_of(Type::of<uint128>(), std::nullopt)};
}

// CUB's own operators cost what a sum does; the shipped rows hold for all.
void hold_for_any_operator(Subject& subject) {
    std::erase_if(subject.what.conditions, [](const auto& condition) { return condition.first == "operator"; });
}

// At most `most` of them; all for 0.
void keep_evenly(std::vector<std::string>& candidates, size_t most) {
    if (most == 0 || most >= candidates.size()) return;
    std::vector<std::string> kept;
    kept.reserve(most);
    for (size_t i = 0; i < most; ++i)
        kept.push_back(candidates[i * candidates.size() / most]);
    candidates = std::move(kept);
}

std::vector<std::string> lines_of(const std::string& path) {
    std::ifstream file(path);
    if (!file) throw InvalidArgument("tuning", path, "it cannot be read", "name a file that has a candidate a line");
    std::vector<std::string> lines;
    for (std::string line; std::getline(file, line);) {
        if (!line.empty()) lines.push_back(line);
    }
    return lines;
}

// 0 for what is none.
size_t number(const char* text) {
    return std::strtoul(text, nullptr, 10);
}

int run(int argc, char** argv) {
    std::string algorithm, type, value, op, table, candidates;
    int most_log2 = 28;
    bool compares = false;
    size_t tries = 0;
    size_t fill_process = 0, fill_processes = 0;
    std::string fill_arch;
    for (int i = 1; i < argc; ++i) {
        const std::string argument = argv[i];
        const char* const next = i + 1 < argc ? argv[i + 1] : "";
        if (argument == "--fill-cache" && i + 3 < argc) {
            fill_process = number(argv[i + 1]);
            fill_processes = number(argv[i + 2]);
            fill_arch = argv[i + 3];
            break;
        }
        if (argument.starts_with("--")) ++i;
        if (argument == "--type") {
            type = next;
        } else if (argument == "--value") {
            value = next;
        } else if (argument == "--op") {
            op = next;
        } else if (argument == "--table") {
            table = next;
        } else if (argument == "--candidates") {
            candidates = next;
        } else if (argument == "--tries") {
            tries = number(next);
        } else if (argument == "--compare") {
            compares = true;
        } else if (argument == "--most") {
            most_log2 = static_cast<int>(number(next));
        } else if (!argument.starts_with("--") && algorithm.empty()) {
            algorithm = argument;
        } else {
            algorithm.clear();
            break;
        }
    }
    constexpr std::array algorithms{"scan", "select", "partition", "radix_sort"};
    if (std::ranges::find(algorithms, algorithm) == algorithms.end() || most_log2 < least_log2 || most_log2 > 30) {
        std::fprintf(stderr,
                     "usage: benchmark_tuner scan|select|partition|radix_sort [--type TYPE] [--value TYPE] [--op TEXT] "
                     "[--most LOG2] [--tries N] [--table FILE] [--candidates FILE]\n");
        return 2;
    }
    std::vector<Subject> subjects;
    if (type.empty() && op.empty()) {
        subjects = shipped(algorithm);
        for (Subject& subject : subjects)
            hold_for_any_operator(subject);
    } else {
        const Type element = type.empty() ? Type::of<float>() : Type::parse(type);
        if (algorithm == "radix_sort") {
            subjects.push_back(sort_of(element, value.empty() ? std::nullopt : std::optional(Type::parse(value))));
        } else if (algorithm == "scan") {
            subjects.push_back(scan_of(element, op.empty() ? "plus" : op));
        } else {
            subjects.push_back((algorithm == "select" ? select_of : partition_of)(element, op.empty() ? "a < 0" : op));
        }
    }
    for (Subject& subject : subjects) {
        if (!candidates.empty()) subject.candidates = lines_of(candidates);
        keep_evenly(subject.candidates, tries);
    }
    if (fill_processes > 0) {
        fill_cache(subjects, fill_process, fill_processes, fill_arch);
        return 0;
    }
    if (compares) {
        std::printf("# on %s\n", core::Device(0).name().c_str());
        for (const Subject& subject : subjects)
            compare(subject, most_log2);
        return 0;
    }
    fill_cache_on_all_cores({argv, argv + argc});
    std::string rows = "# on " + core::Device(0).name() + "\n";
    std::printf("%s", rows.c_str());
    for (const Subject& subject : subjects) {
        std::string row;
        if (tune(subject, most_log2, row)) rows += row + "\n";
    }
    if (!table.empty()) {
        std::ofstream file(table, std::ios::app);
        file << rows;
        if (!file.flush()) {
            std::fprintf(stderr, "cannot write %s\n", table.c_str());
            return 1;
        }
    }
    return 0;
}

}  // namespace

int main(int argc, char** argv) {
    try {
        return run(argc, argv);
    } catch (const std::exception& error) {
        std::fprintf(stderr, "%s\n", error.what());
        return 1;
    }
}
