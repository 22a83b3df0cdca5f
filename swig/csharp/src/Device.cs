using System;
using System.Collections.Generic;
using Cuprum.Native;

namespace Cuprum {

/// <summary>A device's generation.</summary>
public struct ComputeCapability {
    internal ComputeCapability(int major, int minor) {
        Major = major;
        Minor = minor;
    }

    /// <summary>9 of 9.0.</summary>
    public int Major { get; }

    /// <summary>0 of 9.0.</summary>
    public int Minor { get; }

    /// <summary>"9.0"</summary>
    public override string ToString() {
        return Major + "." + Minor;
    }
}

/// <summary>A device's memory at one moment.</summary>
public struct MemoryInfo {
    internal MemoryInfo(ulong free, ulong total) {
        Free = free;
        Total = total;
    }

    /// <summary>Bytes that can still be allocated.</summary>
    public ulong Free { get; }

    /// <summary>Bytes that the device has.</summary>
    public ulong Total { get; }

    /// <summary>"1024 of 4096 bytes are free"</summary>
    public override string ToString() {
        return Free + " of " + Total + " bytes are free";
    }
}

/// <summary>The limits a launch is checked against, and what programs ask most often.</summary>
public sealed class DeviceProperties {
    // cuprum_device_properties as it is: struct_size, then the fields in its order.
    private readonly int[] fields = new int[22];

    internal DeviceProperties(int device) {
        fields[0] = fields.Length * sizeof(int);
        CuprumNative.cuprum_device_properties_get(fields, device);
    }

    /// <summary>9 of 9.0.</summary>
    public int ComputeCapabilityMajor { get { return fields[1]; } }

    /// <summary>0 of 9.0.</summary>
    public int ComputeCapabilityMinor { get { return fields[2]; } }

    /// <summary>Number of multiprocessors.</summary>
    public int MultiprocessorCount { get { return fields[3]; } }

    /// <summary>Threads in a warp.</summary>
    public int WarpSize { get { return fields[4]; } }

    /// <summary>Threads in a block.</summary>
    public int MaxThreadsPerBlock { get { return fields[5]; } }

    /// <summary>Threads in a block along x.</summary>
    public int MaxBlockDimX { get { return fields[6]; } }

    /// <summary>Threads in a block along y.</summary>
    public int MaxBlockDimY { get { return fields[7]; } }

    /// <summary>Threads in a block along z.</summary>
    public int MaxBlockDimZ { get { return fields[8]; } }

    /// <summary>Blocks in a grid along x.</summary>
    public int MaxGridDimX { get { return fields[9]; } }

    /// <summary>Blocks in a grid along y.</summary>
    public int MaxGridDimY { get { return fields[10]; } }

    /// <summary>Blocks in a grid along z.</summary>
    public int MaxGridDimZ { get { return fields[11]; } }

    /// <summary>Bytes.</summary>
    public int MaxSharedMemoryPerBlock { get { return fields[12]; } }

    /// <summary>Bytes, for kernels that ask for it.</summary>
    public int MaxSharedMemoryPerBlockOptin { get { return fields[13]; } }

    /// <summary>Bytes.</summary>
    public int MaxSharedMemoryPerMultiprocessor { get { return fields[14]; } }

    /// <summary>32-bit registers.</summary>
    public int MaxRegistersPerBlock { get { return fields[15]; } }

    /// <summary>Threads.</summary>
    public int MaxThreadsPerMultiprocessor { get { return fields[16]; } }

    /// <summary>kHz.</summary>
    public int ClockRate { get { return fields[17]; } }

    /// <summary>kHz.</summary>
    public int MemoryClockRate { get { return fields[18]; } }

    /// <summary>Bits.</summary>
    public int GlobalMemoryBusWidth { get { return fields[19]; } }

    /// <summary>Bytes.</summary>
    public int L2CacheSize { get { return fields[20]; } }

    /// <summary>The device is Cuprum's simulator.</summary>
    public bool IsSimulator { get { return fields[21] != 0; } }
}

/// <summary>
/// One GPU, or the simulated device. A value: an ordinal; devices with the same ordinal are equal.
/// </summary>
/// <remarks>
/// Work goes to the device's primary context, which is kept for the life of the process. No method changes the calling
/// thread's current context, except <see cref="SetCurrent"/>.
/// </remarks>
public sealed partial class Device : IEquatable<Device> {
    static Device() {
        NativeLibraries.Load();
    }

    /// <summary>The device with that ordinal. Loads the driver and initialises it at first use.</summary>
    /// <param name="deviceId">From 0 to <see cref="Count"/> - 1.</param>
    /// <exception cref="InvalidArgumentException">There is no such device.</exception>
    /// <exception cref="NotFoundException">There is no driver.</exception>
    public Device(int deviceId = 0) {
        int isSimulator;
        CuprumNative.cuprum_device_is_simulator(out isSimulator, deviceId);
        DeviceId = deviceId;
    }

    /// <summary>How many devices there are.</summary>
    public static int Count {
        get {
            int count;
            CuprumNative.cuprum_device_count(out count);
            return count;
        }
    }

    /// <summary>All devices, in the order of their ordinals.</summary>
    public static IReadOnlyList<Device> GetAllDevices() {
        var devices = new Device[Count];
        for (int i = 0; i < devices.Length; ++i) {
            devices[i] = new Device(i);
        }
        return devices;
    }

    /// <summary>The ordinal.</summary>
    public int DeviceId { get; }

    /// <summary>The generation.</summary>
    public ComputeCapability ComputeCapability {
        get {
            DeviceProperties properties = Properties;
            return new ComputeCapability(properties.ComputeCapabilityMajor, properties.ComputeCapabilityMinor);
        }
    }

    /// <summary>Limits and sizes.</summary>
    public DeviceProperties Properties { get { return new DeviceProperties(DeviceId); } }

    /// <summary>The device's memory, bytes.</summary>
    public ulong TotalMemory { get { return MemoryInfo.Total; } }

    /// <summary>What is free of it now, bytes.</summary>
    public ulong FreeMemory { get { return MemoryInfo.Free; } }

    /// <summary>How much memory is free and how much there is, both of the same moment.</summary>
    public MemoryInfo MemoryInfo {
        get {
            ulong free, total;
            CuprumNative.cuprum_device_memory_info(out free, out total, DeviceId);
            return new MemoryInfo(free, total);
        }
    }

    /// <summary>A new stream; the caller disposes of it.</summary>
    /// <param name="options">How to make it; null for the defaults.</param>
    public Stream CreateStream(StreamOptions options = null) {
        options = options ?? new StreamOptions();
        IntPtr stream;
        CuprumNative.cuprum_stream_create(out stream, DeviceId, options.Nonblocking ? 0 : 1, options.Priority);
        return new Stream(stream);
    }

    /// <summary>A new event; the caller disposes of it.</summary>
    /// <param name="options">How to make it; null for the defaults.</param>
    public Event CreateEvent(EventOptions options = null) {
        options = options ?? new EventOptions();
        IntPtr created;
        CuprumNative.cuprum_event_create(
            out created, DeviceId, options.TimingEnabled ? 1 : 0, options.BlockingSync ? 1 : 0);
        return new Event(created, options.TimingEnabled, options.BlockingSync);
    }

    /// <summary>The legacy default stream of this device; disposing of it closes only the C# object.</summary>
    public Stream DefaultStream {
        get {
            IntPtr stream;
            CuprumNative.cuprum_stream_default(out stream, DeviceId);
            return new Stream(stream);
        }
    }

    /// <summary>Device memory; the caller disposes of it.</summary>
    /// <param name="size">Bytes; 0 gives an empty buffer.</param>
    /// <param name="stream">Null: usable from any stream at once, and disposing of it waits for the work that uses it.
    /// Else in stream order: usable in the stream at once, and freed in its order.</param>
    /// <exception cref="MemoryExhaustedException">The device has not that much.</exception>
    public Buffer Allocate(ulong size, Stream stream = null) {
        IntPtr buffer;
        CuprumNative.cuprum_buffer_allocate(
            out buffer, DeviceId, size, Stream.UseOptional(stream, Operations.BufferAllocate));
        return new Buffer(buffer);
    }

    /// <summary>Device memory for signed sizes; see the other overload.</summary>
    /// <param name="size">Bytes, not negative.</param>
    /// <param name="stream">Null, or where it is allocated and freed.</param>
    public Buffer Allocate(long size, Stream stream = null) {
        if (size < 0) {
            throw new ArgumentOutOfRangeException(nameof(size), "the size of a buffer must not be negative: " + size);
        }
        return Allocate((ulong)size, stream);
    }

    /// <summary>Whether it is the same device.</summary>
    public bool Equals(Device other) {
        return !ReferenceEquals(other, null) && other.DeviceId == DeviceId;
    }

    /// <summary>Whether it is the same device.</summary>
    public override bool Equals(object other) {
        return Equals(other as Device);
    }

    /// <summary>Equal for the same device.</summary>
    public override int GetHashCode() {
        return DeviceId;
    }

    /// <summary>"Device 0"</summary>
    public override string ToString() {
        return "Device " + DeviceId;
    }
}

}
