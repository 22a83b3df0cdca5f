using System;
using System.Linq;
using Cuprum;
using NUnit.Framework;
using Buffer = Cuprum.Buffer;

/// <summary>Sorts between two buffers.</summary>
[TestFixture]
public class DoubleBufferTest {
    private const int count = 20011;

    [Test]
    public void TheSortedElementsAreInTheCurrentBuffer() {
        var random = new Random(1);
        int[] keys = Enumerable.Range(0, count).Select(i => random.Next(1 << 24)).ToArray();
        int[] sorted = keys.OrderBy(key => key).ToArray();
        var device = new Device(0);
        using (Stream stream = device.CreateStream())
        using (Buffer first = device.Allocate(4 * count))
        using (Buffer second = device.Allocate(4 * count))
        using (var sort = new RadixSort<int>(device, SortOrder.Ascending))
        using (Buffer storage = device.Allocate(sort.DoubleBufferStorageBytes(count))) {
            first.CopyFrom(keys);
            var buffers = new DoubleBuffer<Buffer>(first, second);
            Assert.LessOrEqual(storage.Size, sort.TempStorageBytes(count) - 4 * count);
            // Three passes over 24 bits end in the other buffer, four over all of them where they began.
            sort.Call(stream, buffers, count, new BitRange(0, 24), storage);
            stream.Sync();
            Assert.AreSame(second, buffers.Current);
            Assert.AreSame(first, buffers.Alternate);
            Assert.AreEqual(1, buffers.Selector);
            Assert.AreEqual(sorted, Ints(buffers.Current));
            sort.Call(stream, buffers, count);
            stream.Sync();
            Assert.AreSame(second, buffers.Current);
            Assert.AreEqual(sorted, Ints(buffers.Current));
            var same = new DoubleBuffer<Buffer>(first, first);
            Assert.Throws<InvalidArgumentException>(() => sort.Call(stream, same, count));
        }
    }

    [Test]
    public void ValuesMoveWithTheirKeys() {
        var device = new Device(0);
        using (Stream stream = device.CreateStream())
        using (Buffer keys = device.Allocate(12))
        using (Buffer otherKeys = device.Allocate(12))
        using (Buffer values = device.Allocate(12))
        using (Buffer otherValues = device.Allocate(12))
        using (var sort = new RadixSort<int, float>(device, SortOrder.Descending)) {
            keys.CopyFrom(new[] { 5, -3, 8 });
            values.CopyFrom(new[] { 0F, 1, 2 });
            var ofKeys = new DoubleBuffer<Buffer>(keys, otherKeys);
            var ofValues = new DoubleBuffer<Buffer>(values, otherValues);
            sort.Call(stream, ofKeys, ofValues, 3);
            stream.Sync();
            var found = new float[3];
            ofValues.Current.CopyTo(found);
            Assert.AreEqual(new[] { 2F, 0, 1 }, found);
            Assert.AreEqual(ofKeys.Selector, ofValues.Selector);
        }
        var sorted = new DoubleBuffer<int[]>(new[] { 5, -3, 8 }, new int[3]);
        var moved = new DoubleBuffer<float[]>(new[] { 0F, 1, 2 }, new float[3]);
        using (var sort = new RadixSort<int, float>(Execution.Host, SortOrder.Descending)) {
            sort.Call(sorted, moved);
        }
        Assert.AreEqual(new[] { 8, 5, -3 }, sorted.Current);
        Assert.AreEqual(new[] { 2F, 0, 1 }, moved.Current);
        using (var sort = new RadixSort<int>(Execution.Host, SortOrder.Ascending)) {
            sort.Call(sorted);
        }
        Assert.AreEqual(new[] { -3, 5, 8 }, sorted.Current);
    }

    private static int[] Ints(Buffer buffer) {
        var elements = new int[count];
        buffer.CopyTo(elements);
        return elements;
    }
}
