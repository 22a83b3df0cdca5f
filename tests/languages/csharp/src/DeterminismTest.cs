using Cuprum;
using NUnit.Framework;

/// <summary>What an execution requires of results.</summary>
[TestFixture]
public class DeterminismTest {
    private static readonly float[] numbers = { 1e8f, 1, -1e8f, 1 };
    // Each thread has four of them in a row, and the threads' sums are taken in halves.
    private static readonly float[] ofFourThreads = { 1e8f, 0, 0, 0, 1, 0, 0, 0, -1e8f, 0, 0, 0, 1, 0, 0, 0 };

    [Test]
    public void TheSumOnEveryDeviceIsTakenInHalves() {
        Execution same = Execution.On(new Device(0)).Require(Determinism.GpuToGpu);
        Assert.AreEqual(Determinism.GpuToGpu, same.Determinism);
        Assert.AreEqual(2f, Parallel.Reduce(ofFourThreads, 0f, "plus", same));    // one after the other it is 1
    }

    [Test]
    public void WhatCannotBeKeptIsRefused() {
        Execution same = Execution.On(new Device(0)).Require(Determinism.RunToRun);
        var refused = Assert.Throws<UnsupportedException>(() => Parallel.InclusiveScan(numbers, "plus", same));
        StringAssert.Contains("determinism run_to_run", refused.Message);
        Assert.AreEqual(new[] { 3, 4 }, Parallel.InclusiveScan(new[] { 3, 1 }, "plus", same));
        Assert.Throws<UnsupportedException>(
            () => Parallel.Reduce(numbers, 0f, "plus", Execution.Host.Require(Determinism.GpuToGpu)));
    }
}
