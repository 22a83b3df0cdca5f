using System.Linq;
using Cuprum;
using NUnit.Framework;
using Buffer = Cuprum.Buffer;

/// <summary>Merges of sorted sequences, and scans of segments.</summary>
[TestFixture]
public class MergeTest {
    private static readonly int[] first = { 1, 4, 4, 9 };
    private static readonly int[] second = { 0, 4, 20 };

    [Test]
    public void FunctionsCompareOnADevice() {
        const int count = 5000;
        var device = new Device(0);
        using (Stream stream = device.CreateStream())
        using (Buffer output = device.Allocate(8 * count))
        using (ElementIterator counting = ElementIterator.Counting(0))
        using (var less = new Operator((a, b) => a < b))
        using (var merge = new MergeKeys<int>(device, counting, counting, less)) {
            merge.Call(stream, counting, count, counting, count, output);
            stream.Sync();
            var found = new int[2 * count];
            output.CopyTo(found);
            Assert.AreEqual(Enumerable.Range(0, 2 * count).Select(i => i / 2), found);
        }
    }

    [Test]
    public void SequencesAreMergedAndSegmentsScannedOnTheHostsCores() {
        using (ElementIterator numbers = ElementIterator.Of<int>())
        using (var less = new Operator(OpKind.Less))
        using (var plus = new Operator(OpKind.Plus))
        using (var keys = new MergeKeys<int>(Execution.Host, numbers, numbers, less))
        using (var pairs = new MergePairs<int, int>(Execution.Host, numbers, numbers, numbers, numbers, less))
        using (var scan = new SegmentedScan<int, long>(Execution.Host, ScanKind.Exclusive, numbers, plus)) {
            var output = new int[7];
            var values = new int[7];
            keys.Call(first, second, output);
            Assert.AreEqual(new[] { 0, 1, 4, 4, 4, 9, 20 }, output);
            pairs.Call(first, new[] { 10, 11, 12, 13 }, second, new[] { 20, 21, 22 }, output, values);
            Assert.AreEqual(new[] { 0, 1, 4, 4, 4, 9, 20 }, output);
            Assert.AreEqual(new[] { 20, 10, 11, 12, 21, 13, 22 }, values);
            Assert.Throws<InvalidArgumentException>(() => keys.Call(first, second, new int[6]));
            scan.Call(first, values, new long[] { 0, 3 }, new long[] { 3, 4 }, 100);
            Assert.AreEqual(new[] { 100, 101, 105, 100, 21, 13, 22 }, values);
        }
    }
}
