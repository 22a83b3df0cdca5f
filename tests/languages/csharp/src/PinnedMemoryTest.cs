using System;
using System.Runtime.InteropServices;
using Cuprum;
using NUnit.Framework;
using Buffer = Cuprum.Buffer;

[TestFixture]
public class PinnedMemoryTest : LeavesNothing {
    private const int N = 1000;

    private readonly Device device = new Device(0);

    [Test]
    public void TheHostAndKernelsUseTheSameBytes() {
        using (var resource = new LegacyPinnedMemoryResource())
        using (Kernel saxpy = Fixtures.Kernel(Fixtures.Saxpy, "saxpy"))
        using (Stream stream = device.CreateStream())
        using (Buffer x = resource.Allocate(N * sizeof(float)))
        using (Buffer y = resource.Allocate(N * sizeof(float), stream))
        using (HostMemoryView xs = x.AsHostMemory())
        using (HostMemoryView ys = y.AsHostMemory()) {
            var numbers = new float[N];
            for (int i = 0; i < N; ++i) {
                numbers[i] = i;
            }
            Marshal.Copy(numbers, 0, xs.Address, N);
            Marshal.Copy(new float[N], 0, ys.Address, N);
            stream.Launch(new LaunchConfig(4, 256), saxpy, 2.0f, x, y, N);
            stream.Sync();
            var result = new float[N];
            Marshal.Copy(ys.Address, result, 0, N);
            for (int i = 0; i < N; ++i) {
                Assert.AreEqual(2.0f * i, result[i]);
            }
        }
    }

    [Test]
    public void HostMemoryThatExistsIsRegistered() {
        var values = new[] {1, 2, 3, 4};
        using (Stream stream = device.CreateStream())
        using (Buffer buffer = Buffer.RegisterHostMemory(values)) {
            buffer.Fill(0x07070707, 4, stream);
            stream.Sync();
            Assert.AreEqual(0x07070707, values[3]);
            Assert.IsTrue(buffer.IsHostAccessible);
            Assert.IsNull(buffer.MemoryResource);
            Assert.Throws<DriverException>(() => Buffer.RegisterHostMemory(values));
        }
        Buffer.RegisterHostMemory(values).Dispose();
        IntPtr memory = Marshal.AllocHGlobal(16);
        using (Buffer buffer = Buffer.RegisterHostMemory(memory, 16)) {
            Assert.AreEqual((ulong)memory.ToInt64(), buffer.Handle);
        }
        Marshal.FreeHGlobal(memory);
    }

    [Test]
    public void ARegisteredArrayStaysPinnedWhileItIsUsed() {
        var values = new byte[16];
        Buffer buffer = Buffer.RegisterHostMemory(values);
        ulong address = buffer.Handle;
        GC.Collect();
        using (HostMemoryView view = buffer.AsHostMemory()) {
            buffer.Dispose();
            GC.Collect();
            Marshal.WriteByte(view.Address, 15, 9);
            Assert.AreEqual(9, (int)values[15]);
            Assert.AreEqual(address, (ulong)view.Address.ToInt64());
            Assert.Throws<DriverException>(() => Buffer.RegisterHostMemory(values));
        }
        Buffer.RegisterHostMemory(values).Dispose();
    }

    [Test]
    public void ABufferKnowsItsMemory() {
        using (var resource = new LegacyPinnedMemoryResource())
        using (Buffer buffer = resource.Allocate(16))
        using (Buffer ofDevice = device.Allocate(16))
        using (Buffer borrowed = Buffer.FromHandle(device, buffer.Handle, 16)) {
            Assert.IsTrue(buffer.IsHostAccessible && buffer.IsDeviceAccessible && !buffer.IsManaged);
            Assert.AreSame(resource, buffer.MemoryResource);
            Assert.IsTrue(resource.IsHostAccessible && resource.IsDeviceAccessible && !resource.IsManaged);
            Assert.AreEqual(-1, resource.DeviceId);
            Assert.IsTrue(ofDevice.IsDeviceAccessible && !ofDevice.IsHostAccessible);
            Assert.IsNull(ofDevice.MemoryResource);
            Assert.IsTrue(borrowed.IsHostAccessible);
        }
    }

    [Test]
    public void CopiesInAStreamReturnBeforeTheStreamGetsToThem() {
        device.SetCurrent();
        using (var resource = new LegacyPinnedMemoryResource())
        using (var gate = new Gate())
        using (Stream stream = device.CreateStream())
        using (Buffer source = resource.Allocate(8))
        using (Buffer target = resource.Allocate(8))
        using (Buffer ofDevice = device.Allocate(8))
        using (HostMemoryView from = source.AsHostMemory())
        using (HostMemoryView to = target.AsHostMemory()) {
            Marshal.WriteInt64(from.Address, 0x0807060504030201);
            // If one of them waited for the stream, this would never end.
            gate.Stop((IntPtr)(long)stream.Handle);
            ofDevice.CopyFrom(source, stream);
            ofDevice.CopyFrom(from.Address, 2, stream, 6);
            target.CopyFrom(ofDevice, stream);
            ofDevice.CopyTo(to.Address, 2, stream, 6);
            Assert.IsFalse(stream.IsDone);
            gate.Open();
            stream.Sync();
            Assert.AreEqual(0x0201060504030201, Marshal.ReadInt64(to.Address));
        }
    }

    [Test]
    public void AViewKeepsTheMemoryOfADisposedBuffer() {
        using (var resource = new LegacyPinnedMemoryResource()) {
            Buffer buffer = resource.Allocate(16);
            HostMemoryView view = buffer.AsHostMemory();
            Assert.AreEqual(16, view.Size);
            Assert.AreEqual(buffer.Handle, (ulong)view.Address.ToInt64());
            ulong before = CuprumLibrary.LiveHandles;
            buffer.Dispose();
            Marshal.WriteInt64(view.Address, 8, 42);
            Assert.AreEqual(42, Marshal.ReadInt64(view.Address, 8));
            Assert.AreEqual(before, CuprumLibrary.LiveHandles);
            Assert.Throws<InvalidStateException>(() => buffer.AsHostMemory());
            view.Dispose();
            view.Dispose();
            Assert.AreEqual(before - 1, CuprumLibrary.LiveHandles);
            Assert.IsTrue(view.IsClosed);
            Assert.Throws<InvalidStateException>(() => view.Address.ToInt64());
        }
    }

    [Test]
    public void WhatTheHostCannotUseIsNotViewed() {
        using (var resource = new LegacyPinnedMemoryResource())
        using (Buffer empty = resource.Allocate(0))
        using (Buffer ofDevice = device.Allocate(16)) {
            var error = Assert.Throws<InvalidArgumentException>(() => ofDevice.AsHostMemory());
            Fixtures.AssertMentions(error, "viewing a buffer as host memory", "pinned memory resource");
            using (HostMemoryView view = empty.AsHostMemory()) {
                Assert.AreEqual(IntPtr.Zero, view.Address);
            }
        }
    }

    [Test]
    public void BuffersOutliveTheirResource() {
        var resource = new LegacyPinnedMemoryResource();
        using (Buffer buffer = resource.Allocate(8)) {
            resource.Dispose();
            using (HostMemoryView view = buffer.AsHostMemory()) {
                Marshal.WriteInt32(view.Address, 1);
            }
            Assert.AreSame(resource, buffer.MemoryResource);
            var error = Assert.Throws<InvalidStateException>(() => resource.Allocate(8));
            Fixtures.AssertMentions(error, "allocating from a memory resource");
        }
    }

    [Test]
    public void WhatCannotBeAllocatedOrFreedIsRefused() {
        using (var resource = new LegacyPinnedMemoryResource())
        using (Stream stream = device.CreateStream()) {
            Assert.Throws<MemoryExhaustedException>(() => resource.Allocate(1L << 50));
            Assert.Throws<ArgumentOutOfRangeException>(() => resource.Allocate(-1));
            resource.Deallocate(0, 0);
            resource.Deallocate(0, 0, stream);
            Assert.Throws<DriverException>(() => resource.Deallocate(4096, 8));
        }
    }

    [Test]
    public void MemoryIsFreedInTheStreamOfChoice() {
        using (var resource = new LegacyPinnedMemoryResource())
        using (Stream stream = device.CreateStream())
        using (Stream second = device.CreateStream()) {
            foreach (Buffer buffer in new[] { resource.Allocate(8, stream), device.Allocate(8, stream) }) {
                stream.Sync();
                buffer.Fill(1, 1, second);
                buffer.SetDeallocationStream(second);
                buffer.Dispose();
                Assert.Throws<InvalidStateException>(() => buffer.SetDeallocationStream(second));
                buffer.Dispose(second);
            }
            device.Allocate(8).Dispose(second);
            using (Buffer lender = device.Allocate(8))
            using (Buffer borrowed = Buffer.FromHandle(device, lender.Handle, 8)) {
                Assert.Throws<InvalidArgumentException>(() => borrowed.SetDeallocationStream(second));
            }
        }
    }

#if CUPRUM_SPAN
    [Test]
    public void AViewIsASpan() {
        using (var resource = new LegacyPinnedMemoryResource())
        using (Buffer buffer = resource.Allocate(18))
        using (HostMemoryView view = buffer.AsHostMemory()) {
            Span<int> numbers = view.AsSpan<int>();
            Assert.AreEqual(4, numbers.Length);
            numbers[1] = 7;
            Assert.AreEqual(7, Marshal.ReadInt32(view.Address, 4));
            Assert.Throws<ArgumentException>(() => view.AsSpan<GCHandleHolder>().Clear());
        }
    }

    private struct GCHandleHolder {
        public string Text;
    }
#endif
}
