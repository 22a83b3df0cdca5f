using System;
using System.Linq;
using Cuprum;
using NUnit.Framework;
using Buffer = Cuprum.Buffer;

[TestFixture]
public class RegionTest : LeavesNothing {
    private readonly Device device = new Device(0);

    /// <summary>Of 6 rows of 10 bytes: columns 2 to 5 of rows 1 to 3.</summary>
    private static readonly Region Middle = new Region(4, 3, offset: 12, rowPitch: 10);

    private static readonly byte[] Part = { 12, 13, 14, 15, 22, 23, 24, 25, 32, 33, 34, 35 };

    private static byte[] Matrix() {
        return Enumerable.Range(0, 60).Select(number => (byte)number).ToArray();
    }

    [Test]
    public void APartOfAMatrixIsCopiedToAnArrayAndBack() {
        using (Buffer buffer = device.Allocate(60))
        using (Stream stream = device.CreateStream()) {
            buffer.CopyFrom(Matrix());
            var part = new byte[12];
            buffer.CopyRegionTo(part, Middle);
            CollectionAssert.AreEqual(Part, part);

            byte[] apart = Enumerable.Repeat((byte)99, 20).ToArray();
            buffer.CopyRegionTo(apart, Middle, new Region(4, 3, offset: 1, rowPitch: 7), stream);
            stream.Sync();
            CollectionAssert.AreEqual(
                new byte[] { 99, 12, 13, 14, 15, 99, 99, 99, 22, 23, 24, 25, 99, 99, 99, 32, 33, 34, 35, 99 }, apart);

            buffer.CopyFrom(new byte[60]);
            buffer.CopyRegionFrom(Matrix(), Middle, Middle, stream);
            var all = new byte[60];
            buffer.CopyTo(all, stream);
            stream.Sync();
            var expected = new byte[60];
            for (int row = 0; row < 3; ++row) {
                Array.Copy(Part, 4 * row, expected, 12 + 10 * row, 4);
            }
            CollectionAssert.AreEqual(expected, all);
        }
    }

    [Test]
    public void RegionsAreCopiedBetweenBuffersAndFilled() {
        using (Buffer source = device.Allocate(48))
        using (Buffer target = device.Allocate(96))
        using (Stream stream = device.CreateStream()) {
            source.CopyFrom(Enumerable.Range(0, 12).ToArray());
            target.Fill(0xFFFFFFFF, 4, stream);
            target.CopyRegionFrom(source, new Region(8, depth: 3, offset: 8, slicePitch: 32),
                                  new Region(8, depth: 3, slicePitch: 16), stream);
            target.FillRegion(new Region(4, 3, rowPitch: 32), 7, 4, stream);
            var all = new int[24];
            target.CopyTo(all, stream);
            stream.Sync();
            CollectionAssert.AreEqual(
                new[] { 7, -1, 0, 1, -1, -1, -1, -1, 7, -1, 4, 5, -1, -1, -1, -1, 7, -1, 8, 9, -1, -1, -1, -1 }, all);
        }
    }

    [Test]
    public void WhatDoesNotFitIsRefused() {
        using (Stream stream = device.CreateStream()) {
            Buffer buffer = device.Allocate(100);
            var error = Assert.Throws<InvalidArgumentException>(
                () => buffer.FillRegion(new Region(10, 11), 0, 1, stream));
            StringAssert.Contains("filling a region", error.Message);
            StringAssert.Contains("ends at byte 110", error.Message);
            var row = new Region(10);
            Assert.Throws<InvalidArgumentException>(
                () => buffer.CopyRegionFrom(buffer, row, new Region(10, offset: 5), stream));
            Assert.Throws<InvalidArgumentException>(() => buffer.CopyRegionFrom(new byte[9], row));
            Assert.Throws<InvalidArgumentException>(
                () => buffer.FillRegion(new Region(0xFFFFFFFF00000001ul), 0, 1, stream));
            Assert.Throws<ArgumentNullException>(() => buffer.FillRegion(null, 0, 1, stream));
            Assert.Throws<ArgumentNullException>(() => buffer.CopyRegionTo(IntPtr.Zero, 10, row));
            buffer.Dispose();
            Assert.Throws<InvalidStateException>(() => buffer.FillRegion(row, 0, 1, stream));
            Assert.Throws<InvalidStateException>(() => buffer.CopyRegionFrom(new byte[10], row));
        }
    }

    [Test]
    public void ARowPitchKeepsRowsAligned() {
        ulong pitch = device.RowPitch(100);
        Assert.GreaterOrEqual(pitch, 100ul);
        Assert.AreEqual(pitch, device.RowPitch(pitch));
        Assert.Throws<InvalidArgumentException>(() => device.RowPitch(ulong.MaxValue));
        Assert.AreEqual(new Region(4, 3), Middle.Packed());
    }
}
