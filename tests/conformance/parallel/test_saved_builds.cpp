// Building ahead of time, saving and loading; and the programs for counts beyond 2^31. Each test has an operator of its
// own: what one process has built it does not build again.
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <numeric>
#include <string_view>

#include "cuprum/core/error.hpp"
#include "fixture.hpp"

namespace cuprum::parallel {
namespace {

using test::Parallel;
using test::random_elements;
using testing::ElementsAre;
using testing::HasSubstr;

class SavedBuilds : public Parallel {
protected:
    static std::string saved(const char* op, std::vector<std::string> architectures) {
        return Reduce(Iterator::pointer(Type::of<int32_t>()), op, Type::of<int32_t>(),
                      Execution::ahead_of_time(std::move(architectures)))
            .save();
    }
    // Runs with what was loaded: without NVRTC's help the text could not be compiled.
    int32_t reduce(const char* op, int32_t init) const {
        const Reduce built(Iterator::pointer(Type::of<int32_t>()), op, Type::of<int32_t>());
        const core::Buffer input = upload(std::vector<int32_t>{5, 1, 7, 3});
        const core::Buffer output = memory_for<int32_t>(1);
        built(stream, input, output, 4, init);
        return download_one<int32_t>(output);
    }
};

TEST_F(SavedBuilds, AreMadeForAListOfArchitecturesAndCannotBeCalled) {
    const Reduce ahead(Iterator::pointer(Type::of<int32_t>()), "a + b + 1", Type::of<int32_t>(),
                       Execution::ahead_of_time({"sm_80", "compute_75"}));
    EXPECT_THAT(load_builds(ahead.save()), testing::UnorderedElementsAre("sm_80", "compute_75"));
    const core::Buffer memory = memory_for<int32_t>(4);
    EXPECT_THROW(ahead(stream, memory, memory, 4, 0), InvalidState);
    EXPECT_THROW(ahead.temp_storage_bytes(4), InvalidState);
}

TEST_F(SavedBuilds, RunOnWhatTheyWereBuiltFor) {
    const std::string bytes = saved("a + b + 2 * 1", {"compute_75"});
    EXPECT_THAT(load_builds(bytes, device), ElementsAre("compute_75"));
    EXPECT_EQ(reduce("a + b + 2 * 1", 10), 26 + 4 * 2);
}

TEST_F(SavedBuilds, OfADeviceAreWhatItsObjectsHaveBuilt) {
    const Scan scan(ScanKind::inclusive, Iterator::pointer(Type::of<int32_t>()), "a + b + 3 * 1", Type::of<int32_t>());
    const std::string bytes = scan.save();
    EXPECT_EQ(load_builds(bytes, device).size(), 1U);
}

// FNV-1a, as archives have it.
uint64_t checksum(std::string_view bytes) {
    uint64_t hash = 0xcbf29ce484222325;
    for (const char byte : bytes)
        hash = (hash ^ static_cast<unsigned char>(byte)) * 0x100000001b3;
    return hash;
}

// One saved build with so many copies of its code: what a GPU's has, which is linked kernel by kernel. 0: as many as
// kernels. After archive.cpp.
std::string with_codes(const std::string& bytes, uint64_t codes) {
    std::string_view rest = bytes;
    const auto number = [&rest] {
        uint64_t value = 0;
        std::memcpy(&value, rest.data(), sizeof(value));
        rest.remove_prefix(sizeof(value));
        return value;
    };
    const auto text = [&] {
        const uint64_t size = number();
        const std::string_view value = rest.substr(0, size);
        rest.remove_prefix(size);
        return value;
    };
    const auto put = [](std::string& to, uint64_t value) { to.append(reinterpret_cast<const char*>(&value), 8); };
    const auto put_text = [&](std::string& to, std::string_view value) {
        put(to, value.size());
        to += value;
    };
    const std::string_view magic = rest.substr(0, rest.find('\n') + 1);
    rest.remove_prefix(magic.size());
    const std::string_view version = text();
    number();  // the checksum
    rest = text();
    const std::string_view begin = rest;
    number();  // builds: one
    text();    // architecture
    number();  // type
    text();    // key
    const uint64_t kernels = number();
    for (uint64_t i = 0; i < 2 * kernels; ++i)
        text();
    std::string body(begin.substr(0, begin.size() - rest.size()));
    number();  // codes: one
    const std::string_view code = text();
    const uint64_t copies = codes == 0 ? kernels : codes;
    put(body, copies);
    for (uint64_t i = 0; i < copies; ++i)
        put_text(body, code);
    body += rest;
    std::string result(magic);
    put_text(result, version);
    put(result, checksum(body));
    put_text(result, body);
    return result;
}

TEST_F(SavedBuilds, MayHaveACodeForEachKernel) {
    const std::string bytes = with_codes(saved("a + b + 6 * 1", {"compute_75"}), 0);
    EXPECT_THAT(load_builds(bytes, device), ElementsAre("compute_75"));
    EXPECT_EQ(reduce("a + b + 6 * 1", 10), 26 + 4 * 6);
}

TEST_F(SavedBuilds, WithSomeOfTheirCodesAreRefused) {
    const std::string bytes = with_codes(saved("a + b + 7 * 1", {"compute_75"}), 2);
    EXPECT_THAT(load_builds(bytes, device), ElementsAre("compute_75"));
    try {
        reduce("a + b + 7 * 1", 10);
        FAIL() << "two codes are none for each kernel";
    } catch (const InvalidArgument& error) {
        EXPECT_THAT(error.detail(), HasSubstr("2 pieces of code"));
    }
}

TEST_F(SavedBuilds, AreRefusedWhenDamagedOrForOthers) {
    const std::string bytes = saved("a + b + 4 * 1", {"sm_80"});
    EXPECT_THROW(load_builds(""), InvalidArgument);
    EXPECT_THROW(load_builds("something else altogether"), InvalidArgument);
    for (const size_t length : {bytes.size() - 1, bytes.size() / 2, size_t{30}, size_t{16}})
        EXPECT_THROW(load_builds(std::string_view(bytes).substr(0, length)), InvalidArgument) << length;
    EXPECT_THROW(load_builds(bytes + "x"), InvalidArgument);
    for (const size_t at : {size_t{60}, bytes.size() / 2, bytes.size() - 1}) {
        std::string changed = bytes;
        changed[at] = static_cast<char>(changed[at] ^ 1);
        EXPECT_THROW(load_builds(changed), InvalidArgument) << at;
    }
    // The version follows the magic line and its length.
    std::string older = bytes;
    older.replace(older.find("0.1.0"), 5, "0.0.9");
    try {
        load_builds(older);
        FAIL() << "another version's builds were taken";
    } catch (const Unsupported& error) {
        EXPECT_THAT(error.detail(), HasSubstr("0.0.9"));
    }
    try {
        load_builds(saved("a + b + 5 * 1", {"sm_75"}), device);
        FAIL() << "no device of this decade is an sm_75";
    } catch (const Unsupported& error) {
        EXPECT_THAT(error.detail(), HasSubstr("they are for sm_75"));
    }
    EXPECT_THROW(saved("a + b", {"volta"}), InvalidArgument);
}

// A folder that says that it is of a known version, and is not.
class OtherCccl {
public:
    OtherCccl() : folder_(std::filesystem::path(testing::TempDir()) / ("cccl-" + std::to_string(getpid()))) {
        write("cuda/std/__cccl/version.h", "#define CCCL_VERSION 3001999\n");
        write("cub/util_device.cuh", "#error from the other folder\n");
    }
    ~OtherCccl() { std::filesystem::remove_all(folder_); }
    std::string folder() const { return folder_.string(); }

private:
    void write(const char* name, const char* text) const {
        std::filesystem::create_directories((folder_ / name).parent_path());
        std::ofstream(folder_ / name) << text;
    }

    std::filesystem::path folder_;
};

TEST_F(Parallel, BuildsAreThoseOfTheCcclInUse) {
    const auto build = [] { Reduce(Iterator::pointer(Type::of<int32_t>()), OpKind::plus, Type::of<int32_t>()); };
    const char* const before = std::getenv("CUPRUM_CCCL_PATH");
    const std::string restored = before == nullptr ? "" : before;
    build();
    const OtherCccl other;
    setenv("CUPRUM_CCCL_PATH", other.folder().c_str(), 1);
    try {
        build();
        ADD_FAILURE() << "what the first folder gave was taken";
    } catch (const CompileError& error) {
        EXPECT_THAT(error.log(), HasSubstr("from the other folder"));
    }
    setenv("CUPRUM_CCCL_PATH", restored.c_str(), 1);
    EXPECT_NO_THROW(build());
}

class WidePrograms : public Parallel {
protected:
    const BuildOptions wide{.always_wide = true};
};

TEST_F(WidePrograms, GiveTheSameAsTheNarrowOnes) {
    const uint64_t count = 30011;
    const std::vector<uint32_t> elements = random_elements<uint32_t>(count);
    const core::Buffer input = upload(elements);
    const core::Buffer output = memory_for<uint32_t>(count);
    const Iterator pointer = Iterator::pointer(Type::of<uint32_t>());
    const Type type = Type::of<uint32_t>();
    std::vector<uint32_t> expected(count);

    Reduce(pointer, OpKind::plus, type, {}, wide)(stream, input, output, count, uint32_t{1});
    EXPECT_EQ(download<uint32_t>(output)[0], std::accumulate(elements.begin(), elements.end(), uint32_t{1}));

    Scan(ScanKind::inclusive, pointer, OpKind::plus, type, {}, wide)(stream, input, output, count);
    std::partial_sum(elements.begin(), elements.end(), expected.begin());
    EXPECT_EQ(download<uint32_t>(output), expected);

    Transform(pointer, "a * 2", type, {}, wide)(stream, input, output, count);
    std::transform(elements.begin(), elements.end(), expected.begin(), [](uint32_t element) { return element * 2; });
    EXPECT_EQ(download<uint32_t>(output), expected);

    expected = elements;
    std::sort(expected.begin(), expected.end());
    RadixSort(SortOrder::ascending, type, std::nullopt, {}, wide)(stream, input, output, count);
    EXPECT_EQ(download<uint32_t>(output), expected);
    MergeSort(OpKind::less, type, std::nullopt, {}, wide)(stream, input, input, count);
    EXPECT_EQ(download<uint32_t>(input), expected);
}

}  // namespace
}  // namespace cuprum::parallel
