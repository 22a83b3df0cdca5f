// A graph described node by node: a fill, a loop that a kernel ends, a copy and a function of the program's.
// usage: mono GraphNodes.exe

using System;
using System.Threading;
using Cuprum;
using Buffer = Cuprum.Buffer;

internal static class GraphNodes {
    // One step towards 1: how many it takes is not known before.
    private const string Source = @"
        extern ""C"" __device__ __cudart_builtin__ void CUDARTAPI cudaGraphSetConditional(
            cudaGraphConditionalHandle, unsigned);
        extern ""C"" __global__ void step(cudaGraphConditionalHandle again, unsigned* value, unsigned* steps) {
            *value = *value % 2 == 0 ? *value / 2 : 3 * *value + 1;
            *steps += 1;
            cudaGraphSetConditional(again, *value != 1);
        }";
    private const uint Start = 27;
    private const int Expected = 111;    // steps

    private static int Main() {
        var device = new Device(0);
        int calls = 0;
        var counted = new int[1];
        using (var program = new Program(Source))
        using (ObjectCode code = program.Compile())
        using (Kernel step = code.GetKernel("step"))
        using (Stream stream = device.CreateStream())
        using (Buffer value = device.Allocate(4ul))
        using (Buffer steps = device.Allocate(4ul))
        using (Buffer result = device.Allocate(4ul))
        using (var definition = new GraphDefinition(device)) {
            GraphCondition again = definition.CreateCondition(1);
            GraphNode loop = definition.Memset(value, Start, 4, 1).Memset(steps, 0, 4, 1).WhileLoop(again);
            using (GraphDefinition body = loop.GetBodies()[0]) {
                body.Launch(new LaunchConfig(1, 1), step, again.Handle, value, steps);
            }
            loop.Memcpy(result, steps, 4).Callback(() => Interlocked.Increment(ref calls));

            using (Graph graph = definition.Instantiate()) {
                graph.Launch(stream);
                graph.Launch(stream);
                stream.Sync();
            }
            result.CopyTo(counted);
        }
        Console.WriteLine("from {0} to 1 in {1} steps, {2} times, on {3}", Start, counted[0], calls, device.Name);
        return counted[0] == Expected && calls == 2 ? 0 : 1;
    }
}
