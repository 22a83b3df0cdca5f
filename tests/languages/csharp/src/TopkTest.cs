using System;
using Cuprum;
using NUnit.Framework;
using Buffer = Cuprum.Buffer;

/// <summary>The top keys, both extremes, the first element of a kind, and whether inputs are equal.</summary>
[TestFixture]
public class TopkTest {
    private static readonly int[] numbersIn = { 5, 1, 9, 3, 7 };

    [Test]
    public void TheFirstElementOfAKindIsFoundInOneCall() {
        foreach (Execution execution in new Execution[] { new Device(0), Execution.Host }) {
            Assert.AreEqual(2, Parallel.FindIf(new[] { 0, -0.0, 3, 4 }, "identity", execution));
            Assert.AreEqual(-1, Parallel.FindIf(new int[3], "identity", execution));
            Assert.AreEqual(-1, Parallel.FindIf(new int[0], "identity", execution));
        }
        Assert.AreEqual(1, Parallel.FindIf(new[] { 4, 9, 10 }, a => a > 5));
    }

    [Test]
    public void ElementsAreFoundOnADevice() {
        const int count = 10000;
        var device = new Device(0);
        using (Stream stream = device.CreateStream())
        using (Buffer position = device.Allocate(8))
        using (Buffer keys = device.Allocate(12))
        using (ElementIterator counting = ElementIterator.Counting(0))
        using (var isLarge = new Operator(a => a > 4321))
        using (var find = new FindIf<int, long>(device, counting, isLarge))
        using (var top = new TopkKeys<int>(device, SortOrder.Descending, counting)) {
            find.Call(stream, counting, position, count);
            top.Call(stream, counting, keys, 3, count);
            stream.Sync();
            var found = new long[1];
            var largest = new int[3];
            position.CopyTo(found);
            keys.CopyTo(largest);
            Array.Sort(largest);
            Assert.AreEqual(4322, found[0]);
            Assert.AreEqual(new[] { 9997, 9998, 9999 }, largest);
        }
    }

    [Test]
    public void ElementsAreFoundOnTheHostsCores() {
        using (ElementIterator numbers = ElementIterator.Of<int>())
        using (var isTrue = new Operator(OpKind.Identity))
        using (var isEqual = new Operator(OpKind.EqualTo))
        using (var top = new TopkPairs<int, int>(Execution.Host, SortOrder.Ascending, numbers, numbers))
        using (var extremes = new MinMax<int>(Execution.Host, numbers))
        using (var find = new FindIf<int, int>(Execution.Host, numbers, isTrue))
        using (var equal = new Equal<int>(Execution.Host, numbers, numbers, isEqual)) {
            var keys = new int[2];
            var values = new int[2];
            top.Call(numbersIn, new[] { 0, 1, 2, 3, 4 }, keys, values);
            Array.Sort(keys);
            Array.Sort(values);
            Assert.AreEqual(new[] { 1, 3 }, keys);
            Assert.AreEqual(new[] { 1, 3 }, values);
            Assert.Throws<InvalidArgumentException>(() => top.Call(numbersIn, numbersIn, new int[6], new int[6]));
            extremes.Call(numbersIn, keys);
            Assert.AreEqual(new[] { 1, 9 }, keys);
            Assert.AreEqual(3, find.Call(new[] { 0, 0, 0, 4, 5 }));
            Assert.IsTrue(equal.Call(numbersIn, (int[])numbersIn.Clone()));
            Assert.IsFalse(equal.Call(numbersIn, new int[5]));
        }
    }
}
