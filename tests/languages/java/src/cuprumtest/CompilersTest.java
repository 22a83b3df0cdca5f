package cuprumtest;

import static io.cuprum.bindings.NvJitLink.*;
import static io.cuprum.bindings.Nvrtc.*;
import static io.cuprum.bindings.Nvvm.*;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.cuprum.bindings.Bindings;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

/** What NVRTC's, nvJitLink's and libNVVM's functions do. No device is needed. */
class CompilersTest {
    private static void ok(nvrtcResult status) {
        assertSame(nvrtcResult.NVRTC_SUCCESS, status);
    }

    private static void ok(nvJitLinkResult status) {
        assertSame(nvJitLinkResult.NVJITLINK_SUCCESS, status);
    }

    private static long program(String source) {
        long[] program = new long[1];
        ok(nvrtcCreateProgram(program, source, "test.cu", 0, null, null));
        return program[0];
    }

    private static String ptxOf(long program) {
        long[] size = new long[1];
        ok(nvrtcGetPTXSize(program, size));
        byte[] ptx = new byte[(int) size[0]];
        ok(nvrtcGetPTX(program, ptx));
        assertEquals(0, ptx[ptx.length - 1]);
        return new String(ptx, StandardCharsets.US_ASCII);
    }

    @Test
    @Shows({"nvrtcVersion", "nvrtcCreateProgram", "nvrtcCompileProgram", "nvrtcGetPTXSize", "nvrtcGetPTX",
            "nvrtcDestroyProgram"})
    void aProgramIsCompiledToPtx() {
        int[] major = new int[1];
        int[] minor = new int[1];
        ok(nvrtcVersion(major, minor));
        assertEquals(Bindings.version("nvrtc"), 1000 * major[0] + 10 * minor[0]);
        long[] program = {program("extern \"C\" __global__ void one(int* out) { *out = VALUE; }")};
        ok(nvrtcCompileProgram(program[0], 2, new String[] {"--gpu-architecture=compute_80", "-DVALUE=4711"}));
        String ptx = ptxOf(program[0]);
        assertTrue(ptx.contains(".entry one") && ptx.contains("4711"), ptx);
        ok(nvrtcDestroyProgram(program));
        assertEquals(0, program[0]);
    }

    @Test
    @Shows({"nvrtcAddNameExpression", "nvrtcGetLoweredName"})
    void aTemplatesNameIsAskedFor() {
        long[] program = {program("template <class T> __global__ void fill(T* out) { *out = 1; }")};
        ok(nvrtcAddNameExpression(program[0], "fill<float>"));
        ok(nvrtcCompileProgram(program[0], 0, null));
        String[] name = new String[1];
        ok(nvrtcGetLoweredName(program[0], "fill<float>", name));
        assertEquals("_Z4fillIfEvPT_", name[0]);
        ok(nvrtcDestroyProgram(program));
    }

    @Test
    @Shows({"nvrtcGetProgramLogSize", "nvrtcGetProgramLog"})
    void whatDoesNotCompileHasALog() {
        long[] program = {program("nonsense")};
        assertSame(nvrtcResult.NVRTC_ERROR_COMPILATION, nvrtcCompileProgram(program[0], 0, null));
        long[] size = new long[1];
        ok(nvrtcGetProgramLogSize(program[0], size));
        byte[] log = new byte[(int) size[0]];
        ok(nvrtcGetProgramLog(program[0], log));
        String text = new String(log, StandardCharsets.US_ASCII);
        assertTrue(text.contains("test.cu(1): error"), text);
        ok(nvrtcDestroyProgram(program));
    }

    @Test
    @Shows({"nvJitLinkCreate", "nvJitLinkAddData", "nvJitLinkComplete", "nvJitLinkGetLinkedCubinSize",
            "nvJitLinkGetLinkedCubin", "nvJitLinkDestroy"})
    void ptxIsLinkedToACubin() {
        ByteBuffer ptx = DriverTest.text(DriverTest.ADD);
        long[] link = new long[1];
        long[] size = new long[1];
        ok(nvJitLinkCreate(link, 1, new String[] {"-arch=sm_80"}));
        ok(nvJitLinkAddData(link[0], nvJitLinkInputType.NVJITLINK_INPUT_PTX, Bindings.address(ptx), ptx.capacity(),
                "add"));
        ok(nvJitLinkComplete(link[0]));
        ok(nvJitLinkGetLinkedCubinSize(link[0], size));
        ByteBuffer cubin = Fixtures.direct((int) size[0]);
        ok(nvJitLinkGetLinkedCubin(link[0], Bindings.address(cubin)));
        assertEquals(0x464C457F, cubin.getInt(0), "ELF");
        ok(nvJitLinkDestroy(link));
        assertEquals(0, link[0]);
    }

    private static final String NVVM_TARGETS = "target datalayout = \"e-p:64:64:64-i1:8:8-i8:8:8-i16:16:16-i32:32:32-"
            + "i64:64:64-i128:128:128-f32:32:32-f64:64:64-v16:16:16-v32:32:32-v64:64:64-v128:128:128-n16:32:64\"\n"
            + "target triple = \"nvptx64-nvidia-cuda\"\n!nvvmir.version = !{!0}\n!0 = !{i32 2, i32 0}\n";

    private static void ok(nvvmResult status) {
        assertSame(nvvmResult.NVVM_SUCCESS, status);
    }

    private static byte[] ascii(String text) {
        return text.getBytes(StandardCharsets.US_ASCII);
    }

    private static String nvvmLog(long program) {
        long[] size = new long[1];
        ok(nvvmGetProgramLogSize(program, size));
        byte[] log = new byte[(int) size[0]];
        ok(nvvmGetProgramLog(program, log));
        return new String(log, 0, log.length - 1, StandardCharsets.US_ASCII);
    }

    @Test
    @Shows({"nvvmVersion", "nvvmIRVersion", "nvvmCreateProgram", "nvvmAddModuleToProgram",
            "nvvmVerifyProgram", "nvvmCompileProgram", "nvvmGetCompiledResultSize",
            "nvvmGetCompiledResult", "nvvmGetProgramLogSize", "nvvmGetProgramLog", "nvvmDestroyProgram"})
    void nvvmIrIsCompiledToPtx() {
        int[] major = new int[1];
        int[] debug = new int[1];
        int[] minor = new int[1];
        ok(nvvmVersion(major, minor));
        assertEquals(2, major[0]);
        ok(nvvmIRVersion(major, minor, debug, minor));
        assertEquals(2, major[0]);
        assertTrue(Bindings.version("nvvm") >= 12000);
        byte[] kernel = ascii(NVVM_TARGETS + "declare i32 @number()\ndefine void @store(i32* %out) {\n"
                + "%value = call i32 @number()\nstore i32 %value, i32* %out\nret void\n}\n"
                + "!nvvm.annotations = !{!1}\n!1 = !{void (i32*)* @store, !\"kernel\", i32 1}\n");
        byte[] number = ascii(NVVM_TARGETS + "define i32 @number() {\nret i32 4711\n}\n");
        long[] program = new long[1];
        ok(nvvmCreateProgram(program));
        ok(nvvmAddModuleToProgram(program[0], kernel, kernel.length, "kernel.ll"));
        ok(nvvmAddModuleToProgram(program[0], number, number.length, "number.ll"));
        String[] options = {"-arch=compute_75"};
        ok(nvvmVerifyProgram(program[0], 1, options));
        ok(nvvmCompileProgram(program[0], 1, options));
        assertEquals("", nvvmLog(program[0]));
        long[] size = new long[1];
        ok(nvvmGetCompiledResultSize(program[0], size));
        byte[] ptx = new byte[(int) size[0]];
        ok(nvvmGetCompiledResult(program[0], ptx));
        String text = new String(ptx, StandardCharsets.US_ASCII);
        assertTrue(text.contains(".entry store") && text.contains("4711"), text);
        ok(nvvmDestroyProgram(program));
        assertEquals(0, program[0]);
    }

    @Test
    void nvvmIrThatIsWrongHasALog() {
        long[] program = new long[1];
        ok(nvvmCreateProgram(program));
        ok(nvvmAddModuleToProgram(program[0], ascii("nonsense"), 8, "bad.ll"));
        assertSame(nvvmResult.NVVM_ERROR_COMPILATION, nvvmCompileProgram(program[0], 0, null));
        assertTrue(nvvmLog(program[0]).contains("bad.ll (1, "), nvvmLog(program[0]));
        assertEquals("NVVM_ERROR_COMPILATION", nvvmGetErrorString(nvvmResult.NVVM_ERROR_COMPILATION));
        ok(nvvmDestroyProgram(program));
    }
}
