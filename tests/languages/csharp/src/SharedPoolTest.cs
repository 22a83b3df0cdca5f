using System.Runtime.InteropServices;
using Cuprum;
using NUnit.Framework;
using Buffer = Cuprum.Buffer;

[TestFixture]
public class SharedPoolTest : LeavesNothing {
    private readonly Device device = new Device(0);

    [Test]
    public void APoolIsSharedByAFileDescriptorAndABufferByBytes() {
        using (DeviceMemoryResource pool = DeviceMemoryResource.CreateShareable(device, 1 << 22))
        using (Stream stream = device.CreateStream())
        using (Buffer buffer = pool.Allocate(4, stream)) {
            Assert.IsTrue(pool.IsIpcEnabled);
            Assert.IsFalse(pool.IsMapped);
            Assert.AreEqual(64, buffer.IpcHandle().Length);
            int descriptor = pool.AllocationHandle();
            Assert.GreaterOrEqual(descriptor, 0);
            buffer.Fill(7, 4, stream);
            stream.Sync();
            if (device.IsSimulator) {    // which lets a process open its own pool
                using (DeviceMemoryResource mapped = DeviceMemoryResource.FromAllocationHandle(device, descriptor)) {
                    Assert.IsTrue(mapped.IsMapped);
                    Assert.Throws<InvalidStateException>(() => mapped.Allocate(4, stream));
                    Assert.Throws<InvalidStateException>(() => mapped.AllocationHandle());
                    using (Buffer opened = Buffer.FromIpcHandle(mapped, buffer.IpcHandle(), 4, stream)) {
                        var found = new int[1];
                        opened.CopyTo(found);
                        Assert.AreEqual(7, found[0]);
                    }
                    Assert.Throws<InvalidArgumentException>(
                        () => Buffer.FromIpcHandle(mapped, new byte[3], 4, stream));
                    stream.Sync();
                }
            }
            Assert.Throws<InvalidArgumentException>(() => Buffer.FromIpcHandle(pool, buffer.IpcHandle(), 4, stream));
        }
    }

    [Test]
    public void APoolOfHostMemoryIsShared() {
        using (PinnedMemoryResource pool = PinnedMemoryResource.CreateShareable(1 << 22))
        using (Stream stream = device.CreateStream())
        using (Buffer buffer = pool.Allocate(4, stream)) {
            Assert.IsTrue(pool.IsIpcEnabled);
            Assert.AreEqual(64, buffer.IpcHandle().Length);
            int descriptor = pool.AllocationHandle();
            buffer.Fill(7, 4, stream);
            stream.Sync();
            if (device.IsSimulator) {    // which lets a process open its own pool
                using (PinnedMemoryResource mapped = PinnedMemoryResource.FromAllocationHandle(descriptor))
                using (Buffer opened = Buffer.FromIpcHandle(mapped, buffer.IpcHandle(), 4, stream))
                using (HostMemoryView view = opened.AsHostMemory()) {
                    Assert.IsTrue(mapped.IsMapped);
                    Assert.AreEqual(7, Marshal.ReadInt32(view.Address));
                }
                stream.Sync();
            }
        }
        Assert.Throws<InvalidArgumentException>(() => PinnedMemoryResource.FromAllocationHandle(-1));
    }

    [Test]
    public void WhatCannotBeSharedIsRefused() {
        using (var pool = new DeviceMemoryResource(device, 1ul << 22))
        using (Buffer buffer = device.Allocate(4)) {
            Assert.IsFalse(pool.IsIpcEnabled);
            Assert.Throws<InvalidStateException>(() => pool.AllocationHandle());
            Assert.Throws<InvalidArgumentException>(() => buffer.IpcHandle());
            Assert.Throws<InvalidArgumentException>(() => DeviceMemoryResource.FromAllocationHandle(device, -1));
        }
    }
}
