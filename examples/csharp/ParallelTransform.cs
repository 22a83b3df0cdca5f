// A transformation: of pairs over arrays, and on the device with an operator whose state is given at each call, and of
// three inputs.
// usage: mono ParallelTransform.exe

using System;
using System.Linq;
using Cuprum;
using Buffer = Cuprum.Buffer;

internal static class ParallelTransform {
    private struct Scale {
        public double factor;
    }

    private static Operator Times(double factor) {
        return Operator.WithState("a * factor", new Scale { factor = factor });
    }

    private static int Main() {
        int[] data = Enumerable.Range(0, 10000).ToArray();
        int[] pairs = Parallel.Transform<int, int, int>(data, data, (a, b) => a * 3 - b);

        bool ok = pairs.SequenceEqual(data.Select(x => 2 * x));
        var scaled = new double[data.Length];
        var device = new Device(0);
        using (Stream stream = device.CreateStream())
        using (Buffer input = device.Allocate(sizeof(int) * (ulong)data.Length))
        using (Buffer output = device.Allocate(sizeof(double) * (ulong)data.Length))
        using (ElementIterator elements = ElementIterator.Of<int>(input))
        using (Operator times = Times(1))
        using (var transform = new Transform<double>(device, elements, times)) {
            input.CopyFrom(data);
            foreach (double factor in new[] { 0.5, 2 }) {    // no second build: the state is an argument of the kernel
                using (Operator withFactor = Times(factor)) {
                    transform.Call(stream, elements, output, (ulong)data.Length, withFactor);
                }
                stream.Sync();
                output.CopyTo(scaled);
                ok = ok && scaled.SequenceEqual(data.Select(x => x * factor));
            }
            using (ElementIterator half = ElementIterator.Constant(0.5))
            using (var formula = new Operator(3, x => x[0] * 1.0 * x[1] + x[2])) {
                var inputs = new[] { elements, elements, half };
                using (var ofThree = new Transform<double>(device, inputs, formula)) {
                    ofThree.Call(stream, inputs, output, (ulong)data.Length);
                }
                stream.Sync();
                output.CopyTo(scaled);
                ok = ok && scaled.SequenceEqual(data.Select(x => (double)x * x + 0.5));
            }
        }
        Console.WriteLine("last {0} and {1}: {2}", pairs.Last(), scaled.Last(), ok ? "ok" : "WRONG");
        return ok ? 0 : 1;
    }
}
