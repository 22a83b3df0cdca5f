// A program of NVVM IR, as compilers of other languages write it: libNVVM compiles it, with a function of libdevice.
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <vector>

#include "cuprum/cuprum.hpp"

namespace {

using namespace cuprum::core;

constexpr const char* cosines_ir = R"(
target datalayout = "e-p:64:64:64-i1:8:8-i8:8:8-i16:16:16-i32:32:32-i64:64:64-i128:128:128-)"
                                   R"(f32:32:32-f64:64:64-v16:16:16-v32:32:32-v64:64:64-v128:128:128-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

declare i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare float @__nv_cosf(float)  ; libdevice's

define void @cosines(float* %values, i32 %n) {
  %block = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %size = call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %thread = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %first = mul i32 %block, %size
  %i = add i32 %first, %thread
  %inside = icmp slt i32 %i, %n
  br i1 %inside, label %body, label %done
body:
  %index = sext i32 %i to i64
  %place = getelementptr inbounds float, float* %values, i64 %index
  %value = load float, float* %place, align 4
  %cosine = call float @__nv_cosf(float %value)
  store float %cosine, float* %place, align 4
  br label %done
done:
  ret void
}

!nvvm.annotations = !{!0}
!0 = !{void (float*, i32)* @cosines, !"kernel", i32 1}
!nvvmir.version = !{!1}
!1 = !{i32 2, i32 0}
)";

int run() {
    const Device device(0);
    const Program program(cosines_ir, SourceType::nvvm, {.name = "cosines.ll", .use_libdevice = true});
    const Kernel cosines = program.compile(CodeType::ptx).get_kernel("cosines");

    constexpr int n = 1000;
    std::vector<float> values(n);
    for (int i = 0; i < n; ++i)
        values[static_cast<size_t>(i)] = static_cast<float>(i) / 100;

    const Stream stream = device.create_stream();
    const Buffer values_device = device.allocate(values.size() * sizeof(float), stream);
    values_device.copy_from_host(values, stream);
    launch(stream, {(n + 255) / 256, 256}, cosines, values_device, n);
    values_device.copy_to_host(values, stream);
    stream.sync();

    bool ok = true;
    for (int i = 0; i < n; ++i)
        ok = ok && std::abs(values[static_cast<size_t>(i)] - std::cos(static_cast<float>(i) / 100)) < 1e-5F;
    std::printf("%d cosines by NVVM IR on %s: %s\n", n, device.name().c_str(), ok ? "ok" : "WRONG");
    return ok ? EXIT_SUCCESS : EXIT_FAILURE;
}

}  // namespace

int main() {
    try {
        return run();
    } catch (const std::exception& error) {
        std::fprintf(stderr, "%s\n", error.what());
        return EXIT_FAILURE;
    }
}
