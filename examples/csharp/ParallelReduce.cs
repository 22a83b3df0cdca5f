// A reduction: over an array in one call, and on the device, built once and called as often as wanted.
// usage: mono ParallelReduce.exe

using System;
using System.Linq;
using Cuprum;
using Buffer = Cuprum.Buffer;

internal static class ParallelReduce {
    private static int Main() {
        int[] data = Enumerable.Range(1, 10000).ToArray();
        long sum = Parallel.Reduce(data, 0L, (a, b) => a + b);

        var device = new Device(0);
        var sumOfSquares = new long[1];
        using (Stream stream = device.CreateStream())
        using (Buffer input = device.Allocate(sizeof(int) * (ulong)data.Length))
        using (Buffer output = device.Allocate(sizeof(long)))
        using (ElementIterator elements = ElementIterator.Of<int>(input))
        using (var square = new Operator("(long long)a * a"))
        // Squares, made while they are read: a transform-reduction.
        using (ElementIterator squares = elements.Transform<long>(square))
        using (var plus = new Operator(OpKind.Plus))
        using (var reduce = new Reduce<long>(device, squares, plus)) {
            input.CopyFrom(data);
            reduce.Call(stream, squares, output, (ulong)data.Length, 0);
            stream.Sync();
            output.CopyTo(sumOfSquares);
        }
        bool ok = sum == 50005000 && sumOfSquares[0] == 333383335000;
        Console.WriteLine("sum {0}, sum of squares {1}: {2}", sum, sumOfSquares[0], ok ? "ok" : "WRONG");
        return ok ? 0 : 1;
    }
}
