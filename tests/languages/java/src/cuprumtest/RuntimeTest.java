package cuprumtest;

import static io.cuprum.bindings.Runtime.*;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.cuprum.bindings.Bindings;
import java.nio.ByteBuffer;
import org.junit.jupiter.api.Test;

/**
 * What the runtime's functions do: those of libcudart on a GPU, those of its companion on the simulator.
 */
class RuntimeTest {
    private static final int COUNT = 64;

    private static void ok(cudaError_t status) {
        assertSame(cudaError_t.cudaSuccess, status);
    }

    private static long stream() {
        long[] stream = new long[1];
        ok(cudaStreamCreateWithFlags(stream, cudaStreamNonBlocking));
        return stream[0];
    }

    private static ByteBuffer copied(long memory) {
        ByteBuffer back = Fixtures.direct(COUNT);
        ok(cudaMemcpy(Bindings.address(back), memory, COUNT, cudaMemcpyKind.cudaMemcpyDefault));
        return back;
    }

    private static cudaMemoryType typeOf(long address) {
        cudaPointerAttributes attributes = new cudaPointerAttributes();
        ok(cudaPointerGetAttributes(attributes, address));
        return attributes.type();
    }

    @Test
    @Shows({"cudaGetErrorString"})
    void errorsHaveTexts() {
        assertEquals("cudaErrorInvalidValue", cudaGetErrorName(cudaError_t.cudaErrorInvalidValue));
        assertEquals("invalid argument", cudaGetErrorString(cudaError_t.cudaErrorInvalidValue));
    }

    @Test
    @Shows({"cudaGetDeviceProperties"})
    void devicesHaveProperties() {
        int[] version = new int[1];
        ok(cudaRuntimeGetVersion(version));
        cudaDeviceProp properties = new cudaDeviceProp();
        cudaError_t status = cudaGetDeviceProperties(properties, 0);
        // CUDA 13 has rearranged them: a libcudart of another major version would fill other members.
        if (version[0] / 1000 != CUDART_VERSION / 1000) {
            assertSame(cudaError_t.cudaErrorSymbolNotFound, status);
            assumeTrue(false, "libcudart has another major version than the headers, and is refused");
        }
        ok(status);
        assertEquals(32, properties.warpSize());
    }

    @Test
    @Shows({"cudaGetDeviceCount", "cudaSetDevice", "cudaGetDevice", "cudaDeviceGetAttribute", "cudaPeekAtLastError",
            "cudaGetLastError"})
    void devicesAreChosenAndThreadsHaveALastError() {
        int[] value = new int[1];
        int[] count = new int[1];
        ok(cudaGetDeviceCount(count));
        ok(cudaSetDevice(count[0] - 1));
        ok(cudaGetDevice(value));
        assertEquals(count[0] - 1, value[0]);
        ok(cudaSetDevice(0));
        ok(cudaGetDevice(value));
        assertEquals(0, value[0]);
        ok(cudaDeviceGetAttribute(value, cudaDeviceAttr.cudaDevAttrWarpSize, 0));
        assertEquals(32, value[0]);
        assertSame(cudaError_t.cudaErrorInvalidDevice, cudaSetDevice(4711));
        assertSame(cudaError_t.cudaErrorInvalidDevice, cudaPeekAtLastError());
        assertSame(cudaError_t.cudaErrorInvalidDevice, cudaGetLastError());
        ok(cudaPeekAtLastError());
        ok(cudaGetLastError());
    }

    @Test
    @Shows({"cudaMalloc", "cudaFree", "cudaMemGetInfo", "cudaMemcpyAsync", "cudaMemsetAsync",
            "cudaStreamCreateWithFlags", "cudaStreamSynchronize", "cudaStreamDestroy"})
    void streamsCopyAndFillMemory() {
        long stream = stream();
        long[] memory = new long[1];
        ok(cudaMalloc(memory, COUNT));
        long[] free = new long[1];
        long[] total = new long[1];
        ok(cudaMemGetInfo(free, total));
        assertTrue(0 < free[0] && free[0] < total[0]);
        ByteBuffer data = Fixtures.direct(COUNT).put(COUNT - 1, (byte) 5);
        ByteBuffer back = Fixtures.direct(COUNT);
        cudaMemcpyKind toDevice = cudaMemcpyKind.cudaMemcpyHostToDevice;
        ok(cudaMemcpyAsync(memory[0], Bindings.address(data), COUNT, toDevice, stream));
        ok(cudaMemsetAsync(memory[0], 9, COUNT / 2, stream));
        cudaMemcpyKind toHost = cudaMemcpyKind.cudaMemcpyDeviceToHost;
        ok(cudaMemcpyAsync(Bindings.address(back), memory[0], COUNT, toHost, stream));
        ok(cudaStreamSynchronize(stream));
        assertEquals(9, back.get(0));
        assertEquals(5, back.get(COUNT - 1));
        ok(cudaFree(memory[0]));
        assertSame(cudaError_t.cudaErrorInvalidValue, cudaFree(memory[0]));
        assertSame(cudaError_t.cudaErrorInvalidValue, cudaGetLastError());
        ok(cudaStreamDestroy(stream));
    }

    @Test
    @Shows({"cudaMallocHost", "cudaFreeHost", "cudaHostRegister", "cudaHostUnregister"})
    void hostMemoryIsPageLocked() {
        long[] host = new long[1];
        ok(cudaMallocHost(host, COUNT));
        assertSame(cudaMemoryType.cudaMemoryTypeHost, typeOf(host[0]));
        ok(cudaFreeHost(host[0]));
        ByteBuffer pages = ByteBuffer.allocateDirect(3 * 4096).alignedSlice(4096);
        long address = Bindings.address(pages);
        assertSame(cudaMemoryType.cudaMemoryTypeUnregistered, typeOf(address));
        ok(cudaHostRegister(address, 4096, cudaHostRegisterDefault));
        assertSame(cudaMemoryType.cudaMemoryTypeHost, typeOf(address));
        ok(cudaHostUnregister(address));
        assertSame(cudaMemoryType.cudaMemoryTypeUnregistered, typeOf(address));
    }

    @Test
    @Shows({"cudaEventCreateWithFlags", "cudaEventRecord", "cudaEventDestroy", "cudaStreamWaitEvent",
            "cudaMallocManaged", "cudaDeviceSynchronize"})
    void eventsOrderStreams() {
        long first = stream();
        long second = stream();
        long[] event = new long[1];
        long[] memory = new long[1];
        ok(cudaEventCreateWithFlags(event, cudaEventDisableTiming));
        ok(cudaMallocManaged(memory, COUNT, cudaMemAttachGlobal));
        assertSame(cudaMemoryType.cudaMemoryTypeManaged, typeOf(memory[0]));
        for (int fill = 0; fill < 100; ++fill) {    // takes a while, so that the other stream does wait
            ok(cudaMemsetAsync(memory[0], 3, COUNT, first));
        }
        ok(cudaEventRecord(event[0], first));
        ok(cudaStreamWaitEvent(second, event[0], 0));
        ok(cudaMemsetAsync(memory[0], 4, COUNT / 2, second));
        ok(cudaDeviceSynchronize());
        assertEquals(4, copied(memory[0]).get(0));
        assertEquals(3, copied(memory[0]).get(COUNT - 1));
        ok(cudaFree(memory[0]));
        ok(cudaEventDestroy(event[0]));
        ok(cudaStreamDestroy(first));
        ok(cudaStreamDestroy(second));
    }

    @Test
    @Shows({"cudaStreamBeginCapture", "cudaStreamEndCapture"})
    void whatAStreamCapturesIsDoneWhenItsGraphIsLaunched() {
        long stream = stream();
        long[] memory = new long[1];
        long[] graph = new long[1];
        long[] executable = new long[1];
        ok(cudaMalloc(memory, COUNT));
        ok(cudaMemset(memory[0], 1, COUNT));
        ok(cudaStreamBeginCapture(stream, cudaStreamCaptureMode.cudaStreamCaptureModeThreadLocal));
        ok(cudaMemsetAsync(memory[0], 7, COUNT / 2, stream));
        ok(cudaStreamEndCapture(stream, graph));
        ok(cudaGraphInstantiate(executable, graph[0], 0));
        assertEquals(1, copied(memory[0]).get(0), "capturing does nothing yet");
        ok(cudaGraphLaunch(executable[0], stream));
        ok(cudaStreamSynchronize(stream));
        assertEquals(7, copied(memory[0]).get(0));
        assertEquals(1, copied(memory[0]).get(COUNT - 1));
        ok(cudaGraphExecDestroy(executable[0]));
        ok(cudaGraphDestroy(graph[0]));
        ok(cudaFree(memory[0]));
        ok(cudaStreamDestroy(stream));
    }
}
