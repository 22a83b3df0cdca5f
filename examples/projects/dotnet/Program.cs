using System;
using Cuprum;
using Buffer = Cuprum.Buffer;

/// <summary>y = a x + y on the device.</summary>
internal static class Saxpy {
    private const string Source = @"
extern ""C"" __global__ void saxpy(float a, const float* x, float* y, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) y[i] = a * x[i] + y[i];
}";

    private static void Main() {
        const int n = 1000;
        var x = new float[n];
        var y = new float[n];
        for (int i = 0; i < n; ++i) {
            x[i] = 1;
            y[i] = 2;
        }
        var device = new Device(0);
        using (var program = new Cuprum.Program(Source))
        using (ObjectCode code = program.Compile())
        using (Kernel saxpy = code.GetKernel("saxpy"))
        using (Stream stream = device.CreateStream())
        using (Buffer onDeviceX = device.Allocate(4L * n))
        using (Buffer onDeviceY = device.Allocate(4L * n)) {
            onDeviceX.CopyFrom(x, stream);
            onDeviceY.CopyFrom(y, stream);
            stream.Launch(new LaunchConfig((n + 255) / 256, 256), saxpy, 3f, onDeviceX, onDeviceY, n);
            onDeviceY.CopyTo(y, stream);
            stream.Sync();
        }
        Console.WriteLine(device.Name + ": y[0] = " + y[0]);
    }
}
