// A program of NVVM IR, as compilers of other languages write it: libNVVM compiles it, with a function of libdevice.
// usage: mono NvvmProgram.exe

using System;
using Cuprum;
using Buffer = Cuprum.Buffer;

internal static class NvvmProgram {
    private const string Cosines = @"
target datalayout = ""e-p:64:64:64-i1:8:8-i8:8:8-i16:16:16-i32:32:32-i64:64:64-i128:128:128-" +
@"f32:32:32-f64:64:64-v16:16:16-v32:32:32-v64:64:64-v128:128:128-n16:32:64""
target triple = ""nvptx64-nvidia-cuda""

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
!0 = !{void (float*, i32)* @cosines, !""kernel"", i32 1}
!nvvmir.version = !{!1}
!1 = !{i32 2, i32 0}
";
    private const int N = 1000;

    private static int Main() {
        return Run() ? 0 : 1;
    }

    private static bool Run() {
        var device = new Device(0);
        var options = new ProgramOptions { Name = "cosines.ll", UseLibdevice = true };
        using (var program = new Program(Cosines, SourceType.Nvvm, options))
        using (ObjectCode code = program.Compile(CodeType.Ptx))
        using (Kernel cosines = code.GetKernel("cosines"))
        using (Stream stream = device.CreateStream())
        using (Buffer valuesDevice = device.Allocate((long)N * sizeof(float), stream)) {
            var values = new float[N];
            for (int i = 0; i < N; ++i) {
                values[i] = i / 100F;
            }
            valuesDevice.CopyFrom(values, stream);
            stream.Launch(new LaunchConfig((N + 255) / 256, 256), cosines, valuesDevice, N);
            valuesDevice.CopyTo(values, stream);
            stream.Sync();

            bool ok = true;
            for (int i = 0; i < N; ++i) {
                ok &= Math.Abs(values[i] - Math.Cos(i / 100F)) < 1e-5;
            }
            Console.WriteLine("{0} cosines by NVVM IR on {1}: {2}", N, device.Name, ok ? "ok" : "WRONG");
            return ok;
        }
    }
}
