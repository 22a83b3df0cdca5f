// Selection: the elements that meet a condition, in order; over an array in one call, and on the device.
// usage: mono ParallelSelect.exe

using System;
using System.Linq;
using Cuprum;
using Buffer = Cuprum.Buffer;

internal static class ParallelSelect {
    private static int Main() {
        int[] data = Enumerable.Range(0, 10000).Select(i => (int)(i * 7919L % 10007)).ToArray();
        int[] multiples = Parallel.Select(data, a => a % 3 == 0);

        var device = new Device(0);
        var numbers = new long[data.Length];
        var count = new ulong[1];
        using (Stream stream = device.CreateStream())
        using (Buffer output = device.Allocate(sizeof(long) * (ulong)data.Length))
        using (Buffer selected = device.Allocate(sizeof(ulong)))
        // Of 1, 2, 3 and so on, which are in no memory, the squares.
        using (ElementIterator counting = ElementIterator.Counting(1L))
        using (var isSquare = new Operator("long long r = llrint(sqrt((double)a)); return r * r == a;"))
        using (var select = new Select<long>(device, counting, isSquare)) {
            select.Call(stream, counting, output, selected, (ulong)data.Length);
            stream.Sync();
            output.CopyTo(numbers);
            selected.CopyTo(count);
        }
        long[] squares = numbers.Take((int)count[0]).ToArray();
        bool ok = multiples.SequenceEqual(data.Where(x => x % 3 == 0))
            && squares.SequenceEqual(Enumerable.Range(1, 100).Select(x => (long)x * x));
        Console.WriteLine(
            "{0} multiples of 3, {1} squares: {2}", multiples.Length, squares.Length, ok ? "ok" : "WRONG");
        return ok ? 0 : 1;
    }
}
