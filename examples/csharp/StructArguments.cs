// A struct as a kernel's argument, by value, and a grid that has a thread for each element.
// usage: mono StructArguments.exe

using System;
using System.Runtime.InteropServices;
using Cuprum;
using Buffer = Cuprum.Buffer;

internal static class StructArguments {
    private const string Source = @"
struct Motion { float start; double speed; short steps; };

extern ""C"" __global__ void move(Motion motion, double* places, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) places[i] = motion.start + motion.speed * motion.steps * i;
}
";
    private const int N = 1000;

    // As the kernel's: in sequence, fields are laid out as in C.
    [StructLayout(LayoutKind.Sequential)]
    private struct Motion {
        public float Start;
        public double Speed;
        public short Steps;
    }

    private static int Main() {
        var device = new Device(0);
        var result = new double[N];
        using (var program = new Program(Source, new ProgramOptions { Name = "move.cu" }))
        using (ObjectCode code = program.Compile())
        using (Kernel move = code.GetKernel("move"))
        using (Stream stream = device.CreateStream())
        using (Buffer places = device.Allocate(N * sizeof(double), stream)) {
            var motion = new Motion { Start = 0.5f, Speed = 0.25, Steps = 4 };
            stream.Launch(LaunchConfig.ForNumElements(N, 128), move, motion, places, N);
            places.CopyTo(result, stream);
            stream.Sync();
        }
        int wrong = 0;
        for (int i = 0; i < N; ++i) {
            wrong += result[i] == 0.5 + i ? 0 : 1;
        }
        Console.WriteLine("{0} places by a struct of {1} bytes on {2}: {3} wrong", N, Marshal.SizeOf(typeof(Motion)),
                          device.Name, wrong);
        return wrong == 0 ? 0 : 1;
    }
}
