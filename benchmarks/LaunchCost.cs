using System;
using System.Diagnostics;
using Cuprum;
using Buffer = Cuprum.Buffer;

/// <summary>
/// What a launch costs in C#: host time, asynchronous, of one block. c_calls.cpp has the C ABI's own of the same kernel.
/// </summary>
internal static class LaunchCost {
    private const int Batches = 81;
    private const int Calls = 500;

    private static void Main() {
        var device = new Device(0);
        Console.WriteLine("# C# on " + device.Name);
        const string four = "extern \"C\" __global__ void with(float* a, int b, float c, double d) {}";
        var config = new LaunchConfig(1, 32);
        using (Stream stream = device.CreateStream())
        using (Buffer buffer = device.Allocate(4096))
        using (var program = new Cuprum.Program("extern \"C\" __global__ void none() {}"))
        using (ObjectCode code = program.Compile())
        using (Kernel none = code.GetKernel("none"))
        using (var withFour = new Cuprum.Program(four))
        using (ObjectCode codeWithFour = withFour.Compile())
        using (Kernel with = codeWithFour.GetKernel("with")) {
            Print(0, Microseconds(stream, () => stream.Launch(config, none)));
            Print(4, Microseconds(stream, () => stream.Launch(config, with, buffer, 32, 2.0f, 2.0)));
            using (var definition = new GraphDefinition(device)) {
                definition.Launch(config, none);
                using (Graph graph = definition.Instantiate()) {
                    double cost = Microseconds(stream, () => graph.Launch(stream));
                    Console.WriteLine("Graph.Launch\t" + cost.ToString("0.000") + "\tus");
                }
            }
        }
    }

    /// <summary>Of the fastest batch: what a call costs when nothing disturbs it. The first ones compile.</summary>
    private static double Microseconds(Stream stream, Action launch) {
        double least = double.PositiveInfinity;
        for (int batch = 0; batch < Batches; ++batch) {
            var watch = Stopwatch.StartNew();
            for (int i = 0; i < Calls; ++i) {
                launch();
            }
            least = Math.Min(least, watch.Elapsed.TotalMilliseconds * 1e3 / Calls);
            stream.Sync();
        }
        return least;
    }

    private static void Print(int count, double cost) {
        Console.WriteLine("Stream.Launch, " + count + " arguments\t" + cost.ToString("0.000") + "\tus");
    }
}
