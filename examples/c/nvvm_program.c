/* A program of NVVM IR, as compilers of other languages write it: libNVVM compiles it, with a function of libdevice. */
#include <math.h>
#include <stdint.h>

#include "example.h"

static const char cosines_ir[] =
    "target datalayout = \"e-p:64:64:64-i1:8:8-i8:8:8-i16:16:16-i32:32:32-i64:64:64-i128:128:128-"
    "f32:32:32-f64:64:64-v16:16:16-v32:32:32-v64:64:64-v128:128:128-n16:32:64\"\n"
    "target triple = \"nvptx64-nvidia-cuda\"\n"
    "\n"
    "declare i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()\n"
    "declare i32 @llvm.nvvm.read.ptx.sreg.ntid.x()\n"
    "declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()\n"
    "declare float @__nv_cosf(float)  ; libdevice's\n"
    "\n"
    "define void @cosines(float* %values, i32 %n) {\n"
    "  %block = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()\n"
    "  %size = call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()\n"
    "  %thread = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()\n"
    "  %first = mul i32 %block, %size\n"
    "  %i = add i32 %first, %thread\n"
    "  %inside = icmp slt i32 %i, %n\n"
    "  br i1 %inside, label %body, label %done\n"
    "body:\n"
    "  %index = sext i32 %i to i64\n"
    "  %place = getelementptr inbounds float, float* %values, i64 %index\n"
    "  %value = load float, float* %place, align 4\n"
    "  %cosine = call float @__nv_cosf(float %value)\n"
    "  store float %cosine, float* %place, align 4\n"
    "  br label %done\n"
    "done:\n"
    "  ret void\n"
    "}\n"
    "\n"
    "!nvvm.annotations = !{!0}\n"
    "!0 = !{void (float*, i32)* @cosines, !\"kernel\", i32 1}\n"
    "!nvvmir.version = !{!1}\n"
    "!1 = !{i32 2, i32 0}\n";

enum { n = 1000, block = 256 };
static float values[n];

int main(void) {
    static const char* const options[] = {"--use-libdevice"};
    cuprum_program program;
    cuprum_object_code code;
    cuprum_kernel kernel;
    cuprum_stream stream;
    cuprum_buffer values_device;
    const cuprum_launch_config config = {
        .struct_size = sizeof config, .grid_x = (n + block - 1) / block, .block_x = block};
    char name[256];
    int i, ok = 1;

    must(cuprum_program_create_nvvm(&program, cosines_ir, sizeof cosines_ir - 1, "cosines.ll", options, 1));
    must(cuprum_program_compile(&code, program, CUPRUM_CODE_PTX, NULL, 0));
    must(cuprum_object_code_get_kernel(&kernel, code, "cosines"));

    for (i = 0; i < n; ++i) {
        values[i] = (float)i / 100;
    }
    must(cuprum_stream_create(&stream, 0, NULL));
    must(cuprum_buffer_allocate(&values_device, 0, sizeof values, stream));
    must(cuprum_buffer_copy_from_host(values_device, 0, values, sizeof values, stream));
    {
        const cuprum_argument arguments[] = {{CUPRUM_ARGUMENT_BUFFER, 0, {.buffer = values_device}},
                                             {CUPRUM_ARGUMENT_INT, 0, {.i64 = n}}};
        must(cuprum_launch(stream, &config, kernel, arguments, 2));
    }
    must(cuprum_buffer_copy_to_host(values, values_device, 0, sizeof values, stream));
    must(cuprum_stream_sync(stream));

    for (i = 0; i < n; ++i) {
        ok = ok && fabs((double)values[i] - cos((double)((float)i / 100))) < 1e-5;
    }
    printf("%d cosines by NVVM IR on %s: %s\n", n, device_name(name, sizeof name), ok ? "ok" : "WRONG");

    must(cuprum_buffer_destroy(values_device));
    must(cuprum_stream_destroy(stream));
    must(cuprum_kernel_destroy(kernel));
    must(cuprum_object_code_destroy(code));
    must(cuprum_program_destroy(program));
    return ok ? EXIT_SUCCESS : EXIT_FAILURE;
}
