// A program of NVVM IR, as compilers of other languages write it: libNVVM compiles it, with a function of libdevice.
// usage: java -cp cuprum.jar:examples NvvmProgram

import io.cuprum.Buffer;
import io.cuprum.CodeType;
import io.cuprum.Device;
import io.cuprum.Kernel;
import io.cuprum.LaunchConfig;
import io.cuprum.ObjectCode;
import io.cuprum.Program;
import io.cuprum.ProgramOptions;
import io.cuprum.SourceType;
import io.cuprum.Stream;

public final class NvvmProgram {
    private static final String COSINES = """
            target datalayout = "e-p:64:64:64-i1:8:8-i8:8:8-i16:16:16-i32:32:32-i64:64:64-i128:128:128-\
            f32:32:32-f64:64:64-v16:16:16-v32:32:32-v64:64:64-v128:128:128-n16:32:64"
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
            """;
    private static final int N = 1000;

    private NvvmProgram() {}

    public static void main(String[] arguments) {
        System.exit(run() ? 0 : 1);
    }

    private static boolean run() {
        Device device = new Device(0);
        ProgramOptions options = new ProgramOptions().name("cosines.ll").useLibdevice(true);
        try (Program program = new Program(COSINES, SourceType.NVVM, options);
                ObjectCode code = program.compile(CodeType.PTX);
                Kernel cosines = code.getKernel("cosines");
                Stream stream = device.createStream();
                Buffer valuesDevice = device.allocate((long) N * Float.BYTES, stream)) {
            float[] values = new float[N];
            for (int i = 0; i < N; ++i) {
                values[i] = i / 100F;
            }
            valuesDevice.copyFrom(values, stream);
            stream.launch(new LaunchConfig((N + 255) / 256, 256), cosines, valuesDevice, N);
            valuesDevice.copyTo(values, stream);
            stream.sync();

            boolean ok = true;
            for (int i = 0; i < N; ++i) {
                ok &= Math.abs(values[i] - Math.cos(i / 100F)) < 1e-5;
            }
            System.out.printf("%d cosines by NVVM IR on %s: %s%n", N, device.name(), ok ? "ok" : "WRONG");
            return ok;
        }
    }
}
