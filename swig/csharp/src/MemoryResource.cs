using System;
using Cuprum.Native;

namespace Cuprum {

/// <summary>Allocates buffers. Its buffers keep their memory when it is disposed of; it then allocates no more.</summary>
public abstract partial class MemoryResource : IDisposable {
    static MemoryResource() {
        NativeLibraries.Load();
    }

    private readonly NativeHandle handle;

    internal MemoryResource(IntPtr handle) {
        this.handle = new NativeHandle(handle, CuprumNative.cuprum_release_memory_resource);
    }

    /// <summary>Memory; the caller disposes of the buffer.</summary>
    /// <param name="size">Bytes; 0 gives an empty buffer.</param>
    /// <param name="stream">Null, or where the memory is freed, as <see cref="Buffer.SetDeallocationStream"/> says. It is
    /// usable from any stream at once.</param>
    /// <exception cref="MemoryExhaustedException">There is not that much.</exception>
    public Buffer Allocate(ulong size, Stream stream = null) {
        const string operation = Operations.MemoryResourceAllocate;
        IntPtr buffer;
        CuprumNative.cuprum_memory_resource_allocate(
            out buffer, Use(operation), size, Stream.UseOptional(stream, operation));
        return new Buffer(buffer, this);
    }

    /// <summary>Memory for signed sizes; see the other overload.</summary>
    /// <param name="size">Bytes, not negative.</param>
    /// <param name="stream">Null, or where the memory is freed.</param>
    public Buffer Allocate(long size, Stream stream = null) {
        if (size < 0) {
            throw new ArgumentOutOfRangeException(nameof(size), "the size of a buffer must not be negative: " + size);
        }
        return Allocate((ulong)size, stream);
    }

    /// <summary>Frees memory of this resource that no buffer owns, after all work that uses it.</summary>
    /// <param name="address">Its beginning; 0 is ignored.</param>
    /// <param name="size">Bytes.</param>
    /// <param name="stream">Null, or whose work is waited for first.</param>
    /// <exception cref="DriverException">The address is not the beginning of such memory.</exception>
    public void Deallocate(ulong address, ulong size, Stream stream = null) {
        const string operation = Operations.MemoryResourceDeallocate;
        CuprumNative.cuprum_memory_resource_deallocate(
            Use(operation), address, size, Stream.UseOptional(stream, operation));
    }

    /// <summary>Whether it is closed.</summary>
    public bool IsClosed { get { return handle.IsDisposed; } }

    /// <summary>Idempotent.</summary>
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
/// Page-locked host memory, each buffer an allocation of the driver's own. The host and the kernels of all devices use
/// the same bytes, and copies between it and a device in a stream are asynchronous. Freeing it waits for the device.
/// </summary>
public sealed class LegacyPinnedMemoryResource : MemoryResource {
    /// <summary>Needs no driver before the first allocation.</summary>
    public LegacyPinnedMemoryResource() : base(Create()) {}

    private static IntPtr Create() {
        IntPtr resource;
        CuprumNative.cuprum_memory_resource_create_legacy_pinned(out resource);
        return resource;
    }
}

}
