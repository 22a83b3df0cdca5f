// The machine as the search sees it, tried on real files.
#include <dlfcn.h>
#include <gmock/gmock.h>
#include <gnu/libc-version.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cuprum/pathfinder/system.hpp"
#include "temporary_folder.hpp"

namespace cuprum::pathfinder::test {
namespace {

using Kind = FileStatus::Kind;

TEST(RealSystem, TellsWhatIsAtAPath) {
    const TemporaryFolder folder;
    const std::string file = folder.file("file");
    const std::string& root = folder.path();
    ASSERT_EQ(symlink("file", (root + "/link").c_str()), 0);
    ASSERT_EQ(symlink("gone", (root + "/dangling").c_str()), 0);
    ASSERT_EQ(symlink("loop", (root + "/loop").c_str()), 0);
    const System& system = real_system();
    EXPECT_EQ(system.status(file).kind, Kind::file);
    EXPECT_EQ(system.status(root).kind, Kind::directory);
    EXPECT_EQ(system.status(root + "/link").kind, Kind::file);
    EXPECT_EQ(system.status(root + "/gone").kind, Kind::missing);
    EXPECT_EQ(system.status(root + "/dangling").kind, Kind::dangling_link);
    EXPECT_EQ(system.status(root + "/loop").kind, Kind::link_loop);
    EXPECT_EQ(system.status("/dev/null").kind, Kind::other);
    EXPECT_EQ(system.status(file + "/below").kind, Kind::missing);
}

TEST(RealSystem, TellsWhetherEverybodyMayWrite) {
    const TemporaryFolder folder;
    const std::string file = folder.file("file");
    EXPECT_FALSE(real_system().status(folder.path()).others_may_write);
    EXPECT_FALSE(real_system().status(file).others_may_write);
    ASSERT_EQ(chmod(folder.path().c_str(), 0777), 0);
    ASSERT_EQ(chmod(file.c_str(), 0666), 0);
    EXPECT_TRUE(real_system().status(folder.path()).others_may_write);
    EXPECT_TRUE(real_system().status(file).others_may_write);
}

TEST(RealSystem, KnowsTheStickyBitOfAFolderAndWhatCanBeRun) {
    const TemporaryFolder folder;
    const std::string file = folder.file("file");
    EXPECT_FALSE(real_system().status(folder.path()).is_sticky);
    EXPECT_FALSE(real_system().status(folder.path()).is_executable) << "folders are not run";
    EXPECT_FALSE(real_system().status(file).is_executable);
    ASSERT_EQ(chmod(folder.path().c_str(), 01777), 0);
    ASSERT_EQ(chmod(file.c_str(), 0755), 0);
    EXPECT_TRUE(real_system().status(folder.path()).is_sticky);
    EXPECT_TRUE(real_system().status(file).is_executable);
}

TEST(RealSystem, ReadsAtMostAsMuchAsAskedFor) {
    const TemporaryFolder folder;
    const std::string content(40000, 'x');
    const std::string file = folder.file("file", content);
    EXPECT_EQ(real_system().read(file, 20), std::string(20, 'x'));
    EXPECT_EQ(real_system().read(file, 1u << 20), content);
    EXPECT_EQ(real_system().read(folder.path() + "/gone", 20), "");
    EXPECT_EQ(real_system().read(folder.path(), 20), "");
}

TEST(RealSystem, ListsNamesSorted) {
    const TemporaryFolder folder;
    folder.file("b");
    folder.file("a");
    EXPECT_THAT(real_system().list(folder.path()), testing::ElementsAre("a", "b"));
    EXPECT_THAT(real_system().list(folder.path() + "/gone"), testing::IsEmpty());
}

TEST(RealSystem, ResolvesLinks) {
    const TemporaryFolder folder;
    const std::string file = folder.file("file");
    ASSERT_EQ(symlink("file", (folder.path() + "/link").c_str()), 0);
    EXPECT_EQ(real_system().canonical(folder.path() + "/link"), file);
    EXPECT_EQ(real_system().canonical(folder.path() + "/gone"), folder.path() + "/gone");
}

TEST(RealSystem, AnEmptyVariableIsNone) {
    ASSERT_EQ(setenv("CUPRUM_TEST_VARIABLE", "", 1), 0);
    EXPECT_EQ(real_system().environment("CUPRUM_TEST_VARIABLE"), std::nullopt);
    ASSERT_EQ(setenv("CUPRUM_TEST_VARIABLE", "x", 1), 0);
    EXPECT_EQ(real_system().environment("CUPRUM_TEST_VARIABLE"), "x");
    unsetenv("CUPRUM_TEST_VARIABLE");
    EXPECT_EQ(real_system().environment("CUPRUM_TEST_VARIABLE"), std::nullopt);
}

// The C library is in every loader's path, and the loader has said where it is.
TEST(RealSystem, FindsWhatTheDynamicLoaderFinds) {
    void* library = dlopen("libdl.so.2", RTLD_NOW);
    ASSERT_NE(library, nullptr) << dlerror();
    Dl_info info{};
    ASSERT_NE(dladdr(reinterpret_cast<const void*>(&gnu_get_libc_version), &info), 0);
    const std::string expected = real_system().canonical(info.dli_fname);
    std::vector<std::string> found;
    for (const std::string& path : real_system().loader_paths("libc.so.6")) {
        found.push_back(real_system().canonical(path));
    }
    EXPECT_THAT(found, testing::Contains(expected));
    EXPECT_THAT(real_system().loader_paths("libcuprum-no-such-library.so.1"), testing::IsEmpty());
}

TEST(RealSystem, KnowsWhereALibraryThatIsOpenLies) {
    Dl_info info{};
    ASSERT_NE(dladdr(reinterpret_cast<const void*>(&gnu_get_libc_version), &info), 0);
    EXPECT_EQ(real_system().canonical(real_system().loaded_path("libc.so.6")), real_system().canonical(info.dli_fname));
    EXPECT_EQ(real_system().loaded_path("libcuprum-no-such-library.so.1"), "");
}

TEST(RealSystem, OwnFolderIsThatOfTheProgramItIsLinkedInto) {
    const std::string program = real_system().canonical("/proc/self/exe");
    EXPECT_EQ(real_system().own_folder(), program.substr(0, program.rfind('/')));
}

TEST(RealSystem, KnowsTheRunPathOfTheProgramItIsLinkedInto) {
    EXPECT_THAT(real_system().run_path(), testing::Contains(RUN_PATH));
}

TEST(RealSystem, SaysWhyALibraryDoesNotOpen) {
    const TemporaryFolder folder;
    const std::string file = folder.file("libbad.so", "not a library");
    const OpenedLibrary bad = real_system().open(file, false);
    EXPECT_EQ(bad.handle, nullptr);
    EXPECT_THAT(bad.error, testing::HasSubstr("libbad.so"));
}

TEST(RealSystem, KnowsAStubDriverByWhatItSays) {
    const DriverProbe probe = real_system().probe_driver(STUB_DRIVER, false);
    EXPECT_TRUE(probe.is_stub);
    EXPECT_THAT(probe.reason, testing::HasSubstr("stub library"));
}

TEST(RealSystem, CountsDevicesOnlyWhenAsked) {
    const DriverProbe unasked = real_system().probe_driver(DRIVER_WITHOUT_DEVICE, false);
    EXPECT_EQ(unasked.reason, "");
    const DriverProbe without = real_system().probe_driver(DRIVER_WITHOUT_DEVICE, true);
    EXPECT_FALSE(without.has_device);
    EXPECT_THAT(without.reason, testing::HasSubstr("CUresult 100"));
    EXPECT_TRUE(real_system().probe_driver(DRIVER_WITH_DEVICE, true).has_device);
}

TEST(RealSystem, ALibraryThatIsNoDriverIsNone) {
    Dl_info info{};
    ASSERT_NE(dladdr(reinterpret_cast<const void*>(&gnu_get_libc_version), &info), 0);
    EXPECT_THAT(real_system().probe_driver(info.dli_fname, false).reason, testing::HasSubstr("is not a CUDA driver"));
}

}  // namespace
}  // namespace cuprum::pathfinder::test
