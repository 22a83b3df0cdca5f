package cuprumtest;

import static io.cuprum.bindings.Driver.*;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.cuprum.bindings.Bindings;
import java.lang.ref.Reference;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

/** What the driver's functions for devices, contexts and memory do. */
class DriverMemoryTest extends DriverTest {
    private static final int COUNT = 64;

    private static ByteBuffer numbers() {
        ByteBuffer numbers = Fixtures.direct(COUNT * 4);
        for (int i = 0; i < COUNT; ++i) {
            numbers.putInt(i * 4, i + 1);
        }
        return numbers;
    }

    private static int attribute(CUpointer_attribute attribute, long pointer) {
        ByteBuffer value = Fixtures.direct(4);
        ok(cuPointerGetAttribute(Bindings.address(value), attribute, pointer));
        return value.getInt(0);
    }

    @Test
    @Shows({"cuDriverGetVersion", "cuGetErrorString", "cuDeviceGetCount", "cuDeviceGet", "cuDeviceGetName",
            "cuDeviceGetAttribute"})
    void theDriverSaysWhatItIsAndHas() {
        int[] value = new int[1];
        ok(cuDriverGetVersion(value));
        assertEquals(Bindings.version("driver"), value[0]);
        String[] text = new String[1];
        ok(cuGetErrorString(CUresult.CUDA_ERROR_OUT_OF_MEMORY, text));
        assertEquals("out of memory", text[0]);
        int[] count = new int[1];
        ok(cuDeviceGetCount(count));
        ok(cuDeviceGet(value, count[0] - 1));
        assertEquals(count[0] - 1, value[0]);
        assertSame(CUresult.CUDA_ERROR_INVALID_DEVICE, cuDeviceGet(value, count[0]));
        byte[] name = new byte[256];
        ok(cuDeviceGetName(name, name.length, 0));
        assertTrue(new String(name, StandardCharsets.UTF_8).trim().length() > 3);
        ok(cuDeviceGetAttribute(value, CUdevice_attribute.CU_DEVICE_ATTRIBUTE_WARP_SIZE, 0));
        assertEquals(32, value[0]);
    }

    @Test
    @Shows({"cuInit", "cuDevicePrimaryCtxRetain", "cuDevicePrimaryCtxRelease"})
    void thePrimaryContextIsOneWhileItIsRetained() {
        assertSame(CUresult.CUDA_ERROR_INVALID_VALUE, cuInit(1));
        ok(cuInit(0));
        int[] active = new int[1];
        long[] again = new long[1];
        ok(cuDevicePrimaryCtxRetain(again, 0));
        assertEquals(context[0], again[0]);
        ok(cuDevicePrimaryCtxRelease(0));
        ok(cuDevicePrimaryCtxGetState(0, new int[1], active));
        assertEquals(1, active[0], "retainContext keeps it");
    }

    @Test
    @Shows({"cuCtxCreate", "cuCtxDestroy", "cuCtxGetCurrent", "cuCtxSetCurrent", "cuCtxPushCurrent", "cuCtxPopCurrent",
            "cuCtxGetDevice"})
    void currentContextsAreAStack() {
        long[] own = new long[1];
        long[] current = new long[1];
        int[] device = {-1};
        ok(cuCtxCreate(own, null, 0, 0));
        assertNotEquals(context[0], own[0]);
        ok(cuCtxGetCurrent(current));
        assertEquals(own[0], current[0]);
        ok(cuCtxGetDevice(device));
        assertEquals(0, device[0]);
        ok(cuCtxPopCurrent(current));
        assertEquals(own[0], current[0]);
        ok(cuCtxGetCurrent(current));
        assertEquals(context[0], current[0]);
        ok(cuCtxPushCurrent(own[0]));
        ok(cuCtxGetCurrent(current));
        assertEquals(own[0], current[0]);
        ok(cuCtxDestroy(own[0]));
        ok(cuCtxGetCurrent(current));
        assertNotEquals(own[0], current[0]);
        ok(cuCtxSetCurrent(context[0]));
        ok(cuCtxGetCurrent(current));
        assertEquals(context[0], current[0]);
    }

    @Test
    void profilersAreSwitchedOnAndOff() {
        ok(cuProfilerStart());
        ok(cuProfilerStop());
        ok(cuCtxSetCurrent(0));
        assertSame(CUresult.CUDA_ERROR_INVALID_CONTEXT, cuProfilerStart());
    }

    @Test
    @Shows({"cuMemAlloc", "cuMemFree", "cuMemGetInfo", "cuMemcpyHtoD", "cuMemcpyDtoH", "cuMemcpyDtoD", "cuMemsetD8"})
    void memoryIsCopiedAndFilled() {
        long first = allocated(COUNT * 4);
        long second = allocated(COUNT * 4);
        long[] free = new long[1];
        long[] total = new long[1];
        ok(cuMemGetInfo(free, total));
        assertTrue(0 < free[0] && free[0] < total[0]);
        ok(cuMemcpyHtoD(first, Bindings.address(numbers()), COUNT * 4));
        ok(cuMemcpyDtoD(second, first, COUNT * 4));
        assertEquals(numbers(), copied(second, COUNT * 4));
        ok(cuMemsetD8(first, (byte) 0xAB, 4));
        assertEquals(0xABABABAB, copied(first, COUNT * 4).getInt(0));
        assertEquals(2, copied(first, COUNT * 4).getInt(4));
        assertEquals(1, copied(second, 4).getInt(0));
        ok(cuMemFree(first));
        assertSame(CUresult.CUDA_ERROR_INVALID_VALUE, cuMemFree(first));
        ok(cuMemFree(second));
    }

    @Test
    @Shows({"cuMemHostAlloc", "cuMemAllocHost", "cuMemFreeHost", "cuMemHostGetDevicePointer", "cuPointerGetAttribute"})
    void pageLockedMemoryIsTheHostsAndTheDevices() {
        long memory = allocated(4);
        long[] host = new long[1];
        long[] onDevice = new long[1];
        ok(cuMemHostAlloc(host, 64, CU_MEMHOSTALLOC_DEVICEMAP));
        ok(cuMemHostGetDevicePointer(onDevice, host[0], 0));
        ok(cuMemsetD32(onDevice[0], 5, 1));
        ok(cuMemcpyHtoD(memory, host[0], 4));
        assertEquals(5, copied(memory, 4).getInt(0));
        assertEquals(CUmemorytype.CU_MEMORYTYPE_HOST.value(),
                attribute(CUpointer_attribute.CU_POINTER_ATTRIBUTE_MEMORY_TYPE, host[0]));
        assertEquals(CUmemorytype.CU_MEMORYTYPE_DEVICE.value(),
                attribute(CUpointer_attribute.CU_POINTER_ATTRIBUTE_MEMORY_TYPE, memory));
        ok(cuMemFreeHost(host[0]));
        assertNotEquals(CUresult.CUDA_SUCCESS, cuMemFreeHost(host[0]));
        ok(cuMemAllocHost(host, 64));
        ok(cuMemsetD32(memory, 17, 1));
        ok(cuMemcpyDtoH(host[0], memory, 4));
        ok(cuMemsetD32(memory, 0, 1));
        ok(cuMemcpyHtoD(memory, host[0], 4));
        assertEquals(17, copied(memory, 4).getInt(0));
        ok(cuMemFreeHost(host[0]));
        ok(cuMemFree(memory));
    }

    @Test
    @Shows({"cuMemHostRegister", "cuMemHostUnregister", "cuCtxSynchronize"})
    void memoryOfABufferIsRegistered() {
        ByteBuffer pages = ByteBuffer.allocateDirect(3 * 4096).alignedSlice(4096).order(ByteOrder.nativeOrder());
        long address = Bindings.address(pages);
        long[] onDevice = new long[1];
        ok(cuMemHostRegister(address, 4096, CU_MEMHOSTREGISTER_DEVICEMAP));
        assertSame(CUresult.CUDA_ERROR_HOST_MEMORY_ALREADY_REGISTERED, cuMemHostRegister(address, 4096, 0));
        ok(cuMemHostGetDevicePointer(onDevice, address, 0));
        ok(cuMemsetD8(onDevice[0], (byte) 6, 4096));
        ok(cuCtxSynchronize());
        assertEquals(6, pages.get(4095));
        ok(cuMemHostUnregister(address));
        assertSame(CUresult.CUDA_ERROR_HOST_MEMORY_NOT_REGISTERED, cuMemHostUnregister(address));
    }

    @Test
    @Shows({"cuMemAllocManaged"})
    void managedMemoryIsTheHostsAndTheDevices() {
        long[] managed = new long[1];
        ok(cuMemAllocManaged(managed, 64, CUmemAttach_flags.CU_MEM_ATTACH_GLOBAL.value()));
        assertEquals(1, attribute(CUpointer_attribute.CU_POINTER_ATTRIBUTE_IS_MANAGED, managed[0]));
        ok(cuMemsetD8(managed[0], (byte) 3, 64));
        assertEquals(3, copied(managed[0], 64).get(63));
        ok(cuMemFree(managed[0]));
    }

    @Test
    @Shows({"cuMemAllocAsync", "cuMemFreeAsync", "cuMemsetD8Async", "cuMemcpyHtoDAsync", "cuMemcpyDtoHAsync",
            "cuStreamSynchronize"})
    void streamsAllocateFillCopyAndFreeInTheirOrder() {
        long stream = stream();
        long[] memory = new long[1];
        ByteBuffer back = Fixtures.direct(COUNT * 4);
        ByteBuffer numbers = numbers();
        ok(cuMemAllocAsync(memory, COUNT * 4, stream));
        ok(cuMemsetD8Async(memory[0], (byte) 1, COUNT * 4, stream));
        ok(cuMemcpyHtoDAsync(memory[0], Bindings.address(numbers), COUNT * 2, stream));
        ok(cuMemcpyDtoHAsync(Bindings.address(back), memory[0], COUNT * 4, stream));
        ok(cuMemFreeAsync(memory[0], stream));
        ok(cuStreamSynchronize(stream));
        Reference.reachabilityFence(numbers);    // the copy knew its address alone
        assertEquals(COUNT / 2, back.getInt(COUNT * 2 - 4));
        assertEquals(0x01010101, back.getInt(COUNT * 2));
        ok(cuStreamDestroy(stream));
    }
}
