using System;
using System.Linq;
using Cuprum;
using NUnit.Framework;
using Buffer = Cuprum.Buffer;

/// <summary>Where values belong among sorted elements, against a plain loop.</summary>
[TestFixture]
public class BinarySearchTest {
    private const int count = 3000;
    private static readonly int[] data = Numbers(1, 0, 1000).OrderBy(each => each).ToArray();
    private static readonly int[] values = Numbers(2, -5, 1005);

    private static int[] Numbers(int seed, int least, int most) {
        var random = new Random(seed);
        return Enumerable.Range(0, count).Select(i => random.Next(least, most)).ToArray();
    }

    /// <summary>How many elements are before the value, or not behind it.</summary>
    private static long[] Expected(Bound bound) {
        return values.Select(value => (long)data.Count(each => bound == Bound.Lower ? each < value : each <= value))
            .ToArray();
    }

    [Test]
    public void ValuesAreSearchedOnADevice() {
        var device = new Device(0);
        using (Stream stream = device.CreateStream())
        using (Buffer elements = device.Allocate(4 * count))
        using (Buffer wanted = device.Allocate(4 * count))
        using (Buffer positions = device.Allocate(8 * count))
        using (ElementIterator sorted = ElementIterator.Of<int>(elements))
        using (ElementIterator searched = ElementIterator.Of<int>(wanted))
        using (var less = new Operator(OpKind.Less)) {
            elements.CopyFrom(data);
            wanted.CopyFrom(values);
            foreach (Bound bound in new[] { Bound.Lower, Bound.Upper }) {
                using (var search = new BinarySearch<int, long>(device, bound, sorted, searched, less)) {
                    search.Call(stream, sorted, count, searched, positions, count);
                    stream.Sync();
                    var found = new long[count];
                    positions.CopyTo(found);
                    Assert.AreEqual(Expected(bound), found);
                    Assert.Throws<InvalidArgumentException>(
                        () => search.Call(stream, sorted, count, searched, elements, count));
                }
            }
            Assert.Throws<InvalidArgumentException>(
                () => new BinarySearch<long, long>(device, Bound.Lower, sorted, searched, less));
        }
    }

    [Test]
    public void ValuesAreSearchedOnTheHostsCores() {
        using (ElementIterator numbers = ElementIterator.Of<int>())
        using (var less = new Operator(OpKind.Less)) {
            foreach (Bound bound in new[] { Bound.Lower, Bound.Upper }) {
                using (var search = new BinarySearch<int, long>(Execution.Host, bound, numbers, numbers, less)) {
                    var found = new long[count];
                    search.Call(data, values, found);
                    Assert.AreEqual(Expected(bound), found);
#if CUPRUM_SPAN
                    search.Call(data.AsSpan(), values.AsSpan(0, 10), found.AsSpan(5, 10));
                    Assert.AreEqual(Expected(bound).Take(10), found.Skip(5).Take(10));
#endif
                    Assert.Throws<InvalidArgumentException>(() => search.Call(data, values, new long[count - 1]));
                }
            }
        }
    }
}
