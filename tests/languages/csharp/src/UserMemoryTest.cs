using System;
using System.Collections.Concurrent;
using System.Collections.Generic;
using System.Linq;
using System.Threading;
using Cuprum;
using NUnit.Framework;
using Buffer = Cuprum.Buffer;

/// <summary>Memory resources that the program writes.</summary>
[TestFixture]
public class UserMemoryTest : LeavesNothing {
    private readonly Device device = new Device(0);

    private sealed class OutOfPaper : Exception {}

    /// <summary>Takes memory from another resource, and writes down what is asked of it.</summary>
    private sealed class Recorder : IMemoryAllocator {
        public readonly ConcurrentQueue<Tuple<ulong, ulong, ulong>> Allocated =
            new ConcurrentQueue<Tuple<ulong, ulong, ulong>>();
        public readonly ConcurrentQueue<Tuple<ulong, ulong, ulong>> Freed =
            new ConcurrentQueue<Tuple<ulong, ulong, ulong>>();
        public readonly ConcurrentDictionary<ulong, Buffer> Live = new ConcurrentDictionary<ulong, Buffer>();
        public Exception Failure;
        private readonly MemoryResource upstream;

        public Recorder(MemoryResource upstream) {
            this.upstream = upstream;
        }

        public ulong Allocate(ulong size, Stream stream) {
            if (Failure != null) {
                throw Failure;
            }
            Buffer buffer = upstream.Allocate(size, stream);
            Live[buffer.Handle] = buffer;
            Allocated.Enqueue(Tuple.Create(buffer.Handle, size, stream == null ? 0 : stream.Handle));
            return buffer.Handle;
        }

        public void Deallocate(ulong address, ulong size, Stream stream) {
            Freed.Enqueue(Tuple.Create(address, size, stream == null ? 0 : stream.Handle));
            Buffer buffer;
            Live.TryRemove(address, out buffer);
            if (stream != null) {
                buffer.SetDeallocationStream(stream);
            }
            buffer.Dispose();
            if (Failure != null) {
                throw Failure;
            }
        }
    }

    private sealed class Nothing : IMemoryAllocator {
        public ulong Allocate(ulong size, Stream stream) {
            return 0;
        }

        public void Deallocate(ulong address, ulong size, Stream stream) {
            throw new InvalidOperationException("nothing was allocated");
        }
    }

    [Test]
    public void ABufferIsFreedOnceInItsStream() {
        using (var pool = new DeviceMemoryResource(device, 0ul))
        using (Stream stream = device.CreateStream())
        using (Stream second = device.CreateStream()) {
            var recorder = new Recorder(pool);
            using (var resource = new UserMemoryResource(device, recorder)) {
                Assert.AreSame(recorder, resource.Allocator);
                Assert.AreEqual(0, resource.DeviceId);
                Assert.IsFalse(resource.IsHostAccessible);
                Assert.IsTrue(resource.IsDeviceAccessible);
                Buffer buffer = resource.Allocate(16ul, stream);
                ulong address = buffer.Handle;
                CollectionAssert.AreEqual(new[] {Tuple.Create(address, 16ul, stream.Handle)}, recorder.Allocated);
                Assert.AreSame(resource, buffer.MemoryResource);
                buffer.Fill(7, 1, stream);
                Assert.AreEqual(0, recorder.Freed.Count);
                buffer.Dispose();
                buffer.Dispose();
                CollectionAssert.AreEqual(new[] {Tuple.Create(address, 16ul, stream.Handle)}, recorder.Freed);
                resource.Allocate(16ul, stream).Dispose(second);
                Assert.AreEqual(second.Handle, recorder.Freed.Last().Item3);
                using (Buffer empty = resource.Allocate(0ul, stream)) {
                    Assert.AreEqual(0ul, empty.Size);
                }
                Assert.AreEqual(2, recorder.Allocated.Count);
            }
        }
    }

    [Test]
    public void WithoutAStreamTheWorkIsDone() {
        using (var pinned = new LegacyPinnedMemoryResource()) {
            var recorder = new Recorder(pinned);
            using (var resource = new UserMemoryResource(MemoryKind.Pinned, recorder)) {
                Assert.AreEqual(-1, resource.DeviceId);
                Assert.IsTrue(resource.IsHostAccessible);
                resource.Allocate(16ul).Dispose();
                Assert.AreEqual(0ul, recorder.Freed.Single().Item3);
            }
        }
    }

    [Test]
    public void WhatTheAllocatorThrowsIsThrown() {
        using (var pool = new DeviceMemoryResource(device, 1ul << 22))
        using (Stream stream = device.CreateStream()) {
            var recorder = new Recorder(pool);
            using (var resource = new UserMemoryResource(device, recorder))
            using (var nothing = new UserMemoryResource(device, new Nothing())) {
                Assert.Throws<MemoryExhaustedException>(() => resource.Allocate(1ul << 40, stream));
                StringAssert.Contains("a pool allocates in a stream",
                                      Assert.Throws<InvalidArgumentException>(() => resource.Allocate(16ul)).Message);
                recorder.Failure = new OutOfPaper();
                Assert.AreSame(recorder.Failure, Assert.Throws<OutOfPaper>(() => resource.Allocate(16ul, stream)));
                StringAssert.Contains(
                    "null address for 16 bytes",
                    Assert.Throws<InvalidStateException>(() => nothing.Allocate(16ul, stream)).Message);
            }
        }
    }

    [Test]
    public void WhatFreeingThrowsGoesToTheEvent() {
        var caught = new List<object>();
        EventHandler<UnhandledExceptionEventArgs> handler = (sender, what) => caught.Add(what.ExceptionObject);
        UserMemoryResource.DeallocateException += handler;
        try {
            using (var pool = new DeviceMemoryResource(device, 0ul))
            using (Stream stream = device.CreateStream()) {
                var recorder = new Recorder(pool);
                using (var resource = new UserMemoryResource(device, recorder)) {
                    Buffer buffer = resource.Allocate(16ul, stream);
                    recorder.Failure = new OutOfPaper();
                    buffer.Dispose();
                    CollectionAssert.AreEqual(new[] {recorder.Failure}, caught);
                }
            }
        } finally {
            UserMemoryResource.DeallocateException -= handler;
        }
    }

    [Test]
    public void ItLivesAsLongAsItsBuffers() {
        using (var pool = new DeviceMemoryResource(device, 0ul))
        using (Stream stream = device.CreateStream()) {
            var recorder = new Recorder(pool);
            var resource = new UserMemoryResource(device, recorder);
            Buffer buffer = resource.Allocate(16ul, stream);
            resource.Dispose();
            Assert.Throws<InvalidStateException>(() => resource.Allocate(16ul, stream));
            GC.Collect();
            buffer.Dispose();
            Assert.AreEqual(1, recorder.Freed.Count);
        }
    }

    [Test]
    public void ADeviceAllocatesFromIt() {
        using (var pool = new DeviceMemoryResource(device, 0ul))
        using (Stream stream = device.CreateStream())
        using (MemoryResource former = device.MemoryResource)
        using (var pinned = new LegacyPinnedMemoryResource()) {
            var recorder = new Recorder(pool);
            var resource = new UserMemoryResource(device, recorder);
            device.MemoryResource = resource;
            resource.Dispose();
            try {
                using (MemoryResource now = device.MemoryResource)
                using (Buffer buffer = device.Allocate(16ul, stream))
                using (MemoryResource of = buffer.MemoryResource) {
                    Assert.AreSame(recorder, ((UserMemoryResource)now).Allocator);
                    Assert.AreSame(recorder, ((UserMemoryResource)of).Allocator);
                    Assert.AreEqual(1, recorder.Allocated.Count);
                    recorder.Failure = new OutOfPaper();
                    Assert.AreSame(recorder.Failure, Assert.Throws<OutOfPaper>(() => device.Allocate(16ul, stream)));
                    recorder.Failure = null;
                }
            } finally {
                device.MemoryResource = former;
            }
            Assert.AreEqual(1, recorder.Freed.Count);
            Assert.Throws<InvalidArgumentException>(() => device.MemoryResource = pinned);
        }
    }

    [Test]
    public void MemoryIsTakenOver() {
        using (var pool = new DeviceMemoryResource(device, 0ul))
        using (Stream stream = device.CreateStream()) {
            var recorder = new Recorder(pool);
            using (var resource = new UserMemoryResource(device, recorder)) {
                ulong address = recorder.Allocate(16, stream);
                Assert.Throws<InvalidArgumentException>(() => Buffer.FromHandle(resource, 0, 16, stream));
                Assert.Throws<ArgumentNullException>(() => Buffer.FromHandle((MemoryResource)null, address, 16, stream));
                using (Buffer buffer = Buffer.FromHandle(resource, address, 16, stream)) {
                    Assert.AreSame(resource, buffer.MemoryResource);
                }
                CollectionAssert.AreEqual(new[] {Tuple.Create(address, 16ul, stream.Handle)}, recorder.Freed);
                Assert.Throws<InvalidArgumentException>(() => Buffer.FromHandle(pool, 16, 16));
            }
        }
    }

    [Test]
    public void AnyThreadMayUseIt() {
        using (var pool = new DeviceMemoryResource(device, 0ul)) {
            var recorder = new Recorder(pool);
            using (var resource = new UserMemoryResource(device, recorder)) {
                var threads = new List<Thread>();
                for (int i = 0; i < 4; ++i) {
                    threads.Add(new Thread(() => {
                        using (Stream stream = device.CreateStream()) {
                            for (int turn = 0; turn < 50; ++turn) {
                                resource.Allocate(256ul, stream).Dispose();
                            }
                            stream.Sync();
                        }
                    }));
                }
                threads.ForEach(thread => thread.Start());
                threads.ForEach(thread => thread.Join());
            }
            Assert.AreEqual(200, recorder.Freed.Count);
            Assert.AreEqual(0, recorder.Live.Count);
        }
    }

    // In a thread of its own: Mono's collector takes what is left on a stack for a reference.
    private void Drop(Stream stream, Recorder recorder) {
        var thread = new Thread(() => {
            var resource = new UserMemoryResource(device, recorder);
            resource.Allocate(16ul, stream);
            resource.Allocate(16ul, stream);
        });
        thread.Start();
        thread.Join();
    }

    [Test]
    public void WhatIsDroppedIsFreed() {
        using (var pool = new DeviceMemoryResource(device, 0ul))
        using (Stream stream = device.CreateStream()) {
            ulong before = CuprumLibrary.LiveHandles;
            var recorder = new Recorder(pool);
            Drop(stream, recorder);
            Fixtures.AwaitLiveHandles(before);
            Assert.AreEqual(2, recorder.Freed.Count);
            Assert.AreEqual(0, recorder.Live.Count);
        }
    }

    [Test]
    public void TheProcessMayEndWithMemoryInUse() {
        ChildProcess child = new ChildProcess().Run("exit-with-user-memory");
        Assert.AreEqual(0, child.ExitStatus, child.Output);
        Assert.AreEqual("leaving\n", child.Output);
    }

    [Test]
    public void WhatItIsMadeOfIsChecked() {
        using (var pool = new DeviceMemoryResource(device, 0ul)) {
            var recorder = new Recorder(pool);
            Assert.Throws<ArgumentNullException>(() => new UserMemoryResource(device, null));
            Assert.Throws<InvalidArgumentException>(() => new UserMemoryResource(MemoryKind.Device, recorder));
        }
    }
}
