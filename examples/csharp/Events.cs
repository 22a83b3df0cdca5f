// Two streams: the second one waits for an event of the first, and other events measure how long a kernel takes.
// usage: mono Events.exe

using System;
using System.Linq;
using Cuprum;
using Buffer = Cuprum.Buffer;

internal static class Events {
    private const string Source = @"
extern ""C"" __global__ void grow(int* values, int factor, int summand, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) values[i] = values[i] * factor + summand;
}
";
    private const int N = 100000;

    private static int Main() {
        var device = new Device(0);
        LaunchConfig config = LaunchConfig.ForNumElements(N, 256);
        var result = new int[N];
        float milliseconds;
        using (var program = new Program(Source, new ProgramOptions { Name = "grow.cu" }))
        using (ObjectCode code = program.Compile())
        using (Kernel grow = code.GetKernel("grow"))
        using (Stream first = device.CreateStream())
        using (Stream second = device.CreateStream())
        using (Event start = device.CreateEvent(new EventOptions { TimingEnabled = true }))
        using (Event end = device.CreateEvent(new EventOptions { TimingEnabled = true }))
        using (Buffer values = device.Allocate(N * sizeof(int), first)) {
            values.Fill(0, 4, first);

            first.Record(start);
            first.Launch(config, grow, values, 1, 3, N);
            first.Record(end);
            second.Wait(end);    // not this thread: it goes on
            second.Launch(config, grow, values, 5, 1, N);
            values.CopyTo(result, second);
            first.Wait(second);    // in which the memory is freed
            first.Sync();
            milliseconds = end - start;
        }
        int wrong = result.Count(value => value != 16);
        Console.WriteLine("{0} values in two streams, the first kernel in {1:F3} ms, on {2}: {3} wrong", N, milliseconds,
                          device.Name, wrong);
        return wrong == 0 && milliseconds >= 0 ? 0 : 1;
    }
}
