using System;
using System.Linq;
using Cuprum;
using NUnit.Framework;
using Buffer = Cuprum.Buffer;

/// <summary>Selections by flags, unique elements and elements in two parts, against plain loops.</summary>
[TestFixture]
public class PartitionTest {
    private static readonly int[] data = { 5, 5, 0, 3, 3, 3, 0, 0 };
    private static readonly int[] flags = { 1, 0, 1, 0, 0, 1, 0, 0 };

    [Test]
    public void PartsAreOfWhatAFunctionSelectsOnADevice() {
        const int count = 10007;
        var random = new Random(1);
        int[] elements = Enumerable.Range(0, count).Select(i => random.Next(100)).ToArray();
        var device = new Device(0);
        using (Stream stream = device.CreateStream())
        using (Buffer input = device.Allocate(4 * count))
        using (Buffer output = device.Allocate(4 * count))
        using (Buffer selected = device.Allocate(8))
        using (ElementIterator iterator = ElementIterator.Of<int>(input))
        using (var isAbove = new Operator(a => a > 70))
        using (var partition = new Partition<int>(device, iterator, isAbove)) {
            input.CopyFrom(elements);
            partition.Call(stream, iterator, output, selected, count);
            stream.Sync();
            var found = new int[count];
            var number = new ulong[1];
            output.CopyTo(found);
            selected.CopyTo(number);
            Assert.AreEqual(elements.Where(a => a > 70).Concat(elements.Where(a => a <= 70).Reverse()), found);
            Assert.AreEqual(elements.Count(a => a > 70), number[0]);
            Assert.Throws<InvalidArgumentException>(() => partition.Call(stream, iterator, input, selected, count));
        }
    }

    [Test]
    public void UniqueElementsAreKeptInOneCall() {
        foreach (Execution execution in new Execution[] { new Device(0), Execution.Host }) {
            Assert.AreEqual(new[] { 5, 0, 3, 0 }, Parallel.Unique(data, execution));
            Assert.AreEqual(new double[0], Parallel.Unique(new double[0], execution));
            Assert.AreEqual(new short[] { 7 }, Parallel.Unique(new short[] { 7, 7 }, "equal_to", execution));
        }
        Assert.AreEqual(new[] { 10, 20, 19 }, Parallel.Unique(new[] { 10, 15, 20, 19, 11 }, "a / 10 == b / 10"));
        Assert.AreEqual(new[] { 3, 5 }, Parallel.Unique(new[] { 3, 2, 2, 5, 4 }, (a, b) => a >= b));
    }

    [Test]
    public void FlagsAndRunsSelectOnTheHostsCores() {
        using (ElementIterator numbers = ElementIterator.Of<int>())
        using (var isZero = new Operator(OpKind.LogicalNot))
        using (var isEqual = new Operator(OpKind.EqualTo))
        using (var select = new SelectFlagged<int, int>(Execution.Host, numbers, numbers))
        using (var parts = new PartitionFlagged<int, int>(Execution.Host, numbers, numbers))
        using (var zeros = new Partition<int>(Execution.Host, numbers, isZero))
        using (var unique = new Unique<int>(Execution.Host, numbers, isEqual)) {
            var output = new int[8];
            Assert.AreEqual(3, select.Call(data, flags, output));
            Assert.AreEqual(new[] { 5, 0, 3, 0, 0, 0, 0, 0 }, output);
            Assert.AreEqual(3, parts.Call(data, flags, output));
            Assert.AreEqual(new[] { 5, 0, 3, 0, 0, 3, 3, 5 }, output);
            Assert.AreEqual(3, zeros.Call(data, output));
            Assert.AreEqual(new[] { 0, 0, 0, 3, 3, 3, 5, 5 }, output);
            Assert.AreEqual(4, unique.Call(data, output));
            Assert.AreEqual(new[] { 5, 0, 3, 0 }, output.Take(4));
            Assert.Throws<InvalidArgumentException>(() => select.Call(data, new int[7], output));
        }
    }
}
