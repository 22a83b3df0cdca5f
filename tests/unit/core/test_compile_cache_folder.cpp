// The folder of the compile cache: what it accepts, and what other processes may have left in it or may be doing in it.
#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>

#include "cache_folder.hpp"
#include "cuprum/cuprum.hpp"

namespace cuprum::core {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;
using namespace std::chrono_literals;

class CompileCacheFolder : public testing::Test {
protected:
    CompileCacheFolder() {
        std::string pattern = (fs::temp_directory_path() / "cuprum-cache-folder-XXXXXX").string();
        folder = mkdtemp(pattern.data());
        setenv("CUPRUM_CACHE_DIR", cache().c_str(), 1);
        unsetenv("CUPRUM_CACHE_SIZE");
    }
    ~CompileCacheFolder() override {
        std::error_code ignored;
        fs::remove_all(folder, ignored);
    }

    fs::path cache() const { return folder / "cache"; }
    static std::string compile(const std::string& comment = "") {
        ProgramOptions options;
        options.arch = "compute_80";
        return Program("// " + comment + "\nextern \"C\" __global__ void kernel(int* x) { *x = 42; }\n",
                       SourceType::cxx, options)
            .compile(CodeType::ptx)
            .code();
    }
    fs::path entry() const {
        for (const auto& item : fs::directory_iterator(cache())) {
            if (item.path().extension() == ".compiled") return item.path();
        }
        return {};
    }
    // What write_cache_file leaves behind when it is killed.
    fs::path write_temporary(const char* name, size_t size) const {
        fs::create_directories(cache());
        const fs::path path = cache() / name;
        std::ofstream(path) << std::string(size, 'x');
        fs::last_write_time(path, fs::file_time_type::clock::now() - 1min);
        return path;
    }

    fs::path folder;
};

// Another process that holds a lock until it is killed.
class Holder {
public:
    Holder(const fs::path& path, bool stops) : process_(fork()) {
        if (process_ == 0) {
            const int file = open(path.c_str(), O_RDWR | O_CREAT, 0600);
            if (file < 0 || flock(file, LOCK_EX) != 0) _exit(1);
            raise(stops ? SIGSTOP : SIGKILL);
            _exit(0);
        }
        int status = 0;
        waitpid(process_, &status, WUNTRACED);
        is_stopped_ = WIFSTOPPED(status);
    }
    ~Holder() {
        if (!is_stopped_) return;
        kill(process_, SIGKILL);
        waitpid(process_, nullptr, 0);
    }
    Holder(const Holder&) = delete;
    Holder& operator=(const Holder&) = delete;

private:
    pid_t process_;
    bool is_stopped_ = false;
};

TEST_F(CompileCacheFolder, CountsAndRemovesWhatKilledProcessesLeft) {
    const fs::path left = write_temporary("1a2b.compiled.Abc123", 5000);
    { const Holder killed(left, false); }
    EXPECT_EQ(compile_cache_info().size, 5000U);
    EXPECT_EQ(compile_cache_info().entries, 0U);
    compile();
    EXPECT_FALSE(fs::exists(left));
    EXPECT_EQ(compile_cache_info().entries, 1U);
    EXPECT_EQ(compile_cache_info().size, fs::file_size(entry()));
}

TEST_F(CompileCacheFolder, LeavesWhatAnotherProcessIsWriting) {
    const fs::path written = write_temporary("1a2b.compiled.Abc123", 5000);
    const Holder writer(written, true);
    compile();
    EXPECT_TRUE(fs::exists(written));
    clear_compile_cache();
    EXPECT_TRUE(fs::exists(written));
    EXPECT_EQ(compile_cache_info().size, 5000U);
}

TEST_F(CompileCacheFolder, LeavesWhatHasJustBeenBegun) {
    const fs::path begun = write_temporary("1a2b.compiled.Abc123", 5000);
    fs::last_write_time(begun, fs::file_time_type::clock::now());
    compile();
    EXPECT_TRUE(fs::exists(begun));
}

TEST_F(CompileCacheFolder, IsClearedOfWhatKilledProcessesLeft) {
    const fs::path left = write_temporary("1a2b.compiled.Abc123", 5000);
    clear_compile_cache();
    EXPECT_FALSE(fs::exists(left));
}

TEST_F(CompileCacheFolder, DoesNotWaitForAPipeInTheEntrysPlace) {
    const std::string code = compile();
    const fs::path path = entry();
    fs::remove(path);
    ASSERT_EQ(mkfifo(path.c_str(), 0600), 0);
    EXPECT_EQ(compile(), code);
    EXPECT_TRUE(fs::is_regular_file(path));
    EXPECT_EQ(compile(), code);
}

TEST_F(CompileCacheFolder, CompilesWithAFolderOrADeviceInTheEntrysPlace) {
    const std::string code = compile();
    const fs::path path = entry();
    fs::remove(path);
    fs::create_directory(path);
    EXPECT_EQ(compile(), code);
    fs::remove(path);
    fs::create_symlink("/dev/zero", path);
    EXPECT_EQ(compile(), code);
    EXPECT_TRUE(fs::is_regular_file(fs::symlink_status(path)));
}

TEST_F(CompileCacheFolder, DoesNotWaitForAPipeInTheLocksPlace) {
    fs::create_directories(cache());
    ASSERT_EQ(mkfifo((cache() / "lock.7").c_str(), 0600), 0);
    const CacheLock lock(cache().string(), 7);
}

TEST_F(CompileCacheFolder, WaitsForAStoppedProcessNotForLong) {
    fs::create_directories(cache());
    const Holder stopped(cache() / "lock.7", true);
    const auto start = std::chrono::steady_clock::now();
    const CacheLock lock(cache().string(), 7, 100ms);
    EXPECT_GE(std::chrono::steady_clock::now() - start, 100ms);
    EXPECT_LT(std::chrono::steady_clock::now() - start, 5s);
}

// Compiles take longer where many threads want a core.
TEST_F(CompileCacheFolder, WaitsLongerOnABusyMachine) {
    EXPECT_EQ(CacheLock::longest_wait(0.1), 10s);
    EXPECT_EQ(CacheLock::longest_wait(4), 40s);
    EXPECT_EQ(CacheLock::longest_wait(100), 60s);
    EXPECT_GE(CacheLock::longest_wait(), 10s);
}

TEST_F(CompileCacheFolder, IsRefusedWhereOthersMayWrite) {
    fs::create_directories(cache());
    for (const mode_t mode : {0770U, 0720U, 0775U}) {
        chmod(cache().c_str(), mode);
        EXPECT_FALSE(compile().empty());
        EXPECT_FALSE(compile_cache_info().enabled) << std::oct << mode;
        EXPECT_THAT(compile_cache_info().disabled_reason,
                    HasSubstr("a group may write to the folder " + cache().string()));
        EXPECT_THAT(compile_cache_info().disabled_reason, HasSubstr("chmod go-w"));
    }
    for (const mode_t mode : {0777U, 0702U}) {
        chmod(cache().c_str(), mode);
        EXPECT_THAT(compile_cache_info().disabled_reason, HasSubstr("everybody may write")) << std::oct << mode;
    }
    chmod(cache().c_str(), 0755);
    EXPECT_TRUE(compile_cache_info().enabled);
}

TEST_F(CompileCacheFolder, IsRefusedWhereItIsAnotherUsers) {
    fs::path foreign = "/usr";
    if (geteuid() == 0) {
        foreign = folder / "foreign";
        fs::create_directories(foreign);
        ASSERT_EQ(chown(foreign.c_str(), 1, 1), 0);
    }
    setenv("CUPRUM_CACHE_DIR", foreign.c_str(), 1);
    EXPECT_FALSE(compile().empty());
    EXPECT_THAT(compile_cache_info().disabled_reason, HasSubstr("belongs to another user"));
}

TEST_F(CompileCacheFolder, IsMadeForItsOwnerAlone) {
    const mode_t before = umask(0);
    compile();
    umask(before);
    EXPECT_EQ(fs::status(cache()).permissions(), fs::perms::owner_all);
}

TEST_F(CompileCacheFolder, ListsItsEntriesTheLastUsedFirst) {
    compile("one");
    const fs::path first = entry();
    fs::last_write_time(first, fs::file_time_type::clock::now() - 1h);
    const auto before = fs::last_write_time(first);
    ProgramOptions options;
    options.arch = "compute_80";
    options.name = "two.cu";
    Program("extern \"C\" __global__ void two() {}", SourceType::cxx, options).compile(CodeType::ptx);
    const std::vector<CompileCacheEntry> entries = compile_cache_entries();
    ASSERT_EQ(entries.size(), 2U);
    EXPECT_EQ(entries[0].program, "two.cu");
    EXPECT_EQ(entries[1].path, first.string());
    EXPECT_EQ(entries[1].size, fs::file_size(first));
    EXPECT_GT(entries[0].last_used, entries[1].last_used);
    EXPECT_EQ(fs::last_write_time(first), before) << "listing is no use";
}

TEST_F(CompileCacheFolder, IsVerified) {
    compile("one");
    std::ofstream(entry(), std::ios::app) << "damage";
    compile("two");
    const uint64_t dropped = compile_cache_info().dropped;
    const CompileCacheCheck check = verify_compile_cache();
    EXPECT_EQ(check.intact, 1U);
    EXPECT_EQ(check.removed, 1U);
    EXPECT_EQ(compile_cache_info().entries, 1U);
    EXPECT_EQ(compile_cache_info().dropped, dropped + 1);
}

TEST_F(CompileCacheFolder, CountsTheEntriesThatItsLimitTurnsOut) {
    compile("one");
    const uint64_t size = fs::file_size(entry());
    const uint64_t before = compile_cache_info().evicted;
    setenv("CUPRUM_CACHE_SIZE", std::to_string(size + size / 2).c_str(), 1);
    compile("two");
    EXPECT_GE(compile_cache_info().evicted, before + 1);
    unsetenv("CUPRUM_CACHE_SIZE");
}

}  // namespace
}  // namespace cuprum::core
