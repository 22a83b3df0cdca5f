package cuprumtest;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.cuprum.ArgumentKind;
import io.cuprum.ArgumentMismatchException;
import io.cuprum.Buffer;
import io.cuprum.CodeType;
import io.cuprum.CompileException;
import io.cuprum.CuprumException;
import io.cuprum.Device;
import io.cuprum.DeviceProperties;
import io.cuprum.Dimensions;
import io.cuprum.ErrorDomain;
import io.cuprum.Event;
import io.cuprum.InvalidArgumentException;
import io.cuprum.InvalidHandleException;
import io.cuprum.InvalidStateException;
import io.cuprum.Kernel;
import io.cuprum.KernelArgumentInfo;
import io.cuprum.KernelNotFoundException;
import io.cuprum.LaunchConfig;
import io.cuprum.LocatedPath;
import io.cuprum.ObjectCode;
import io.cuprum.OutOfMemoryException;
import io.cuprum.Pathfinder;
import io.cuprum.Program;
import io.cuprum.ProgramOptions;
import io.cuprum.Status;
import io.cuprum.Stream;
import io.cuprum.internal.CuprumNative;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Every kind of bad input: a clear error, nothing leaked, and the objects still usable. */
@ExtendWith(NoLeaks.class)
class BadInputTest {
    private static final LaunchConfig CONFIG = new LaunchConfig(1, 32);

    private final Device device = new Device(0);

    private static void assertMentions(CuprumException error, String... words) {
        for (String word : words) {
            assertTrue(error.getMessage().contains(word), "\"" + word + "\" in: " + error.getMessage());
        }
    }

    @Test
    void withoutAToolkitTheErrorSaysWhatIsMissingAndWhereItWasLookedFor() throws Exception {
        ChildProcess child = new ChildProcess.Builder().hide("/usr/local/cuda", "libnvrtc", "/nvidia/")
                .environment("CUDA_PATH", "/opt/no-such-toolkit").run("no-toolkit");
        assertEquals(0, child.exitStatus, child.output);
        assertTrue(child.output.startsWith("LIBRARY_NOT_FOUND"), child.output);
        assertFalse(child.output.contains("advice=[]"), child.output);
        for (String word : List.of("nvrtc", "/opt/no-such-toolkit", "/usr/local/cuda")) {
            assertTrue(child.output.contains(word), child.output);
        }
    }

    @Test
    void withoutADriverTheErrorNamesTheSimulator() throws Exception {
        ChildProcess child =
                new ChildProcess.Builder().hide("libcuda.so").environment("CUPRUM_DRIVER", "gpu").run("no-driver");
        assertEquals(0, child.exitStatus, child.output);
        assertTrue(child.output.startsWith("LIBRARY_NOT_FOUND"), child.output);
        assertTrue(child.output.contains("libcuda"), child.output);
        assertTrue(child.output.contains("CUPRUM_DRIVER=sim"), child.output);
    }

    @Test
    void anUnknownChoiceOfDriverListsTheChoices() throws Exception {
        ChildProcess child = new ChildProcess.Builder().environment("CUPRUM_DRIVER", "cpu").run("unknown-driver");
        assertEquals(0, child.exitStatus, child.output);
        for (String word : List.of("cpu", "gpu", "sim", "auto")) {
            assertTrue(child.output.contains(word), child.output);
        }
    }

    @Test
    void aKernelThatDoesNotCompileShowsTheLogWithTheLine() {
        String source = "__global__ void k() {\n    int i = undeclared;\n}";
        try (Program program = new Program(source, new ProgramOptions().name("broken.cu"))) {
            CompileException error = assertThrows(CompileException.class, program::compile);
            assertEquals(Status.COMPILE, error.status());
            assertEquals(ErrorDomain.NVRTC, error.domain());
            assertEquals("NVRTC_ERROR_COMPILATION", error.name());
            assertTrue(error.code() != 0);
            assertTrue(error.log().contains("broken.cu(2)") && error.log().contains("undeclared"), error.log());
            assertMentions(error, "broken.cu(2)", error.operation());
            assertThrows(CompileException.class, () -> program.compile(CodeType.PTX));
        }
    }

    @Test
    void aKernelNameThatIsNotThereListsThoseThatAre() {
        String source = "extern \"C\" __global__ void first() {}\nextern \"C\" __global__ void second() {}";
        try (Program program = new Program(source); ObjectCode code = program.compile()) {
            KernelNotFoundException error =
                    assertThrows(KernelNotFoundException.class, () -> code.getKernel("frist"));
            assertEquals(Status.KERNEL_NOT_FOUND, error.status());
            assertMentions(error, "frist", "first", "second");
            try (Kernel first = code.getKernel("first")) {
                assertEquals(0, first.numArguments());
            }
        }
    }

    @Test
    void aWrongNumberOfArgumentsSaysHowMany() {
        try (Kernel saxpy = Fixtures.kernel(Fixtures.SAXPY, "saxpy");
                Stream stream = device.createStream();
                Buffer x = device.allocate(16);
                Buffer y = device.allocate(16)) {
            for (Object[] wrong : new Object[][] {{}, {2.0f, x, y}, {2.0f, x, y, 4, 5}}) {
                ArgumentMismatchException error =
                        assertThrows(ArgumentMismatchException.class, () -> stream.launch(CONFIG, saxpy, wrong));
                assertMentions(error, "saxpy", "4", "" + wrong.length);
            }
            Fixtures.assertStillUsable(stream, saxpy, x, y);
        }
    }

    @Test
    void anArgumentOfTheWrongSizeSaysWhichAndBothSizes() {
        try (Kernel saxpy = Fixtures.kernel(Fixtures.SAXPY, "saxpy");
                Stream stream = device.createStream();
                Buffer x = device.allocate(16);
                Buffer y = device.allocate(16)) {
            Map<Integer, Object[]> wrong = Map.of(0, new Object[] {2.0, x, y, 4}, 1, new Object[] {2.0f, 1.0f, y, 4},
                    3, new Object[] {2.0f, x, y, 4L});
            wrong.forEach((position, arguments) -> {
                ArgumentMismatchException error =
                        assertThrows(ArgumentMismatchException.class, () -> stream.launch(CONFIG, saxpy, arguments));
                assertEquals(Status.ARGUMENT_MISMATCH, error.status());
                assertMentions(error, "argument " + position, "4", "8");
            });
            Fixtures.assertStillUsable(stream, saxpy, x, y);
        }
    }

    @Test
    void anArgumentOfTheWrongTypeSaysWhichAndBothTypes() {
        try (Kernel saxpy = Fixtures.kernel(Fixtures.SAXPY, "saxpy");
                Stream stream = device.createStream();
                Buffer x = device.allocate(16);
                Buffer y = device.allocate(16)) {
            assertEquals(new KernelArgumentInfo(0, 4, ArgumentKind.FLOATING_POINT, "float"),
                    saxpy.argumentsInfo().get(0));
            assertEquals(ArgumentKind.POINTER, saxpy.argumentsInfo().get(1).kind());
            Map<Integer, Object[]> wrong = Map.of(0, new Object[] {2, x, y, 4}, 1, new Object[] {2.0f, 1.0, y, 4},
                    3, new Object[] {2.0f, x, y, 4.0f});
            wrong.forEach((position, arguments) -> {
                ArgumentMismatchException error =
                        assertThrows(ArgumentMismatchException.class, () -> stream.launch(CONFIG, saxpy, arguments));
                assertMentions(error, "argument " + position, saxpy.argumentsInfo().get(position).type());
            });
            long address = x.handle();
            stream.launch(CONFIG, saxpy, 2.0f, address, y, 4);
            Fixtures.assertStillUsable(stream, saxpy, x, y);
        }
    }

    @Test
    void aLaunchOverTheLimitsOfTheDeviceNamesTheLimit() {
        DeviceProperties limits = device.properties();
        try (Kernel saxpy = Fixtures.kernel(Fixtures.SAXPY, "saxpy");
                Stream stream = device.createStream();
                Buffer x = device.allocate(16);
                Buffer y = device.allocate(16)) {
            Map<LaunchConfig, Integer> over = Map.of(
                    new LaunchConfig(1, limits.maxThreadsPerBlock() + 1), limits.maxThreadsPerBlock(),
                    new LaunchConfig(new Dimensions(1), new Dimensions(1, 1, limits.maxBlockDimZ() + 1)),
                    limits.maxBlockDimZ(),
                    new LaunchConfig(new Dimensions(1, limits.maxGridDimY() + 1), new Dimensions(1)),
                    limits.maxGridDimY(),
                    new LaunchConfig(1, 1, 1 << 30), 1 << 30);
            over.forEach((config, limit) -> {
                InvalidArgumentException error = assertThrows(
                        InvalidArgumentException.class, () -> stream.launch(config, saxpy, 2.0f, x, y, 4));
                assertMentions(error, "" + limit);
            });
            assertThrows(IllegalArgumentException.class, () -> new LaunchConfig(0, 1));
            Fixtures.assertStillUsable(stream, saxpy, x, y);
        }
    }

    @Test
    void anAccessOutOfBoundsIsADeviceFaultThatNamesTheKernel() throws Exception {
        // In a process of its own: a real device's context does not survive it.
        ChildProcess child = new ChildProcess.Builder().run("fault");
        assertEquals(0, child.exitStatus, child.output);
        String[] parts = child.output.split("\n", 2);
        String[] head = parts[0].split(" ");
        assertEquals("CUDA_ERROR_ILLEGAL_ADDRESS", head[2]);
        assertTrue(parts[1].startsWith("DEVICE_FAULT"), parts[1]);
        if (head[0].equals("true")) {
            long address = Long.parseUnsignedLong(head[1], 16);
            assertTrue(parts[1].contains("stray"), parts[1]);
            assertTrue(parts[1].toLowerCase().contains("thread"), parts[1]);
            assertTrue(parts[1].contains(Long.toHexString(address + (1L << 42))), "the address: " + parts[1]);
            assertTrue(parts[1].contains(Long.toHexString(address)), "the nearest allocation: " + parts[1]);
        }
    }

    @Test
    void moreMemoryThanThereIsSaysHowMuchWasAskedFor() {
        OutOfMemoryException error = assertThrows(OutOfMemoryException.class, () -> device.allocate(1L << 60));
        assertEquals(Status.OUT_OF_MEMORY, error.status());
        assertMentions(error, "" + (1L << 60));
        assertThrows(IllegalArgumentException.class, () -> device.allocate(-1));
        device.allocate(16).close();
    }

    @Test
    void aDeviceThatIsNotThereIsNamed() {
        assertMentions(assertThrows(InvalidArgumentException.class, () -> new Device(4096)), "4096");
        assertThrows(InvalidArgumentException.class, () -> new Device(-1));
    }

    @Test
    void aLibraryThatNobodyKnowsIsAnError() {
        assertThrows(CuprumException.class, () -> Pathfinder.locateNvidiaDynamicLib("no-such-library"));
        LocatedPath nvrtc = Pathfinder.locateNvidiaDynamicLib("nvrtc");
        assertTrue(Files.exists(Path.of(nvrtc.path())), nvrtc.toString());
        assertFalse(nvrtc.foundVia().isEmpty());
        LocatedPath headers = Pathfinder.locateNvidiaHeaderDirectory("cudart");
        assertTrue(Files.exists(Path.of(headers.path(), "cuda_runtime.h")), headers.toString());
        assertThrows(CuprumException.class, () -> Pathfinder.locateNvidiaHeaderDirectory("no-such-headers"));
    }

    @Test
    void eventsWithoutTimingCannotBeMeasuredWith() {
        try (Stream stream = device.createStream(); Event event = device.createEvent()) {
            stream.record(event);
            stream.sync();
            assertThrows(InvalidStateException.class, () -> Event.elapsedTime(event, event));
        }
    }

    @Test
    void aTextWithANulIsRefusedAndNotCut() {
        IllegalArgumentException error =
                assertThrows(IllegalArgumentException.class, () -> new Program("int \0 k"));
        assertTrue(error.getMessage().contains("NUL"), error.getMessage());
        assertThrows(IllegalArgumentException.class, () -> new Program("", new ProgramOptions().extraOption("-D\0")));
    }

    @Test
    void handlesThatAreNoneAreErrorsAndNoCrash() {
        for (long handle : new long[] {0, 1, Fixtures.WIDE, -1}) {
            assertThrows(InvalidHandleException.class, () -> CuprumNative.cuprum_stream_sync(handle));
            assertThrows(InvalidHandleException.class, () -> CuprumNative.cuprum_event_sync(handle));
            assertThrows(InvalidHandleException.class, () -> CuprumNative.cuprum_buffer_size(new long[1], handle));
            assertThrows(InvalidHandleException.class,
                    () -> CuprumNative.cuprum_object_code_bytes(new byte[1][], handle));
            assertThrows(InvalidHandleException.class, () -> CuprumNative.cuprum_kernel_name(new String[1], handle));
        }
    }

    @Test
    void negativeSizesAreRefusedBeforeTheyReachC() {
        assertThrows(IllegalArgumentException.class, () -> new Dimensions(1, -1, 1));
        assertThrows(IllegalArgumentException.class, () -> new LaunchConfig(1, 1, -1));
    }
}
