#if CUPRUM_SPAN
using System;
using Cuprum;
using NUnit.Framework;
using Buffer = Cuprum.Buffer;

/// <summary>The overloads that the assembly has on platforms with Span.</summary>
[TestFixture]
public class SpanTest : LeavesNothing {
    private readonly Device device = new Device(0);

    [Test]
    public void SpansGoToTheDeviceAndBack() {
        double[] numbers = { 1.5, 2.5, 3.5, 4.5 };
        var back = new double[4];
        using (Stream stream = device.CreateStream())
        using (Buffer buffer = device.Allocate(32)) {
            buffer.CopyFrom(new ReadOnlySpan<double>(numbers, 1, 2));
            buffer.CopyTo(new Span<double>(back, 2, 2));
            Assert.AreEqual(new[] { 0, 0, 2.5, 3.5 }, back);
            buffer.CopyFrom(new ReadOnlySpan<double>(numbers), stream);
            buffer.CopyTo(new Span<double>(back), stream);
            Assert.AreEqual(numbers, back);
            buffer.CopyFrom(new ReadOnlySpan<double>(numbers, 0, 1), null, 24);
            buffer.CopyTo(new Span<double>(back));
            Assert.AreEqual(new[] { 1.5, 2.5, 3.5, 1.5 }, back);
        }
    }

    [Test]
    public unsafe void SpansOverNativeMemoryAreCopiedInPlace() {
        int* memory = stackalloc int[4];
        for (int i = 0; i < 4; ++i) {
            memory[i] = i;
        }
        var back = new int[4];
        using (Buffer buffer = device.Allocate(16)) {
            buffer.CopyFrom(new ReadOnlySpan<int>(memory, 4));
            buffer.CopyTo(back);
            Assert.AreEqual(new[] { 0, 1, 2, 3 }, back);
            buffer.CopyFrom(ReadOnlySpan<int>.Empty);
        }
    }
}
#endif
