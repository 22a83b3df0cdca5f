package cuprumtest;

import static io.cuprum.bindings.Driver.*;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.cuprum.bindings.Bindings;
import io.cuprum.bindings.NvJitLink;
import io.cuprum.bindings.Runtime;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What the functions do: streams, events and graphs of driver and runtime, and a link. */
class BindingsEffectsTest {
    private static final int COUNT = 64;

    @BeforeEach
    void retainContext() {
        long[] context = new long[1];
        ok(cuInit(0));
        ok(cuDevicePrimaryCtxRetain(context, 0));
        ok(cuCtxSetCurrent(context[0]));
    }

    @AfterEach
    void releaseContext() {
        ok(cuCtxSetCurrent(0));
        ok(cuDevicePrimaryCtxRelease(0));
    }

    private static void ok(CUresult status) {
        assertSame(CUresult.CUDA_SUCCESS, status);
    }

    private static void ok(Runtime.cudaError_t status) {
        assertSame(Runtime.cudaError_t.cudaSuccess, status);
    }

    private static ByteBuffer host(int bytes) {
        return ByteBuffer.allocateDirect(bytes).order(ByteOrder.nativeOrder());
    }

    @Test
    void whatAStreamCapturesIsDoneEachTimeItsGraphIsLaunched() {
        long[] stream = new long[1];
        long[] memory = new long[1];
        long[] graph = new long[1];
        long[] executable = new long[1];
        ok(cuStreamCreate(stream, 1));
        ok(cuMemAlloc(memory, COUNT * 4));
        ok(cuMemsetD32(memory[0], 1, COUNT));
        ok(cuStreamBeginCapture(stream[0], CUstreamCaptureMode.CU_STREAM_CAPTURE_MODE_RELAXED));
        ok(cuMemsetD32Async(memory[0], 7, COUNT / 2, stream[0]));
        ok(cuStreamEndCapture(stream[0], graph));
        long[] nodes = new long[1];
        ok(cuGraphGetNodes(graph[0], null, nodes));
        assertEquals(1, nodes[0]);
        ok(cuGraphInstantiate(executable, graph[0], 0));

        ByteBuffer back = host(COUNT * 4);
        ok(cuMemcpyDtoH(Bindings.address(back), memory[0], COUNT * 4));
        assertEquals(1, back.getInt(0), "capturing does nothing yet");
        for (int launch = 0; launch < 2; ++launch) {
            ok(cuMemsetD32(memory[0], 1, COUNT));
            ok(cuGraphLaunch(executable[0], stream[0]));
            ok(cuStreamSynchronize(stream[0]));
            ok(cuMemcpyDtoH(Bindings.address(back), memory[0], COUNT * 4));
            assertEquals(7, back.getInt(0));
            assertEquals(1, back.getInt(COUNT * 4 - 4));
        }
        ok(cuGraphExecDestroy(executable[0]));
        ok(cuGraphDestroy(graph[0]));
        ok(cuMemFree(memory[0]));
        ok(cuStreamDestroy(stream[0]));
    }

    @Test
    void eventsOrderStreamsAndMeasureThem() {
        long[] first = new long[1];
        long[] second = new long[1];
        long[] start = new long[1];
        long[] end = new long[1];
        long[] memory = new long[1];
        ok(cuStreamCreate(first, 1));
        ok(cuStreamCreate(second, 1));
        ok(cuEventCreate(start, 0));
        ok(cuEventCreate(end, 0));
        ok(cuMemAlloc(memory, COUNT * 4));
        ok(cuEventRecord(start[0], first[0]));
        ok(cuMemsetD32Async(memory[0], 3, COUNT, first[0]));
        ok(cuEventRecord(end[0], first[0]));
        ok(cuStreamWaitEvent(second[0], end[0], 0));
        ok(cuMemsetD32Async(memory[0], 4, COUNT / 2, second[0]));
        ok(cuStreamSynchronize(second[0]));
        ok(cuEventSynchronize(end[0]));
        float[] milliseconds = {-1};
        ok(cuEventElapsedTime(milliseconds, start[0], end[0]));
        assertTrue(milliseconds[0] >= 0);
        ByteBuffer back = host(COUNT * 4);
        ok(cuMemcpyDtoH(Bindings.address(back), memory[0], COUNT * 4));
        assertEquals(4, back.getInt(0));
        assertEquals(3, back.getInt(COUNT * 4 - 4));
        ok(cuMemFree(memory[0]));
        ok(cuEventDestroy(start[0]));
        ok(cuEventDestroy(end[0]));
        ok(cuStreamDestroy(first[0]));
        ok(cuStreamDestroy(second[0]));
    }

    @Test
    void nvJitLinkMakesACubinOfPtx() {
        byte[] ptx = ".version 7.0\n.target sm_75\n.address_size 64\n.visible .entry empty() { ret; }\n\0"
                .getBytes(StandardCharsets.US_ASCII);
        ByteBuffer data = ByteBuffer.allocateDirect(ptx.length).put(ptx).flip();
        long[] link = new long[1];
        long[] size = new long[1];
        NvJitLink.nvJitLinkResult done = NvJitLink.nvJitLinkResult.NVJITLINK_SUCCESS;
        assertSame(done, NvJitLink.nvJitLinkCreate(link, 1, new String[] {"-arch=sm_75"}));
        assertSame(done, NvJitLink.nvJitLinkAddData(link[0], NvJitLink.nvJitLinkInputType.NVJITLINK_INPUT_PTX,
                Bindings.address(data), ptx.length, "empty"));
        assertSame(done, NvJitLink.nvJitLinkComplete(link[0]));
        assertSame(done, NvJitLink.nvJitLinkGetLinkedCubinSize(link[0], size));
        assertTrue(size[0] > 100);
        assertSame(done, NvJitLink.nvJitLinkDestroy(link));
    }

    @Test
    void theRuntimeCopiesMeasuresAndLaunchesGraphs() {
        assumeTrue("gpu".equals(System.getenv("CUPRUM_DRIVER")), "libcudart needs a real driver: CUPRUM_DRIVER=gpu");
        long[] stream = new long[1];
        long[] memory = new long[1];
        long[] start = new long[1];
        long[] end = new long[1];
        long[] graph = new long[1];
        long[] executable = new long[1];
        ok(Runtime.cudaStreamCreate(stream));
        ok(Runtime.cudaEventCreate(start));
        ok(Runtime.cudaEventCreate(end));
        ok(Runtime.cudaMalloc(memory, COUNT));
        ByteBuffer data = host(COUNT);
        ByteBuffer back = host(COUNT);
        data.put(COUNT - 1, (byte) 5);
        ok(Runtime.cudaMemcpy(memory[0], Bindings.address(data), COUNT, Runtime.cudaMemcpyKind.cudaMemcpyHostToDevice));
        ok(Runtime.cudaStreamBeginCapture(stream[0], Runtime.cudaStreamCaptureMode.cudaStreamCaptureModeRelaxed));
        ok(Runtime.cudaMemsetAsync(memory[0], 9, COUNT / 2, stream[0]));
        ok(Runtime.cudaStreamEndCapture(stream[0], graph));
        ok(Runtime.cudaGraphInstantiate(executable, graph[0], 0));
        ok(Runtime.cudaEventRecord(start[0], stream[0]));
        ok(Runtime.cudaGraphLaunch(executable[0], stream[0]));
        ok(Runtime.cudaEventRecord(end[0], stream[0]));
        ok(Runtime.cudaStreamSynchronize(stream[0]));
        float[] milliseconds = {-1};
        ok(Runtime.cudaEventElapsedTime(milliseconds, start[0], end[0]));
        assertTrue(milliseconds[0] >= 0);
        ok(Runtime.cudaMemcpy(Bindings.address(back), memory[0], COUNT, Runtime.cudaMemcpyKind.cudaMemcpyDeviceToHost));
        assertEquals(9, back.get(0));
        assertEquals(5, back.get(COUNT - 1));
        assertEquals("cudaErrorInvalidValue", Runtime.cudaGetErrorName(Runtime.cudaError_t.cudaErrorInvalidValue));
        ok(Runtime.cudaGraphExecDestroy(executable[0]));
        ok(Runtime.cudaGraphDestroy(graph[0]));
        ok(Runtime.cudaFree(memory[0]));
        ok(Runtime.cudaEventDestroy(start[0]));
        ok(Runtime.cudaEventDestroy(end[0]));
        ok(Runtime.cudaStreamDestroy(stream[0]));
    }
}
