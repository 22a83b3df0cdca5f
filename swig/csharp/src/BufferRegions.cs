using System;
using System.Runtime.InteropServices;
using Cuprum.Native;

namespace Cuprum {

public partial class Buffer {
    /// <summary>Copies a region of an array into a region of this buffer.</summary>
    /// <param name="source">What to copy from.</param>
    /// <param name="region">Where to copy to.</param>
    /// <param name="sourceRegion">What to copy: as many bytes, rows and slices. Null: those at the start of the array,
    /// without gaps.</param>
    /// <param name="stream">The stream to copy in; null to wait until the copy is done.</param>
    /// <exception cref="InvalidArgumentException">A region does not fit into its memory, or the regions have different
    /// shapes.</exception>
    /// <exception cref="ArgumentException">T is neither a number nor a struct of numbers.</exception>
    public void CopyRegionFrom<T>(T[] source, Region region, Region sourceRegion = null, Stream stream = null)
        where T : struct {
        ulong size = ArrayElement<T>.SizeOf(Require.NotNull(source, nameof(source)));
        GCHandle pin = GCHandle.Alloc(source, GCHandleType.Pinned);
        try {
            if (stream != null) {
                stream.PinUntilPassed(source);
            }
            CopyRegionFrom(pin.AddrOfPinnedObject(), size, region, sourceRegion, stream);
        } finally {
            pin.Free();
        }
    }

    /// <summary>Copies a region of this buffer to a region of an array.</summary>
    /// <param name="destination">What to copy to.</param>
    /// <param name="region">What to copy.</param>
    /// <param name="destinationRegion">Where to copy to: as many bytes, rows and slices. Null: the start of the array,
    /// without gaps.</param>
    /// <param name="stream">The stream to copy in; null to wait until the copy is done.</param>
    /// <exception cref="InvalidArgumentException">A region does not fit into its memory, or the regions have different
    /// shapes.</exception>
    /// <exception cref="ArgumentException">T is neither a number nor a struct of numbers.</exception>
    public void CopyRegionTo<T>(T[] destination, Region region, Region destinationRegion = null, Stream stream = null)
        where T : struct {
        ulong size = ArrayElement<T>.SizeOf(Require.NotNull(destination, nameof(destination)));
        GCHandle pin = GCHandle.Alloc(destination, GCHandleType.Pinned);
        try {
            if (stream != null) {
                stream.PinUntilPassed(destination);
            }
            CopyRegionTo(pin.AddrOfPinnedObject(), size, region, destinationRegion, stream);
        } finally {
            pin.Free();
        }
    }

    /// <summary>Copies a region of host memory into a region of this buffer.</summary>
    /// <param name="source">The memory's address.</param>
    /// <param name="size">The memory's size in bytes.</param>
    /// <param name="region">Where to copy to.</param>
    /// <param name="sourceRegion">What to copy: as many bytes, rows and slices. Null: those at the start of the memory,
    /// without gaps.</param>
    /// <param name="stream">The stream to copy in; the caller keeps the memory in place until the copy is done.
    /// Null to wait until the copy is done.</param>
    /// <exception cref="InvalidArgumentException">A region does not fit into its memory, or the regions have different
    /// shapes.</exception>
    public void CopyRegionFrom(IntPtr source, ulong size, Region region, Region sourceRegion = null,
                               Stream stream = null) {
        const string operation = Operations.BufferCopyRegionFromHost;
        RequireAddress(source, size, nameof(source));
        Region to = Require.NotNull(region, nameof(region));
        Region from = sourceRegion ?? to.Packed();
        CuprumNative.cuprum_buffer_copy_region_from_host(
            Use(operation), to.Width, to.Height, to.Depth, to.Offset, to.RowPitch, to.SlicePitch, source, size,
            from.Width, from.Height, from.Depth, from.Offset, from.RowPitch, from.SlicePitch,
            Stream.UseOptional(stream, operation));
    }

    /// <summary>Copies a region of this buffer to a region of host memory.</summary>
    /// <param name="destination">The memory's address.</param>
    /// <param name="size">The memory's size in bytes.</param>
    /// <param name="region">What to copy.</param>
    /// <param name="destinationRegion">Where to copy to: as many bytes, rows and slices. Null: the start of the memory,
    /// without gaps.</param>
    /// <param name="stream">The stream to copy in; the caller keeps the memory in place until the copy is done.
    /// Null to wait until the copy is done.</param>
    /// <exception cref="InvalidArgumentException">A region does not fit into its memory, or the regions have different
    /// shapes.</exception>
    public void CopyRegionTo(IntPtr destination, ulong size, Region region, Region destinationRegion = null,
                             Stream stream = null) {
        const string operation = Operations.BufferCopyRegionToHost;
        RequireAddress(destination, size, nameof(destination));
        Region from = Require.NotNull(region, nameof(region));
        Region to = destinationRegion ?? from.Packed();
        CuprumNative.cuprum_buffer_copy_region_to_host(
            destination, size, to.Width, to.Height, to.Depth, to.Offset, to.RowPitch, to.SlicePitch, Use(operation),
            from.Width, from.Height, from.Depth, from.Offset, from.RowPitch, from.SlicePitch,
            Stream.UseOptional(stream, operation));
    }

    /// <summary>Copies a region of another buffer into a region of this one, in stream order.</summary>
    /// <param name="source">The buffer to copy from.</param>
    /// <param name="region">Where to copy to.</param>
    /// <param name="sourceRegion">What to copy: as many bytes, rows and slices.</param>
    /// <param name="stream">The stream to copy in.</param>
    /// <exception cref="InvalidArgumentException">A region does not fit into its buffer, the regions have different
    /// shapes, or they overlap.</exception>
    public void CopyRegionFrom(Buffer source, Region region, Region sourceRegion, Stream stream) {
        const string operation = Operations.BufferCopyRegion;
        Region to = Require.NotNull(region, nameof(region));
        Region from = Require.NotNull(sourceRegion, nameof(sourceRegion));
        CuprumNative.cuprum_buffer_copy_region(
            Use(operation), to.Width, to.Height, to.Depth, to.Offset, to.RowPitch, to.SlicePitch,
            Require.NotNull(source, nameof(source)).Use(operation), from.Width, from.Height, from.Depth, from.Offset,
            from.RowPitch, from.SlicePitch, Require.NotNull(stream, nameof(stream)).Use(operation));
    }

    /// <summary>Fills a region, in stream order. Its width, its pitches and the address of its first row are multiples
    /// of the pattern's size.</summary>
    /// <param name="region">What to fill.</param>
    /// <param name="pattern">The pattern, in the lowest bytes.</param>
    /// <param name="patternSize">The pattern's bytes: 1, 2 or 4.</param>
    /// <param name="stream">The stream to fill in.</param>
    /// <exception cref="InvalidArgumentException">The region does not fit into this buffer, or does not suit the
    /// pattern.</exception>
    public void FillRegion(Region region, uint pattern, uint patternSize, Stream stream) {
        const string operation = Operations.BufferFillRegion;
        Region filled = Require.NotNull(region, nameof(region));
        CuprumNative.cuprum_buffer_fill_region(
            Use(operation), filled.Width, filled.Height, filled.Depth, filled.Offset, filled.RowPitch,
            filled.SlicePitch, pattern, patternSize, Require.NotNull(stream, nameof(stream)).Use(operation));
    }
}

}
