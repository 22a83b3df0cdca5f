using System;
using System.Linq;
using Cuprum;
using NUnit.Framework;
using Buffer = Cuprum.Buffer;

/// <summary>Scans by key, and differences of neighbours.</summary>
[TestFixture]
public class ScanByKeyTest {
    private static readonly int[] keys = { 1, 1, 1, 2, 2, 3 };
    private static readonly int[] values = { 3, 1, 4, 1, 5, 9 };

    [Test]
    public void FunctionsCombineAndCompareOnADevice() {
        const int count = 10000;
        var device = new Device(0);
        using (Stream stream = device.CreateStream())
        using (Buffer output = device.Allocate(8 * count))
        using (ElementIterator counting = ElementIterator.Counting(0))
        using (ElementIterator ones = ElementIterator.Constant(1L))
        using (var add = new Operator((a, b) => a + b))
        using (var isSameHundred = new Operator((a, b) => a / 100 == b / 100))
        using (var scan = new ExclusiveScanByKey<int, long>(device, counting, ones, add, isSameHundred)) {
            scan.Call(stream, counting, ones, output, count, 5L);
            stream.Sync();
            var found = new long[count];
            output.CopyTo(found);
            Assert.AreEqual(Enumerable.Range(0, count).Select(i => 5L + i % 100), found);
        }
    }

    [Test]
    public void RunsAreScannedAndNeighboursSubtractedOnTheHostsCores() {
        using (ElementIterator numbers = ElementIterator.Of<int>())
        using (var plus = new Operator(OpKind.Plus))
        using (var minus = new Operator(OpKind.Minus))
        using (var isEqual = new Operator(OpKind.EqualTo))
        using (var inclusive = new InclusiveScanByKey<int, int>(Execution.Host, numbers, numbers, plus, isEqual))
        using (var exclusive = new ExclusiveScanByKey<int, int>(Execution.Host, numbers, numbers, plus, isEqual))
        using (var left = new AdjacentDifference<int>(Execution.Host, Neighbour.Left, numbers, minus))
        using (var right = new AdjacentDifference<int>(Execution.Host, Neighbour.Right, numbers, minus)) {
            var output = new int[6];
            inclusive.Call(keys, values, output);
            Assert.AreEqual(new[] { 3, 4, 8, 1, 6, 9 }, output);
            exclusive.Call(keys, values, output, 10);
            Assert.AreEqual(new[] { 10, 13, 14, 10, 11, 10 }, output);
            left.Call(values, output);
            Assert.AreEqual(new[] { 3, -2, 3, -3, 4, 4 }, output);
            right.Call(values, output);
            Assert.AreEqual(new[] { 2, -3, 3, -4, -4, 9 }, output);
            Assert.Throws<InvalidArgumentException>(() => left.Call(values, new int[5]));
        }
    }
}
