using System;
using System.Linq;
using Cuprum;
using NUnit.Framework;
using Buffer = Cuprum.Buffer;

/// <summary>Each segment of the keys sorted, against Array.Sort.</summary>
[TestFixture]
public class SegmentedSortTest {
    private const int count = 12000;
    private static readonly int[] starts = { 0, 3, 3, 120, 2000 };
    private static readonly int[] stops = { 3, 3, 120, 2000, count };

    [Test]
    public void SegmentsAreSortedOnADevice() {
        var random = new Random(1);
        int[] given = Enumerable.Range(0, count).Select(i => random.Next()).ToArray();
        var device = new Device(0);
        using (Stream stream = device.CreateStream())
        using (Buffer keys = device.Allocate(4 * count))
        using (Buffer sorted = device.Allocate(4 * count))
        using (Buffer begins = device.Allocate(4 * (ulong)starts.Length))
        using (Buffer ends = device.Allocate(4 * (ulong)stops.Length))
        using (var sort = new SegmentedSort<int, int>(device, SortOrder.Ascending)) {
            keys.CopyFrom(given);
            begins.CopyFrom(starts);
            ends.CopyFrom(stops);
            sort.Call(stream, keys, sorted, count, (ulong)starts.Length, begins, ends);
            stream.Sync();
            var found = new int[count];
            sorted.CopyTo(found);
            for (int i = 0; i < starts.Length; ++i) {
                Array.Sort(given, starts[i], stops[i] - starts[i]);
            }
            Assert.AreEqual(given, found);
            Assert.Throws<InvalidArgumentException>(
                () => sort.Call(stream, keys, keys, count, (ulong)starts.Length, begins, ends));
        }
    }

    [Test]
    public void ValuesMoveWithTheirKeysOnTheHostsCores() {
        using (var sort = new SegmentedSort<int, float, int>(Execution.Host, SortOrder.Descending)) {
            var keys = new[] { 1, 2, 3, 1, 9, 9 };
            var values = new[] { 1f, 2, 3, 4, 5, 6 };
            var keysOut = new int[6];
            var valuesOut = new float[6];
            sort.Call(keys, keysOut, values, valuesOut, new[] { 0, 3 }, new[] { 3, 5 });
            Assert.AreEqual(new[] { 3, 2, 1, 9, 1, 0 }, keysOut);
            Assert.AreEqual(new[] { 3f, 2, 1, 5, 4, 0 }, valuesOut);
            Assert.Throws<InvalidArgumentException>(
                () => sort.Call(keys, keysOut, values, new float[5], new[] { 0, 3 }, new[] { 3, 5 }));
        }
    }
}
