// Programs and object code on the driver in use.
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <thread>

#include "cuprum/core/error.hpp"
#include "fixture.hpp"

namespace cuprum::core {
namespace {

using test::buffer_of;
using test::error_of;
using test::values_of;
using testing::AllOf;
using testing::Contains;
using testing::HasSubstr;

constexpr const char* add_one = "extern \"C\" __global__ void add_one(int* x) { x[threadIdx.x] += 1; }";

class Compiled : public testing::Test {
protected:
    // Runs add_one of that code over {1, 2, 3}.
    std::vector<int> result_of(const ObjectCode& code) {
        const Buffer x = buffer_of(device, std::vector<int>{1, 2, 3});
        launch(stream, {1, 3}, code.get_kernel("add_one"), x);
        stream.sync();
        return values_of<int>(x);
    }

    Device device{0};
    Stream stream = device.create_stream();
    const std::vector<int> expected{2, 3, 4};
};

TEST_F(Compiled, NativeCodeIsWhatTheDeviceLoads) {
    const ObjectCode code = Program(add_one).compile();
    EXPECT_EQ(code.code_type(), device.is_simulator() ? CodeType::ptx : CodeType::cubin);
    EXPECT_EQ(result_of(code), expected);
}

// CTest runs it on simulators of several CUDA versions, too (test_core_older_driver_*).
TEST_F(Compiled, WhatADriverOlderThanTheToolkitIsGivenIsMachineCode) {
    const auto [major, minor] = nvrtc_version();
    const int32_t driver = driver_version();
    const ObjectCode code = Program(add_one).compile();
    EXPECT_EQ(result_of(code), expected);
    if (1000 * major + 10 * minor <= driver) {
        if (device.is_simulator()) {
            EXPECT_EQ(code.code_type(), CodeType::ptx);
        }
        return;
    }
    EXPECT_EQ(code.code_type(), CodeType::cubin);
    // Who insists on PTX gets it, and hears on loading it why it is of no use here.
    const ObjectCode ptx = Program(add_one).compile(CodeType::ptx);
    const std::string older =
        "a driver of CUDA " + std::to_string(driver / 1000) + "." + std::to_string(driver % 1000 / 10);
    EXPECT_THAT(error_of<Error>([&] { ptx.get_kernel("add_one"); }).what(),
                AllOf(HasSubstr(older), HasSubstr("compile without naming the type of code")));
}

TEST_F(Compiled, PtxRuns) {
    const ObjectCode code = Program(add_one).compile(CodeType::ptx);
    EXPECT_THAT(code.code(), HasSubstr(".entry add_one"));
    EXPECT_EQ(result_of(code), expected);
}

// On the simulator its companion of NVRTC gives an object that holds PTX.
TEST_F(Compiled, MachineCodeRuns) {
    const ObjectCode code = Program(add_one).compile(CodeType::cubin);
    EXPECT_EQ(code.code_type(), CodeType::cubin);
    EXPECT_EQ(code.code().substr(0, 4),
              "\x7f"
              "ELF");
    EXPECT_EQ(result_of(code), expected);
}

TEST_F(Compiled, MachineCodeKnowsItsNameExpressions) {
    const Program program("template <int Step> __global__ void add(int* x) { x[threadIdx.x] += Step; }");
    const std::string names[] = {"add<3>", "add<5>"};
    const ObjectCode code = program.compile(CodeType::cubin, names);
    const Buffer x = buffer_of(device, std::vector<int>{1, 2, 3});
    for (const std::string& name : names)
        launch(stream, {1, 3}, code.get_kernel(name), x);
    stream.sync();
    EXPECT_EQ(values_of<int>(x), (std::vector<int>{9, 10, 11}));
}

TEST_F(Compiled, PtxIsAProgramToo) {
    const std::string ptx = Program(add_one).compile(CodeType::ptx).code();
    const ObjectCode code = Program(ptx, SourceType::ptx).compile();
    EXPECT_EQ(code.code_type(), device.is_simulator() ? CodeType::ptx : CodeType::cubin);
    EXPECT_EQ(result_of(code), expected);
}

TEST_F(Compiled, CodeIsReadFromAFile) {
    const std::filesystem::path path =
        std::filesystem::temp_directory_path() / ("cuprum_test_" + std::to_string(getpid()) + ".ptx");
    std::ofstream(path) << Program(add_one).compile(CodeType::ptx).code();
    const ObjectCode code = ObjectCode::from_file(path.string(), CodeType::ptx);
    std::filesystem::remove(path);
    EXPECT_EQ(result_of(code), expected);
}

TEST_F(Compiled, TemplatesAreFoundByTheirExpression) {
    const Program program("template <class T> __global__ void twice(T* x) { x[threadIdx.x] *= T(2); }");
    const std::vector<std::string> names{"twice<float>", "twice<long long>"};
    const ObjectCode code = program.compile(CodeType::native, names);
    const Buffer floats = buffer_of(device, std::vector<float>{1.5F, -2.0F});
    const Buffer longs = buffer_of(device, std::vector<int64_t>{3, int64_t{1} << 40});
    launch(stream, {1, 2}, code.get_kernel("twice<float>"), floats);
    launch(stream, {1, 2}, code.get_kernel("twice<long long>"), longs);
    stream.sync();
    EXPECT_EQ(values_of<float>(floats), (std::vector<float>{3.0F, -4.0F}));
    EXPECT_EQ(values_of<int64_t>(longs), (std::vector<int64_t>{6, int64_t{1} << 41}));
    const auto error = error_of<KernelNotFound>([&] { static_cast<void>(code.get_kernel("twice<double>")); });
    EXPECT_THAT(error.available(), testing::ElementsAre("twice<float>", "twice<long long>"));
}

TEST_F(Compiled, KernelsAreListed) {
    EXPECT_THAT(test::kernels().kernel_names(), testing::IsSupersetOf({"saxpy", "add", "matmul", "positions"}));
}

TEST_F(Compiled, MangledNamesAreExplained) {
    const ObjectCode code = Program("__global__ void plain(int* x) { x[0] = 1; }").compile();
    const auto error = error_of<KernelNotFound>([&] { static_cast<void>(code.get_kernel("plain")); });
    EXPECT_THAT(error.available(), Contains("_Z5plainPi"));
    EXPECT_THAT(error.advice(), HasSubstr("extern \"C\""));
}

TEST_F(Compiled, ErrorsShowTheLine) {
    const Program program("// one\n// two\n__global__ void k() { int x = y; }", SourceType::cxx, {.name = "bad.cu"});
    const auto error = error_of<CompileError>([&] { static_cast<void>(program.compile()); });
    EXPECT_THAT(error.log(), AllOf(HasSubstr("bad.cu(3)"), HasSubstr("\"y\"")));
    EXPECT_FALSE(error.options().empty());
    EXPECT_FALSE(error.headers().empty());
}

TEST_F(Compiled, BadPtxIsRefusedWhenItIsLoadedWithItsLine) {
    const ObjectCode code = ObjectCode::from_ptx(
        ".version 7.0\n.target sm_75\n.address_size 64\n.visible .entry k() {\n    no_such_instruction;\n}\n",
        "bad.ptx");
    const auto error = error_of<DriverError>([&] { static_cast<void>(code.get_kernel("k")); });
    EXPECT_EQ(error.name(), "CUDA_ERROR_INVALID_PTX");
    EXPECT_THAT(error.object(), HasSubstr("bad.ptx"));
    EXPECT_THAT(error.detail(), HasSubstr("line 5"));
}

TEST_F(Compiled, WhatTheSimulatorDoesNotHaveSaysThatAGpuMayHaveIt) {
    if (!device.is_simulator()) GTEST_SKIP() << "a GPU has it";
    const ObjectCode code = ObjectCode::from_ptx(
        ".version 7.0\n.target sm_80\n.address_size 64\n.visible .entry k() {\n    .reg .b64 %d;\n    .reg .pred %p;\n"
        "    istypep.texref %p, %d;\n    ret;\n}\n",
        "reference.ptx");
    const auto error = error_of<Unsupported>([&] { static_cast<void>(code.get_kernel("k")); });
    EXPECT_EQ(error.name(), "CUDA_ERROR_NOT_SUPPORTED");
    EXPECT_THAT(std::string(error.what()), HasSubstr("CUPRUM_DRIVER=gpu"));
}

// Asked for a kernel, because a GPU's driver loads no earlier.
TEST_F(Compiled, WhatIsNoCodeIsRefused) {
    EXPECT_THROW(static_cast<void>(ObjectCode::from_cubin("this is no cubin").get_kernel("k")), InvalidArgument);
    EXPECT_THROW(static_cast<void>(ObjectCode::from_ptx("this is no PTX").get_kernel("k")), DriverError);
    EXPECT_THROW(static_cast<void>(ObjectCode::from_ptx("").get_kernel("k")), DriverError);
}

TEST_F(Compiled, LtoIrIsNotLoaded) {
    const ObjectCode code = Program(add_one).compile(CodeType::ltoir);
    EXPECT_THROW(static_cast<void>(code.get_kernel("add_one")), InvalidState);
}

TEST_F(Compiled, SeveralThreadsCompileAtOnce) {
    const Program program(add_one);
    std::vector<std::vector<int>> results(4);
    std::vector<std::thread> threads;
    for (std::vector<int>& result : results) {
        threads.emplace_back([&program, &result] {
            const Device own(0);
            const Stream own_stream = own.create_stream();
            const Buffer x = buffer_of(own, std::vector<int>{1, 2, 3});
            launch(own_stream, {1, 3}, program.compile().get_kernel("add_one"), x);
            own_stream.sync();
            result = values_of<int>(x);
        });
    }
    for (std::thread& thread : threads)
        thread.join();
    for (const std::vector<int>& result : results)
        EXPECT_EQ(result, expected);
}

}  // namespace
}  // namespace cuprum::core
