using System;
using Cuprum.Native;

namespace Cuprum {

/// <summary>Managed memory: the CPU and all devices can use it, and its pages move to where they are used. Made by
/// <see cref="ManagedMemoryResource.Allocate(ulong, Stream)"/>. Advice applies to all of its pages, until it
/// is changed.</summary>
public sealed class ManagedBuffer : Buffer {
    internal ManagedBuffer(IntPtr handle, MemoryResource resource) : base(handle, resource) {}

    /// <summary>Moves the pages, in the order of a stream.</summary>
    /// <param name="location">Where to move them.</param>
    /// <param name="stream">The stream to work in.</param>
    public void Prefetch(MemoryLocation location, Stream stream) {
        const string operation = Operations.BufferPrefetch;
        CuprumNative.cuprum_buffer_prefetch(Use(operation), MemoryLocation.KindOf(location),
            MemoryLocation.IdOf(location), Require.NotNull(stream, nameof(stream)).Use(operation));
    }

    /// <summary>Discards the content: from here on in the stream it is undefined until it is written.</summary>
    /// <param name="stream">The stream to work in.</param>
    /// <exception cref="UnsupportedException">The driver is older than CUDA 13.</exception>
    public void Discard(Stream stream) {
        const string operation = Operations.BufferDiscard;
        CuprumNative.cuprum_buffer_discard(
            Use(operation), Require.NotNull(stream, nameof(stream)).Use(operation));
    }

    /// <summary>Discards the content and moves the pages without copying them.</summary>
    /// <param name="location">Where to move them.</param>
    /// <param name="stream">The stream to work in.</param>
    /// <exception cref="UnsupportedException">The driver is older than CUDA 13.</exception>
    public void DiscardPrefetch(MemoryLocation location, Stream stream) {
        const string operation = Operations.BufferDiscardPrefetch;
        CuprumNative.cuprum_buffer_discard_prefetch(Use(operation), MemoryLocation.KindOf(location),
            MemoryLocation.IdOf(location), Require.NotNull(stream, nameof(stream)).Use(operation));
    }

    /// <summary>Whether each reader gets a copy of the pages: reads are fast, writes are slow.</summary>
    public bool IsReadMostly {
        get {
            int readMostly;
            CuprumNative.cuprum_buffer_read_mostly(out readMostly, Use(Operations.BufferReadMostly));
            return readMostly != 0;
        }
        set { CuprumNative.cuprum_buffer_set_read_mostly(Use(Operations.BufferSetReadMostly), value ? 1 : 0); }
    }

    /// <summary>Where pages stay, accessed remotely from elsewhere; null: they move to where they are used.</summary>
    public MemoryLocation PreferredLocation {
        get {
            int kind, id;
            CuprumNative.cuprum_buffer_preferred_location(out kind, out id, Use(Operations.BufferPreferredLocation));
            return MemoryLocation.OfNumbers(kind, id);
        }
        set {
            CuprumNative.cuprum_buffer_set_preferred_location(Use(Operations.BufferSetPreferredLocation),
                MemoryLocation.KindOf(value), MemoryLocation.IdOf(value));
        }
    }

    /// <summary>Whether a device or the CPU accesses the pages without moving them, wherever they are.</summary>
    /// <param name="location">The device, or host memory for the CPU.</param>
    public bool IsAccessedBy(MemoryLocation location) {
        int accessed;
        CuprumNative.cuprum_buffer_accessed_by(out accessed, Use(Operations.BufferAccessedBy),
            MemoryLocation.KindOf(location), MemoryLocation.IdOf(location));
        return accessed != 0;
    }

    /// <summary>Sets whether a device or the CPU accesses the pages without moving them.</summary>
    /// <param name="location">The device, or host memory for the CPU.</param>
    /// <param name="accessed">Whether it accesses them without moving them.</param>
    public void SetAccessedBy(MemoryLocation location, bool accessed) {
        CuprumNative.cuprum_buffer_set_accessed_by(Use(Operations.BufferSetAccessedBy),
            MemoryLocation.KindOf(location), MemoryLocation.IdOf(location), accessed ? 1 : 0);
    }
}

}
