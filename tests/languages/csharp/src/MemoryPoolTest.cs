using System;
using System.Runtime.InteropServices;
using Cuprum;
using NUnit.Framework;
using Buffer = Cuprum.Buffer;

[TestFixture]
public class MemoryPoolTest : LeavesNothing {
    private const ulong Mebibyte = 1 << 20;

    private readonly Device device = new Device(0);

    [Test]
    public void ADevicesPoolCountsWhatItHolds() {
        using (var pool = new DeviceMemoryResource(device, 0ul))
        using (Stream stream = device.CreateStream()) {
            pool.SetAttribute(MemoryPoolAttribute.ReleaseThreshold, 0xFFFFFFFF00000001ul);
            Assert.AreEqual(0xFFFFFFFF00000001ul, pool.GetAttribute(MemoryPoolAttribute.ReleaseThreshold));
            using (Buffer buffer = pool.Allocate(Mebibyte, stream)) {
                Assert.GreaterOrEqual(pool.GetAttribute(MemoryPoolAttribute.UsedMemCurrent), Mebibyte);
                Assert.AreSame(pool, buffer.MemoryResource);
                Assert.IsFalse(buffer.IsHostAccessible);
            }
            stream.Sync();
            Assert.AreEqual(0ul, pool.GetAttribute(MemoryPoolAttribute.UsedMemCurrent));
            pool.TrimTo(0);
            Assert.AreEqual(0ul, pool.GetAttribute(MemoryPoolAttribute.ReservedMemCurrent));
            Assert.Throws<DriverException>(() => pool.SetAttribute(MemoryPoolAttribute.UsedMemCurrent, 1));
            Assert.IsTrue(pool.IsHandleOwned);
            Assert.AreEqual((MemoryLocation)device, pool.Location);
            Assert.IsTrue(pool.IsAccessibleBy(device));
            Assert.AreEqual(0, pool.PeerAccessibleBy.Count);
            Assert.Throws<InvalidArgumentException>(() => pool.SetAccessibleBy(device, false));
        }
    }

    [Test]
    public void APoolHasNoMoreThanItsLimit() {
        using (var pool = new DeviceMemoryResource(device, 4 * Mebibyte))
        using (Stream stream = device.CreateStream()) {
            Assert.Throws<MemoryExhaustedException>(() => pool.Allocate(1024 * Mebibyte, stream));
            Assert.Throws<InvalidArgumentException>(() => pool.Allocate(16));
        }
    }

    [Test]
    public void APoolCanBecomeTheDevices() {
        using (var former = new DeviceMemoryResource(device))
        using (var pool = new DeviceMemoryResource(device, 0ul))
        using (Stream stream = device.CreateStream()) {
            Assert.IsFalse(former.IsHandleOwned);
            device.MemoryResource = pool;
            using (Buffer buffer = device.Allocate(16, stream))
            using (MemoryResource found = buffer.MemoryResource) {
                Assert.AreEqual(pool.Handle, ((PooledMemoryResource)found).Handle);
            }
            device.MemoryResource = former;
            using (DeviceMemoryResource now = new DeviceMemoryResource(device)) {
                Assert.AreEqual(former.Handle, now.Handle);
            }
        }
    }

    [Test]
    public void MemoryThatNoBufferOwnsIsFreedByItsPoolOnly() {
        using (var pool = new DeviceMemoryResource(device, 0ul))
        using (Stream stream = device.CreateStream())
        using (Buffer other = device.Allocate(16)) {
            Assert.Throws<InvalidArgumentException>(() => pool.Deallocate(other.Handle, 16, stream));
            pool.Deallocate(0, 0, stream);
        }
    }

    [Test]
    public void PinnedMemoryIsTheHostsToo() {
        using (var pool = new PinnedMemoryResource(4 * Mebibyte))
        using (var drivers = new PinnedMemoryResource())
        using (Stream stream = device.CreateStream())
        using (Buffer buffer = pool.Allocate(4, stream))
        using (HostMemoryView view = buffer.AsHostMemory()) {
            buffer.Fill(7, 1, stream);
            stream.Sync();
            Assert.AreEqual(0x07070707, Marshal.ReadInt32(view.Address));
            Assert.AreEqual(MemoryLocation.Host, pool.Location);
            Assert.IsFalse(drivers.IsHandleOwned);
            Assert.IsTrue(pool.IsAccessibleBy(device));
        }
    }

    [Test]
    public void ManagedMemoryMoves() {
        using (var pool = new ManagedMemoryResource())
        using (var onDevice = new ManagedMemoryResource(device))
        using (Stream stream = device.CreateStream())
        using (ManagedBuffer buffer = pool.Allocate(Mebibyte, stream)) {
            Assert.IsNull(pool.PreferredLocation);
            Assert.AreEqual((MemoryLocation)device, onDevice.PreferredLocation);
            Assert.IsTrue(buffer.IsManaged);
            buffer.Prefetch(device, stream);
            buffer.Discard(stream);
            buffer.DiscardPrefetch(device, stream);
            buffer.Fill(7, 1, stream);
            buffer.Prefetch(MemoryLocation.Host, stream);
            stream.Sync();
            using (HostMemoryView view = buffer.AsHostMemory()) {
                Assert.AreEqual(7, Marshal.ReadByte(view.Address, 1000));
            }
            buffer.Dispose();
            Assert.Throws<InvalidStateException>(() => buffer.Prefetch(device, stream));
        }
        Assert.Throws<ArgumentOutOfRangeException>(() => MemoryLocation.HostNuma(-1));
    }

    [Test]
    public void ManagedMemoryTakesAdvice() {
        using (var pool = new ManagedMemoryResource())
        using (Stream stream = device.CreateStream())
        using (ManagedBuffer buffer = pool.Allocate(Mebibyte, stream)) {
            Assert.IsFalse(buffer.IsReadMostly);
            try {
                buffer.IsReadMostly = true;
            } catch (UnsupportedException error) {
                Assert.IsFalse(device.IsSimulator, error.Message);
                Assert.Ignore("this driver takes no advice about memory of a pool");
            }
            Assert.IsTrue(buffer.IsReadMostly);
            buffer.PreferredLocation = device;
            Assert.AreEqual((MemoryLocation)device, buffer.PreferredLocation);
            buffer.PreferredLocation = null;
            Assert.IsNull(buffer.PreferredLocation);
            buffer.SetAccessedBy(device, true);
            Assert.IsTrue(buffer.IsAccessedBy(device));
            buffer.SetAccessedBy(device, false);
            Assert.IsFalse(buffer.IsAccessedBy(device));
        }
    }
}
