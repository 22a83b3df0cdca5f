using System;
using System.Linq;
using Cuprum;
using NUnit.Framework;
using Buffer = Cuprum.Buffer;

/// <summary>Elements in three parts, against a plain loop.</summary>
[TestFixture]
public class ThreeWayPartitionTest {
    private const int count = 10007;

    private static int[] Part(Buffer memory, ulong length) {
        var elements = new int[count];
        memory.CopyTo(elements);
        return elements.Take((int)length).ToArray();
    }

    [Test]
    public void PartsAreInTheElementsOrderOnADevice() {
        var random = new Random(1);
        int[] data = Enumerable.Range(0, count).Select(i => random.Next(100)).ToArray();
        var device = new Device(0);
        using (Stream stream = device.CreateStream())
        using (Buffer input = device.Allocate(4 * count))
        using (Buffer first = device.Allocate(4 * count))
        using (Buffer second = device.Allocate(4 * count))
        using (Buffer rest = device.Allocate(4 * count))
        using (Buffer counts = device.Allocate(16))
        using (ElementIterator elements = ElementIterator.Of<int>(input))
        using (var above = new Operator(a => a > 70))
        using (var below = new Operator(a => a < 20))
        using (var partition = new ThreeWayPartition<int>(device, elements, above, below))
        using (Buffer storage = device.Allocate(partition.TempStorageBytes(count))) {
            input.CopyFrom(data);
            partition.Call(stream, elements, first, second, rest, counts, count, above, below, storage);
            stream.Sync();
            var found = new ulong[2];
            counts.CopyTo(found);
            Assert.AreEqual(data.Where(a => a > 70), Part(first, found[0]));
            Assert.AreEqual(data.Where(a => a < 20), Part(second, found[1]));
            Assert.AreEqual(data.Where(a => a >= 20 && a <= 70), Part(rest, count - found[0] - found[1]));
            Assert.Throws<InvalidArgumentException>(
                () => partition.Call(stream, elements, first, first, rest, counts, count));
            Assert.Throws<InvalidArgumentException>(
                () => partition.Call(stream, elements, first, second, rest, counts, count, null, above));
        }
    }

    [Test]
    public void ArraysArePartitionedOnTheHostsCores() {
        using (ElementIterator numbers = ElementIterator.Of<int>())
        using (var isZero = new Operator(OpKind.LogicalNot))
        using (var isOther = new Operator(OpKind.Identity))
        using (var partition = new ThreeWayPartition<int>(Execution.Host, numbers, isZero, isOther)) {
            var first = new[] { 9, 9, 9, 9 };
            var second = new[] { 9, 9, 9, 9 };
            var rest = new[] { 9, 9, 9, 9 };
            var counts = new ulong[2];
            partition.Call(new[] { 0, 3, 0, 4 }, first, second, rest, counts);
            Assert.AreEqual(new ulong[] { 2, 2 }, counts);
            Assert.AreEqual(new[] { 0, 0, 9, 9 }, first);
            Assert.AreEqual(new[] { 3, 4, 9, 9 }, second);
            Assert.AreEqual(new[] { 9, 9, 9, 9 }, rest);
            Assert.Throws<InvalidArgumentException>(
                () => partition.Call(new int[4], first, second, rest, new ulong[1]));
        }
    }
}
