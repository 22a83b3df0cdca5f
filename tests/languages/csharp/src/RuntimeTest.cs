using System;
using Cuprum.Bindings;
using NUnit.Framework;
using static Cuprum.Bindings.Runtime;

/// <summary>
/// What the runtime's functions do: those of libcudart on a GPU, those of its companion on the simulator.
/// </summary>
[TestFixture]
public unsafe class RuntimeTest {
    private const int Count = 64;

    private static void Ok(cudaError_t status) {
        Assert.AreEqual(cudaError_t.cudaSuccess, status);
    }

    private static IntPtr NewStream() {
        IntPtr stream;
        Ok(cudaStreamCreateWithFlags(out stream, cudaStreamNonBlocking));
        return stream;
    }

    private static byte[] Copied(IntPtr memory) {
        byte[] back = new byte[Count];
        fixed (byte* to = back) {
            Ok(cudaMemcpy((IntPtr)to, memory, Count, cudaMemcpyKind.cudaMemcpyDefault));
        }
        return back;
    }

    private static cudaMemoryType TypeOf(IntPtr address) {
        cudaPointerAttributes attributes;
        Ok(cudaPointerGetAttributes(out attributes, address));
        return attributes.type;
    }

    [Test]
    [Shows("cudaGetErrorString")]
    public void ErrorsHaveTexts() {
        Assert.AreEqual("cudaErrorInvalidValue", cudaGetErrorName(cudaError_t.cudaErrorInvalidValue));
        Assert.AreEqual("invalid argument", cudaGetErrorString(cudaError_t.cudaErrorInvalidValue));
    }

    [Test]
    [Shows("cudaGetDeviceProperties")]
    public void DevicesHaveProperties() {
        int version;
        cudaDeviceProp properties;
        Ok(cudaRuntimeGetVersion(out version));
        cudaError_t status = cudaGetDeviceProperties(out properties, 0);
        // CUDA 13 has rearranged them: a libcudart of another major version would fill other members.
        if (version / 1000 != CUDART_VERSION / 1000) {
            Assert.AreEqual(cudaError_t.cudaErrorSymbolNotFound, status);
            Assert.Ignore("libcudart has another major version than the headers, and is refused");
        }
        Ok(status);
        Assert.AreEqual(32, properties.warpSize);
    }

    [Test]
    [Shows("cudaGetDeviceCount", "cudaSetDevice", "cudaGetDevice", "cudaDeviceGetAttribute", "cudaPeekAtLastError",
           "cudaGetLastError")]
    public void DevicesAreChosenAndThreadsHaveALastError() {
        int value;
        int count;
        Ok(cudaGetDeviceCount(out count));
        Ok(cudaSetDevice(count - 1));
        Ok(cudaGetDevice(out value));
        Assert.AreEqual(count - 1, value);
        Ok(cudaSetDevice(0));
        Ok(cudaGetDevice(out value));
        Assert.AreEqual(0, value);
        Ok(cudaDeviceGetAttribute(out value, cudaDeviceAttr.cudaDevAttrWarpSize, 0));
        Assert.AreEqual(32, value);
        Assert.AreEqual(cudaError_t.cudaErrorInvalidDevice, cudaSetDevice(4711));
        Assert.AreEqual(cudaError_t.cudaErrorInvalidDevice, cudaPeekAtLastError());
        Assert.AreEqual(cudaError_t.cudaErrorInvalidDevice, cudaGetLastError());
        Ok(cudaPeekAtLastError());
        Ok(cudaGetLastError());
    }

    [Test]
    [Shows("cudaMalloc", "cudaFree", "cudaMemGetInfo", "cudaMemcpyAsync", "cudaMemsetAsync",
           "cudaStreamCreateWithFlags", "cudaStreamSynchronize", "cudaStreamDestroy")]
    public void StreamsCopyAndFillMemory() {
        IntPtr stream = NewStream();
        IntPtr memory;
        ulong free;
        ulong total;
        Ok(cudaMalloc(out memory, Count));
        Ok(cudaMemGetInfo(out free, out total));
        Assert.That(free, Is.GreaterThan(0).And.LessThan(total));
        byte[] data = new byte[Count];
        byte[] back = new byte[Count];
        data[Count - 1] = 5;
        fixed (byte* from = data, to = back) {
            Ok(cudaMemcpyAsync(memory, (IntPtr)from, Count, cudaMemcpyKind.cudaMemcpyHostToDevice, stream));
            Ok(cudaMemsetAsync(memory, 9, Count / 2, stream));
            Ok(cudaMemcpyAsync((IntPtr)to, memory, Count, cudaMemcpyKind.cudaMemcpyDeviceToHost, stream));
            Ok(cudaStreamSynchronize(stream));
        }
        Assert.AreEqual(9, back[0]);
        Assert.AreEqual(5, back[Count - 1]);
        Ok(cudaFree(memory));
        Assert.AreEqual(cudaError_t.cudaErrorInvalidValue, cudaFree(memory));
        Assert.AreEqual(cudaError_t.cudaErrorInvalidValue, cudaGetLastError());
        Ok(cudaStreamDestroy(stream));
    }

    [Test]
    [Shows("cudaMallocHost", "cudaFreeHost", "cudaHostRegister", "cudaHostUnregister")]
    public void HostMemoryIsPageLocked() {
        IntPtr host;
        Ok(cudaMallocHost(out host, Count));
        Assert.AreEqual(cudaMemoryType.cudaMemoryTypeHost, TypeOf(host));
        Ok(cudaFreeHost(host));
        byte[] pages = new byte[3 * 4096];
        fixed (byte* begin = pages) {
            IntPtr page = (IntPtr)(((ulong)begin + 4095) / 4096 * 4096);
            Assert.AreEqual(cudaMemoryType.cudaMemoryTypeUnregistered, TypeOf(page));
            Ok(cudaHostRegister(page, 4096, cudaHostRegisterDefault));
            Assert.AreEqual(cudaMemoryType.cudaMemoryTypeHost, TypeOf(page));
            Ok(cudaHostUnregister(page));
            Assert.AreEqual(cudaMemoryType.cudaMemoryTypeUnregistered, TypeOf(page));
        }
    }

    [Test]
    [Shows("cudaEventCreateWithFlags", "cudaEventRecord", "cudaEventDestroy", "cudaStreamWaitEvent",
           "cudaMallocManaged", "cudaDeviceSynchronize")]
    public void EventsOrderStreams() {
        IntPtr first = NewStream();
        IntPtr second = NewStream();
        IntPtr done;
        IntPtr memory;
        Ok(cudaEventCreateWithFlags(out done, cudaEventDisableTiming));
        Ok(cudaMallocManaged(out memory, Count, cudaMemAttachGlobal));
        for (int fill = 0; fill < 100; ++fill) {    // takes a while, so that the other stream does wait
            Ok(cudaMemsetAsync(memory, 3, Count, first));
        }
        Ok(cudaEventRecord(done, first));
        Ok(cudaStreamWaitEvent(second, done, 0));
        Ok(cudaMemsetAsync(memory, 4, Count / 2, second));
        Ok(cudaDeviceSynchronize());
        Assert.AreEqual(4, ((byte*)memory)[0]);
        Assert.AreEqual(3, ((byte*)memory)[Count - 1]);
        Ok(cudaFree(memory));
        Ok(cudaEventDestroy(done));
        Ok(cudaStreamDestroy(first));
        Ok(cudaStreamDestroy(second));
    }

    [Test]
    [Shows("cudaStreamBeginCapture", "cudaStreamEndCapture")]
    public void WhatAStreamCapturesIsDoneWhenItsGraphIsLaunched() {
        IntPtr stream = NewStream();
        IntPtr memory;
        IntPtr graph;
        IntPtr executable;
        Ok(cudaMalloc(out memory, Count));
        Ok(cudaMemset(memory, 1, Count));
        Ok(cudaStreamBeginCapture(stream, cudaStreamCaptureMode.cudaStreamCaptureModeThreadLocal));
        Ok(cudaMemsetAsync(memory, 7, Count / 2, stream));
        Ok(cudaStreamEndCapture(stream, out graph));
        Ok(cudaGraphInstantiate(out executable, graph, 0));
        Assert.AreEqual(1, Copied(memory)[0], "capturing does nothing yet");
        Ok(cudaGraphLaunch(executable, stream));
        Ok(cudaStreamSynchronize(stream));
        Assert.AreEqual(7, Copied(memory)[0]);
        Assert.AreEqual(1, Copied(memory)[Count - 1]);
        Ok(cudaGraphExecDestroy(executable));
        Ok(cudaGraphDestroy(graph));
        Ok(cudaFree(memory));
        Ok(cudaStreamDestroy(stream));
    }
}
