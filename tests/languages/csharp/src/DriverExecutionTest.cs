using System;
using System.Linq;
using System.Threading;
using Cuprum.Bindings;
using NUnit.Framework;
using static Cuprum.Bindings.Driver;

/// <summary>What the driver's functions for code, streams, events and graphs do.</summary>
[TestFixture]
public unsafe class DriverExecutionTest : DriverTest {
    private const int Count = 64;

    private readonly byte[] ptx = Ascii(Add);
    private ulong numbers;
    private IntPtr module;
    private IntPtr function;

    [SetUp]
    public void AllocateNumbers() {
        numbers = Allocated(Count * 4);
        Ok(cuMemsetD32(numbers, 1, Count));
    }

    [TearDown]
    public void FreeNumbers() {
        Ok(cuMemFree(numbers));
    }

    private void LoadModule() {
        fixed (byte* image = ptx) {
            Ok(cuModuleLoadData(out module, (IntPtr)image));
        }
        Ok(cuModuleGetFunction(out function, module, "add"));
    }

    /// <summary>Adds 41 to each number.</summary>
    private void Launch(IntPtr stream, bool cooperatively = false) {
        ulong memory = numbers;
        int amount = 41;
        int count = Count;
        IntPtr[] parameters = {(IntPtr)(&memory), (IntPtr)(&amount), (IntPtr)(&count)};
        Ok(cooperatively ? cuLaunchCooperativeKernel(function, 2, 1, 1, 32, 1, 1, 0, stream, parameters)
                         : cuLaunchKernel(function, 2, 1, 1, 32, 1, 1, 0, stream, parameters, null));
    }

    private void AssertNumbers(int expected) {
        Assert.AreEqual(Enumerable.Repeat(expected, Count), Copied(numbers, Count));
    }

    [Test]
    [Shows("cuModuleLoadData", "cuModuleGetFunction", "cuModuleGetGlobal", "cuModuleUnload", "cuLaunchKernel",
           "cuFuncGetAttribute", "cuOccupancyMaxActiveBlocksPerMultiprocessor")]
    public void AModulesFunctionIsLaunched() {
        IntPtr missing;
        ulong variable;
        ulong bytes;
        int value;
        LoadModule();
        Assert.AreEqual(CUresult.CUDA_ERROR_NOT_FOUND, cuModuleGetFunction(out missing, module, "subtract"));
        Launch(IntPtr.Zero);
        AssertNumbers(42);
        Ok(cuModuleGetGlobal(out variable, out bytes, module, "offset"));
        Assert.AreEqual(4, bytes);
        Ok(cuMemsetD32(variable, 2, 1));
        Launch(IntPtr.Zero);
        AssertNumbers(42 + 43);
        Ok(cuFuncGetAttribute(out value, CUfunction_attribute.CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK, function));
        Assert.That(value, Is.InRange(32, 1024));
        Ok(cuOccupancyMaxActiveBlocksPerMultiprocessor(out value, function, 1024, 0));
        Assert.That(value, Is.InRange(1, 2));
        Ok(cuModuleUnload(module));
    }

    [Test]
    [Shows("cuModuleLoadDataEx")]
    public void ModulesAreLoadedWithOptions() {
        byte[] log = new byte[4096];
        CUjit_option[] options = {CUjit_option.CU_JIT_ERROR_LOG_BUFFER,
                                  CUjit_option.CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES};
        fixed (byte* text = log, nonsense = Ascii("no PTX at all"), image = ptx) {
            Assert.AreNotEqual(CUresult.CUDA_SUCCESS, cuModuleLoadDataEx(out module, (IntPtr)nonsense, 2, options,
                new[] {(IntPtr)text, new IntPtr(log.Length)}));
            Assert.AreNotEqual(0, log[0], "the compiler's message is where the option says");
            Ok(cuModuleLoadDataEx(out module, (IntPtr)image, 2, options,
                new[] {(IntPtr)text, new IntPtr(log.Length)}));
        }
        Ok(cuModuleGetFunction(out function, module, "add"));
        Launch(IntPtr.Zero);
        AssertNumbers(42);
        Ok(cuModuleUnload(module));
    }

    [Test]
    [Shows("cuLibraryLoadData", "cuLibraryGetKernel", "cuLibraryUnload")]
    public void ALibrarysKernelIsLaunched() {
        IntPtr library;
        IntPtr kernel;
        fixed (byte* image = ptx) {
            Ok(cuLibraryLoadData(out library, (IntPtr)image, null, null, 0, null, null, 0));
        }
        Ok(cuLibraryGetKernel(out kernel, library, "add"));
        Ok(cuKernelGetFunction(out function, kernel));
        Launch(IntPtr.Zero);
        AssertNumbers(42);
        Ok(cuLibraryUnload(library));
    }

    [Test]
    [Shows("cuLinkCreate", "cuLinkAddData", "cuLinkComplete", "cuLinkDestroy")]
    public void LinkedCodeIsLoadedAndLaunched() {
        IntPtr link;
        IntPtr code;
        ulong size;
        Ok(cuLinkCreate(0, null, null, out link));
        fixed (byte* image = ptx) {
            Ok(cuLinkAddData(link, CUjitInputType.CU_JIT_INPUT_PTX, (IntPtr)image, (ulong)ptx.Length, "add.ptx", 0,
                null, null));
        }
        Ok(cuLinkComplete(link, out code, out size));
        Assert.Greater(size, 0);
        Ok(cuModuleLoadData(out module, code));
        Ok(cuLinkDestroy(link));    // the code goes with it, what was loaded stays
        Ok(cuModuleGetFunction(out function, module, "add"));
        Launch(IntPtr.Zero);
        AssertNumbers(42);
        Ok(cuModuleUnload(module));
    }

    [Test]
    [Shows("cuLaunchCooperativeKernel")]
    public void ACooperativeLaunchRunsAllBlocks() {
        LoadModule();
        Launch(IntPtr.Zero, cooperatively: true);
        AssertNumbers(42);
        Ok(cuModuleUnload(module));
    }

    [Test]
    [Shows("cuStreamCreate", "cuStreamDestroy", "cuStreamQuery", "cuStreamWaitEvent", "cuEventCreate", "cuEventDestroy",
           "cuEventRecord", "cuEventQuery", "cuEventSynchronize", "cuEventElapsedTime")]
    public void EventsOrderStreamsAndMeasureThem() {
        IntPtr first = NewStream();
        IntPtr second = NewStream();
        IntPtr start = NewEvent();
        IntPtr end = NewEvent();
        float milliseconds;
        using (var gate = new Gate()) {
            Ok(cuEventRecord(start, first));
            Ok(cuEventSynchronize(start));
            gate.Stop(first);
            Ok(cuMemsetD32Async(numbers, 3, Count, first));
            Ok(cuEventRecord(end, first));
            Ok(cuStreamWaitEvent(second, end, 0));
            Ok(cuMemsetD32Async(numbers, 4, Count / 2, second));
            Assert.AreEqual(CUresult.CUDA_ERROR_NOT_READY, cuEventQuery(end));
            Assert.AreEqual(CUresult.CUDA_ERROR_NOT_READY, cuStreamQuery(second));
            Thread.Sleep(20);
            gate.Open();
            Ok(cuStreamSynchronize(second));
            Ok(cuStreamQuery(second));
            Ok(cuEventSynchronize(end));
            Ok(cuEventQuery(end));
        }
        Ok(cuEventElapsedTime(out milliseconds, start, end));
        Assert.GreaterOrEqual(milliseconds, 19);
        int[] back = Copied(numbers, Count);
        Assert.AreEqual(4, back[0]);
        Assert.AreEqual(3, back[Count - 1]);
        Ok(cuEventDestroy(start));
        Ok(cuEventDestroy(end));
        Ok(cuStreamDestroy(first));
        Ok(cuStreamDestroy(second));
    }

    [Test]
    [Shows("cuStreamBeginCapture", "cuStreamEndCapture", "cuGraphInstantiate", "cuGraphLaunch", "cuGraphExecDestroy",
           "cuGraphDestroy")]
    public void WhatAStreamCapturesIsDoneEachTimeItsGraphIsLaunched() {
        IntPtr stream = NewStream();
        IntPtr graph;
        IntPtr executable;
        ulong nodes = 0;
        LoadModule();
        Ok(cuStreamBeginCapture(stream, CUstreamCaptureMode.CU_STREAM_CAPTURE_MODE_THREAD_LOCAL));
        Launch(stream);
        Ok(cuStreamEndCapture(stream, out graph));
        Ok(cuGraphGetNodes(graph, null, ref nodes));
        Assert.AreEqual(1, nodes);
        Ok(cuGraphInstantiate(out executable, graph, 0));
        Ok(cuGraphDestroy(graph));    // what was made of it stays
        AssertNumbers(1);    // capturing does nothing yet
        for (int launch = 1; launch <= 2; ++launch) {
            Ok(cuGraphLaunch(executable, stream));
            Ok(cuStreamSynchronize(stream));
            AssertNumbers(1 + 41 * launch);
        }
        Ok(cuGraphExecDestroy(executable));
        Ok(cuStreamDestroy(stream));
        Ok(cuModuleUnload(module));
    }
}
