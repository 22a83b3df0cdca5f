package cuprumtest;

import static io.cuprum.bindings.Driver.*;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.cuprum.bindings.Bindings;
import java.nio.ByteBuffer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What the driver's functions for code, streams, events and graphs do. */
class DriverExecutionTest extends DriverTest {
    private static final int COUNT = 64;

    private final ByteBuffer ptx = text(ADD);
    private final long[] module = new long[1];
    private final long[] function = new long[1];
    private long numbers;
    private ByteBuffer values;
    private long[] parameters;

    /** Sixty-four ones, and the arguments with which the kernel adds 41 to them. */
    @BeforeEach
    void allocateNumbers() {
        numbers = allocated(COUNT * 4);
        ok(cuMemsetD32(numbers, 1, COUNT));
        values = Fixtures.direct(16).putLong(0, numbers).putInt(8, 41).putInt(12, COUNT);
        parameters = new long[] {Bindings.address(values), Bindings.address(values) + 8, Bindings.address(values) + 12};
    }

    @AfterEach
    void freeNumbers() {
        ok(cuMemFree(numbers));
    }

    private void loadModule() {
        ok(cuModuleLoadData(module, Bindings.address(ptx)));
        ok(cuModuleGetFunction(function, module[0], "add"));
    }

    private void launch(long stream) {
        ok(cuLaunchKernel(function[0], 2, 1, 1, 32, 1, 1, 0, stream, parameters, null));
    }

    private void assertNumbers(int expected) {
        ByteBuffer back = copied(numbers, COUNT * 4);
        for (int i = 0; i < COUNT; ++i) {
            assertEquals(expected, back.getInt(i * 4));
        }
    }

    @Test
    @Shows({"cuModuleLoadData", "cuModuleGetFunction", "cuModuleGetGlobal", "cuModuleUnload", "cuLaunchKernel",
            "cuFuncGetAttribute", "cuOccupancyMaxActiveBlocksPerMultiprocessor"})
    void aModulesFunctionIsLaunched() {
        loadModule();
        assertSame(CUresult.CUDA_ERROR_NOT_FOUND, cuModuleGetFunction(new long[1], module[0], "subtract"));
        launch(0);
        assertNumbers(42);
        long[] variable = new long[1];
        long[] bytes = new long[1];
        ok(cuModuleGetGlobal(variable, bytes, module[0], "offset"));
        assertEquals(4, bytes[0]);
        ok(cuMemsetD32(variable[0], 2, 1));
        launch(0);
        assertNumbers(42 + 43);
        int[] value = new int[1];
        ok(cuFuncGetAttribute(value, CUfunction_attribute.CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK, function[0]));
        assertTrue(value[0] >= 32 && value[0] <= 1024);
        ok(cuOccupancyMaxActiveBlocksPerMultiprocessor(value, function[0], 1024, 0));
        assertTrue(value[0] >= 1 && value[0] <= 2);
        ok(cuModuleUnload(module[0]));
    }

    @Test
    @Shows({"cuModuleLoadDataEx"})
    void modulesAreLoadedWithOptions() {
        ByteBuffer log = Fixtures.direct(4096);
        CUjit_option[] options = {CUjit_option.CU_JIT_ERROR_LOG_BUFFER, CUjit_option.CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES};
        long[] values = {Bindings.address(log), 4096};
        assertNotEquals(CUresult.CUDA_SUCCESS,
                cuModuleLoadDataEx(module, Bindings.address(text("no PTX at all")), 2, options, values));
        assertNotEquals(0, log.get(0), "the compiler's message is where the option says");
        ok(cuModuleLoadDataEx(module, Bindings.address(ptx), 2, options, new long[] {Bindings.address(log), 4096}));
        ok(cuModuleGetFunction(function, module[0], "add"));
        launch(0);
        assertNumbers(42);
        ok(cuModuleUnload(module[0]));
    }

    @Test
    @Shows({"cuLibraryLoadData", "cuLibraryGetKernel", "cuLibraryUnload"})
    void aLibrarysKernelIsLaunched() {
        long[] library = new long[1];
        long[] kernel = new long[1];
        ok(cuLibraryLoadData(library, Bindings.address(ptx), null, null, 0, null, null, 0));
        ok(cuLibraryGetKernel(kernel, library[0], "add"));
        ok(cuKernelGetFunction(function, kernel[0]));
        launch(0);
        assertNumbers(42);
        ok(cuLibraryUnload(library[0]));
    }

    @Test
    @Shows({"cuLinkCreate", "cuLinkAddData", "cuLinkComplete", "cuLinkDestroy"})
    void linkedCodeIsLoadedAndLaunched() {
        long[] link = new long[1];
        long[] code = new long[1];
        long[] size = new long[1];
        ok(cuLinkCreate(0, null, null, link));
        ok(cuLinkAddData(link[0], CUjitInputType.CU_JIT_INPUT_PTX, Bindings.address(ptx), ptx.capacity(), "add.ptx", 0,
                null, null));
        ok(cuLinkComplete(link[0], code, size));
        assertTrue(size[0] > 0);
        ok(cuModuleLoadData(module, code[0]));
        ok(cuLinkDestroy(link[0]));    // the code goes with it, what was loaded stays
        ok(cuModuleGetFunction(function, module[0], "add"));
        launch(0);
        assertNumbers(42);
        ok(cuModuleUnload(module[0]));
    }

    @Test
    @Shows({"cuLaunchCooperativeKernel"})
    void aCooperativeLaunchRunsAllBlocks() {
        loadModule();
        ok(cuLaunchCooperativeKernel(function[0], 2, 1, 1, 32, 1, 1, 0, 0, parameters));
        assertNumbers(42);
        ok(cuModuleUnload(module[0]));
    }

    @Test
    @Shows({"cuStreamCreate", "cuStreamDestroy", "cuStreamQuery", "cuStreamWaitEvent", "cuEventCreate", "cuEventDestroy",
            "cuEventRecord", "cuEventQuery", "cuEventSynchronize", "cuEventElapsedTime"})
    void eventsOrderStreamsAndMeasureThem() throws InterruptedException {
        long first = stream();
        long second = stream();
        long start = event();
        long end = event();
        try (Gate gate = new Gate()) {
            ok(cuEventRecord(start, first));
            ok(cuEventSynchronize(start));
            gate.stop(first);
            ok(cuMemsetD32Async(numbers, 3, COUNT, first));
            ok(cuEventRecord(end, first));
            ok(cuStreamWaitEvent(second, end, 0));
            ok(cuMemsetD32Async(numbers, 4, COUNT / 2, second));
            assertSame(CUresult.CUDA_ERROR_NOT_READY, cuEventQuery(end));
            assertSame(CUresult.CUDA_ERROR_NOT_READY, cuStreamQuery(second));
            Thread.sleep(20);
            gate.open();
            ok(cuStreamSynchronize(second));
            ok(cuStreamQuery(second));
            ok(cuEventSynchronize(end));
            ok(cuEventQuery(end));
        }
        float[] milliseconds = {-1};
        ok(cuEventElapsedTime(milliseconds, start, end));
        assertTrue(milliseconds[0] >= 19, milliseconds[0] + " ms");
        ByteBuffer back = copied(numbers, COUNT * 4);
        assertEquals(4, back.getInt(0));
        assertEquals(3, back.getInt(COUNT * 4 - 4));
        ok(cuEventDestroy(start));
        ok(cuEventDestroy(end));
        ok(cuStreamDestroy(first));
        ok(cuStreamDestroy(second));
    }

    @Test
    @Shows({"cuStreamBeginCapture", "cuStreamEndCapture", "cuGraphInstantiate", "cuGraphLaunch", "cuGraphExecDestroy",
            "cuGraphDestroy"})
    void whatAStreamCapturesIsDoneEachTimeItsGraphIsLaunched() {
        loadModule();
        long stream = stream();
        long[] graph = new long[1];
        long[] executable = new long[1];
        long[] nodes = new long[1];
        ok(cuStreamBeginCapture(stream, CUstreamCaptureMode.CU_STREAM_CAPTURE_MODE_THREAD_LOCAL));
        launch(stream);
        ok(cuStreamEndCapture(stream, graph));
        ok(cuGraphGetNodes(graph[0], null, nodes));
        assertEquals(1, nodes[0]);
        ok(cuGraphInstantiate(executable, graph[0], 0));
        ok(cuGraphDestroy(graph[0]));    // what was made of it stays
        assertNumbers(1);    // capturing does nothing yet
        for (int launch = 1; launch <= 2; ++launch) {
            ok(cuGraphLaunch(executable[0], stream));
            ok(cuStreamSynchronize(stream));
            assertNumbers(1 + 41 * launch);
        }
        ok(cuGraphExecDestroy(executable[0]));
        ok(cuStreamDestroy(stream));
        ok(cuModuleUnload(module[0]));
    }
}
