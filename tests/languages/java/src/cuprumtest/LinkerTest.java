package cuprumtest;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.cuprum.Buffer;
import io.cuprum.CodeType;
import io.cuprum.Device;
import io.cuprum.InvalidArgumentException;
import io.cuprum.InvalidStateException;
import io.cuprum.Kernel;
import io.cuprum.LaunchConfig;
import io.cuprum.Linker;
import io.cuprum.LinkerOptions;
import io.cuprum.NvJitLinkException;
import io.cuprum.ObjectCode;
import io.cuprum.Program;
import io.cuprum.ProgramOptions;
import io.cuprum.Stream;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(NoLeaks.class)
class LinkerTest {
    private static final String SCALE = "__device__ int scale(int x) { return 3 * x; }";
    private static final String APPLY = """
            __device__ int scale(int x);
            extern "C" __global__ void apply(int* values) { values[threadIdx.x] = scale(values[threadIdx.x]); }
            template <class T> __global__ void add(T* values, T more) { values[threadIdx.x] += more; }
            """;
    private final Device device = new Device(0);

    private static ObjectCode compiled(String source, CodeType type, String name, String... nameExpressions) {
        ProgramOptions options = new ProgramOptions().name(name).relocatableDeviceCode(true)
                .linkTimeOptimization(type == CodeType.LTOIR);
        try (Program program = new Program(source, options)) {
            return program.compile(type, nameExpressions);
        }
    }

    private int[] run(ObjectCode code, String name, Object... more) {
        int[] result = {1, 2};
        try (Kernel kernel = code.getKernel(name); Stream stream = device.createStream();
                Buffer values = device.allocate(8)) {
            values.copyFrom(result);
            Object[] arguments = new Object[1 + more.length];
            arguments[0] = values;
            System.arraycopy(more, 0, arguments, 1, more.length);
            stream.launch(new LaunchConfig(1, 2), kernel, arguments);
            stream.sync();
            values.copyTo(result);
        }
        return result;
    }

    @Test
    void aFunctionIsLinkedToTheKernelThatCallsIt() {
        for (CodeType type : List.of(CodeType.PTX, CodeType.CUBIN, CodeType.LTOIR)) {
            linkAndRun(type);
        }
    }

    private void linkAndRun(CodeType type) {
        try (ObjectCode apply = compiled(APPLY, type, "apply.cu");
                ObjectCode scale = compiled(SCALE, type, "scale.cu");
                Linker linker = new Linker(apply, scale);
                ObjectCode linked = linker.link(CodeType.CUBIN)) {
            assertEquals(CodeType.CUBIN, linked.codeType());
            assertEquals("", linker.getErrorLog());
            assertArrayEquals(new int[] {3, 6}, run(linked, "apply"));
        }
    }

    @Test
    void ltoIrIsLinkedToPtxAndAgainToACubin() {
        try (ObjectCode apply = compiled(APPLY, CodeType.LTOIR, "apply.cu");
                ObjectCode scale = compiled(SCALE, CodeType.LTOIR, "scale.cu");
                Linker linker = new Linker(List.of(apply, scale), new LinkerOptions().name("both").time(true));
                ObjectCode ptx = linker.link(CodeType.PTX);
                ObjectCode cubin = linker.link(CodeType.CUBIN)) {
            assertEquals(CodeType.PTX, ptx.codeType());
            assertTrue(linker.getInfoLog().contains("time"), linker.getInfoLog());
            assertArrayEquals(new int[] {3, 6}, run(ptx, "apply"));
            assertArrayEquals(new int[] {3, 6}, run(cubin, "apply"));
        }
    }

    @Test
    void nameExpressionsSurvive() {
        try (ObjectCode apply = compiled(APPLY, CodeType.PTX, "apply.cu", "add<int>");
                ObjectCode scale = compiled(SCALE, CodeType.PTX, "scale.cu");
                Linker linker = new Linker(apply, scale);
                ObjectCode linked = linker.link(CodeType.CUBIN)) {
            assertEquals(apply.loweredName("add<int>"), linked.loweredName("add<int>"));
            assertArrayEquals(new int[] {11, 12}, run(linked, "add<int>", 10));
        }
    }

    @Test
    void anObjectIsAnInput() {
        assumeTrue(device.isSimulator(), "nvJitLink takes objects that nvcc has written");
        try (ObjectCode apply = compiled(APPLY, CodeType.CUBIN, "apply.cu");
                ObjectCode scale = compiled(SCALE, CodeType.CUBIN, "scale.cu");
                ObjectCode object = ObjectCode.fromBytes(scale.code(), CodeType.OBJECT, "scale.o");
                Linker linker = new Linker(apply, object);
                ObjectCode linked = linker.link(CodeType.CUBIN)) {
            assertEquals(CodeType.OBJECT, object.codeType());
            assertArrayEquals(new int[] {3, 6}, run(linked, "apply"));
        }
    }

    @Test
    void whatNobodyDefinesIsInTheErrorAndInTheLogs() {
        try (ObjectCode apply = compiled(APPLY, CodeType.PTX, "apply.cu"); Linker linker = new Linker(apply)) {
            NvJitLinkException error =
                    assertThrows(NvJitLinkException.class, () -> linker.link(CodeType.CUBIN).close());
            assertTrue(error.log().contains("_Z5scalei"), error.log());
            assertTrue(error.getMessage().contains("that defines it"), error.getMessage());
            assertTrue(linker.getErrorLog().contains("_Z5scalei"), linker.getErrorLog());
        }
    }

    @Test
    void aCubinOfAnotherArchitectureIsRefused() {
        try (Program program = new Program(SCALE, new ProgramOptions().arch("sm_80"));
                ObjectCode code = program.compile(CodeType.CUBIN);
                Linker linker = new Linker(List.of(code), new LinkerOptions().arch("sm_90"))) {
            NvJitLinkException error =
                    assertThrows(NvJitLinkException.class, () -> linker.link(CodeType.CUBIN).close());
            assertTrue(error.getMessage().contains("another architecture"), error.getMessage());
        }
    }

    @Test
    void everyOptionIsTaken() {
        LinkerOptions options = new LinkerOptions().verbose(true).linkTimeOptimization(true).optimizationLevel(3)
                .lineinfo(true).debug(false).ptx(false).ftz(false).precDiv(true).precSqrt(true).fma(true)
                .kernelsUsed("apply", "add<int>").variablesUsed("nothing").optimizeUnusedVariables(true)
                .ptxasOptions("-v").maxRegisterCount(64).splitCompile(1).splitCompileExtended(1).noCache(true);
        try (ObjectCode apply = compiled(APPLY, CodeType.LTOIR, "apply.cu", "add<int>");
                ObjectCode scale = compiled(SCALE, CodeType.LTOIR, "scale.cu");
                Linker linker = new Linker(List.of(apply, scale), options);
                ObjectCode linked = linker.link(CodeType.CUBIN)) {
            assertArrayEquals(new int[] {3, 6}, run(linked, "apply"));
            assertArrayEquals(new int[] {11, 12}, run(linked, "add<int>", 10));
        }
        try (ObjectCode scale = compiled(SCALE, CodeType.PTX, "scale.cu");
                Linker linker = new Linker(List.of(scale), new LinkerOptions().extraOption("-frobnicate"))) {
            InvalidArgumentException error =
                    assertThrows(InvalidArgumentException.class, () -> linker.link(CodeType.CUBIN).close());
            assertTrue(error.getMessage().contains("-frobnicate"), error.getMessage());
        }
    }

    @Test
    void aClosedLinkerAndClosedInputsSaySo() {
        ObjectCode scale = compiled(SCALE, CodeType.PTX, "scale.cu");
        Linker linker = new Linker(scale);
        assertNotEquals(0, linker.handle());
        assertEquals("Linker \"default_linker\"", linker.toString());
        linker.close();
        scale.close();
        assertThrows(InvalidStateException.class, () -> linker.link(CodeType.CUBIN));
        assertThrows(InvalidStateException.class, () -> new Linker(scale));
        assertThrows(InvalidArgumentException.class, () -> new Linker());
    }
}
