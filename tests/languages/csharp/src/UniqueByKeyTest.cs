using System;
using System.Linq;
using Cuprum;
using NUnit.Framework;
using Buffer = Cuprum.Buffer;

/// <summary>The first of each run of equal keys, and its value, against a plain loop.</summary>
[TestFixture]
public class UniqueByKeyTest {
    private static readonly int[] counts = { 0, 1, 2, 1000, 30000 };

    /// <summary>Runs of three equal keys or so.</summary>
    private static int[] Keys(int count) {
        var random = new Random(count);
        int key = 0;
        return Enumerable.Range(0, count).Select(i => key = random.Next(3) == 0 ? random.Next(50) : key).ToArray();
    }

    /// <summary>Where the runs start.</summary>
    private static int[] Starts(int[] keys) {
        return Enumerable.Range(0, keys.Length).Where(i => i == 0 || keys[i] != keys[i - 1]).ToArray();
    }

    [Test]
    public void ArraysKeepTheFirstOfEachRunAndWhatFollowsStaysAsItWas() {
        foreach (Execution execution in new Execution[] { new Device(0), Execution.Host }) {
            foreach (int count in counts) {
                int[] given = Keys(count);
                var keys = (int[])given.Clone();
                short[] values = Enumerable.Range(0, count).Select(i => (short)i).ToArray();
                int[] starts = Starts(given);
                Assert.AreEqual(starts.Length, Parallel.UniqueByKey(keys, values, execution));
                Assert.AreEqual(starts.Select(i => given[i]), keys.Take(starts.Length));
                Assert.AreEqual(starts.Select(i => (short)i), values.Take(starts.Length));
                Assert.AreEqual(given.Skip(starts.Length), keys.Skip(starts.Length));
            }
        }
    }

    [Test]
    public void OperatorsSayWhichKeysAreEqual() {
        var keys = new[] { 10, 19, 20, 10, 11 };
        var values = new[] { 1.0, 2, 3, 4, 5 };
        Assert.AreEqual(3, Parallel.UniqueByKey(keys, values, "a / 10 == b / 10"));
        Assert.AreEqual(new[] { 10, 20, 10 }, keys.Take(3));
        Assert.AreEqual(new[] { 1.0, 3, 4 }, values.Take(3));
        var falling = new[] { 3, 2, 2, 5, 4 };
        Assert.AreEqual(2, Parallel.UniqueByKey(falling, values, (a, b) => a >= b));
        Assert.AreEqual(new[] { 3, 5 }, falling.Take(2));
        Assert.Throws<UnsupportedException>(
            () => Parallel.UniqueByKey(keys, values, "a / 10 == b / 10", Execution.Host));
        Assert.Throws<InvalidArgumentException>(() => Parallel.UniqueByKey(keys, new double[4]));
    }

    [Test]
    public void ItIsBuiltOnceAndCalledOnADevice() {
        const int count = 30000;
        int[] given = Keys(count);
        int[] starts = Starts(given);
        var device = new Device(0);
        using (Stream stream = device.CreateStream())
        using (Buffer input = device.Allocate(4 * count))
        using (Buffer keysOut = device.Allocate(4 * count))
        using (Buffer valuesOut = device.Allocate(8 * count))
        using (Buffer selectedCount = device.Allocate(8))
        using (ElementIterator keys = ElementIterator.Of<int>(input))
        using (ElementIterator values = ElementIterator.Counting(1L << 40))
        using (var equal = new Operator(OpKind.EqualTo))
        using (var unique = new UniqueByKey<int, long>(device, keys, values, equal))
        using (Buffer storage = device.Allocate(unique.TempStorageBytes(count))) {
            input.CopyFrom(given);
            unique.Call(stream, keys, values, keysOut, valuesOut, selectedCount, count);
            unique.Call(stream, keys, values, keysOut, valuesOut, selectedCount, count, null, storage);
            stream.Sync();
            var selected = new ulong[1];
            selectedCount.CopyTo(selected);
            Assert.AreEqual(starts.Length, selected[0]);
            var foundKeys = new int[count];
            var foundValues = new long[count];
            keysOut.CopyTo(foundKeys);
            valuesOut.CopyTo(foundValues);
            Assert.AreEqual(starts.Select(i => given[i]), foundKeys.Take(starts.Length));
            Assert.AreEqual(starts.Select(i => (1L << 40) + i), foundValues.Take(starts.Length));
            Assert.Throws<InvalidArgumentException>(
                () => unique.Call(stream, keys, values, keysOut, keysOut, selectedCount, count));
            Assert.Throws<InvalidArgumentException>(() => new UniqueByKey<long, long>(device, keys, values, equal));
        }
    }

    [Test]
    public void ItIsBuiltOnceAndCalledOnTheHostsCores() {
        var keysIn = new[] { 1, 1, 2, 2, 1 };
        var valuesIn = new[] { 1f, 2, 3, 4, 5 };
        using (ElementIterator keys = ElementIterator.Of(keysIn))
        using (ElementIterator values = ElementIterator.Of(valuesIn))
        using (var equal = new Operator(OpKind.EqualTo))
        using (var unique = new UniqueByKey<int, float>(Execution.Host, keys, values, equal)) {
            var keysOut = new[] { 9, 9, 9, 9, 9 };
            var valuesOut = new[] { 9f, 9, 9, 9, 9 };
            Assert.AreEqual(3, unique.Call(keysIn, valuesIn, keysOut, valuesOut));
            Assert.AreEqual(new[] { 1, 2, 1, 9, 9 }, keysOut);
            Assert.AreEqual(new[] { 1f, 3, 5, 9, 9 }, valuesOut);
            Assert.AreEqual(2, unique.Call(keys, values, keysOut, valuesOut, 4));
#if CUPRUM_SPAN
            Assert.AreEqual(2, unique.Call(
                keysIn.AsSpan(1, 3), valuesIn.AsSpan(1, 3), keysOut.AsSpan(), valuesOut.AsSpan()));
            Assert.AreEqual(new[] { 2f, 3 }, valuesOut.Take(2));
#endif
            Assert.Throws<InvalidArgumentException>(() => unique.Call(keysIn, valuesIn, keysOut, new float[4]));
            Assert.Throws<InvalidArgumentException>(() => unique.Call(keysIn, new float[4], keysOut, valuesOut));
        }
    }
}
