// NVVM IR for the tests.
#pragma once

#include <string>

namespace cuprum::test {

inline const std::string nvvm_targets =
    "target datalayout = \"e-p:64:64:64-i1:8:8-i8:8:8-i16:16:16-i32:32:32-i64:64:64-i128:128:128-f32:32:32-f64:64:64-"
    "v16:16:16-v32:32:32-v64:64:64-v128:128:128-n16:32:64\"\n"
    "target triple = \"nvptx64-nvidia-cuda\"\n";
inline const std::string nvvm_version = "!nvvmir.version = !{!0}\n!0 = !{i32 2, i32 0}\n";

// A kernel that replaces each float of `values`, one for each thread of a block, by `function` of it, which other code
// defines.
inline std::string nvvm_apply(const std::string& function) {
    return nvvm_targets + "declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()\n" + "declare float @" + function +
           "(float)\n"
           "define void @apply(float* %values) {\n"
           "  %thread = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()\n"
           "  %index = zext i32 %thread to i64\n"
           "  %place = getelementptr inbounds float, float* %values, i64 %index\n"
           "  %value = load float, float* %place, align 4\n"
           "  %result = call float @" +
           function +
           "(float %value)\n"
           "  store float %result, float* %place, align 4\n"
           "  ret void\n"
           "}\n"
           "!nvvm.annotations = !{!1}\n"
           "!1 = !{void (float*)* @apply, !\"kernel\", i32 1}\n" +
           nvvm_version;
}

// float scale(float x): `factor` times x plus 1. `factor` as LLVM writes it: "3.0".
inline std::string nvvm_scale(const std::string& factor) {
    return nvvm_targets + "define float @scale(float %x) {\n  %product = fmul float %x, " + factor +
           "\n  %sum = fadd float %product, 1.0\n  ret float %sum\n}\n" + nvvm_version;
}

}  // namespace cuprum::test
