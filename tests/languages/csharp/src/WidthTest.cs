using System;
using Cuprum;
using NUnit.Framework;
using Buffer = Cuprum.Buffer;

/// <summary>
/// 64-bit values stay 64 bits wide on every way through the interface. Cut to 32 bits, Wide would be 1.
/// </summary>
[TestFixture]
public class WidthTest : LeavesNothing {
    private static readonly string Decimal = Fixtures.Wide.ToString();

    private readonly Device device = new Device(0);

    [Test]
    public void AddressesAndSizesOfBorrowedMemory() {
        using (Buffer buffer = Buffer.FromHandle(device, Fixtures.Wide, 16)) {
            Assert.AreEqual(Fixtures.Wide, buffer.Handle);
        }
        using (Buffer buffer = Buffer.FromHandle(device, 16, Fixtures.Wide)) {
            Assert.AreEqual(Fixtures.Wide, buffer.Size);
        }
    }

    [Test]
    public void HandlesOfBorrowedStreams() {
        using (Stream stream = device.CreateStream())
        using (Stream borrowed = Stream.FromHandle(device, stream.Handle)) {
            Assert.AreEqual(stream.Handle, borrowed.Handle);
        }
        if (device.IsSimulator) {    // a real driver follows it
            Fixtures.AssertMentions(Assert.Catch<CuprumException>(() => Stream.FromHandle(device, Fixtures.Wide)),
                                    "ffffffff00000001");
        }
    }

    [Test]
    public void SizesPassedIn() {
        Fixtures.AssertMentions(Assert.Throws<MemoryExhaustedException>(() => device.Allocate(Fixtures.Wide)), Decimal);
        using (Buffer buffer = device.Allocate(8)) {
            Fixtures.AssertMentions(
                Assert.Throws<InvalidArgumentException>(() => buffer.CopyFrom(new IntPtr(8), Fixtures.Wide)), Decimal);
            Fixtures.AssertMentions(
                Assert.Throws<InvalidArgumentException>(() => buffer.CopyTo(new IntPtr(8), Fixtures.Wide)), Decimal);
        }
    }

    [Test]
    public void OffsetsPassedIn() {
        using (Buffer buffer = device.Allocate(8)) {
            Fixtures.AssertMentions(
                Assert.Throws<InvalidArgumentException>(() => buffer.CopyFrom(new byte[1], null, Fixtures.Wide)),
                Decimal);
            Fixtures.AssertMentions(
                Assert.Throws<InvalidArgumentException>(() => buffer.CopyTo(new byte[1], null, Fixtures.Wide)),
                Decimal);
        }
    }

    [Test]
    public void SizesOfDeviceCopies() {
        using (Stream stream = device.CreateStream())
        using (Buffer buffer = device.Allocate(8))
        using (Buffer wide = Buffer.FromHandle(device, 16, Fixtures.Wide)) {
            Fixtures.AssertMentions(
                Assert.Throws<InvalidArgumentException>(() => buffer.CopyFrom(wide, stream)), Decimal);
        }
    }

    [Test]
    public void HandlesThemselves() {
        // Native handles are opaque numbers that use all 64 bits; two of them that differ only above bit 31 are two.
        using (Buffer first = device.Allocate(8))
        using (Buffer second = device.Allocate(16)) {
            Assert.AreEqual(8, first.Size);
            Assert.AreEqual(16, second.Size);
            Assert.Greater(ulong.Parse(first.ToString().Substring(7), System.Globalization.NumberStyles.HexNumber),
                           uint.MaxValue);
        }
    }

    [Test]
    public void SizesGivenOut() {
        Assert.Greater(device.TotalMemory, 0UL);
        const string source = "struct Big { char bytes[4000]; };\n"
                              + "extern \"C\" __global__ void big(Big first, char second) {}";
        using (Kernel kernel = Fixtures.Kernel(source, "big")) {
            Assert.AreEqual(4000, kernel.ArgumentsInfo[0].Size);
            Assert.AreEqual(4000, kernel.ArgumentsInfo[1].Offset);
        }
    }

    [Test]
    public void LongsThatAKernelReadsAndWrites() {
        const string source =
            "extern \"C\" __global__ void add(unsigned long long* p, unsigned long long a) { *p += a; }";
        using (Kernel add = Fixtures.Kernel(source, "add"))
        using (Stream stream = device.CreateStream())
        using (Buffer buffer = device.Allocate(8)) {
            buffer.CopyFrom(new[] { 0x100000000UL });
            stream.Launch(Fixtures.One, add, buffer.Handle, Fixtures.Wide - 0x100000000UL);
            stream.Sync();
            var result = new ulong[1];
            buffer.CopyTo(result);
            Assert.AreEqual(Fixtures.Wide, result[0]);
        }
    }
}
