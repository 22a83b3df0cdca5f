// An access out of bounds. A program of its own: the context is lost afterwards, for the life of the process.
#include "cuprum/core/error.hpp"
#include "fixture.hpp"

namespace cuprum::core {
namespace {

using test::buffer_of;
using test::error_of;
using testing::AllOf;
using testing::ContainsRegex;
using testing::HasSubstr;

constexpr const char* source = R"(
extern "C" __global__ void write_far_away(int* x, long long index) {
    if (threadIdx.x == 5) x[index] = 1;
}
)";

TEST(OutOfBoundsAccess, IsADeviceFaultAfterWhichNothingCrashes) {
    static int reports = 0;
    set_cleanup_error_handler([](const Error&) noexcept { ++reports; });
    const Device device(0);
    {
        const Stream stream = device.create_stream();
        const Buffer x = buffer_of(device, std::vector<int>(256, 0));
        const ProgramOptions options{.name = "far_away.cu", .lineinfo = true};
        const Kernel kernel = Program(source, SourceType::cxx, options).compile().get_kernel("write_far_away");
        // 4 TiB beyond: no allocation is that near.
        launch(stream, {2, 32}, kernel, x, 1LL << 40);
        static bool called = false;
        // Behind the fault. The driver may have seen it by now.
        try {
            stream.launch_host_function([] { called = true; });
        } catch (const DeviceFault&) {}

        const auto error = error_of<DeviceFault>([&] { stream.sync(); });
        EXPECT_EQ(error.status(), Status::device_fault);
        EXPECT_EQ(error.name(), "CUDA_ERROR_ILLEGAL_ADDRESS");
        EXPECT_THAT(error.what(), AllOf(HasSubstr("waiting for a stream"), HasSubstr("the context is lost")));
        if (device.is_simulator()) {
            // Which kernel, which thread, where, which address, which allocation is the nearest.
            EXPECT_THAT(error.detail(), HasSubstr("write_far_away"));
            EXPECT_THAT(error.detail(), ContainsRegex("thread[^0-9]*5, ?0, ?0"));
            EXPECT_THAT(error.detail(), ContainsRegex("PTX line [0-9]+ .st.global.u32., source .*far_away.cu:3:"));
            EXPECT_THAT(error.detail(), ContainsRegex("0x[0-9a-f]+"));
            EXPECT_THAT(error.detail(), ContainsRegex("1024"));
        } else {
            EXPECT_THAT(error.detail(), HasSubstr("illegal memory access"));
        }

        // Sticky: the same error from every later call, and never a crash.
        EXPECT_THROW(launch(stream, {1, 1}, kernel, x, 0LL), DeviceFault);
        EXPECT_THROW(device.sync(), DeviceFault);
        EXPECT_THROW(stream.launch_host_function([] { called = true; }), DeviceFault);
        EXPECT_THROW(stream.write_value32(x, 0, 1), DeviceFault);
        EXPECT_FALSE(called);
        EXPECT_THROW(static_cast<void>(device.allocate(16)), DeviceFault);
        EXPECT_FALSE(device.name().empty()) << "what needs no context still works";
    }
    // The destructors had to report what they could not do, and did not throw.
    EXPECT_GT(reports, 0);
}

}  // namespace
}  // namespace cuprum::core
