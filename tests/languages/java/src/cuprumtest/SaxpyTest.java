package cuprumtest;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.cuprum.ArgumentKind;
import io.cuprum.Buffer;
import io.cuprum.CodeType;
import io.cuprum.Cuprum;
import io.cuprum.Device;
import io.cuprum.Event;
import io.cuprum.EventOptions;
import io.cuprum.Kernel;
import io.cuprum.KernelArgumentInfo;
import io.cuprum.LaunchConfig;
import io.cuprum.MemoryInfo;
import io.cuprum.ObjectCode;
import io.cuprum.Program;
import io.cuprum.ProgramOptions;
import io.cuprum.Stream;
import io.cuprum.StreamOptions;
import java.nio.FloatBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(NoLeaks.class)
class SaxpyTest {
    private final Device device = new Device(0);

    @Test
    void everyElementOfSaxpyIsRight() {
        int n = 100_003;
        Random random = new Random(1);
        FloatBuffer x = Fixtures.direct(n * Float.BYTES).asFloatBuffer();
        float[] y = new float[n];
        for (int i = 0; i < n; ++i) {
            x.put(i, random.nextInt(1000));
            y[i] = random.nextInt(1000);
        }
        float[] result = new float[n];
        try (Kernel saxpy = Fixtures.kernel(Fixtures.SAXPY, "saxpy");
                Stream stream = device.createStream();
                Buffer xDevice = device.allocate((long) n * Float.BYTES, stream);
                Buffer yDevice = device.allocate((long) n * Float.BYTES, stream);
                Event start = stream.record(EventOptions.timing())) {
            xDevice.copyFrom(x, stream);
            yDevice.copyFrom(y, stream);
            Cuprum.launch(stream, new LaunchConfig((n + 255) / 256, 256), saxpy, 2.5f, xDevice, yDevice, n);
            try (Event end = stream.record(EventOptions.timing())) {
                yDevice.copyTo(result, stream);
                assertTrue(Event.elapsedTime(start, end) > 0);
            }
        }
        for (int i = 0; i < n; ++i) {
            assertEquals(2.5f * x.get(i) + y[i], result[i], "element " + i);
        }
    }

    @Test
    void theDeviceDescribesItself() {
        assertTrue(Device.count() > 0);
        assertEquals(device, Device.getAllDevices().get(0));
        assertEquals(device.isSimulator(), device.name().toLowerCase().contains("simulator"), device.name());
        assertEquals(device.arch(), "" + device.computeCapability().major() + device.computeCapability().minor());
        assertEquals(32, device.properties().warpSize());
        assertEquals(device.properties().maxThreadsPerBlock(), device.attribute(1));
        assertEquals(device.isSimulator(), device.properties().isSimulator());
        assertTrue(device.uuid().startsWith("GPU-"), device.uuid());
        assertTrue(device.pciBusId().contains(":"), device.pciBusId());
        assertTrue(device.freeMemory() > 0 && device.freeMemory() <= device.totalMemory());
        MemoryInfo memory = device.memoryInfo();
        assertTrue(memory.free() > 0 && memory.free() <= memory.total());
        assertEquals(device.totalMemory(), memory.total());
        assertTrue(Cuprum.driverVersion() >= 12000);
        assertTrue(Cuprum.nvrtcVersion().matches("\\d+\\.\\d+"), Cuprum.nvrtcVersion());
        assertTrue(Cuprum.version().matches("\\d+\\.\\d+\\.\\d+"), Cuprum.version());
        assertTrue(Cuprum.infoJson().startsWith("{"));
    }

    @Test
    void aTemplateInstanceIsFoundByItsNameExpression() {
        String source = "template <class T> __global__ void set(T* p, T value) { *p = value; }";
        try (Program program = new Program(source);
                ObjectCode code = program.compile(CodeType.PTX, "set<double>", "set<long long>");
                Kernel kernel = code.getKernel("set<long long>");
                Stream stream = device.createStream();
                Buffer buffer = device.allocate(8)) {
            assertEquals(CodeType.PTX, code.codeType());
            assertEquals(2, code.kernelNames().size());
            assertEquals("set<long long>", kernel.name());
            assertTrue(code.loweredName("set<long long>").startsWith("_Z3set"), code.loweredName("set<long long>"));
            assertEquals(List.of(new KernelArgumentInfo(0, 8, ArgumentKind.POINTER, "long long*"),
                            new KernelArgumentInfo(8, 8, ArgumentKind.INTEGER, "long long")),
                    kernel.argumentsInfo());
            stream.launch(new LaunchConfig(1, 1), kernel, buffer, 1L << 40);
            long[] result = new long[1];
            buffer.copyTo(result, stream);
            assertEquals(1L << 40, result[0]);
        }
    }

    @Test
    void optionsReachTheCompiler() {
        ProgramOptions options = new ProgramOptions().name("tëst-\uD83D\uDE00.cu").defineMacro("VALUE", "41 + 1")
                .defineMacro("SET").std("c++20").arch("compute_75");
        String source = "#if !defined(SET) || __cplusplus < 202002\n#error no\n#endif\n"
                + "extern \"C\" __global__ void k(int* p) { *p = VALUE; }  // \uD83D\uDE00";
        try (Program program = new Program(source, options);
                ObjectCode code = program.compile(CodeType.PTX)) {
            String ptx = new String(code.code(), StandardCharsets.UTF_8);
            assertTrue(ptx.contains(".target sm_75"), ptx);
            assertTrue(ptx.contains("42"), ptx);
            try (ObjectCode copy = ObjectCode.fromBytes(code.code(), CodeType.PTX, "copy");
                    Kernel kernel = copy.getKernel("k")) {
                assertEquals(1, kernel.numArguments());
                assertTrue(kernel.attributes(device).maxThreadsPerBlock() > 0);
                assertTrue(kernel.maxActiveBlocksPerMultiprocessor(device, 128, 0) > 0);
                assertEquals(49152, kernel.availableDynamicSharedMemoryPerBlock(device, 1, 128));
            }
        }
    }

    @Test
    void streamsAndEventsAreWhatTheyWereMadeAs() {
        try (Stream stream = device.createStream(new StreamOptions(false, 0));
                Stream other = device.createStream();
                Event event = device.createEvent(new EventOptions(false, true));
                Stream borrowed = Stream.fromHandle(device, other.handle());
                Stream legacy = device.defaultStream()) {
            assertTrue(!stream.isNonblocking() && other.isNonblocking());
            assertEquals(0, stream.priority());
            assertEquals(device, stream.device());
            assertEquals(device, event.device());
            assertEquals(other.handle(), borrowed.handle());
            assertTrue(!event.isTimingEnabled() && event.isBlockingSync());
            stream.record(event);
            other.waitFor(event);
            other.waitFor(stream);
            event.sync();
            other.sync();
            legacy.sync();
            device.sync();
            assertTrue(event.isDone() && stream.isDone() && other.isDone());
        }
    }

    @Test
    void machineCodeForTheDeviceIsCompiledAndRuns() {
        String source = "extern \"C\" __global__ void set(int* p, int value) { *p = value; }";
        try (Program program = new Program(source);
                ObjectCode code = program.compile(CodeType.CUBIN);
                Kernel kernel = code.getKernel("set");
                Stream stream = device.createStream();
                Buffer buffer = device.allocate(Integer.BYTES)) {
            assertEquals(CodeType.CUBIN, code.codeType());
            stream.launch(new LaunchConfig(1, 1), kernel, buffer, 42);
            stream.sync();
            int[] result = new int[1];
            buffer.copyTo(result);
            assertEquals(42, result[0]);
        }
    }
}
