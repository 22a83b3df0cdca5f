using System;
using System.Collections.Generic;
using System.Runtime.InteropServices;
using Cuprum.Native;

namespace Cuprum {

/// <summary>When the sources of a batch of copies are read.</summary>
public enum CopySourceAccessOrder {
    /// <summary>In the stream's order.</summary>
    Stream = CuprumNative.CUPRUM_COPY_SOURCE_STREAM,
    /// <summary>Before the call returns; no earlier work may still write them.</summary>
    DuringApiCall = CuprumNative.CUPRUM_COPY_SOURCE_DURING_API_CALL,
    /// <summary>At any time until the copy is done; no earlier work may still write them.</summary>
    Any = CuprumNative.CUPRUM_COPY_SOURCE_ANY
}

/// <summary>Hints for the copies of a batch. They change no result. The locations apply to managed memory.</summary>
public sealed class CopyOptions {
    /// <summary>When the sources are read.</summary>
    public CopySourceAccessOrder SourceAccessOrder { get; set; } = CopySourceAccessOrder.Stream;

    /// <summary>Where the sources are; null for no hint.</summary>
    public MemoryLocation SourceLocationHint { get; set; }

    /// <summary>Where the destinations are; null for no hint.</summary>
    public MemoryLocation DestinationLocationHint { get; set; }

    /// <summary>Whether the copies should rather overlap with kernels.</summary>
    public bool PreferOverlapWithCompute { get; set; }
}

/// <summary>Many copies, or many ranges of managed memory, in one call.</summary>
public static class Batch {
    /// <summary>Copies each source to the destination of its number, which has the same size, in the stream's
    /// order.</summary>
    /// <remarks>The copies themselves take place in any order or at once. Where the driver has no batches (before CUDA 13, in
    /// default streams, in captures), the buffers are copied one after another.</remarks>
    /// <param name="stream">The stream to copy in.</param>
    /// <param name="sources">The buffers to copy, all of each.</param>
    /// <param name="destinations">The buffers to copy to, as many.</param>
    /// <param name="options">Hints for all copies; null for none.</param>
    /// <exception cref="InvalidArgumentException">The numbers or sizes differ, or a destination overlaps other memory of the
    /// batch.</exception>
    public static void Copy(Stream stream, IReadOnlyList<Buffer> sources, IReadOnlyList<Buffer> destinations,
                            CopyOptions options = null) {
        const string operation = Operations.CopyBatch;
        CopyOptions hints = options ?? new CopyOptions();
        using (var from = new PinnedNumbers<ulong>(Handles(sources, nameof(sources), operation)))
        using (var to = new PinnedNumbers<ulong>(Handles(destinations, nameof(destinations), operation))) {
            CuprumNative.cuprum_copy_batch(
                Require.NotNull(stream, nameof(stream)).Use(operation), from.Address, from.Size, to.Address, to.Size,
                (int)hints.SourceAccessOrder, MemoryLocation.KindOf(hints.SourceLocationHint),
                MemoryLocation.IdOf(hints.SourceLocationHint), MemoryLocation.KindOf(hints.DestinationLocationHint),
                MemoryLocation.IdOf(hints.DestinationLocationHint), hints.PreferOverlapWithCompute ? 1 : 0);
        }
        GC.KeepAlive(sources);
        GC.KeepAlive(destinations);
    }

    /// <summary>Moves the pages of managed memory, in the stream's order.</summary>
    /// <param name="stream">The stream to work in.</param>
    /// <param name="buffers">The managed memory.</param>
    /// <param name="locations">Where to move them: one location for each buffer, or one for all.</param>
    public static void Prefetch(Stream stream, IReadOnlyList<Buffer> buffers, params MemoryLocation[] locations) {
        const string operation = Operations.PrefetchBatch;
        using (var moved = new PinnedNumbers<ulong>(Handles(buffers, nameof(buffers), operation)))
        using (var there = new PinnedNumbers<int>(Pairs(locations))) {
            CuprumNative.cuprum_prefetch_batch(Require.NotNull(stream, nameof(stream)).Use(operation), moved.Address,
                                               moved.Size, there.Address, there.Size);
        }
        GC.KeepAlive(buffers);
    }

    /// <summary>Discards the contents of managed memory: from here on in the stream they are undefined until they are
    /// written.</summary>
    /// <param name="stream">The stream to work in.</param>
    /// <param name="buffers">The managed memory.</param>
    /// <exception cref="UnsupportedException">The driver is older than CUDA 13.</exception>
    public static void Discard(Stream stream, IReadOnlyList<Buffer> buffers) {
        const string operation = Operations.DiscardBatch;
        using (var discarded = new PinnedNumbers<ulong>(Handles(buffers, nameof(buffers), operation))) {
            CuprumNative.cuprum_discard_batch(
                Require.NotNull(stream, nameof(stream)).Use(operation), discarded.Address, discarded.Size);
        }
        GC.KeepAlive(buffers);
    }

    /// <summary>Discards the contents of managed memory and moves its pages without copying them.</summary>
    /// <param name="stream">The stream to work in.</param>
    /// <param name="buffers">The managed memory.</param>
    /// <param name="locations">Where to move them: one location for each buffer, or one for all.</param>
    /// <exception cref="UnsupportedException">The driver is older than CUDA 13.</exception>
    public static void DiscardPrefetch(Stream stream, IReadOnlyList<Buffer> buffers, params MemoryLocation[] locations) {
        const string operation = Operations.DiscardPrefetchBatch;
        using (var discarded = new PinnedNumbers<ulong>(Handles(buffers, nameof(buffers), operation)))
        using (var there = new PinnedNumbers<int>(Pairs(locations))) {
            CuprumNative.cuprum_discard_prefetch_batch(
                Require.NotNull(stream, nameof(stream)).Use(operation), discarded.Address, discarded.Size,
                there.Address, there.Size);
        }
        GC.KeepAlive(buffers);
    }

    private static ulong[] Handles(IReadOnlyList<Buffer> buffers, string parameter, string operation) {
        var handles = new ulong[Require.NotNull(buffers, parameter).Count];
        for (int i = 0; i < handles.Length; ++i) {
            handles[i] = Require.NotNull(buffers[i], parameter).Use(operation).Value;
        }
        return handles;
    }

    private static int[] Pairs(MemoryLocation[] locations) {
        var pairs = new int[2 * Require.NotNull(locations, nameof(locations)).Length];
        for (int i = 0; i < locations.Length; ++i) {
            pairs[2 * i] = MemoryLocation.KindOf(locations[i]);
            pairs[2 * i + 1] = MemoryLocation.IdOf(locations[i]);
        }
        return pairs;
    }

    /// <summary>An array where C can read it until it is disposed of; it has an address even without elements.</summary>
    private struct PinnedNumbers<T> : IDisposable where T : struct {
        private readonly GCHandle pin;

        public PinnedNumbers(T[] numbers) {
            pin = GCHandle.Alloc(numbers.Length == 0 ? new T[1] : numbers, GCHandleType.Pinned);
            Size = ArrayElement<T>.SizeOf(numbers);
        }

        public IntPtr Address { get { return pin.AddrOfPinnedObject(); } }

        public ulong Size { get; }

        public void Dispose() {
            pin.Free();
        }
    }
}

}
