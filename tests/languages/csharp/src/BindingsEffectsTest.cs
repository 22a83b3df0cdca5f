using System;
using System.Text;
using Cuprum.Bindings;
using NUnit.Framework;
using static Cuprum.Bindings.Driver;
using static Cuprum.Bindings.NvJitLink;
using static Cuprum.Bindings.Runtime;

/// <summary>What the functions do: streams, events and graphs of driver and runtime, and a link.</summary>
[TestFixture]
public unsafe class BindingsEffectsTest {
    private const int Count = 64;

    [SetUp]
    public void RetainContext() {
        IntPtr context;
        Ok(cuInit(0));
        Ok(cuDevicePrimaryCtxRetain(out context, 0));
        Ok(cuCtxSetCurrent(context));
    }

    [TearDown]
    public void ReleaseContext() {
        Ok(cuCtxSetCurrent(IntPtr.Zero));
        Ok(cuDevicePrimaryCtxRelease(0));
    }

    private static void Ok(CUresult status) {
        Assert.AreEqual(CUresult.CUDA_SUCCESS, status);
    }

    private static void Ok(cudaError_t status) {
        Assert.AreEqual(cudaError_t.cudaSuccess, status);
    }

    private static int[] Copied(ulong memory) {
        int[] back = new int[Count];
        fixed (int* host = back) {
            Ok(cuMemcpyDtoH((IntPtr)host, memory, Count * 4));
        }
        return back;
    }

    [Test]
    public void WhatAStreamCapturesIsDoneEachTimeItsGraphIsLaunched() {
        IntPtr stream;
        IntPtr graph;
        IntPtr executable;
        ulong memory;
        ulong nodes = 0;
        Ok(cuStreamCreate(out stream, 1));
        Ok(cuMemAlloc(out memory, Count * 4));
        Ok(cuMemsetD32(memory, 1, Count));
        Ok(cuStreamBeginCapture(stream, CUstreamCaptureMode.CU_STREAM_CAPTURE_MODE_RELAXED));
        Ok(cuMemsetD32Async(memory, 7, Count / 2, stream));
        Ok(cuStreamEndCapture(stream, out graph));
        Ok(cuGraphGetNodes(graph, null, ref nodes));
        Assert.AreEqual(1, nodes);
        Ok(cuGraphInstantiate(out executable, graph, 0));
        Assert.AreEqual(1, Copied(memory)[0], "capturing does nothing yet");
        for (int launch = 0; launch < 2; ++launch) {
            Ok(cuMemsetD32(memory, 1, Count));
            Ok(cuGraphLaunch(executable, stream));
            Ok(cuStreamSynchronize(stream));
            int[] back = Copied(memory);
            Assert.AreEqual(7, back[0]);
            Assert.AreEqual(1, back[Count - 1]);
        }
        Ok(cuGraphExecDestroy(executable));
        Ok(cuGraphDestroy(graph));
        Ok(cuMemFree(memory));
        Ok(cuStreamDestroy(stream));
    }

    [Test]
    public void EventsOrderStreamsAndMeasureThem() {
        IntPtr first;
        IntPtr second;
        IntPtr start;
        IntPtr end;
        ulong memory;
        float milliseconds;
        Ok(cuStreamCreate(out first, 1));
        Ok(cuStreamCreate(out second, 1));
        Ok(cuEventCreate(out start, 0));
        Ok(cuEventCreate(out end, 0));
        Ok(cuMemAlloc(out memory, Count * 4));
        Ok(cuEventRecord(start, first));
        Ok(cuMemsetD32Async(memory, 3, Count, first));
        Ok(cuEventRecord(end, first));
        Ok(cuStreamWaitEvent(second, end, 0));
        Ok(cuMemsetD32Async(memory, 4, Count / 2, second));
        Ok(cuStreamSynchronize(second));
        Ok(cuEventSynchronize(end));
        Ok(cuEventElapsedTime(out milliseconds, start, end));
        Assert.GreaterOrEqual(milliseconds, 0);
        int[] back = Copied(memory);
        Assert.AreEqual(4, back[0]);
        Assert.AreEqual(3, back[Count - 1]);
        Ok(cuMemFree(memory));
        Ok(cuEventDestroy(start));
        Ok(cuEventDestroy(end));
        Ok(cuStreamDestroy(first));
        Ok(cuStreamDestroy(second));
    }

    [Test]
    public void NvJitLinkMakesACubinOfPtx() {
        byte[] ptx = Encoding.ASCII.GetBytes(
            ".version 7.0\n.target sm_75\n.address_size 64\n.visible .entry empty() { ret; }\n\0");
        IntPtr link;
        ulong size;
        const nvJitLinkResult done = nvJitLinkResult.NVJITLINK_SUCCESS;
        Assert.AreEqual(done, nvJitLinkCreate(out link, 1, new[] {"-arch=sm_75"}));
        fixed (byte* data = ptx) {
            Assert.AreEqual(done, nvJitLinkAddData(link, nvJitLinkInputType.NVJITLINK_INPUT_PTX, (IntPtr)data,
                (ulong)ptx.Length, "empty"));
        }
        Assert.AreEqual(done, nvJitLinkComplete(link));
        Assert.AreEqual(done, nvJitLinkGetLinkedCubinSize(link, out size));
        Assert.Greater(size, 100);
        Assert.AreEqual(done, nvJitLinkDestroy(ref link));
    }

    [Test]
    public void TheRuntimeCopiesMeasuresAndLaunchesGraphs() {
        if (Environment.GetEnvironmentVariable("CUPRUM_DRIVER") != "gpu") {
            Assert.Ignore("libcudart needs a real driver: CUPRUM_DRIVER=gpu");
        }
        IntPtr stream;
        IntPtr memory;
        IntPtr start;
        IntPtr end;
        IntPtr graph;
        IntPtr executable;
        float milliseconds;
        Ok(cudaStreamCreate(out stream));
        Ok(cudaEventCreate(out start));
        Ok(cudaEventCreate(out end));
        Ok(cudaMalloc(out memory, Count));
        byte[] data = new byte[Count];
        byte[] back = new byte[Count];
        data[Count - 1] = 5;
        fixed (byte* from = data) {
            Ok(cudaMemcpy(memory, (IntPtr)from, Count, cudaMemcpyKind.cudaMemcpyHostToDevice));
        }
        Ok(cudaStreamBeginCapture(stream, cudaStreamCaptureMode.cudaStreamCaptureModeRelaxed));
        Ok(cudaMemsetAsync(memory, 9, Count / 2, stream));
        Ok(cudaStreamEndCapture(stream, out graph));
        Ok(cudaGraphInstantiate(out executable, graph, 0));
        Ok(cudaEventRecord(start, stream));
        Ok(cudaGraphLaunch(executable, stream));
        Ok(cudaEventRecord(end, stream));
        Ok(cudaStreamSynchronize(stream));
        Ok(cudaEventElapsedTime(out milliseconds, start, end));
        Assert.GreaterOrEqual(milliseconds, 0);
        fixed (byte* to = back) {
            Ok(cudaMemcpy((IntPtr)to, memory, Count, cudaMemcpyKind.cudaMemcpyDeviceToHost));
        }
        Assert.AreEqual(9, back[0]);
        Assert.AreEqual(5, back[Count - 1]);
        Assert.AreEqual("cudaErrorInvalidValue", cudaGetErrorName(cudaError_t.cudaErrorInvalidValue));
        Ok(cudaGraphExecDestroy(executable));
        Ok(cudaGraphDestroy(graph));
        Ok(cudaFree(memory));
        Ok(cudaEventDestroy(start));
        Ok(cudaEventDestroy(end));
        Ok(cudaStreamDestroy(stream));
    }
}
