package cuprumtest;

import static io.cuprum.bindings.NvJitLink.*;
import static io.cuprum.bindings.Nvrtc.*;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.cuprum.bindings.Bindings;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

/** What NVRTC's and nvJitLink's functions do. No device is needed. */
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
}
