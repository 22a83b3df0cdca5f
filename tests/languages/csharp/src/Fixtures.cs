using System;
using System.Diagnostics;
using System.Threading;
using Cuprum;
using NUnit.Framework;
using Buffer = Cuprum.Buffer;

/// <summary>
/// What the tests share. They run on the simulator (CUPRUM_DRIVER=sim) and on a GPU (CUPRUM_DRIVER=gpu).
/// </summary>
internal static class Fixtures {
    public const string Saxpy = @"
extern ""C"" __global__ void saxpy(float a, const float* x, float* y, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) y[i] = a * x[i] + y[i];
}
";
    /// <summary>Takes long enough to be caught running.</summary>
    public const ulong Wide = 0xFFFFFFFF00000001;

    public static readonly LaunchConfig One = new LaunchConfig(1, 1);

    public static Kernel Kernel(string source, string name) {
        using (var program = new Program(source, new ProgramOptions { Name = name + ".cu" }))
        using (ObjectCode code = program.Compile()) {
            return code.GetKernel(name);
        }
    }

    /// <summary>Launches saxpy once more over buffers of four ones, and finds that it works.</summary>
    public static void AssertStillUsable(Stream stream, Kernel saxpy, Buffer x, Buffer y) {
        float[] ones = { 1, 1, 1, 1 };
        stream.Sync();  // a copy without a stream does not wait for what is still in this one
        x.CopyFrom(ones);
        y.CopyFrom(ones);
        stream.Launch(new LaunchConfig(1, 32), saxpy, 2.0f, x, y, 4);
        stream.Sync();
        var result = new float[4];
        y.CopyTo(result);
        Assert.AreEqual(new float[] { 3, 3, 3, 3 }, result);
    }

    public static void AssertMentions(Exception error, params string[] words) {
        foreach (string word in words) {
            StringAssert.Contains(word, error.Message);
        }
    }

    /// <summary>How many native objects are in use. Garbage of earlier tests is collected first, so that it does not
    /// go, and change the count, during the test that counts. What Mono's conservative collector takes for a reference
    /// stays, after five attempts.</summary>
    public static ulong LiveHandlesWithoutGarbage() {
        for (int attempt = 0; attempt < 5 && CuprumLibrary.LiveHandles > 0; ++attempt) {
            GC.Collect();
            GC.WaitForPendingFinalizers();
        }
        return CuprumLibrary.LiveHandles;
    }

    /// <summary>Collects garbage until no more native objects are in use than these; fewer, when garbage of earlier tests
    /// goes as well.</summary>
    public static void AwaitLiveHandles(ulong expected) {
        Stopwatch watch = Stopwatch.StartNew();
        while (CuprumLibrary.LiveHandles > expected && watch.Elapsed < TimeSpan.FromSeconds(20)) {
            GC.Collect();
            GC.WaitForPendingFinalizers();
            Thread.Sleep(10);
        }
        Assert.LessOrEqual(CuprumLibrary.LiveHandles, expected);
    }
}

/// <summary>No test leaves more native objects than it found. It may find some that earlier tests left to the garbage
/// collector, which comes when it likes.</summary>
public abstract class LeavesNothing {
    private ulong before;

    [SetUp]
    public void CountBefore() {
        before = Fixtures.LiveHandlesWithoutGarbage();
    }

    [TearDown]
    public void CountAfter() {
        Assert.LessOrEqual(CuprumLibrary.LiveHandles, before, "native objects alive after the test");
    }
}
