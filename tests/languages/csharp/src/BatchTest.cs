using System;
using System.Linq;
using Cuprum;
using NUnit.Framework;
using Buffer = Cuprum.Buffer;

[TestFixture]
public class BatchTest : LeavesNothing {
    private readonly Device device = new Device(0);

    [Test]
    public void BuffersAreCopied() {
        using (Stream stream = device.CreateStream())
        using (Buffer one = device.Allocate(4), three = device.Allocate(12), four = device.Allocate(4),
               six = device.Allocate(12)) {
            one.CopyFrom(new[] { 1 });
            three.CopyFrom(new[] { 2, 3, 4 });
            foreach (CopyOptions options in new[] {
                null, new CopyOptions { SourceAccessOrder = CopySourceAccessOrder.DuringApiCall },
                new CopyOptions { SourceLocationHint = device, DestinationLocationHint = MemoryLocation.Host,
                                  PreferOverlapWithCompute = true } }) {
                four.Fill(0, 4, stream);
                Batch.Copy(stream, new[] { one, three }, new[] { four, six }, options);
                stream.Sync();
                var numbers = new int[3];
                six.CopyTo(numbers);
                CollectionAssert.AreEqual(new[] { 2, 3, 4 }, numbers);
                var number = new int[1];
                four.CopyTo(number);
                Assert.AreEqual(1, number[0]);
            }
            Batch.Copy(stream, new Buffer[0], new Buffer[0]);
            var error = Assert.Throws<InvalidArgumentException>(
                () => Batch.Copy(stream, new[] { one, three }, new[] { four, one }));
            StringAssert.Contains("destination 1 has another size than source 1", error.Message);
            Assert.Throws<InvalidArgumentException>(() => Batch.Copy(stream, new[] { one }, new[] { one }));
            Assert.Throws<InvalidArgumentException>(() => Batch.Copy(stream, new[] { one }, new Buffer[0]));
            Assert.Throws<ArgumentNullException>(() => Batch.Copy(stream, new Buffer[] { null }, new[] { one }));
            Assert.Throws<ArgumentNullException>(() => Batch.Copy(null, new[] { one }, new[] { four }));
            four.Dispose();
            Assert.Throws<InvalidStateException>(() => Batch.Copy(stream, new[] { one }, new[] { four }));
        }
    }

    [Test]
    public void ManagedMemoryIsMovedAndDiscarded() {
        using (var pool = new ManagedMemoryResource())
        using (Stream stream = device.CreateStream())
        using (Buffer one = pool.Allocate(4096, stream), two = pool.Allocate(8, stream)) {
            one.Fill(7, 1, stream);
            var both = new[] { one, two };
            try {
                Batch.Prefetch(stream, both, device);
                Batch.Prefetch(stream, both, MemoryLocation.Host, device);
                Batch.DiscardPrefetch(stream, new[] { two }, device);
                Batch.Discard(stream, new[] { two });
            } catch (UnsupportedException) {
                Assert.IsFalse(device.IsSimulator);    // CUDA 13.0 moves no memory of pools
            }
            stream.Sync();
            var bytes = new byte[4096];
            one.CopyTo(bytes);
            Assert.IsTrue(bytes.All(value => value == 7));
            Assert.Throws<InvalidArgumentException>(() => Batch.Prefetch(stream, both));
            using (Buffer of = device.Allocate(16)) {
                Assert.Throws<InvalidArgumentException>(() => Batch.Discard(stream, new[] { of }));
            }
        }
    }
}
