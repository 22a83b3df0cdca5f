package cuprumtest;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.cuprum.Buffer;
import io.cuprum.CodeType;
import io.cuprum.CompileCacheInfo;
import io.cuprum.CompileException;
import io.cuprum.CompileRequest;
import io.cuprum.Cuprum;
import io.cuprum.CuprumException;
import io.cuprum.Device;
import io.cuprum.Diagnostic;
import io.cuprum.DriverException;
import io.cuprum.ElementType;
import io.cuprum.GlobalVariable;
import io.cuprum.InvalidArgumentException;
import io.cuprum.InvalidStateException;
import io.cuprum.Kernel;
import io.cuprum.KernelAttribute;
import io.cuprum.KernelAttributes;
import io.cuprum.LaunchConfig;
import io.cuprum.MaxPotentialBlockSizeOccupancyResult;
import io.cuprum.ObjectCode;
import io.cuprum.Program;
import io.cuprum.ProgramOptions;
import io.cuprum.Stream;
import io.cuprum.Value;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Set;
import java.util.List;
import java.util.HashSet;
import java.util.ArrayList;
import org.junit.jupiter.api.Test;

/** Attributes and occupancy of kernels, variables of code. */
class ModuleTest {
    private static final String SOURCE = "extern \"C\" __constant__ float factors[4] = {1, 2, 3, 4};\n"
            + "extern \"C\" __device__ int counter = 5;\n"
            + "extern \"C\" __global__ void scale(float* x) {\n"
            + "    x[threadIdx.x] *= factors[threadIdx.x];\n"
            + "    if (threadIdx.x == 0) counter += 1;\n"
            + "}";
    private final Device device = new Device(0);

    private static ObjectCode compiled() {
        try (Program program = new Program(SOURCE)) {
            return program.compile();
        }
    }

    @Test
    void attributesThatAreSetAreRead() {
        try (ObjectCode code = compiled();
                Kernel kernel = code.getKernel("scale")) {
            KernelAttributes before = kernel.attributes(device);
            assertFalse(before.cacheModeCa());
            assertFalse(before.clusterSizeMustBeSet());
            assertEquals(-1, before.preferredSharedMemoryCarveout());
            for (KernelAttribute attribute : KernelAttribute.values()) {
                kernel.setAttribute(device, attribute, 1);
            }
            KernelAttributes after = kernel.attributes(device);
            assertEquals(1, after.maxDynamicSharedSizeBytes());
            assertEquals(1, after.preferredSharedMemoryCarveout());
            assertEquals(1, after.requiredClusterWidth());
            assertEquals(1, after.requiredClusterHeight());
            assertEquals(1, after.requiredClusterDepth());
            assertTrue(after.nonPortableClusterSizeAllowed());
            assertEquals(1, after.clusterSchedulingPolicyPreference());
            CuprumException refused = assertThrows(
                    DriverException.class,
                    () -> kernel.setAttribute(device, KernelAttribute.PREFERRED_SHARED_MEMORY_CARVEOUT, 101));
            assertEquals("setting the preferred shared memory carveout to 101", refused.operation());
        }
    }

    @Test
    void manyProgramsAreCompiledAtOnce() {
        List<Program> programs = new ArrayList<>();
        List<CompileRequest> requests = new ArrayList<>();
        for (int i = 0; i < 4; ++i) {
            String source = "template <class T> __global__ void fill(T*) {}\nextern \"C\" __global__ void k" + i + "() {}";
            programs.add(new Program(source, new ProgramOptions().name("p" + i + ".cu")));
            requests.add(new CompileRequest(programs.get(i), CodeType.PTX, List.of("fill<int>")));
        }
        Set<Long> seen = new HashSet<>();
        List<ObjectCode> codes = Program.compileAll(requests, 2, progress -> {
            seen.add(progress.index());
            assertEquals(seen.size(), progress.done());
            assertEquals(4, progress.total());
            assertTrue(progress.succeeded());
        });
        assertEquals(Set.of(0L, 1L, 2L, 3L), seen);
        for (int i = 0; i < 4; ++i) {
            codes.get(i).getKernel("k" + i).close();
            codes.get(i).getKernel("fill<int>").close();
            codes.get(i).close();
        }
        Program.compileAll(requests, 0, progress -> assertTrue(progress.fromCache())).forEach(ObjectCode::close);
        assertThrows(ArithmeticException.class, () -> Program.compileAll(requests, 0, progress -> {
            throw new ArithmeticException();
        }));
        Program wrong = new Program("wrong", new ProgramOptions().name("wrong.cu"));
        programs.add(wrong);
        requests.add(new CompileRequest(wrong));
        CompileException error = assertThrows(CompileException.class, () -> Program.compileAll(requests));
        assertTrue(error.getMessage().contains("program 4 'wrong.cu' fails"), error.getMessage());
        programs.forEach(Program::close);
        InvalidStateException closed =
                assertThrows(InvalidStateException.class, () -> Program.compileAll(requests));
        assertTrue(closed.getMessage().contains("adding a program to a compile batch"), closed.getMessage());
        assertThrows(IllegalArgumentException.class, () -> Program.compileAll(requests, -1, progress -> {}));
    }

    @Test
    void theBlockSizeThatFillsADeviceIsFound() {
        try (ObjectCode code = compiled();
                Kernel kernel = code.getKernel("scale")) {
            MaxPotentialBlockSizeOccupancyResult best = kernel.maxPotentialBlockSize(device, 0, 0);
            assertEquals(
                    kernel.maxActiveBlocksPerMultiprocessor(device, best.maxBlockSize(), 0)
                            * device.properties().multiprocessorCount(),
                    best.minGridSize());
            assertTrue(kernel.maxPotentialBlockSize(device, 0, 64).maxBlockSize() <= 64);
            assertEquals(
                    64,
                    kernel.maxPotentialBlockSize(device, threads -> threads <= 64 ? 0 : 1 << 20, 0)
                            .maxBlockSize());
            assertThrows(InvalidArgumentException.class, () -> kernel.maxPotentialBlockSize(device, 0, -1));
        }
    }

    @Test
    void variablesAreValuesOfTheirTypes() {
        ElementType pair = ElementType.structure("Pair", ElementType.field("first", ElementType.FLOAT64),
                ElementType.field("second", ElementType.FLOAT64));
        try (Stream stream = device.createStream();
                ObjectCode code = compiled();
                GlobalVariable factors = code.getGlobal(device, "factors");
                GlobalVariable counter = code.getGlobal(device, "counter")) {
            assertEquals("factors", factors.name());
            factors.setValues(new float[] {4, 3, 2, 1});
            assertArrayEquals(new float[] {4, 3, 2, 1}, factors.values(new float[4], stream));
            factors.setValue(Value.of(pair, 1.5, 2.5), stream);
            assertEquals(2.5, factors.value(pair).get("second").number());
            counter.setValue(41);
            assertEquals(41, counter.value(ElementType.INT32, stream).number());
            InvalidArgumentException error =
                    assertThrows(InvalidArgumentException.class, () -> factors.setValues(new float[3]));
            assertTrue(error.getMessage().contains("it has 16 bytes, and 3 of"), error.getMessage());
            assertThrows(InvalidArgumentException.class, () -> factors.values(new double[4]));
            assertThrows(InvalidArgumentException.class, () -> counter.value(pair));
            assertThrows(InvalidArgumentException.class, () -> counter.setValue(1L));
        }
    }

    @Test
    void variablesAreMemoryThatKeepsTheirCode() {
        Buffer factors;
        Buffer counter;
        try (Stream stream = device.createStream();
                Buffer x = device.allocate(4 * Float.BYTES)) {
            try (ObjectCode code = compiled();
                    Kernel kernel = code.getKernel("scale")) {
                factors = code.getGlobal(device, "factors");
                counter = code.getGlobal(device, "counter");
                assertEquals(4 * Float.BYTES, factors.size());
                factors.copyFrom(new float[] {10, 20, 30, 40});
                x.copyFrom(new float[] {1, 1, 1, 2});
                stream.launch(new LaunchConfig(1, 4), kernel, x);
                stream.sync();
                assertThrows(InvalidArgumentException.class, () -> code.getGlobal(device, "missing"));
            }
            float[] result = new float[4];
            x.copyTo(result);
            assertArrayEquals(new float[] {10, 20, 30, 80}, result);
            int[] count = new int[1];
            counter.copyTo(count);
            assertEquals(6, count[0]);
        }
        factors.close();
        counter.close();
    }

    @Test
    void kernelsAreTakenByTheirHandles() {
        try (ObjectCode code = compiled();
                Kernel original = code.getKernel("scale");
                Kernel borrowed = Kernel.fromHandle(original.handle());
                Kernel taken = Kernel.fromHandle(original.handle(), code)) {
            assertEquals("scale", taken.name());
            assertEquals("Kernel \"scale\"", borrowed.toString());
            assertEquals(1, borrowed.numArguments());
            assertEquals(original.handle(), taken.handle());
            code.close();
            assertThrows(InvalidStateException.class, () -> Kernel.fromHandle(original.handle(), code));
        }
        assertThrows(InvalidArgumentException.class, () -> Kernel.fromHandle(0));
    }

    @Test
    void theCompileCacheIsCountedAndVerified() {
        CompileCacheInfo before = Cuprum.compileCacheInfo();
        assertEquals("", before.disabledReason());
        assertTrue(before.directory().startsWith("/"), before.directory());
        try (ObjectCode first = compiled();
                ObjectCode second = compiled()) {
            assertFalse(first.isClosed() || second.isClosed());
        }
        CompileCacheInfo after = Cuprum.compileCacheInfo();
        assertTrue(after.hits() > before.hits());
        assertTrue(after.entries() > 0 && after.size() > 0 && after.size() <= after.sizeLimit());
        assertTrue(Cuprum.verifyCompileCache().intact() > 0);
    }

    @Test
    void aCompileLogIsTakenApart() {
        ProgramOptions options = new ProgramOptions().name("wrong.cu").arch("compute_80");
        try (Program program = new Program("__global__ void k() {\n    wrong();\n}\n", options)) {
            CompileException error = assertThrows(CompileException.class, () -> program.compile(CodeType.PTX));
            assertEquals(1, error.diagnostics().size());
            Diagnostic diagnostic = error.diagnostics().get(0);
            assertEquals(Diagnostic.Severity.ERROR, diagnostic.severity());
            assertEquals("wrong.cu:2:5", diagnostic.file() + ":" + diagnostic.line() + ":" + diagnostic.column());
            assertTrue(diagnostic.text().contains("wrong"), diagnostic.text());
        }
        String source = "extern \"C\" __global__ void k() {\n    int unused;\n}\n";
        try (Program program = new Program(source, options);
                ObjectCode code = program.compile(CodeType.PTX)) {
            assertFalse(code.isClosed());
            assertEquals("177-D", Program.lastDiagnostics().get(0).code());
        }
    }

    @Test
    void codeIsReadFromRegularFilesOnly() {
        IOException refused =
                assertThrows(IOException.class, () -> ObjectCode.fromFile(Path.of("/dev/zero"), CodeType.PTX));
        assertTrue(refused.getMessage().contains("not a regular file"), refused.getMessage());
    }
}
