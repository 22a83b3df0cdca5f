// A memory resource that the program writes: it counts what a pool is asked for. The device then allocates from it.
// usage: mono CountingMemoryResource.exe

using System;
using System.Collections.Concurrent;
using System.Threading;
using Cuprum;
using Buffer = Cuprum.Buffer;

internal static class CountingMemoryResource {
    // Memory of another resource, which it counts.
    private sealed class Counting : IMemoryAllocator {
        private readonly MemoryResource upstream;
        private readonly ConcurrentDictionary<ulong, Buffer> live = new ConcurrentDictionary<ulong, Buffer>();
        private long bytes, mostBytes;

        public Counting(MemoryResource upstream) {
            this.upstream = upstream;
        }

        public long Bytes { get { return Interlocked.Read(ref bytes); } }

        public long MostBytes { get { return Interlocked.Read(ref mostBytes); } }

        public ulong Allocate(ulong size, Stream stream) {
            Buffer buffer = upstream.Allocate(size, stream);
            live[buffer.Handle] = buffer;
            long now = Interlocked.Add(ref bytes, (long)size);
            if (now > MostBytes) {
                Interlocked.Exchange(ref mostBytes, now);
            }
            return buffer.Handle;
        }

        public void Deallocate(ulong address, ulong size, Stream stream) {
            Interlocked.Add(ref bytes, -(long)size);
            Buffer buffer;
            live.TryRemove(address, out buffer);
            buffer.Dispose(stream);
        }
    }

    private static int Main() {
        var device = new Device(0);
        bool right;
        using (Stream stream = device.CreateStream())
        using (var pool = new DeviceMemoryResource(device, 0ul)) {
            var counting = new Counting(pool);
            using (var resource = new UserMemoryResource(device, counting)) {
                device.MemoryResource = resource;
                Buffer first = device.Allocate(1000, stream);
                Buffer second = device.Allocate(2000, stream);
                first.Fill(0, 1, stream);
                first.Dispose();
                Buffer third = resource.Allocate(500, stream);
                right = counting.Bytes == 2500 && counting.MostBytes == 3000;
                second.Dispose();
                third.Dispose();
            }
            stream.Sync();
            right = right && counting.Bytes == 0;
            Console.WriteLine("at most {0} bytes at a time on {1}: {2}", counting.MostBytes, device.Name,
                              right ? "right" : "wrong");
        }
        return right ? 0 : 1;
    }
}
