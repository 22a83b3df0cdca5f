// Several devices: each computes a part, and copies it to the first one. With one device it has all parts.
// usage: mono SeveralDevices.exe

using System;
using System.Collections.Generic;
using System.Linq;
using Cuprum;
using Buffer = Cuprum.Buffer;

internal static class SeveralDevices {
    private const string Source = @"
extern ""C"" __global__ void squares(int* values, int first, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) values[i] = (first + i) * (first + i);
}
";
    private const int Parts = 4;
    private const int N = 1000;    // values in a part
    private const int PartSize = N * sizeof(int);

    // What a device is at work on.
    private struct Part {
        public Stream Stream;
        public Buffer Values;
    }

    private static int Main() {
        IReadOnlyList<Device> devices = Device.GetAllDevices();
        int[] result;
        using (var program = new Program(Source, new ProgramOptions { Name = "squares.cu" }))
        using (ObjectCode code = program.Compile())
        using (Kernel squares = code.GetKernel("squares")) {    // it runs on every device
            List<Part> atWork = Enumerable.Range(0, Parts)
                                    .Select(number => Begin(devices[number % devices.Count], number * N, squares))
                                    .ToList();
            result = Collect(devices[0], atWork);
        }
        int wrong = Enumerable.Range(0, result.Length).Count(i => result[i] != i * i);
        Console.WriteLine("{0} parts by {1} device(s), the first is {2}: {3} wrong", Parts, devices.Count,
                          devices[0].Name, wrong);
        return wrong == 0 ? 0 : 1;
    }

    private static Part Begin(Device device, int first, Kernel squares) {
        Stream stream = device.CreateStream();
        Buffer values = device.Allocate((long)PartSize, stream);
        stream.Launch(LaunchConfig.ForNumElements(N, 128), squares, values, first, N);
        return new Part { Stream = stream, Values = values };
    }

    private static int[] Collect(Device device, List<Part> atWork) {
        var result = new int[Parts * N];
        using (Stream stream = device.CreateStream())
        using (Buffer whole = device.Allocate((long)Parts * PartSize, stream)) {
            for (int number = 0; number < Parts; ++number) {
                stream.Wait(atWork[number].Stream);    // which may be another device's
                ulong address = whole.Handle + (ulong)(number * PartSize);
                using (Buffer there = Buffer.FromHandle(device, address, PartSize)) {
                    there.CopyFrom(atWork[number].Values, stream);
                }
            }
            whole.CopyTo(result, stream);
            stream.Sync();
        }
        foreach (Part part in atWork) {
            part.Values.Dispose();
            part.Stream.Dispose();
        }
        return result;
    }
}
