// Many programs at once. NVRTC compiles, into a cache of the test's own; no driver is asked.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <memory>
#include <set>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "cache_folder.hpp"
#include "cuprum/cuprum.hpp"

namespace cuprum::core {
namespace {

namespace fs = std::filesystem;
using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

CompileRequest request(const std::string& name, const std::string& source, ProgramOptions options = {}) {
    options.name = name;
    options.arch = "compute_80";
    return {Program(source, SourceType::cxx, std::move(options)), CodeType::ptx};
}

std::string kernel_called(const std::string& name) {
    return "extern \"C\" __global__ void " + name + "() {}\n";
}

std::vector<CompileRequest> distinct(int count) {
    std::vector<CompileRequest> requests;
    for (int i = 0; i < count; ++i)
        requests.push_back(request("p" + std::to_string(i) + ".cu", kernel_called("k" + std::to_string(i))));
    return requests;
}

template <class Expected, class Action>
Expected error_of(const Action& action) {
    try {
        action();
    } catch (const Expected& error) {
        return error;
    }
    throw std::runtime_error("nothing was thrown");
}

class CompileBatches : public testing::Test {
protected:
    CompileBatches() {
        std::string pattern = (fs::temp_directory_path() / "cuprum-batch-XXXXXX").string();
        folder = mkdtemp(pattern.data());
        setenv("CUPRUM_CACHE_DIR", folder.c_str(), 1);
        unsetenv("CUPRUM_CACHE");
        before = compile_cache_info();
    }
    ~CompileBatches() override {
        std::error_code ignored;
        fs::remove_all(folder, ignored);
    }
    uint64_t misses() const { return compile_cache_info().misses - before.misses; }

    fs::path folder;
    CompileCacheInfo before;
};

TEST_F(CompileBatches, GiveTheCodesInTheOrderOfTheRequests) {
    const std::vector<ObjectCode> codes = compile_all(distinct(9), {.num_threads = 3});
    ASSERT_EQ(codes.size(), 9U);
    for (size_t i = 0; i < codes.size(); ++i) {
        EXPECT_EQ(codes[i].name(), "p" + std::to_string(i) + ".cu");
        EXPECT_THAT(codes[i].code(), HasSubstr(".entry k" + std::to_string(i)));
    }
    EXPECT_TRUE(compile_all({}).empty());
}

TEST_F(CompileBatches, FindNameExpressionsAgain) {
    CompileRequest templated = request("t.cu", "template <class T> __global__ void fill(T* x) { *x = T(1); }");
    templated.name_expressions = {"fill<int>"};
    const std::vector<CompileRequest> requests{std::move(templated)};
    EXPECT_EQ(compile_all(requests).front().symbol_mapping().count("fill<int>"), 1U);
}

TEST_F(CompileBatches, TellOfEachCompileAsItIsDone) {
    std::vector<CompileRequest> requests = distinct(5);
    requests.push_back(request("warns.cu", "extern \"C\" __global__ void warns() { int unused; }"));
    for (const bool again : {false, true}) {
        std::set<uint64_t> seen;
        compile_all(requests, {.progress = [&, caller = std::this_thread::get_id()](const CompileProgress& progress) {
                        EXPECT_EQ(std::this_thread::get_id(), caller);
                        seen.insert(progress.index);
                        EXPECT_EQ(progress.done, seen.size());
                        EXPECT_EQ(progress.total, requests.size());
                        EXPECT_EQ(progress.name, requests[progress.index].program.options().name);
                        EXPECT_TRUE(progress.succeeded);
                        EXPECT_EQ(progress.error, nullptr);
                        EXPECT_EQ(progress.from_cache, again);
                        EXPECT_EQ(progress.log.find("unused") != std::string::npos, progress.index == 5);
                    }});
        EXPECT_EQ(seen.size(), requests.size());
        EXPECT_EQ(misses(), requests.size());
    }
}

TEST_F(CompileBatches, CompileADistinctProgramOnce) {
    const std::vector<CompileRequest> requests(6, request("same.cu", kernel_called("same")));
    int from_cache = 0;
    compile_all(requests, {.num_threads = 4, .progress = [&](const CompileProgress& progress) {
                               if (progress.from_cache) ++from_cache;
                           }});
    EXPECT_EQ(misses(), 1U);
    EXPECT_EQ(from_cache, 5);
}

TEST_F(CompileBatches, NameEveryProgramThatFails) {
    std::vector<CompileRequest> requests = distinct(2);
    requests.insert(requests.begin() + 1, request("typo.cu", "__global__ void k() {\n  wrong();\n}"));
    requests.push_back(request("brace.cu", "__global__ void k() {"));
    uint64_t succeeded = 0;
    const auto error = error_of<CompileError>([&] {
        compile_all(requests, {.progress = [&](const CompileProgress& progress) {
                        succeeded += progress.succeeded ? 1 : 0;
                        EXPECT_EQ(progress.error == nullptr, progress.succeeded);
                    }});
    });
    EXPECT_EQ(succeeded, 2U);
    EXPECT_THAT(error.what(), AllOf(HasSubstr("compiling several programs"), HasSubstr("2 of 4"),
                                    HasSubstr("program 1 'typo.cu', program 3 'brace.cu'"), HasSubstr("wrong"),
                                    Not(HasSubstr("p0.cu"))));
    std::vector<std::string> files;
    for (const Diagnostic& diagnostic : parse_diagnostics(error.log()))
        files.push_back(diagnostic.file);
    EXPECT_THAT(files, testing::ElementsAre("typo.cu", "brace.cu"));
}

TEST_F(CompileBatches, SayWhatElseIsWrong) {
    ProgramOptions wrong;
    wrong.extra_options = {"--no-such-option"};
    std::vector<CompileRequest> requests = distinct(1);
    requests.push_back(request("wrong.cu", kernel_called("k"), wrong));
    const auto error = error_of<InvalidArgument>([&] { compile_all(requests); });
    EXPECT_THAT(error.what(),
                AllOf(HasSubstr("1 of 2"), HasSubstr("program 1 'wrong.cu' fails"), HasSubstr("no-such-option")));
}

TEST_F(CompileBatches, ThrowWhatProgressThrows) {
    EXPECT_THROW(
        compile_all(distinct(4), {.progress = [](const CompileProgress&) { throw std::out_of_range("enough"); }}),
        std::out_of_range);
}

// All locks of the cache, so that no compile ends while they are held.
std::vector<std::unique_ptr<CacheLock>> held_locks() {
    constexpr uint64_t most = 256;
    std::vector<std::unique_ptr<CacheLock>> held;
    for (uint64_t hash = 0; hash < most; ++hash)
        held.push_back(std::make_unique<CacheLock>(cache_settings().directory, hash));
    return held;
}

TEST_F(CompileBatches, CancelWhatHasNotBegun) {
    constexpr uint64_t last = 2;
    CompileBatch batch(1);
    auto held = held_locks();
    for (CompileRequest& each : distinct(last + 1))
        batch.add(std::move(each));
    // The one thread is at the first of them, or has not begun.
    batch.cancel();
    held.clear();
    uint64_t done = 0;
    while (const std::optional<CompileProgress> progress = batch.next()) {
        EXPECT_EQ(progress->index, 0U);
        EXPECT_TRUE(progress->succeeded) << progress->log;
        EXPECT_EQ(progress->done, ++done);
    }
    EXPECT_LE(done, 1U);
    EXPECT_THAT(error_of<InvalidState>([&] { batch.result(last); }).what(),
                AllOf(HasSubstr("program 2 'p2.cu'"), HasSubstr("cancelled")));
    EXPECT_NO_THROW(batch.require_success());
    EXPECT_EQ(batch.add(request("later.cu", kernel_called("later"))), last + 1);
    EXPECT_THAT(batch.result(last + 1).code(), HasSubstr(".entry later"));
}

TEST_F(CompileBatches, KnowTheirProgramsAlone) {
    CompileBatch batch;
    EXPECT_THAT(error_of<InvalidArgument>([&] { batch.result(0); }).what(), HasSubstr("there are 0 programs"));
    CompileBatch other = std::move(batch);
    EXPECT_THROW(batch.cancel(), InvalidState);  // NOLINT(bugprone-use-after-move): that is what is tested
    EXPECT_THROW(batch.add(request("a.cu", kernel_called("a"))), InvalidState);
    EXPECT_FALSE(other.next());
}

TEST_F(CompileBatches, AreOfNoUseInAForkedChild) {
    CompileBatch batch(2);
    batch.add(request("a.cu", kernel_called("a")));
    const pid_t child = fork();
    if (child == 0) {
        int status = 1;
        {
            CompileBatch taken = std::move(batch);
            try {
                taken.next();
            } catch (const InvalidState&) {
                status = 0;
            }
        }
        _exit(status);
    }
    int status = -1;
    ASSERT_EQ(waitpid(child, &status, 0), child);
    EXPECT_EQ(status, 0);
    EXPECT_TRUE(batch.next());
}

}  // namespace
}  // namespace cuprum::core
