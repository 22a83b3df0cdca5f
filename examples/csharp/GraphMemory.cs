// Memory of a graph: what it allocates in each launch, and a buffer that it keeps although the program has disposed of it.
// usage: mono GraphMemory.exe

using System;
using System.Linq;
using Cuprum;
using Buffer = Cuprum.Buffer;

internal static class GraphMemory {
    private const int N = 10000;
    private const ulong Size = sizeof(int) * (ulong)N;
    private const int Launches = 3;

    // result = a copy of constants, by way of memory that the graph allocates and frees.
    private static Graph Build(Device device, GraphMemoryResource memory, Buffer result) {
        using (Buffer constants = device.Allocate(Size))
        using (GraphBuilder builder = device.CreateGraphBuilder()) {
            constants.CopyFrom(Enumerable.Repeat(42, N).ToArray());
            builder.BeginBuilding();
            Buffer scratch = memory.Allocate(Size, builder.Stream);    // nothing is allocated yet
            scratch.CopyFrom(constants, builder.Stream);
            result.CopyFrom(scratch, builder.Stream);
            scratch.Dispose();    // the graph frees it
            return builder.EndBuilding().Complete();    // which keeps the constants
        }
    }

    private static int Main() {
        var device = new Device(0);
        int wrong = 0;
        ulong used;
        using (var memory = new GraphMemoryResource(device))
        using (Stream stream = device.CreateStream())
        using (Buffer result = device.Allocate(Size)) {
            memory.SetAttribute(GraphMemoryAttribute.UsedMemHigh, 0);
            using (Graph graph = Build(device, memory, result)) {
                var values = new int[N];
                for (int i = 0; i < Launches; ++i) {
                    result.Fill(0, 4, stream);
                    graph.Launch(stream);
                    stream.Sync();
                    result.CopyTo(values);
                    wrong += values.Count(each => each != 42);
                }
                used = memory.GetAttribute(GraphMemoryAttribute.UsedMemHigh);
            }
            memory.Trim();
        }
        Console.WriteLine("a graph launched {0} times on {1}, which allocates: {2} values wrong", Launches, device.Name,
                          wrong);
        return wrong == 0 && used >= Size ? 0 : 1;
    }
}
