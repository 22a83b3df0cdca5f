using System;
using Cuprum.Native;

namespace Cuprum {

/// <summary>Allocates buffers. Once it is disposed of it allocates no more, but its buffers keep their
/// memory.</summary>
public abstract partial class MemoryResource : IDisposable {
    static MemoryResource() {
        NativeLibraries.Load();
    }

    private readonly NativeHandle handle;

    internal MemoryResource(IntPtr handle) {
        this.handle = new NativeHandle(handle, CuprumNative.cuprum_release_memory_resource);
    }

    /// <summary>The object for a handle of one that a device allocates from: a pool, or a resource of the
    /// program's.</summary>
    internal static MemoryResource OfHandle(IntPtr handle) {
        IMemoryAllocator allocator = UserMemory.AllocatorOf(handle);
        if (allocator != null) {
            return new UserMemoryResource(handle, allocator);
        }
        return new DeviceMemoryResource(handle);
    }

    /// <summary>Allocates memory; the caller disposes of the buffer.</summary>
    /// <param name="size">The size in bytes; 0 gives an empty buffer.</param>
    /// <param name="stream">The stream in which the memory is freed, as <see cref="Buffer.SetDeallocationStream"/>
    /// says, or null. It is usable from any stream at once. A pool needs a stream, in which the memory is usable at
    /// once and freed in order.
    /// </param>
    /// <exception cref="MemoryExhaustedException">There is not enough memory.</exception>
    public Buffer Allocate(ulong size, Stream stream = null) {
        const string operation = Operations.MemoryResourceAllocate;
        IntPtr buffer;
        CuprumNative.cuprum_memory_resource_allocate(
            out buffer, Use(operation), size, Stream.UseOptional(stream, operation));
        return Wrap(buffer);
    }

    /// <summary>The object for a new buffer.</summary>
    internal virtual Buffer Wrap(IntPtr buffer) {
        return new Buffer(buffer, this);
    }

    /// <summary>Memory for signed sizes; see the other overload.</summary>
    /// <param name="size">The size in bytes, not negative.</param>
    /// <param name="stream">The stream in which the memory is freed, or null.</param>
    public Buffer Allocate(long size, Stream stream = null) {
        if (size < 0) {
            throw new ArgumentOutOfRangeException(nameof(size), "the size of a buffer must not be negative: " + size);
        }
        return Allocate((ulong)size, stream);
    }

    /// <summary>Frees memory of this resource that no buffer owns, after all work that uses it.</summary>
    /// <param name="address">The memory's first address; 0 is ignored.</param>
    /// <param name="size">The size in bytes.</param>
    /// <param name="stream">The stream whose work is waited for first, or null. A pool frees the memory in the stream's
    /// order.</param>
    /// <exception cref="DriverException">The address is not that of memory of this resource.</exception>
    public void Deallocate(ulong address, ulong size, Stream stream = null) {
        const string operation = Operations.MemoryResourceDeallocate;
        CuprumNative.cuprum_memory_resource_deallocate(
            Use(operation), address, size, Stream.UseOptional(stream, operation));
    }

    /// <summary>Whether this object is closed.</summary>
    public bool IsClosed { get { return handle.IsDisposed; } }

    /// <summary>May be called more than once.</summary>
    public void Dispose() {
        handle.Dispose();
    }

    /// <summary>Names the resource.</summary>
    public override string ToString() {
        return GetType().Name + " " + handle.Value.ToString("x");
    }

    internal NativeHandle Use(string operation) {
        if (handle.IsDisposed) {
            throw Errors.Closed(this, operation);
        }
        return handle;
    }
}

/// <summary>
/// Page-locked host memory, each buffer a separate allocation by the driver. The CPU and the kernels of all devices use
/// the same bytes, and copies between it and a device in a stream are asynchronous. Freeing it waits for the device.
/// </summary>
public sealed class LegacyPinnedMemoryResource : MemoryResource {
    /// <summary>The first allocation loads the driver.</summary>
    public LegacyPinnedMemoryResource() : base(Create()) {}

    private static IntPtr Create() {
        IntPtr resource;
        CuprumNative.cuprum_memory_resource_create_legacy_pinned(out resource);
        return resource;
    }
}

}
