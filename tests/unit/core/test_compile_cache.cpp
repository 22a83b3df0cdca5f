// The cache of compiles on disk. Every test has a folder of its own and NVRTC to compile with; no driver is asked.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <array>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "../../conformance/core/nvvm_modules.hpp"

#include "cuprum/cuprum.hpp"

namespace cuprum::core {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

constexpr const char* kernel_source = "extern \"C\" __global__ void kernel(int* x) { *x = 42; }\n";

class CompileCache : public testing::Test {
protected:
    CompileCache() {
        std::string pattern = (fs::temp_directory_path() / "cuprum-cache-XXXXXX").string();
        folder = mkdtemp(pattern.data());
        use_folder(folder / "cache");
        unsetenv("CUPRUM_CACHE");
        unsetenv("CUPRUM_CACHE_SIZE");
        before = compile_cache_info();
    }
    ~CompileCache() override {
        std::error_code ignored;
        fs::remove_all(folder, ignored);
    }

    static void use_folder(const fs::path& path) { setenv("CUPRUM_CACHE_DIR", path.c_str(), 1); }

    static ObjectCode compile(const std::string& source, ProgramOptions options = {},
                              const std::vector<std::string>& names = {}) {
        options.arch = "compute_80";
        return Program(source, SourceType::cxx, std::move(options)).compile(CodeType::ptx, names);
    }
    ProgramOptions with_headers(const char* name) const {
        ProgramOptions options;
        options.include_path = {(folder / name).string()};
        return options;
    }
    void write_header(const std::string& path, const std::string& text) const {
        fs::create_directories((folder / path).parent_path());
        std::ofstream(folder / path) << text;
    }

    uint64_t hits() const { return compile_cache_info().hits - before.hits; }
    uint64_t misses() const { return compile_cache_info().misses - before.misses; }
    uint64_t bypassed() const { return compile_cache_info().bypassed - before.bypassed; }
    uint64_t dropped() const { return compile_cache_info().dropped - before.dropped; }

    std::vector<fs::path> entries() const {
        std::vector<fs::path> paths;
        for (const auto& item : fs::directory_iterator(folder / "cache")) {
            if (item.path().extension() == ".compiled") paths.push_back(item.path());
        }
        return paths;
    }

    fs::path folder;
    CompileCacheInfo before;
};

TEST_F(CompileCache, GivesTheSameResultASecondTime) {
    const std::string source =
        "template <class T> __global__ void fill(T* x) { int unused; *x = T(1); }\n"
        "extern \"C\" __global__ void kernel() {}\n";
    const ObjectCode first = compile(source, {}, {"fill<int>", "fill<float>"});
    const std::string log = Program::last_log();
    const ObjectCode second = compile(source, {}, {"fill<int>", "fill<float>"});
    EXPECT_EQ(misses(), 1U);
    EXPECT_EQ(hits(), 1U);
    EXPECT_EQ(second.code(), first.code());
    EXPECT_EQ(second.symbol_mapping(), first.symbol_mapping());
    EXPECT_EQ(second.symbol_mapping().size(), 2U);
    EXPECT_THAT(log, HasSubstr("unused"));
    EXPECT_EQ(Program::last_log(), log);
}

TEST_F(CompileCache, DistinguishesSourcesOptionsAndNames) {
    compile(kernel_source);
    compile(std::string(kernel_source) + " ");
    compile(kernel_source, {.define_macro = {{"A", "1"}}});
    compile(kernel_source, {.name = "other.cu"});
    compile(kernel_source, {}, {"kernel"});
    EXPECT_EQ(misses(), 5U);
    EXPECT_EQ(hits(), 0U);
}

TEST_F(CompileCache, KeepsWhatLibNvvmCompilesByAllThatItIsGiven) {
    const auto compile_ir = [](ProgramOptions options, const std::string& more = "2") {
        options.arch = options.arch.empty() ? "compute_75" : options.arch;
        options.extra_sources.emplace_back(
            "more.ll", "define i32 @more() {\n  ret i32 " + more + "\n}\n" + test::nvvm_targets + test::nvvm_version);
        return Program(test::nvvm_scale("3.0"), SourceType::nvvm, std::move(options)).compile(CodeType::ptx);
    };
    const std::string first = compile_ir({}).code();
    EXPECT_EQ(misses(), 1U);
    EXPECT_FALSE(Program::last_from_cache());
    EXPECT_EQ(compile_ir({}).code(), first);
    EXPECT_TRUE(Program::last_from_cache());
    EXPECT_EQ(hits(), 1U);
    compile_ir({}, "3");
    compile_ir({.name = "other.ll"});
    compile_ir({.arch = "compute_80"});
    compile_ir({.fma = false});
    compile_ir({.use_libdevice = true});
    EXPECT_EQ(misses(), 6U);
    EXPECT_EQ(hits(), 1U);
    compile_ir({.use_libdevice = true});
    EXPECT_EQ(hits(), 2U);
    compile_ir({.no_cache = true});
    EXPECT_EQ(bypassed(), 1U);
    // Nobody here knows what it does.
    EXPECT_THROW(compile_ir({.extra_options = {"-nonsense"}}), InvalidArgument);
    EXPECT_EQ(bypassed(), 2U);
}

// The simulator's companion of NVRTC answers with what no GPU runs, and a GPU's machine code is nothing to the
// simulator.
TEST_F(CompileCache, KeepsMachineCodeForGpusAndForTheSimulatorApart) {
    ProgramOptions options;
    options.arch = "sm_80";
    const Program program(kernel_source, SourceType::cxx, options);
    static_cast<void>(program.compile(CodeType::cubin));
    setenv("CUPRUM_DRIVER", "sim", 1);
    static_cast<void>(program.compile(CodeType::cubin));
    EXPECT_EQ(hits(), 0u);
    static_cast<void>(program.compile(CodeType::cubin));
    unsetenv("CUPRUM_DRIVER");
    static_cast<void>(program.compile(CodeType::cubin));
    EXPECT_EQ(hits(), 2u);
}

TEST_F(CompileCache, KeepsTheCodeOfEachKernel) {
    ProgramOptions options;
    options.arch = "sm_80";
    options.drop_unused_variables = true;
    const Program program(std::string(kernel_source) + "template <int n> __global__ void add(int* x) { *x += n; }\n",
                          SourceType::cxx, options);
    const std::vector<std::string> kernels{"kernel", "add<5>"};
    const std::vector<ObjectCode> made = program.compile_apart(CodeType::cubin, kernels);
    const std::vector<ObjectCode> found = program.compile_apart(CodeType::cubin, kernels);
    EXPECT_EQ(misses(), 1U);
    EXPECT_EQ(hits(), 1U);
    ASSERT_EQ(made.size(), 2U);
    ASSERT_EQ(found.size(), 2U);
    for (size_t i = 0; i < found.size(); ++i)
        EXPECT_EQ(found[i].code(), made[i].code());
    // All together, or another one alone, is another thing to ask for.
    EXPECT_THAT(program.compile(CodeType::cubin, kernels).code(), HasSubstr("3addILi5E"));
    program.compile_apart(CodeType::cubin, std::vector<std::string>{"kernel"}, std::vector<std::string>{"add<5>"});
    EXPECT_EQ(misses(), 3U);
}

TEST_F(CompileCache, MissesWhenAnIncludedHeaderHasChanged) {
    write_header("headers/outer.h", "#pragma once\n  #  include \"inner.h\"\n");
    write_header("headers/inner.h", "#define VALUE 1\n");
    const std::string source = "#include <outer.h>\nextern \"C\" __global__ void kernel(int* x) { *x = VALUE; }\n";
    const std::string first = compile(source, with_headers("headers")).code();
    write_header("headers/inner.h", "#define VALUE 2\n");
    const std::string second = compile(source, with_headers("headers")).code();
    EXPECT_EQ(misses(), 2U);
    EXPECT_NE(first, second);
}

TEST_F(CompileCache, HitsWhenAHeaderWasWrittenAnewWithTheSameContent) {
    write_header("headers/value.h", "#define VALUE 1\n");
    const std::string source = "#include \"value.h\"\nextern \"C\" __global__ void kernel(int* x) { *x = VALUE; }\n";
    compile(source, with_headers("headers"));
    write_header("headers/value.h", "#define VALUE 1\n");
    compile(source, with_headers("headers"));
    EXPECT_EQ(hits(), 1U);
}

TEST_F(CompileCache, MissesWhenAHeaderAppearsInAFolderThatIsSearchedBefore) {
    write_header("later/value.h", "#define VALUE 1\n");
    fs::create_directories(folder / "sooner");
    const std::string source = "#include <value.h>\nextern \"C\" __global__ void kernel(int* x) { *x = VALUE; }\n";
    ProgramOptions options;
    options.include_path = {(folder / "sooner").string(), (folder / "later").string()};
    const std::string first = compile(source, options).code();
    write_header("sooner/value.h", "#define VALUE 2\n");
    EXPECT_NE(compile(source, options).code(), first);
    EXPECT_EQ(misses(), 2U);
}

TEST_F(CompileCache, MissesWhenAnOptionalHeaderAppears) {
    fs::create_directories(folder / "headers");
    const std::string source =
        "#if __has_include(<optional.h>)\n#include <optional.h>\n#else\n#define VALUE 1\n#endif\n"
        "extern \"C\" __global__ void kernel(int* x) { *x = VALUE; }\n";
    const std::string first = compile(source, with_headers("headers")).code();
    write_header("headers/optional.h", "#define VALUE 2\n");
    EXPECT_NE(compile(source, with_headers("headers")).code(), first);
}

TEST_F(CompileCache, CoversTheToolkitsHeaders) {
    const std::string source = "#include <cuda_fp16.h>\nextern \"C\" __global__ void kernel(__half* x) { *x += *x; }\n";
    const std::string first = compile(source).code();
    EXPECT_EQ(compile(source).code(), first);
    EXPECT_EQ(hits(), 1U);
}

TEST_F(CompileCache, KeepsNothingWhoseHeadersOrTimeCannotBeKnown) {
    write_header("headers/value.h", "#define VALUE 1\n");
    const char* const computed = "#define HEADER <value.h>\n#include HEADER\n__global__ void kernel() {}\n";
    const char* const dated = "__global__ void kernel() { static const char* date = __DATE__; (void)date; }\n";
    for (const char* const source : {computed, computed, dated, dated})
        compile(source, with_headers("headers"));
    EXPECT_EQ(bypassed(), 4U);
    EXPECT_EQ(hits(), 0U);
    EXPECT_TRUE(entries().empty());
}

TEST_F(CompileCache, IsLeftAloneWhereTheCallerSaysSo) {
    compile(kernel_source, {.no_cache = true});
    compile(kernel_source, {.extra_options = {"--no-cache"}});
    setenv("CUPRUM_CACHE", "off", 1);
    compile(kernel_source);
    EXPECT_EQ(bypassed(), 3U);
    EXPECT_FALSE(compile_cache_info().enabled);
    EXPECT_THAT(compile_cache_info().disabled_reason, HasSubstr("CUPRUM_CACHE is off"));
}

TEST_F(CompileCache, DropsATruncatedEntryAndCompilesAgain) {
    const std::string code = compile(kernel_source).code();
    ASSERT_EQ(entries().size(), 1U);
    const uintmax_t size = fs::file_size(entries().front());
    for (const uintmax_t left : {size - 1, size / 2, uintmax_t{20}, uintmax_t{1}}) {
        fs::resize_file(entries().front(), left);
        EXPECT_EQ(compile(kernel_source).code(), code) << left;
        EXPECT_EQ(fs::file_size(entries().front()), size) << left;
    }
    EXPECT_EQ(dropped(), 4U);
    EXPECT_EQ(misses(), 5U);
}

TEST_F(CompileCache, DropsAnEntryOfWhichAnyOneByteHasChanged) {
    const std::string code = compile(kernel_source).code();
    const fs::path entry = entries().front();
    const auto size = static_cast<std::streamoff>(fs::file_size(entry));
    constexpr int samples = 12;
    for (std::streamoff sample = 0; sample < samples; ++sample) {
        std::fstream file(entry, std::ios::in | std::ios::out | std::ios::binary);
        file.seekg(sample * (size - 1) / (samples - 1));
        const int byte = file.peek();
        file.seekp(file.tellg());
        file.put(static_cast<char>(byte ^ 0x40));
        file.close();
        EXPECT_EQ(compile(kernel_source).code(), code) << sample;
    }
    EXPECT_EQ(dropped(), static_cast<uint64_t>(samples));
}

TEST_F(CompileCache, CompilesAllTheSameWhereTheFolderCannotBeUsed) {
    std::ofstream(folder / "file") << "not a folder";
    use_folder(folder / "file" / "cache");
    EXPECT_FALSE(compile(kernel_source).code().empty());
    EXPECT_THAT(compile_cache_info().disabled_reason, HasSubstr("cannot be made"));

    fs::create_directories(folder / "open");
    chmod((folder / "open").c_str(), 0777);
    use_folder(folder / "open");
    EXPECT_FALSE(compile(kernel_source).code().empty());
    EXPECT_THAT(compile_cache_info().disabled_reason, HasSubstr("everybody may write"));
}

TEST_F(CompileCache, DoesNotKeepErrors) {
    EXPECT_THROW(compile("nonsense"), CompileError);
    EXPECT_THROW(compile("nonsense"), CompileError);
    EXPECT_TRUE(entries().empty());
}

TEST_F(CompileCache, RemovesWhatWasNotUsedForLongestBeyondItsLimit) {
    compile(std::string("// a\n") + kernel_source);
    const uintmax_t size = fs::file_size(entries().front());
    setenv("CUPRUM_CACHE_SIZE", std::to_string(size * 4).c_str(), 1);
    const auto source = [](char letter) { return std::string("// ") + letter + '\n' + kernel_source; };
    // Times of files are coarse: each is made older than the one after it.
    const auto compile_at = [&](char letter, int minutes_ago) {
        const std::vector<fs::path> known = entries();
        compile(source(letter));
        for (const fs::path& path : entries()) {
            if (std::find(known.begin(), known.end(), path) == known.end()) {
                fs::last_write_time(path, fs::file_time_type::clock::now() - std::chrono::minutes(minutes_ago));
            }
        }
    };
    fs::last_write_time(entries().front(), fs::file_time_type::clock::now() - std::chrono::minutes(60));
    compile_at('b', 50);
    compile_at('c', 40);
    compile_at('d', 30);
    compile(source('b'));  // used again
    compile(source('e'));  // one too many: a and c go
    EXPECT_LE(compile_cache_info().size, size * 4);
    EXPECT_EQ(compile_cache_info().entries, 3U);
    const uint64_t hits_before = hits();
    compile(source('b'));
    compile(source('d'));
    compile(source('e'));
    EXPECT_EQ(hits() - hits_before, 3U);
    setenv("CUPRUM_CACHE_SIZE", "many", 1);
    EXPECT_THAT(compile_cache_info().disabled_reason, HasSubstr("512MiB"));
}

TEST_F(CompileCache, CanBeCleared) {
    compile(kernel_source);
    EXPECT_EQ(compile_cache_info().entries, 1U);
    EXPECT_GT(compile_cache_info().size, 0U);
    clear_compile_cache();
    EXPECT_EQ(compile_cache_info().entries, 0U);
}

TEST_F(CompileCache, LetsThreadsCompileOnceTogether) {
    std::vector<std::thread> threads;
    for (int i = 0; i < 8; ++i)
        threads.emplace_back([] { compile(kernel_source); });
    for (std::thread& thread : threads)
        thread.join();
    EXPECT_EQ(misses(), 1U);
    EXPECT_EQ(hits(), 7U);
}

struct ClosePipe {
    void operator()(FILE* pipe) const { pclose(pipe); }
};

TEST_F(CompileCache, LetsProcessesCompileOnceTogether) {
    // Built beside this program.
    const fs::path client = fs::read_symlink("/proc/self/exe").parent_path() / "compile_cache_client";
    const std::string command = client.string() + " '#include <cuda_fp16.h>\nextern \"C\" __global__ void kernel() {}'";
    std::vector<std::unique_ptr<FILE, ClosePipe>> processes;
    for (int i = 0; i < 3; ++i)
        processes.emplace_back(popen(command.c_str(), "r"));
    std::array<int, 3> total{};
    const auto add_report = [&](FILE* pipe) {
        std::array<int, 3> counted{};
        // NOLINTNEXTLINE(bugprone-unchecked-string-to-number-conversion,cert-err34-c): the client prints small numbers
        ASSERT_EQ(std::fscanf(pipe, "%d %d %d", &counted[0], &counted[1], &counted[2]), 3);
        for (size_t i = 0; i < counted.size(); ++i)
            total[i] += counted[i];
    };
    for (const auto& process : processes)
        add_report(process.get());
    EXPECT_EQ(total[0], 2) << "hits";
    EXPECT_EQ(total[1], 1) << "misses";
    EXPECT_EQ(total[2], 1) << "a hit needs no NVRTC";
}

}  // namespace
}  // namespace cuprum::core
