using System;
using Cuprum.Native;

namespace Cuprum {

/// <summary>How a program allocates and frees memory: what a <see cref="UserMemoryResource"/> is made of. Both methods
/// may be called from any thread, also at the same time.</summary>
public interface IMemoryAllocator {
    /// <summary>Allocates memory that can be used in a stream at once: its first address, not 0. What this throws is
    /// thrown to the caller of the resource.</summary>
    /// <param name="size">The size in bytes, at least 1.</param>
    /// <param name="stream">The stream, an object that is disposed of when this returns. Null: the memory can be used in
    /// all streams.</param>
    ulong Allocate(ulong size, Stream stream);

    /// <summary>Frees that memory; called once. What this throws goes to
    /// <see cref="UserMemoryResource.DeallocateException"/>.</summary>
    /// <param name="address">The memory's first address.</param>
    /// <param name="size">The size in bytes.</param>
    /// <param name="stream">What uses the memory comes before this in the stream's order: free it in that order, or wait
    /// for the stream, an object that is disposed of when this returns. Null: all work is done.</param>
    void Deallocate(ulong address, ulong size, Stream stream);
}

/// <summary>What memory is.</summary>
public enum MemoryKind {
    /// <summary>A device's.</summary>
    Device = CuprumNative.CUPRUM_MEMORY_DEVICE,
    /// <summary>Page-locked host memory, which devices use too.</summary>
    Pinned = CuprumNative.CUPRUM_MEMORY_PINNED,
    /// <summary>Managed memory, which moves to where it is used.</summary>
    Managed = CuprumNative.CUPRUM_MEMORY_MANAGED,
    /// <summary>Host memory that no device uses.</summary>
    Host = CuprumNative.CUPRUM_MEMORY_HOST,
}

/// <summary>Memory that the program allocates: from another resource, to count or to keep it, or from a library of its
/// own. The allocator is kept as long as the resource and its buffers live. Buffers that are open when the process exits
/// are not freed.</summary>
public sealed class UserMemoryResource : MemoryResource {
    private readonly IMemoryAllocator allocator;

    /// <summary>Memory of a device.</summary>
    /// <param name="device">The device.</param>
    /// <param name="allocator">What allocates.</param>
    public UserMemoryResource(Device device, IMemoryAllocator allocator)
        : this(Create(MemoryKind.Device, Require.NotNull(device, nameof(device)).DeviceId, allocator), allocator) {}

    /// <summary>Memory of a kind that belongs to no device.</summary>
    /// <param name="kind">What the memory is, which is not checked.</param>
    /// <param name="allocator">What allocates.</param>
    /// <exception cref="InvalidArgumentException">It is a device's memory, which needs the device.</exception>
    public UserMemoryResource(MemoryKind kind, IMemoryAllocator allocator)
        : this(Create(kind, -1, allocator), allocator) {}

    internal UserMemoryResource(IntPtr handle, IMemoryAllocator allocator) : base(handle) {
        this.allocator = allocator;
    }

    /// <summary>What an allocator has thrown while it freed memory, on the thread that it ran on. What nobody listens to
    /// is lost.</summary>
    public static event EventHandler<UnhandledExceptionEventArgs> DeallocateException;

    /// <summary>What allocates.</summary>
    public IMemoryAllocator Allocator { get { return allocator; } }

    /// <summary>Never throws.</summary>
    internal static void ReportDeallocateException(Exception error) {
        try {
            EventHandler<UnhandledExceptionEventArgs> handler = DeallocateException;
            if (handler != null) {
                handler(null, new UnhandledExceptionEventArgs(error, false));
            }
        } catch (Exception) {
            // A handler's own: nobody is left to tell.
        }
    }

    private static IntPtr Create(MemoryKind kind, int device, IMemoryAllocator allocator) {
        return UserMemory.Create(Require.NotNull(allocator, nameof(allocator)), (int)kind, device);
    }
}

}
