using System;
using System.Linq;
using System.Runtime.InteropServices;
using System.Threading;
using Cuprum;
using NUnit.Framework;
using Buffer = Cuprum.Buffer;

[TestFixture]
public class HostMemoryTest : LeavesNothing {
    private struct Point {
        public byte Tag;
        public double X;
        public float Y;
    }

    private struct WithReference {
        public string Text;
    }

    private readonly Device device = new Device(0);

    private static byte[] RandomBytes(int count) {
        var bytes = new byte[count];
        new Random(7).NextBytes(bytes);
        return bytes;
    }

    private static T[] Reinterpreted<T>(byte[] bytes, int elementSize) {
        var array = new T[bytes.Length / elementSize];
        System.Buffer.BlockCopy(bytes, 0, array, 0, bytes.Length);
        return array;
    }

    private void GoesThereAndBack<T>(byte[] content, int elementSize) where T : struct {
        T[] source = Reinterpreted<T>(content, elementSize);
        using (Stream stream = device.CreateStream())
        using (Buffer buffer = device.Allocate(content.Length)) {
            foreach (Stream ordered in new[] { null, stream }) {
                buffer.Fill(0, 1, stream);
                stream.Sync();
                var destination = new T[source.Length];
                buffer.CopyFrom(source, ordered);
                buffer.CopyTo(destination, ordered);
                stream.Sync();
                Assert.AreEqual(source, destination);
                var bytes = new byte[content.Length];
                buffer.CopyTo(bytes);
                Assert.AreEqual(content, bytes, typeof(T).Name);
            }
        }
    }

    [Test]
    public void ArraysOfEveryNumericTypeGoToTheDeviceAndBack() {
        byte[] content = RandomBytes(4096 + 24);
        GoesThereAndBack<byte>(content, 1);
        GoesThereAndBack<sbyte>(content, 1);
        GoesThereAndBack<short>(content, 2);
        GoesThereAndBack<ushort>(content, 2);
        GoesThereAndBack<int>(content, 4);
        GoesThereAndBack<uint>(content, 4);
        GoesThereAndBack<long>(content, 8);
        GoesThereAndBack<ulong>(content, 8);
        for (int i = 0; i < content.Length; ++i) {
            content[i] &= 0x3F;    // no NaN, which equals nothing
        }
        GoesThereAndBack<float>(content, 4);
        GoesThereAndBack<double>(content, 8);
    }

    [Test]
    public void ArraysOfStructsGoAsTheyLieInMemory() {
        const string source = "struct Point { unsigned char tag; double x; float y; };\n"
                              + "extern \"C\" __global__ void move(Point* p) { p += threadIdx.x; p->tag += 1;"
                              + " p->x *= 2; p->y *= 3; }";
        Point[] points = Enumerable.Range(0, 5).Select(i => new Point { Tag = (byte)i, X = i + 0.5, Y = i }).ToArray();
        using (Kernel kernel = Fixtures.Kernel(source, "move"))
        using (Stream stream = device.CreateStream())
        using (Buffer buffer = device.Allocate(5 * 24)) {
            buffer.CopyFrom(points, stream);
            stream.Launch(new LaunchConfig(1, 5), kernel, buffer);
            buffer.CopyTo(points, stream);
            stream.Sync();
        }
        for (int i = 0; i < 5; ++i) {
            Assert.AreEqual(i + 1, points[i].Tag);
            Assert.AreEqual(2 * (i + 0.5), points[i].X);
            Assert.AreEqual(3 * i, points[i].Y);
        }
    }

    [Test]
    public void AnArrayWithReferencesIsRefused() {
        using (Buffer buffer = device.Allocate(64)) {
            Assert.Throws<ArgumentException>(() => buffer.CopyFrom(new WithReference[1]));
            Assert.Throws<ArgumentException>(() => buffer.CopyTo(new WithReference[1]));
        }
    }

    [Test]
    public void MemoryGivenByItsAddressGoesToTheDeviceAndBack() {
        byte[] content = RandomBytes(64);
        IntPtr memory = Marshal.AllocHGlobal(64);
        try {
            Marshal.Copy(content, 0, memory, 64);
            using (Stream stream = device.CreateStream())
            using (Buffer buffer = device.Allocate(64)) {
                buffer.CopyFrom(memory, 64);
                var back = new byte[64];
                buffer.CopyTo(back);
                Assert.AreEqual(content, back);
                buffer.CopyFrom(memory + 32, 16, stream, 8);
                buffer.CopyTo(memory, 64, stream);
                stream.Sync();
                Marshal.Copy(memory, back, 0, 64);
                Assert.AreEqual(content.Take(8).Concat(content.Skip(32).Take(16)).Concat(content.Skip(24)), back);
            }
        } finally {
            Marshal.FreeHGlobal(memory);
        }
    }

    [Test]
    public void OffsetsAreBytes() {
        using (Buffer buffer = device.Allocate(16)) {
            buffer.CopyFrom(new[] { 1, 2, 3, 4 });
            buffer.CopyFrom(new[] { 9 }, null, 8);
            var part = new int[2];
            buffer.CopyTo(part, null, 4);
            Assert.AreEqual(new[] { 2, 9 }, part);
        }
    }

    [Test]
    public void ACopyThatDoesNotFitSaysBothSizesAndChangesNothing() {
        byte[] content = RandomBytes(16);
        using (Stream stream = device.CreateStream())
        using (Buffer buffer = device.Allocate(16)) {
            buffer.CopyFrom(content);
            Fixtures.AssertMentions(
                Assert.Throws<InvalidArgumentException>(() => buffer.CopyFrom(new byte[17])), "16", "17");
            Fixtures.AssertMentions(
                Assert.Throws<InvalidArgumentException>(() => buffer.CopyTo(new byte[17], stream)), "16", "17");
            Assert.Throws<InvalidArgumentException>(() => buffer.CopyFrom(new byte[8], null, 9));
            Assert.Throws<InvalidArgumentException>(() => buffer.CopyTo(new byte[8], null, ulong.MaxValue));
            var back = new byte[16];
            buffer.CopyTo(back);
            Assert.AreEqual(content, back);
        }
    }

    [Test]
    public void NothingIsCopiedToNowhere() {
        using (Stream stream = device.CreateStream())
        using (Buffer empty = device.Allocate(0)) {
            Assert.AreEqual(0, empty.Size);
            empty.CopyFrom(new float[0]);
            empty.CopyTo(new float[0], stream);
        }
    }

    [Test]
    public void BuffersAreCopiedAndFilledInStreamOrder() {
        using (Stream stream = device.CreateStream())
        using (Buffer source = device.Allocate(16))
        using (Buffer destination = device.Allocate(16)) {
            source.Fill(0x01020304, 4, stream);
            destination.CopyFrom(source, stream);
            source.Fill(0xAB, 1, stream);
            var first = new uint[4];
            var second = new uint[4];
            destination.CopyTo(first, stream);
            source.CopyTo(second, stream);
            stream.Sync();
            Assert.AreEqual(0x01020304u, first[3]);
            Assert.AreEqual(0xABABABABu, second[0]);
            Assert.Throws<InvalidArgumentException>(() => source.Fill(0, 3, stream));
        }
    }

    [Test]
    public void ArraysStayPinnedUntilTheStreamHasPassedThemAndNoLonger() {
        using (Stream stream = device.CreateStream())
        using (Buffer buffer = device.Allocate(16)) {
            var arrays = new WeakReference[50];    // from 64 on the stream is asked whether it is done
            InAThread(() => {
                for (int i = 0; i < arrays.Length; ++i) {
                    var bytes = new byte[16];
                    arrays[i] = new WeakReference(bytes);
                    buffer.CopyFrom(bytes, stream);
                }
            });
            GC.Collect();
            Assert.AreEqual(arrays.Length, arrays.Count(array => array.IsAlive));
            InAThread(stream.Sync);
            AssertFewerAlive(10, arrays);
        }
    }

    [Test]
    public void AStreamThatIsNeverAskedDoesNotPinEverything() {
        using (Stream stream = device.CreateStream())
        using (Buffer buffer = device.Allocate(16)) {
            var arrays = new WeakReference[200];
            InAThread(() => {
                for (int i = 0; i < arrays.Length; ++i) {
                    var bytes = new byte[16];
                    arrays[i] = new WeakReference(bytes);
                    buffer.CopyFrom(bytes, stream);
                    device.Sync();
                }
            });
            AssertFewerAlive(74, arrays);
        }
    }

    /// <summary>What refers to the arrays must not be left on the stack of the test, which Mono's collector scans
    /// conservatively.</summary>
    private static void InAThread(ThreadStart work) {
        var thread = new Thread(work);
        thread.Start();
        thread.Join();
    }

    private static void AssertFewerAlive(int limit, WeakReference[] arrays) {
        for (int i = 0; i < 10 && arrays.Count(array => array.IsAlive) >= limit; ++i) {
            InAThread(GC.Collect);    // one that has begun already spares what is new
        }
        Assert.Less(arrays.Count(array => array.IsAlive), limit);
    }
}
