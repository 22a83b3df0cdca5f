// Memory pools: a device's, with what it holds; page-locked host memory; and managed memory, which moves.
// usage: mono MemoryPools.exe

using System;
using System.Runtime.InteropServices;
using Cuprum;
using Buffer = Cuprum.Buffer;

internal static class MemoryPools {
    private const int N = 100000;
    private const int Size = N * sizeof(int);

    private static int Main() {
        var device = new Device(0);
        bool right;
        using (Stream stream = device.CreateStream()) {
            right = DevicePool(device, stream) && HostPools(device, stream);
        }
        Console.WriteLine("pools of device, pinned and managed memory on {0}: {1}", device.Name, right ? "right" : "wrong");
        return right ? 0 : 1;
    }

    // What is freed stays with the pool, up to its threshold, until it is trimmed.
    private static bool DevicePool(Device device, Stream stream) {
        using (var pool = new DeviceMemoryResource(device, 64 << 20)) {
            pool.SetAttribute(MemoryPoolAttribute.ReleaseThreshold, 64 << 20);
            for (int round = 0; round < 3; ++round) {
                using (Buffer buffer = pool.Allocate(Size, stream)) {
                    buffer.Fill(0, 1, stream);
                }
            }
            stream.Sync();
            bool right = pool.GetAttribute(MemoryPoolAttribute.UsedMemCurrent) == 0
                && pool.GetAttribute(MemoryPoolAttribute.ReservedMemCurrent) >= Size;
            pool.TrimTo(0);
            return right && pool.GetAttribute(MemoryPoolAttribute.ReservedMemCurrent) == 0;
        }
    }

    private static bool HostPools(Device device, Stream stream) {
        using (var pinned = new PinnedMemoryResource())
        using (var managed = new ManagedMemoryResource())
        using (Buffer source = pinned.Allocate(Size, stream))
        using (ManagedBuffer moving = managed.Allocate(Size, stream))
        using (HostMemoryView values = source.AsHostMemory())
        using (HostMemoryView result = moving.AsHostMemory()) {
            stream.Sync();    // before the host uses what was allocated in the stream
            var numbers = new int[N];
            for (int i = 0; i < N; ++i) {
                numbers[i] = i;
            }
            Marshal.Copy(numbers, 0, values.Address, N);
            moving.Prefetch(device, stream);
            moving.CopyFrom(source, stream);
            moving.Prefetch(MemoryLocation.Host, stream);
            stream.Sync();
            return Marshal.ReadInt32(result.Address, (N - 1) * sizeof(int)) == N - 1;
        }
    }
}
