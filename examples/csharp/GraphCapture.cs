// A graph of what is put into a stream: captured once, launched often, and updated with another one's parameters.
// usage: mono GraphCapture.exe

using System;
using System.Linq;
using Cuprum;
using Buffer = Cuprum.Buffer;

internal static class GraphCapture {
    private const string Source = @"
        extern ""C"" __global__ void multiply_add(float* values, float factor, float summand, int n) {
            int i = blockIdx.x * blockDim.x + threadIdx.x;
            if (i < n) values[i] = values[i] * factor + summand;
        }";
    private const int N = 10000;
    private const int Launches = 3;

    // values = (values * factor + 1) * 2, in two steps.
    private static GraphBuilder Build(Device device, Kernel kernel, Buffer values, float factor) {
        LaunchConfig config = LaunchConfig.ForNumElements(N, 256);
        GraphBuilder builder = device.CreateGraphBuilder().BeginBuilding();
        builder.Stream.Launch(config, kernel, values, factor, 1f, N);
        builder.Stream.Launch(config, kernel, values, 2f, 0f, N);
        return builder.EndBuilding();
    }

    private static int Main() {
        var device = new Device(0);
        var result = new float[N];
        using (var program = new Program(Source))
        using (ObjectCode code = program.Compile())
        using (Kernel kernel = code.GetKernel("multiply_add"))
        using (Stream stream = device.CreateStream())
        using (Buffer values = device.Allocate(sizeof(float) * (ulong)N, stream)) {
            values.Fill(0, 4, stream);
            using (GraphBuilder first = Build(device, kernel, values, 1))
            using (GraphBuilder second = Build(device, kernel, values, 3))
            using (Graph graph = first.Complete()) {
                for (int i = 0; i < Launches; ++i) {
                    graph.Launch(stream);    // 0, 2, 6, 14
                }
                graph.Update(second);
                graph.Launch(stream);    // (14 * 3 + 1) * 2
                stream.Sync();
            }
            values.CopyTo(result);
        }
        int wrong = result.Count(each => each != 86);
        Console.WriteLine("a graph launched {0} times on {1}: {2} of {3} values wrong", Launches + 1, device.Name, wrong,
                          N);
        return wrong == 0 ? 0 : 1;
    }
}
