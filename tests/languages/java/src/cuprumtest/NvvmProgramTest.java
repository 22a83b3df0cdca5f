package cuprumtest;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.cuprum.Buffer;
import io.cuprum.CodeType;
import io.cuprum.CompileException;
import io.cuprum.Device;
import io.cuprum.ErrorDomain;
import io.cuprum.InvalidArgumentException;
import io.cuprum.Kernel;
import io.cuprum.LaunchConfig;
import io.cuprum.ObjectCode;
import io.cuprum.Program;
import io.cuprum.ProgramOptions;
import io.cuprum.SourceType;
import io.cuprum.Stream;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

/** Programs of NVVM IR, compiled by libNVVM. */
class NvvmProgramTest {
    private static final String TARGETS = "target datalayout = \"e-p:64:64:64-i1:8:8-i8:8:8-i16:16:16-i32:32:32-"
            + "i64:64:64-i128:128:128-f32:32:32-f64:64:64-v16:16:16-v32:32:32-v64:64:64-v128:128:128-n16:32:64\"\n"
            + "target triple = \"nvptx64-nvidia-cuda\"\n!nvvmir.version = !{!0}\n!0 = !{i32 2, i32 0}\n";
    private static final String SCALE = TARGETS
            + "define float @scale(float %x) {\n%product = fmul float %x, 3.0\nret float %product\n}\n";

    /** A kernel that applies a function, which other code defines, to each of the floats. */
    private static String apply(String function) {
        return TARGETS + "declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()\ndeclare float @" + function + "(float)\n"
                + "define void @apply(float* %values) {\n%thread = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()\n"
                + "%index = zext i32 %thread to i64\n"
                + "%place = getelementptr inbounds float, float* %values, i64 %index\n"
                + "%value = load float, float* %place\n%result = call float @" + function + "(float %value)\n"
                + "store float %result, float* %place\nret void\n}\n"
                + "!nvvm.annotations = !{!1}\n!1 = !{void (float*)* @apply, !\"kernel\", i32 1}\n";
    }

    private static ProgramOptions options() {
        return new ProgramOptions().name("apply.ll").arch("sm_75");
    }

    private static float[] applied(ObjectCode code, float... values) {
        Device device = new Device(0);
        try (Kernel kernel = code.getKernel("apply"); Stream stream = device.createStream();
                Buffer buffer = device.allocate(4L * values.length)) {
            buffer.copyFrom(values);
            stream.launch(new LaunchConfig(1, values.length), kernel, buffer);
            stream.sync();
            float[] result = new float[values.length];
            buffer.copyTo(result);
            return result;
        }
    }

    @Test
    void aProgramRunsWithTheModulesThatItIsMadeOf() {
        try (Program program = new Program(apply("scale"), SourceType.NVVM, options().extraSource("scale.ll", SCALE));
                ObjectCode code = program.compile()) {
            assertArrayEquals(new float[] {3, 6, 9}, applied(code, 1, 2, 3));
        }
        byte[] bytes = apply("scale").getBytes(StandardCharsets.UTF_8);
        ProgramOptions more = options().extraSource("scale.ll", SCALE.getBytes(StandardCharsets.UTF_8));
        try (Program program = Program.ofNvvm(bytes, more); ObjectCode code = program.compile(CodeType.PTX)) {
            assertArrayEquals(new float[] {3}, applied(code, 1));
        }
    }

    @Test
    void libdeviceIsLinked() {
        try (Program program = new Program(apply("__nv_sinf"), SourceType.NVVM, options().useLibdevice(true));
                ObjectCode code = program.compile()) {
            assertEquals(Math.sin(0.5), applied(code, 0.5F)[0], 1e-6);
        }
    }

    @Test
    void optionsReachTheCompiler() {
        ProgramOptions options = options().extraSource("scale.ll", SCALE).ftz(true).deviceCodeOptimize(false);
        try (Program program = new Program(apply("scale"), SourceType.NVVM, options.noCache(true));
                ObjectCode code = program.compile(CodeType.PTX)) {
            String ptx = new String(code.code(), StandardCharsets.US_ASCII);
            assertTrue(ptx.contains("mul.ftz.f32") && ptx.contains("call"), ptx);
        }
    }

    @Test
    void whatIsWrongIsACompileErrorWithItsPlace() {
        String wrong = apply("scale").replace("ret void", "ret vvoid");
        try (Program program = new Program(wrong, SourceType.NVVM, options().name("wrong.ll"))) {
            CompileException error = assertThrows(CompileException.class, program::compile);
            assertEquals(ErrorDomain.NVVM, error.domain());
            assertEquals("wrong.ll", error.diagnostics().get(0).file());
            assertEquals(wrong.substring(0, wrong.indexOf("vvoid")).chars().filter(c -> c == '\n').count() + 1,
                    error.diagnostics().get(0).line());
        }
    }

    @Test
    void whatCannotBeIsRefused() {
        assertTrue(assertThrows(InvalidArgumentException.class,
                () -> new Program(SCALE, SourceType.NVVM, options().maxRegisterCount(5))).getMessage()
                .contains("libNVVM has no such options: --maxrregcount=5"));
        assertThrows(InvalidArgumentException.class, () -> new Program("", SourceType.NVVM, options()));
        assertThrows(InvalidArgumentException.class, () -> Program.ofNvvm(new byte[0], options()));
        assertThrows(NullPointerException.class, () -> Program.ofNvvm(null, options()));
        assertThrows(InvalidArgumentException.class,
                () -> new Program("", SourceType.CXX, options().extraSource("scale.ll", SCALE)));
        assertThrows(InvalidArgumentException.class,
                () -> new Program("", SourceType.PTX, new ProgramOptions().useLibdevice(true)));
    }
}
