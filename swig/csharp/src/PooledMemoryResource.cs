using System;
using System.Collections.Generic;
using Cuprum.Native;
using C = Cuprum.Native.CuprumNative;

namespace Cuprum {

/// <summary>The attributes of a pool: sizes in bytes, and 1 or 0 for true or false.</summary>
public enum MemoryPoolAttribute {
    /// <summary>Freed memory may be reused in another stream if an event makes that stream wait for the free.</summary>
    ReuseFollowEventDependencies = C.CUPRUM_POOL_REUSE_FOLLOW_EVENT_DEPENDENCIES,
    /// <summary>Freed memory may be reused in another stream if the free is already done.</summary>
    ReuseAllowOpportunistic = C.CUPRUM_POOL_REUSE_ALLOW_OPPORTUNISTIC,
    /// <summary>Freed memory may be reused in another stream, which is made to wait for the free.</summary>
    ReuseAllowInternalDependencies = C.CUPRUM_POOL_REUSE_ALLOW_INTERNAL_DEPENDENCIES,
    /// <summary>Memory beyond this size goes back to the system when a stream is synchronised.</summary>
    ReleaseThreshold = C.CUPRUM_POOL_RELEASE_THRESHOLD,
    /// <summary>Bytes that the pool holds, used or not.</summary>
    ReservedMemCurrent = C.CUPRUM_POOL_RESERVED_MEM_CURRENT,
    /// <summary>The most bytes that it has held; can be reset to 0.</summary>
    ReservedMemHigh = C.CUPRUM_POOL_RESERVED_MEM_HIGH,
    /// <summary>Bytes in buffers.</summary>
    UsedMemCurrent = C.CUPRUM_POOL_USED_MEM_CURRENT,
    /// <summary>The most bytes that have been in buffers; can be reset to 0.</summary>
    UsedMemHigh = C.CUPRUM_POOL_USED_MEM_HIGH,
}

/// <summary>A memory resource with a pool: it allocates and frees in a stream's order, and keeps freed memory for the
/// next allocation. A pool of its own lives as long as the resource and its buffers. The stream must belong to the
/// pool's device if the pool's memory is a device's.</summary>
public abstract class PooledMemoryResource : MemoryResource {
    internal PooledMemoryResource(IntPtr handle) : base(handle) {}

    /// <summary>The driver's <c>CUmemoryPool</c>.</summary>
    public ulong Handle {
        get {
            ulong pool;
            C.cuprum_memory_resource_native(out pool, Use(Operations.MemoryResourceNative));
            return pool;
        }
    }

    /// <summary>Whether the pool ends with the resource; else it is the driver's, or another resource's.</summary>
    public bool IsHandleOwned {
        get {
            int owned;
            C.cuprum_memory_resource_is_handle_owned(out owned, Use(Operations.MemoryResourceIsHandleOwned));
            return owned != 0;
        }
    }

    /// <summary>The current value of an attribute.</summary>
    /// <param name="which">The attribute.</param>
    public ulong GetAttribute(MemoryPoolAttribute which) {
        ulong value;
        C.cuprum_memory_resource_pool_attribute(out value, Use(Operations.MemoryResourcePoolAttribute), (int)which);
        return value;
    }

    /// <summary>Sets an attribute.</summary>
    /// <param name="which">The attribute.</param>
    /// <param name="value">Bytes, or 1 or 0 for true or false.</param>
    /// <exception cref="DriverException">The attribute cannot be set.</exception>
    public void SetAttribute(MemoryPoolAttribute which, ulong value) {
        C.cuprum_memory_resource_set_pool_attribute(Use(Operations.MemoryResourceSetPoolAttribute), (int)which, value);
    }

    /// <summary>Returns unused memory to the system.</summary>
    /// <param name="minBytes">The bytes that the pool keeps.</param>
    public void TrimTo(ulong minBytes) {
        C.cuprum_memory_resource_trim_to(Use(Operations.MemoryResourceTrimTo), minBytes);
    }

    /// <summary>Where the pool's memory is, or the preferred location of managed memory; null for managed memory
    /// without one.</summary>
    public MemoryLocation Location {
        get {
            int kind, id;
            C.cuprum_memory_resource_location(out kind, out id, Use(Operations.MemoryResourceLocation));
            return MemoryLocation.OfNumbers(kind, id);
        }
    }

    /// <summary>Whether kernels of a device, and copies in its streams, can use the pool's memory.</summary>
    /// <param name="device">The device.</param>
    public bool IsAccessibleBy(Device device) {
        int accessible;
        C.cuprum_memory_resource_is_accessible_by(
            out accessible, Use(Operations.MemoryResourceIsAccessibleBy), device.DeviceId);
        return accessible != 0;
    }

    /// <summary>Sets whether a device can use the pool's memory, including what is already allocated.</summary>
    /// <param name="device">The device.</param>
    /// <param name="accessible">Whether the device can use it.</param>
    /// <exception cref="InvalidArgumentException">The device cannot access the memory, or would lose access to its
    /// own.</exception>
    public void SetAccessibleBy(Device device, bool accessible) {
        C.cuprum_memory_resource_set_accessible_by(
            Use(Operations.MemoryResourceSetAccessibleBy), device.DeviceId, accessible ? 1 : 0);
    }

    /// <summary>A new file descriptor that stands for the pool, with which another process opens it. The caller closes
    /// it, in native code.</summary>
    /// <exception cref="InvalidStateException">The pool cannot be shared, or is another process's.</exception>
    public int AllocationHandle() {
        int descriptor;
        C.cuprum_memory_resource_allocation_handle(
            out descriptor, Use(Operations.MemoryResourceAllocationHandle));
        return descriptor;
    }

    /// <summary>Whether other processes can open it, or it is another process's.</summary>
    public bool IsIpcEnabled {
        get {
            int enabled;
            C.cuprum_memory_resource_is_ipc_enabled(out enabled, Use(Operations.MemoryResourceIsIpcEnabled));
            return enabled != 0;
        }
    }

    /// <summary>Whether it is a pool that another process shares.</summary>
    public bool IsMapped {
        get {
            int mapped;
            C.cuprum_memory_resource_is_mapped(out mapped, Use(Operations.MemoryResourceIsMapped));
            return mapped != 0;
        }
    }
}

/// <summary>A pool of a device's memory.</summary>
public sealed class DeviceMemoryResource : PooledMemoryResource {
    /// <summary>The device's current pool, which it uses for allocations in a stream.</summary>
    /// <param name="device">The device.</param>
    public DeviceMemoryResource(Device device) : base(Current(device)) {}

    /// <summary>A new pool.</summary>
    /// <param name="device">The device that the memory is on.</param>
    /// <param name="maxSize">The most bytes, rounded up by the driver; 0: as much as the device has.</param>
    public DeviceMemoryResource(Device device, ulong maxSize) : base(Create(device, maxSize)) {}

    internal DeviceMemoryResource(IntPtr handle) : base(handle) {}

    /// <summary>A new pool that other processes can open, and its buffers.</summary>
    /// <param name="device">The device that the memory is on.</param>
    /// <param name="maxSize">The most bytes, rounded up by the driver; 0: as much as the device has.</param>
    public static DeviceMemoryResource CreateShareable(Device device, ulong maxSize = 0) {
        IntPtr resource;
        C.cuprum_memory_resource_create_shareable(
            out resource, Require.NotNull(device, nameof(device)).DeviceId, maxSize);
        return new DeviceMemoryResource(resource);
    }

    /// <summary>Opens a pool that another process shares. Nothing can be allocated from it: its buffers are opened with
    /// <c>Buffer.FromIpcHandle</c>.</summary>
    /// <param name="device">The device that the memory is on.</param>
    /// <param name="allocationHandle">A file descriptor that this process inherited, or got over a Unix socket; it stays
    /// the caller's.</param>
    /// <exception cref="InvalidArgumentException">This process has no open file of that number.</exception>
    public static DeviceMemoryResource FromAllocationHandle(Device device, int allocationHandle) {
        IntPtr resource;
        C.cuprum_memory_resource_from_allocation_handle(
            out resource, Require.NotNull(device, nameof(device)).DeviceId, allocationHandle);
        return new DeviceMemoryResource(resource);
    }

    /// <summary>The other devices that can use its memory.</summary>
    public IReadOnlyList<Device> PeerAccessibleBy {
        get {
            var found = new List<Device>();
            foreach (Device device in Device.GetAllDevices()) {
                if (device.DeviceId != DeviceId && IsAccessibleBy(device)) {
                    found.Add(device);
                }
            }
            return found;
        }
    }

    private static IntPtr Current(Device device) {
        IntPtr resource;
        C.cuprum_memory_resource_of_device(out resource, Require.NotNull(device, nameof(device)).DeviceId);
        return resource;
    }

    private static IntPtr Create(Device device, ulong maxSize) {
        IntPtr resource;
        C.cuprum_memory_resource_create_device(
            out resource, Require.NotNull(device, nameof(device)).DeviceId, maxSize);
        return resource;
    }
}

/// <summary>A pool of page-locked host memory, which the CPU and the kernels of all devices can use.
/// <see cref="LegacyPinnedMemoryResource"/> works on devices without such pools.</summary>
public sealed class PinnedMemoryResource : PooledMemoryResource {
    /// <summary>The driver's own pool.</summary>
    /// <exception cref="UnsupportedException">No device supports such pools, which need CUDA 13.</exception>
    public PinnedMemoryResource() : base(Current()) {}

    /// <summary>A new pool.</summary>
    /// <param name="maxSize">The most bytes, rounded up by the driver; 0: as much as there is.</param>
    /// <param name="numaId">The NUMA node of the memory; -1: the system chooses.</param>
    /// <exception cref="UnsupportedException">No device supports such pools, which need CUDA 13.</exception>
    public PinnedMemoryResource(ulong maxSize, int numaId = -1) : base(Create(maxSize, numaId)) {}

    private PinnedMemoryResource(IntPtr handle) : base(handle) {}

    /// <summary>A new pool that other processes can open, and its buffers.</summary>
    /// <param name="maxSize">The most bytes, rounded up by the driver; 0: as much as there is.</param>
    /// <param name="numaId">The NUMA node of the memory; -1: the one that is nearest to the current device.</param>
    /// <exception cref="UnsupportedException">No device supports such pools, which need CUDA 13.</exception>
    public static PinnedMemoryResource CreateShareable(ulong maxSize = 0, int numaId = -1) {
        IntPtr resource;
        C.cuprum_memory_resource_create_shareable_pinned(out resource, numaId, maxSize);
        return new PinnedMemoryResource(resource);
    }

    /// <summary>Opens a pool that another process shares. Nothing can be allocated from it: its buffers are opened with
    /// <c>Buffer.FromIpcHandle</c>.</summary>
    /// <param name="allocationHandle">A file descriptor that this process inherited, or got over a Unix socket; it stays
    /// the caller's.</param>
    /// <exception cref="InvalidArgumentException">This process has no open file of that number.</exception>
    public static PinnedMemoryResource FromAllocationHandle(int allocationHandle) {
        IntPtr resource;
        C.cuprum_memory_resource_pinned_from_allocation_handle(out resource, allocationHandle);
        return new PinnedMemoryResource(resource);
    }

    private static IntPtr Current() {
        IntPtr resource;
        C.cuprum_memory_resource_of_pinned_memory(out resource);
        return resource;
    }

    private static IntPtr Create(ulong maxSize, int numaId) {
        IntPtr resource;
        C.cuprum_memory_resource_create_pinned(out resource, numaId, maxSize);
        return resource;
    }
}

/// <summary>A pool of managed memory, which moves to where it is used.</summary>
public sealed class ManagedMemoryResource : PooledMemoryResource {
    /// <summary>The driver's own pool.</summary>
    /// <exception cref="UnsupportedException">The driver does not support such pools, which need CUDA 13.</exception>
    public ManagedMemoryResource() : base(Current()) {}

    /// <summary>A new pool.</summary>
    /// <param name="preferredLocation">The preferred location of its pages; null: where they are used.</param>
    /// <exception cref="UnsupportedException">The driver does not support such pools, which need CUDA 13.</exception>
    public ManagedMemoryResource(MemoryLocation preferredLocation) : base(Create(preferredLocation)) {}

    /// <summary>The preferred location of its pages; null: where they are used.</summary>
    public MemoryLocation PreferredLocation { get { return Location; } }

    /// <summary>Allocates memory in a stream's order; the caller disposes of the buffer.</summary>
    /// <param name="size">The size in bytes; 0 gives an empty buffer.</param>
    /// <param name="stream">The stream in which it is allocated and freed.</param>
    public new ManagedBuffer Allocate(ulong size, Stream stream) {
        return (ManagedBuffer)base.Allocate(size, stream);
    }

    /// <summary>Memory for signed sizes; see the other overload.</summary>
    /// <param name="size">The size in bytes, not negative.</param>
    /// <param name="stream">The stream in which it is allocated and freed.</param>
    public new ManagedBuffer Allocate(long size, Stream stream) {
        return (ManagedBuffer)base.Allocate(size, stream);
    }

    internal override Buffer Wrap(IntPtr buffer) {
        return new ManagedBuffer(buffer, this);
    }

    private static IntPtr Current() {
        IntPtr resource;
        C.cuprum_memory_resource_of_managed_memory(out resource);
        return resource;
    }

    private static IntPtr Create(MemoryLocation location) {
        IntPtr resource;
        C.cuprum_memory_resource_create_managed(
            out resource, MemoryLocation.KindOf(location), MemoryLocation.IdOf(location));
        return resource;
    }
}

}
