using System;
using System.Collections.Generic;
using Cuprum.Native;
using C = Cuprum.Native.CuprumNative;

namespace Cuprum {

/// <summary>What a device may do with virtual memory.</summary>
public enum MemoryAccess {
    /// <summary>Reading and writing.</summary>
    ReadWrite = C.CUPRUM_ACCESS_READ_WRITE,
    /// <summary>Reading.</summary>
    Read = C.CUPRUM_ACCESS_READ,
    /// <summary>Nothing.</summary>
    None = C.CUPRUM_ACCESS_NONE,
}

/// <summary>Options for a virtual memory resource.</summary>
public sealed class VirtualMemoryResourceOptions {
    /// <summary>Other devices that can use the memory; null: none.</summary>
    public IEnumerable<Device> Peers { get; set; }

    /// <summary>What the device may do with it.</summary>
    public MemoryAccess SelfAccess { get; set; }

    /// <summary>What the peers may do with it.</summary>
    public MemoryAccess PeerAccess { get; set; }

    /// <summary>Whether sizes are rounded up to the smallest unit, not the recommended one.</summary>
    public bool MinimumGranularity { get; set; }

    /// <summary>Whether the memory can be exported to other processes as a file descriptor.</summary>
    public bool PosixFileDescriptor { get; set; }

    /// <summary>Whether other hardware can use the memory directly.</summary>
    public bool GpuDirectRdma { get; set; }

    /// <summary>Where buffers should be; 0: the driver chooses.</summary>
    public ulong AddressHint { get; set; }

    /// <summary>The alignment of addresses in bytes, a power of two; 0: the granularity.</summary>
    public ulong AddressAlignment { get; set; }

    /// <summary>Where the memory is: on the device (also null), or on the host or one of its NUMA nodes, where it is
    /// page-locked and the CPU can always use it.</summary>
    public MemoryLocation Location { get; set; }

    internal ulong PeerBits() {
        ulong peers = 0;
        foreach (Device peer in Peers ?? new Device[0]) {
            if (Require.NotNull(peer, nameof(Peers)).DeviceId > 63) {
                throw new ArgumentException("peers must have ordinals 0 to 63, not " + peer.DeviceId, nameof(Peers));
            }
            peers |= 1UL << peer.DeviceId;
        }
        return peers;
    }
}

/// <summary>Memory of a device or of the host, each buffer mapped to addresses of its own, so that it can grow. Buffers occupy whole units
/// of <see cref="Granularity"/> bytes, and are usable from any stream at once. Freeing one waits for its stream, without
/// one for all devices.</summary>
public sealed class VirtualMemoryResource : MemoryResource {
    /// <summary>Makes a resource.</summary>
    /// <param name="device">The device that the memory is on.</param>
    /// <param name="options">The options; null: the defaults.</param>
    /// <exception cref="UnsupportedException">The device has no virtual memory management.</exception>
    /// <exception cref="InvalidArgumentException">A peer cannot use the device's memory.</exception>
    public VirtualMemoryResource(Device device, VirtualMemoryResourceOptions options = null)
        : base(Create(Require.NotNull(device, nameof(device)), options ?? new VirtualMemoryResourceOptions())) {}

    /// <summary>The unit of the sizes that buffers occupy, in bytes.</summary>
    public ulong Granularity {
        get {
            ulong bytes;
            C.cuprum_memory_resource_granularity(out bytes, Use(Operations.MemoryResourceGranularity));
            return bytes;
        }
    }

    /// <summary>Makes a buffer of this resource larger. Its content stays, and is not copied; what is added is anything.
    /// The address is another one where the buffer outgrows the addresses reserved for it; then this waits for all
    /// devices. No other thread may use the buffer meanwhile.</summary>
    /// <param name="buffer">The buffer, which is disposed of: the result has its memory.</param>
    /// <param name="newSize">The size in bytes.</param>
    /// <exception cref="InvalidArgumentException">The buffer comes from another resource, or would become
    /// smaller.</exception>
    /// <exception cref="MemoryExhaustedException">There is not enough memory.</exception>
    /// <exception cref="InvalidStateException">The buffer is viewed as host memory.</exception>
    public Buffer ModifyAllocation(Buffer buffer, ulong newSize) {
        const string operation = Operations.MemoryResourceModifyAllocation;
        IntPtr grown;
        C.cuprum_memory_resource_modify_allocation(
            out grown, Use(operation), Unviewed(buffer, operation), newSize);
        return InPlaceOf(buffer, grown);
    }

    /// <summary>The same with other options, which the resource has from then on: what is added is allocated with them, and
    /// all of the buffer is accessible as they say, also where the size stays. Other buffers stay as they are.</summary>
    /// <param name="buffer">The buffer, which is disposed of: the result has its memory.</param>
    /// <param name="newSize">The size in bytes.</param>
    /// <param name="options">The options; their location is that of the resource.</param>
    /// <exception cref="InvalidArgumentException">The buffer comes from another resource, or would become smaller, or
    /// the location is another one.</exception>
    /// <exception cref="MemoryExhaustedException">There is not enough memory.</exception>
    /// <exception cref="InvalidStateException">The buffer is viewed as host memory.</exception>
    public Buffer ModifyAllocation(Buffer buffer, ulong newSize, VirtualMemoryResourceOptions options) {
        const string operation = Operations.MemoryResourceModifyAllocation;
        ulong peers = Require.NotNull(options, nameof(options)).PeerBits();
        IntPtr grown;
        C.cuprum_memory_resource_modify_allocation_with_options(
            out grown, Use(operation), Unviewed(buffer, operation), newSize,
            (int)options.SelfAccess, peers, (int)options.PeerAccess, options.MinimumGranularity ? 1 : 0,
            options.PosixFileDescriptor ? 1 : 0, options.GpuDirectRdma ? 1 : 0, options.AddressHint,
            options.AddressAlignment, MemoryLocation.KindOf(options.Location), MemoryLocation.IdOf(options.Location));
        return InPlaceOf(buffer, grown);
    }

    /// <summary>The handle; views of the memory would be left where it was.</summary>
    private static NativeHandle Unviewed(Buffer buffer, string operation) {
        NativeHandle handle = Require.NotNull(buffer, nameof(buffer)).Use(operation);
        if (handle.HasViews) {
            throw Errors.Viewed(buffer, operation);
        }
        return handle;
    }

    private Buffer InPlaceOf(Buffer buffer, IntPtr grown) {
        var larger = Wrap(grown);
        buffer.Dispose();
        return larger;
    }

    private static IntPtr Create(Device device, VirtualMemoryResourceOptions options) {
        IntPtr resource;
        C.cuprum_memory_resource_create_virtual(
            out resource, device.DeviceId, (int)options.SelfAccess, options.PeerBits(), (int)options.PeerAccess,
            options.MinimumGranularity ? 1 : 0, options.PosixFileDescriptor ? 1 : 0, options.GpuDirectRdma ? 1 : 0,
            options.AddressHint, options.AddressAlignment, MemoryLocation.KindOf(options.Location),
            MemoryLocation.IdOf(options.Location));
        return resource;
    }
}

}
