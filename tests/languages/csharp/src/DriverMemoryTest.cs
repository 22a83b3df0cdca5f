using System;
using System.Linq;
using System.Text;
using Cuprum.Bindings;
using NUnit.Framework;
using static Cuprum.Bindings.Driver;

/// <summary>What the driver's functions for devices, contexts and memory do.</summary>
[TestFixture]
public unsafe class DriverMemoryTest : DriverTest {
    private const int Count = 64;

    private static int Attribute(CUpointer_attribute attribute, ulong pointer) {
        int value;
        Ok(cuPointerGetAttribute((IntPtr)(&value), attribute, pointer));
        return value;
    }

    [Test]
    [Shows("cuDriverGetVersion", "cuGetErrorString", "cuDeviceGetCount", "cuDeviceGet", "cuDeviceGetName",
           "cuDeviceGetAttribute")]
    public void TheDriverSaysWhatItIsAndHas() {
        int value;
        int count;
        string text;
        Ok(cuDriverGetVersion(out value));
        Assert.AreEqual(Libraries.Version("driver"), value);
        Ok(cuGetErrorString(CUresult.CUDA_ERROR_OUT_OF_MEMORY, out text));
        Assert.AreEqual("out of memory", text);
        Ok(cuDeviceGetCount(out count));
        Ok(cuDeviceGet(out value, count - 1));
        Assert.AreEqual(count - 1, value);
        Assert.AreEqual(CUresult.CUDA_ERROR_INVALID_DEVICE, cuDeviceGet(out value, count));
        byte[] name = new byte[256];
        Ok(cuDeviceGetName(name, name.Length, 0));
        Assert.Greater(Encoding.UTF8.GetString(name).TrimEnd('\0').Length, 3);
        Ok(cuDeviceGetAttribute(out value, CUdevice_attribute.CU_DEVICE_ATTRIBUTE_WARP_SIZE, 0));
        Assert.AreEqual(32, value);
    }

    [Test]
    [Shows("cuInit", "cuDevicePrimaryCtxRetain", "cuDevicePrimaryCtxRelease")]
    public void ThePrimaryContextIsOneWhileItIsRetained() {
        IntPtr again;
        uint flags;
        int active;
        Assert.AreEqual(CUresult.CUDA_ERROR_INVALID_VALUE, cuInit(1));
        Ok(cuInit(0));
        Ok(cuDevicePrimaryCtxRetain(out again, 0));
        Assert.AreEqual(Context, again);
        Ok(cuDevicePrimaryCtxRelease(0));
        Ok(cuDevicePrimaryCtxGetState(0, out flags, out active));
        Assert.AreEqual(1, active, "RetainContext keeps it");
    }

    [Test]
    [Shows("cuCtxCreate", "cuCtxDestroy", "cuCtxGetCurrent", "cuCtxSetCurrent", "cuCtxPushCurrent", "cuCtxPopCurrent",
           "cuCtxGetDevice")]
    public void CurrentContextsAreAStack() {
        IntPtr own;
        IntPtr current;
        int device;
        Ok(cuCtxCreate(out own, null, 0, 0));
        Assert.AreNotEqual(Context, own);
        Ok(cuCtxGetCurrent(out current));
        Assert.AreEqual(own, current);
        Ok(cuCtxGetDevice(out device));
        Assert.AreEqual(0, device);
        Ok(cuCtxPopCurrent(out current));
        Assert.AreEqual(own, current);
        Ok(cuCtxGetCurrent(out current));
        Assert.AreEqual(Context, current);
        Ok(cuCtxPushCurrent(own));
        Ok(cuCtxGetCurrent(out current));
        Assert.AreEqual(own, current);
        Ok(cuCtxDestroy(own));
        Ok(cuCtxGetCurrent(out current));
        Assert.AreNotEqual(own, current);
        Ok(cuCtxSetCurrent(Context));
        Ok(cuCtxGetCurrent(out current));
        Assert.AreEqual(Context, current);
    }

    [Test]
    public void ProfilersAreSwitchedOnAndOff() {
        Ok(cuProfilerStart());
        Ok(cuProfilerStop());
        Ok(cuCtxSetCurrent(IntPtr.Zero));
        Assert.AreEqual(CUresult.CUDA_ERROR_INVALID_CONTEXT, cuProfilerStart());
    }

    [Test]
    [Shows("cuMemAlloc", "cuMemFree", "cuMemGetInfo", "cuMemcpyHtoD", "cuMemcpyDtoH", "cuMemcpyDtoD", "cuMemsetD8")]
    public void MemoryIsCopiedAndFilled() {
        int[] numbers = Enumerable.Range(1, Count).ToArray();
        ulong first = Allocated(Count * 4);
        ulong second = Allocated(Count * 4);
        ulong free;
        ulong total;
        Ok(cuMemGetInfo(out free, out total));
        Assert.That(free, Is.GreaterThan(0).And.LessThan(total));
        fixed (int* from = numbers) {
            Ok(cuMemcpyHtoD(first, (IntPtr)from, Count * 4));
        }
        Ok(cuMemcpyDtoD(second, first, Count * 4));
        Assert.AreEqual(numbers, Copied(second, Count));
        Ok(cuMemsetD8(first, 0x2B, 4));
        Assert.AreEqual(0x2B2B2B2B, Copied(first, Count)[0]);
        Assert.AreEqual(2, Copied(first, Count)[1]);
        Assert.AreEqual(1, Copied(second, Count)[0]);
        Ok(cuMemFree(first));
        Assert.AreEqual(CUresult.CUDA_ERROR_INVALID_VALUE, cuMemFree(first));
        Ok(cuMemFree(second));
    }

    [Test]
    [Shows("cuMemHostAlloc", "cuMemAllocHost", "cuMemFreeHost", "cuMemHostGetDevicePointer", "cuPointerGetAttribute",
           "cuCtxSynchronize")]
    public void PageLockedMemoryIsTheHostsAndTheDevices() {
        IntPtr host;
        ulong onDevice;
        ulong memory = Allocated(4);
        Ok(cuMemHostAlloc(out host, 64, CU_MEMHOSTALLOC_DEVICEMAP));
        Ok(cuMemHostGetDevicePointer(out onDevice, host, 0));
        Ok(cuMemsetD32(onDevice, 5, 1));
        Ok(cuCtxSynchronize());
        Assert.AreEqual(5, *(int*)host);
        Assert.AreEqual((int)CUmemorytype.CU_MEMORYTYPE_HOST,
            Attribute(CUpointer_attribute.CU_POINTER_ATTRIBUTE_MEMORY_TYPE, (ulong)host));
        Assert.AreEqual((int)CUmemorytype.CU_MEMORYTYPE_DEVICE,
            Attribute(CUpointer_attribute.CU_POINTER_ATTRIBUTE_MEMORY_TYPE, memory));
        Ok(cuMemFreeHost(host));
        Assert.AreNotEqual(CUresult.CUDA_SUCCESS, cuMemFreeHost(host));
        Ok(cuMemAllocHost(out host, 64));
        *(int*)host = 17;
        Ok(cuMemcpyHtoD(memory, host, 4));
        Assert.AreEqual(17, Copied(memory, 1)[0]);
        Ok(cuMemFreeHost(host));
        Ok(cuMemFree(memory));
    }

    [Test]
    [Shows("cuMemHostRegister", "cuMemHostUnregister")]
    public void MemoryOfAnArrayIsRegistered() {
        ulong onDevice;
        byte[] pages = new byte[3 * 4096];
        fixed (byte* begin = pages) {
            byte* page = (byte*)(((ulong)begin + 4095) / 4096 * 4096);
            Ok(cuMemHostRegister((IntPtr)page, 4096, CU_MEMHOSTREGISTER_DEVICEMAP));
            Assert.AreEqual(CUresult.CUDA_ERROR_HOST_MEMORY_ALREADY_REGISTERED,
                cuMemHostRegister((IntPtr)page, 4096, 0));
            Ok(cuMemHostGetDevicePointer(out onDevice, (IntPtr)page, 0));
            Ok(cuMemsetD8(onDevice, 6, 4096));
            Ok(cuCtxSynchronize());
            Assert.AreEqual(6, page[4095]);
            Ok(cuMemHostUnregister((IntPtr)page));
            Assert.AreEqual(CUresult.CUDA_ERROR_HOST_MEMORY_NOT_REGISTERED, cuMemHostUnregister((IntPtr)page));
        }
    }

    [Test]
    [Shows("cuMemAllocManaged")]
    public void ManagedMemoryIsTheHostsAndTheDevices() {
        ulong managed;
        Ok(cuMemAllocManaged(out managed, 64, (uint)CUmemAttach_flags.CU_MEM_ATTACH_GLOBAL));
        Assert.AreEqual(1, Attribute(CUpointer_attribute.CU_POINTER_ATTRIBUTE_IS_MANAGED, managed));
        Ok(cuMemsetD32(managed, 3, 16));
        Ok(cuCtxSynchronize());
        Assert.AreEqual(3, ((int*)managed)[15]);
        ((int*)managed)[0] = 4;
        Assert.AreEqual(4, Copied(managed, 1)[0]);
        Ok(cuMemFree(managed));
    }

    [Test]
    [Shows("cuMemAllocAsync", "cuMemFreeAsync", "cuMemsetD8Async", "cuMemcpyHtoDAsync", "cuMemcpyDtoHAsync",
           "cuStreamSynchronize")]
    public void StreamsAllocateFillCopyAndFreeInTheirOrder() {
        IntPtr stream = NewStream();
        ulong memory;
        int[] numbers = Enumerable.Range(1, Count).ToArray();
        int[] back = new int[Count];
        Ok(cuMemAllocAsync(out memory, Count * 4, stream));
        fixed (int* from = numbers, to = back) {
            Ok(cuMemsetD8Async(memory, 1, Count * 4, stream));
            Ok(cuMemcpyHtoDAsync(memory, (IntPtr)from, Count * 2, stream));
            Ok(cuMemcpyDtoHAsync((IntPtr)to, memory, Count * 4, stream));
            Ok(cuMemFreeAsync(memory, stream));
            Ok(cuStreamSynchronize(stream));
        }
        Assert.AreEqual(Count / 2, back[Count / 2 - 1]);
        Assert.AreEqual(0x01010101, back[Count / 2]);
        Ok(cuStreamDestroy(stream));
    }
}
