using System;
using System.Collections.Generic;
using Cuprum.Native;

namespace Cuprum {

/// <summary>A device's compute capability.</summary>
public struct ComputeCapability {
    internal ComputeCapability(int major, int minor) {
        Major = major;
        Minor = minor;
    }

    /// <summary>The major number, 9 in 9.0.</summary>
    public int Major { get; }

    /// <summary>The minor number, 0 in 9.0.</summary>
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

    /// <summary>Bytes that the device has in all.</summary>
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

    /// <summary>The major number, 9 in 9.0.</summary>
    public int ComputeCapabilityMajor { get { return fields[1]; } }

    /// <summary>The minor number, 0 in 9.0.</summary>
    public int ComputeCapabilityMinor { get { return fields[2]; } }

    /// <summary>Number of multiprocessors.</summary>
    public int MultiprocessorCount { get { return fields[3]; } }

    /// <summary>Threads in a warp.</summary>
    public int WarpSize { get { return fields[4]; } }

    /// <summary>The most threads in a block.</summary>
    public int MaxThreadsPerBlock { get { return fields[5]; } }

    /// <summary>The most threads in a block along x.</summary>
    public int MaxBlockDimX { get { return fields[6]; } }

    /// <summary>The most threads in a block along y.</summary>
    public int MaxBlockDimY { get { return fields[7]; } }

    /// <summary>The most threads in a block along z.</summary>
    public int MaxBlockDimZ { get { return fields[8]; } }

    /// <summary>The most blocks in a grid along x.</summary>
    public int MaxGridDimX { get { return fields[9]; } }

    /// <summary>The most blocks in a grid along y.</summary>
    public int MaxGridDimY { get { return fields[10]; } }

    /// <summary>The most blocks in a grid along z.</summary>
    public int MaxGridDimZ { get { return fields[11]; } }

    /// <summary>Shared memory for each block, in bytes.</summary>
    public int MaxSharedMemoryPerBlock { get { return fields[12]; } }

    /// <summary>Shared memory for each block of kernels that ask for more, in bytes.</summary>
    public int MaxSharedMemoryPerBlockOptin { get { return fields[13]; } }

    /// <summary>Shared memory of each multiprocessor, in bytes.</summary>
    public int MaxSharedMemoryPerMultiprocessor { get { return fields[14]; } }

    /// <summary>The most 32-bit registers of a block.</summary>
    public int MaxRegistersPerBlock { get { return fields[15]; } }

    /// <summary>The most threads on a multiprocessor.</summary>
    public int MaxThreadsPerMultiprocessor { get { return fields[16]; } }

    /// <summary>The clock rate in kHz.</summary>
    public int ClockRate { get { return fields[17]; } }

    /// <summary>The memory's clock rate in kHz.</summary>
    public int MemoryClockRate { get { return fields[18]; } }

    /// <summary>The width of the memory bus in bits.</summary>
    public int GlobalMemoryBusWidth { get { return fields[19]; } }

    /// <summary>The size of the L2 cache in bytes.</summary>
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

    /// <summary>The device with this ordinal. The first use loads and initialises the driver.</summary>
    /// <param name="deviceId">The ordinal, from 0 to <see cref="Count"/> - 1.</param>
    /// <exception cref="InvalidArgumentException">No device has that ordinal.</exception>
    /// <exception cref="NotFoundException">No CUDA driver was found.</exception>
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

    /// <summary>The device whose context is current on this thread, even if other code made it current; device 0 if
    /// none is.</summary>
    public static Device Current {
        get {
            int device;
            CuprumNative.cuprum_device_current(out device);
            return new Device(device);
        }
    }

    /// <summary>The same GPU as NVML sees it.</summary>
    public SystemDevice ToSystemDevice() {
        int device;
        CuprumNative.cuprum_system_device_of_cuda(out device, DeviceId);
        return new SystemDevice(device);
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

    /// <summary>The compute capability.</summary>
    public ComputeCapability ComputeCapability {
        get {
            DeviceProperties properties = Properties;
            return new ComputeCapability(properties.ComputeCapabilityMajor, properties.ComputeCapabilityMinor);
        }
    }

    /// <summary>The device's limits and sizes.</summary>
    public DeviceProperties Properties { get { return new DeviceProperties(DeviceId); } }

    /// <summary>The size of the device's memory in bytes.</summary>
    public ulong TotalMemory { get { return MemoryInfo.Total; } }

    /// <summary>The bytes of it that are free now.</summary>
    public ulong FreeMemory { get { return MemoryInfo.Free; } }

    /// <summary>How much memory is free and how much there is in all, read at the same moment.</summary>
    public MemoryInfo MemoryInfo {
        get {
            ulong free, total;
            CuprumNative.cuprum_device_memory_info(out free, out total, DeviceId);
            return new MemoryInfo(free, total);
        }
    }

    /// <summary>A graph builder that captures in a stream of its own; the caller disposes of it.</summary>
    public GraphBuilder CreateGraphBuilder() {
        IntPtr builder;
        CuprumNative.cuprum_graph_builder_create_on_device(out builder, DeviceId);
        return new GraphBuilder(builder);
    }

    /// <summary>A new stream; the caller disposes of it.</summary>
    /// <param name="options">The options; null for the defaults.</param>
    public Stream CreateStream(StreamOptions options = null) {
        options = options ?? new StreamOptions();
        IntPtr stream;
        CuprumNative.cuprum_stream_create(out stream, DeviceId, options.Nonblocking ? 0 : 1, options.Priority);
        return new Stream(stream);
    }

    /// <summary>A new event; the caller disposes of it.</summary>
    /// <param name="options">The options; null for the defaults.</param>
    public Event CreateEvent(EventOptions options = null) {
        options = options ?? new EventOptions();
        IntPtr created;
        CuprumNative.cuprum_event_create(
            out created, DeviceId, options.TimingEnabled ? 1 : 0, options.BlockingSync ? 1 : 0,
            options.IpcEnabled ? 1 : 0);
        return new Event(created, options.TimingEnabled, options.BlockingSync, options.IpcEnabled);
    }

    /// <summary>The legacy default stream of this device; disposing of it closes the C# object only.</summary>
    public Stream DefaultStream {
        get {
            IntPtr stream;
            CuprumNative.cuprum_stream_default(out stream, DeviceId);
            return new Stream(stream);
        }
    }

    /// <summary>The device's primary context, which disposing of this leaves alone.</summary>
    public Context Context {
        get {
            IntPtr context;
            CuprumNative.cuprum_context_of_device(out context, DeviceId);
            return new Context(context);
        }
    }

    /// <summary>All multiprocessors of the device.</summary>
    public SMResource SMResource { get { return SMResource.Of(this); } }

    /// <summary>How its streams get at its queues.</summary>
    /// <exception cref="UnsupportedException">The driver is older than CUDA 13.1.</exception>
    public WorkqueueResource WorkqueueResource { get { return WorkqueueResource.Of(this); } }

    /// <summary>A green context: its work uses those multiprocessors. It does not become current; the caller disposes of it.
    /// </summary>
    /// <param name="resources">Parts of one split.</param>
    /// <exception cref="InvalidArgumentException">There is no resource, or one of another device.</exception>
    public Context CreateContext(params SMResource[] resources) {
        return Context.Create(this, Require.NotNull(resources, nameof(resources)));
    }

    /// <summary>An array of this device, for textures and surfaces; its elements are not initialised. The caller disposes of
    /// it.</summary>
    /// <exception cref="InvalidArgumentException">There is no such array.</exception>
    /// <exception cref="MemoryExhaustedException">There is not enough memory.</exception>
    public OpaqueArray CreateOpaqueArray(OpaqueArrayOptions options) {
        return OpaqueArray.Create(this, Require.NotNull(options, nameof(options)));
    }

    /// <summary>An image of this device in several sizes; the caller disposes of it.</summary>
    /// <exception cref="InvalidArgumentException">There is no such array, or not so many levels.</exception>
    /// <exception cref="MemoryExhaustedException">There is not enough memory.</exception>
    public MipmappedArray CreateMipmappedArray(MipmappedArrayOptions options) {
        return MipmappedArray.Create(this, Require.NotNull(options, nameof(options)));
    }

    /// <summary>How kernels read an image on this device; the caller disposes of it.</summary>
    /// <param name="resource">The image.</param>
    /// <param name="options">How they read it; null: the nearest element, clamped, by element numbers.</param>
    /// <exception cref="InvalidArgumentException">The options contradict each other or the image.</exception>
    /// <exception cref="InvalidStateException">The image is closed.</exception>
    public TextureObject CreateTextureObject(ResourceDescriptor resource, TextureObjectOptions options = null) {
        return TextureObject.Create(this, Require.NotNull(resource, nameof(resource)),
                                    options ?? new TextureObjectOptions());
    }

    /// <summary>How kernels write an array of this device; the caller disposes of it.</summary>
    /// <exception cref="InvalidArgumentException">The array was not made for surfaces.</exception>
    /// <exception cref="InvalidStateException">The array is closed.</exception>
    public SurfaceObject CreateSurfaceObject(ResourceDescriptor resource) {
        return SurfaceObject.Create(this, Require.NotNull(resource, nameof(resource)));
    }

    /// <summary>A green context with a workqueue; the caller disposes of it.</summary>
    /// <param name="workqueue">How its streams get at the device's queues.</param>
    /// <param name="resources">The multiprocessors that its work may use: parts of one split.</param>
    /// <exception cref="UnsupportedException">The driver is older than CUDA 13.1.</exception>
    public Context CreateContext(WorkqueueResource workqueue, params SMResource[] resources) {
        if (!Require.NotNull(workqueue, nameof(workqueue)).Device.Equals(this)) {
            throw new ArgumentException("the workqueue is one of " + workqueue.Device + ", not of " + this, nameof(workqueue));
        }
        return Context.Create(this, Require.NotNull(resources, nameof(resources)), workqueue);
    }

    /// <summary>What the device's memory is allocated from in a stream: a <see cref="UserMemoryResource"/> that was chosen,
    /// else a pool, a <see cref="DeviceMemoryResource"/>: the driver's own, or the one that was chosen. The caller disposes
    /// of it. Setting it chooses a pool of this device, for other CUDA code too, or a resource of the program's, for
    /// <see cref="Allocate(ulong, Stream)"/> and what the parallel algorithms need for a time; it lives until another one
    /// is chosen.</summary>
    /// <exception cref="InvalidArgumentException">The resource is another device's or of another kind, or devices cannot
    /// use its memory.</exception>
    public MemoryResource MemoryResource {
        get {
            IntPtr resource;
            CuprumNative.cuprum_memory_resource_chosen(out resource, DeviceId);
            return Cuprum.MemoryResource.OfHandle(resource);
        }
        set {
            CuprumNative.cuprum_memory_resource_use(
                DeviceId, Require.NotNull(value, nameof(value)).Use(Operations.MemoryResourceUse));
        }
    }

    /// <summary>Device memory; the caller disposes of it.</summary>
    /// <param name="size">The size in bytes; 0 gives an empty buffer.</param>
    /// <param name="stream">The stream to allocate in: usable in that stream at once, and freed in its order. Null:
    /// usable from any stream at once, and disposing of the buffer waits for the work that uses it.</param>
    /// <exception cref="MemoryExhaustedException">The device does not have enough memory.</exception>
    public Buffer Allocate(ulong size, Stream stream = null) {
        IntPtr buffer;
        CuprumNative.cuprum_buffer_allocate(
            out buffer, DeviceId, size, Stream.UseOptional(stream, Operations.BufferAllocate));
        return new Buffer(buffer);
    }

    /// <summary>Device memory for signed sizes; see the other overload.</summary>
    /// <param name="size">The size in bytes, not negative.</param>
    /// <param name="stream">The stream in which it is allocated and freed, or null.</param>
    public Buffer Allocate(long size, Stream stream = null) {
        if (size < 0) {
            throw new ArgumentOutOfRangeException(nameof(size), "the size of a buffer must not be negative: " + size);
        }
        return Allocate((ulong)size, stream);
    }

    /// <summary>Whether both are the same device.</summary>
    public bool Equals(Device other) {
        return !ReferenceEquals(other, null) && other.DeviceId == DeviceId;
    }

    /// <summary>Whether both are the same device.</summary>
    public override bool Equals(object other) {
        return Equals(other as Device);
    }

    /// <summary>The hash code; equal for the same device.</summary>
    public override int GetHashCode() {
        return DeviceId;
    }

    /// <summary>"Device 0"</summary>
    public override string ToString() {
        return "Device " + DeviceId;
    }
}

}
